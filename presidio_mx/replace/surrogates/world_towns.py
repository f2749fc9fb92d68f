"""The towns of the world, so that a town abroad becomes another one abroad."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from presidio_mx.replace.surrogates.atlas import place_key
from presidio_mx.spanish.gazetteer import rows


@dataclass(frozen=True)
class World:
    """Towns abroad.

    :param towns: Folded name to country and, in the United States, state.
    :param of: Country and state, or "continent" and its code, to the towns.
    :param continents: Country to the code of its continent.
    """

    towns: Mapping[str, tuple[str, str]]
    of: Mapping[tuple[str, str], tuple[str, ...]]
    continents: Mapping[str, str]


@cache
def towns_abroad() -> World:
    """Return the towns of the world, by country and state, and by continent.

    :return: The towns, read once.
    """
    towns: dict[str, tuple[str, str]] = {}
    of: dict[tuple[str, str], list[str]] = {}
    continents: dict[str, str] = {}
    for row in rows("world_towns"):
        towns[place_key(row["name"])] = row["country"], row.get("state", "")
        groups = [(row["country"], ""), ("continent", row["continent"])]
        groups += [(row["country"], row["state"])] if row.get("state") else []
        for group in groups:
            of.setdefault(group, []).append(row["name"])
        continents[row["country"]] = row["continent"]
    groups_of = {group: tuple(names) for group, names in of.items()}
    return World(towns, groups_of, continents)
