"""Surrogates of countries, and of towns and states abroad."""

from collections.abc import Sequence
from functools import cache

from presidio_mx.anonymizer.surrogates.atlas import atlas, place_key
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.gazetteer import read_table
from presidio_mx.resources import folder
from presidio_mx.words import words

# Countries with towns of their own in the list; each becomes another of them.
_COUNTRIES = (
    ("Guatemala", "GT"),
    ("Cuba", "CU"),
    ("Colombia", "CO"),
    ("Perú", "PE"),
    ("Honduras", "HN"),
    ("Argentina", "AR"),
    ("Venezuela", "VE"),
    ("El Salvador", "SV"),
    ("Nicaragua", "NI"),
    ("Ecuador", "EC"),
    ("Chile", "CL"),
    ("Bolivia", "BO"),
    ("Costa Rica", "CR"),
)
# What the list writes behind names that several towns have.
_APART = (
    *(name for name, _ in _COUNTRIES),
    *("California", "Texas", "Arizona", "Colorado", "Nuevo México"),
)
_NEAR = ("US", "ES")
_STAYING = words("country_kept")
# States of at least so many listed towns stay among themselves.
_MANY_TOWNS = 5


@cache
def _united_states() -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    """Return folded town to state, folded state to code, code to its towns."""
    towns: dict[str, str] = {}
    states: dict[str, str] = {}
    of_state: dict[str, list[str]] = {}
    for row in read_table(folder("operators") / "us_places.tsv"):
        key, code = place_key(row["name"]), row["state"]
        if row["kind"] == "state":
            states[key] = code
        else:
            towns[key] = code
            of_state.setdefault(code, []).append(row["name"])
    return towns, states, of_state


def _state_image(code: str, context: Context) -> str:
    """Return the state of the United States that a state becomes."""
    _, states, of_state = _united_states()

    def size(other: str) -> int:
        towns = len(of_state.get(other, ()))
        return 2 if towns >= _MANY_TOWNS else 1 if towns else 0

    group = [
        other for other in sorted(set(states.values())) if size(other) == size(code)
    ]
    index = context.draw.permute(len(group), group.index(code), "us state", size(code))
    return group[index]


def us_state(text: str, context: Context) -> str | None:
    """Return the state that a state of the United States becomes.

    :param text: Its name, or its two letters.
    :param context: The key.
    :return: A name, or two letters; None if it is no such state.
    """
    _, states, _ = _united_states()
    letters = text.strip()
    if letters in states.values():
        return _state_image(letters, context)
    code = states.get(place_key(text))
    if code is None:
        return None
    image = _state_image(code, context)
    for name in atlas().foreign_groups["state", "US"]:
        if states.get(place_key(name)) == image:
            return name
    # Georgia stands among the countries.
    return next(key for key, code in states.items() if code == image).title()


def _us_town(key: str, context: Context) -> str:
    towns, _, of_state = _united_states()
    choices = of_state[_state_image(towns[key], context)]
    return _alone(choices[context.draw.number(len(choices), "us town", key)])


def _alone(town: str) -> str:
    """Return a town without the state or country that the list tells it apart by."""
    for name in _APART:
        town = town.removesuffix(f" {name}")
    return town


def foreign_place(key: str, context: Context) -> str | None:
    """Return the surrogate of a town, province or state abroad.

    :param key: Its folded name.
    :param context: The key.
    :return: Another one, in the country or state that its own becomes; None if no list
        has it.
    """
    if key in _united_states()[0]:
        return _us_town(key, context)
    world = atlas()
    group = world.foreign.get(key)
    if group is None:
        return None
    kind, country = group
    if (kind, country) == ("state", "US"):
        return us_state(key, context)
    members, keys = _members(kind, country)
    if kind == "city" and country in {code for _, code in _COUNTRIES}:
        target = _COUNTRIES[_country_image(country, context)][1]
        members, _ = _members(kind, target)
        return _alone(members[context.draw.number(len(members), "abroad", key)])
    if len(members) < 2:  # the only town of its country: any other far away
        cities = (
            g for g in world.foreign_groups if g[0] == "city" and g[1] not in _NEAR
        )
        far = sorted(n for g in cities for n in world.foreign_groups[g])
        far = [name for name in far if place_key(name) != key]
        return _alone(far[context.draw.number(len(far), "far", key)])
    return members[
        context.draw.permute(len(members), keys.index(key), "foreign", *group)
    ]


@cache
def _members(kind: str, country: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the places of a group by their keys, and these."""
    members = sorted(atlas().foreign_groups[kind, country], key=place_key)
    return members, [place_key(name) for name in members]


def country(key: str, context: Context) -> str:
    """Return the country that a country becomes; the towns of its list go with it.

    The United States and Spain stay: telephones and the many towns there are named
    for stay in them too.

    :param key: Its folded name.
    :param context: The key.
    :return: A country.
    """
    names = {place_key(name): code for name, code in _COUNTRIES}
    if key in names:
        return _COUNTRIES[_country_image(names[key], context)][0]
    world = atlas()
    group = world.foreign_groups[("country", "")]
    others = sorted(
        name for name in group if place_key(name) not in {*names, *_STAYING}
    )
    if key in _STAYING:
        return next(name for name in group if place_key(name) == key)
    keys = [place_key(name) for name in others]
    return others[context.draw.permute(len(others), keys.index(key), "country")]


def _country_image(code: str, context: Context) -> int:
    codes = [code for _, code in _COUNTRIES]
    return context.draw.permute(len(codes), codes.index(code), "country of towns")
