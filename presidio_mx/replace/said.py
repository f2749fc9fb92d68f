"""What the words beside a name say of who bears it: sex, kin, title, epithet."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from presidio_mx.entities import kind_of
from presidio_mx.replace.people import Person
from presidio_mx.replace.surrogates.demonyms import country_of_demonym
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.replace.surrogates.name_words import name_words
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

_WORD = re.compile(r"[a-z]+")
_TITLE = 40
# "Eustolia Melo (hna.)", "Ana Ríos (su hija)": kin behind a name.
_KIN_BEHIND = re.compile(r"[\"”]?\s*\(\s*(?:su\s+|la\s+|el\s+)?([a-z]+)\.?\s*[,;)]")
# "Thuy Nguyen   PARENTESCO: mamá"; "DALIA Y. FRANCO FEM 22", "Kim Li, 30 a, mujer".
_FIELD_BEHIND = re.compile(
    r"[ \t|,;]{1,20}(?:\d{1,3}\s*(?:a|anos|years|y)?\b[ \t|,;]{1,6})?"
    r"(?:parentesco|sexo|sex|genero)?[ \t:.]{0,6}\b([a-z]+)\b"
)
_SEX_WORDS = {
    "F": frozenset("fem femenina femenino mujer".split()),
    "M": frozenset("masc masculino hombre varon".split()),
}
_TO_HIM = frozenset("con de a por para sin".split())
# "La hija del señor, Berenice": kin of somebody whose name does not follow.
_KIN_OF = re.compile(
    r"\b(hij[ao]|herman[ao]|espos[ao]|niet[ao]|sobrin[ao]|madre|padre|nuera|yerno)\s+"
    r"(?:del|de la)\s+(?:sra?|senora?|paciente|pte|px)\.?,\s*$"
)
_LISTED = re.compile(r"\s*(?:,|\by\b|\be\b)\s*")
_MANY = re.compile(r"\b([a-z]+)s:?\s+$")
_PARENTAGE = re.compile(r"[ \t|,;.]{1,20}parentesco[ \t:.]{1,6}([a-z]+)\b")
_DIGIT = re.compile(r"\d")
_KIN = {"M": words("said_of_men_called"), "F": words("said_of_women_called")}
_SAID = {
    "M": words("said_of_men"),
    "F": words("said_of_women"),
    "called": words("said_of_men_called", "said_of_women_called"),
    "titled": words("title_profession", "title_respect", "title_in_cell"),
}
_SEXLESS = words("said_of_both")
_CALLED_BY = words("said_of_epithets")
_ARTICLES = {"el": "M", "la": "F"}


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
    for number, span in enumerate(spans):
        person = people.get(text[span.start : span.end])
        if kind_of(span.entity_type) != "PERSON" or person is None:
            continue
        counts = said.setdefault(person.position, Counter())
        before = _said_of_all(text, spans, number) or _said_before(text, span)
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
    if called and article and "surname" in entry.group:  # "apodo el Cuervo"
        return [f"epithet {article}"]
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
    near = _DIGIT.split(fold(ahead))[-1]
    kin = _KIN_OF.search(near)
    if kin:  # "la hija del señor, Berenice": he is not called so
        return [kin[1]]
    before = _WORD.findall(near)
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
    if before and country_of_demonym(before[-1]):  # "muchacha haitiana, se llama"
        before[-1] = "mujer" if before[-1].endswith("a") else "hombre"
    return before


def _said_of_all(text: str, spans: Sequence["Span"], number: int) -> list[str]:
    """Return what is said of several people at once: "hijas Lety, Paz y Ana"."""
    at = number
    while at and kind_of(spans[at - 1].entity_type) == "PERSON":
        if not _LISTED.fullmatch(text[spans[at - 1].end : spans[at].start]):
            break
        at -= 1
    ahead = fold(text[max(0, spans[at].start - _TITLE) : spans[at].start])
    many = _MANY.search(ahead)
    return [many[1]] if many and many[1] in _KIN["F"] | _KIN["M"] else []
