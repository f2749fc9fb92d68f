"""Logistic regression by Newton's method, and whether probabilities hold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS = 50
_BINS = 10
_MOST = 30.0


def fit_logistic(table: Floats, right: Floats, prior: Floats, ridge: float) -> Floats:
    """Fit a logistic regression whose weights are held to a prior.

    :param table: Features, shape (cases, features).
    :param right: 0 or 1 for each case.
    :param prior: Weights where nothing is known, shape (features,).
    :param ridge: How strongly they are held to it.
    :return: Weights, shape (features,).
    """
    weights = prior.copy()
    value = _value(table, right, prior, ridge, weights)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -_MOST, _MOST)))
        slope = table.T @ (right - chance) - ridge * (weights - prior)
        bend = (table.T * (chance * (1 - chance))) @ table
        step = np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
        # A whole step may overshoot, far from where the curve was measured.
        for _ in range(_STEPS):
            made = _value(table, right, prior, ridge, weights + step)
            if made >= value:
                break
            step = step / 2
        weights, value = weights + step, made
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _value(
    table: Floats, right: Floats, prior: Floats, ridge: float, weights: Floats
) -> float:
    """Return the logarithm of the likelihood, less what the prior holds against it."""
    score = table @ weights
    likely = right * score - np.logaddexp(0.0, score)
    return float(likely.sum() - ridge / 2 * ((weights - prior) ** 2).sum())


@dataclass(frozen=True)
class Bin:
    """Cases of about the same probability.

    :param count: How many.
    :param told: Their mean probability.
    :param right: Share of them that came true.
    """

    count: int
    told: float
    right: float


@dataclass(frozen=True)
class Reliability:
    """Whether probabilities are what they say.

    :param bins: By tenth of probability; empty ones are left out.
    """

    bins: tuple[Bin, ...]

    @classmethod
    def of(cls, told: Sequence[float], right: Sequence[bool]) -> "Reliability":
        """Hold probabilities against what came true.

        :param told: A probability for each case.
        :param right: What came true.
        """
        groups: list[list[int]] = [[] for _ in range(_BINS)]
        for place, chance in enumerate(told):
            groups[min(_BINS - 1, int(chance * _BINS))].append(place)
        return cls(
            tuple(
                Bin(
                    len(group),
                    float(np.mean([told[i] for i in group])),
                    float(np.mean([right[i] for i in group])),
                )
                for group in groups
                if group
            )
        )

    @property
    def error(self) -> float:
        """The expected calibration error (Naeini, Cooper, Hauskrecht 2015)."""
        total = sum(one.count for one in self.bins)
        away = sum(one.count * abs(one.told - one.right) for one in self.bins)
        return away / max(1, total)

    def lines(self) -> list[str]:
        """Return a line of text for each bin."""
        return [
            f"  told {one.told:.2f}, true {one.right:.2f} of {one.count}"
            for one in self.bins
        ]
