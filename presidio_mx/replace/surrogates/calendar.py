"""Read dates as Mexicans write them, and write another date in the same format."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from rapidfuzz.distance import OSA

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.date_patterns import (
    COMPACT,
    COMPACT_ISO,
    FULL,
    PARTIAL,
)
from presidio_mx.replace.surrogates.numerals import read_number, write_number
from presidio_mx.spanish.words import groups, listed
from presidio_mx.text.folding import fold

MONTHS = listed("month_name")
_SHORT = listed("month_abbreviation")
_ENGLISH = listed("month_english")
_OTHER_SHORT = {name: int(number) for name, number in groups("month_other_short")}
_ROMAN = listed("month_roman")

MIDDLE_DAY = 15
_MONTHS_OF_YEAR = 12
# A longer text is no date; the patterns need not look at it.
LONGEST_DATE = 120
# A year in two digits: 00 to 40 are of this century, as birth years of old patients
# are far more frequent in notes than dates after 2040.
_PIVOT = 40
# Four digits alone are a year only between these.
_FIRST, _LAST = 1850, 2100


@dataclass(frozen=True)
class Reading:
    """A date that was read.

    :param value: The date; the 15th if no day is given.
    :param has_day: The day is given.
    :param has_year: The year is given.
    :param write: Writes another date in the same format.
    """

    value: date
    has_day: bool
    has_year: bool
    write: Callable[[date], str]


def read_month(word: str) -> int | None:
    """Return the number of a month.

    :param word: Name, abbreviation or name with a slip of the pen.
    :return: 1 to 12; None if it is no month.
    """
    key = fold(word).rstrip(".")
    for names in (MONTHS, _SHORT, _ENGLISH):
        if key in names:
            return names.index(key) + 1
    if key in _OTHER_SHORT:
        return _OTHER_SHORT[key]
    if len(key) >= 4:
        for number, name in enumerate(MONTHS, start=1):
            if name.startswith(key) or OSA.distance(key, name, score_cutoff=1) <= 1:
                return number
    return None


def _month_like(original: str, month: int) -> str:
    key, point = fold(original).rstrip("."), "." if original.endswith(".") else ""
    if key in _SHORT or key in _OTHER_SHORT:
        name = _SHORT[month - 1]
    elif key in _ENGLISH:
        name = _ENGLISH[month - 1]
    elif any(m.startswith(key) and len(key) < len(m) for m in MONTHS):
        name = MONTHS[month - 1][: max(3, len(key))]
    else:
        name = MONTHS[month - 1]
    return match_case(original, name) + point


def full_year(year: int, digits: int) -> int:
    """Return the year with its century.

    :param year: As read.
    :param digits: How many digits it was written with.
    :return: A year of four digits.
    """
    if digits > 2:
        return year
    return year + (2000 if year <= _PIVOT else 1900)


def possible_date(year: int, month: int, day: int) -> date | None:
    """Return a date; days beyond the month's end count on into the next month.

    :param year: 1 to 9999.
    :param month: 1 to 12.
    :param day: 1 to 31.
    :return: The date; None if there is none, whatever is meant.
    """
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    last = monthrange(year, month)[1]
    first = date(year, month, min(day, last))
    return first + timedelta(days=max(0, day - last))


def _read_day(word: str) -> int | None:
    if word[:1].isdecimal():
        return int("".join(c for c in word if c.isdecimal()))
    return 1 if fold(word) in ("primero", "primer") else read_number(word)


def _read_year(written: str) -> int | None:
    year = int(written) if written.isdecimal() else read_number(written)
    if year is None:
        return None
    spoken = 2 if year < 100 else 4  # "del dieciocho"
    return full_year(year, len(written) if written.isdecimal() else spoken)


def _match_groups(
    text: str, match: re.Match[str], reference_year: int
) -> Reading | None:
    """Turn the groups of a pattern into a date and the way to write it."""
    groups = {k: v for k, v in match.groupdict().items() if v is not None}
    spans = {
        name: (match.start(name), match.end(name)) for name in groups if name in "dnmry"
    }

    def piece(name: str) -> str:
        return text[slice(*spans[name])]

    def read(name: str) -> str:
        return groups[name]

    day = _read_day(read("d")) if "d" in spans else MIDDLE_DAY
    year = _read_year(read("y")) if "y" in spans else reference_year
    month = _read_month_group(spans, read)
    american = False
    if "n" in spans and "d" in spans and month and day and month > 12 >= day:
        day, month, american = month, day, True
    if day is None or month is None or year is None:
        return None
    value = possible_date(year, month, day)
    if value is None:
        return None
    zeros = any(
        piece(n).startswith("0") for n in spans if n in "dn" and piece(n).isdigit()
    )
    narrow = any(len(piece(n)) == 1 for n in spans if n in "dn")

    def write(new: date) -> str:
        parts: dict[str, str] = {}
        for name in spans:
            old = piece(name)
            number = {"d": new.day, "n": new.month}.get(name, 0)
            if american and name in "dn":
                number = {"d": new.month, "n": new.day}[name]
            if name == "m":
                parts[name] = _month_like(old, new.month)
            elif name == "r":
                parts[name] = match_case(old, _ROMAN[new.month - 1].upper())
                if old.islower():
                    parts[name] = parts[name].lower()
            elif name == "y":
                parts[name] = _year_like(old, new.year)
            elif not old[:1].isdecimal():
                parts[name] = _word_day(old, new.day)
            else:
                padded = zeros or ("n" in spans and not narrow)
                parts[name] = f"{number:02d}" if padded else str(number)
        return _rebuild(text, spans, parts)

    return Reading(value, "d" in spans, "y" in spans, write)


def _month_of_year(text: str, match: re.Match[str]) -> Reading | None:
    """Read two numbers of which the second is no month: "12/20" is December 2020."""
    groups = match.groupdict()
    if not {"d", "n"} <= groups.keys() or "y" in groups or not groups["d"].isdecimal():
        return None
    first, second = match["d"], match["n"]
    if not (int(first) <= _MONTHS_OF_YEAR < int(second)):
        return None
    value = possible_date(full_year(int(second), 2), int(first), MIDDLE_DAY)
    if value is None:
        return None
    spans = {"d": match.span("d"), "n": match.span("n")}

    def write(new: date) -> str:
        month = str(new.month) if len(first) == 1 else f"{new.month:02d}"
        return _rebuild(text, spans, {"d": month, "n": f"{new.year % 100:02d}"})

    return Reading(value, False, True, write)


def _read_month_group(
    spans: dict[str, tuple[int, int]], piece: Callable[[str], str]
) -> int | None:
    if "n" in spans:
        return int(piece("n"))
    if "r" in spans:
        roman = fold(piece("r"))
        return _ROMAN.index(roman) + 1 if roman in _ROMAN else None
    return read_month(piece("m")) if "m" in spans else 7


def _word_day(old: str, day: int) -> str:
    if day == 1 and fold(old) != "uno":
        return match_case(old, "primero")
    return match_case(old, write_number(day))


def _year_like(old: str, year: int) -> str:
    if not old.isdecimal():
        short = (read_number(old) or year) < 100
        return match_case(old, write_number(year % 100 if short else year))
    return f"{year % 100:02d}" if len(old) == 2 else f"{year:04d}"


def _rebuild(
    text: str, spans: dict[str, tuple[int, int]], parts: dict[str, str]
) -> str:
    out, position = [], 0
    for name, (start, end) in sorted(spans.items(), key=lambda item: item[1]):
        out += [text[position:start], parts[name]]
        position = end
    return "".join([*out, text[position:]])


def _read_compact(text: str) -> Reading | None:
    match = COMPACT_ISO.fullmatch(text)
    if match:
        value = possible_date(int(match["y"]), int(match["n"]), int(match["d"]))
        if value:
            return Reading(value, True, True, lambda d: d.strftime("%Y%m%d"))
    match = COMPACT.fullmatch(text)
    if not match:
        return None
    a, b, c = int(match["a"]), int(match["b"]), int(match["c"])
    digits = len(match["c"])
    orders = [((full_year(c, digits), b, a), "dmy")]
    if digits == 2:
        # Both orders are in use; the one that gives a likely year of a note wins.
        orders.append(((full_year(a, 2), b, c), "ymd"))
        orders.sort(key=lambda order: not 2000 <= order[0][0] <= 2035)
    for (year, month, day), order in orders:
        value = possible_date(year, month, day)
        if value and 1 <= day <= monthrange(year, month)[1]:
            return Reading(value, True, True, _compact_writer(order, digits))
    return None


def _compact_writer(order: str, digits: int) -> Callable[[date], str]:
    def write(value: date) -> str:
        year = f"{value.year % 100:02d}" if digits == 2 else f"{value.year:04d}"
        parts = {"d": f"{value.day:02d}", "m": f"{value.month:02d}", "y": year}
        return "".join(parts[letter] for letter in order)

    return write


def read_date(text: str, reference_year: int) -> Reading | None:
    """Read one date.

    :param text: The date as it stands in the document, without weekday and time.
    :param reference_year: Year of a date that gives none.
    :return: The date and how to write another one; None if it cannot be read.
    """
    folded = fold(text)
    for pattern in FULL:
        match = pattern.fullmatch(folded)
        if match and (reading := _match_groups(text, match, reference_year)):
            return reading
    if reading := _read_compact(text):
        return reading
    for pattern in PARTIAL:
        match = pattern.fullmatch(folded)
        if match and folded.isdecimal() and not _FIRST <= int(folded) <= _LAST:
            return None
        if match and (reading := _month_of_year(text, match)):
            return reading
        if match and (reading := _match_groups(text, match, reference_year)):
            return reading
    return None
