"""Surrogates of municipalities, towns, states and countries."""

import re
from collections.abc import Container, Sequence

from presidio_mx.replace.surrogates.abroad import (
    country,
    foreign_place,
    is_city_abroad,
    names_abroad,
    town_abroad,
    us_state,
)
from presidio_mx.replace.surrogates.atlas import (
    STATES,
    atlas,
    find_municipality,
    municipality_image,
    place_key,
    state_image,
    town_image,
)
from presidio_mx.replace.surrogates.case import (
    match_case,
    match_marks,
    writes_no_accents,
)
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.countries import country_code
from presidio_mx.replace.surrogates.demonyms import demonym_image
from presidio_mx.replace.surrogates.shape import has_accents
from presidio_mx.replace.surrogates.unread import tag_of
from presidio_mx.spanish.words import either, words
from presidio_mx.text.folding import fold

_PARTS = re.compile(r"(\s*[,;/()]\s*|\s+-\s+|\n\s*)")
_OF_STATE = ("estado", "edo")
_HERE = {"MEX": "MX", "MX": "MEX"}
_WAYS = (
    ("México", "República Mexicana"),
    ("República Mexicana", "México"),
    ("Estados Unidos Mexicanos", "República Mexicana"),
    ("Estados Unidos", "EE. UU."),
    ("EE. UU.", "Estados Unidos"),
    ("EEUU", "Estados Unidos"),
    ("EUA", "USA"),
    ("USA", "EUA"),
)
_OPENING = words("place_opening")
_HEADS_ALONE = words("place_head_alone")
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
    pointed = [n for n in short if "." in n] or list(short)
    if "." not in text:  # "Gro" as "Ver", not as the long name
        pointed = [n for n in short if "." not in n]
        pointed += [n.replace(".", "") for n in short if n.count(".") == 1]
        pointed = [n for n in pointed if " " not in n or " " in text] or pointed
        pointed = [n for n in pointed if n.upper() == n or n.istitle()] or pointed
    letters = [n for n in pointed if n.isupper() == text.strip(". ").isupper()]
    return min(letters or pointed, key=lambda name: abs(len(name) - len(text)))


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
        return country(key, context)
    if text.strip() in STATES and key not in world.municipalities:  # "Edo. nac.: VZ"
        return state_image(text.strip(), context)
    known = find_municipality(key, state)
    if known:
        return municipality_image(known, context).name
    far = world.foreign.get(key, ("city", ""))
    if "ñ" in text.lower() and far == ("state", "US"):  # "Montaña" is no Montana
        far = ("city", "")
    if far[0] != "city":
        return foreign_place(key, context) or text
    towns = world.towns.get(key, ())
    town = next((t for t in towns if t.state == state), towns[0] if towns else None)
    if town and (town.state == state or not is_city_abroad(key)):
        return town_image(town, context).name
    abroad = foreign_place(key, context)
    if abroad is not None:
        return abroad
    letters = us_state(text, context)
    if letters is not None:
        return letters
    home = state or STATES[context.draw.number(len(STATES), "home", key)]
    target = state_image(home, context)
    choices = [
        place.name
        for place in world.towns_by_state.get(target) or world.by_state[target]
        if place.key != key and place.plain
    ]
    return choices[context.draw.number(len(choices), "town", key)]


def _mexico(text: str) -> str | None:
    """Return another way to name the country itself, which identifies nobody."""
    forms = {place_key(old): new for old, new in _WAYS}
    new = forms.get(place_key(text))
    return None if new is None else match_case(text, new)


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
        city = not fold(head).startswith(_OF_STATE)
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


def _parts(text: str) -> list[str]:
    """Cut a place at its signs; "Clearwater Florida" before the state or country."""
    parts = _PARTS.split(text)
    spaced = text.split()
    if len(parts) > 1 or len(spaced) < 2 or _is_known(text):
        return parts
    world, opened = atlas(), place_key(spaced[0]) in _OPENING
    for width in (2, 1):
        head, land = " ".join(spaced[:-width]), " ".join(spaced[-width:])
        listed = head and _is_known(head) and place_key(land) in world.state_forms
        opened = opened and not is_city_abroad(place_key(head))
        if head and (listed or (names_abroad(land) and not opened)):
            at = text.rindex(spaced[-width])
            start = len(text[:at].rstrip())
            return [text[:start], text[start:at], text[at:]]
    return parts


def _is_known(text: str) -> bool:
    """Tell whether a list has a place."""
    key, world = place_key(text), atlas()
    lists = (world.state_forms, world.municipalities, world.towns, world.foreign)
    return any(key in known for known in lists)


def _abroad(parts: Sequence[str], land: str, context: Context) -> str:
    """Return the surrogate of a place with its country or state abroad.

    What no list has becomes a town there, or all of it the tag: never a hamlet in
    Mexico.
    """
    written = []
    for index, part in enumerate(parts):
        if index % 2 or not part.strip():
            written.append(part)
            continue
        key = place_key(part)
        if names_abroad(part):
            new = us_state(part, context)
            if new is None and _is_known(part):
                new = _plain_place(part, "", False, context)
        else:
            new = foreign_place(key, context, alone=False)
            new = new or town_abroad(key, land, context)
        if new is None:
            return tag_of("LOCATION")
        written.append(
            match_marks(part, match_case(part, new), writes_no_accents(part))
        )
    return "".join(written)


def surrogate_place(text: str, context: Context) -> str:
    """Return the surrogate of a place: municipality to municipality, state to state.

    :param text: The place as it stands in the document, "Morelia, Mich." included.
    :param context: Key, settings and facts.
    :return: A place of the same kind; a municipality and its state still agree.
    """
    if not any(c.isalpha() for c in text):
        return text
    if place_key(text) in _HEADS_ALONE:
        return tag_of("LOCATION")
    people = demonym_image(text, context)
    if people:
        return people
    home = _mexico(text)
    if home is not None:
        return home
    # "MEX" beside a city of the state of México is that state, else it is the country.
    elsewhere = context.facts.state not in ("", "MC") and text.strip() in _HERE
    if elsewhere:
        return _HERE[text.strip()]
    code = None if context.facts.city else country_code(text, context)
    if code is not None:
        return code
    parts = _parts(text)
    land = next((part for part in reversed(parts[2::2]) if names_abroad(part)), "")
    if land:
        return _abroad(parts, land, context)
    land = context.facts.abroad.get(place_key(text), "")
    if land:
        image = _abroad([text, ", ", land], land, context)
        return image.split(", ")[0]
    if len(parts) == 1 and names_abroad(text):
        return _abroad(parts, text, context)
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
