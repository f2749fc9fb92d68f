"""Train GloVe vectors (Pennington, Socher & Manning, EMNLP 2014) with numpy.

gensim reads GloVe vectors and does not train them, and no kept-up package does. The
objective, its weights (x_max 100, power 3/4), the 1/distance counts and AdaGrad at 0.05
are the paper's; steps are taken for some thousand pairs of words at once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from presidio_mx.errors import ConfigurationError

_X_MAX, _POWER = 100.0, 0.75
_RATE = 0.05
_BATCH = 4096
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GloveRecipe:
    """How GloVe is trained.

    :param dimensions: Length of the vectors.
    :param epochs: Passes over the pairs.
    :param minimum: A rarer word gets no vector.
    :param window: Words on each side that count as near.
    :param seed: Seed of beginnings and order.
    """

    dimensions: int = 100
    epochs: int = 25
    minimum: int = 2
    window: int = 10
    seed: int = 0


def train_glove(
    lines: Iterable[Sequence[str]], recipe: GloveRecipe
) -> tuple[list[str], Matrix]:
    """Train vectors on lines of words.

    :param lines: The words of each line.
    :param recipe: How.
    :return: The words, the commonest first, and their vectors: the sum of both roles.
    :raises ConfigurationError: If there are too few words.
    """
    every = list(lines)
    counts = Counter(word for line in every for word in line)
    words = [word for word, n in counts.most_common() if n >= recipe.minimum]
    pairs = _pairs(every, {word: i for i, word in enumerate(words)}, recipe.window)
    if len(words) < 2 or not pairs:
        raise ConfigurationError(
            f"too few words occur {recipe.minimum} times or more; give more notes"
        )
    rows, columns = (np.array(side) for side in zip(*pairs, strict=True))
    values = np.array(list(pairs.values()))
    random = np.random.default_rng(recipe.seed)
    size = recipe.dimensions
    # Word and context vectors, each with its bias in the last column.
    sides = [(random.random((len(words), size + 1)) - 0.5) / size for _ in range(2)]
    squares = [np.ones_like(side) for side in sides]
    for _ in range(recipe.epochs):
        order = random.permutation(len(values))
        for at in range(0, len(order), _BATCH):
            some = order[at : at + _BATCH]
            _step(sides, squares, (rows[some], columns[some]), values[some])
    return words, (sides[0] + sides[1])[:, :-1]


def _pairs(
    lines: Sequence[Sequence[str]], index: dict[str, int], window: int
) -> Counter[tuple[int, int]]:
    """Return how often words stand near one another, nearer counting more."""
    found: Counter[tuple[int, int]] = Counter()
    for line in lines:
        known = [index[word] for word in line if word in index]
        for at, one in enumerate(known):
            for distance, other in enumerate(reversed(known[max(0, at - window) : at])):
                found[one, other] += 1 / (distance + 1)  # type: ignore[assignment]
                found[other, one] += 1 / (distance + 1)  # type: ignore[assignment]
    return found


def _step(
    sides: list[Matrix],
    squares: list[Matrix],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    values: Matrix,
) -> None:
    """Move the vectors of some pairs by AdaGrad."""
    first, second = sides[0][places[0]], sides[1][places[1]]
    guess = (
        np.sum(first[:, :-1] * second[:, :-1], axis=1) + first[:, -1] + second[:, -1]
    )
    weight = np.minimum(values / _X_MAX, 1.0) ** _POWER
    error = (weight * (guess - np.log(values)))[:, None]
    ones = np.ones((len(values), 1))
    slopes = (
        error * np.hstack([second[:, :-1], ones]),
        error * np.hstack([first[:, :-1], ones]),
    )
    for side, square, place, slope in zip(sides, squares, places, slopes, strict=True):
        total = np.zeros_like(side)
        np.add.at(total, place, slope)
        square += total**2
        side -= _RATE * total / np.sqrt(square)
