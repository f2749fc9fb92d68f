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


@dataclass(frozen=True)
class RewritingScores:
    """Recall of a rewriting method on a corpus.

    :param matching: Share of identifiers that no longer stand in the output.
    :param levenshtein: Share whose best ratio is below the threshold.
    :param threshold: That threshold.
    :param curve: Levenshtein recall by threshold.
    :param by_type: Levenshtein recall of each type.
    :param identifiers: How many identifiers there were.
    :param likeness: How likeness was measured: ``indel`` or ``equation``.
    """

    matching: Interval
    levenshtein: Interval
    threshold: float
    curve: dict[float, float]
    by_type: dict[str, Share]
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
    by_note = []
    for note in gold:
        if note.id not in outputs:
            raise InputError(f"note {note.id} has no rewritten text")
        by_note.append(survivors(note, outputs[note.id], likeness))
    every = [entry for entries in by_note for entry in entries]
    sizes = [float(len(entries)) for entries in by_note]
    gone = [float(sum(not e.stands for e in entries)) for entries in by_note]
    unlike = [float(sum(e.ratio < threshold for e in entries)) for entries in by_note]
    return RewritingScores(
        matching=interval(gone, sizes, rounds, seed),
        levenshtein=interval(unlike, sizes, rounds, seed),
        threshold=threshold,
        curve={point: _share(every, point).value for point in CURVE},
        by_type={
            name: _share([e for e in every if e.entity_type == name], threshold)
            for name in sorted({e.entity_type for e in every})
        },
        identifiers=len(every),
        likeness=likeness,
    )


def _share(entries: Sequence[Survivor], threshold: float) -> Share:
    return Share(sum(e.ratio < threshold for e in entries), len(entries))
