"""Shift dates by one keyed number of days, in exactly the format they were written."""

from datetime import date, timedelta

from presidio_mx.replace.context import Context, tag_of
from presidio_mx.spanish.dates import Dates, Reading, parse_dates, possible_date

# A date without a year counts as of a common year, between two others, unless the
# note says more: so that no leap day comes between such dates.
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
    """
    middle = possible_date(year, 7, 1)
    return shift(middle, context).year if middle else year


def year_near(value: date, context: Context) -> int:
    """Return the year in which a day lies nearest to the note's days with a year.

    Dates with and without a year then move by the same days though one of the years
    has a leap day.

    :param value: A day whose year is not given.
    :param context: What the note says.
    """
    near = [
        (abs((here - day).days), here)
        for day in context.note.days
        for year in (day.year - 1, day.year, day.year + 1)
        if (here := possible_date(year, value.month, value.day))
    ]
    return min(near)[1].year if near else value.year


def surrogate_date(text: str, context: Context, counted: bool = False) -> str:
    """Return a date moved by the scope's number of days, in the same format.

    A date without a day moves as its 15th does; several dates in one text move
    together. What cannot be read becomes the tag: other digits would be a wrong date.

    :param text: The date as it stands in the document.
    :param context: Key, settings, and the year that the document is about.
    :param counted: A number at its beginning counts something: "x2, 12 y 26 de mayo".
    :return: The moved date, or ``{FECHA}``.
    """
    year = context.note.year or COMMON_YEAR
    known = None if counted else context.note.dates.get(text)
    dates = known or parse_dates(text, year, counted)
    if not dates.days:
        return tag_of("DATE_TIME")
    if not dates.has_year and context.note.days:
        year = year_near(dates.days[-1].value, context)
        dates = parse_dates(text, year, counted)
    new = [shift(day.value, context) for day in dates.days]
    written = dates.write(new)
    if written != text:
        return written
    only = dates.days[0].reading
    if len(dates.days) == 1 and only is not None:
        return dates.write([_farther(new[0], only, context)])
    return _moved_on(dates, new, context)


def _farther(moved: date, reading: Reading, context: Context) -> date:
    """Move on a month or year alone that the shift has left as it is."""
    next_month = reading.write(moved.replace(month=moved.month % 12 + 1, day=1))
    days = 31 if next_month != reading.write(moved) else 366
    return moved + timedelta(days=days if days_shifted(context) > 0 else -days)


def _moved_on(dates: Dates, new: list[date], context: Context) -> str:
    """Move on a series that the shift has left as it is; the tag if that fails."""
    sign = 1 if days_shifted(context) > 0 else -1
    for _ in range(_MOST_STEPS):
        try:
            new = [value + timedelta(days=sign * _STEP) for value in new]
        except OverflowError:
            break
        written = dates.write(new)
        if written != dates.text:
            return written
    return tag_of("DATE_TIME")
