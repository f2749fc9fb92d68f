"""Shift dates by one keyed number of days, in exactly the format they were written."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from presidio_mx.replace.surrogates.calendar import (
    LONGEST_DATE,
    Reading,
    possible_date,
    read_date,
)
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.date_parts import split_date, write_weekdays
from presidio_mx.replace.surrogates.date_series import (
    Piece,
    read_series,
    write_day,
)
from presidio_mx.replace.surrogates.unread import tag_of

# "G1 mayo 2020": the first pregnancy, not the first of May.
# "7 1 de mayo": the seventh visit. "2, 12 y 26 de mayo" begins with a count where a
# letter stands before it.
_COUNTED = re.compile(
    r"[A-Z]\d{1,2}\s+(?=[A-Za-z])|\d{1,2}\s+(?=\d{1,2}\s+(?:de\s+)?[^\W\d_]{3})"
)
_TIMES = re.compile(r"\d{1,2}\s*[,;]\s*(?=\d)")
# A date without a year counts as of a common year, between two others, unless the
# document says more: so that no leap day comes between such dates.
COMMON_YEAR = 2022
# What a series moves on by if the shift has left its text as it was.
_STEP = 28
_MOST_STEPS = 15


def days_shifted(context: Context) -> int:
    """Return by how many days the dates of a scope move.

    :param context: Key and settings (range, direction, whole weeks, season).
    :return: Days, never 0.
    """
    settings = context.settings
    choices = settings.shifts
    days = choices[context.draw.number(len(choices), "date shift")]
    if settings.direction == "past":
        return -days
    if settings.direction == "future":
        return days
    return days if context.draw.number(2, "date direction") else -days


def shift(value: date, context: Context) -> date:
    """Move a date by the scope's number of days.

    :param value: A date.
    :param context: Key and settings.
    :return: The moved date; at the ends of the calendar the other way round.
    """
    days = days_shifted(context)
    try:
        return value + timedelta(days=days)
    except OverflowError:
        return value - timedelta(days=days)


def shift_year(year: int, context: Context) -> int:
    """Move a year as its middle moves.

    :param year: 1 to 9999.
    :param context: Key and settings.
    :return: A year.
    """
    middle = possible_date(year, 7, 1)
    return shift(middle, context).year if middle else year


def surrogate_date(text: str, context: Context) -> str:
    """Return a date moved by the scope's number of days, in the same format.

    A date without a day moves as its 15th does; several dates in one text move
    together. What cannot be read becomes the tag: other digits would be a wrong date.

    :param text: The date as it stands in the document.
    :param context: Key, settings, and the year that the document is about.
    :return: The moved date, or ``{FECHA}``.
    """
    if len(text) > LONGEST_DATE:
        return tag_of("DATE_TIME")
    counted = _COUNTED.match(text)
    if counted is None and text in context.facts.counted:
        counted = _TIMES.match(text)
    if counted:
        rest = surrogate_date(text[counted.end() :], context)
        return rest if rest == tag_of("DATE_TIME") else counted[0] + rest
    year = context.facts.year or COMMON_YEAR
    weekday, core, time = split_date(text)
    start = len(core) - len(core.lstrip())
    end = start + len(core.strip())
    reading = read_date(core[start:end], year)
    if reading is None:
        pieces = read_series(weekday + core, year)
        if pieces and not any(p.reading and p.reading.has_year for p in pieces):
            pieces = read_series(weekday + core, _year_near(pieces[-1].value, context))
        moved = _shift_series(weekday + core, pieces, context) if pieces else ""
        return moved + time if moved else tag_of("DATE_TIME")
    if not reading.has_year:
        year = _year_near(reading.value, context)
        reading = read_date(core[start:end], year) or reading
    new = shift(reading.value, context)
    written = reading.write(new)
    if written == core[start:end]:
        written = reading.write(_farther(new, reading, context))
    return write_weekdays(weekday, new) + core[:start] + written + core[end:] + time


def _year_near(value: date, context: Context) -> int:
    """Return the year in which a day lies nearest to the note's days with a year.

    Dates with and without a year then move by the same days though one of the years
    has a leap day.
    """
    near = [
        (abs((here - day).days), here)
        for day in context.facts.days
        for year in (day.year - 1, day.year, day.year + 1)
        if (here := possible_date(year, value.month, value.day))
    ]
    return min(near)[1].year if near else value.year


def _farther(moved: date, reading: Reading, context: Context) -> date:
    """Move on a month or year alone that the shift has left as it is."""
    next_month = reading.write(moved.replace(month=moved.month % 12 + 1, day=1))
    days = 31 if next_month != reading.write(moved) else 366
    return moved + timedelta(days=days if days_shifted(context) > 0 else -days)


def _shift_series(text: str, pieces: Sequence[Piece], context: Context) -> str:
    """Move all dates of a text by the same number of days; empty if that fails."""
    sign = 1 if days_shifted(context) > 0 else -1
    new = [shift(piece.value, context) for piece in pieces]
    for _ in range(_MOST_STEPS):
        written = _write_series(text, pieces, new)
        if written != text:
            return written
        try:
            new = [value + timedelta(days=sign * _STEP) for value in new]
        except OverflowError:
            break
    return ""


def _write_series(text: str, pieces: Sequence[Piece], new: Sequence[date]) -> str:
    """Write a text with new dates in the places of the old ones."""
    parts = [write_weekdays(text[pieces[-1].end :], new[-1])]
    following, shown = new[-1], ""
    before = [0, *(piece.end for piece in pieces[:-1])]
    for piece, value, position in zip(
        reversed(pieces), reversed(new), reversed(before), strict=True
    ):
        old = text[piece.start : piece.end]
        if piece.reading is None:
            shown = write_day(value, following, shown, old)
        else:
            shown = piece.reading.write(value)
        gap = write_weekdays(text[position : piece.start], value)
        parts += [shown, gap]
        following = value
    return "".join(reversed(parts))
