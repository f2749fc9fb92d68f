"""Say which of two systems is better on the same notes."""

from collections.abc import Iterable
from dataclasses import dataclass

from presidio_mx.research.evaluation.bootstrap import (
    ROUNDS,
    SEED,
    Difference,
    difference,
)
from presidio_mx.research.evaluation.scores import MEASURES, Scores, score
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note

SURE = 0.05


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same notes.

    :param first: Scores of the first.
    :param second: Scores of the second.
    :param differences: By measure, first minus second.
    """

    first: Scores
    second: Scores
    differences: dict[str, Difference]

    def better(self, measure: str) -> int:
        """Tell which system is better by a measure.

        :param measure: A key of the differences.
        :return: 1 for the first, 2 for the second, 0 if chance may explain it.
        """
        found = self.differences[measure]
        if found.p >= SURE or not found.value:
            return 0
        return 1 if found.value > 0 else 2


def compare(
    gold: Iterable[Note],
    first: Iterable[Note],
    second: Iterable[Note],
    scheme: Scheme = "native",
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Comparison:
    """Compare two systems with a paired bootstrap over notes.

    :param gold: Notes with gold spans.
    :param first: The same notes as the first system marks them.
    :param second: The same notes as the second system marks them.
    :param scheme: How to name types.
    :param rounds: How many samples.
    :param seed: Seed of the samples.
    :return: Scores and differences.
    """
    notes = list(gold)
    one = score(notes, first, scheme, rounds, seed)
    two = score(notes, second, scheme, rounds, seed)
    differences = {}
    for name, measure in MEASURES.items():
        columns = []
        for scores in (one, two):
            tops, bottoms = zip(*map(measure, scores.notes.values()), strict=True)
            columns.append((tops, bottoms))
        differences[name] = difference(columns[0], columns[1], rounds, seed)
    return Comparison(one, two, differences)
