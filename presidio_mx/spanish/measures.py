"""Short names of scales and tests with their value: "EVA 7/10", "TFG 42".

"EVA" is also Eva, and the initials of Elena Vargas Ávila; beside a value it is neither.
"""

import re

from presidio_mx.spanish.lexicon import NAME
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

_MEASURES = words("measure_short")
_LINK = r"[ ]{0,2}(?:de[ ]|[:=<>≤≥][ ]?)?"
# A number of three digits at most; one with a unit of age is of a person.
_VALUE = re.compile(
    _LINK + r"\d{1,3}(?:[.,]\d{1,3})?(?:/\d{1,3})?"
    r"(?![\d/]|[.,-]\d|[ ]{0,2}(?:a[nñ]os?|a|meses|mes|m|dias?|d|sem[a-z]*)(?![a-z]))"
)
_OF_TEN = re.compile(_LINK + r"\d{1,2}/10(?![\d/])")


def is_measure(document: Document, start: int, end: int) -> bool:
    """Tell whether a word is a scale or test whose value stands behind it.

    Capitals tell it from a name; where all is in capitals, or nothing is, the name of
    a scale that is also a person's needs a value of ten.

    :param document: The note.
    :param start: Where the word begins, in offsets of the working text.
    :param end: Where it ends.
    """
    if document.folded[start:end] not in _MEASURES:
        return False
    if _OF_TEN.match(document.folded, end):
        return True
    for index in document.words_in(start, end):
        told = document.shouted(index) and document.casing(index) == "mixed"
        if not told and document.flags[index] & NAME:
            return False
    return bool(_VALUE.match(document.folded, end))
