"""Surrogates of countries, and of towns and states abroad."""

from collections.abc import Sequence
from functools import cache

from presidio_mx.replace.surrogates.atlas import SMALLEST_CLASS, atlas, place_key
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.countries import (
    CODE_OF,
    COUNTRIES,
    NAME_OF,
    country_image,
)
from presidio_mx.replace.surrogates.world_towns import towns_abroad
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.spanish.words import words

# What the list writes behind names that several towns have.
_APART = (
    *(name for name, _ in COUNTRIES),
    *("California", "Texas", "Arizona", "Colorado", "Nuevo México"),
)
_NEAR = ("US", "ES")
_STAYING = words("country_kept")
_SHORT_STATES, _ENGLISH = words("us_state_short"), words("country_english")
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


def names_abroad(text: str) -> bool:
    """Tell whether a text names a country other than Mexico, or a state of the U.S.

    :param text: A part of a place: "Florida", "Calif.", "England", "Belice".
    :return: True for one, in Spanish, English or short.
    """
    key, world = place_key(text), atlas()
    if key in world.state_forms:
        return False
    country = world.foreign.get(key, ("", ""))[0] == "country" or key in _ENGLISH
    return country or _us_code(text) is not None


def _us_code(text: str) -> str | None:
    """Return the code of a state of the United States: by name, code or "Calif."."""
    _, states, _ = _united_states()
    key, letters = place_key(text), text.strip()
    if "ñ" in text.lower():  # "Montaña" is no Montana
        return None
    if letters in states.values():
        return letters
    if key in _SHORT_STATES:
        return next((states[name] for name in states if name.startswith(key)), None)
    return states.get(key)


def town_abroad(key: str, land: str, context: Context) -> str | None:
    """Return a town for one that no list has, where its country or state goes.

    :param key: Folded name of the town.
    :param land: Its country or state, as it stands in the document.
    :param context: The key.
    :return: A town; None where no list has towns of that country.
    """
    of_state = _united_states()[2]
    written, code = place_key(land), _us_code(land)
    if code:
        state = _state_image(code, context)
        choices: Sequence[str] = [
            *of_state.get(state, ()),
            *towns_abroad().of.get(("US", state), ()),
        ]
    elif written in CODE_OF:
        choices = _towns_of(country_image(CODE_OF[written], context))
    else:
        return None
    choices = [town for town in choices if place_key(_alone(town)) != key]
    if not choices:
        return None
    return _alone(choices[context.draw.number(len(choices), "abroad", key)])


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
    code = _us_code(text)
    if code is None:
        return None
    image = _state_image(code, context)
    for name in atlas().foreign_groups["state", "US"]:
        if states.get(place_key(name)) == image:
            return name
    # Georgia stands among the countries.
    return next(key for key, code in states.items() if code == image).title()


def _world_town(key: str, context: Context) -> str | None:
    """Return a town for one of the list of the world: of its country, or continent."""
    known = towns_abroad()
    land, state = known.towns.get(key, ("", ""))
    if not land:
        return None
    if state:
        group = land, _state_image(state, context)
    elif land in NAME_OF:
        group = country_image(land, context), ""
    else:
        group = land, ""
    choices = [n for n in known.of.get(group, ()) if place_key(n) != key]
    if len(choices) < SMALLEST_CLASS and not state:
        group = "continent", known.continents[group[0]]
        choices = [n for n in known.of[group] if place_key(n) != key]
    if not choices:
        choices = [n for n in known.of[land, ""] if place_key(n) != key]
    return choices[context.draw.number(len(choices), "world", key)]


def is_city_abroad(key: str) -> bool:
    """Tell whether a name is that of a known city abroad: "Los Ángeles".

    :param key: Its folded name.
    :return: Not for towns of Spain, as many in Mexico are called after them.
    """
    kind, land = atlas().foreign.get(key, ("", ""))
    return key in _united_states()[0] or (kind == "city" and land != "ES")


def _us_town(key: str, context: Context) -> str:
    towns, _, of_state = _united_states()
    choices = of_state[_state_image(towns[key], context)]
    return _alone(choices[context.draw.number(len(choices), "us town", key)])


def _alone(town: str) -> str:
    """Return a town without the state or country that the list tells it apart by."""
    for name in _APART:
        town = town.removesuffix(f" {name}")
    return town


def foreign_place(key: str, context: Context, alone: bool = True) -> str | None:
    """Return the surrogate of a town, province or state abroad.

    :param key: Its folded name.
    :param context: The key.
    :param alone: Nothing says in which country it is, so that the list of the world's
        towns may.
    :return: Another one, in the country or state that its own becomes; None if no list
        has it.
    """
    if key in _united_states()[0]:
        return _us_town(key, context)
    world = atlas()
    group = world.foreign.get(key)
    if group is None:
        return _world_town(key, context) if alone else None
    kind, country = group
    if (kind, country) == ("state", "US"):
        return us_state(key, context)
    members, keys = _members(kind, country)
    if kind == "city" and country in NAME_OF:
        members = _towns_of(country_image(country, context))
        return _alone(members[context.draw.number(len(members), "abroad", key)])
    if (
        alone
        and len(members) < SMALLEST_CLASS
        and kind == "city"
        and key in towns_abroad().towns
    ):
        return _world_town(key, context)
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
    if key in CODE_OF:
        return NAME_OF[country_image(CODE_OF[key], context)]
    world = atlas()
    group = world.foreign_groups[("country", "")]
    others = sorted(
        name for name in group if place_key(name) not in {*CODE_OF, *_STAYING}
    )
    if key in _STAYING:
        return next(name for name in group if place_key(name) == key)
    keys = [place_key(name) for name in others]
    return others[context.draw.permute(len(others), keys.index(key), "country")]


def country_of(key: str) -> str:
    """Return the code of the country that a name is, or whose town it is.

    :param key: Folded name.
    :return: ISO 3166 code; empty where it is none of those with towns of their own.
    """
    if key in CODE_OF:
        return CODE_OF[key]
    kind, code = atlas().foreign.get(key, ("", ""))
    code = code if kind == "city" else towns_abroad().towns.get(key, ("", ""))[0]
    known = code in NAME_OF and not atlas().has_town(key)
    return code if known else ""


def _towns_of(code: str) -> list[str]:
    listed = (
        _members("city", code)[0] if ("city", code) in atlas().foreign_groups else ()
    )
    return [*listed, *towns_abroad().of.get((code, ""), ())]
