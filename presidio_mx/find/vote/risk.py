"""The risk of a note: how likely something that identifies somebody is left in it.

A logistic regression over what was nearly marked, how unlike known text the note is and
how long it is; fitted with the probabilities of findings, on whole notes.
"""

import math
from collections.abc import Sequence

import numpy as np

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.vote.evidence import Evidence

RISK_FEATURES = ("one", "nearly_marked", "doubtful_marks", "words", "marks", "strange")
_LEAST_PROBABILITY = 1e-6
# Spreads small sums of probabilities over the range that a logarithm tells apart.
_SPREAD = 10.0


def risk_features(
    document: Document,
    findings: Sequence[Finding],
    least: float,
    evidence: Evidence | None,
) -> list[float]:
    """Return the evidence on a note, in the order of :data:`RISK_FEATURES`.

    :param document: The prepared note.
    :param findings: Settled findings with probabilities as scores, also those that are
        too improbable to be marked.
    :param least: Probability from which on a finding is marked.
    :param evidence: What a model says of the note, if one read it.
    """
    left = [f.score for f in findings if f.score < least]
    kept = [f.score for f in findings if f.score >= least]
    return [
        1.0,
        math.log1p(sum(left) * _SPREAD),
        math.log1p(sum(1 - score for score in kept)),
        math.log1p(len(document)),
        math.log1p(len(kept)),
        _strangeness(document, evidence),
    ]


def _strangeness(document: Document, evidence: Evidence | None) -> float:
    """Return how unlike known text a note is.

    :return: The model's mean uncertainty whether a word identifies, in bits; without a
        model the share of words that no list has.
    """
    if evidence is None:
        unknown = sum(not flag for flag in document.flags)
        return unknown / max(1, len(document))
    outside = np.clip(evidence.outside(), _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    bits = -(outside * np.log2(outside) + (1 - outside) * np.log2(1 - outside))
    return float(bits.mean()) if len(bits) else 0.0
