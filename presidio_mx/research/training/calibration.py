"""Fit how evidence becomes a probability, on notes that neither side was made from."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from presidio_mx.find.ner.transformer import MxTransformerRecognizer
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.preset import Preset
from presidio_mx.find.session import Proposal, Session
from presidio_mx.find.vote.calibration import Calibration, is_certain, logistic
from presidio_mx.find.vote.evidence import Evidence
from presidio_mx.find.vote.features import (
    FEATURES,
    GROUPS,
    OTHER,
    features,
    group_of,
    sure_names,
)
from presidio_mx.find.vote.risk import RISK_FEATURES, risk_features
from presidio_mx.find.vote.weigh import BALANCED, candidates, least_probability
from presidio_mx.research.training.logistic import Reliability, fit_logistic
from presidio_mx.text.spans import Note, Span

# Prose that names no patient has dates, ages, hospitals, towns and the names of doctors
# all the same, the last where a strong rule says so.
NEVER_IN_PROSE = frozenset({"PERSON", "ADDRESS"})
_STRONG_RULE = 0.85
FOLDS = 5
# A rule's hand-set score counts as so many findings.
_PRIOR_FINDINGS = 10.0
# How strongly weights are held to their prior: one for the rule's own odds, else none.
_RIDGE = 2.0
# A prior from another calibration was fitted on far more notes than need one.
_RIDGE_TO_PRIOR = 100.0


@dataclass(frozen=True)
class Examined:
    """A note with its candidates.

    :param note: The note with gold spans; None for prose that names nobody.
    :param document: The prepared note.
    :param evidence: What the model says, if one votes.
    :param findings: Candidates with hand-set scores or the model's own.
    :param told: Features of each but for its rule's reliability, which is fitted first.
    :param right: Whether at least half of its letters identify somebody; None where
        that is not known.
    """

    note: Note | None
    document: Document
    evidence: Evidence | None
    findings: tuple[Finding, ...]
    told: tuple[tuple[float, ...], ...]
    right: tuple[bool | None, ...]


def examined(
    preset: Preset, text: str, note: Note | None, model: MxTransformerRecognizer | None
) -> Examined:
    """Return the candidates of a note: settled findings, faint ones too.

    :param preset: The rules.
    :param text: The text.
    :param note: The same with gold spans, unless it is prose that names nobody.
    :param model: The model that votes, if one does.
    """
    session = Session(text)
    proposal = Proposal(())
    if model is not None:
        proposal = model.propose(session.readable.text).back(session.readable)
    walk = session.walk(preset)
    opinion = proposal.opinion
    settled = walk.settled(tuple(sorted(proposal.findings)))
    found = [
        finding
        for finding in candidates(preset, walk.document, text, settled, opinion)
        if not is_certain(finding)
    ]
    evidence = opinion.evidence if opinion else None
    standing = [finding for finding in settled if not finding.block]
    names = sure_names(walk.document, standing, evidence)
    told = []
    for finding in found:
        sight = None
        if evidence is not None:
            sight = evidence.sight(finding.start, finding.end, finding.entity)
        told.append(tuple(features(walk.document, finding, sight, names)))
    right = tuple(_right(text, finding, note) for finding in found)
    return Examined(note, walk.document, evidence, tuple(found), tuple(told), right)


def _right(text: str, finding: Finding, note: Note | None) -> bool | None:
    if note is None:
        strong = not finding.proposed and finding.score >= _STRONG_RULE
        return None if strong or finding.entity not in NEVER_IN_PROSE else False
    letters = [i for i in range(finding.start, finding.end) if text[i].isalnum()]
    inside = sum(any(s.start <= i < s.end for s in note.spans) for i in letters)
    return bool(letters) and 2 * inside >= len(letters)


def rules_right(made: Sequence[Examined]) -> dict[str, float]:
    """Return how often each rule is right, its hand-set score being the prior.

    :param made: Notes; what models proposed is left out.
    """
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    scores: defaultdict[str, float] = defaultdict(float)
    for one in made:
        for finding, correct in zip(one.findings, one.right, strict=True):
            if correct is not None and not finding.proposed:
                seen[finding.rule] += 1
                right[finding.rule] += correct
                scores[finding.rule] += finding.score
    return {
        rule: (right[rule] + _PRIOR_FINDINGS * scores[rule] / count)
        / (count + _PRIOR_FINDINGS)
        for rule, count in sorted(seen.items())
    }


def fit(made: Sequence[Examined], prior: Calibration | None = None) -> Calibration:
    """Fit how evidence on a finding becomes a probability.

    :param made: Notes and their candidates.
    :param prior: What the weights are held to, where notes are few; without it, to the
        odds that a finding's rule is right.
    :return: A calibration that cannot tell the risk of a note yet.
    """
    bare = Calibration({}, rules_right(made))
    tables: dict[str, list[list[float]]] = {group: [] for group in (*GROUPS, OTHER)}
    answers: dict[str, list[bool]] = {group: [] for group in tables}
    for one in made:
        cases = zip(one.findings, one.told, one.right, strict=True)
        for finding, told, correct in cases:
            if correct is not None:
                group = group_of(finding.entity)
                tables[group].append(bare.with_reliability(list(told), finding))
                answers[group].append(correct)
    odds_of_rule = np.zeros(len(FEATURES))
    odds_of_rule[FEATURES.index("rule")] = 1.0
    weights = {}
    for group, rows in tables.items():
        table = np.array(rows, dtype=float).reshape(-1, len(FEATURES))
        right = np.array(answers[group], dtype=float)
        held_to = np.array(prior.weights[group]) if prior else odds_of_rule
        ridge = _RIDGE_TO_PRIOR if prior else _RIDGE
        weights[group] = tuple(fit_logistic(table, right, held_to, ridge).tolist())
    return replace(bare, weights=weights)


def weighed(one: Examined, fitted: Calibration) -> list[Finding]:
    """Return the candidates of a note with probabilities as scores."""
    return [
        finding._replace(
            score=fitted.of_row(
                fitted.with_reliability(list(told), finding), finding.entity
            )
        )
        for finding, told in zip(one.findings, one.told, strict=True)
    ]


def crossvalidated(
    made: Sequence[Examined], prior: Calibration | None = None
) -> list[list[Finding]]:
    """Return each note's candidates with probabilities fitted without the note.

    :param made: Notes and their candidates.
    :param prior: As :func:`fit` takes it.
    """
    told: list[list[Finding]] = [[] for _ in made]
    for fold in range(FOLDS):
        others = [one for place, one in enumerate(made) if place % FOLDS != fold]
        fitted = fit(others, prior)
        for place in range(fold, len(made), FOLDS):
            told[place] = weighed(made[place], fitted)
    return told


def is_left(note: Note, findings: Sequence[Finding], least: float) -> bool:
    """Tell whether some identifier of a note is not wholly marked.

    :param note: The note with gold spans.
    :param findings: Candidates with probabilities.
    :param least: Probability from which on they are marked.
    """
    marked = {i for f in findings if f.score >= least for i in range(f.start, f.end)}
    return any(not _letters(note.text, span) <= marked for span in note.spans)


def _letters(text: str, span: Span) -> set[int]:
    return {i for i in range(span.start, span.end) if text[i].isalnum()}


def _risk_table(
    made: Sequence[Examined], told: Sequence[Sequence[Finding]], least: float
) -> tuple[list[list[float]], list[bool]]:
    """Return the features of marked notes, and whether something is left in each."""
    rows, left = [], []
    for one, findings in zip(made, told, strict=True):
        if one.note is not None:
            rows.append(risk_features(one.document, findings, least, one.evidence))
            left.append(is_left(one.note, findings, least))
    return rows, left


def calibrate(
    preset: Preset,
    notes: Sequence[Note],
    prose: Sequence[str],
    model: MxTransformerRecognizer | None,
    tell: Callable[[str], None],
    prior: Calibration | None = None,
) -> Calibration:
    """Fit a calibration and tell how far it can be relied on.

    :param preset: The rules.
    :param notes: Notes with gold spans.
    :param prose: Texts that name nobody, whose dates, ages and institutions tell
        nothing.
    :param model: The model that votes, if one does.
    :param tell: Takes lines of progress.
    :param prior: As :func:`fit` takes it; its risk is held to, too.
    """
    made = [examined(preset, note.text, note, model) for note in notes]
    made += [examined(preset, text, None, model) for text in prose]
    told = crossvalidated(made, prior)
    by_hand = _reliability([one.findings for one in made], made)
    tell(f"error of scores set by hand {by_hand.error:.3f}")
    after = _reliability(told, made)
    tell(f"error of probabilities, {FOLDS} folds by note, {after.error:.3f}")
    for line in after.lines():
        tell(line)
    least = least_probability(BALANCED, preset.name)
    rows, left = _risk_table(made, told, least)
    held_to = prior.risk if prior else (0.0,) * len(RISK_FEATURES)
    risk = _fit_risk(rows, left, range(len(rows)), held_to)
    chances = [0.0] * len(rows)
    for fold in range(FOLDS):
        others = [i for i in range(len(rows)) if i % FOLDS != fold]
        weights = _fit_risk(rows, left, others, held_to)
        for place in range(fold, len(rows), FOLDS):
            chances[place] = logistic(weights, rows[place])
    tell(f"risk of {len(rows)} notes, {sum(left)} with something left")
    for line in Reliability.of(chances, left).lines():
        tell(line)
    return replace(fit(made, prior), risk=tuple(risk))


def _reliability(
    told: Sequence[Sequence[Finding]], made: Sequence[Examined]
) -> Reliability:
    known = [
        (finding.score, correct)
        for findings, one in zip(told, made, strict=True)
        for finding, correct in zip(findings, one.right, strict=True)
        if correct is not None
    ]
    return Reliability.of([score for score, _ in known], [right for _, right in known])


def _fit_risk(
    rows: Sequence[Sequence[float]],
    left: Sequence[bool],
    places: Sequence[int],
    held_to: Sequence[float],
) -> list[float]:
    table = np.array([rows[i] for i in places], dtype=float)
    table = table.reshape(-1, len(RISK_FEATURES))
    answers = np.array([left[i] for i in places], dtype=float)
    weights = fit_logistic(table, answers, np.array(held_to), 1.0)
    return [float(weight) for weight in weights]
