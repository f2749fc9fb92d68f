"""Shift dates by one keyed number of days, in exactly the format they were written."""

import re
from datetime import date, timedelta

from presidio_mx.anonymizer.surrogates.calendar import (
    LONGEST_DATE,
    MONTHS,
    Reading,
    find_date,
    possible_date,
    read_date,
    split_date,
    split_list,
    write_weekday,
)
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.shape import permute_code

# A date without a year counts as of a common year unless the document says more.
COMMON_YEAR = 2023
_DIGITS = re.compile(r"[0-9]+")
_NUMERIC = re.compile(r"\d{1,2}(?P<s>[/\-. ])\d{1,2}(?P<t>[/\-. ])(?P<y>\d{4}|\d{2})")


def days_shifted(context: Context) -> int:
    """Return by how many days the dates of a scope move.

    :param context: Key and settings (range, direction, whole weeks).
    :return: Days, never 0.
    """
    settings = context.settings
    step = 7 if settings.keep_weekday else 1
    first = -(-settings.days_min // step)
    choices = settings.days_max // step - first + 1
    days = (first + context.draw.number(choices, "date shift")) * step
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

    A date without a day moves as its 15th does. What cannot be read keeps its shape
    and gets other digits.

    :param text: The date as it stands in the document.
    :param context: Key, settings, and the year that the document is about.
    :return: The moved date.
    """
    if len(text) > LONGEST_DATE:
        return _unreadable(text, context)
    year = context.facts.year or COMMON_YEAR
    weekday, core, time = split_date(text)
    parts = split_list(core)
    if parts:
        first, joined, last = parts
        moved = _shift_list(first, joined, last, year, context)
        if moved:
            return weekday + moved + time
    start = len(core) - len(core.lstrip())
    end = start + len(core.strip())
    reading = read_date(core[start:end], year)
    if reading is None:
        found = find_date(core, year)
        if found is None:
            return weekday + _unreadable(core, context) + time
        start, end, reading = found
    moved_date = shift(reading.value, context)
    written = reading.write(moved_date)
    if written == core[start:end]:
        written = reading.write(_farther(moved_date, reading, context))
    before, after = (
        _other_digits(part, context) for part in (core[:start], core[end:])
    )
    return write_weekday(weekday, moved_date) + before + written + after + time


def _farther(moved: date, reading: Reading, context: Context) -> date:
    """Move on a month or year alone that the shift has left as it is."""
    next_month = reading.write(moved.replace(month=moved.month % 12 + 1, day=1))
    days = 31 if next_month != reading.write(moved) else 366
    return moved + timedelta(days=days if days_shifted(context) > 0 else -days)


def _other_digits(text: str, context: Context) -> str:
    return _DIGITS.sub(lambda m: permute_code(m.group(), "date", context), text)


def _unreadable(text: str, context: Context) -> str:
    """Replace what is no date: an impossible one by a possible one of its shape."""
    match = _NUMERIC.fullmatch(text.strip())
    if match:
        day = 1 + context.draw.number(28, "day", text)
        month = 1 + context.draw.number(12, "month", text)
        year = int(match["y"]) + (1 if days_shifted(context) > 0 else -1)
        width = len(match["y"])
        return (
            f"{day:02d}{match['s']}{month:02d}{match['t']}{year % 10**width:0{width}d}"
        )
    return _other_digits(text, context) if _DIGITS.search(text) else "{FECHA}"


def _shift_list(
    first: str, joined: str, last: str, year: int, context: Context
) -> str | None:
    """Shift "3 al 5 de marzo": the last date is whole, the first borrows from it."""
    reading = read_date(last, year)
    if reading is None:
        return None
    try:
        begin = reading.value.replace(day=int(first))
    except ValueError:
        return None
    new_begin, new_end = shift(begin, context), shift(reading.value, context)
    written = reading.write(new_end)
    if (new_begin.year, new_begin.month) == (new_end.year, new_end.month):
        day = f"{new_begin.day:0{len(first)}d}" if first[0] == "0" else new_begin.day
        return f"{day}{joined}{written}"
    month = MONTHS[new_begin.month - 1]
    spaced = joined if joined[0].isspace() else f" {joined.strip()} "
    return f"{new_begin.day} de {month}{spaced}{written}"
