"""The normal form of a value: what two spellings of the same thing share."""

from presidio_mx.entities import kind_of
from presidio_mx.spanish.writing import alphanumeric, spaced_words
from presidio_mx.text.folding import fold_key

_CODES = frozenset(
    "MX_CURP MX_RFC MX_NSS MX_INE MEDICAL_RECORD MX_PROFESSIONAL_LICENSE "
    "CREDIT_CARD MX_CLABE MX_LICENSE_PLATE PHONE_NUMBER DEVICE_ID".split()
)


def normal_form(entity_type: str, text: str) -> str:
    """Return what identifies a value, whatever its spelling.

    Codes lose their separators, names their case, accents, punctuation and order,
    everything else case, accents and doubled blanks.

    :param entity_type: What the text is.
    :param text: The value as it stands in the document.
    """
    kind = kind_of(entity_type)
    if kind in _CODES:
        return alphanumeric(text)
    if kind == "PERSON":
        return " ".join(sorted(spaced_words(text).split())) or fold_key(text)
    return fold_key(text)
