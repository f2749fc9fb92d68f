"""Classes of people who look alike, at any level of generalisation."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from presidio_mx.replace.ages import CAP, TOP_BAND
from presidio_mx.work.risk.corpus import Unit
from presidio_mx.work.risk.population import OLDEST, Ages
from presidio_mx.work.risk.quasi import QUASI

Codes = Any  # an array of whole numbers
_BAND = 10
_MOST_KEYS = 2**62
_MONTH, _YEAR = len("2024-03"), len("2024")
AS_IS, LEFT_OUT = "as is", "left out"


def age_band(age: Ages) -> Ages:
    """Return the band of ten years of an age, the last from 70 on.

    :param age: Youngest and oldest age.
    """
    low = min(age[0] // _BAND * _BAND, TOP_BAND)
    return (low, OLDEST) if low == TOP_BAND else (low, max(age[1], low + _BAND - 1))


def _capped(age: Ages | None) -> Ages | None:
    return (CAP, OLDEST) if age is not None and age[0] >= CAP else age


def _cut_dates(width: int) -> Callable[[frozenset[str]], frozenset[str]]:
    return lambda dates: frozenset(day[:width] for day in dates)


# What each level makes of a value, from the most to the least that it tells. A
# diagnosis stays or is left out: no operator makes it less in a note.
LEVELS: Mapping[str, Mapping[str, Callable[[Any], Hashable]]] = {
    "age": {
        AS_IS: lambda age: age,
        "cap": _capped,
        "band": lambda age: None if age is None else age_band(age),
        LEFT_OUT: lambda age: None,
    },
    "sex": {AS_IS: lambda sex: sex},
    "place": {
        AS_IS: lambda place: place,
        "state": lambda place: (place[0], ""),
        LEFT_OUT: lambda place: ("", ""),
    },
    "date": {
        AS_IS: lambda dates: dates,
        "month": _cut_dates(_MONTH),
        "year": _cut_dates(_YEAR),
        LEFT_OUT: lambda dates: frozenset(),
    },
    "diagnosis": {AS_IS: lambda code: code, LEFT_OUT: lambda code: ""},
}
NOTHING = {name: AS_IS for name in QUASI}


@dataclass(frozen=True)
class Coded:
    """A property of all units as numbers.

    :param values: The different values.
    :param codes: For each unit which of them it has.
    """

    values: tuple[Any, ...]
    codes: Codes

    @classmethod
    def of(cls, values: Sequence[Hashable]) -> "Coded":
        """Give numbers to the values of all units.

        :param values: One for each unit.
        """
        numbers: dict[Hashable, int] = {}
        codes = [numbers.setdefault(value, len(numbers)) for value in values]
        return cls(tuple(numbers), np.array(codes, dtype=np.int64))

    def at(self, level: Callable[[Any], Hashable]) -> "Coded":
        """Return the property at a level of generalisation.

        :param level: What it makes of a value.
        """
        general = Coded.of([level(value) for value in self.values])
        return Coded(general.values, general.codes[self.codes])

    @property
    def bits(self) -> float:
        """How much the property tells of a unit: its entropy."""
        shares = np.bincount(self.codes) / len(self.codes)
        shares = shares[shares > 0]
        return float(-(shares * np.log2(shares)).sum())


class Table:
    """The quasi-identifiers of all units.

    :param units: Patients or notes.
    :param rare: A diagnosis of fewer units is rare.
    """

    def __init__(self, units: Sequence[Unit], rare: int) -> None:
        """Give numbers to the values."""
        counts = Counter(code for unit in units for code in unit.diagnoses)
        self.rare = {code: n for code, n in counts.items() if n < rare}
        rarest = [self._rarest(unit) for unit in units]
        self._coded = {
            "age": Coded.of([unit.age for unit in units]),
            "sex": Coded.of([unit.sex for unit in units]),
            "place": Coded.of([unit.place for unit in units]),
            "date": Coded.of([unit.dates for unit in units]),
            "diagnosis": Coded.of(rarest),
        }
        self.sensitive = Coded.of([self._main(unit, counts) for unit in units])
        self._levels: dict[tuple[str, str], Coded] = {}
        self.size = len(units)

    def _rarest(self, unit: Unit) -> str:
        """Return the diagnosis by which somebody would look for a patient."""
        codes = [code for code in unit.diagnoses if code in self.rare]
        return min(codes, key=lambda code: (self.rare[code], code), default="")

    @staticmethod
    def _main(unit: Unit, counts: Mapping[str, int]) -> str:
        return max(unit.diagnoses, key=lambda code: (counts[code], code), default="")

    def coded(self, name: str, level: str = AS_IS) -> Coded:
        """Return a property at a level.

        :param name: One of ``QUASI``.
        :param level: One of its levels.
        """
        key = (name, level)
        if key not in self._levels:
            self._levels[key] = self._coded[name].at(LEVELS[name][level])
        return self._levels[key]

    def classes(self, levels: Mapping[str, str]) -> tuple[Codes, Codes]:
        """Return the class of each unit, and the size of each class.

        :param levels: Property to level; those that are not named do not count.
        """
        keys, space = np.zeros(self.size, dtype=np.int64), 1
        for name, level in levels.items():
            coded = self.coded(name, level)
            space *= len(coded.values)
            if space > _MOST_KEYS:
                _, keys = np.unique(keys, return_inverse=True)
                space = self.size * len(coded.values)
            keys = keys * len(coded.values) + coded.codes
        _, keys = np.unique(keys, return_inverse=True)
        return keys, np.bincount(keys)

    def sizes(self, levels: Mapping[str, str]) -> Codes:
        """Return for each unit how many look like it, itself included.

        :param levels: Property to level.
        """
        keys, counts = self.classes(levels)
        return counts[keys]

    def people(self, levels: Mapping[str, str]) -> tuple[list[Any], Codes]:
        """Return the different ages, sexes and places, and which each unit has.

        :param levels: Property to level.
        :return: Triples of ages, sex and place; the triple of each unit.
        """
        names = ("age", "sex", "place")
        coded = [self.coded(n, levels[n]) for n in names if n in levels]
        assert len(coded) == len(names)
        keys, counts = self.classes({name: levels[name] for name in names})
        first = np.zeros(len(counts), dtype=np.int64)
        first[keys[::-1]] = np.arange(self.size)[::-1]
        triples = [tuple(c.values[c.codes[unit]] for c in coded) for unit in first]
        return triples, keys


def known_share(table: Table, name: str) -> float:
    """Return for which share of the units a property is known.

    :param table: The units.
    :param name: The property.
    """
    coded = table.coded(name)
    empty: tuple[Any, ...] = (None, "", frozenset(), ("", ""))
    known = np.array([value not in empty for value in coded.values])
    return float(known[coded.codes].mean())
