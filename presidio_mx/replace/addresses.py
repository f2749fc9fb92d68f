"""Surrogates of addresses: kinds of street and words stay, names and numbers change."""

import re
from itertools import pairwise

from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.places import postal_image, surrogate_place
from presidio_mx.replace.shapes import other_number, permute_code
from presidio_mx.replace.spoken import other_number_words
from presidio_mx.spanish.addresses import ORDINALS, parse_address, street_names
from presidio_mx.spanish.name_lists import PARTICLES
from presidio_mx.spanish.numbers import ordinal_end
from presidio_mx.spanish.parts import Part
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.words import words
from presidio_mx.spanish.writing import (
    match_case,
    place_key,
    plain_spelling,
    strip_accents,
    writes_no_accents,
    written_like,
)
from presidio_mx.text.folding import fold, fold_key

_KEPT = words("surrogate_kept") | PARTICLES
_NUMBER_SIGN = re.compile(r"\b[Nn]0\b(?=\.?\s*\d)")
_MARKERS = words("surrogate_street", "surrogate_quarter", "surrogate_numbered")


def other_street(kind: str, name: str, draw: Draw) -> str:
    """Return the name that a name of a street or quarter becomes.

    :param kind: ``street``, ``hero`` or ``quarter``.
    :param name: The name as it stands in the document.
    :param draw: Keyed numbers.
    :return: Another name of the list.
    """
    names, places = street_names(kind)
    key = fold_key(name)
    if key in places:
        return names[draw.permute(len(names), places[key], kind)]
    at = draw.number(len(names), kind, key)
    own = set(key.split())
    while own & set(fold_key(names[at]).split()) - _KEPT:
        at = (at + 1) % len(names)
    return names[at]


def surrogate_address(text: str, context: Context) -> str:
    """Return the surrogate of an address.

    Street names go to street names, quarters to quarters, numbers to numbers of as
    many digits; the postal code goes to one of the surrogate city.

    :param text: The address as it stands in the document.
    :param context: Key, settings, what the note says.
    :return: Another address of the same make.
    """
    sign = "O" if text.isupper() else "o"  # "N0. 307" of a scan
    text = _NUMBER_SIGN.sub(lambda match: match[0][0] + sign, text)
    if _is_town(text):
        return surrogate_place(text, context)
    plain = writes_no_accents(text)
    parts = parse_address(text)
    written: list[str] = []
    for before, part in pairwise((Part("", ""), *parts)):
        new = _image(part, before, written[-1] if written else "", context)
        written.append(plain_spelling(new) if plain and part.kind else new)
    return "".join(written)


def _image(part: Part, before: Part, number: str, context: Context) -> str:
    text, draw = part.text, context.draw
    if part.kind == "number":
        return other_number(text, "number", draw)
    if part.kind in ("street", "quarter"):
        names, places = street_names(part.kind)
        known = names[places[part.key]] if part.key in places else ""
        return written_like(text, other_street(part.kind, text, draw), known)
    if part.kind == "road":
        road = "Ciudad de México" if part.key == "mexico" else text
        return surrogate_place(road, context)
    if part.kind == "postal":
        return postal_image(part.key, context)
    if part.kind == "letter":
        lot = permute_code(strip_accents(text).upper(), "letter", draw)
        return match_case(text + text, lot)
    if part.kind == "ordinal":
        group = ORDINALS[0] if part.key in ORDINALS[0] else ORDINALS[1]
        at = draw.permute(
            len(group), group.index(part.key), "ordinal", len(ORDINALS[0])
        )
        return match_case(text, group[at])
    if part.kind == "ending" and before.kind == "number":
        return match_case(text + text, ordinal_end(fold(text), number))
    if part.kind == "words":
        return other_number_words(text, draw, least=1)
    return text


def _is_town(text: str) -> bool:
    """Tell whether an address is nothing but a town: "Cancún"."""
    key, world = place_key(text), atlas()
    if key.partition(" ")[0] in _MARKERS:
        return False
    if not (world.has_town(key) or key in world.state_forms):
        return False
    return all(fold_key(text) not in street_names(k)[1] for k in ("street", "quarter"))
