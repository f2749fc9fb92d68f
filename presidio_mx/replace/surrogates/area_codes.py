"""Area codes of telephones and postal codes go where their places go."""

from collections.abc import Sequence

from presidio_mx.replace.surrogates.atlas import (
    atlas,
    find_municipality,
    municipality_image,
    state_image,
)
from presidio_mx.replace.surrogates.context import Context


def _one(options: Sequence[str], label: str, context: Context) -> str:
    return options[context.draw.number(len(options), "one", label)]


def lada_image(lada: str, context: Context) -> str:
    """Return the area code that an area code becomes.

    It is the code of the city that its city becomes; if the document's city lies in the
    same state, the code of the city that this one becomes.

    :param lada: Area code of two or three digits.
    :param context: Key, settings and facts.
    :return: An area code of two or three digits.
    """
    world = atlas()
    city, state = world.ladas.get(lada, ("", ""))
    if not state:
        options = [code for code in world.ladas if len(code) == len(lada) != 0]
        return _one(sorted(set(options) - {lada}), lada, context)
    if context.facts.state == state and context.facts.city:
        city = context.facts.city
    place = find_municipality(city, state)
    image = municipality_image(place, context) if place else None
    target = image.state if image else state_image(state, context)
    name = image.key if image else ""
    options = list(world.ladas_of.get((name, target), ()))
    options = options or list(world.ladas_of.get(("", target), ()))
    fitting = [code for code in options if code != lada]
    fitting = fitting or [c for c in world.ladas if len(c) == len(lada) and c != lada]
    return _one(sorted(fitting), name or lada, context)


def postal_image(code: str, context: Context) -> str:
    """Return the postal code that a postal code becomes.

    :param code: Five digits.
    :param context: Key, settings and facts.
    :return: A code whose prefix belongs to the place that its place becomes.
    """
    world = atlas()
    city, state = "", ""
    for width in (3, 2):
        city, state = world.postal.get(code[:width], ("", ""))
        if state:
            break
    if context.facts.state and context.facts.state == state and context.facts.city:
        city = context.facts.city
    place = find_municipality(city, state) if city else None
    image = municipality_image(place, context) if place else None
    target = image.state if image else state_image(state or "MC", context)
    name = image.key if image else ""
    options = list(world.postal_of.get((name, target), ()))
    options = options or list(world.postal_of.get(("", target), ()))
    prefix = _one(sorted(options), name or code[:2], context) if options else ""
    tail = code[len(prefix) :]
    size = 10 ** len(tail)
    new = f"{context.draw.permute(size, int(tail), 'postal'):0{len(tail)}d}"
    return prefix + new
