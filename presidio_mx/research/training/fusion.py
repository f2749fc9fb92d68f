"""Fit the weights by which rules and a model vote, on notes neither was made from."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.find.ner.transformer import MxTransformerRecognizer, spans_in_note
from presidio_mx.find.note.finding import FOREIGN_RULE, SHAPED, Finding
from presidio_mx.find.note.prepare import readable
from presidio_mx.find.preset import Preset, load_preset
from presidio_mx.find.vote.evidence import Evidence
from presidio_mx.find.vote.fusion import (
    Fusion,
    Opinion,
    Weight,
    without_doubtful,
)
from presidio_mx.text.spans import Note, Span

SCALES = (0.3, 0.5, 0.7, 0.85, 1.0, 1.15)
THRESHOLDS = (0.3, 0.5, 0.7, 0.9, 2.0)
VETOES = (
    (0.0, 1.0),
    (0.5, 0.95),
    (0.6, 0.99),
    (0.7, 0.99),
    (0.8, 0.99),
    (0.8, 0.999),
    (0.9, 0.999),
    (1.01, 0.999),
)
# Where the search begins: rules know the edges of spans better than a small model.
# Where the model is as sure as can be, all but the surest rules give way.
PRIOR = Weight(scale=0.7, veto_score=0.8, veto_at=0.999)
# A weight is not moved for less: on a hundred notes that is chance.
_LEAST_GAIN = 5e-4
# Who proposes a model's spans here, where no recognizer does.
_MODEL = "model"
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Read:
    """A note as the model read it, once for all weights.

    :param note: The note with gold spans, in the types of the preset.
    :param spans: What the model marks, with probabilities.
    :param opinion: What it says beside them.
    """

    note: Note
    spans: tuple[Span, ...]
    opinion: Opinion


@dataclass(frozen=True)
class Quality:
    """What weights come to on a set of notes.

    :param f1: Exact typed F1, all types together.
    :param covered: Share of gold spans whose every letter is covered by some span.
    :param precision: Share of marked characters that are marked in gold.
    :param clean: Share of notes in which every gold span is covered.
    """

    f1: float
    covered: float
    precision: float
    clean: float

    def total(self, goal: str) -> float:
        """Return what is maximised.

        :param goal: ``safe``: nothing missed first, then exactness; ``exact``: exact
            spans, for comparison with systems that are scored so.
        """
        if goal == "exact":
            return 3 * self.f1 + 0.3 * self.covered
        return self.f1 + 1.5 * self.covered + self.precision + 0.2 * self.clean


def read_notes(
    recognizer: MxTransformerRecognizer, notes: Sequence[Note]
) -> list[Read]:
    """Run the model over notes.

    :param recognizer: The model.
    :param notes: Notes with gold spans.
    :return: What it read.
    """
    made = []
    for note in notes:
        source = readable(note.text)
        pieces, rows = recognizer.read(source.text)
        types = recognizer.labels.types
        opinion = Opinion(Evidence.of(pieces.starts, pieces.ends, types, rows))
        spans = spans_in_note(source, pieces, rows, recognizer.labels)
        made.append(Read(note, tuple(spans), opinion.back(source)))
    return made


class Trial:
    """Notes on which weights are tried; what the rules find is kept for reuse.

    :param preset: The rules.
    :param reads: The notes.
    """

    def __init__(self, preset: Preset, reads: Sequence[Read]) -> None:
        """Keep both; nothing is run yet."""
        self.preset = preset
        self.reads = reads
        self._found: list[dict[tuple[Finding, ...], list[Finding]]] = [
            {} for _ in reads
        ]

    def fused(self, place: int, fusion: Fusion) -> list[Finding]:
        """Settle a note by weights, as the recognizers do.

        :param place: Which note.
        :param fusion: The weights.
        :return: Settled findings.
        """
        read = self.reads[place]
        given = []
        for span in read.spans:
            weight = fusion.of(span.entity_type)
            probability = span.score or 0.0
            if probability >= weight.threshold:
                score = min(1.0, probability * weight.scale)
                given.append(
                    Finding(
                        span.start,
                        span.end,
                        span.entity_type,
                        score,
                        FOREIGN_RULE,
                        source=_MODEL,
                    )
                )
        key, known = tuple(given), self._found[place]
        if key not in known:
            known[key] = list(self.preset.find(read.note.text, given))
        return without_doubtful(known[key], [replace(read.opinion, fusion=fusion)])


def quality(trial: Trial, fusion: Fusion) -> Quality:
    """Score weights.

    :param trial: The notes.
    :param fusion: The weights.
    :return: How good they are.
    """
    hit = made = gold = covered = clean = 0
    marked_letters = right_letters = 0
    for place, read in enumerate(trial.reads):
        found = trial.fused(place, fusion)
        text = read.note.text
        there = {(s.start, s.end, s.entity_type) for s in read.note.spans}
        hit += len(there & {(f.start, f.end, f.entity) for f in found})
        made += len(found)
        gold += len(there)
        letters = _letters(text, [(f.start, f.end) for f in found])
        true = _letters(text, [(s.start, s.end) for s in read.note.spans])
        marked_letters += len(letters)
        right_letters += len(letters & true)
        kept = [_letters(text, [(s.start, s.end)]) <= letters for s in read.note.spans]
        covered += sum(kept)
        clean += all(kept)
    return Quality(
        2 * hit / max(1, made + gold),
        covered / max(1, gold),
        right_letters / max(1, marked_letters),
        clean / max(1, len(trial.reads)),
    )


def _letters(text: str, spans: list[tuple[int, int]]) -> set[int]:
    return {i for a, b in spans for i in range(a, b) if text[i].isalnum()}


def fit(
    preset_name: str,
    reads: Sequence[Read],
    types: Sequence[str],
    tell: Tell,
    goal: str = "safe",
    rounds: int = 2,
) -> Fusion:
    """Choose the weights type by type, each where it helps most with the rest fixed.

    A weight moves from :data:`PRIOR` only where that gains something, so that types
    without a case keep it.

    :param preset_name: ``mx`` or ``es-ES``.
    :param reads: Notes as the model read them.
    :param types: Entity types, those to choose first in front.
    :param tell: Takes a line of progress.
    :param goal: ``safe`` or ``exact``, see :meth:`Quality.total`.
    :param rounds: How often to go through the types.
    :return: The weights.
    """
    trial = Trial(load_preset(preset_name), reads)
    fusion = Fusion(dict.fromkeys(types, PRIOR))
    best = quality(trial, fusion)
    tell(f"before: {_told(best)}")
    for number in range(rounds):
        before = best
        for kind in types:
            for options in _options(kind):
                for change in options:
                    weight = replace(fusion.weights[kind], **change)
                    if weight == fusion.weights[kind]:
                        continue
                    tried = Fusion({**fusion.weights, kind: weight})
                    score = quality(trial, tried)
                    if score.total(goal) > best.total(goal) + _LEAST_GAIN:
                        fusion, best = tried, score
        tell(f"round {number + 1}: {_told(best)}")
        if best == before:
            break
    return fusion


def _options(kind: str) -> list[list[dict[str, Any]]]:
    # How far the model is trusted where shapes decide is not for chance to say, only
    # from where on its spans count at all.
    scales = () if kind in SHAPED else SCALES
    return [
        [{"scale": value} for value in scales],
        [{"threshold": value} for value in THRESHOLDS],
        [{"veto_score": score, "veto_at": at} for score, at in VETOES],
    ]


def _told(score: Quality) -> str:
    return (
        f"F1 {score.f1:.4f}, covered {score.covered:.4f}, "
        f"character precision {score.precision:.4f}, clean {score.clean:.3f}"
    )


def write_fusion(path: Path, preset: str, fusion: Fusion, note: str) -> None:
    """Write the weights of a preset; those of other presets stay.

    :param path: The file.
    :param preset: ``mx`` or ``es-ES``.
    :param fusion: The weights.
    :param note: What they were fitted on; stands in the file.
    """
    content: dict[str, Any] = {}
    if path.is_file():
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    content.setdefault("fitted", {})[preset] = note
    content[preset] = {kind: asdict(weight) for kind, weight in fusion.weights.items()}
    part = path.with_name(path.name + ".part")
    part.write_text(
        yaml.safe_dump(content, allow_unicode=True, sort_keys=True), encoding="utf-8"
    )
    part.replace(path)
