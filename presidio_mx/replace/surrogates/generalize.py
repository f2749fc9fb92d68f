"""Say less: dates to months and years, places to states, ages to bands."""

from presidio_mx.replace.surrogates.ages import band, cap
from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.calendar import (
    LONGEST_DATE,
    MONTHS,
    read_date,
)
from presidio_mx.replace.surrogates.date_parts import split_date
from presidio_mx.replace.surrogates.date_series import read_series
from presidio_mx.replace.surrogates.places import place_state

LEVELS = ("month", "year", "state", "country", "band", "cap")


def _general_date(text: str, level: str) -> str | None:
    if len(text) > LONGEST_DATE:
        return None
    weekday, core, _ = split_date(text)
    reading = read_date(core.strip(), 2000)
    if reading is None:
        pieces = read_series(weekday + core, 2000)
        reading = pieces[-1].reading if pieces else None
    if reading is None:
        return None
    if level == "year":
        return f"{reading.value.year:04d}" if reading.has_year else None
    month = MONTHS[reading.value.month - 1]
    return f"{month} de {reading.value.year:04d}" if reading.has_year else month


def _general_place(text: str, level: str) -> str | None:
    world = atlas()
    parts = [part.strip(" ()") for part in text.split(",")]
    for part in reversed(parts):
        _, state = place_state(part)
        if state in world.state_names:
            return "México" if level == "country" else world.state_names[state][0]
        kind, country = world.foreign.get(place_key(part), ("", ""))
        if kind == "country":
            return part
        if country and level == "country":
            return country
    return None


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
        return _general_place(text, level)
    return band(text, lowest_age) if level == "band" else cap(text)
