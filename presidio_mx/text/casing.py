"""What letter case says of a name, in notes typed without capitals, too."""

import re

from presidio_mx.text.document import Document

# A capital before a small letter: codes and acronyms have none.
_TITLE_CASE = re.compile(r"\b[A-ZÁÉÍÓÚÑÜ][a-záéíóúñü]")
# A careless note has more words, of so many letters, for each capital.
_WORDS_PER_CAPITAL = 9
_LETTERS_PER_WORD = 5


def casing(document: Document, index: int) -> str:
    """Return how a word's line is typed, as names are concerned.

    A note of small letters with codes and acronyms inside ("px con IVU, CURP ...") is
    no note of mixed case: a small letter says nothing there, a capital still does.

    :param document: The note.
    :param index: Index of a word.
    :return: ``upper``, ``lower`` or ``mixed``.
    """
    own = document.casing(index)
    if own != "mixed" or document.capital(index):
        return own
    return "lower" if document.once(_careless) else own


def _careless(document: Document) -> bool:
    """Tell whether a note has next to no words with a capital first letter."""
    titled = len(_TITLE_CASE.findall(document.text))
    small = sum(map(str.islower, document.text)) / _LETTERS_PER_WORD
    return titled * _WORDS_PER_CAPITAL < small
