"""Say less: dates to months and years, places to states, ages to bands."""

from presidio_mx.replace.ages import band, cap
from presidio_mx.replace.places import general_place
from presidio_mx.spanish.dates import MONTHS, parse_dates

LEVELS = ("month", "year", "state", "country", "band", "cap")


def generalize(text: str, level: str, lowest_age: int | None = None) -> str | None:
    """Return a value of less detail.

    :param text: A date, place or age.
    :param level: One of :data:`LEVELS`.
    :param lowest_age: Lowest age in years of the patient over all visits.
    :return: The general value; None if the text cannot be read.
    """
    if level in ("month", "year"):
        return _general_date(text, level)
    if level in ("state", "country"):
        return general_place(text, level)
    return band(text, lowest_age) if level == "band" else cap(text)


def _general_date(text: str, level: str) -> str | None:
    days = parse_dates(text, 2000).days
    reading = days[-1].reading if days else None
    if reading is None:
        return None
    if level == "year":
        return f"{reading.value.year:04d}" if reading.has_year else None
    month = MONTHS[reading.value.month - 1]
    return f"{month} de {reading.value.year:04d}" if reading.has_year else month
