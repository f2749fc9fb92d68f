"""Hits, extras and misses, and what follows from them."""

from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a comparison; partial matches may count by halves.

    :param tp: Predicted and gold.
    :param fp: Predicted only.
    :param fn: Gold only.
    """

    tp: float = 0
    fp: float = 0
    fn: float = 0

    def __add__(self, other: "Counts") -> "Counts":
        """Return the sum, for micro averages."""
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of the predicted that is gold; 0 if nothing was predicted."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold that was predicted; 0 if there is none."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a number of things.

    :param part: How many.
    :param whole: Of how many.
    """

    part: float = 0
    whole: float = 0

    def __add__(self, other: "Share") -> "Share":
        """Return both together."""
        return Share(self.part + other.part, self.whole + other.whole)

    @property
    def value(self) -> float:
        """The share; 0 of nothing is 0."""
        return self.part / self.whole if self.whole else 0.0


def count_sets(gold: AbstractSet[Hashable], predicted: AbstractSet[Hashable]) -> Counts:
    """Compare two sets.

    :param gold: What there is.
    :param predicted: What was said.
    :return: The counts.
    """
    both = len(gold & predicted)
    return Counts(both, len(predicted) - both, len(gold) - both)
