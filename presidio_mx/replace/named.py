"""What the names of a document say of the people who bear them, and of their codes."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from presidio_mx.entities import kind_of
from presidio_mx.replace.called import said_and_called, with_given_names
from presidio_mx.replace.name_letters import (
    agree_but_for_second,
    code_letters,
    curp_starts,
)
from presidio_mx.replace.people import Person
from presidio_mx.replace.said import said_of
from presidio_mx.replace.surrogates.bearer import Bearer, sex_in
from presidio_mx.replace.surrogates.codes import RFC_SUFFIX
from presidio_mx.replace.surrogates.context import Context, Facts
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_images import (
    given_last,
    word_surrogate,
    written_image,
)
from presidio_mx.replace.surrogates.name_words import (
    NAME_WORD,
    are_initials,
    bare,
    is_initial,
    name_words,
    unglued,
)
from presidio_mx.replace.surrogates.odd_names import rare_class
from presidio_mx.replace.surrogates.shape import alphanumeric, dated, voter_key
from presidio_mx.replace.surrogates.slips import is_slip, sound_alike
from presidio_mx.replace.surrogates.social_security import sex_of_nss
from presidio_mx.replace.surrogates.spoken import is_spoken, spells
from presidio_mx.replace.surrogates.spoken_codes import said_code, spelt_letters
from presidio_mx.replace.surrogates.web import is_login
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

_CODED = 2  # a code says more than one title
_BOTH = words("name_of_both")
_MOST_ATTEMPTS = 20
_SEX_OF_CURP = 10
_NAMED_LAST = 2
_SHORTEST_CUT, _MOST_CUT = 5, 2  # letters


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
    records = [
        *values.get("MEDICAL_RECORD", ()),
        *values.get("MX_NSS", ()),
    ]  # of ISSSTE: "CARD640912/1"
    coded += [record for record in records if RFC_SUFFIX.fullmatch(record)]
    coded = [said_code(v) if is_spoken(v) else v for v in coded]
    codes = {dated(alphanumeric(value))[:4] for value in coded}
    voters = {voter_key(alphanumeric(value))[:6] for value in values.get("MX_INE", ())}
    facts = Facts(
        surnames=frozenset(word for person in people for word in _behind(person)),
        given=frozenset(word for person in people for word in _after_sign(person)),
        own=frozenset(word for bearer in bearers for word in bearer.words),
        twins=_twins({word for bearer in bearers for word in bearer.words}),
        slips=_slips([word for bearer in bearers for word in bearer.words]),
    )
    context = replace(context, facts=facts)
    facts = replace(facts, attempts=_attempts(bearers, context))
    context = replace(context, facts=facts)
    borne = list(zip(people, bearers, strict=True))
    letters, keys = code_letters(codes, voters, borne, context)
    names = values.get("PERSON", ())
    web = "EMAIL_ADDRESS" in values or "URL" in values
    web = web or any(
        is_login(name) or spells(name) or spelt_letters(name) for name in names
    )
    return replace(
        facts,
        name_words=said_and_called(borne, context) if web else {},
        initials=_initials(borne, context),
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
    before, sign, _ = _parted(person)
    if sign:
        return before
    if given_last(person.words):  # "Polanco Be Segundino"
        return person.words[:-1]
    return person.words if first or opened else person.words[1:]


def _after_sign(person: Person) -> tuple[str, ...]:
    """Return the words of no list behind the sign that ends the surnames."""
    surnames, sign, given = _parted(person)
    names = lexicon().words
    return tuple(w for w in given if w not in names) if sign and surnames else ()


def _parted(person: Person) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the words before and behind a sign: "RUIZ PAZ, ANA", "RUIZ^ANA"."""
    head, sign, tail = re.sub("[,^<]+", ",", person.fullest).partition(",")
    before, behind = name_words(head), name_words(tail.partition(",")[0])
    return tuple(before), sign if before and behind else "", tuple(behind)


def _twins(borne: set[str]) -> frozenset[str]:
    """Return what given names share that differ in -o and -a alone."""
    given = lexicon().is_given
    return frozenset(
        word[:-1]
        for word in borne
        if word.endswith("o")
        and word[:-1] + "a" in borne
        and given(word)
        and given(word[:-1] + "a")
    )


def _slips(borne: Sequence[str]) -> dict[str, str]:
    """Return words of no list that are another word of the note, cut or misread."""
    names = lexicon().words
    whole = sorted({word for word in borne if len(word) > _SHORTEST_CUT})
    strange = {word for word in borne if word not in names and " " not in word}
    found: dict[str, str] = {}
    for word in sorted(strange):
        cut = [w for w in whole if w != word and _is_cut(word, w)]
        if len(cut) == 1:
            found[word] = cut[0]
    seen: list[str] = []
    for word in dict.fromkeys(borne):  # "Eliezer Pecina", "Eliécer Pesina"
        alike = next((w for w in seen if sound_alike(w, word)), "")
        if alike and len(word) >= _SHORTEST_CUT and word not in found:
            found[word] = alike
        elif word not in found:
            seen.append(word)
    return found


def _is_cut(word: str, whole: str) -> bool:
    missing = len(whole) - len(word)
    cut = whole.startswith(word) and 0 < missing <= _MOST_CUT
    return len(word) >= _SHORTEST_CUT and (cut or is_slip(word, whole))


def _initials(
    borne: Iterable[tuple[Person, Bearer]], context: Context
) -> dict[str, str]:
    """Return initials of surnames that one name of the note has: "Dr. A." (Ampudia)."""
    of_letter: dict[str, set[str]] = {}
    for person, bearer in borne:
        for word in person.words[1:] or person.words:
            image = written_image(word, bearer, context).text
            of_letter.setdefault(bare(word)[:1], set()).add(image[:1].upper())
    return {letter: new.pop() for letter, new in of_letter.items() if len(new) == 1}


def _attempts(bearers: Sequence[Bearer], context: Context) -> dict[str, int]:
    """Give words of no list other surrogates than those of the note's other names."""
    names = lexicon()
    borne = {word: bearer for bearer in reversed(bearers) for word in bearer.words}
    listed = {
        word
        for word in borne
        if (word in names.words or word in names.phrases) and not rare_class(word)
    }
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
