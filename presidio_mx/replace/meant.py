"""What a value is meant as, where the words before it say another type than was found.

A street that was taken for a person is no person's name, and gets the name of a street.
"""

import re
from collections.abc import Container, Sequence
from dataclasses import replace

from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.institution_names import known_institutions
from presidio_mx.replace.surrogates.institution_words import SAINTS
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.scanned import place_read
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Span

_TITLE = 24
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
_NAMES = ("surname", "mixed", "given with", "nickname", "given M", "young", "old")
_FIRMS = words("institution_trade", "firm_trade", "institution_of_town")
_LEADS = re.compile(r"\b(?:de|en|a|desde|para|hacia|del|por)\s+$")
_OFFICER = re.compile(r"\b(?:of\.|oficial|dra?\.|lic\.|comandante|agente)\s+$")


def meant_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans with the type that each value is meant as.

    :param text: The document.
    :param spans: Its entities, in reading order.
    :return: As many spans; a value has another type only if all of its mentions have.
    """
    people = {
        text[span.start : span.end]
        for span in spans
        if span.entity_type == "PERSON" and span.role
    }
    other = [_meant(text, span) or _whose(text, span, people) for span in spans]
    held = {
        (span.entity_type, text[span.start : span.end])
        for span, kind in zip(spans, other, strict=True)
        if not kind
    }
    return [
        replace(span, entity_type=kind, role=None)
        if kind and (span.entity_type, text[span.start : span.end]) not in held
        else span
        for span, kind in zip(spans, other, strict=True)
    ]


def _meant(text: str, span: Span) -> str:
    """Return the type that a span is meant as; empty where it is the one found."""
    before = fold(text[max(0, span.start - _TITLE) : span.start])
    value = text[span.start : span.end]
    if span.entity_type == "PERSON":
        if _STREET.search(before):
            return "ADDRESS"
        if _LEGAL.search(value) or _opens_as_firm(value):
            return "ORGANIZATION"
        if _PLACE.search(before) or (_is_town(value) and not _TITLED.search(before)):
            return "LOCATION"
    if span.entity_type == "LOCATION" and _ROAD.match(fold(value)):
        return "ADDRESS"
    if span.entity_type == "LOCATION" and _is_institution(value):
        return "ORGANIZATION"
    if span.entity_type == "LOCATION" and _OFFICER.search(before):
        entry = lexicon().words.get(place_key(value))
        if entry is not None and "surname" in entry.group:
            return "PERSON"
    return ""


def _whose(text: str, span: Span, people: Container[str]) -> str:
    """Return PERSON for a surname that is a place in one mention alone: "Palma"."""
    value = text[span.start : span.end]
    before = fold(text[max(0, span.start - _TITLE) : span.start])
    if span.entity_type != "LOCATION" or value not in people or _LEADS.search(before):
        return ""
    entry = lexicon().words.get(fold_key(value))
    return "PERSON" if entry is not None and "surname" in entry.group else ""


def _is_institution(value: str) -> bool:
    """Tell whether a place is an institution of the list and no town: "Conalep"."""
    key, world = place_key(value), atlas()
    town = world.has_town(key) or key in world.state_forms
    return not town and fold_key(value) in known_institutions()[0]


def _opens_as_firm(value: str) -> bool:
    """Tell whether a name opens with what institutions are: "Laboratorio Ruiz"."""
    first, _, rest = value.partition(" ")
    key = fold_key(first)
    return bool(rest) and key in _FIRMS and key not in lexicon().words and len(key) > 3


def _is_town(value: str) -> bool:
    """Tell whether a name is a state's or a town's: "Durango", "Santa Rosalía"."""
    key = place_key(place_read(value))
    first, _, rest = key.partition(" ")
    known = atlas().has_town(key)
    if key in atlas().state_forms and len(key) > _SHORT_STATE and key not in _HEROES:
        return True
    entry = lexicon().words.get(key)
    named = entry is not None and entry.group[:-1].startswith(_NAMES)
    found = atlas().municipalities.get(key, ())
    if found and found[0].rank < _CITIES and not named:  # "SALTILLO", "Morelia"
        return True
    opens = first in SAINTS or first in _OPENING
    return opens and bool(rest) and known
