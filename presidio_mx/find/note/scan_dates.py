"""Dates that a scanner misread: ``Z4-O9-2O22``, ``29 de septiernbre``, ``30 dc junio``.

A date is known by its shape: a day up to 31, a month up to 12 or its name, a year. A
note need not show other signs of a scanner where all of them fit.
"""

import re
from collections.abc import Iterator
from functools import cache

from rapidfuzz.distance import OSA

from presidio_mx.find.note.edit import Edit
from presidio_mx.spanish.words import listed
from presidio_mx.text.folding import fold

_D = r"[\dOoQlI|!iZzSsBGgJ]"
_AS_DIGIT = str.maketrans("OoQlI|!iJZzSsBGg", "0001111112255869")
_AS_ROMAN = str.maketrans("l|1", "III")
# Alone, or run into a label: "lngresoO3.O7.22".
_BEFORE = rf"(?:(?<![^\W_])(?<![./-])|(?<=[a-z]{{4}})(?=[O\dl]{_D}[./-]{_D}{{2}}[./-]))"
_BEHIND = r"(?![^\W_]|[/-]\w)"
# Between day and month; before a Roman month a blank, too: "3O Vl 22".
_SIGN = r"[ ]?[/._|-][ ]?|[ ](?=[XlI1]{0,2}V|X|lX)"
_NUMERIC = re.compile(
    rf"{_BEFORE}(?:(?P<day>{_D}{{1,2}})(?P<sign>{_SIGN})"
    rf"(?P<month>{_D}{{1,2}}|[IVXl|1]{{1,4}})(?P=sign)(?P<year>{_D}{{4}}|{_D}{{2}})"
    rf"|(?P<first>{_D}{{4}})(?P<dash>[/-])(?P<middle>{_D}{{2}})(?P=dash)(?P<last>{_D}{{2}}))"
    rf"{_BEHIND}"
)
_NAMED = re.compile(
    rf"{_BEFORE}(?:(?P<from>{_D}{{1,2}})[ ](?:y|al?|AL?|Y)[ ])?(?P<day>{_D}{{1,2}})"
    r"(?:[ ]{1,3}|[ ]?[-/.][ ]?)(?:(?P<of>[dD][ecEC])[ ]{1,2})?"
    r"(?P<month>[^\W_][\w|!]{2,11})"
    r"(?:(?:[.,]?[ ]{1,3}|\.?[ ]?[-/][ ]?)(?:(?P<then>[dD][ecEC][lI|1]?)[ ]{1,2})?"
    rf"(?P<year>{_D}{{4}}|{_D}{{2}}))?{_BEHIND}"
)
_BOXES = re.compile(
    rf"(?<![^\W_])(?P<day>{_D}{{1,2}})[ _|/.,]{{0,4}}(?i:d[iíl1]a)?[ _|/.,]{{0,4}}"
    rf"(?i:del )?(?i:mes)[ _|/.:,]{{0,4}}(?P<month>{_D}{{1,2}})[ _|/.:,]{{0,5}}"
    rf"(?i:del )?(?i:a[nñ]o[ _|/.:,]{{0,4}})?(?P<year>{_D}{{4}}|{_D}{{2}})(?![^\W_])"
)
# Vertebrae: "l1-l2-l3".
_VERTEBRAE = re.compile(r"(?:l\d[ ]?[/.-][ ]?){2}l\d")
# A day of letters alone: "lO de enero", but not "lo de enero".
_LETTERS_OF_DAY = re.compile("[lI|!][lIO|!]|O[lI|!]")
_LAST_DAY, _LAST_MONTH = 31, 12
_LEAST_DIGITS = 2
_SIGNS_OF_BOXES = ("_", "|")
_YEARS = range(1880, 2060)
# Letters that one scanner or another takes for each other, as one of them.
_ALIKE = str.maketrans("01l|!5826cv", "oiiiisbzoeu")
_SHORTEST_NAME = 5


def scan_dates(text: str) -> Iterator[Edit]:
    """Yield the digits and letters that a scanner misread in dates.

    :param text: The text.
    """
    last = 0
    found = [m for form in _FORMS for m in form.finditer(text)]
    for match in sorted(found, key=re.Match.start):
        if match.start() < last:
            continue
        edits = _FORMS[match.re](match)
        if edits:
            yield from edits
            last = match.end()


def _numeric(match: re.Match[str]) -> list[Edit]:
    """Return the edits of a date in numbers; none where it cannot be one."""
    names = ("day", "month", "year") if match["day"] else ("last", "middle", "first")
    day, month, year = (match[name] for name in names)
    if sum(map(str.isdigit, match[0])) < _LEAST_DIGITS:
        return []
    sign = match["sign"]
    if _VERTEBRAE.fullmatch(match[0]):
        return []
    # Figures stand between points and bars, too: there a day has two, a year four.
    rare = sign and "/" not in sign and "-" not in sign
    if rare and (len(day) < 2 or (len(year) < 4 and (day + month + year).isdecimal())):
        return []
    roman = month.translate(_AS_ROMAN)
    named = len(month) > 2 or not _up_to(month, _LAST_MONTH)
    if named and roman.lower() not in listed("month_roman"):
        return []
    if not (_is_day(day, alone=False) and _is_year(year)):
        return []
    edits: list[Edit] = []
    for name in sorted(names, key=match.start):
        letters = named and name == names[1]
        edits += _read(match, name, _AS_ROMAN if letters else _AS_DIGIT)
    if sign and (sign in _SIGNS_OF_BOXES or sign == ". "):
        ends = (match.end("day"), match.end("month"))
        edits += [Edit(end, end + len(sign), "/") for end in ends]
    return sorted(edits)


def _named(match: re.Match[str]) -> list[Edit]:
    """Return the edits of a date with the name of its month; none where it has none."""
    day, year = match["day"], match["year"]
    if not _is_day(day, alone=year is None):
        return []
    dated = bool(year and _is_year(year))
    month = _month(match["month"], bool(match["of"]), dated)
    if not month:
        return []
    edits: list[Edit] = []
    if match["from"] and _is_day(match["from"], alone=True):
        edits += _read(match, "from")
    edits += _read(match, "day")
    if match["of"]:
        edits += _link(match, "of")
    edits += _named_anew(match, month)
    if dated and any(map(str.isdigit, year)):
        if match["then"]:
            edits += _link(match, "then")
        edits += _read(match, "year")
    return edits


def _is_day(written: str, alone: bool) -> bool:
    """Tell whether a number may be the day of a month.

    :param written: The number as it stands.
    :param alone: Whether no year stands behind the month.
    """
    if not any(map(str.isdigit, written)):
        if len(written) == 1 and (alone or written not in "lI|"):
            return False
        if len(written) > 1 and not _LETTERS_OF_DAY.fullmatch(written):
            return False
    return _up_to(written, _LAST_DAY)


def _up_to(written: str, most: int) -> bool:
    digits = written.translate(_AS_DIGIT)
    return digits.isdecimal() and 1 <= int(digits) <= most


def _is_year(written: str) -> bool:
    digits = written.translate(_AS_DIGIT)
    return digits.isdecimal() and (len(written) == 2 or int(digits) in _YEARS)


def _read(
    match: re.Match[str], name: str, meant: dict[int, int] = _AS_DIGIT
) -> list[Edit]:
    start = match.start(name)
    return [
        Edit(start + place, start + place + 1, sign)
        for place, sign in enumerate(match[name].translate(meant))
        if sign != match[name][place]
    ]


def _link(match: re.Match[str], name: str) -> list[Edit]:
    """Return the edits of "dc" and "de|"."""
    start = match.start(name)
    meant = "de" + "l" * (len(match[name]) - 2)
    if fold(match[name]) == meant:
        return []
    return [Edit(start + i, start + i + 1, sign) for i, sign in enumerate(meant)]


def _named_anew(match: re.Match[str], month: str) -> list[Edit]:
    """Return the edits that write a month as it is called."""
    start, end = match.span("month")
    if fold(match["month"]) == month:
        return []
    # Spans end with the last letter, wherever the name is shorter than what is read.
    month = month if len(month) <= end - start else month[:3]
    kept = start + len(month) - 1
    edits = [Edit(start, kept, month[:-1]), Edit(end - 1, end, month[-1])]
    return sorted([*edits, Edit(kept, end - 1)] if kept < end - 1 else edits)


@cache
def _months() -> dict[str, str]:
    """Return the names of months and their short forms, by what they look like."""
    names = (*listed("month"), *listed("month_short"))
    return {_look(name): name for name in names}


def _month(written: str, linked: bool, dated: bool) -> str:
    """Return the month that a word was before it was scanned; nothing if it was none.

    :param written: The word as it stands. One of letters alone is no short month
        without a link or a year ("2 SCT"), and no month with another letter without
        both ("2 mareos").
    :param linked: Whether "de" stands before it.
    :param dated: Whether a year stands behind it.
    """
    look = _look(fold(written))
    found = _months().get(look, "")
    plain = written.isalpha() and found != fold(written)
    if found:
        doubtful = plain and len(found) < _SHORTEST_NAME and not (linked or dated)
        return "" if doubtful else found
    if len(look) < _SHORTEST_NAME or (plain and not (linked and dated)):
        return ""
    near = (
        name
        for known, name in _months().items()
        if len(known) >= _SHORTEST_NAME and OSA.distance(look, known) <= 1
    )
    return next(near, "")


def _look(word: str) -> str:
    return word.replace("rn", "m").translate(_ALIKE)


def _boxes(match: re.Match[str]) -> list[Edit]:
    """Return the edits of the boxes of a form: "3O DlA lO MES 2OO6"."""
    day, month, year = match["day"], match["month"], match["year"]
    if not (_up_to(day, _LAST_DAY) and _up_to(month, _LAST_MONTH) and _is_year(year)):
        return []
    return [edit for name in ("day", "month", "year") for edit in _read(match, name)]


_FORMS = {_NUMERIC: _numeric, _NAMED: _named, _BOXES: _boxes}
