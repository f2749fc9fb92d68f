"""The normal form of a value: what two spellings of the same thing share."""

from presidio_mx.entities import kind_of
from presidio_mx.replace.surrogates.shape import alphanumeric
from presidio_mx.text.folding import fold_key

_CODES = frozenset(
    "MX_CURP MX_RFC MX_NSS MX_INE MEDICAL_RECORD MX_PROFESSIONAL_LICENSE "
    "CREDIT_CARD MX_CLABE MX_LICENSE_PLATE PHONE_NUMBER".split()
)


def normal_form(entity_type: str, text: str) -> str:
    """Return what identifies a value, whatever its spelling.

    Codes lose their separators, names their case, accents, punctuation and order,
    everything else case, accents and doubled blanks.

    :param entity_type: What the text is.
    :param text: The value as it stands in the document.
    :return: Its normal form.
    """
    kind = kind_of(entity_type)
    if kind in _CODES:
        return alphanumeric(text)
    key = fold_key(text)
    if kind == "PERSON":
        words = "".join(c if c.isalnum() else " " for c in key).split()
        return " ".join(sorted(words)) or key
    return key
