"""Words that a scanner broke by a blank, or ran into one another."""

from collections.abc import Iterator
from itertools import pairwise

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.edit import Edit
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.words import words

_WHOLE = NAME | Flag.PLACE | Flag.ANCHOR
_SHORTEST = 5
# "de lia" is no Delia.
_FUNCTION = words("function_word", "particle_street", "particle_place")
# Of a name with the word behind it: "Lealrefiere".
_SHORTEST_NAME, _SHORTEST_BEHIND = 4, 5


def broken_words(document: Document, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield the blanks inside words: "Sl LVA", "Nicol asa".

    Both halves together are a name or a place; in capitals one of them is no word.

    :param document: A note that came from a scanner.
    :param lexicon: What is known of words.
    """
    mended = -1
    for first, second in pairwise(range(len(document))):
        if first == mended or document.gap(first) != " ":
            continue
        left, right = document.words[first], document.words[second]
        if not (left + right).isalpha() or right in _FUNCTION:
            continue
        capitals = document.shouted(first) and document.shouted(second)
        begins = document.capital(first) and not document.capital(second)
        if not (capitals or begins):
            continue
        both = document.flags[first] and document.flags[second]
        if (both and not begins) or (document.flags[second] and left in _FUNCTION):
            continue
        if len(left) + len(right) >= _SHORTEST and lexicon.flag(left + right) & _WHOLE:
            mended = second
            yield Edit(document.ends[first], document.starts[second])


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
        for cut in range(_SHORTEST_NAME, len(word) - _SHORTEST_BEHIND + 1):
            known = lexicon.flag(word[cut:]) & KNOWN
            if known and lexicon.flag(word[:cut]) & NAME:
                yield document.starts[index] + cut
                break
