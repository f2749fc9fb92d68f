"""Which function makes the surrogate of which entity."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from presidio_mx.entities import kind_of
from presidio_mx.replace import codes, web
from presidio_mx.replace.addresses import surrogate_address
from presidio_mx.replace.ages import surrogate_age
from presidio_mx.replace.calendar import moved
from presidio_mx.replace.context import Context, tag_of
from presidio_mx.replace.institutions import surrogate_institution
from presidio_mx.replace.mentions import clean_name
from presidio_mx.replace.names import surrogate_name
from presidio_mx.replace.phones import surrogate_phone
from presidio_mx.replace.places import state_in, surrogate_place
from presidio_mx.replace.records import (
    surrogate_device,
    surrogate_license,
    surrogate_record,
)
from presidio_mx.replace.shapes import scramble
from presidio_mx.replace.spoken import (
    holds_other_words,
    is_spoken,
    other_code_words,
    other_said_code,
    other_spelt_name,
    spells,
)
from presidio_mx.spanish.codes import CURP
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.numbers import read_spoken
from presidio_mx.spanish.ordinary import ordinary_words
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.scans import (
    boxed_like,
    digits_read,
    escaped_like,
    letters_read,
    unboxed,
    unescaped,
)
from presidio_mx.spanish.writing import alphanumeric, spaced_words, well_decoded

_ATTEMPTS = 4
# Of these a surrogate may be no part of its original either: "Hospital Infantil".
_NAMED = frozenset({"ORGANIZATION", "PERSON"})
# A shorter code or word stands in many others by chance: "3" in "UMF 31".
_SHORTEST_CODE, _SHORTEST_WORDS = 5, 4


def shows(original: str, new: str) -> bool:
    """Tell whether a surrogate is its original or holds it, whatever the spelling.

    :param original: The value as it stands in the document.
    :param new: What is to stand in its place.
    :return: True for ``San Juan`` in ``San Juan Tetelcingo``.
    """
    old_code, new_code = alphanumeric(original), alphanumeric(new)
    if not old_code:
        return original == new
    if old_code == new_code:
        return True
    if len(old_code) > len(new_code):
        return False
    if any(c.isdigit() for c in old_code):
        return len(old_code) >= _SHORTEST_CODE and old_code in new_code
    if len(old_code) < _SHORTEST_WORDS or old_code not in new_code:
        return False
    return f" {spaced_words(original)} " in f" {spaced_words(new)} "


def guarded(
    entity_type: str, text: str, make: Callable[[Context], str], context: Context
) -> str:
    """Return a surrogate that does not show its original.

    :param entity_type: What the text is.
    :param text: The value as it stands in the document.
    :param make: Makes the surrogate.
    :param context: Key, settings, what the note says.
    :return: What ``make`` gives, if need be with other keyed numbers; in the end the
        entity's tag.
    """
    kind = kind_of(entity_type)
    new = make(context)
    for attempt in range(_ATTEMPTS):
        if not _shows(kind, text, new):
            return new
        new = make(replace(context, draw=context.draw.again(attempt)))
    return tag_of(kind) if _shows(kind, text, new) else new


def _shows(kind: str, original: str, new: str) -> bool:
    if kind == "ORGANIZATION" and new == original:
        return False  # "Hospital General" names none
    return shows(original, new) or (kind in _NAMED and shows(new, original))


Make = Callable[[str, Context], str]

_FUNCTIONS: Mapping[str, Make] = MappingProxyType(
    {
        "ADDRESS": surrogate_address,
        "PHONE_NUMBER": surrogate_phone,
        "LOCATION": surrogate_place,
        "DATE_TIME": moved,
        "MX_CURP": codes.surrogate_curp,
        "MX_RFC": codes.surrogate_rfc,
        "MX_NSS": codes.surrogate_nss,
        "MX_INE": codes.surrogate_ine,
        "MX_CLABE": codes.surrogate_clabe,
        "CREDIT_CARD": codes.surrogate_card,
        "MEDICAL_RECORD": surrogate_record,
        "DEVICE_ID": surrogate_device,
        "MAC_ADDRESS": surrogate_device,
        "EMAIL_ADDRESS": web.surrogate_email,
        "URL": web.surrogate_url,
        "IP_ADDRESS": web.surrogate_ip,
        "ORGANIZATION": surrogate_institution,
        "MX_PROFESSIONAL_LICENSE": surrogate_license,
    }
)
_PLACES = frozenset({"LOCATION", "ORGANIZATION", "ADDRESS"})
_NUMBERS = frozenset({"PHONE_NUMBER", "MX_NSS", "CREDIT_CARD", "MX_CLABE"})
_NUMBERS |= {"MX_PROFESSIONAL_LICENSE"}
_CODES = frozenset({"MX_CURP", "MX_RFC", "MX_NSS", "MX_INE", "MX_CLABE", "CREDIT_CARD"})
_CODES |= {"MEDICAL_RECORD", "MX_PROFESSIONAL_LICENSE", "MX_LICENSE_PLATE"}
# Dictated codes that are read as a whole: those that agree with name, birth and sex.
_SAID = {
    "MX_CURP": CURP,
    "MX_RFC": re.compile(r"[A-Z]{3,4}\d{6}(?:[0-9A-Z]{3})?"),
    "MX_NSS": re.compile(r"\d{11}(?:\d[MFH]\d{4}[A-Z]{2})?|\d[MFH]\d{4}[A-Z]{2}"),
    "MX_INE": re.compile(r"[A-Z]{6}\d{8}[HM]\d{3}"),
}


def surrogate_value(
    entity_type: str, text: str, context: Context, make: Make | None = None
) -> str:
    """Return the surrogate of a value.

    :param entity_type: What the text is, e.g. ``PERSON``.
    :param text: The value as it stands in the document.
    :param context: Key, settings, what the note says.
    :param make: Makes it instead of the entity's own function.
    :return: The value to put in its place; letters and digits of the same shape for an
        entity without a function of its own (licences, plates, other codes).
    """
    if not text.isascii():
        text = well_decoded(text)
    if "&" in text and unescaped(text) != text:
        whole = surrogate_value(entity_type, unescaped(text), context, make)
        return escaped_like(text, whole)
    if ("|" in text or text[1:2] == " ") and unboxed(text) != text:
        whole = surrogate_value(entity_type, unboxed(text), context, make)
        return boxed_like(text, whole)
    kind = kind_of(entity_type)
    if kind == "AGE":  # kept where the settings keep ages
        return surrogate_age(text, context)
    stays = kind == "LOCATION" and context.settings.places == "same_state"
    if stays and state_in(text, context.note.cities):
        return text
    if kind == "PERSON":
        function = make or person
        return guarded(kind, text, lambda c: function(text, c), context)
    text = _read(kind, text)
    function = make or _FUNCTIONS.get(kind) or _scrambled(kind)
    if kind in _CODES and is_spoken(text):
        if holds_other_words(text):  # "glasgow quince tensión"
            return tag_of(kind)
        spoken = _spoken(kind, function)
        return guarded(kind, text, lambda c: spoken(text, c), context)
    return guarded(kind, text, lambda c: function(text, c), context)


def person(text: str, context: Context) -> str:
    """Return the surrogate of a name by itself.

    :param text: The name as it stands in the document.
    :param context: Key, settings, what the note says.
    """
    if spells(text):
        return other_spelt_name(text, context) or other_code_words(text, context)
    return surrogate_name(clean_name(text), context)


def _scrambled(kind: str) -> Make:
    return lambda text, context: scramble(text, kind, context.draw)


def _read(kind: str, text: str) -> str:
    """Return a value with what a scanner misread in it read."""
    if kind in _PLACES:
        text = digits_read(text) if kind == "ADDRESS" else text
        return letters_read(text, _of_place)
    if kind in ("EMAIL_ADDRESS", "URL", "DEVICE_ID", "MAC_ADDRESS"):
        return text
    text = digits_read(text, kind in _NUMBERS)
    return letters_read(text) if kind == "DATE_TIME" else text


def _of_place(key: str) -> bool:
    world = atlas()
    if world.has_town(key) or key in world.state_forms or name_lists().knows(key):
        return True
    return len(key) > 3 and key in ordinary_words()


def _spoken(kind: str, function: Make) -> Make:
    """Return what makes a dictated code: its surrogate dictated, or other numbers."""
    shape = _SAID.get(kind)

    def make(text: str, context: Context) -> str:
        code = "".join(spoken.signs for spoken in read_spoken(text))
        if shape is not None and shape.fullmatch(code):
            new = other_said_code(text, lambda read: function(read, context))
            if new is not None:
                return new
        return other_code_words(text, context)

    return make
