"""States, municipalities, towns, ladas and postal codes, and where each one goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from presidio_mx.replace.surrogates.context import Context
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

# CURP's two letters in the order of INEGI's and INE's numbers 01 to 32 (RENAPO,
# Instructivo normativo para la CURP, annex; INEGI, Catálogo de entidades).
STATES = (
    "AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC "
    "TS TL VZ YN ZS"
).split()
# States of many and of few municipalities stay among themselves, so that two towns of
# a note do not fall together (INEGI 2020: from 570 down to 51; from 46 down to 5).
_MANY = tuple("CH CS GR HG JC MC MN NL OC PL SP SR TL VZ YN ZS".split())
_FEW = tuple(state for state in STATES if state not in _MANY)
# Places that one place may become: fewer would tell which one it was.
SMALLEST_CLASS = 20
# They open the names of estates and quarters that lists have as towns.
_ODD_HEADS = words("place_estate")


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
        """Whether it may serve as a surrogate: no state is called so."""
        return reads_well(self.name) and self.key not in atlas().state_forms


@dataclass(frozen=True)
class Atlas:
    """The places of the gazetteers.

    :param state_forms: Folded name or abbreviation without points to the state.
    :param state_names: State to its name and its abbreviations.
    :param municipalities: Folded name to the places called so, the largest first.
    :param towns: The same of smaller places.
    :param by_state: State to its municipalities by population.
    :param towns_by_state: State to its towns by population.
    :param foreign: Folded name to kind and country.
    :param foreign_groups: (kind, country) to the names.
    :param ladas: Area code to city and state.
    :param ladas_of: (folded city, state) and ("", state) to area codes.
    :param postal: Prefix of a postal code to state and municipality.
    :param postal_of: (folded municipality, state) and ("", state) to prefixes.
    """

    state_forms: Mapping[str, str]
    state_names: Mapping[str, tuple[str, ...]]
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


def place_key(text: str) -> str:
    """Return the look-up key of a place: folded, without points.

    :param text: A place as it stands in the document.
    :return: E.g. ``edo mex`` for ``Edo. Méx.``.
    """
    return " ".join(fold_key(text).replace(".", " ").split())


def reads_well(name: str) -> bool:
    """Tell whether a place may serve as a surrogate.

    :param name: The place.
    :return: False for e.g. ``Las Palomas (Lajillas)``.
    """
    parts = name.split()
    plain = not any(sign in name for sign in "().[]/") and not name.isupper()
    odd = fold_key(parts[0]) in _ODD_HEADS or any(c.isdigit() for c in name)
    return plain and len(parts) <= 4 and not odd


# A town that its list has in English only.
_IN_SPANISH = {"Mexico City": "Ciudad de México"}


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
    """Return the places of the shipped gazetteers.

    :return: The atlas, read once.
    """
    forms: dict[str, str] = {}
    names: dict[str, tuple[str, ...]] = {}
    for row in rows("states"):
        short = [form.strip() for form in row["abbreviations"].split(";")]
        names[row["code"]] = (row["name"], *[form for form in short if form])
        for form in names[row["code"]]:
            forms.setdefault(place_key(form), row["code"])
            forms.setdefault(place_key(form).replace(" ", ""), row["code"])
    for row in rows("states"):  # "CAM" of ISO 3166-2:MX in messages of systems
        forms.setdefault(place_key(row["iso"].partition("-")[2]), row["code"])
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
        state_forms=forms,
        state_names=names,
        municipalities=municipalities,
        towns=towns,
        by_state=by_state,
        towns_by_state=towns_by_state,
        foreign=foreign,
        foreign_groups=groups,
        ladas=ladas,
        ladas_of=ladas_of,
        postal=postal,
        postal_of=postal_of,
    )


def state_image(state: str, context: Context) -> str:
    """Return the state that a state becomes.

    :param state: CURP code.
    :param context: Key and settings.
    :return: CURP code; the same if the settings keep states or it is abroad (NE).
    """
    if context.settings.places == "same_state" or state not in STATES:
        return state
    group = _MANY if state in _MANY else _FEW
    index = context.draw.permute(len(group), group.index(state), "state", group[0])
    return group[index]


def near_rank(
    rank: int, old: Sequence[Place], new: Sequence[Place], name: str, context: Context
) -> Place:
    """Return a place of similar rank in another list.

    The new list is cut into classes of at least twenty places: that of the similar rank
    is gone through by a keyed permutation, so that two towns of a note do not fall
    together, and a small town does not show by its rank which one it was.

    :param rank: Rank of the old place.
    :param old: Places of the old state.
    :param new: Places of the new state.
    :param name: Folded name of the old place, which the new one may not hold.
    :param context: Key and settings.
    :return: One of the new places.
    """
    usable = [place for place in new if place.plain] or list(new)
    classes = max(1, len(usable) // SMALLEST_CLASS)
    number = min(rank * classes // max(1, len(old)), classes - 1)
    last = number == classes - 1
    start = number * SMALLEST_CLASS
    choices = usable[start:] if last else usable[start : start + SMALLEST_CLASS]
    index = context.draw.permute(
        len(choices), rank % len(choices), "place", choices[0].state, number
    )
    for _ in choices:
        if f" {name} " not in f" {choices[index].key} ":
            break
        index = (index + 1) % len(choices)
    return choices[index]


def _enough(first: Sequence[Place], more: Sequence[Place]) -> list[Place]:
    """Return the places of a state; further ones if they are too few to hide in."""
    first = [place for place in first if place.plain] or list(first)
    if len(first) >= SMALLEST_CLASS:
        return first
    names = {place.key for place in first}
    others = [p for p in more if p.key not in names and p.plain]
    return [*first, *others[: SMALLEST_CLASS - len(first)]]


def municipality_image(place: Place, context: Context) -> Place:
    """Return the municipality that a municipality becomes, of similar rank.

    :param place: The municipality.
    :param context: Key and settings.
    :return: Another municipality, in the state that its state becomes; in a state of
        few municipalities also one of its larger towns.
    """
    world = atlas()
    target = state_image(place.state, context)
    new = _enough(world.by_state[target], world.towns_by_state.get(target, ()))
    return near_rank(place.rank, world.by_state[place.state], new, place.key, context)


def town_image(place: Place, context: Context) -> Place:
    """Return the town that a town becomes, of similar rank.

    :param place: The town.
    :param context: Key and settings.
    :return: Another town, in the state that its state becomes.
    """
    world = atlas()
    target = state_image(place.state, context)
    new = _enough(world.towns_by_state.get(target, ()), world.by_state[target])
    old = world.towns_by_state[place.state]
    return near_rank(place.rank, old, new, place.key, context)


def find_municipality(name: str, state: str = "") -> Place | None:
    """Return the municipality meant by a name.

    :param name: Folded name.
    :param state: CURP code of the state it is in, if known.
    :return: The municipality, of several the largest; None if there is none.
    """
    found = atlas().municipalities.get(name, ())
    return next((p for p in found if p.state == state), found[0] if found else None)
