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

import numpy as np
import yaml
from numpy.typing import NDArray

from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.errors import ConfigurationError

FILE = "fusion.yaml"

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


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
class Doubt:
    """Where a model is sure that a note identifies nobody.

    :param starts: Offsets of words, shape (words,).
    :param ends: Offsets after words, shape (words,).
    :param outside: Probability that no entity covers the word, shape (words,).
    :param fusion: The weights.
    """

    starts: Ints
    ends: Ints
    outside: Floats
    fusion: Fusion

    def back(self, offsets: Sequence[int]) -> "Doubt":
        """Return the doubt in offsets of the note.

        :param offsets: Offset in the note of each character and of the end.
        """
        table = np.asarray(offsets)
        ends = table[np.maximum(self.ends, 1) - 1] + 1
        return replace(self, starts=table[self.starts], ends=ends)

    def vetoes(self, finding: Finding) -> bool:
        """Tell whether a rule's finding gives way."""
        weight = self.fusion.of(finding.entity)
        if finding.score >= weight.veto_score:
            return False
        first = int(np.searchsorted(self.ends, finding.start, side="right"))
        last = int(np.searchsorted(self.starts, finding.end, side="left"))
        if first >= last:
            return False
        return bool(self.outside[first:last].min() >= weight.veto_at)


def without_doubtful(
    findings: Sequence[Finding], doubts: Iterable[Doubt]
) -> list[Finding]:
    """Drop the rule findings that a model vetoes.

    :param findings: Settled findings.
    :param doubts: What the models say.
    :return: Those that stay.
    """
    doubts = list(doubts)
    return [
        finding
        for finding in findings
        if finding.proposed or not any(doubt.vetoes(finding) for doubt in doubts)
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
