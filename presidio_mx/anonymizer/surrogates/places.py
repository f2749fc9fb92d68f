"""Surrogates of municipalities, towns, states and countries."""

import re
from collections.abc import Container

from presidio_mx.anonymizer.surrogates.atlas import (
    STATES,
    atlas,
    find_municipality,
    municipality_image,
    near_rank,
    place_key,
    reads_well,
    state_image,
)
from presidio_mx.anonymizer.surrogates.case import (
    match_case,
    match_marks,
    writes_no_accents,
)
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.shape import has_accents
from presidio_mx.folding import fold
from presidio_mx.words import either, words

_US_STATES = "AZ CA CO FL GA IL MI NC NM NV NY OH OR TN TX UT WA WI"
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
_STAYING = words("country_kept")
_PARTS = re.compile(r"(\s*[,;/()]\s*|\s+-\s+|\n\s*)")
_HEADS = re.compile(rf"{either('place_head')}\s+(?:de\s+)?")


def place_state(
    text: str, hint: str = "", cities: Container[str] = ()
) -> tuple[str, str]:
    """Return municipality and state of a place, as far as the lists know them.

    :param text: A place as it stands in the document.
    :param hint: CURP code of the state the document is about.
    :param cities: Folded names that are cities here, though states are called so too.
    :return: Folded municipality (or ``""``) and CURP code (or ``""``).
    """
    key = place_key(text)
    world = atlas()
    if key in world.state_forms and key not in cities:
        return "", world.state_forms[key]
    place = find_municipality(key, hint)
    if place:
        return key, place.state
    towns = world.towns.get(key, ())
    town = next((t for t in towns if t.state == hint), towns[0] if towns else None)
    if town:
        return "", town.state
    return "", world.state_forms.get(key, "")


def _state_like(text: str, state: str) -> str:
    """Write a state as short as the original is written."""
    names = atlas().state_names[state]
    key = place_key(text)
    old = atlas().state_names[atlas().state_forms[key.replace(" ", "")]]
    if key == place_key(old[0]) or len(names) == 1:
        return names[0]
    short = names[1:]
    pointed = [n for n in short if ("." in n) == ("." in text)] or short
    letters = [n for n in pointed if n.isupper() == text.strip(". ").isupper()]
    return (letters or pointed)[0]


def _foreign(key: str, context: Context) -> str | None:
    world = atlas()
    group = world.foreign.get(key)
    if group is None:
        return None
    kind, country = group
    members = sorted(world.foreign_groups[group], key=place_key)
    if kind == "city" and country in {code for _, code in _COUNTRIES}:
        target = _COUNTRIES[_country_image(country, context)][1]
        members = sorted(world.foreign_groups[kind, target], key=place_key)
        return members[context.draw.number(len(members), "abroad", key)]
    keys = [place_key(name) for name in members]
    if len(members) < 2:
        return members[0]
    return members[
        context.draw.permute(len(members), keys.index(key), "foreign", *group)
    ]


def _country(key: str, context: Context) -> str:
    """Return the country that a country becomes; the towns of its list go with it.

    The United States and Spain stay: telephones and the many towns there are named
    for stay in them too.
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


def _plain_place(text: str, state: str, city: bool, context: Context) -> str:
    """Return the surrogate of one place in its usual spelling.

    A name that a state and a city share ("Colima") is the state unless the text says
    otherwise.
    """
    world = atlas()
    key = place_key(text)
    form = key if key in world.state_forms else key.replace(" ", "")
    if form in world.state_forms and not city:
        return _state_like(text, state_image(world.state_forms[form], context))
    if world.foreign.get(key, ("", ""))[0] == "country":
        return _country(key, context)
    known = find_municipality(key, state)
    if known:
        return municipality_image(known, context).name
    if world.foreign.get(key, ("city", ""))[0] != "city":
        return _foreign(key, context) or text
    towns = world.towns.get(key, ())
    town = next((t for t in towns if t.state == state), towns[0] if towns else None)
    if town:
        old = world.towns_by_state[town.state]
        new = world.towns_by_state.get(state_image(town.state, context)) or old
        return near_rank(town.rank, old, new, key, context).name
    abroad = _foreign(key, context)
    if abroad is not None:
        return abroad
    if re.fullmatch(r"[A-Z]{2}", text.strip()):
        codes = [code for code in _US_STATES.split() if code != text.strip()]
        return codes[context.draw.number(len(codes), "us state", key)]
    home = state or STATES[context.draw.number(len(STATES), "home", key)]
    target = state_image(home, context)
    choices = [
        place.name
        for place in world.towns_by_state.get(target) or world.by_state[target]
        if place_key(place.name) != key and reads_well(place.name)
    ]
    return choices[context.draw.number(len(choices), "town", key)]


def _one_place(text: str, state: str, city: bool, context: Context) -> str:
    world = atlas()
    key = place_key(text)
    city = city or key in context.facts.cities
    if text in world.state_names.get(world.state_forms.get(key, ""), ()) and not city:
        return _plain_place(text, state, False, context)
    head = ""
    known = key in world.municipalities or key in world.state_forms
    match = None if known else _HEADS.match(fold(text))
    if match and match.end() < len(text):
        head, text = text[: match.end()], text[match.end() :]
        city = True
    new = _plain_place(text, state, city, context)
    plain = writes_no_accents(text) or _drops_accents(text)
    return head + match_marks(text, match_case(text, new), plain)


def _drops_accents(text: str) -> bool:
    """Tell whether a known place is written without the accents it has."""
    key = place_key(text)
    world = atlas()
    names = [p.name for p in (*world.municipalities.get(key, ()),)]
    names += [world.state_names[s][0] for k, s in world.state_forms.items() if k == key]
    return not has_accents(text) and any(has_accents(name) for name in names)


def surrogate_place(text: str, context: Context) -> str:
    """Return the surrogate of a place: municipality to municipality, state to state.

    :param text: The place as it stands in the document, "Morelia, Mich." included.
    :param context: Key, settings and facts.
    :return: A place of the same kind; a municipality and its state still agree.
    """
    if not any(c.isalpha() for c in text):
        return text
    parts = _PARTS.split(text)
    state = context.facts.state
    for part in parts[2::2]:
        state = atlas().state_forms.get(place_key(part), state)
    written = []
    for index, part in enumerate(parts):
        if index % 2 or not part.strip():
            written.append(part)
            continue
        after = place_key(parts[index + 2]) if index + 2 < len(parts) else ""
        city = after in atlas().state_forms
        written.append(_one_place(part, state, city, context))
    return "".join(written)
