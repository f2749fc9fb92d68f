"""Put originals back where a text that somebody wrote anew names their stand-ins.

Nothing is put back by likeness alone: a word that may be an ordinary one, or that
stands for several originals, stays and is reported.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from presidio_mx.replace.restore_names import (
    Back,
    Person,
    agreed,
    diminutives,
    has_title,
    may_be_ordinary,
    names_in,
    nicknames_in,
    person_of,
)
from presidio_mx.spanish.addresses import parse_address
from presidio_mx.spanish.dates import Reading, parse_dates, read_date
from presidio_mx.spanish.parts import Part
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.words import either
from presidio_mx.spanish.writing import alphanumeric, match_case, place_key
from presidio_mx.text.folding import fold, fold_key

# Finds stand-ins in a line, which comes as it is and folded.
_Finder = Callable[[str, str], Iterator[Back]]

_SHORTEST_CODE = 4  # letters and digits
_LONG_NUMBER = 7
_SHORTEST_TOWN = 5
_BETWEEN = r"[\s().\-]{0,3}"
_AGE = r"(?=\s*-?\s*(?:anos?|years?|a\.|mes(?:es)?|months?|dias?|days?)(?!\w))"
_MONTHS = ("month", "month_short", "month_english", "month_english_name")
_MONTH = rf"(?:{either(*_MONTHS)})\.?"
_DATE = re.compile(
    r"(?<![\w/.-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}"
    rf"|\d{{1,2}}([-/. ])(?:\d{{1,2}}|{_MONTH})(?:\2(?:\d{{4}}|\d\d))?"
    rf"|\d{{1,2}}\s+(?:de\s+)?{_MONTH}(?:,?\s+(?:del?\s+)?\d{{4}})?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:,?\s+\d{{4}})?)(?![\w/-])"
)
# Kinds of institution as they are called in English, before or behind their own name.
_IN_ENGLISH = {
    "hospital general": "general hospital",
    "hospital": "hospital",
    "clinica": "clinic",
    "centro de salud": "health center",
    "instituto": "institute",
    "universidad": "university",
}
_MARKERS = (
    ("calle", "c", "street"),
    ("avenida", "av", "ave", "avenue"),
    ("colonia", "col", "neighborhood"),
    ("fraccionamiento", "fracc"),
    ("privada", "priv"),
    ("boulevard", "blvd"),
    ("interior", "int"),
    ("exterior", "ext"),
    ("numero", "num", "no", "n"),
)
_SIGNS = r"[\s,.:#]*"
_NUMBERED = r"[\s,.#]*(?:(?:no?|num|numero)\b[\s.]*)?"
_ENGLISH_STREET = r"\s+(?:avenue|street|road|boulevard)"
_NEAR = (
    r"(?:colonia|col\.?|barrio|fracc(?:ionamiento)?\.?|unidad|calle|avenida|av\.?"
    r"|privada|priv\.?|boulevard|blvd\.?)\s+"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """What a text showed, and what it stood for.

    :param entity: E.g. ``PERSON``.
    :param original: As it was written.
    :param shown: Its stand-in.
    """

    entity: str
    original: str
    shown: str


@dataclass(frozen=True, slots=True)
class Restored:
    """An answer with the originals in the place of what stood for them.

    :param text: The answer.
    :param restored: How many places were put back.
    :param unknown: What may stand for something hidden and was left: tokens that
        stand for nothing, words that may be ordinary ones.
    :param repeated: What was put back more than once.
    """

    text: str
    restored: int
    unknown: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


@dataclass
class StandIns:
    """Stand-ins that were shown, and how to know them again.

    :param pairs: What was shown, and the original of each.
    """

    pairs: Sequence[Pair]

    def places(self, line: str) -> list[Back]:
        """Return what is put back or left in doubt, in order; the longest of several.

        :param line: A line of a text.
        """
        found: dict[tuple[int, int], set[str | None]] = {}
        folded = fold(line)
        for finder in self._finders:
            for back in finder(line, folded):
                found.setdefault((back.start, back.end), set()).add(back.text)
        for match in self._as_shown.finditer(line):
            text = agreed(self._originals[match[0]])
            if text is not None:
                found[match.span()] = {text}
        kept: list[Back] = []
        for start, end in sorted(found, key=lambda place: (place[0] - place[1], place)):
            if all(end <= other.start or other.end <= start for other in kept):
                kept.append(Back(start, end, agreed(found[start, end])))
        return sorted(kept, key=lambda back: back.start)

    @cached_property
    def _originals(self) -> dict[str, set[str]]:
        """What each stand-in stands for that is no ordinary word as it was shown."""
        found: dict[str, set[str]] = {}
        for pair in self.pairs:
            if not pair.shown.isalpha() or not may_be_ordinary(pair.shown):
                found.setdefault(pair.shown, set()).add(pair.original)
        return found

    @cached_property
    def _as_shown(self) -> re.Pattern[str]:
        longest_first = sorted(map(re.escape, self._originals), key=len, reverse=True)
        any_of = "|".join(longest_first) or r"(?!)"
        return re.compile(rf"(?<!\w)(?:{any_of})(?!\w)")

    @cached_property
    def _finders(self) -> tuple[_Finder, ...]:
        people = tuple(
            person_of(pair.original, pair.shown)
            for pair in self.pairs
            if pair.entity == "PERSON"
        )
        others = [pair for pair in self.pairs if pair.entity != "PERSON"]
        found = [finder for pair in others for finder in _finders(pair)]
        return (*_of_people(people), *found) if people else tuple(found)


def put_back(text: str, places: Callable[[str], Sequence[Back]]) -> Restored:
    """Put originals back, line by line: no mention goes on in the next line.

    :param text: The text.
    :param places: What is put back in a line, in order.
    """
    parts: list[str] = []
    put: Counter[str] = Counter()
    left: dict[str, None] = {}
    for line in text.splitlines(keepends=True):
        at = 0
        for back in places(line):
            shown = line[back.start : back.end]
            if back.text is None:
                left[shown] = None
                continue
            put[shown] += 1
            parts += [line[at : back.start], back.text]
            at = back.end
        parts.append(line[at:])
    repeated = tuple(shown for shown, times in put.items() if times > 1)
    return Restored("".join(parts), put.total(), tuple(left), repeated)


def _of_people(people: Sequence[Person]) -> tuple[_Finder, ...]:
    short = diminutives(people)
    return (
        lambda line, _: names_in(line, people),
        lambda line, _: nicknames_in(line, short),
    )


def _finders(pair: Pair) -> Iterator[_Finder]:
    """Yield what finds a stand-in, by what it is."""
    signs = alphanumeric(pair.shown)
    if pair.entity == "DATE_TIME":
        yield from _dates(pair)
    elif pair.entity == "AGE":
        yield from _ages(pair)
    elif pair.entity == "LOCATION":
        yield from _town(pair)
    elif pair.entity == "ADDRESS":
        yield from _address(pair)
    elif pair.entity == "ORGANIZATION":
        yield from _institution(pair)
    elif len(signs) >= _SHORTEST_CODE and any(c.isdigit() for c in signs):
        yield _code(pair, signs)
    common = pair.shown.isalpha() and may_be_ordinary(pair.shown)
    yield _phrase(pair.shown, pair.original, common and pair.entity != "DATE_TIME")


def _phrase(shown: str, original: str, capital: bool) -> _Finder:
    """Return what finds some words, in any capitals and without accents."""
    return _written(rf"(?<!\w){_spaced(shown)}(?!\w)", original, capital)


def _spaced(name: str) -> str:
    """Return the pattern of some words in folded text."""
    return r"\s+".join(map(re.escape, fold_key(name).split()))


def _written(pattern: str, original: str, capital: bool = True) -> _Finder:
    """Return what finds a pattern in folded text; its group ``it`` is put back.

    :param capital: Words in small letters alone are something else.
    """
    compiled = re.compile(pattern)
    place = "it" if "it" in compiled.groupindex else 0

    def find(line: str, folded: str) -> Iterator[Back]:
        for match in compiled.finditer(folded):
            start, end = match.span(place)
            shown = line[start:end]
            if not (capital and shown.islower()) and not has_title(line, start):
                yield Back(start, end, _in_case(shown, original))

    return find


def _in_case(shown: str, original: str) -> str:
    """Return an original in the capitals of its stand-in, if it has letters."""
    letters = sum(c.isalpha() for c in shown)
    if letters <= 1 or any(c.isdigit() for c in shown):
        return original
    return (
        match_case(shown, original) if shown.isupper() or shown.islower() else original
    )


def _code(pair: Pair, signs: str) -> _Finder:
    """Return what finds a number or code, whatever separates its signs."""
    country = (
        r"(?:\+?52[\s\-]?)?(?:\((?=\d{2,3}\)))?"
        if pair.entity == "PHONE_NUMBER"
        else ""
    )
    body = _BETWEEN.join(map(re.escape, fold(signs)))
    glued = signs.isdecimal() and len(signs) >= _LONG_NUMBER  # "al4431234567"
    before, behind = (r"(?<!\d)", r"(?!\d)") if glued else (r"(?<!\w)", r"(?!\w)")
    pattern = re.compile(rf"{before}{country}{body}{behind}")

    def find(_: str, folded: str) -> Iterator[Back]:
        for match in pattern.finditer(folded):
            bare = match[0].isalnum() and not pair.shown.isalnum()
            text = alphanumeric(pair.original) if bare else pair.original
            yield Back(match.start(), match.end(), text)

    return find


def _ages(pair: Pair) -> Iterator[_Finder]:
    shown, original = (re.search(r"\d+", t) for t in (pair.shown, pair.original))
    if shown and original:
        pattern = rf"(?<![\w.,/]){shown[0]}{_AGE}"
        yield _written(pattern, original[0], capital=False)


def _dates(pair: Pair) -> Iterator[_Finder]:
    """Yield what finds a day in any format, in Spanish or English."""
    shown, original = _day_of(pair.shown), _day_of(pair.original)
    if not (shown and original and shown.has_day):
        return
    moved = original.value - shown.value

    def find(line: str, folded: str) -> Iterator[Back]:
        for match in _DATE.finditer(folded):
            text = line[match.start() : match.end()]
            reading = read_date(text, shown.value.year)
            if reading and reading.has_day and reading.value == shown.value:
                new = reading.write(reading.value + moved)
                yield Back(match.start(), match.end(), new)

    yield find


def _day_of(text: str) -> Reading | None:
    days = parse_dates(text, 2000).days
    return days[0].reading if len(days) == 1 else None


def _town(pair: Pair) -> Iterator[_Finder]:
    """Yield what finds a state by all its names, a town by its short one."""
    states = [
        atlas().state_forms.get(place_key(t)) for t in (pair.shown, pair.original)
    ]
    if states[0] and states[1]:
        names, originals = (atlas().state_names[code] for code in states if code)
        yield _phrase(names[0], originals[0], capital=True)
        given = "" if pair.original == originals[0] else pair.original
        for form, other in zip(names[1:], [*originals[1:], *originals], strict=False):
            pattern = rf"(?<!\w){re.escape(fold_key(form))}(?![\w@])"
            yield _written(pattern, given or other)
    short_name = _short_town(pair.shown)
    if short_name:
        yield _phrase(short_name, _short_town(pair.original) or pair.original, True)


def _short_town(name: str) -> str:
    """Return "Chilapa" of "Chilapa de Álvarez"; empty where that may be another."""
    base, of, _ = re.split(r"\s+(del?)\s+", f"{name} de ", maxsplit=1)
    key = fold_key(base)
    own = len(key) >= _SHORTEST_TOWN and " " not in key and not may_be_ordinary(key)
    return base if of and own and base != name else ""


def _institution(pair: Pair) -> Iterator[_Finder]:
    """Yield what finds an institution whose kind was translated."""
    for kind, english in _IN_ENGLISH.items():
        shown, original = (_own_name(t, kind) for t in (pair.shown, pair.original))
        if shown:
            name, text = _spaced(shown), original or pair.original
            # The kind stays where the original is of the same.
            behind = rf"(?=\s+{english})" if original else rf"\s+{english}"
            yield _written(rf"(?<!\w){name}{behind}(?!\w)", text)
            yield _written(rf"(?<!\w){english}\s+of\s+(?P<it>{name})(?!\w)", text)
            return


def _own_name(text: str, kind: str) -> str:
    """Return the own name of an institution of a kind: "Uruapan"."""
    match = re.match(rf"{kind}\s+(?:del?\s+)?", fold(text))
    return text[match.end() :] if match else ""


def _address(pair: Pair) -> Iterator[_Finder]:
    """Yield what finds a whole address, and its street, quarter and postal code."""
    shown, original = parse_address(pair.shown), parse_address(pair.original)
    yield _written(_address_pattern(shown), pair.original, capital=False)
    mine, theirs = _groups(shown), _groups(original)
    if [kind for kind, _, _ in mine] != [kind for kind, _, _ in theirs]:
        return
    for (kind, name, number), (_, text, other) in zip(mine, theirs, strict=True):
        words = _spaced(name)
        if kind == "postal":
            yield _written(rf"(?<!\w){words}(?!\w)", text, capital=False)
            continue
        if number and other:
            whole, end = f"{text} {other}", rf"{_NUMBERED}{number}(?!\w)"
            marked = f"{_marker(original, text)}{whole}"
            yield _written(rf"(?<!\w){words}{end}", whole, capital=False)
            pattern = rf"(?<!\w){words}{_ENGLISH_STREET}{end}"
            yield _written(pattern, marked, capital=False)
        pattern = rf"(?<!\w){_NEAR}(?P<it>{words})(?!\w)"
        yield _written(pattern, text, capital=False)
        if kind == "quarter" and " " in name:
            yield _phrase(name, text, capital=True)


def _address_pattern(parts: Sequence[Part]) -> str:
    """Return the pattern of an address, its marks written out or shortened."""
    found = []
    for part in parts:
        for word in re.findall(r"\w+", fold(part.text)):
            forms = next((marks for marks in _MARKERS if word in marks), (word,))
            found.append(f"(?:{'|'.join(map(re.escape, forms))})\\b")
    return rf"(?<!\w){_SIGNS.join(found)}(?!\w)"


def _marker(parts: Sequence[Part], name: str) -> str:
    """Return what stands before a name: "Av. "."""
    at = next(i for i, part in enumerate(parts) if part.text == name)
    before = "".join(part.text for part in parts[:at])
    return "".join(re.findall(r"\w+\W*\Z", before))


def _groups(parts: Sequence[Part]) -> list[tuple[str, str, str]]:
    """Return street, quarter and postal code: kind, name and the number behind it."""
    found: list[tuple[str, str, str]] = []
    for part in parts:
        if part.kind in ("street", "quarter", "postal"):
            found.append((part.kind, part.text, ""))
        elif part.kind == "number" and found and not found[-1][2]:
            kind, name, _ = found.pop()
            found.append((kind, name, part.text))
    return found
