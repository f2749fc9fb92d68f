"""Intervals and comparisons by resampling notes (Efron; Berg-Kirkpatrick et al. 2012).

Every figure is a sum over notes divided by another, so that a sample of notes drawn
with replacement needs only their sums. Same seed, same numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from presidio_mx.errors import ConfigurationError

ROUNDS = 2000
SEED = 1
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval.

    :param value: The figure.
    :param low: 2.5th percentile of the samples.
    :param high: 97.5th percentile.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one system is than another on the same notes.

    :param value: Figure of the first minus figure of the second.
    :param low: 2.5th percentile of the differences.
    :param high: 97.5th percentile.
    :param p: Two-sided: share of samples in which the difference, shifted to be nought
        on average, is at least as far from nought as the one found.
    """

    value: float
    low: float
    high: float
    p: float


def _weights(notes: int, rounds: int, seed: int) -> Vector:
    if notes < 1:
        raise ConfigurationError("there are no notes to resample")
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(notes, np.full(notes, 1 / notes), size=rounds)
    return drawn.astype(np.float64)


def _ratios(weights: Vector, tops: Vector, bottoms: Vector) -> Vector:
    below = weights @ bottoms
    ratios = np.divide(
        weights @ tops, below, out=np.full(len(weights), np.nan), where=below > 0
    )
    return np.asarray(ratios, dtype=np.float64)


def interval(
    tops: Sequence[float],
    bottoms: Sequence[float],
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Interval:
    """Return a share with its interval.

    :param tops: What counts, for each note.
    :param bottoms: Of how much, for each note.
    :param rounds: How many samples.
    :param seed: Seed of the generator.
    :return: The share of the sums, and its percentiles; samples in which nothing
        counts are left out.
    """
    above, below = np.asarray(tops, float), np.asarray(bottoms, float)
    total = below.sum()
    if not total:
        return Interval(0.0, 0.0, 0.0)
    samples = _ratios(_weights(len(above), rounds, seed), above, below)
    low, high = np.nanpercentile(samples, [2.5, 97.5])
    return Interval(float(above.sum() / total), float(low), float(high))


def difference(
    first: tuple[Sequence[float], Sequence[float]],
    second: tuple[Sequence[float], Sequence[float]],
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Difference:
    """Compare two systems on the same notes, drawn in pairs.

    :param first: Tops and bottoms of the first system, note by note.
    :param second: Those of the second, same notes.
    :param rounds: How many samples.
    :param seed: Seed of the generator.
    :return: The difference.
    """
    vectors = [np.asarray(part, float) for part in (*first, *second)]
    weights = _weights(len(vectors[0]), rounds, seed)
    whole = np.ones((1, len(vectors[0])))
    found = _ratios(whole, *vectors[:2]) - _ratios(whole, *vectors[2:])
    value = float(np.nan_to_num(found[0]))
    samples = _ratios(weights, *vectors[:2]) - _ratios(weights, *vectors[2:])
    samples = samples[~np.isnan(samples)]
    if not len(samples):
        return Difference(value, 0.0, 0.0, 1.0)
    low, high = np.percentile(samples, [2.5, 97.5])
    shifted = np.abs(samples - value)
    # One more in both: a share of samples is never quite nought (Davison & Hinkley).
    extreme = np.count_nonzero(shifted >= abs(value) - 1e-12) + 1
    p = min(1.0, float(extreme / (len(samples) + 1)))
    return Difference(value, float(low), float(high), p)


def wilson(part: float, whole: float) -> Interval:
    """Return a share with Wilson's 95 % interval (Wilson 1927).

    :param part: How many.
    :param whole: Of how many.
    :return: The interval; from 0 to 1 of nothing.
    """
    if not whole:
        return Interval(0.0, 0.0, 1.0)
    z = 1.959963984540054
    share = part / whole
    centre = share + z * z / (2 * whole)
    reach = z * (share * (1 - share) / whole + z * z / (4 * whole * whole)) ** 0.5
    scale = 1 + z * z / whole
    return Interval(share, (centre - reach) / scale, (centre + reach) / scale)
