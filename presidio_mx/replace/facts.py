"""What a note says of its time and places, for surrogates that must agree."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from presidio_mx.entities import kind_of
from presidio_mx.replace.codes import RFC_SUFFIX, sex_of_nss
from presidio_mx.replace.context import Note
from presidio_mx.replace.places import place_state
from presidio_mx.replace.spoken import is_spoken
from presidio_mx.spanish.codes import birth_in, dated
from presidio_mx.spanish.dates import Dates, parse_dates
from presidio_mx.spanish.institutions import parse_institution
from presidio_mx.spanish.numbers import read_spoken
from presidio_mx.spanish.places import Place, atlas, names_abroad, parse_place
from presidio_mx.spanish.writing import alphanumeric, place_key
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

_BIRTH = re.compile(
    r"\bnac(?:\b|id[oa]|io|imiento)|\bf(?:ec(?:ha)?)?\.?\s*(?:de\s+)?n(?:ac)?\b|\bfdn\b"
    r"|\bbirth\s?date\b|\bdob\b"
)
_LOOK_BACK = 30
_QUOTES = re.compile(r'[()"“”]')
_JOINED = re.compile(r"^\s*y\s+")
_DIGITS = re.compile(r"\d")
_NEXT_WORD = 3
_RECENT = 400  # days
_CODES = ("MX_CURP", "MX_RFC", "MX_INE")

Found = tuple[str, int]


def is_birth(text: str, start: int) -> bool:
    """Tell whether what stands before a date says that somebody was born then.

    :param text: The document.
    :param start: Where the date begins.
    :return: True for "F. nac: 12/03/1960".
    """
    before = fold(text[max(0, start - _LOOK_BACK) : start])
    # A date or age between them is what was born: "nac. 3/5/60, ingresa el 4/2/24".
    return _BIRTH.search(_DIGITS.split(before)[-1]) is not None


def note_facts(text: str, spans: Sequence[Span]) -> Note:
    """Return what the entities of a note say of its time and places.

    :param text: The note.
    :param spans: Its entities in reading order.
    """
    of_kind: dict[str, list[Found]] = {}
    for span in spans:
        held = of_kind.setdefault(kind_of(span.entity_type), [])
        held.append((text[span.start : span.end], span.start))
    note = Note(institutions=_long_names(of_kind.get("ORGANIZATION", ())))
    note = _when(note, text, of_kind)
    return _where(note, of_kind)


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes of a note that say something of people.

    :param curps: CURPs and RFCs, in capitals; those of ISSSTE's numbers, too.
    :param births: Birth dates in them.
    :param sex: Sex that the social security numbers say, where they agree.
    """

    curps: tuple[str, ...] = ()
    births: tuple[date, ...] = ()
    sex: str = ""


def codes_of(text: str, spans: Sequence[Span]) -> Codes:
    """Return the codes of a note that say something of people.

    :param text: The note.
    :param spans: Its entities.
    """
    curps: list[str] = []
    sexes: set[str] = set()
    births: list[date] = []
    for span in spans:
        kind, value = kind_of(span.entity_type), text[span.start : span.end]
        if kind == "MX_NSS":
            sexes.add(sex_of_nss(value))
        if kind in ("MX_NSS", "MEDICAL_RECORD"):
            if not RFC_SUFFIX.fullmatch(value):
                continue
        elif kind not in _CODES:
            continue
        if is_spoken(value):
            value = "".join(spoken.signs for spoken in read_spoken(value))
        if kind != "MX_INE":
            curps.append(dated(alphanumeric(value)))
        born = birth_in(value)
        births += [born] if born else []
    sexes.discard("")
    sex = sexes.pop() if len(sexes) == 1 else ""
    return Codes(tuple(curps), tuple(births), sex)


def _long_names(found: Sequence[Found]) -> tuple[str, ...]:
    """Return the institutions of several words, which may have an acronym."""
    pieces = (piece for name, _ in found for piece in _QUOTES.split(name))
    names = (_JOINED.sub("", piece).strip() for piece in pieces)
    return tuple(name for name in names if " " in name)


def _when(note: Note, text: str, of_kind: Mapping[str, Sequence[Found]]) -> Note:
    """Add the year of a date without one, the births, and the days of the note.

    Those are the days with a year of the note's last months: what is older is history,
    and a date without a year is rarely of it.
    """
    days: set[date] = set()
    born: list[date] = []
    years: list[int] = []
    dates: dict[str, Dates] = {}
    for value, start in of_kind.get("DATE_TIME", ()):
        read = parse_dates(value, 2000)
        if not read.has_year:
            continue
        dates[value] = read
        years += [day.value.year for day in read.days]
        whole = [d.value for d in read.days if d.reading is None or d.reading.has_day]
        if is_birth(text, start):
            born += whole
        else:
            days.update(whole)
    last = max(days, default=None)
    recent = sorted(day for day in days if last and (last - day).days <= _RECENT)
    return replace(
        note,
        year=max(years, default=None),
        births=tuple(born),
        days=tuple(recent),
        dates=dates,
    )


def _where(note: Note, of_kind: Mapping[str, Sequence[Found]]) -> Note:
    places = of_kind.get("LOCATION", ())
    cities = _cities(places)
    state, city = main_place([value for value, _ in places], cities)
    return replace(
        note,
        state=state,
        city=city,
        cities=cities,
        towns=_towns(of_kind, state),
        lands={
            place_key(name): land
            for (name, start), (land, position) in pairwise(places)
            if 0 <= position - start - len(name) <= _NEXT_WORD and names_abroad(land)
        },
    )


def _cities(places: Sequence[Found]) -> frozenset[str]:
    """Return names of states that are cities here: "Colima" in "Colima, Col."."""
    states = atlas().state_forms
    found = set()
    for (name, start), (other, position) in pairwise(places):
        key, behind = place_key(name), place_key(other)
        near = position - start - len(name) <= _NEXT_WORD
        if (
            key in states
            and key != behind
            and near
            and states[key] == states.get(behind)
        ):
            found.add(key)
        if key == "mexico" and near and states.get(behind) == "DF":
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
    said: Counter[str] = Counter()
    readings = [place_state(place, cities=cities) for place in places]
    for city, state in readings:
        if state:
            said[state] += 3 if not city else 1
    for (city, _), (other, state) in pairwise(readings):
        if city and not other and state:
            said[state] += 2
    if not said:
        return "", ""
    best = said.most_common(1)[0][0]
    again = [place_state(place, best, cities) for place in places]
    here = [city for city, state in again if city and state == best]
    return best, here[0] if here else ""


def _towns(of_kind: Mapping[str, Sequence[Found]], state: str) -> dict[str, Place]:
    """Return towns that the note tells from others of their name.

    "Benito Juárez" is the one of Quintana Roo where the note says so once, and
    "Ixtlahuacán" the "Ixtlahuacán de los Membrillos" of the same note.
    """
    world = atlas()
    found = _towns_with_state(of_kind.get("LOCATION", ()))
    keys: dict[str, None] = {}
    for value, _ in of_kind.get("LOCATION", ()):
        keys |= {
            p.key: None for p in parse_place(value) if p.kind in ("town", "unknown")
        }
    longer = [key for key in keys if " " in key and world.has_town(key)]
    if not longer:
        return found
    for value, _ in of_kind.get("ORGANIZATION", ()):
        parts = parse_institution(value).parts
        keys |= {place_key(p.text): None for p in parts if p.kind in ("place", "own")}
    for key in keys:
        for other in longer:
            place = found.get(other) or world.town(other, state)
            short = other.startswith(f"{key} ") or other.endswith(f" {key}")
            if place and key and short and key not in _ARTICLES:
                found[key] = place
                break
    return found


def _towns_with_state(places: Sequence[Found]) -> dict[str, Place]:
    """Return the towns before their state, be they one finding or two."""
    world = atlas()
    parts = [
        (part, start, start + len(name))
        for name, start in places
        for part in parse_place(name)
        if part.kind
    ]
    found: dict[str, Place] = {}
    for (town, start, end), (area, position, _) in pairwise(parts):
        near = position == start or 0 <= position - end <= _NEXT_WORD
        if not near or town.kind != "town" or area.kind != "state":
            continue
        state = world.state_forms.get(area.key, "")
        place = world.town(town.key, state)
        if place is not None and place.state == state:
            found.setdefault(town.key, place)
    return found


_ARTICLES = frozenset(
    ("san", "santa", "santo", "villa", "ciudad", "puerto", "el", "la")
)
