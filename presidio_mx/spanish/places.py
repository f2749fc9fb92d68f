"""The places that lists know, and the parts of a place as it is written.

The parts of ``parse_place(text)``, put together, are the text. Kinds of parts:
``state``, ``town`` (of Mexico), ``country``, ``abroad`` (a state, province or town of
another country), ``demonym``, ``home`` (the country itself), ``code`` (letters of a
country), ``head`` ("municipio de"), ``unknown``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.parts import Part, Parts
from presidio_mx.spanish.words import either, words
from presidio_mx.spanish.writing import first_word, place_key
from presidio_mx.text.folding import fold

# CURP's two letters in the order of INEGI's and INE's numbers 01 to 32 (RENAPO,
# Instructivo normativo para la CURP, annex; INEGI, Catálogo de entidades).
STATES = (
    "AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC "
    "TS TL VZ YN ZS"
).split()
# Countries with towns of their own in the lists; the second group is farther away.
NEAR = (
    *("Guatemala GT", "Cuba CU", "Colombia CO", "Perú PE", "Honduras HN"),
    *("Argentina AR", "Venezuela VE", "El Salvador SV", "Nicaragua NI", "Ecuador EC"),
    *("Chile CL", "Bolivia BO", "Costa Rica CR"),
)
FAR = (
    *("Brasil BR", "Canadá CA", "Japón JP", "Turquía TR", "India IN", "China CN"),
    *("Rusia RU", "Pakistán PK", "Indonesia ID", "Malasia MY", "Nigeria NG"),
)
COUNTRY_NAMES = {name[-2:]: name[:-3] for name in (*NEAR, *FAR)}
COUNTRY_CODES = {place_key(name): code for code, name in COUNTRY_NAMES.items()}
# Codes of countries in messages, without those that are states' codes, too.
CODES = tuple("MX GT BZ HN SV NI CR CU DO EC PE BO CL UY PY VE BR ES".split())
LONG_CODES = tuple("MEX GTM BLZ HND SLV NIC CRI CUB DOM ECU PER BOL CHL URY".split())
# A town that its list has in English only.
_IN_SPANISH = {"Mexico City": "Ciudad de México"}
# They open the names of estates and quarters that lists have as towns.
_ODD_HEADS, _OPENING = words("place_estate"), words("place_opening")
# "la jalisciense" and "el jalisciense" are one word.
_OF_BOTH_GENDERS = ("ense", "ita", "teca")
_HEADS_ALONE = words("place_head_alone")
_HEADS = re.compile(rf"{either('place_head')}\s+(?:de\s+)?")
_OF_STATE = ("estado", "edo")
_RURAL = ("rancho", "rancheria", "ejido", "colonia", "comunidad", "localidad")
_PARTS = re.compile(r"(\s*[,;/()]\s*|\s+-\s+|\n\s*)")
# Other ways to name the country itself, which identifies nobody, and its neighbour.
HOME = {
    **{"mexico": "República Mexicana", "republica mexicana": "México"},
    **{"estados unidos mexicanos": "República Mexicana"},
    **{"estados unidos": "EE. UU.", "ee uu": "Estados Unidos"},
    **{"eeuu": "Estados Unidos", "eua": "USA", "usa": "EUA"},
}
_SHORT_STATES, _ENGLISH = words("us_state_short"), words("country_english")
CAPITAL = "ciudad de mexico"
_MOST_WORDS = 4


@dataclass(frozen=True)
class Place:
    """A municipality or town.

    :param name: Its name.
    :param state: CURP code of its state.
    :param rank: Place among those of its state by population, 0 the largest.
    :param population: How many people live there, 0 if the list does not say.
    """

    name: str
    state: str
    rank: int
    population: int

    @cached_property
    def key(self) -> str:
        """Its look-up key; asked for of hundreds of places at each surrogate."""
        return place_key(self.name)

    @cached_property
    def plain(self) -> bool:
        """Whether it may serve as a surrogate: no estate, and no state is called so."""
        return _reads_well(self.name) and self.key not in atlas().state_forms


@dataclass(frozen=True)
class Atlas:
    """The places of the gazetteers.

    :param state_forms: Folded name or abbreviation without points to the state.
    :param state_names: State to its name and its abbreviations.
    :param state_letters: Two to four letters of a state ("OAX") to the state.
    :param municipalities: Folded name to the places called so, the largest first.
    :param towns: The same of smaller places.
    :param by_state: State to its municipalities by population.
    :param towns_by_state: State to its towns by population.
    :param foreign: Folded name to kind and country.
    :param foreign_groups: (kind, country) to the names.
    :param ladas: Area code to folded city and state.
    :param ladas_of: (folded city, state) and ("", state) to area codes.
    :param postal: Prefix of a postal code to folded municipality and state.
    :param postal_of: (folded municipality, state) and ("", state) to prefixes.
    """

    state_forms: Mapping[str, str]
    state_names: Mapping[str, tuple[str, ...]]
    state_letters: Mapping[str, str]
    municipalities: Mapping[str, Sequence[Place]]
    towns: Mapping[str, Sequence[Place]]
    by_state: Mapping[str, Sequence[Place]]
    towns_by_state: Mapping[str, Sequence[Place]]
    foreign: Mapping[str, tuple[str, str]]
    foreign_groups: Mapping[tuple[str, str], Sequence[str]]
    ladas: Mapping[str, tuple[str, str]]
    ladas_of: Mapping[tuple[str, str], Sequence[str]]
    postal: Mapping[str, tuple[str, str]]
    postal_of: Mapping[tuple[str, str], Sequence[str]]

    def has_town(self, key: str) -> bool:
        """Tell whether a municipality or a smaller place is called so.

        :param key: The folded name.
        """
        return key in self.municipalities or key in self.towns

    def town(self, key: str, state: str = "") -> Place | None:
        """Return the municipality or town meant by a name.

        :param key: Folded name.
        :param state: CURP code of the state it is in, if known.
        :return: Of several the one in the state, municipalities first, else the
            largest; None if there is none.
        """
        for found in (self.municipalities.get(key, ()), self.towns.get(key, ())):
            here = next((p for p in found if p.state == state), None)
            if here:
                return here
        for found in (self.municipalities.get(key, ()), self.towns.get(key, ())):
            if found:
                return found[0]
        return None

    def state_of(self, place: Place) -> Sequence[Place]:
        """Return the list of a state that a place stands in."""
        listed = self.by_state[place.state]
        if place.rank < len(listed) and listed[place.rank] is place:
            return listed
        return self.towns_by_state[place.state]


def _reads_well(name: str) -> bool:
    parts = name.split()
    plain = not any(sign in name for sign in "().[]/") and not name.isupper()
    odd = place_key(parts[0]) in _ODD_HEADS or any(c.isdigit() for c in name)
    return plain and len(parts) <= _MOST_WORDS and not odd


def _places(name: str) -> tuple[dict[str, list[Place]], dict[str, list[Place]]]:
    counted = [(int(row["population"] or 0), row) for row in rows(name)]
    by_state: dict[str, list[Place]] = {}
    by_name: dict[str, list[Place]] = {}
    for population, row in sorted(counted, key=lambda pair: -pair[0]):
        mine = by_state.setdefault(row["state"], [])
        shown = _IN_SPANISH.get(row["name"], row["name"])
        place = Place(shown, row["state"], len(mine), population)
        mine.append(place)
        by_name.setdefault(place_key(row["name"]), []).append(place)
    return by_name, by_state


@cache
def atlas() -> Atlas:
    """Return the places of the shipped gazetteers, read once."""
    forms: dict[str, str] = {}
    names: dict[str, tuple[str, ...]] = {}
    letters: dict[str, str] = {}
    for row in rows("states"):
        short = [form.strip() for form in row["abbreviations"].split(";")]
        names[row["code"]] = (row["name"], *[form for form in short if form])
        for form in names[row["code"]]:
            forms.setdefault(place_key(form), row["code"])
            forms.setdefault(place_key(form).replace(" ", ""), row["code"])
    for row in rows("states"):  # "CAM" of ISO 3166-2:MX in messages of systems
        iso = place_key(row["iso"].partition("-")[2])
        letters.setdefault(iso, row["code"])
        forms.setdefault(iso, row["code"])
    for form, code in forms.items():
        if form.isalpha() and 3 <= len(form) <= 4 and code in STATES:
            letters.setdefault(form, code)
    municipalities, by_state = _places("municipalities")
    towns, towns_by_state = _places("towns")
    foreign: dict[str, tuple[str, str]] = {}
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows("foreign_places"):
        group = (row["kind"], "" if row["kind"] == "country" else row["country"])
        if foreign.setdefault(place_key(row["name"]), group) == group:
            groups.setdefault(group, []).append(row["name"])
    ladas: dict[str, tuple[str, str]] = {}
    ladas_of: dict[tuple[str, str], list[str]] = {}
    for row in rows("area_codes"):
        ladas[row["code"]] = (place_key(row["city"]), row["state"])
        for city in (place_key(row["city"]), ""):
            ladas_of.setdefault((city, row["state"]), []).append(row["code"])
    postal: dict[str, tuple[str, str]] = {}
    postal_of: dict[tuple[str, str], list[str]] = {}
    for row in rows("postal_prefixes"):
        place = place_key(row["municipality"])
        postal[row["prefix"]] = (place, row["state"])
        for name in {place, ""}:
            postal_of.setdefault((name, row["state"]), []).append(row["prefix"])
    return Atlas(
        forms,
        names,
        letters,
        municipalities,
        towns,
        by_state,
        towns_by_state,
        foreign,
        {group: sorted(found, key=place_key) for group, found in groups.items()},
        ladas,
        ladas_of,
        postal,
        postal_of,
    )


@dataclass(frozen=True)
class Abroad:
    """Towns of other countries.

    :param us_towns: Folded town of the United States to the code of its state.
    :param us_states: Folded state to its code.
    :param towns: Folded town of the world to country and state.
    :param of: Country and state, or "continent" and its code, to the towns.
    :param continents: Country to the code of its continent.
    """

    us_towns: Mapping[str, str]
    us_states: Mapping[str, str]
    towns: Mapping[str, tuple[str, str]]
    of: Mapping[tuple[str, str], Sequence[str]]
    continents: Mapping[str, str]

    def us_state(self, text: str) -> str:
        """Return the code of a state of the United States: by name, code or "Calif.".

        :param text: As it stands in the document.
        """
        key, letters = place_key(text), text.strip()
        if "ñ" in text.lower():  # "Montaña" is no Montana
            return ""
        if letters in self.us_states.values():
            return letters
        if key in _SHORT_STATES:
            found = (code for n, code in self.us_states.items() if n.startswith(key))
            return next(found, "")
        return self.us_states.get(key, "")


@cache
def abroad() -> Abroad:
    """Return the towns of other countries, read once."""
    us_towns: dict[str, str] = {}
    us_states: dict[str, str] = {}
    of: dict[tuple[str, str], list[str]] = {}
    for row in read_table(folder("operators") / "us_places.tsv"):
        key, code = place_key(row["name"]), row["state"]
        if row["kind"] == "state":
            us_states[key] = code
        else:
            us_towns[key] = code
            of.setdefault(("US", code), []).append(row["name"])
    towns: dict[str, tuple[str, str]] = {}
    continents: dict[str, str] = {}
    for row in rows("world_towns"):
        towns[place_key(row["name"])] = row["country"], row.get("state", "")
        groups = [(row["country"], ""), ("continent", row["continent"])]
        groups += [(row["country"], row["state"])] if row.get("state") else []
        for group in groups:
            of.setdefault(group, []).append(row["name"])
        continents[row["country"]] = row["continent"]
    return Abroad(us_towns, us_states, towns, of, continents)


def names_abroad(text: str) -> bool:
    """Tell whether a text names a country other than Mexico, or a state of the U.S.

    :param text: A part of a place: "Florida", "Calif.", "England", "Belice".
    """
    key, world = place_key(text), atlas()
    if key in world.state_forms:
        return False
    country = world.foreign.get(key, ("", ""))[0] == "country" or key in _ENGLISH
    return country or bool(abroad().us_state(text))


def is_city_abroad(key: str) -> bool:
    """Tell whether a name is that of a known city abroad: "Los Ángeles".

    :param key: Its folded name.
    :return: Not for towns of Spain, as many in Mexico are called after them.
    """
    kind, land = atlas().foreign.get(key, ("", ""))
    return key in abroad().us_towns or (kind == "city" and land != "ES")


def country_of(key: str) -> str:
    """Return the code of the country that a name is, or whose town it is.

    :param key: Folded name.
    :return: ISO 3166 code; empty where it is none of those with towns of their own.
    """
    if key in COUNTRY_CODES:
        return COUNTRY_CODES[key]
    kind, code = atlas().foreign.get(key, ("", ""))
    code = code if kind == "city" else abroad().towns.get(key, ("", ""))[0]
    return code if code in COUNTRY_NAMES and not atlas().has_town(key) else ""


def parse_place(text: str, cities: frozenset[str] = frozenset()) -> Parts:
    """Parse a place: "Morelia, Mich.", "municipio de Tixtla", "Clearwater Florida".

    :param text: A place as it stands in the document.
    :param cities: Folded names that are towns here, though states are called so, too.
    """
    key = place_key(text)
    if not any(c.isalpha() for c in text):
        return (Part("", text),)
    if key in _HEADS_ALONE:
        return (Part("head", text, key),)
    if demonym(text):
        return (Part("demonym", text, key),)
    if key in HOME and key not in cities:
        return (Part("home", text, key),)
    if text.strip() in (*CODES, *LONG_CODES) and key not in atlas().state_forms:
        return (Part("code", text, key),)
    pieces = _pieces(text)
    keys = [place_key(piece) for piece in pieces]
    parts: list[Part] = []
    for at, piece in enumerate(pieces):
        if at % 2 or not piece.strip():
            parts.append(Part("", piece))
            continue
        behind = keys[at + 2] if at + 2 < len(keys) else ""
        parts += _named(piece, keys[at], behind, cities)
    return tuple(part for part in parts if part.text)


def _pieces(text: str) -> list[str]:
    """Cut a place at its signs; "Clearwater Florida" before the state or country."""
    pieces = _PARTS.split(text)
    spaced = text.split()
    if len(pieces) > 1 or len(spaced) < 2 or is_known(place_key(text)):
        return pieces
    world, opened = atlas(), place_key(spaced[0]) in _OPENING
    for width in (2, 1):
        head, land = " ".join(spaced[:-width]), " ".join(spaced[-width:])
        key = place_key(head)
        listed = key and is_known(key) and place_key(land) in world.state_forms
        opened = opened and not is_city_abroad(key)
        if key and (listed or (names_abroad(land) and not opened)):
            at = text.rindex(spaced[-width])
            start = len(text[:at].rstrip())
            return [text[:start], text[start:at], text[at:]]
    return pieces


def is_known(key: str) -> bool:
    """Tell whether a list has a place.

    :param key: Its folded name.
    """
    world = atlas()
    return key in world.state_forms or world.has_town(key) or key in world.foreign


def _named(
    piece: str, key: str, behind: str, cities: frozenset[str]
) -> tuple[Part, ...]:
    """Return a place without signs inside, its head apart: "municipio de"."""
    world = atlas()
    state = world.state_forms.get(key) or world.state_forms.get(key.replace(" ", ""))
    city = key in cities or bool(behind and behind in world.state_forms)
    if key == "mexico" and (key in cities or world.state_forms.get(behind) == "DF"):
        return (Part("town", piece, CAPITAL),)
    if state and not (city and (world.has_town(key) or key in cities)):
        return (Part("state", piece, key),)
    if not world.has_town(key):
        match = _HEADS.match(fold(piece))
        if match and match.end() < len(piece):
            head, rest = piece[: match.end()], piece[match.end() :]
            form = place_key(rest)
            kind = _kind(rest, form)
            if kind in ("abroad", "country") and first_word(head) in _RURAL:
                kind = "unknown"  # "Rancho Texas"
            if form in world.state_forms:
                kind = "state" if fold(head).startswith(_OF_STATE) else "town"
            return Part("head", head), Part(kind, rest, form)
    return (Part(_kind(piece, key), piece, key),)


def _kind(piece: str, key: str) -> str:
    world = atlas()
    kind, _ = world.foreign.get(key, ("", ""))
    if key in HOME:
        return "home"
    if kind == "country" or key in _ENGLISH:
        return "country"
    if piece.strip() in STATES and key not in world.municipalities:
        return "state"  # "Edo. nac.: VZ"
    if key in world.municipalities:
        return "town"
    if kind and kind != "city" and "ñ" not in piece.lower():
        return "abroad"
    if key in world.towns and not is_city_abroad(key):
        return "town"
    far = key in abroad().towns and "ñ" not in piece.lower()
    if far or (kind and kind == "city") or abroad().us_state(piece):
        return "abroad"
    return "unknown"


def _forms(word: str) -> dict[str, tuple[bool, bool]]:
    """Return the folded forms of a word, and whether each is feminine and plural."""
    key = fold(word)
    stem = key[:-1] if key.endswith("o") else key
    woman = stem + "a" if key.endswith(("o", "es")) else key
    many = key + ("es" if key.endswith("s") else "s")
    return {
        woman + "s": (True, True),
        many: (False, True),
        woman: (True, False),
        key: (False, False),
    }


@cache
def demonyms() -> tuple[
    Mapping[str, tuple[str, bool, bool]], Mapping[str, Sequence[str]]
]:
    """Return area, gender and number of each form, and the words of each area.

    An area is a state's code of CURP, or a country's of ISO 3166 in small letters.
    """
    forms: dict[str, tuple[str, bool, bool]] = {}
    written: dict[str, Sequence[str]] = {}
    for file, column in (("demonyms", "state"), ("demonyms_abroad", "country")):
        for row in read_table(folder("operators") / f"{file}.tsv"):
            area = row[column] if column == "state" else row[column].lower()
            names = row["words"].split(";")
            written[area] = names
            for name in names:
                for form, (woman, many) in _forms(name).items():
                    forms.setdefault(form, (area, woman, many))
    return forms, written


def demonym(word: str) -> str:
    """Return the state or country whose people a word names.

    :param word: As it stands in the document.
    :return: A state's code of CURP, a country's of ISO 3166 in small letters; empty
        if it names none.
    """
    found = demonyms()[0].get(fold(word))
    return found[0] if found else ""


def demonym_like(word: str, area: str) -> str:
    """Return what the people of another area are called, in the form of a word.

    :param word: E.g. ``poblanas``.
    :param area: As of :func:`demonym`.
    :return: E.g. ``queretanas``; empty if no list says it, or if the word is that of
        both genders ("una jalisciense") and the state has no such word.
    """
    forms, written = demonyms()
    key = fold(word)
    _, woman, many = forms[key]
    names = written.get(area, ())
    if key.endswith(_OF_BOTH_GENDERS):
        both = [name for name in names if name.endswith(_OF_BOTH_GENDERS)]
        names = both if both or area.isupper() else names
    new = names[0] if names else ""
    if woman and new.endswith("o"):
        new = new[:-1] + "a"
    elif woman and new.endswith("és"):
        new = new[:-2] + "esa"
    if many and new:
        new = new[:-2] + "eses" if new.endswith("és") else new + "s"
    return new
