"""What a reader says of a note: findings, and how probable each of its words is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from presidio_mx.find.finding import Finding, moved_back
from presidio_mx.find.probability import Calibration
from presidio_mx.find.sensitivity import Thresholds
from presidio_mx.text.prepared import Prepared

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

ROLES = ("patient", "relative", "staff", "other")
"""Roles of persons, in the order of a model's columns."""
# Log-odds beyond which nothing is surer.
_SUREST = 7.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a model says of the words of a note.

    :param starts: Offset of each word, shape (words,).
    :param ends: Offset after each word, shape (words,).
    :param odds: Log-odds that a word is part of something that identifies, (words,).
    :param roles: Log-probabilities of :data:`ROLES`, were the word part of a name,
        shape (words, 4); no rows where the model knows no roles.
    """

    starts: Ints
    ends: Ints
    odds: Floats
    roles: Floats

    @classmethod
    def of(cls, starts: Ints, ends: Ints, rows: Floats, roles: Floats) -> "Evidence":
        """Make the evidence of log-probabilities of labels.

        :param starts: Offset of each word.
        :param ends: Offset after each word.
        :param rows: Log-probabilities; the first column is "outside".
        :param roles: As above.
        """
        outside = np.clip(np.exp(rows[:, 0]), 1e-4, 1 - 1e-4)
        return cls(starts, ends, np.log1p(-outside) - np.log(outside), roles)

    def back(self, source: Prepared) -> "Evidence":
        """Return the same in offsets of the note.

        :param source: The prepared text that was read.
        """
        if source.offsets is None:
            return self
        table = np.asarray(source.offsets)
        ends = table[np.maximum(self.ends, 1) - 1] + 1
        return replace(self, starts=table[self.starts], ends=ends)

    def _words(self, start: int, end: int) -> slice:
        first = int(np.searchsorted(self.ends, start, side="right"))
        return slice(first, int(np.searchsorted(self.starts, end, side="left")))

    def highest(self, start: int, end: int) -> float:
        """Return the highest log-odds of the words of a span, bounded.

        :param start: First offset.
        :param end: Offset after the last character.
        """
        odds = self.odds[self._words(start, end)]
        return float(np.clip(odds.max(), -_SUREST, _SUREST)) if len(odds) else 0.0

    def roles_of(self, start: int, end: int) -> Floats | None:
        """Return the probability of each role for a span; None where none is known.

        :param start: First offset.
        :param end: Offset after the last character.
        """
        rows = self.roles[self._words(start, end)] if len(self.roles) else self.roles
        if not len(rows):
            return None
        mean = rows.mean(axis=0)
        chances = np.exp(mean - mean.max())
        return np.asarray(chances / chances.sum(), dtype=np.float32)

    def left(self, findings: Iterable[Finding]) -> float:
        """Return the probability that no finding covers, summed over the words.

        :param findings: What is marked.
        """
        chances = 1.0 / (1.0 + np.exp(-self.odds))
        for finding in findings:
            chances[self._words(finding.start, finding.end)] = 0.0
        return float(chances.sum())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a model or a list of known data says of a note.

    :param find: Gives its findings from a probability on, in offsets of the note, with
        the reader's id as source.
    :param preset: Name of the preset that it stands beside; empty for all.
    :param evidence: What it says of single words, if it is a model that does.
    :param calibration: How findings of rules become probabilities beside it.
    """

    find: Callable[[float], Sequence[Finding]]
    preset: str = ""
    evidence: Evidence | None = None
    calibration: Calibration | None = None
    _found: dict[float, Sequence[Finding]] = field(default_factory=dict)

    def findings(self, least: Thresholds) -> Sequence[Finding]:
        """Return the findings that are probable enough.

        :param least: The probabilities from which on they are.
        """
        for level in least.levels:
            if level not in self._found:
                self._found[level] = self.find(level)
        return [
            finding
            for level in least.levels
            for finding in self._found[level]
            if least.of(finding.entity) == level
        ]


def fixed(findings: Sequence[Finding], source: Prepared, preset: str = "") -> Reading:
    """Return a reading of findings that do not depend on the sensitivity.

    :param findings: Findings in offsets of a prepared text.
    :param source: That text.
    :param preset: As :class:`Reading` takes it.
    """
    found = moved_back(findings, source)
    return Reading(lambda least: [f for f in found if f.score >= least], preset)
