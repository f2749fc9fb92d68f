"""The names of a note as it mentions them, with what the words beside each say.

What stands beside a name speaks of it alone: never of its neighbour, and nothing
across a blank line, a number or another name.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from presidio_mx.entities import kind_of
from presidio_mx.spanish.name_lists import PARTICLES, name_lists
from presidio_mx.spanish.names import Name, parse_name
from presidio_mx.spanish.places import demonym
from presidio_mx.spanish.scans import name_read, unboxed, unescaped
from presidio_mx.spanish.words import either, words
from presidio_mx.spanish.writing import well_decoded
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

_NEAR = 40
_GIVEN_ALONE = 1.0
_WORD = re.compile(r"[a-z]+")
_BAR = re.compile(r"(?<=[^\W\d_A-Z])\|(?=[^\W\d_A-Z])")  # "Ca|deron", as "Ca1deron"
_DIGIT = re.compile(r"\d")
_SENTENCE = re.compile(r"([a-z]{4,})[.;!?]\s")
# Abbreviations of titles as long as words.
_SHORT_TITLES = frozenset(
    "prof mtro mtra srta srita psic profa profr profra licda cmte cmdte sgto".split()
)
_KIN = {"M": words("said_of_men_called"), "F": words("said_of_women_called")}
_BEFORE = {
    "M": words("said_of_men"),
    "F": words("said_of_women"),
    "called": words("said_of_men_called", "said_of_women_called"),
    "titled": words("title_profession", "title_respect", "title_in_cell")
    - {"mtro", "mtra", "enf"},
}
_SEXLESS, _CALLED_BY = words("said_of_both"), words("said_of_epithets")
_TO_HIM = frozenset("con de a por para sin".split())
_ARTICLES = {"el": "M", "la": "F"}
# "La hija del señor, Berenice", "la pareja de su mamá, Joel": kin of somebody else.
_KIN_OF = re.compile(r"\b([a-z]+)\s+(?:del?|de la)\s+(?:[a-z]+\s+){0,2}[a-z]+\.?,\s*$")
_LISTED = re.compile(r"\s*(?:,|\by\b|\be\b)\s*")
_MANY = re.compile(r"\b([a-z]+)s:?\s+$")
# Behind a name: "(hna.)", "(su hija)"; "PARENTESCO: mamá"; "FEM 22", ", 30 a, mujer".
_IN_BRACKETS = re.compile(r"[\"”]?\s*\(\s*(?:su\s+|la\s+|el\s+)?([a-z]+)\.?\s*[,;)]")
_KINSHIP = re.compile(r"[ \t|,;.]{1,20}parentesco[ \t:.]{1,6}([a-z]+)\b")
_AGED = r"(?:de\s+)?\d{1,3}\s*(?:a|anos|years|y|m|meses)?\b(?:\s+de\s+edad)?"
_FIELD = re.compile(
    rf"[ \t|,;]{{1,20}}(?:{_AGED}[ \t|,;]{{1,6}})?"
    r"(?:(?:sexo|sex|genero)[ \t:.]{0,6}\b([a-z]+)|([a-z]{3,}))\b(?!\s*:)"
)
_SEX_WORDS = {
    "F": frozenset("f fem femenina femenino mujer female".split()),
    "M": frozenset("m masc masculino hombre varon male".split()),
}
# Words that agree in gender with whose age stands before: "33 años, cocinera".
_AGREES = re.compile(
    rf"[ ,]{{1,3}}{_AGED}[ ,]{{1,3}}(?:es\s+|ocupacion\s+)?"
    rf"({either('agrees_in_gender')})(o|a|or|ora|os|as)\b"
)
_LABELS = (
    (
        "first",
        r"(?:primer|1er|1o|1)\.?[ _]?apellido|ap(?:e(?:llido)?)?\.?[ _]?paterno"
        r"|paterno|apellido[ _]?1|ap1",
    ),
    (
        "second",
        r"(?:segundo|2do|2o|2)\.?[ _]?apellido|ap(?:e(?:llido)?)?\.?[ _]?materno"
        r"|materno|apellido[ _]?2|ap2",
    ),
    ("surnames", r"apellidos?|family|last[ _]?name|surname|familia"),
    (
        "given",
        r"nombre(?:\(s\)|s)?(?:[ _]de[ _]pila)?|given(?:[ _]?name)?|first[ _]?name",
    ),
)
_LABEL = re.compile(
    "|".join(f"(?P<{kind}>(?<![a-z]){form}(?![a-z]))" for kind, form in _LABELS)
)
_AFTER_LABEL = re.compile(r"[\s\"'»:=>\[(,.|*_-]*\Z")
_SAME_LIST = re.compile(r"[\"']\s*,\s*[\"']")
_LONGEST_GAP = 160
_LONGEST_LABEL = 48


@dataclass(frozen=True, slots=True)
class Mention:
    """A text that names a person.

    :param text: As it stands in the note, what scans and forms did to it undone.
    :param name: Its parts.
    :param role: patient, relative, staff, other, or empty.
    :param position: Place among the note's mentions.
    :param says: What the words beside it say: F, M, called, titled, "epithet F".
    :param label: Which part of a name a form says it is: ``given``, ``first``,
        ``second``, ``surnames``; or empty.
    """

    text: str
    name: Name
    role: str = ""
    position: int = 0
    says: tuple[str, ...] = ()
    label: str = ""


def clean_name(text: str) -> str:
    """Return a name as it is meant: decoded, its letters put together and read.

    :param text: A name as it stands in the note.
    """
    plain = unboxed(unescaped(well_decoded(text)))
    if plain.isascii() and plain.replace(" ", "").isalpha() and plain.istitle():
        return plain
    if plain.count("'") + plain.count("’") == 1:  # the stop of Tsotsil: "Xunka'"
        plain = re.sub(r"(?<=[^\W\d_]{3})['’](?=\s+[^\W\d_]|$)", "", plain)
    return name_read(_BAR.sub("1", plain), _is_name_word)


def _is_name_word(key: str) -> bool:
    return name_lists().knows(key) or key in PARTICLES


def mentions_of(text: str, spans: Sequence[Span]) -> list[Mention]:
    """Return the names of a note.

    :param text: The note.
    :param spans: Its entities in reading order.
    """
    people = [span for span in spans if kind_of(span.entity_type) == "PERSON"]
    labels = _labels(text, people)
    found = []
    for number, (span, label) in enumerate(zip(people, labels, strict=True)):
        start = people[number - 1].end if number else 0
        stop = people[number + 1].start if number + 1 < len(people) else len(text)
        value = clean_name(text[span.start : span.end])
        says = _says(text, people, number, start, stop, value)
        lean = 3.0 if "called" in says else -3.0 if "titled" in says else 0.0
        if "called" not in says:  # staff go by surnames, others by given names
            lean += -1.0 if span.role == "staff" else _GIVEN_ALONE
        name = parse_name(value, lean)
        if label:
            name = _retyped(name, "given" if label == "given" else "surname")
        elif _is_titled_surname(name, lean):
            name = _retyped(name, "surname")
        found.append(Mention(value, name, span.role or "", number, says, label))
    return found


def _is_titled_surname(name: Name, lean: float) -> bool:
    if lean >= 0 or len(name.words) != 1:
        return False
    names, word = name_lists(), name.words[0]
    return not names.is_given(word) and not names.is_nickname(word)


def _retyped(name: Name, kind: str) -> Name:
    """Return a name all of whose words are given names, or surnames."""
    parts = tuple(
        replace(part, kind=kind)
        if part.kind in ("given", "surname", "married")
        else part
        for part in name.parts
    )
    keys = tuple(part.key for part in parts if part.kind in (kind, "nickname"))
    given = keys if kind == "given" else ()
    return Name(parts, given, () if given else keys, name.initials)


def _labels(text: str, people: Sequence[Span]) -> list[str]:
    """Return which part of a name the form says that each mention is.

    Labels count where at least a given name and a surname stand near one another, each
    under its own.
    """
    found = [
        _label(text, span, people[n - 1].end if n else 0)
        for n, span in enumerate(people)
    ]
    for number, span in enumerate(people):  # ["Juan", "Carlos"]: one list, one label
        if number and not found[number]:
            gap = text[people[number - 1].end : span.start]
            if _SAME_LIST.fullmatch(gap):
                found[number] = found[number - 1]
    kept = [""] * len(found)
    for first, last in _groups(text, people, found):
        kinds = set(found[first:last])
        if "given" in kinds and kinds & {"first", "surnames"}:
            kept[first:last] = found[first:last]
    return kept


def _label(text: str, span: Span, start: int) -> str:
    before = fold(text[max(start, span.start - _LONGEST_LABEL) : span.start])
    last = next(reversed(list(_LABEL.finditer(before))), None)
    if last is None or not _AFTER_LABEL.match(before, last.end()):
        return ""
    return next(kind for kind, value in last.groupdict().items() if value)


def _groups(
    text: str, people: Sequence[Span], labels: Sequence[str]
) -> list[tuple[int, int]]:
    """Return where the labelled parts of one name begin and end."""
    groups: list[tuple[int, int]] = []
    first = 0
    for number in range(1, len(people) + 1):
        again = False
        if number < len(people):
            gap = people[number].start - people[number - 1].end
            seen, label = labels[first:number], labels[number]
            same = label == labels[number - 1]
            again = bool(label) and gap <= _LONGEST_GAP and (same or label not in seen)
            again = again and bool(labels[number - 1])
        if not again:
            groups.append((first, number))
            first = number
    return groups


def labelled_runs(mentions: Sequence[Mention]) -> list[list[int]]:
    """Return the places of mentions that are parts of one name each.

    :param mentions: The mentions of a note.
    """
    runs: list[list[int]] = []
    for number, mention in enumerate(mentions):
        if not mention.label:
            continue
        last = mentions[number - 1] if number else None
        follows = last is not None and last.position + 1 == mention.position
        before = last.label if last is not None and follows else ""
        seen = [mentions[n].label for n in runs[-1]] if runs and before else []
        fits = before == mention.label or mention.label not in seen
        if before and fits:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _says(
    text: str, people: Sequence[Span], number: int, start: int, stop: int, value: str
) -> tuple[str, ...]:
    """Return what the words beside a mention say of who is named."""
    span = people[number]
    said: Counter[str] = Counter()
    before = _of_all(text, people, number) or _before(text, span, start)
    if before:
        last = before[-1]
        said.update(name for name, choice in _BEFORE.items() if last in choice)
        said.update(_epithet(before, value))
    rest = fold(text[span.end : min(stop, span.end + _NEAR)]).partition("\n\n")[0]
    kin = _IN_BRACKETS.match(rest) or _KINSHIP.match(rest)
    if kin:
        said.update(sex for sex, choice in _KIN.items() if kin[1] in choice)
    field = _FIELD.match(rest)
    if field:
        word = field[1] or field[2]
        said.update(s for s, choice in _SEX_WORDS.items() if word in choice)
    agrees = _AGREES.match(rest)
    if agrees and not {"F", "M"} & said.keys():
        said["F" if agrees[2].rstrip("s").endswith("a") else "M"] += 1
    return tuple(said)


def _before(text: str, span: Span, start: int) -> list[str]:
    """Return the words before a name; what says no sex by itself is left out."""
    # A blank line ends what was said: "de la niña", and below "Lic. Salvador Arriaga".
    ahead = text[max(start, span.start - _NEAR) : span.start].rpartition("\n\n")[2]
    # What a number parts from the name is of another: "tel. del papá\n0112 DALIA".
    near = _DIGIT.split(fold(ahead))[-1]
    ends = [m.end() for m in _SENTENCE.finditer(near) if m[1] not in _SHORT_TITLES]
    near = near[ends[-1] :] if ends else near
    kin = _KIN_OF.search(near)
    if kin:
        return [kin[1]]
    before: list[str] = _WORD.findall(near)
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
    if before and demonym(before[-1]).islower():  # "muchacha haitiana, se llama"
        before[-1] = "mujer" if before[-1].endswith("a") else "hombre"
    return before


def _of_all(text: str, people: Sequence[Span], number: int) -> list[str]:
    """Return what is said of several people at once: "hijas Lety, Paz y Ana"."""
    at = number
    while at and _LISTED.fullmatch(text[people[at - 1].end : people[at].start]):
        at -= 1
    ahead = fold(text[max(0, people[at].start - _NEAR) : people[at].start])
    many = _MANY.search(ahead)  # "hijos" are of both sexes
    return [many[1]] if many and many[1] in _KIN["F"] else []


def _epithet(before: Sequence[str], value: str) -> list[str]:
    """Tell that one word is no name, but what somebody is called by: "el Tuercas".

    A listed one behind an article or "apodado", one that no list has behind such a word
    only, and a nickname of the other sex: "le dicen el Yaqui" is no Jacqueline.
    """
    article = _ARTICLES.get(before[-1], "")
    called = any(word in _CALLED_BY for word in before[-2:])
    key, names = fold(value), name_lists()
    if not (article or called) or " " in value or not value.isalpha():
        return []
    use = names.use(key)
    if not use:
        return [f"epithet {article or 'M'}"] if called else []
    if called and article and use == "surname":  # "apodo el Cuervo"
        return [f"epithet {article}"]
    if use not in ("nickname", "epithet"):
        return []
    sex = names.nicknames[key].sex
    if use == "nickname":
        other = article and sex in ("F", "M") and article != sex
        return [f"epithet {article}"] if other else []
    return [f"epithet {article or sex}"]
