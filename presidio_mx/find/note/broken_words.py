"""Words that a scanner broke by blanks, or ran into one another."""

import re
from collections.abc import Iterator

from presidio_mx.find.note.broken_codes import ENDS
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.spanish.words import words

_WHOLE = NAME | Flag.ANCHOR
_SHORTEST = 5
# "de lia" is no Delia.
_FUNCTION = words("function_word", "particle_street", "particle_place")
# Pieces of a word: "LEZ A M A".
_MOST_PIECES = 5
_LONGEST_PIECE = 4
# Of a name with the word behind it: "Lealrefiere".
_SHORTEST_NAME, _SHORTEST_BEHIND = 4, 5
# Letters of a heading or a name that stand apart: "R E C l B l D O", "T u x p a n".
_APART = re.compile(
    r"(?<![^\W_])[A-ZÁÉÍÓÚÑÜ](?:(?:[ ][A-ZÁÉÍÓÚÑÜl0]){3,}|(?:[ ][a-záéíóúñü01]){3,})"
    r"(?![^\W_])"
)
# A column or line ends: nothing goes on with "ES" of "BRION ES".
_ENDS = re.compile(ENDS)


def letters_apart(text: str) -> Iterator[Edit]:
    """Yield the blanks between letters that stand apart: "P R 0 S P E R A".

    :param text: A text that came from a scanner.
    """
    for match in _APART.finditer(text):
        for blank in range(match.start() + 1, match.end(), 2):
            yield Edit(blank, blank + 1)


def broken_words(document: Document, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield the blanks inside words: "Sl LVA", "Nicol asa", "Culiac an", "LEZ A M A".

    The pieces together are a name, a place or a trigger.

    :param document: A note that came from a scanner.
    :param lexicon: What is known of words.
    """
    first, size = 0, len(document)
    while first < size - 1:
        last = _last_piece(document, lexicon, first)
        for piece in range(first, last):
            yield Edit(document.ends[piece], document.starts[piece + 1])
        first = last + 1


def _last_piece(document: Document, lexicon: Lexicon, first: int) -> int:
    """Return the last piece of the word that one begins; itself where it is whole."""
    best = last = first
    together = document.words[first]
    while last + 1 < len(document) and last - first + 1 < _MOST_PIECES:
        if document.gap(last) != " ":
            break
        last += 1
        together += document.words[last]
        if not together.isalpha():
            break
        known = lexicon.flag(together) & _WHOLE or together in lexicon.places
        if known and len(together) >= _SHORTEST and _one(document, first, last):
            best = last
    return best


def _one(document: Document, first: int, last: int) -> bool:
    """Tell whether some words may be the pieces of one."""
    pieces = range(first, last + 1)
    written = [document.text[document.starts[i] : document.ends[i]] for i in pieces]
    begins = written[0][0].isupper() and "".join(written[1:]).islower()
    if not begins and not "".join(written).isupper():
        return False
    left, right = document.words[first], document.words[last]
    if len(pieces) > 2:
        short = all(len(piece) <= _LONGEST_PIECE for piece in written[1:])
        return short and left not in _FUNCTION
    flags = document.flags[first : last + 1]
    if right in _FUNCTION:
        ends = _ENDS.match(document.text, document.ends[last]) is not None
        return ends and left not in _FUNCTION and not flags[0] & KNOWN
    if flags[1] and left in _FUNCTION:
        return False
    return begins or not all(flags)


def run_together(document: Document, lexicon: Lexicon) -> Iterator[int]:
    """Yield where a name and the word behind it are one: "Lealrefiere".

    :param document: A note that came from a scanner.
    :param lexicon: What is known of words.
    """
    for index, (word, flag) in enumerate(
        zip(document.words, document.flags, strict=True)
    ):
        if flag or not document.capital(index) or not word.isalpha():
            continue
        if word in lexicon.places:
            continue
        for cut in range(_SHORTEST_NAME, len(word) - _SHORTEST_BEHIND + 1):
            known = lexicon.flag(word[cut:]) & KNOWN
            if known and lexicon.flag(word[:cut]) & NAME:
                yield document.starts[index] + cut
                break
