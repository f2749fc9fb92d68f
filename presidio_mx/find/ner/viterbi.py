"""From probabilities of BIO labels to spans."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of a head: ``O`` first, then ``B-X`` and ``I-X`` of each type.

    :param types: Entity types, in order.
    """

    types: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in the order of the head's columns."""
        return ("O", *(f"{mark}-{kind}" for kind in self.types for mark in "BI"))

    def begin(self, kind: str) -> int:
        """Return the column of ``B-kind``; ``I-kind`` is the next one."""
        return 1 + 2 * self.types.index(kind)


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A span in words.

    :param first: First word.
    :param last: Last word, included.
    :param kind: Entity type.
    :param score: Mean probability over the words that they are in some span.
    """

    first: int
    last: int
    kind: str
    score: float


def log_softmax(logits: Floats) -> Floats:
    """Return log-probabilities by row.

    :param logits: Shape (words, labels).
    :return: The same shape.
    """
    shifted = logits - logits.max(axis=1, keepdims=True)
    total = np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return np.asarray(shifted - total, dtype=np.float32)


def best_path(scores: Floats) -> Ints:
    """Return the most probable sequence of labels in which no I follows a stranger.

    Over the columns of a :class:`LabelSet`. Where the best label of each word happens
    to make a valid sequence, that is the answer; elsewhere the stretch between two
    words that are surely outside is looked at.

    :param scores: Log-probabilities, shape (words, 1 + 2 * types).
    :return: A column for each word, shape (words,).
    """
    path: Ints = scores.argmax(axis=1)
    wrong = _strangers(path)
    if not len(wrong):
        return path
    borders = np.flatnonzero(_surely_outside(scores))
    moves = _bio_moves(scores.shape[1])
    for first, last in _stretches(wrong, borders, len(path)):
        path[first:last] = path_under(scores[first:last], moves)
    return path


def _surely_outside(scores: Floats) -> NDArray[np.bool_]:
    """Tell which words every best sequence leaves outside.

    Whatever else a word may be allows, at most, that the next word continues it instead
    of beginning anew. Where that gains less than O is ahead here, O is best.
    """
    ahead = scores[:, 0] - scores[:, 1:].max(axis=1)
    gain = np.zeros(len(scores), dtype=scores.dtype)
    gain[:-1] = np.maximum((scores[1:, 2::2] - scores[1:, 1::2]).max(axis=1), 0.0)
    return np.asarray(ahead > gain)


def _stretches(wrong: Ints, borders: Ints, count: int) -> list[tuple[int, int]]:
    """Return the stretches between borders in which something is wrong."""
    edges = np.concatenate(([-1], borders, [count]))
    at = np.searchsorted(edges, wrong)
    return sorted(set(zip(edges[at - 1] + 1, edges[at], strict=True)))


@dataclass(frozen=True, slots=True)
class Moves:
    """What it adds to a sequence to go from label to label; -inf forbids.

    :param start: For the first word, shape (labels,).
    :param between: From the row's label to the column's, shape (labels, labels).
    :param end: For the last word, shape (labels,).
    """

    start: Floats
    between: Floats
    end: Floats


def path_under(scores: Floats, moves: Moves) -> Ints:
    """Return the most probable sequence of labels (Viterbi 1967).

    :param scores: Log-probabilities of some words, shape (words, labels).
    :param moves: What may follow what.
    :return: A column for each word, shape (words,).
    """
    best = scores[0] + moves.start
    back = np.zeros(scores.shape, dtype=np.int64)
    for word in range(1, len(scores)):
        reach = best[:, None] + moves.between
        back[word] = reach.argmax(axis=0)
        best = reach.max(axis=0) + scores[word]
    path = np.empty(len(scores), dtype=np.int64)
    path[-1] = int((best + moves.end).argmax())
    for word in range(len(scores) - 1, 0, -1):
        path[word - 1] = back[word, path[word]]
    return path


@cache
def _bio_moves(width: int) -> Moves:
    """Return the moves between the columns of a :class:`LabelSet`."""
    inside = np.arange(2, width, 2)
    start, between = (np.zeros(shape, np.float32) for shape in (width, (width, width)))
    start[inside] = -np.inf
    between[:, inside] = -np.inf
    between[inside, inside] = between[inside - 1, inside] = 0.0
    return Moves(start, between, np.zeros(width, np.float32))


def _strangers(path: Ints) -> Ints:
    """Return the places of every I that follows no B or I of its type."""
    before = np.concatenate(([0], path[:-1]))
    inside = (path > 0) & (path % 2 == 0)
    follows = (before == path) | (before == path - 1)
    return np.flatnonzero(inside & ~follows)


def word_spans(scores: Floats, rows: Floats, labels: LabelSet) -> list[WordSpan]:
    """Decode spans.

    :param scores: What to decode by: log-probabilities, perhaps with a bias against
        "outside", shape (words, labels).
    :param rows: Log-probabilities, of the same shape.
    :param labels: What the columns are.
    :return: Spans in reading order.
    """
    if not len(scores):
        return []
    path = best_path(scores)
    inside = 1.0 - np.exp(rows[:, 0])
    found = []
    for first in np.flatnonzero(path % 2 == 1):
        last = int(first)
        while last + 1 < len(path) and path[last + 1] == path[first] + 1:
            last += 1
        column = int(path[first])
        score = float(inside[first : last + 1].mean())
        found.append(WordSpan(int(first), last, labels.types[column // 2], score))
    return found


def bio_columns(
    starts: Ints, ends: Ints, spans: Sequence[tuple[int, int, str]], labels: LabelSet
) -> Ints:
    """Return the gold label of each word.

    A word belongs to the span it overlaps; where spans overlap, the first wins.

    :param starts: Offsets of words, shape (words,).
    :param ends: Offsets after words, shape (words,).
    :param spans: Start, end and type, in reading order.
    :param labels: What the columns are.
    :return: A column for each word, shape (words,).
    """
    columns = np.zeros(len(starts), dtype=np.int64)
    for start, end, kind in spans:
        inside = np.flatnonzero((starts < end) & (ends > start) & (columns == 0))
        if len(inside):
            columns[inside] = labels.begin(kind) + 1
            columns[inside[0]] -= 1
    return columns
