"""The figures: k-anonymity, l-diversity, uniques, and what lowers the risk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from presidio_mx.work.risk.classes import AS_IS, LEFT_OUT, LEVELS, NOTHING, Table
from presidio_mx.work.risk.population import Population
from presidio_mx.work.risk.quasi import QUASI

Levels = Mapping[str, str]
SIZES = ((1, 1), (2, 4), (5, 9), (10, 19), (20, None))


@dataclass(frozen=True)
class Bound:
    """What a corpus is to fulfil: at most a share of units in classes under k.

    :param k: Least size of a class.
    :param share: Share of the units that may be in smaller ones.
    """

    k: int = 5
    share: float = 0.05


@dataclass(frozen=True)
class Measure:
    """The risk of a corpus whose quasi-identifiers are generalised to some levels.

    :param levels: Property to level.
    :param k: Size of the smallest class.
    :param uniques: Share of the units that are alone in their class (sample uniques).
    :param below: Share of the units in classes smaller than the bound.
    :param mean_risk: Mean probability of re-identifying a unit that is known to be in
        the corpus (prosecutor risk).
    :param population_uniques: Share of the units of whose age, sex and place the whole
        country is expected to have nobody else.
    :param lost: Bits of information that a mean unit has lost.
    """

    levels: Levels
    k: int
    uniques: float
    below: float
    mean_risk: float
    population_uniques: float
    lost: float

    def holds(self, bound: Bound) -> bool:
        """Tell whether the corpus fulfils a bound.

        :param bound: The bound.
        """
        return self.below <= bound.share


@dataclass(frozen=True)
class Diversity:
    """How far a class discloses the diagnosis of those in it (l-diversity).

    :param l: Fewest different main diagnoses in a class of several units.
    :param told: Share of the units whose class has one diagnosis alone.
    """

    l: int  # noqa: E741
    told: float


def expected_people(
    table: Table, population: Population, levels: Levels = NOTHING
) -> Any:
    """Return for each unit how many people of the country have its age, sex and place.

    :param table: The units.
    :param population: The country.
    :param levels: Property to level.
    """
    triples, keys = table.people(levels)
    people = np.array([population.expected(*triple) for triple in triples])
    return people[keys]


def measure(
    table: Table, population: Population, bound: Bound, levels: Levels = NOTHING
) -> Measure:
    """Return the risk at some levels.

    :param table: The units.
    :param population: The country.
    :param bound: What the corpus is to fulfil.
    :param levels: Property to level.
    """
    keys, counts = table.classes(levels)
    sizes = counts[keys]
    others = np.maximum(expected_people(table, population, levels) - 1, 0)
    lost = sum(
        table.coded(name).bits - table.coded(name, level).bits
        for name, level in levels.items()
    )
    return Measure(
        levels,
        int(sizes.min()),
        float((sizes == 1).mean()),
        float((sizes < bound.k).mean()),
        len(counts) / table.size,
        float(np.exp(-others).mean()),
        max(0.0, lost),
    )


def diversity(table: Table, levels: Levels = NOTHING) -> Diversity:
    """Return how far classes without the diagnosis tell the main diagnosis.

    :param table: The units.
    :param levels: Property to level.
    """
    known = {name: level for name, level in levels.items() if name != "diagnosis"}
    keys, counts = table.classes(known)
    pairs = np.unique(np.stack([keys, table.sensitive.codes]), axis=1)
    different = np.bincount(pairs[0], minlength=len(counts))
    several = different[counts > 1]
    return Diversity(
        int(several.min()) if len(several) else 1,
        float((different[keys] == 1).mean()),
    )


def histogram(table: Table) -> list[tuple[str, float]]:
    """Return which share of the units is in classes of which sizes.

    :param table: The units.
    """
    sizes = table.sizes(NOTHING)
    shares = []
    for low, high in SIZES:
        name = (
            f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
        )
        inside = (sizes >= low) & (sizes <= (high or table.size))
        shares.append((name, float(inside.mean())))
    return shares


def search(table: Table, population: Population, bound: Bound) -> list[Measure]:
    """Return every generalisation, those that lose least first.

    What leaves a property out stands behind what only tells less of it; behind all of
    them stands what leaves the diagnoses out, as no operator takes one out of a note.

    :param table: The units.
    :param population: The country.
    :param bound: What the corpus is to fulfil.
    """
    names = list(QUASI)
    nodes = product(*(LEVELS[name] for name in names))
    found = [
        measure(table, population, bound, dict(zip(names, node, strict=True)))
        for node in nodes
    ]
    return sorted(found, key=_cost)


def _cost(node: Measure) -> tuple[bool, int, float]:
    gone = sum(level == LEFT_OUT for level in node.levels.values())
    return node.levels["diagnosis"] == LEFT_OUT, gone, node.lost


def best(found: Sequence[Measure], bound: Bound) -> Measure | None:
    """Return the generalisation that fulfils a bound and loses least.

    :param found: As :func:`search` returns them.
    :param bound: The bound.
    """
    return next((node for node in found if node.holds(bound)), None)


@dataclass(frozen=True)
class Worst:
    """A unit at risk, in classes that tell no more than the report may.

    :param row: Number of its first row.
    :param notes: Its rows.
    :param size: How many units look like it.
    :param people: How many people of the country have its age, sex and place.
    :param alone: The fewest properties by which it is alone; empty if it is not.
    :param index: Its place among the units.
    """

    row: int
    notes: int
    size: int
    people: float
    alone: tuple[str, ...]
    index: int


def worst(
    table: Table,
    population: Population,
    rows: Sequence[tuple[int, int]],
    number_of: int,
) -> list[Worst]:
    """Return the units at most risk: fewest alike, alone by fewest properties first.

    :param table: The units.
    :param population: The country.
    :param rows: First row of each unit, and how many it has.
    :param number_of: How many to return.
    """
    whole = table.sizes(NOTHING)
    people = expected_people(table, population)
    subsets = [
        names
        for width in range(1, len(QUASI) + 1)
        for names in combinations(QUASI, width)
    ]
    first = np.full(table.size, len(subsets))
    for number, names in reversed(list(enumerate(subsets))):
        first[table.sizes(dict.fromkeys(names, AS_IS)) == 1] = number
    fewest = np.array([*map(len, subsets), len(QUASI) + 1])[first]
    order = np.lexsort((people, fewest, whole))[:number_of]
    return [
        Worst(
            rows[index][0],
            rows[index][1],
            int(whole[index]),
            float(people[index]),
            (*subsets, ())[first[index]],
            int(index),
        )
        for index in order
    ]


def each_alone(table: Table, bound: Bound) -> dict[str, tuple[float, float]]:
    """Return what each property does: uniques by it alone, and below k without it.

    :param table: The units.
    :param bound: The bound.
    """
    told = {}
    for name in QUASI:
        alone = table.sizes({name: AS_IS})
        without = table.sizes({other: AS_IS for other in QUASI if other != name})
        told[name] = (
            float((alone == 1).mean()),
            float((without < bound.k).mean()),
        )
    return told
