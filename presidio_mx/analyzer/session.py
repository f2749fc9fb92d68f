"""What the suite's recognizers share during one call of an analyzer."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from presidio_analyzer import RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.analyzer.note.finding import FOREIGN_RULE, Finding
from presidio_mx.analyzer.preset import Preset
from presidio_mx.analyzer.vote.fusion import Doubt, without_doubtful

ROLE_KEY = "role"
RULE_KEY = "rule"
_NAME = "_presidio_mx"

Foreign = tuple[Finding, ...]


@dataclass
class Shared:
    """The work of one call; it lives on Presidio's artifacts and goes with them.

    :param wanted: The entities each recognizer was asked for, by its identity.
    :param scans: Findings of a preset, by preset and by what others had found.
    :param doubts: What models doubt, by recognizer.
    :param preset: The preset whose rules run in this call, if any.
    """

    wanted: dict[int, frozenset[str]] = field(default_factory=dict)
    scans: dict[tuple[int, Foreign], Sequence[Finding]] = field(default_factory=dict)
    doubts: dict[int, Doubt] = field(default_factory=dict)
    preset: Preset | None = None

    def find(self, preset: Preset, text: str, given: Foreign = ()) -> Sequence[Finding]:
        """Run the rules once for all recognizers of a preset.

        :param preset: The preset.
        :param text: The note.
        :param given: What others found.
        :return: Settled findings, before any doubt.
        """
        key = (id(preset), given)
        if key not in self.scans:
            self.scans[key] = preset.find(text, given)
        return self.scans[key]

    def settle(self, preset: Preset, text: str, given: Foreign) -> list[Finding]:
        """Run the rules with what others found, and drop what models doubt.

        :param preset: The preset.
        :param text: The note.
        :param given: What others found.
        :return: Settled findings.
        """
        return without_doubtful(self.find(preset, text, given), self.doubts.values())


def shared(nlp_artifacts: NlpArtifacts) -> Shared:
    """Return what is shared in a call, made at the first look.

    :param nlp_artifacts: Presidio's artifacts of this call.
    """
    found: Shared = nlp_artifacts.__dict__.setdefault(_NAME, Shared())
    return found


def foreign_findings(*results: Sequence[RecognizerResult]) -> Foreign:
    """Return what recognizers without rules found, in one order for everybody.

    :param results: Results of any recognizers.
    """
    return tuple(
        sorted(
            Finding(r.start, r.end, r.entity_type, r.score, FOREIGN_RULE)
            for group in results
            for r in group
            if RULE_KEY not in (r.recognition_metadata or {})
        )
    )
