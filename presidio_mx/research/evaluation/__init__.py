"""Scores of the literature, error report, comparison of systems, human review."""

from presidio_mx.research.evaluation.scores import Scores, score

__all__ = ["Scores", "score"]
