"""What a document says about itself, for surrogates that must agree."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from presidio_mx.entities import kind_of
from presidio_mx.replace.named import name_facts
from presidio_mx.replace.people import Person
from presidio_mx.replace.surrogates.abroad import names_abroad
from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.calendar import (
    LONGEST_DATE,
    Reading,
    read_date,
)
from presidio_mx.replace.surrogates.codes import birth_in
from presidio_mx.replace.surrogates.context import Context, Facts
from presidio_mx.replace.surrogates.date_parts import split_date
from presidio_mx.replace.surrogates.places import place_state
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

_BIRTH = re.compile(
    r"\bnac(?:\b|id[oa]|io|imiento)|\bf(?:ec(?:ha)?)?\.?\s*(?:de\s+)?n(?:ac)?\b|\bfdn\b"
)
_LOOK_BACK = 30
_QUOTES = re.compile(r'[()"“”]')
_JOINED = re.compile(r"^\s*y\s+")
_DIGITS = re.compile(r"\d")
_NEXT_WORD = 3
_RECENT = 400  # days


def find_facts(
    text: str,
    spans: Sequence["Span"],
    people: Sequence[Person],
    bearers: Sequence[Bearer],
    context: Context,
) -> Facts:
    """Return what the entities of a document say.

    :param text: The document.
    :param spans: Its entities in reading order.
    :param people: Its people.
    :param bearers: What it says of each of them.
    :param context: Key and settings.
    :return: The facts.
    """
    of_kind: dict[str, list[tuple[str, int]]] = {}
    for span in spans:
        held = of_kind.setdefault(kind_of(span.entity_type), [])
        held.append((text[span.start : span.end], span.start))
    cities = _cities(of_kind.get("LOCATION", []))
    state, city = main_place(
        [value for value, _ in of_kind.get("LOCATION", [])], cities
    )
    dates = of_kind.get("DATE_TIME", [])
    year, birth, days = _when(text, dates)
    return replace(
        name_facts(text, spans, people, bearers, context),
        year=year,
        days=days,
        counted=frozenset(v for v, at in dates if at and text[at - 1] in "xX"),
        birth=birth,
        births=tuple(
            born
            for kind in ("MX_CURP", "MX_RFC", "MX_INE")
            for value, _ in of_kind.get(kind, [])
            if (born := birth_in(value)) is not None
        ),
        institutions=_long_names(of_kind.get("ORGANIZATION", [])),
        state=state,
        city=city,
        cities=cities,
        abroad=_abroad(of_kind.get("LOCATION", [])),
    )


def _long_names(found: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """Return the institutions of several words, which may have an acronym."""
    pieces = (piece for name, _ in found for piece in _QUOTES.split(name))
    names = (_JOINED.sub("", piece).strip() for piece in pieces)
    return tuple(name for name in names if " " in name)


def _abroad(places: Sequence[tuple[str, int]]) -> dict[str, str]:
    """Return places with the country behind them: "Orange Walk", "Belice"."""
    return {
        place_key(name): land
        for (name, start), (land, position) in pairwise(places)
        if 0 <= position - start - len(name) <= _NEXT_WORD and names_abroad(land)
    }


def _cities(places: Sequence[tuple[str, int]]) -> frozenset[str]:
    """Return names of states that are cities here: "Colima" in "Colima, Col."."""
    states = atlas().state_forms
    found = set()
    for (name, start), (other, position) in pairwise(places):
        key = place_key(name)
        if (
            key in states
            and place_key(other)
            != key  # "Puebla, Puebla": the state's names do for both
            and states[key] == states.get(place_key(other))
            and position - start - len(name) <= _NEXT_WORD
        ):
            found.add(key)
    return frozenset(found)


def main_place(
    places: Sequence[str], cities: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """Return the state and municipality that some places speak of most.

    :param places: Places in reading order, as they stand in the document.
    :param cities: Folded names that are cities here, though states are called so too.
    :return: CURP code and folded municipality, each empty if it is not known.
    """
    named: Counter[str] = Counter()
    readings = [place_state(place, cities=cities) for place in places]
    for city, state in readings:
        if state:
            named[state] += 3 if not city else 1
    for (city, _), (other, state) in pairwise(readings):
        if city and not other and state:
            named[state] += 2
    if not named:
        return "", ""
    best = named.most_common(1)[0][0]
    again = [place_state(place, best, cities) for place in places]
    here = [city for city, state in again if city and state == best]
    return best, here[0] if here else ""


def is_birth(text: str, start: int) -> bool:
    """Tell whether what stands before a date says that somebody was born then.

    :param text: The document.
    :param start: Where the date begins.
    :return: True for "F. nac: 12/03/1960".
    """
    before = fold(text[max(0, start - _LOOK_BACK) : start])
    # A date or age between them is what was born: "nac. 3/5/60, ingresa el 4/2/24".
    return _BIRTH.search(_DIGITS.split(before)[-1]) is not None


def _when(
    text: str, dates: Sequence[tuple[str, int]]
) -> tuple[int | None, date | None, tuple[date, ...]]:
    """Return the year of a date without one, the birth date, and the days of the note.

    Those are the days with a year of the note's last months: what is older is history,
    and a date without a year is rarely of it.
    """
    readings: list[tuple[Reading, int]] = []
    for value, start in dates:
        if len(value) > LONGEST_DATE:
            continue
        reading = read_date(split_date(value)[1].strip(), 2000)
        if reading and reading.has_year:
            readings.append((reading, start))
    if not readings:
        return None, None, ()
    born = [r.value for r, start in readings if r.has_day and is_birth(text, start)]
    days = sorted({r.value for r, _ in readings if r.has_day} - set(born))
    recent = tuple(day for day in days if (days[-1] - day).days <= _RECENT)
    year = max(reading.value.year for reading, _ in readings)
    return year, next(iter(born), None), recent
