"""What the names of a document say of the people who bear them, and of their codes."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from presidio_mx.anonymizer.called import said_and_called, with_given_names
from presidio_mx.anonymizer.name_letters import (
    agree_but_for_second,
    code_letters,
    curp_starts,
)
from presidio_mx.anonymizer.people import Person
from presidio_mx.anonymizer.surrogates.codes import RFC_SUFFIX
from presidio_mx.anonymizer.surrogates.context import Context, Facts
from presidio_mx.anonymizer.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.anonymizer.surrogates.name_images import (
    Bearer,
    given_last,
    sex_in,
    word_surrogate,
    written_image,
)
from presidio_mx.anonymizer.surrogates.name_words import (
    NAME_WORD,
    are_initials,
    is_initial,
    name_words,
    unglued,
)
from presidio_mx.anonymizer.surrogates.shape import alphanumeric, dated, voter_key
from presidio_mx.anonymizer.surrogates.social_security import sex_of_nss
from presidio_mx.anonymizer.surrogates.web import is_login
from presidio_mx.entities import kind_of
from presidio_mx.folding import fold, fold_key
from presidio_mx.spans import Span
from presidio_mx.words import words

_WORD = re.compile(r"[a-z]+")
_TITLE = 40
# "Eustolia Melo (hna.)", "Ana Ríos (su hija)": kin behind a name.
_KIN_BEHIND = re.compile(r"[\"”]?\s*\(\s*(?:su\s+|la\s+|el\s+)?([a-z]+)\.?\s*[,;)]")
# "Thuy Nguyen   PARENTESCO: mamá"; "DALIA Y. FRANCO FEM 22", "Kim Li, 30 a, mujer".
_FIELD_BEHIND = re.compile(
    r"[\s|,;.]{1,20}(?:\d{1,3}\s*(?:a|anos|years|y)?\b[\s|,;.]{1,6})?"
    r"(?:parentesco|sexo|sex|genero)?[\s:.]{0,6}\b([a-z]+)\b"
)
_SEX_WORDS = {
    "F": frozenset("fem femenina femenino mujer".split()),
    "M": frozenset("masc masculino hombre varon".split()),
}
_TO_HIM = frozenset("con de a por para sin".split())
_PARENTAGE = re.compile(r"[\s|,;.]{1,20}parentesco[\s:.]{1,6}([a-z]+)\b")
_DIGIT = re.compile(r"\d")
_KIN = {"M": words("said_of_men_called"), "F": words("said_of_women_called")}
_CODED = 2  # a code says more than one title
_SAID = {
    "M": words("said_of_men"),
    "F": words("said_of_women"),
    "called": words("said_of_men_called", "said_of_women_called"),
    "titled": words("title_profession", "title_respect", "title_in_cell"),
}
_BOTH = words("name_of_both")
_SEXLESS = words("said_of_both")
_CALLED_BY = words("said_of_epithets")
_ARTICLES = {"el": "M", "la": "F"}
_MOST_ATTEMPTS = 20
_SEX_OF_CURP = 10
_NAMED_LAST = 2


def name_facts(
    text: str,
    spans: Sequence["Span"],
    people: Sequence[Person],
    bearers: Sequence[Bearer],
    context: Context,
) -> Facts:
    """Return what the names of people say of the codes and e-mails of a document.

    :param text: The document.
    :param spans: Its entities.
    :param people: Who is named, each once.
    :param bearers: What is known of each of them, in their order.
    :param context: Key and settings.
    :return: Facts of names alone.
    """
    values: dict[str, list[str]] = {}
    bearers = [replace(b, sex=b.sex or sex_in(b.words)) for b in bearers]
    for span in spans:
        kind = kind_of(span.entity_type)
        values.setdefault(kind, []).append(text[span.start : span.end])
    coded = [*values.get("MX_CURP", ()), *values.get("MX_RFC", ())]
    records = values.get("MEDICAL_RECORD", ())  # of ISSSTE: "CARD640912/1"
    coded += [record for record in records if RFC_SUFFIX.fullmatch(record)]
    codes = {dated(alphanumeric(value))[:4] for value in coded}
    voters = {voter_key(alphanumeric(value))[:6] for value in values.get("MX_INE", ())}
    surnames = frozenset(word for person in people for word in _behind(person))
    context = replace(context, facts=Facts(surnames=surnames))
    attempts = _attempts(bearers, context)
    context = replace(context, facts=Facts(attempts=attempts, surnames=surnames))
    borne = list(zip(people, bearers, strict=True))
    letters, keys = code_letters(codes, voters, borne, context)
    names = values.get("PERSON", ())
    web = "EMAIL_ADDRESS" in values or "URL" in values or any(map(is_login, names))
    return Facts(
        name_words=said_and_called(borne, context) if web else {},
        attempts=attempts,
        surnames=surnames,
        letters=letters,
        voter_letters=keys,
    )


def find_bearers(
    text: str, spans: Sequence["Span"], people: Mapping[str, Person]
) -> dict[int, Bearer]:
    """Return what the words before the mentions of each person say of it.

    :param text: The document.
    :param spans: Its entities in reading order.
    :param people: Text of a name to its person.
    :return: Position of a person to its words, its sex and how it is called.
    """
    said = said_of(text, spans, people)
    each = {person.position: person for person in people.values()}.values()
    coded = {
        sex_of_nss(text[span.start : span.end])
        for span in spans
        if kind_of(span.entity_type) == "MX_NSS"
    } - {""}
    if len(coded) == 1:
        sex = next(iter(coded))
        for person in each:
            if person.role == "patient":
                said.setdefault(person.position, Counter())[sex] += _CODED
    bearers = with_given_names(each, bearers_of(people.values(), said))
    sexes = {
        code[:4]: "F" if code[_SEX_OF_CURP] == "M" else "M"
        for span in spans
        if kind_of(span.entity_type) == "MX_CURP"
        for code in [dated(alphanumeric(text[span.start : span.end]))]
        if len(code) > _SEX_OF_CURP
    }
    if not sexes:
        return bearers
    return {
        at: bearer if bearer.sex else replace(bearer, sex=_sex_by(sexes, bearer.words))
        for at, bearer in bearers.items()
    }


def _sex_by(sexes: Mapping[str, str], words: Sequence[str]) -> str:
    """Return the sex that a CURP of the note says of the person with these words."""
    for four, lacks in curp_starts(words):
        if four in sexes:
            return sexes[four]
        for code, sex in sexes.items() if lacks else ():
            if agree_but_for_second(four, code):
                return sex  # the note leaves the second surname out
    return ""


def said_of(
    text: str, spans: Sequence["Span"], people: Mapping[str, Person]
) -> dict[int, Counter[str]]:
    """Count what the words before the mentions of each person say of it.

    :param text: The document.
    :param spans: Its entities in reading order.
    :param people: Text of a name to its person.
    :return: Position of a person to what is said: F, M, called, titled.
    """
    said: dict[int, Counter[str]] = {}
    for span in spans:
        person = people.get(text[span.start : span.end])
        if kind_of(span.entity_type) != "PERSON" or person is None:
            continue
        counts = said.setdefault(person.position, Counter())
        before = _said_before(text, span)
        if before and _is_of_family(text, span, person, before[-1]):
            continue
        counts.update(
            name for name, choice in _SAID.items() if before and before[-1] in choice
        )
        counts.update(_epithet(before, person))
        rest = fold(text[span.end : span.end + _TITLE])
        behind = _KIN_BEHIND.match(rest) or _PARENTAGE.match(rest)
        if behind:
            counts.update(sex for sex, choice in _KIN.items() if behind[1] in choice)
        field = _FIELD_BEHIND.match(rest)
        if field:
            counts.update(s for s, choice in _SEX_WORDS.items() if field[1] in choice)
    return said


def _is_of_family(text: str, span: "Span", person: Person, word: str) -> bool:
    """Tell whether kin stands before a surname alone: "su nieta Juárez" is another.

    She is called as the family is, and says nothing of the sex of Benito Juárez.
    """
    if not any(word in choice for choice in _KIN.values()) or len(person.words) < 2:
        return False
    mentioned = name_words(text[span.start : span.end])
    names = lexicon()
    alone = len(mentioned) == 1 and mentioned[0] in person.words[1:]
    return alone and not names.is_given(mentioned[0])


def _epithet(before: Sequence[str], person: Person) -> list[str]:
    """Tell that one word is no name, but what somebody is called by: "el Tuercas".

    A listed one behind an article or "apodado", one that no list has behind such a word
    only, and a nickname of the other sex: "le dicen el Yaqui" is no Jacqueline.
    """
    article = _ARTICLES.get(before[-1], "") if before else ""
    called = any(word in _CALLED_BY for word in before[-2:])
    if len(person.words) != 1 or not (article or called):
        return []
    entry = lexicon().words.get(person.words[0])
    if entry is None:
        return [f"epithet {article or 'M'}"] if called else []
    kind, sex = entry.group.split()[:2]
    if kind == "nickname" and sex in ("F", "M") and article not in ("", sex):
        return [f"epithet {article}"]
    return [f"epithet {article or sex}"] if kind == "epithet" else []


def _said_before(text: str, span: "Span") -> list[str]:
    """Return the words before a name, the titles at its own beginning among them.

    What says no sex by itself is left out: "la paciente Ikal".
    """
    # A blank line ends what was said: "de la niña", and below "Lic. Salvador Arriaga".
    ahead = text[max(0, span.start - _TITLE) : span.start].rpartition("\n\n")[2]
    # What a number parts from the name is of another: "tel. del papá\n0112 DALIA".
    before = _WORD.findall(_DIGIT.split(fold(ahead))[-1])
    for word in _WORD.findall(fold(text[span.start : span.end])):
        if word not in PARTICLES:
            break
        before.append(word)
    dropped = ""
    while before and before[-1] in _SEXLESS:
        dropped = before.pop()
    # "La señorita que venía con él se llama Daniela": no article.
    if dropped == "se" and before[-1:] == ["el"] and before[-2:-1] != ["que"]:
        if len(before) > 1 and before[-2] in _TO_HIM:
            return []
    return before


def bearers_of(
    people: Iterable[Person], said: Mapping[int, Counter[str]]
) -> dict[int, Bearer]:
    """Return what is known of each person.

    :param people: The people.
    :param said: Position of a person to what is said of it.
    :return: Position of a person to its words, its sex and how it is called.
    """
    bearers = {}
    for person in people:
        counts = said.get(person.position, Counter())
        sex = "F" if counts["F"] > counts["M"] else "M" if counts["M"] else ""
        disputed = counts["F"] and counts["M"] and _BOTH & set(person.words[:1])
        if counts["F"] == counts["M"] or disputed:  # "Sr. Refugio, no la Sra. Refugio"
            sex = ""
        titled = counts["titled"] or person.role == "staff"
        called = counts["called"] > 0 or not titled
        epithet = next((s for s in "MF" if counts[f"epithet {s}"]), "")
        bearers[person.position] = Bearer(tuple(person.words), sex, called, epithet)
    return bearers


def _behind(person: Person) -> tuple[str, ...]:
    """Return the words of a name that are surnames if no list has them.

    All but the first; that, too, where the surnames come first: a given name or
    initials end the name, or an initial opens it.
    """
    names, tokens = lexicon(), NAME_WORD.findall(unglued(person.fullest))
    if len(person.words) > _NAMED_LAST and names.is_given(person.words[-1]):
        first = not names.is_given(person.words[1])
    else:
        last = tokens[-1] if tokens else ""
        ends = is_initial(last) or are_initials(last, person.fullest)
        first = len(person.words) > 1 and ends
    opened = bool(tokens) and is_initial(tokens[0])
    if given_last(person.words):  # "Polanco Be Segundino"
        return person.words[:-1]
    return person.words if first or opened else person.words[1:]


def _attempts(bearers: Sequence[Bearer], context: Context) -> dict[str, int]:
    """Give words of no list other surrogates than those of the note's other names."""
    names = lexicon()
    borne = {word: bearer for bearer in reversed(bearers) for word in bearer.words}
    listed = {word for word in borne if word in names.words or word in names.phrases}
    if len(listed) == len(borne):
        return {}
    used = {fold_key(word_surrogate(word, context)) for word in listed} | set(borne)
    attempts: dict[str, int] = {}
    for word in sorted(borne.keys() - listed):
        for attempt in range(_MOST_ATTEMPTS):
            attempts[word] = attempt
            facts = replace(context.facts, attempts=attempts)
            here = replace(context, facts=facts)
            image = fold_key(written_image(word, borne[word], here).text)
            if image not in used:
                break
        used.add(image)
    return attempts
