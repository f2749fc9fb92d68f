"""Pages whose words a scanner cut anywhere: ``Gu ada lupe Her nan dez``.

Told by pieces that are no words and are words together. In such a page each line is
read as the fewest words that its pieces can be.
"""

import re
from collections.abc import Iterator, Sequence

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.lexicon import Flag, Lexicon
from presidio_mx.spanish.words import words

_FUNCTION = words("function_word", "particle_street", "particle_place")
# A word that is no function word and shorter may be a piece.
_SHORTEST_WORD = 4
_SHORTEST_TOLD = 5
_MOST_PIECES, _LONGEST = 6, 24
# So many words in pieces, and such a share of all words, tell such a page.
_LEAST_TOLD, _LEAST_SHARE = 5, 0.06
# What a word of a list costs, one that no list has, and each blank that is taken out,
# more so beside a small word: "usa la luz".
_KNOWN, _UNKNOWN, _BLANK, _SMALL = 1.0, 2.5, 0.15, 0.9
# From this commonness on a word is one, and no slip that lists of the web hold, too.
_USUAL = 0.2
# Inside of numbers, dates and ages: "2 7 / 0 8 / 20 22", "1 04", "33 a ños".
_IN_NUMBER = re.compile(
    r"(?<=\d)[ ](?=[\d/:])|(?<=[\d ][/:])[ ](?=\d)|(?<=\d a) (?=ños)"
)


def in_pieces(document: Document, lexicon: Lexicon) -> bool:
    """Tell whether a scanner cut the words of a page.

    :param document: The note.
    :param lexicon: What is known of words.
    """
    words = document.words
    pieces = [not _whole(lexicon, word) for word in words]
    least = max(_LEAST_TOLD, _LEAST_SHARE * len(words))
    if sum(pieces) < least:
        return False
    told = 0
    for first in range(len(words) - 1):
        if not any(pieces[first : first + 2]) or not _beside(document, first):
            continue
        sizes = (2, 3) if _beside(document, first + 1) else (2,)
        told += any(_tells(document, lexicon, first, size) for size in sizes)
    return told >= least


def _beside(document: Document, index: int) -> bool:
    """Tell whether a word has the next one behind it, a blank between them."""
    if index + 1 >= len(document):
        return False
    end = document.ends[index]
    return document.starts[index + 1] == end + 1 and document.text[end] == " "


def _tells(document: Document, lexicon: Lexicon, first: int, size: int) -> bool:
    letters = sum(map(len, document.words[first : first + size]))
    return letters >= _SHORTEST_TOLD and _joins(document, lexicon, first, size)


def whole_words(document: Document, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield the blanks inside words and numbers of a page in pieces.

    :param document: The note.
    :param lexicon: What is known of words.
    """
    edits = [Edit(*match.span()) for match in _IN_NUMBER.finditer(document.text)]
    for run in _runs(document):
        for first, size in _read(document, lexicon, run):
            for piece in range(first, first + size - 1):
                edits.append(Edit(document.ends[piece], document.starts[piece + 1]))
    yield from sorted(edits)


def _runs(document: Document) -> Iterator[range]:
    """Yield the runs of words with single blanks between them."""
    first = 0
    for index in range(len(document)):
        if not _beside(document, index):
            yield range(first, index + 1)
            first = index + 1


def _read(document: Document, lexicon: Lexicon, run: range) -> list[tuple[int, int]]:
    """Return the first piece and the number of pieces of each word of a run."""
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(run) + 1):
        options = []
        for size in range(1, min(_MOST_PIECES, end) + 1):
            cost = _cost(document, lexicon, run[end - size], size)
            if cost is not None:
                options.append((best[end - size][0] + cost, size))
        best.append(min(options))
    made = []
    end = len(run)
    while end:
        size = best[end][1]
        made.append((run[end - size], size))
        end -= size
    return made


def _cost(document: Document, lexicon: Lexicon, first: int, size: int) -> float | None:
    """Return what it costs to read pieces as a word; None where they are none."""
    if size == 1:
        word = document.words[first]
        return _KNOWN if word in _FUNCTION or _listed(lexicon, word) else _UNKNOWN
    if not _joins(document, lexicon, first, size):
        return None
    pieces = document.words[first : first + size]
    small = sum(len(piece) > 1 and piece in _FUNCTION for piece in pieces)
    return _KNOWN + _BLANK * (size - 1) + _SMALL * small


def _joins(document: Document, lexicon: Lexicon, first: int, size: int) -> bool:
    """Tell whether pieces, one of them no word, are a word together."""
    pieces = document.words[first : first + size]
    together = "".join(pieces)
    if len(together) > _LONGEST or not _listed(lexicon, together):
        return False
    places = range(first, first + size)
    written = [document.text[document.starts[i] : document.ends[i]] for i in places]
    whole = all(_whole(lexicon, word) for word in pieces)
    return not whole and _one_casing(written)


def _whole(lexicon: Lexicon, word: str) -> bool:
    """Tell whether a piece may well be a word of its own."""
    return word in _FUNCTION or len(word) >= _SHORTEST_WORD and _listed(lexicon, word)


def _one_casing(written: Sequence[str]) -> bool:
    rest = "".join(written[1:])
    return rest.islower() or "".join(written).isupper()


def _listed(lexicon: Lexicon, word: str) -> bool:
    """Tell whether a word is in a list, and not only as somebody's slip."""
    flag = lexicon.flags.get(word, 0)
    usual = flag & ~Flag.ORDINARY or lexicon.ordinary.get(word, 0.0) >= _USUAL
    return bool(usual) or word in lexicon.places
