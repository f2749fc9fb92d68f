"""How probable a rule's finding is: how often the rule is right, and what a model says.

A logistic regression over at most four numbers, for five groups of entities, fitted on
marked notes by ``presidio-mx train calibration``. A model's own spans need none: their
words' probabilities are what the model was trained for.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.finding import Finding
from presidio_mx.schemes import SPAIN_PREFIX
from presidio_mx.yaml_file import parse_yaml, read_text

CALIBRATION_FILE = "calibration.yaml"
FEATURES = ("one", "rule", "score", "model")
"""What weighs: a constant; log-odds that the rule is right, of the score it gave, and
of the model, in its likeliest word, that something stands there (0 without a model)."""
RISK_FEATURES = ("one", "left", "words")
"""What a note's risk depends on: a constant; the logarithms of the probability that was
left unmarked, summed over words, and of the number of words."""
GROUPS = ("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS")
"""Entities with weights of their own; all others share some."""
OTHERS = "other"
# Nothing is surer than this: a logarithm must stay finite.
_SUREST = 0.998
_SPAIN = {
    f"{SPAIN_PREFIX}{label}": group
    for group, labels in {
        "PERSON": ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"),
        "LOCATION": ("TERRITORIO", "PAIS"),
        "ORGANIZATION": ("HOSPITAL", "INSTITUCION", "CENTRO_SALUD"),
        "ADDRESS": ("CALLE",),
    }.items()
    for label in labels
}


def logit(probability: float) -> float:
    """Return the logarithm of the odds, bounded.

    :param probability: 0 to 1.
    """
    bounded = min(max(probability, 1 - _SUREST), _SUREST)
    return math.log(bounded / (1 - bounded))


def group_of(entity: str) -> str:
    """Return the group of entities that an entity is weighed with."""
    return entity if entity in GROUPS else _SPAIN.get(entity, OTHERS)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the findings of rules become probabilities.

    :param weights: By group, one for each of :data:`FEATURES`.
    :param rules: How often each rule is right, by its label.
    :param risk: One for each of :data:`RISK_FEATURES`.
    """

    weights: Mapping[str, tuple[float, ...]]
    rules: Mapping[str, float] = field(default_factory=dict)
    risk: tuple[float, ...] = ()

    def features(self, finding: Finding, seen: float) -> list[float]:
        """Return what weighs, in the order of :data:`FEATURES`.

        :param finding: A rule's finding.
        :param seen: The model's highest log-odds over its words; 0 without a model.
        """
        chance = self.rules.get(finding.rule, finding.score)
        return [1.0, logit(chance), logit(finding.score), seen]

    def probability(self, finding: Finding, seen: float) -> float:
        """Return how likely a rule's finding identifies somebody.

        :param finding: The finding.
        :param seen: As :meth:`features` takes it.
        """
        return logistic(
            self.weights[group_of(finding.entity)], self.features(finding, seen)
        )

    def risk_of(self, left: float, words: int) -> float:
        """Return how likely a note keeps something that identifies somebody.

        :param left: Probability left unmarked, summed over its words.
        :param words: Number of its words.
        """
        return logistic(self.risk, (1.0, math.log(left + 1e-3), math.log1p(words)))


def logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    """Return the probability that weighed numbers come to.

    :param weights: One for each number.
    :param features: The numbers.
    """
    total = sum(w * x for w, x in zip(weights, features, strict=True))
    return 1.0 / (1.0 + math.exp(-min(max(total, -30.0), 30.0)))


def read_calibration(path: Path, key: str) -> Calibration | None:
    """Read a calibration.

    :param path: A YAML file: of the rules alone, or the one that lies in a model's
        folder.
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
        missing = {*GROUPS, OTHERS} - weights.keys()
    except (AttributeError, KeyError, TypeError, ValueError):
        missing = {"weights"}
    if missing:
        raise ConfigurationError(
            f"{path}: {key} lacks {', '.join(sorted(missing))}; remove it and "
            "write it anew with presidio-mx train calibration"
        )
    return Calibration(weights, rules, risk)
