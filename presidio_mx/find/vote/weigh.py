"""Give every settled finding the probability that it identifies somebody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.vote.calibration import Calibration, is_certain
from presidio_mx.find.vote.columns import column_mates
from presidio_mx.find.vote.evidence import Evidence
from presidio_mx.find.vote.features import sure_names
from presidio_mx.find.vote.fusion import Opinion
from presidio_mx.find.vote.leftovers import LEFTOVER_RULE, joined, parts_left
from presidio_mx.find.vote.resolve import Overlaps, covers_half

# From which probability on a span is marked, by name.
SENSITIVITIES = {"high": 0.03, "balanced": 0.15, "exact": 0.5}
BALANCED = "balanced"
# In notes of Spain, forms and prose of one kind, a span that is doubtful mostly has a
# wrong bound: there the balance lies as low as the shared task's measure, exact spans,
# loses nothing by it.
_OF_PRESET = {"es-ES": {BALANCED: 0.35}}
# What rules alone give this probability is never given less than the second.
_SURE_ALONE = 0.95
_NEVER_BELOW = 0.5


def least_probability(sensitivity: str | float, preset: str = "mx") -> float:
    """Return the probability from which on spans are marked.

    :param sensitivity: ``high``, ``balanced``, ``exact``, or the probability itself.
    :param preset: Name of the rules: ``balanced`` is another for notes of Spain.
    :raises ConfigurationError: If it is none of these.
    """
    named = SENSITIVITIES | _OF_PRESET.get(preset, {})
    if isinstance(sensitivity, str) and sensitivity in named:
        return named[sensitivity]
    try:
        least = -1.0 if isinstance(sensitivity, bool) else float(sensitivity)
    except (TypeError, ValueError):
        least = -1.0
    # Who says 1 or True means the highest, and would get a note with nothing marked.
    if not 0 <= least < 1:
        raise ConfigurationError(
            f"sensitivity is {', '.join(named)} or the probability from which "
            "on spans are marked, from 0 (all) to below 1 (none)"
        )
    return least


class Rules(Protocol):
    """What is needed of a preset here."""

    @property
    def calibration(self) -> Calibration | None:
        """How its findings become probabilities without a model."""

    def mended(
        self, document: Document, findings: Sequence[Finding]
    ) -> Sequence[Finding]:
        """Hold proposals, in offsets of the note, against the lists."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What weighs the findings of a note.

    :param calibration: How evidence becomes a probability.
    :param opinion: What a model says, if one read the note.
    """

    calibration: Calibration
    opinion: Opinion | None = None

    def weighs(self, finding: Finding) -> bool:
        """Tell whether a finding is a rule's or this model's, and not known data."""
        known = {"", self.opinion.source} if self.opinion else {""}
        return finding.source in known and not is_certain(finding)

    @property
    def evidence(self) -> Evidence | None:
        """What a model says of the note, if one read it."""
        return self.opinion.evidence if self.opinion else None

    def risk(
        self, document: Document, findings: Sequence[Finding], least: float
    ) -> float:
        """Return how likely something that identifies somebody stays unmarked.

        :param document: The prepared note.
        :param findings: What :func:`weighed` gave.
        :param least: Probability from which on a finding is marked.
        """
        return self.calibration.risk_of(document, findings, least, self.evidence)


def scale_of(rules: Rules, opinions: Sequence[Opinion]) -> Scale | None:
    """Return what weighs the findings of a note; None where nothing was fitted.

    :param rules: The preset.
    :param opinions: What models say; the first that is calibrated counts.
    """
    for opinion in opinions:
        if opinion.calibration is not None:
            return Scale(opinion.calibration, opinion)
    return Scale(rules.calibration) if rules.calibration and not opinions else None


def weighed(
    rules: Rules,
    document: Document,
    text: str,
    findings: Sequence[Finding],
    opinions: Sequence[Opinion],
) -> list[Finding]:
    """Return findings with probabilities as scores, faint ones among them.

    :param rules: The preset.
    :param document: The prepared note.
    :param text: The note.
    :param findings: Settled findings and blocks, in offsets of the note.
    :param opinions: What models say.
    :return: In reading order, without blocks; unchanged where nothing was fitted.
    """
    scale = scale_of(rules, opinions)
    if scale is None:
        return [finding for finding in findings if not finding.block]
    standing = [finding for finding in findings if not finding.block]
    names = sure_names(document, standing, scale.evidence)
    return joined(
        text,
        [
            finding._replace(score=_probability(rules, scale, document, finding, names))
            if scale.weighs(finding)
            else finding
            for finding in candidates(rules, document, text, findings, scale.opinion)
        ],
    )


def candidates(
    rules: Rules,
    document: Document,
    text: str,
    findings: Sequence[Finding],
    opinion: Opinion | None,
) -> list[Finding]:
    """Return findings, what their columns hold, and what a model saw beside them.

    :param rules: The preset.
    :param document: The prepared note.
    :param text: The note.
    :param findings: Settled findings and blocks, in offsets of the note.
    :param opinion: What a model says, if one read the note.
    :return: In reading order, without overlaps and blocks.
    """
    standing = [finding for finding in findings if not finding.block]
    blocks = Overlaps.of([finding for finding in findings if finding.block])
    mates = column_mates(document, text, standing, blocks)
    if mates:
        standing = sorted([*standing, *mates], key=lambda f: (f.start, f.end))
    if opinion is None:
        return standing
    parts = [
        part
        for part in parts_left(text, opinion.seen, standing)
        if not _forbidden(part, blocks)
    ]
    whole = rules.mended(document, [p for p in parts if p.rule != LEFTOVER_RULE])
    cut = [p for p in parts if p.rule == LEFTOVER_RULE]
    return sorted([*standing, *whole, *cut], key=lambda f: (f.start, f.end, f.rule))


def _forbidden(part: Finding, blocks: Overlaps) -> bool:
    """Tell whether a block of its entity covers at least half of what a model saw."""
    return any(
        block.entity == part.entity and covers_half(block, part)
        for block in blocks.with_(part)
    )


def _probability(
    rules: Rules,
    scale: Scale,
    document: Document,
    finding: Finding,
    names: frozenset[str],
) -> float:
    """Return how likely a finding identifies somebody.

    A model's doubt never uncovers what the rules alone are sure of.
    """
    told = scale.calibration.probability(document, finding, scale.evidence, names)
    alone = rules.calibration
    if told < _NEVER_BELOW and alone and scale.evidence and not finding.proposed:
        sure = alone.probability(document, finding, None, names) >= _SURE_ALONE
        return _NEVER_BELOW if sure else told
    return told
