"""Never uncover: what probably identifies and loses an overlap leaves its rest.

"Daniel Granja Pech" is a person for one rule, and "Granja Pech" a firm for a stronger
one. The firm wins; "Daniel" stays a person.
"""

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from operator import itemgetter

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.words import words

# From this score on a span that lost was probably right in that somebody is named.
_PROBABLE = 0.6
_PERSON = "PERSON"
_SMALL_WORDS = words("function_word", "particle_proposed", "title_proposed")
_SHORTEST_WORD = 2


def remains(
    document: Document, losers: Sequence[Finding], winners: Sequence[Finding]
) -> list[Finding]:
    """Return what is left of spans that lost, where that still identifies somebody.

    :param document: The note.
    :param losers: Spans that lost, the strongest first.
    :param winners: Spans that do not overlap one another.
    :return: Pieces of the losers that overlap neither winners nor one another.
    """
    taken = sorted((f.start, f.end) for f in winners)
    left: list[Finding] = []
    for loser in losers:
        # What a model proposes has passed the threshold of its type already.
        if loser.score < _PROBABLE and not loser.proposed:
            continue
        for start, end in list(_free(loser, taken)):
            piece = _narrowed(document, loser, start, end)
            if piece is not None:
                left.append(piece)
                insort(taken, (piece.start, piece.end))
    return left


def _free(loser: Finding, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span that nothing has taken.

    :param loser: The span.
    :param taken: Spans in order that do not overlap, so that of those which begin
        before it only the last can reach into it.
    """
    position = loser.start
    first = max(0, bisect_right(taken, position, key=itemgetter(0)) - 1)
    for place in range(first, len(taken)):
        start, end = taken[place]
        if start >= loser.end:
            break
        if end <= position:
            continue
        if start > position:
            yield position, start
        position = max(position, end)
    if loser.start < position < loser.end:
        yield position, loser.end


def _narrowed(
    document: Document, loser: Finding, start: int, end: int
) -> Finding | None:
    """Return a piece of a span from its first to its last word that tells something."""
    inside = [i for i in document.words_in(start, end) if document.ends[i] <= end]
    telling = [i for i in inside if _tells(document, loser.entity, i)]
    if not telling:
        return None
    first, last = telling[0], telling[-1]
    return loser._replace(start=document.starts[first], end=document.ends[last])


def _tells(document: Document, entity: str, index: int) -> bool:
    """Tell whether a word, seen alone, may identify somebody."""
    word, flag = document.words[index], document.flags[index]
    if word[0].isdigit():
        return entity != _PERSON
    if word in _SMALL_WORDS or len(word) < _SHORTEST_WORD:
        return False
    if entity == _PERSON:
        named = bool(flag & NAME) and not flag & Flag.ABBREVIATED
        return named or not flag & (KNOWN | Flag.EPONYM | Flag.ANCHOR)
    return not flag & (KNOWN | Flag.ANCHOR)
