"""What a model says of the words of a note, for whoever weighs a span."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def mean(values: Floats) -> float:
    """Return the mean, as ``ndarray.mean`` does, without its detour through Python.

    :param values: One dimension, not empty.
    """
    return float(np.add.reduce(values) / np.float32(len(values)))


@dataclass(frozen=True, slots=True)
class Sight:
    """What a model says of one span.

    :param anything: Mean probability over its words that they are in some entity.
    :param least: The smallest of these.
    :param same: Mean probability of the span's own entity type.
    """

    anything: float
    least: float
    same: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a model says of a note, word by word.

    :param starts: Offsets of words, shape (words,).
    :param ends: Offsets after words, shape (words,).
    :param types: Entity types, in order.
    :param mass: Probability of each type, shape (words, types).
    """

    starts: Ints
    ends: Ints
    types: tuple[str, ...]
    mass: Floats

    @classmethod
    def of(
        cls, starts: Ints, ends: Ints, types: tuple[str, ...], rows: Floats
    ) -> "Evidence":
        """Sum the columns of a tagger by type.

        :param starts: Offsets of words.
        :param ends: Offsets after words.
        :param types: Entity types in the order of the columns.
        :param rows: Log-probabilities of O, then B and I of each type.
        """
        columns = np.exp(rows)
        return cls(starts, ends, types, columns[:, 1::2] + columns[:, 2::2])

    def outside(self, words: slice = slice(None)) -> Floats:
        """Return the probability of words that no entity covers them.

        :param words: Which words, as :meth:`words` gives them; all by default.
        :return: Shape (words,).
        """
        return np.asarray(1.0 - self.mass[words].sum(axis=1), dtype=np.float32)

    def back(self, offsets: Sequence[int]) -> "Evidence":
        """Return the evidence in offsets of the note.

        :param offsets: Offset in the note of each character and of the end.
        """
        table = np.asarray(offsets)
        ends = table[np.maximum(self.ends, 1) - 1] + 1
        return replace(self, starts=table[self.starts], ends=ends)

    def words(self, start: int, end: int) -> slice:
        """Return the words that share a character with a span.

        :param start: First offset.
        :param end: Offset after the last character.
        """
        first = int(np.searchsorted(self.ends, start, side="right"))
        return slice(first, int(np.searchsorted(self.starts, end, side="left")))

    def sight(self, start: int, end: int, entity: str) -> Sight | None:
        """Return what the model says of a span; None where it saw no word.

        :param start: First offset.
        :param end: Offset after the last character.
        :param entity: The span's entity type.
        """
        mass = self.mass[self.words(start, end)]
        if not len(mass):
            return None
        inside = mass.sum(axis=1)
        column = self.types.index(entity) if entity in self.types else None
        same = 0.0 if column is None else mean(mass[:, column])
        return Sight(mean(inside), float(inside.min()), same)
