"""Pair predicted spans with the gold spans they stand for."""

from collections.abc import Sequence

from presidio_mx.text.spans import Note

Key = tuple[int, int, str]


def keys(note: Note) -> list[Key]:
    """Return start, end and type of the spans of a note, each once, in order.

    :param note: A note.
    :return: The keys.
    """
    return sorted({(s.start, s.end, s.entity_type) for s in note.spans})


def match(ours: Sequence[Key], theirs: Sequence[Key]) -> list[tuple[int, int]]:
    """Pair spans that overlap, each with one other at most.

    The equal span goes first, then one of the same type, then the one that overlaps
    most, then the leftmost.

    :param ours: Gold spans.
    :param theirs: Predicted spans.
    :return: Indices of paired spans.
    """
    candidates = sorted(
        (*_distance(one, other), i, j)
        for i, one in enumerate(ours)
        for j, other in enumerate(theirs)
        if one[0] < other[1] and other[0] < one[1]
    )
    used: set[int] = set()
    taken: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for *_, i, j in candidates:
        if i not in used and j not in taken:
            used.add(i)
            taken.add(j)
            pairs.append((i, j))
    return pairs


def _distance(one: Key, other: Key) -> tuple[bool, bool, int]:
    common = min(one[1], other[1]) - max(one[0], other[0])
    return one[:2] != other[:2], one[2] != other[2], -common
