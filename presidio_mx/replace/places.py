"""Surrogates of municipalities, towns, states and countries, ladas and postal codes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from presidio_mx.replace.context import Context, tag_of
from presidio_mx.replace.states import (
    country_image,
    other_demonym,
    other_letters,
    state_image,
)
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.parts import Part
from presidio_mx.spanish.places import (
    CAPITAL,
    CODES,
    COUNTRY_CODES,
    COUNTRY_NAMES,
    HOME,
    LONG_CODES,
    STATES,
    Place,
    abroad,
    atlas,
    names_abroad,
    parse_place,
)
from presidio_mx.spanish.words import words
from presidio_mx.spanish.writing import match_case, place_key, written_like

# Places that one place may become: fewer would tell which one it was.
SMALLEST_CLASS = 20
_STAYING = words("country_kept")
# What the list writes behind names that several towns have.
_APART = (
    *COUNTRY_NAMES.values(),
    *("California", "Texas", "Arizona", "Colorado", "Nuevo México"),
)
# States of at least so many listed towns stay among themselves.
_MANY_TOWNS = 5
_HERE = {"MEX": "MX", "MX": "MEX"}
# No short form of a state is longer: "Edo de México", but "Distrito Federal".
_SHORT_STATE = 13


def town_image(place: Place, context: Context) -> Place:
    """Return the municipality or town that a place becomes, of similar rank.

    The new list is cut into classes of at least twenty places: that of the similar rank
    is gone through by a keyed permutation, so that two towns of a note do not fall
    together, and a small town does not show by its rank which one it was.

    :param place: The place.
    :param context: Key and settings.
    :return: Another one, in the state that its state becomes; in a state of few
        municipalities also one of its larger towns.
    """
    world = atlas()
    target = state_image(place.state, context)
    old = world.state_of(place)
    new = _usable(target, old is not world.by_state[place.state])
    classes = max(1, len(new) // SMALLEST_CLASS)
    number = min(place.rank * classes // max(1, len(old)), classes - 1)
    start = number * SMALLEST_CLASS
    last = number == classes - 1
    choices = new[start:] if last else new[start : start + SMALLEST_CLASS]
    at = place.rank % len(choices)
    at = context.draw.permute(len(choices), at, "place", choices[0].state, number)
    for _ in choices:
        if f" {place.key} " not in f" {choices[at].key} ":
            break
        at = (at + 1) % len(choices)
    return choices[at]


@cache
def _usable(state: str, towns: bool) -> tuple[Place, ...]:
    """Return the places of a state that read well; more if these are too few."""
    world = atlas()
    first, more = world.by_state[state], world.towns_by_state.get(state, ())
    if towns:
        first, more = more, first
    usable = [place for place in first if place.plain] or list(first)
    if len(usable) < SMALLEST_CLASS:
        names = {place.key for place in usable}
        others = [p for p in more if p.key not in names and p.plain]
        usable += others[: SMALLEST_CLASS - len(usable)]
    return tuple(usable)


def some_town(label: str, context: Context, state: str = "") -> str:
    """Return a town of the state that a state becomes, or the note's, else of any.

    :param label: What it stands for.
    :param context: Key, settings, what the note says.
    :param state: CURP code.
    """
    home = state or context.note.state
    if home not in STATES:
        home = STATES[context.draw.number(len(STATES), "home", label)]
    choices = _usable(state_image(home, context), False)
    at = context.draw.number(len(choices), "town", label)
    while choices[at].key == label:
        at = (at + 1) % len(choices)
    return choices[at].name


def surrogate_place(text: str, context: Context) -> str:
    """Return the surrogate of a place: municipality to municipality, state to state.

    :param text: The place as it stands in the document, "Morelia, Mich." included.
    :param context: Key, settings, what the note says.
    :return: A place of the same kind; a municipality and its state still agree.
    """
    note = context.note
    # "MEX" beside a city of the state of México is that state, else it is the country.
    if note.state not in ("", "MC") and text.strip() in _HERE:
        return _HERE[text.strip()]
    parts = parse_place(text, note.cities)
    kinds = {part.kind for part in parts}
    if kinds == {"head"}:
        return tag_of("LOCATION")
    land = _land(parts) or note.lands.get(place_key(text), "")
    state = note.state
    for part in parts:
        if part.kind == "state":
            state = atlas().state_forms.get(part.key, state)
    written = []
    for part in parts:
        new = part.text
        if (
            part.kind in ("town", "unknown", "abroad")
            and land
            and not names_abroad(part.text)
        ):
            image = _near_land(part.key, land, context)
            if image is None:
                return tag_of("LOCATION")
            new = written_like(part.text, image)
        elif part.kind and part.kind != "head":
            image = _image(part, state, context)
            if image is None:
                return tag_of("LOCATION")
            new = image
        written.append(new)
    return "".join(written)


def state_in(text: str, cities: frozenset[str] = frozenset()) -> str:
    """Return the CURP code of the state that a text names, and nothing else.

    :param text: A place as it stands in the document.
    :param cities: Folded names of states that are cities here.
    """
    parts = [part for part in parse_place(text, cities) if part.kind]
    if len(parts) != 1 or parts[0].kind != "state":
        return ""
    key, forms = parts[0].key, atlas().state_forms
    return forms.get(key) or forms.get(key.replace(" ", ""), text.strip())


def _land(parts: Sequence[Part]) -> str:
    """Return the country or state abroad that stands behind a town."""
    lands = [p.text for p in parts if p.kind in ("country", "abroad")]
    return lands[-1] if len(parts) > 1 and lands and names_abroad(lands[-1]) else ""


def _image(part: Part, state: str, context: Context) -> str | None:
    """Return what one part becomes; None if nothing of its kind is known."""
    key, text = part.key, part.text
    if part.kind == "demonym":
        return other_demonym(text, context) or None
    if part.kind == "home":
        return match_case(text, HOME[key])
    if part.kind == "code":
        codes = CODES if text.strip() in CODES else LONG_CODES
        at = codes.index(text.strip())
        return codes[context.draw.permute(len(codes), at, "country code")]
    if part.kind == "state":
        if key == CAPITAL:  # "en la Ciudad de México" takes no name of a state
            return written_like(text, _city_of(state_image("DF", context)))
        return _state_like(text, context)
    if part.kind == "country":
        image = _country(key, context)
        return None if image is None else written_like(text, image)
    if part.kind == "abroad":
        image = us_state(text, context) or _town_abroad(key, context)
        return None if image is None else written_like(text, image)
    state = "DF" if key == CAPITAL else state
    alias = context.note.towns.get(key)
    place = alias or atlas().town(key, state)
    if place is None:
        return written_like(text, some_town(key, context, state))
    image = town_image(place, context).name
    if alias and alias.key != key:  # "Ixtlahuacán" of "Ixtlahuacán de los Membrillos"
        image = short_name(image)
    return written_like(text, image, place.name)


def _city_of(state: str) -> str:
    """Return the capital of a state, called a city as that of the country is."""
    capital = _capitals()[state]
    return capital if capital.startswith("Ciudad") else f"Ciudad de {capital}"


@cache
def _capitals() -> Mapping[str, str]:
    return {row["code"]: row["capital"] for row in rows("states")}


def short_name(name: str) -> str:
    """Return a town's name without whom it is named after: "Tixtla de Guerrero".

    :param name: The whole name.
    """
    head, _, tail = name.partition(" de ")
    return head if tail and place_key(head) not in ("san", "villa", "ciudad") else name


def _state_like(text: str, context: Context) -> str:
    """Return the state that a state becomes, written as short as the original."""
    world = atlas()
    if text.strip() in STATES and place_key(text) not in world.state_forms:
        return state_image(text.strip(), context)  # "Edo. nac.: VZ"
    if text.isupper() and text.isalpha() and len(text) > 2:
        if letters := other_letters(text, context):
            return letters
    key = place_key(text)
    form = key if key in world.state_forms else key.replace(" ", "")
    old = world.state_names[world.state_forms[form]]
    names = world.state_names[state_image(world.state_forms[form], context)]
    whole = key == place_key(old[0]) or (len(text) > _SHORT_STATE and "." not in text)
    if whole or len(names) == 1:
        return written_like(text, names[0], old[0])
    short = names[1:]
    pointed = [n for n in short if "." in n] or list(short)
    if "." not in text:  # "Gro" as "Ver", not as the long name
        pointed = [n for n in short if "." not in n]
        pointed += [n.replace(".", "") for n in short if n.count(".") == 1]
        pointed = [n for n in pointed if " " not in n or " " in text] or pointed
        pointed = [n for n in pointed if n.upper() == n or n.istitle()] or pointed
    alike = [n for n in pointed if n.isupper() == text.strip(". ").isupper()]
    new = min(alike or pointed, key=lambda name: abs(len(name) - len(text)))
    return match_case(text, new) if text.islower() or text.isupper() else new


def _country(key: str, context: Context) -> str | None:
    """Return the country that a country becomes; the towns of its list go with it.

    The United States and Spain stay: telephones and the many towns there are named
    for stay in them too.
    """
    if key in COUNTRY_CODES:
        return COUNTRY_NAMES[country_image(COUNTRY_CODES[key], context.draw)]
    group = atlas().foreign_groups["country", ""]
    keys = {place_key(name): name for name in group}
    if key in _STAYING:
        return keys.get(key)
    others = [name for k, name in keys.items() if k not in {*COUNTRY_CODES, *_STAYING}]
    if key not in keys:
        return None
    at = others.index(keys[key])
    return others[context.draw.permute(len(others), at, "country")]


@cache
def _us_groups() -> dict[str, tuple[str, ...]]:
    """Return the states of the United States with about as many towns as each."""
    towns = Counter(abroad().us_towns.values())
    sizes = {
        code: 2 if towns[code] >= _MANY_TOWNS else min(towns[code], 1)
        for code in sorted(set(abroad().us_states.values()))
    }
    return {
        code: tuple(other for other in sizes if sizes[other] == size)
        for code, size in sizes.items()
    }


def _us_image(code: str, context: Context) -> str:
    """Return the state of the United States that a state becomes."""
    group = _us_groups()[code]
    return group[
        context.draw.permute(len(group), group.index(code), "us state", group[0])
    ]


def us_state(text: str, context: Context) -> str | None:
    """Return the state that a state of the United States becomes.

    :param text: Its name, or its two letters.
    :param context: The key.
    :return: A name, or two letters; None if it is no such state.
    """
    far = abroad()
    code = far.us_state(text)
    if not code or (place_key(text) in far.us_towns and text.strip() != code):
        return None
    image = _us_image(code, context)
    if text.strip() == code:
        return image
    for name in atlas().foreign_groups["state", "US"]:
        if far.us_states.get(place_key(name)) == image:
            return name
    # Georgia stands among the countries.
    return next(key for key, code in far.us_states.items() if code == image).title()


def _alone(town: str) -> str:
    """Return a town without the state or country that the list tells it apart by."""
    for name in _APART:
        town = town.removesuffix(f" {name}")
    return town


def _towns_of(land: str) -> list[str]:
    """Return the towns of a country."""
    return [
        *atlas().foreign_groups.get(("city", land), ()),
        *abroad().of.get((land, ""), ()),
    ]


def _drawn(
    choices: Sequence[str], key: str, label: str, context: Context
) -> str | None:
    """Return one of some towns that is not the one of a key."""
    if not choices:
        return None
    first = context.draw.number(len(choices), label, key)
    for step in range(len(choices)):
        name = _alone(choices[(first + step) % len(choices)])
        if place_key(name) != key:
            return name
    return None


def _near_land(key: str, land: str, context: Context) -> str | None:
    """Return a town where a country or state abroad goes; None if no list has any."""
    code = abroad().us_state(land)
    if code:
        choices: Sequence[str] = abroad().of.get(("US", _us_image(code, context)), ())
    elif place_key(land) in COUNTRY_CODES:
        choices = _towns_of(country_image(COUNTRY_CODES[place_key(land)], context.draw))
    else:
        return None
    return _drawn(choices, key, "abroad", context)


def _town_abroad(key: str, context: Context) -> str | None:
    """Return a town, province or state for one abroad, where its own land goes."""
    far, world = abroad(), atlas()
    if key in far.us_towns:
        choices = far.of["US", _us_image(far.us_towns[key], context)]
        return _drawn(choices, key, "us town", context)
    kind, land = world.foreign.get(key, ("", ""))
    if kind and kind != "city":
        members = list(world.foreign_groups[kind, land])
        keys = [place_key(name) for name in members]
        return members[context.draw.permute(len(members), keys.index(key), kind, land)]
    country, state = far.towns.get(key, (land, ""))
    if state:
        group = far.of.get((country, _us_image(state, context)), ())
        return _drawn(group, key, "world", context)
    if country in COUNTRY_NAMES:
        choices = _towns_of(country_image(country, context.draw))
        return _drawn(choices, key, "abroad", context)
    choices = _towns_of(country)
    if len(choices) < SMALLEST_CLASS:
        choices = far.of.get(("continent", far.continents.get(country, "")), choices)
    return _drawn(choices, key, "world", context)


def _one(options: Sequence[str], label: str, context: Context) -> str:
    return options[context.draw.number(len(options), "one", label)]


def lada_image(lada: str, context: Context) -> str:
    """Return the area code that an area code becomes.

    It is the code of the city that its city becomes; if the note's city lies in the
    same state, the code of the city that this one becomes.

    :param lada: Area code of two or three digits.
    :param context: Key, settings, what the note says.
    """
    world = atlas()
    city, state = world.ladas.get(lada, ("", ""))
    state = state or context.note.state  # that of some codes is in no list
    alike = [c for c in world.ladas if len(c) == len(lada) and c != lada]
    if not state:
        return _one(sorted(alike), lada, context)
    name, target = _where(city, state, context)
    options = world.ladas_of.get((name, target)) or world.ladas_of.get(("", target), ())
    fitting = [code for code in options if code != lada]
    return _one(sorted(fitting or alike), name or lada, context)


def _where(city: str, state: str, context: Context) -> tuple[str, str]:
    """Return the folded municipality and the state that those of a code become."""
    if context.note.state == state and context.note.city:
        city = context.note.city
    found = atlas().municipalities.get(city, ())
    place = next((p for p in found if p.state == state), found[0] if found else None)
    if place is None:
        return "", state_image(state, context)
    image = town_image(place, context)
    return image.key, image.state


def postal_image(code: str, context: Context) -> str:
    """Return the postal code that a postal code becomes.

    :param code: Five digits.
    :param context: Key, settings, what the note says.
    :return: A code whose prefix belongs to the place that its place becomes.
    """
    world = atlas()
    city, state = world.postal.get(code[:3]) or world.postal.get(code[:2], ("", "MC"))
    name, target = _where(city, state, context)
    options = world.postal_of.get((name, target)) or world.postal_of.get(("", target))
    prefix = _one(sorted(options), name or code[:2], context) if options else ""
    tail = code[len(prefix) :]
    size = 10 ** len(tail)
    return prefix + f"{context.draw.permute(size, int(tail), 'postal'):0{len(tail)}d}"


def place_state(
    text: str, hint: str = "", cities: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """Return municipality and state of a place, as far as the lists know them.

    :param text: A place as it stands in the document.
    :param hint: CURP code of the state the document is about.
    :param cities: Folded names that are cities here, though states are called so, too.
    :return: Folded municipality (or ``""``) and CURP code (or ``""``).
    """
    key = place_key(text)
    world = atlas()
    if key in world.state_forms and key not in cities:
        return "", world.state_forms[key]
    place = world.town(key, hint)
    if place is None:
        return "", world.state_forms.get(key, "")
    return (key if key in world.municipalities else ""), place.state


def general_place(text: str, level: str) -> str | None:
    """Return the state or country that a place lies in.

    :param text: A place as it stands in the document.
    :param level: ``state`` or ``country``.
    :return: None if no list knows it.
    """
    world = atlas()
    for part in reversed([part.strip(" ()") for part in text.split(",")]):
        _, state = place_state(part)
        if state in world.state_names:
            return "México" if level == "country" else world.state_names[state][0]
        kind, country = world.foreign.get(place_key(part), ("", ""))
        if kind == "country":
            return part
        if country and level == "country":
            return country
    return None
