"""Which function makes the surrogate of which entity."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from presidio_mx.entities import kind_of
from presidio_mx.replace.surrogates import codes, web
from presidio_mx.replace.surrogates.addresses import surrogate_address
from presidio_mx.replace.surrogates.ages import surrogate_age
from presidio_mx.replace.surrogates.boxes import boxed_like, unboxed
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.dates import surrogate_date
from presidio_mx.replace.surrogates.escapes import escaped_like, unescaped
from presidio_mx.replace.surrogates.guard import guarded
from presidio_mx.replace.surrogates.institutions import surrogate_institution
from presidio_mx.replace.surrogates.names import surrogate_name
from presidio_mx.replace.surrogates.phones import surrogate_phone
from presidio_mx.replace.surrogates.places import surrogate_place
from presidio_mx.replace.surrogates.records import surrogate_record
from presidio_mx.replace.surrogates.scanned import place_read
from presidio_mx.replace.surrogates.shape import (
    digits_read,
    letters_read,
    scramble,
    well_decoded,
)
from presidio_mx.replace.surrogates.social_security import surrogate_nss
from presidio_mx.replace.surrogates.spoken import (
    holds_other_words,
    is_spoken,
    other_code_words,
)
from presidio_mx.replace.surrogates.spoken_codes import (
    other_said_code,
    said_code,
)
from presidio_mx.replace.surrogates.unread import tag_of
from presidio_mx.replace.surrogates.voter_card import surrogate_ine

SurrogateFunction = Callable[[str, Context], str]

_FUNCTIONS: Mapping[str, SurrogateFunction] = MappingProxyType(
    {
        "PERSON": surrogate_name,
        "ADDRESS": surrogate_address,
        "PHONE_NUMBER": surrogate_phone,
        "LOCATION": surrogate_place,
        "DATE_TIME": surrogate_date,
        "MX_CURP": codes.surrogate_curp,
        "MX_RFC": codes.surrogate_rfc,
        "MX_NSS": surrogate_nss,
        "MX_INE": surrogate_ine,
        "MX_CLABE": codes.surrogate_clabe,
        "CREDIT_CARD": codes.surrogate_card,
        "MEDICAL_RECORD": surrogate_record,
        "EMAIL_ADDRESS": web.surrogate_email,
        "URL": web.surrogate_url,
        "IP_ADDRESS": web.surrogate_ip,
        "ORGANIZATION": surrogate_institution,
    }
)
# Names, in which a scanner's letters are no digits.
_WORDS = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "ADDRESS"})
_WORDS |= {"EMAIL_ADDRESS", "URL"}
_PLACES = frozenset({"LOCATION", "ORGANIZATION", "ADDRESS"})
_NUMBERS = frozenset({"PHONE_NUMBER", "MX_NSS", "CREDIT_CARD", "MX_CLABE"})
_NUMBERS |= {"MX_PROFESSIONAL_LICENSE"}
_CODES = frozenset({"MX_CURP", "MX_RFC", "MX_NSS", "MX_INE", "MX_CLABE", "CREDIT_CARD"})
_CODES |= {"MEDICAL_RECORD", "MX_PROFESSIONAL_LICENSE", "MX_LICENSE_PLATE"}
# Dictated codes that are read as a whole: those that agree with name, birth and sex.
_SAID = {
    "MX_CURP": re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d"),
    "MX_RFC": re.compile(r"[A-Z]{3,4}\d{6}(?:[0-9A-Z]{3})?"),
    "MX_NSS": re.compile(r"\d{11}(?:\d[MFH]\d{4}[A-Z]{2})?|\d[MFH]\d{4}[A-Z]{2}"),
    "MX_INE": re.compile(r"[A-Z]{6}\d{8}[HM]\d{3}"),
}


def surrogate_value(entity_type: str, text: str, context: Context) -> str:
    """Return the surrogate of a value.

    :param entity_type: What the text is, e.g. ``PERSON``.
    :param text: The value as it stands in the document.
    :param context: Key, settings and the document's facts.
    :return: The value to put in its place; letters and digits of the same shape for an
        entity without a function of its own (licences, plates, other codes).
    """
    text = well_decoded(text)
    if unescaped(text) != text:
        whole = surrogate_value(entity_type, unescaped(text), context)
        return escaped_like(text, whole)
    if unboxed(text) != text:
        whole = surrogate_value(entity_type, unboxed(text), context)
        return boxed_like(text, whole)
    kind = kind_of(entity_type)
    if kind == "AGE":  # kept where the settings keep ages
        return surrogate_age(text, context)
    if kind not in _WORDS:
        text = digits_read(text, kind in _NUMBERS)
        text = letters_read(text) if kind == "DATE_TIME" else text
    elif kind in _PLACES:
        text = place_read(digits_read(text) if kind == "ADDRESS" else text)
        text = letters_read(text)
    if kind in _CODES and is_spoken(text):
        if holds_other_words(text):  # "glasgow quince tensión"
            return tag_of(kind)
        return guarded(kind, text, lambda c: _other_spoken(kind, text, c), context)
    function = _FUNCTIONS.get(kind)
    if function is None:
        return guarded(kind, text, lambda c: scramble(text, kind, c), context)
    return guarded(kind, text, lambda c: function(text, c), context)


def _other_spoken(kind: str, text: str, context: Context) -> str:
    """Return a dictated code: its surrogate dictated, or other numbers and letters."""
    code, function = said_code(text), _FUNCTIONS.get(kind)
    shape = _SAID.get(kind)
    if function is not None and shape is not None and shape.fullmatch(code):
        new = other_said_code(text, lambda read: function(read, context))
        if new is not None:
            return new
    return other_code_words(text, context)
