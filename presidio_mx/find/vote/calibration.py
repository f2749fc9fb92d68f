"""A probability, not a score: how likely each finding identifies somebody.

A logistic regression for each group of entity types over a few pieces of evidence: how
often the rule was right (with its hand-set score as a prior), what a model says of the
same words, whether they are names or ordinary words, and how they are typed. Fitted on
marked notes, and on prose without identifiers, by ``presidio-mx train calibration``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import FIELDS_RULE, KNOWN_RULE, Finding
from presidio_mx.find.vote.evidence import Evidence
from presidio_mx.find.vote.features import (
    FEATURES,
    GROUPS,
    OTHER,
    features,
    group_of,
    logit,
)
from presidio_mx.find.vote.risk import RISK_FEATURES, risk_features
from presidio_mx.yaml_file import parse_yaml, read_text

CALIBRATION_FILE = "calibration.yaml"
_RULE, _RULE_SURE = FEATURES.index("rule"), FEATURES.index("rule_sure")
_MOST = 30.0
# A rule this often right is sure by itself.
_SURE_RULE = 0.93


@dataclass(frozen=True, slots=True)
class Calibration:
    """How evidence becomes a probability.

    :param weights: By group, one for each of :data:`FEATURES`.
    :param rules: How often each rule is right, by its label.
    :param risk: Weights of the risk of a note, one for each of
        :data:`presidio_mx.find.vote.risk.RISK_FEATURES`.
    """

    weights: Mapping[str, tuple[float, ...]]
    rules: Mapping[str, float] = field(default_factory=dict)
    risk: tuple[float, ...] = ()

    def probability(
        self,
        document: Document,
        finding: Finding,
        evidence: Evidence | None,
        names: frozenset[str],
    ) -> float:
        """Return how likely a finding identifies somebody.

        :param document: The prepared note.
        :param finding: A settled finding, in offsets of the note.
        :param evidence: What a model says of the note, if one read it.
        :param names: Words of names that are beyond doubt in this note.
        """
        sight = None
        if evidence is not None:
            sight = evidence.sight(finding.start, finding.end, finding.entity)
        told = features(document, finding, sight, names)
        return self.of_row(self.with_reliability(told, finding), finding.entity)

    def with_reliability(self, told: list[float], finding: Finding) -> list[float]:
        """Return evidence with how often the finding's rule is right.

        :param told: What :func:`features` says of a finding.
        :param finding: The finding.
        """
        if not finding.proposed:
            chance = self.rules.get(finding.rule, finding.score)
            told[_RULE] = logit(chance)
            told[_RULE_SURE] = float(chance >= _SURE_RULE)
        return told

    def of_row(self, told: list[float], entity: str) -> float:
        """Return the probability that evidence comes to.

        :param told: Evidence in the order of :data:`FEATURES`.
        :param entity: The entity type.
        """
        return logistic(self.weights[group_of(entity)], told)

    def risk_of(
        self,
        document: Document,
        findings: Sequence[Finding],
        least: float,
        evidence: Evidence | None,
    ) -> float:
        """Return how likely something that identifies somebody stays unmarked.

        :param document: The prepared note.
        :param findings: Settled findings with probabilities, unmarked ones too.
        :param least: Probability from which on a finding is marked.
        :param evidence: What a model says of the note, if one read it.
        """
        return logistic(self.risk, risk_features(document, findings, least, evidence))


def logistic(weights: Sequence[float], told: Sequence[float]) -> float:
    """Return the probability that weighed evidence comes to.

    :param weights: One for each piece of evidence.
    :param told: The evidence.
    """
    total = sum(w * x for w, x in zip(weights, told, strict=True))
    return 1.0 / (1.0 + math.exp(-min(max(total, -_MOST), _MOST)))


def is_certain(finding: Finding) -> bool:
    """Tell whether a finding needs no weighing: known data, and what a field holds."""
    return finding.rule.startswith((KNOWN_RULE, FIELDS_RULE))


def read_calibration(path: Path, key: str) -> Calibration | None:
    """Read a calibration.

    :param path: A YAML file, beside the rules or beside a model.
    :param key: The preset, or the head of the model.
    :return: The calibration; None where there is no such file or entry.
    :raises ConfigurationError: If the file cannot be read.
    """
    if not path.is_file():
        return None
    data = parse_yaml(path, read_text(path))
    entry = data.get(key) if isinstance(data, dict) else None
    if entry is None:
        return None
    try:
        weights = {
            group: tuple(float(row[name]) for name in FEATURES)
            for group, row in entry["weights"].items()
        }
        rules = {str(rule): float(p) for rule, p in entry["rules"].items()}
        risk = tuple(float(entry["risk"][name]) for name in RISK_FEATURES)
        missing = {*GROUPS, OTHER} - weights.keys()
    except (AttributeError, KeyError, TypeError, ValueError):
        missing = {"weights"}
    if missing:
        raise ConfigurationError(
            f"{path}: {key} lacks {', '.join(sorted(missing))}; remove it and "
            "write it anew with presidio-mx train calibration"
        )
    return Calibration(weights, rules, risk)
