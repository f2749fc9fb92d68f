"""What a value is, where the words before it say another type than was found.

A street that was taken for a person is no person's name, and gets the name of a street.
"""

import re
from collections.abc import Container, Sequence

from presidio_mx.spanish.institutions import SAINTS
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.ordinary import institution_names
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.words import words
from presidio_mx.spanish.writing import place_key
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Span

_NEAR = 24
_STREET = re.compile(
    r"\b(?:calle|av\.?|avenida|blvd\.?|boulevard|calz(?:ada)?\.?|andador|callejon|"
    r"cerrada|prol(?:ongacion)?\.?|portal|col\.?|colonia|fracc(?:ionamiento)?\.?|"
    r"barrio|dom(?:icilio)?\s*[:.]?\s*(?:c\.|calle))\s*[:]?\s*$"
)
_PLACE = re.compile(
    r"\b(?:ejido|ej\.|rancheria|rancho|rcho\.?|comunidad|localidad|mpio\.?|municipio|"
    r"poblado|congregacion|cd\.)(?:\s*:)?\s+(?:de\s+)?$"
)
_ROAD = re.compile(
    r"(?:calle|av\.?|avenida|blvd\.?|boulevard|calzada|privada|andador|callejon|cerrada|"
    r"prol\.|col\.|colonia|fracc\.?|fraccionamiento|barrio|carr\.|carretera)\s+\w"
)
_LEGAL = re.compile(
    r"\bS\.?\s?A\.?(?:\s+de\s+C\.?\s?V)|\bS\.?\s+de\s+R\.?\s?L", re.IGNORECASE
)
_OPENING = frozenset("rincon valle villa puerto ciudad cd hacienda".split())
_HEROES = words("state_of_person")
_TITLED = re.compile(
    r"\b(?:sra?|srta|dra?|don|dona|dn|lic|enf|ing|mtr[ao]|prof[ra]*|c)\.?\s+$"
)
_SHORT_STATE = 5
_CITIES = 2  # the largest of a state; these are no names unless they are usual ones
_FIRMS = words("institution_trade", "firm_trade", "institution_of_town")
_LEADS = re.compile(r"\b(?:de|en|a|desde|para|hacia|del|por)\s+$")
_OFFICER = re.compile(r"\b(?:of\.|oficial|dra?\.|lic\.|comandante|agente)\s+$")


def kinds_of(text: str, spans: Sequence[Span]) -> list[str]:
    """Return the type that each value is of.

    :param text: The document.
    :param spans: Its entities, in reading order.
    """
    people = {
        text[span.start : span.end]
        for span in spans
        if span.entity_type == "PERSON" and span.role
    }
    return [_kind(text, span, people) or span.entity_type for span in spans]


def _kind(text: str, span: Span, people: Container[str]) -> str:
    """Return another type for a value than was found; empty where that is right."""
    if span.entity_type not in ("PERSON", "LOCATION"):
        return ""
    before = fold(text[max(0, span.start - _NEAR) : span.start])
    value = text[span.start : span.end]
    if span.entity_type == "PERSON":
        if _STREET.search(before):
            return "ADDRESS"
        if _LEGAL.search(value) or _opens_as_firm(value):
            return "ORGANIZATION"
        if _PLACE.search(before) or (_is_town(value) and not _TITLED.search(before)):
            return "LOCATION"
        return ""
    if _ROAD.match(fold(value)):
        return "ADDRESS"
    key = place_key(value)
    town = atlas().has_town(key) or key in atlas().state_forms
    if not town and fold_key(value) in institution_names():  # "Conalep"
        return "ORGANIZATION"
    if "surname" not in (name_lists().use(fold_key(value)), name_lists().use(key)):
        return ""
    own = value in people and not _LEADS.search(before)  # "Palma", in one mention alone
    return "PERSON" if own or _OFFICER.search(before) else ""


def _opens_as_firm(value: str) -> bool:
    """Tell whether a name opens with what institutions are: "Laboratorio Ruiz"."""
    first, _, rest = value.partition(" ")
    key = fold_key(first)
    return bool(rest) and key in _FIRMS and not name_lists().knows(key) and len(key) > 3


def _is_town(value: str) -> bool:
    """Tell whether a name is a state's or a town's: "Durango", "Santa Rosalía"."""
    key = place_key(value)
    first, _, rest = key.partition(" ")
    world = atlas()
    if key in world.state_forms and len(key) > _SHORT_STATE and key not in _HEROES:
        return True
    found = world.municipalities.get(key, ())
    if found and found[0].rank < _CITIES and not name_lists().use(key):
        return True  # "SALTILLO"
    opens = first in SAINTS or first in _OPENING
    return opens and bool(rest) and world.has_town(key)
