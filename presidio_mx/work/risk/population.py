"""How many people of the country share an age, a sex and a place, by the census.

No counts by municipality, age and sex are shipped. States and the ages of the country
are of the census of 2020; a municipality counts with the population of its seat
(GeoNames), which is smaller than it, so that risks are rather overstated. The ages of
the country stand for those of every place. A table of one's own counts takes their
place where it has the municipality.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.writing import place_key
from presidio_mx.text.reading.note import read_note

OLDEST = 120
SHIPPED = "INEGI 2020 (states, ages of the country), GeoNames (seats of municipalities)"
# Of the open class each year has so many as the year before.
_DECLINE = 0.83
# Where GeoNames tells no population, the seat is small.
_SMALL = 1_000
_COLUMNS = ("state", "municipality", "sex", "from", "to", "population")
Place = tuple[str, str]
Ages = tuple[int, int]


@dataclass(frozen=True)
class Population:
    """The people of the country.

    :param counts: (state, folded municipality) to its people; ("", "") is the country,
        (state, "") a state.
    :param years: Sex to the share of the people who are of it and of each year of age.
    :param own: (state, folded municipality) to sex to years of age, from a user's own
        table.
    :param source: Where the figures come from.
    """

    counts: Mapping[Place, float]
    years: Mapping[str, tuple[float, ...]]
    own: Mapping[Place, Mapping[str, list[float]]] = field(default_factory=dict)
    source: str = SHIPPED

    def expected(self, ages: Ages | None, sex: str, place: Place) -> float:
        """Return how many people share some properties.

        :param ages: Youngest and oldest age in years; None for any age.
        :param sex: F, M, or anything else for both.
        :param place: CURP code of the state and folded municipality, each may be empty.
        """
        low, high = (0, OLDEST) if ages is None else ages
        sexes = (sex,) if sex in ("F", "M") else ("F", "M")
        years = slice(max(0, low), min(high, OLDEST) + 1)
        if place in self.own:
            return sum(sum(self.own[place].get(s, [])[years]) for s in sexes)
        people = self.counts.get(place)
        if people is None:
            people = float(_SMALL) if place[1] else self.counts["", ""]
        return people * sum(sum(self.years[s][years]) for s in sexes)


def _spread(low: int, high: int, people: float) -> list[float]:
    """Return the people of a class of ages by year."""
    years = min(high, OLDEST) - low + 1
    if high < OLDEST:
        return [people / years] * years
    weights = [_DECLINE**year for year in range(years)]
    return [people * weight / sum(weights) for weight in weights]


@cache
def shipped_population() -> Population:
    """Return the population that the shipped lists tell."""
    counts: dict[Place, float] = {
        (row["code"], ""): float(row["population"]) for row in rows("population_states")
    }
    counts["", ""] = sum(counts.values())
    for row in rows("municipalities"):
        key = (row["state"], place_key(row["name"]))
        counts[key] = max(counts.get(key, 0.0), float(row["population"] or 0) or _SMALL)
    years: dict[str, list[float]] = {"F": [], "M": []}
    for row in rows("population_ages"):
        for sex, column in (("F", "women"), ("M", "men")):
            years[sex] += _spread(int(row["from"]), int(row["to"]), float(row[column]))
    total = sum(map(sum, years.values()))
    shares = {sex: tuple(n / total for n in people) for sex, people in years.items()}
    return Population(counts, shares)


def read_population(path: Path) -> Population:
    """Return the population with counts of one's own, such as the census tables.

    :param path: CSV with the columns state, municipality, sex (F or M), from, to (ages
        in years; nothing in ``to`` for an open class) and population.
    :raises InputError: If a column is missing or a row cannot be read.
    """
    text = read_note(str(path)).text
    reader = csv.DictReader(text.splitlines())
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(
            f"{path}: no column {missing[0]!r}; columns are {', '.join(_COLUMNS)}"
        )
    own: dict[Place, dict[str, list[float]]] = {}
    for number, row in enumerate(reader, start=2):
        try:
            low, people = int(row["from"]), float(row["population"])
            high = int(row["to"] or OLDEST)
            state = atlas().state_forms[place_key(row["state"])]
            if row["sex"] not in ("F", "M") or not 0 <= low <= high or people < 0:
                raise ValueError
        except (KeyError, ValueError, TypeError):
            raise InputError(
                f"{path}, row {number}: needs a state of Mexico, sex F or M, ages in "
                "whole years and a count"
            ) from None
        place = (state, place_key(row["municipality"]))
        years = own.setdefault(place, {}).setdefault(row["sex"], [0.0] * (OLDEST + 1))
        for year, count in enumerate(_spread(low, high, people), start=low):
            years[min(year, OLDEST)] += count
    base = shipped_population()
    return Population(base.counts, base.years, own, f"{path.name}; else {SHIPPED}")
