"""Recall for methods that rewrite the text, where offsets mean nothing any more.

Ribeiro (2023): by pattern matching, an identifier is missed if it still stands in the
output; by Levenshtein, if some window of the output, as long as the identifier, is too
like it. How like two texts are is defined twice there:

- ``indel``: her printed examples ("Ana P. Silva" and "Ana Silva" 0.86, "asthma" and
  "bronchitis" 0.13) are the ratio of insertions and deletions,
  1 - indel(a, b) / (|a| + |b|), as common libraries call the Levenshtein ratio.
- ``equation``: her equation 2 is 1 - distance(a, b) / max(|a|, |b|), which gives 0.75
  and 0.10. At her threshold of 0.7 it lets "Ana Silva" pass for "Ana P. Silva" in "La
  paciente Ana Silva acude a consulta".

The first is the default: it catches the leak.

Short identifiers are like some window of any text. How often chance alone passes for a
leak is measured by looking for each note's identifiers in the output of the next note;
the threshold of a type is grounded where this happens to one identifier in a hundred.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rapidfuzz import process
from rapidfuzz.distance import Indel, Levenshtein

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.research.evaluation.bootstrap import ROUNDS, SEED, Interval, interval
from presidio_mx.research.evaluation.counts import Share
from presidio_mx.text.spans import Note

Likeness = Literal["indel", "equation"]
LIKENESS: Likeness = "indel"
_SCORERS: dict[Likeness, Any] = {
    "indel": Indel.normalized_similarity,
    "equation": Levenshtein.normalized_similarity,
}
THRESHOLD = 0.7
CURVE = tuple(round(0.5 + step * 0.05, 2) for step in range(11))
_MOST_BY_CHANCE = 0.01


@dataclass(frozen=True, slots=True)
class Survivor:
    """How much of an identifier is left in the output.

    :param note: Id of the note.
    :param entity_type: Type of the identifier.
    :param stands: Whether it stands there letter by letter.
    :param ratio: Best Levenshtein ratio of all windows, from 0 to 1.
    """

    note: str
    entity_type: str
    stands: bool
    ratio: float


@dataclass(frozen=True, slots=True)
class Grounded:
    """Levenshtein recall of a type at a threshold that chance hardly reaches.

    :param threshold: The least of the curve that at most one identifier in a hundred
        reaches in the output of another note.
    :param recall: The recall there.
    """

    threshold: float
    recall: float


@dataclass(frozen=True)
class RewritingScores:
    """Recall of a rewriting method on a corpus.

    :param matching: Share of identifiers that no longer stand in the output.
    :param levenshtein: Share whose best ratio is below the threshold.
    :param threshold: That threshold.
    :param curve: Levenshtein recall by threshold.
    :param by_type: Levenshtein recall of each type.
    :param chance: By threshold, the share of identifiers that are as like the output of
        another note; empty where there is no other.
    :param grounded: Each type at a threshold of its own; without those types that
        chance reaches more often at every threshold.
    :param identifiers: How many identifiers there were.
    :param likeness: How likeness was measured: ``indel`` or ``equation``.
    """

    matching: Interval
    levenshtein: Interval
    threshold: float
    curve: dict[float, float]
    by_type: dict[str, Share]
    chance: dict[float, float]
    grounded: dict[str, Grounded]
    identifiers: int
    likeness: Likeness = LIKENESS


def best_ratio(identifier: str, output: str, likeness: Likeness = LIKENESS) -> float:
    """Return the best Levenshtein ratio of an identifier and a window of the output.

    Windows have the identifier's length and move by one character; an output shorter
    than the identifier is one window.

    :param identifier: The original text of an identifier.
    :param output: The rewritten note.
    :param likeness: ``indel`` or ``equation``.
    :return: From 0 (nothing alike) to 1 (it stands there).
    :raises ConfigurationError: If there is no such likeness.
    """
    if likeness not in _SCORERS:
        names = " or ".join(get_args(Likeness))
        raise ConfigurationError(f"unknown likeness {likeness!r}; use {names}")
    if identifier in output:
        return 1.0
    size = len(identifier)
    windows = {output[i : i + size] for i in range(max(1, len(output) - size + 1))}
    best = process.extractOne(identifier, list(windows), scorer=_SCORERS[likeness])
    return float(best[1]) if best else 0.0


def survivors(gold: Note, output: str, likeness: Likeness = LIKENESS) -> list[Survivor]:
    """Look for every identifier of a note in its rewritten form.

    :param gold: The original with gold spans.
    :param output: The rewritten note.
    :param likeness: ``indel`` or ``equation``.
    :return: One entry a gold span.
    """
    ratios: dict[str, float] = {}
    found = []
    for span in gold.spans:
        text = gold.covered(span)
        if text not in ratios:
            ratios[text] = best_ratio(text, output, likeness)
        stands = text in output
        found.append(Survivor(gold.id, span.entity_type, stands, ratios[text]))
    return found


def rewriting_scores(
    gold: Iterable[Note],
    outputs: Mapping[str, str],
    threshold: float = THRESHOLD,
    rounds: int = ROUNDS,
    seed: int = SEED,
    likeness: Likeness = LIKENESS,
) -> RewritingScores:
    """Score rewritten notes.

    :param gold: Originals with gold spans.
    :param outputs: Rewritten notes by id.
    :param threshold: An identifier whose best ratio is below counts as anonymised.
    :param rounds: Samples for the intervals.
    :param seed: Seed of the samples.
    :param likeness: ``indel`` or ``equation``.
    :return: The scores.
    :raises InputError: If a note has no output.
    """
    notes = list(gold)
    for note in notes:
        if note.id not in outputs:
            raise InputError(f"note {note.id} has no rewritten text")
    by_note = [survivors(note, outputs[note.id], likeness) for note in notes]
    every = [entry for entries in by_note for entry in entries]
    others = zip(notes, notes[1:] + notes[:1], strict=True)
    by_chance = [
        entry
        for note, other in others
        if other is not note
        for entry in survivors(note, outputs[other.id], likeness)
    ]
    types = sorted({e.entity_type for e in every})
    sizes = [float(len(entries)) for entries in by_note]
    gone = [float(sum(not e.stands for e in entries)) for entries in by_note]
    unlike = [float(sum(e.ratio < threshold for e in entries)) for entries in by_note]
    return RewritingScores(
        matching=interval(gone, sizes, rounds, seed),
        levenshtein=interval(unlike, sizes, rounds, seed),
        threshold=threshold,
        curve={point: _share(every, point).value for point in CURVE},
        by_type={name: _share(_of(every, name), threshold) for name in types},
        chance={p: 1 - _share(by_chance, p).value for p in CURVE if by_chance},
        grounded={
            name: found
            for name in types
            if (found := _grounded(_of(every, name), _of(by_chance, name)))
        },
        identifiers=len(every),
        likeness=likeness,
    )


def _share(entries: Sequence[Survivor], threshold: float) -> Share:
    return Share(sum(e.ratio < threshold for e in entries), len(entries))


def _of(entries: Sequence[Survivor], name: str) -> list[Survivor]:
    return [entry for entry in entries if entry.entity_type == name]


def _grounded(own: list[Survivor], by_chance: list[Survivor]) -> Grounded | None:
    """Return the recall of a type at the least threshold that chance hardly reaches."""
    for point in CURVE if by_chance else ():
        if 1 - _share(by_chance, point).value <= _MOST_BY_CHANCE:
            return Grounded(point, _share(own, point).value)
    return None
