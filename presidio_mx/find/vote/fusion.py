"""Let rules and a model vote: how much each is trusted, by entity type.

The model's spans enter the scan of the rules as found before, with a score that says
what they weigh against rules, and compete in the resolve step. Where the model is sure
that nothing stands, weak rules give way. The weights are fitted on notes that neither
was made from and stand in ``fusion.yaml`` beside the model.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.note.finding import Finding, moved_back
from presidio_mx.find.note.working_text import WorkingText
from presidio_mx.find.vote.calibration import Calibration
from presidio_mx.find.vote.evidence import Evidence

FILE = "fusion.yaml"


@dataclass(frozen=True, slots=True)
class Weight:
    """What model and rules weigh for one entity type.

    :param scale: The model's probability times this is its score among rules.
    :param threshold: Model spans less probable than this are not proposed; above 1,
        none is.
    :param veto_score: Rule spans with a lower score give way where the model doubts.
    :param veto_at: How sure the model must be, over all words of the span, that no
        entity stands there; 0 to 1.
    """

    scale: float = 1.0
    threshold: float = 0.5
    veto_score: float = 0.0
    veto_at: float = 1.0


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights of one preset.

    :param weights: By entity type.
    :param default: For all other types.
    """

    weights: Mapping[str, Weight] = field(default_factory=dict)
    default: Weight = field(default_factory=Weight)

    def of(self, entity: str) -> Weight:
        """Return the weight of an entity type."""
        return self.weights.get(entity, self.default)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says of a note beside its spans, and how it is weighed.

    :param evidence: Probabilities of entity types, word by word.
    :param fusion: The weights.
    :param source: Identifier of the recognizer that runs the model.
    :param calibration: How its evidence becomes probabilities; without one, rule spans
        give way by the weights' vetoes.
    :param seen: All spans of the model, also those too improbable to compete: what
        nothing else covers of them is weighed.
    """

    evidence: Evidence
    fusion: Fusion = field(default_factory=Fusion)
    source: str = ""
    calibration: Calibration | None = None
    seen: tuple[Finding, ...] = ()

    def back(self, source: WorkingText) -> "Opinion":
        """Return what was said of a working text in offsets of the note.

        :param source: The working text.
        """
        if source.offsets is None:
            return self
        return replace(
            self,
            evidence=self.evidence.back(source.offsets),
            seen=moved_back(self.seen, source),
        )

    def vetoes(self, finding: Finding) -> bool:
        """Tell whether a rule's finding gives way."""
        weight = self.fusion.of(finding.entity)
        if self.calibration is not None or finding.score >= weight.veto_score:
            return False
        words = self.evidence.words(finding.start, finding.end)
        outside = self.evidence.outside(words)
        return bool(len(outside) and outside.min() >= weight.veto_at)


def without_doubtful(
    findings: Sequence[Finding], opinions: Iterable[Opinion]
) -> list[Finding]:
    """Drop the rule findings that a model vetoes.

    :param findings: Settled findings.
    :param opinions: What the models say.
    :return: Those that stay.
    """
    opinions = list(opinions)
    return [
        finding
        for finding in findings
        if finding.proposed
        or finding.block
        or not any(one.vetoes(finding) for one in opinions)
    ]


def read_fusion(path: Path, preset: str) -> Fusion:
    """Read the weights of a preset.

    :param path: A YAML file: preset, then entity type (or ``default``), then the
        fields of :class:`Weight`. A file that is not there means equal trust.
    :param preset: ``mx`` or ``es-ES``.
    :return: The weights.
    :raises ConfigurationError: If the file cannot be read.
    """
    if not path.is_file():
        return Fusion()
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        table = raw.get(preset) or {}
        made = {
            name: _weight(entry, f"{path}: {name}") for name, entry in table.items()
        }
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError) as error:
        raise ConfigurationError(f"{path}: cannot be read ({error})") from None
    return Fusion(made, made.pop("default", Weight()))


def _weight(entry: Any, where: str) -> Weight:
    known = [one.name for one in fields(Weight)]
    if not isinstance(entry, dict) or set(entry) - set(known):
        raise ConfigurationError(f"{where}: a weight has {', '.join(known)}")
    return Weight(**{name: float(value) for name, value in entry.items()})
