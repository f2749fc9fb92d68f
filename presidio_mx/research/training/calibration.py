"""Fit how probable the findings of rules are, on notes that no model was made from."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from presidio_mx.errors import InputError
from presidio_mx.find.finding import Finding
from presidio_mx.find.ner.transformer import MxTransformerRecognizer
from presidio_mx.find.preset import Preset
from presidio_mx.find.probability import (
    FEATURES,
    GROUPS,
    OTHERS,
    RISK_FEATURES,
    Calibration,
    group_of,
    logistic,
)
from presidio_mx.find.reading import Evidence
from presidio_mx.find.sensitivity import BALANCED, Thresholds, thresholds_of
from presidio_mx.find.session import Session
from presidio_mx.research.training.logistic import Reliability, fit_logistic
from presidio_mx.text.spans import Note

# Prose that names no patient has dates, ages, hospitals and towns all the same.
NEVER_IN_PROSE = frozenset({"PERSON", "ADDRESS"})
FOLDS = 5
# A rule's hand-set score counts as so many findings.
_PRIOR_FINDINGS = 10.0
# How strongly weights are held to their prior: one for the rule's own odds, else none.
_RIDGE = 2.0


@dataclass(frozen=True)
class Case:
    """A finding of a rule, and whether it is right.

    :param finding: The finding, scored as its rule says.
    :param seen: The model's highest log-odds over its words; 0 without a model.
    :param right: Whether at least half of its letters identify somebody.
    """

    finding: Finding
    seen: float
    right: bool


@dataclass(frozen=True)
class Examined:
    """A note that was read.

    :param note: The note with gold spans; None for prose that names nobody.
    :param session: Its reading.
    :param evidence: What the model says, if one reads.
    :param cases: The findings of rules whose truth is known.
    """

    note: Note | None
    session: Session
    evidence: Evidence | None
    cases: tuple[Case, ...]


def examined(
    preset: Preset, text: str, note: Note | None, model: MxTransformerRecognizer | None
) -> Examined:
    """Read a note and hold what rules find against what is marked.

    :param preset: The rules.
    :param text: The text.
    :param note: The same with gold spans, unless it is prose that names nobody.
    :param model: The model beside them, if there is one.
    """
    session = Session(text)
    evidence = None
    if model is not None and text.strip():
        source = session.document(preset).source
        evidence = session.reading(model, lambda: model.read(source)).evidence
    cases = []
    for finding in session.rules(preset):
        right = _right(text, finding, note)
        if right is not None and not finding.certain:
            start, end = finding.start, finding.end
            seen = evidence.highest(start, end) if evidence else 0.0
            cases.append(Case(finding, seen, right))
    return Examined(note, session, evidence, tuple(cases))


def _right(text: str, finding: Finding, note: Note | None) -> bool | None:
    if note is None:
        return False if finding.entity in NEVER_IN_PROSE else None
    letters = [i for i in range(finding.start, finding.end) if text[i].isalnum()]
    inside = sum(any(s.start <= i < s.end for s in note.spans) for i in letters)
    return bool(letters) and 2 * inside >= len(letters)


def rules_right(cases: Sequence[Case]) -> dict[str, float]:
    """Return how often each rule is right, its hand-set score being the prior.

    :param cases: Findings of rules.
    """
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    scores: defaultdict[str, float] = defaultdict(float)
    for case in cases:
        rule = case.finding.rule
        seen[rule] += 1
        right[rule] += case.right
        scores[rule] += case.finding.score
    return {
        rule: (right[rule] + _PRIOR_FINDINGS * scores[rule] / count)
        / (count + _PRIOR_FINDINGS)
        for rule, count in sorted(seen.items())
    }


def fit(cases: Sequence[Case]) -> Calibration:
    """Fit how the findings of rules become probabilities.

    :param cases: Findings of rules.
    :return: A calibration that cannot tell the risk of a note yet.
    """
    bare = Calibration({}, rules_right(cases))
    prior = np.array([float(name == "rule") for name in FEATURES])
    weights = {}
    for group in (*GROUPS, OTHERS):
        own = [case for case in cases if group_of(case.finding.entity) == group]
        rows = [bare.features(case.finding, case.seen) for case in own]
        table = np.array(rows, dtype=float).reshape(-1, len(FEATURES))
        right = np.array([case.right for case in own], dtype=float)
        weights[group] = tuple(fit_logistic(table, right, prior, _RIDGE).tolist())
    return replace(bare, weights=weights)


def _left(
    one: Examined, preset: Preset, fitted: Calibration, least: Thresholds
) -> float:
    """Return the probability that a note leaves unmarked, summed over its words."""
    marked = decided(one, preset, fitted, least)
    if one.evidence is not None:
        return one.evidence.left(marked)
    told = ((fitted.probability(c.finding, c.seen), c.finding) for c in one.cases)
    return sum(chance for chance, f in told if chance < least.of(f.entity))


def decided(
    one: Examined, preset: Preset, fitted: Calibration, least: Thresholds
) -> list[Finding]:
    """Return what is marked of a note with a calibration.

    :param one: The note.
    :param preset: The rules.
    :param fitted: The calibration.
    :param least: Probabilities from which on findings are marked.
    """
    return one.session.decided(preset, least, calibration=fitted)


def is_left(note: Note, marked: Sequence[Finding]) -> bool:
    """Tell whether some identifier of a note is not wholly marked.

    :param note: The note with gold spans.
    :param marked: What is marked.
    """
    covered = {i for f in marked for i in range(f.start, f.end)}
    return any(
        i not in covered
        for span in note.spans
        for i in range(span.start, span.end)
        if note.text[i].isalnum()
    )


def calibrate(
    preset: Preset,
    notes: Sequence[Note],
    prose: Sequence[str],
    model: MxTransformerRecognizer | None,
    tell: Callable[[str], None],
) -> Calibration:
    """Fit a calibration and tell how far it can be relied on.

    :param preset: The rules.
    :param notes: Notes with gold spans.
    :param prose: Texts that name nobody.
    :param model: The model beside the rules, if there is one.
    :param tell: Takes lines of progress.
    """
    made = [examined(preset, note.text, note, model) for note in notes]
    made += [examined(preset, text, None, model) for text in prose]
    least = thresholds_of(BALANCED)
    told: list[tuple[float, bool]] = []
    rows: list[tuple[float, ...]] = []
    left: list[bool] = []
    for fold in range(FOLDS):
        fitted = fit(
            [c for i, one in enumerate(made) if i % FOLDS != fold for c in one.cases]
        )
        for one in made[fold::FOLDS]:
            told += [
                (fitted.probability(c.finding, c.seen), c.right) for c in one.cases
            ]
            if one.note is not None:
                marked = decided(one, preset, fitted, least)
                rows.append(_risk_row(one, preset, _left(one, preset, fitted, least)))
                left.append(is_left(one.note, marked))
    after = Reliability.of([chance for chance, _ in told], [right for _, right in told])
    tell(f"error of probabilities, {FOLDS} folds by note, {after.error:.3f}")
    for line in after.lines():
        tell(line)
    risk = _fit_risk(rows, left, range(len(rows)))
    chances = [0.0] * len(rows)
    for fold in range(FOLDS):
        weights = _fit_risk(
            rows, left, [i for i in range(len(rows)) if i % FOLDS != fold]
        )
        for place in range(fold, len(rows), FOLDS):
            chances[place] = logistic(weights, rows[place])
    tell(f"risk of {len(rows)} notes, {sum(left)} with something left")
    for line in Reliability.of(chances, left).lines():
        tell(line)
    return replace(fit([c for one in made for c in one.cases]), risk=tuple(risk))


def _risk_row(one: Examined, preset: Preset, left: float) -> tuple[float, ...]:
    words = len(one.session.document(preset))
    return (1.0, math.log(left + 1e-3), math.log1p(words))


def _fit_risk(
    rows: Sequence[Sequence[float]], left: Sequence[bool], places: Sequence[int]
) -> list[float]:
    table = np.array([rows[i] for i in places], dtype=float)
    table = table.reshape(-1, len(RISK_FEATURES))
    answers = np.array([left[i] for i in places], dtype=float)
    weights = fit_logistic(table, answers, np.zeros(len(RISK_FEATURES)), 1.0)
    return [float(weight) for weight in weights]


def write_calibration(path: Path, key: str, made: Calibration, note: str) -> None:
    """Write a calibration; entries of other keys stay.

    :param path: The file.
    :param key: The preset, or the head of a model.
    :param made: The calibration.
    :param note: What it was fitted on; stands in the file.
    """
    content: dict[str, Any] = {}
    if path.is_file():
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    content[key] = {
        "fitted": note,
        "weights": {
            group: _named(FEATURES, row) for group, row in made.weights.items()
        },
        "rules": {rule: round(chance, 3) for rule, chance in made.rules.items()},
        "risk": _named(RISK_FEATURES, made.risk),
    }
    head = (
        "# How the findings of rules become probabilities, and the risk of a note\n"
        "# (find/probability.py); written by presidio-mx train calibration.\n"
    )
    text = yaml.safe_dump(content, allow_unicode=True, sort_keys=True, width=100)
    if not path.name:
        raise InputError(f"{path} is not an ordinary file; choose another name")
    part = path.with_name(path.name + ".part")
    part.write_text(head + text, encoding="utf-8")
    part.replace(path)


def _named(names: Sequence[str], row: Sequence[float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(names, row, strict=True)}
