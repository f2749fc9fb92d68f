"""A probability, not a score: how likely each finding identifies somebody.

A logistic regression for each group of entity types over a few pieces of evidence: how
often the rule was right (with its hand-set score as a prior), what a model says of the
same words, whether they are names or ordinary words, and how they are typed. Fitted on
marked notes, and on prose without identifiers, by ``presidio-mx train calibration``.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import FIELDS_RULE, KNOWN_RULE, Finding
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME
from presidio_mx.analyzer.vote.evidence import Evidence, Sight
from presidio_mx.analyzer.vote.initials import initials_of
from presidio_mx.analyzer.vote.leftovers import LEFTOVER_RULE
from presidio_mx.analyzer.vote.risk import RISK_FEATURES, risk_features
from presidio_mx.errors import ConfigurationError
from presidio_mx.schemes import SPAIN_PREFIX
from presidio_mx.yaml_file import parse_yaml, read_text

CALIBRATION_FILE = "calibration.yaml"
# Types with weights of their own; all others share some.
GROUPS = ("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS")
# The labels of notes of Spain that are weighed with them.
_GROUP_OF_LABEL = {
    f"{SPAIN_PREFIX}{label}": group
    for group, labels in {
        "PERSON": ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"),
        "LOCATION": ("TERRITORIO", "PAIS"),
        "ORGANIZATION": ("HOSPITAL", "INSTITUCION", "CENTRO_SALUD"),
        "ADDRESS": ("CALLE",),
    }.items()
    for label in labels
}
OTHER = "other"
FEATURES = (
    "one",
    "rule",
    "rule_sure",
    "proposed",
    "named_elsewhere",
    "left_over",
    "named",
    "known",
    "name_or_word",
    "one_word",
    "initials",
    "small_letters",
    "casing_tells_nothing",
    "capitals",
    "model_anything",
    "model_least",
    "model_same",
    "model_on_initials",
)
_RULE, _RULE_SURE = FEATURES.index("rule"), FEATURES.index("rule_sure")
# Nothing is surer than this: a logarithm must stay finite.
_SUREST = 0.998
_MOST = 30.0
# A rule this often right is sure by itself.
_SURE_RULE = 0.93
_SURE_NAME = 0.9
_SHORTEST_NAME = 3
_MOST_INITIALS = 4


def logit(probability: float) -> float:
    """Return the logarithm of the odds, bounded.

    :param probability: 0 to 1.
    """
    bounded = min(max(probability, 1 - _SUREST), _SUREST)
    return math.log(bounded / (1 - bounded))


def group_of(entity: str) -> str:
    """Return the group of types that an entity is weighed with."""
    return entity if entity in GROUPS else _GROUP_OF_LABEL.get(entity, OTHER)


def sure_names(
    document: Document, findings: Iterable[Finding], evidence: Evidence | None
) -> frozenset[str]:
    """Return the words of full names that are beyond doubt.

    :param document: The prepared note.
    :param findings: Settled findings, in offsets of the note.
    :param evidence: What a model says of the note, if one read it.
    """
    names: set[str] = set()
    for finding in findings:
        if group_of(finding.entity) != "PERSON":
            continue
        words = _long_words(document, finding)
        sight = evidence and evidence.sight(finding.start, finding.end, finding.entity)
        sure = sight.least if sight else finding.score
        if len(words) > 1 and sure >= _SURE_NAME:
            names.update(words)
            names.update(initials_of(document, _inside(document, finding)))
    return frozenset(names)


def _inside(document: Document, finding: Finding) -> range:
    there = document.source.there
    return document.words_in(there(finding.start), there(finding.end))


def _long_words(document: Document, finding: Finding) -> list[str]:
    inside = _inside(document, finding)
    words = (document.words[i] for i in inside if not document.flags[i] & KNOWN)
    return [word for word in words if len(word) >= _SHORTEST_NAME]


def features(
    document: Document,
    finding: Finding,
    sight: Sight | None,
    names: frozenset[str],
) -> list[float]:
    """Return the evidence on a finding, in the order of :data:`FEATURES`.

    How often its rule is right is left at 0.

    :param document: The prepared note.
    :param finding: A settled finding, in offsets of the note.
    :param sight: What a model says of its words, if one read the note.
    :param names: Words of names that are beyond doubt in this note.
    """
    there = document.source.there
    start, end = there(finding.start), there(finding.end)
    words = document.words_in(start, end) or range(0)
    flags = [document.flags[i] for i in words]
    capitals = any(document.capital(i) for i in words)
    mixed = not words or document.casing(words[0]) == "mixed"
    written = document.text[start:end]
    person = group_of(finding.entity) == "PERSON"
    model = [0.0, 0.0, 0.0]
    if sight is not None:
        model = [logit(p) for p in (sight.anything, sight.least, sight.same)]
    # A model seldom knows initials from the abbreviations around them.
    initials = person and _are_initials(written, flags)
    return [
        1.0,
        0.0,
        0.0,
        float(finding.proposed),
        float(person and _all_in(document, finding, names)),
        float(finding.rule == LEFTOVER_RULE),
        _share(bool(f & NAME) and not f & KNOWN for f in flags),
        _share(bool(f & KNOWN) and not f & NAME for f in flags),
        _share(bool(f & KNOWN) and bool(f & NAME) for f in flags),
        float(len(words) == 1),
        float(initials),
        float(mixed and not capitals),
        float(not mixed),
        float(mixed and written.isupper()),
        *model,
        model[0] * initials,
    ]


def _are_initials(written: str, flags: Sequence[int]) -> bool:
    """Tell whether a span has a few letters and no name among them."""
    letters = sum(map(str.isalpha, written))
    return letters <= _MOST_INITIALS and not any(f & NAME for f in flags)


def _all_in(document: Document, finding: Finding, names: frozenset[str]) -> bool:
    words = _long_words(document, finding)
    if not words:
        # Initials: "AZ" for Aarón Zertuche.
        words = [document.words[i] for i in _inside(document, finding)][:2]
    return bool(words) and names.issuperset(words)


def _share(answers: Any) -> float:
    told = list(answers)
    return sum(told) / len(told) if told else 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """How evidence becomes a probability.

    :param weights: By group, one for each of :data:`FEATURES`.
    :param rules: How often each rule is right, by its label.
    :param risk: Weights of the risk of a note, one for each of
        :data:`presidio_mx.analyzer.vote.risk.RISK_FEATURES`.
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
