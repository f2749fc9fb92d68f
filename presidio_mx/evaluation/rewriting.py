"""Recall for methods that rewrite the text, where offsets mean nothing any more.

Ribeiro (2023): by pattern matching, an identifier is missed if it still stands in the
output; by Levenshtein, if some window of the output, as long as the identifier, is too
like it. The ratio of a and b is 1 - distance(a, b) / max(|a|, |b|).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from presidio_mx.errors import InputError
from presidio_mx.evaluation.bootstrap import ROUNDS, SEED, Interval, interval
from presidio_mx.evaluation.counts import Share
from presidio_mx.spans import Note

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
    """

    matching: Interval
    levenshtein: Interval
    threshold: float
    curve: dict[float, float]
    by_type: dict[str, Share]
    identifiers: int


def best_ratio(identifier: str, output: str) -> float:
    """Return the best Levenshtein ratio of an identifier and a window of the output.

    Windows have the identifier's length and move by one character; an output shorter
    than the identifier is one window.

    :param identifier: The original text of an identifier.
    :param output: The rewritten note.
    :return: From 0 (nothing alike) to 1 (it stands there).
    """
    if identifier in output:
        return 1.0
    size = len(identifier)
    windows = {output[i : i + size] for i in range(max(1, len(output) - size + 1))}
    best = process.extractOne(
        identifier, list(windows), scorer=Levenshtein.normalized_similarity
    )
    return float(best[1]) if best else 0.0


def survivors(gold: Note, output: str) -> list[Survivor]:
    """Look for every identifier of a note in its rewritten form.

    :param gold: The original with gold spans.
    :param output: The rewritten note.
    :return: One entry a gold span.
    """
    ratios: dict[str, float] = {}
    found = []
    for span in gold.spans:
        text = gold.covered(span)
        if text not in ratios:
            ratios[text] = best_ratio(text, output)
        stands = text in output
        found.append(Survivor(gold.id, span.entity_type, stands, ratios[text]))
    return found


def rewriting_scores(
    gold: Iterable[Note],
    outputs: Mapping[str, str],
    threshold: float = THRESHOLD,
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> RewritingScores:
    """Score rewritten notes.

    :param gold: Originals with gold spans.
    :param outputs: Rewritten notes by id.
    :param threshold: An identifier whose best ratio is below counts as anonymised.
    :param rounds: Samples for the intervals.
    :param seed: Seed of the samples.
    :return: The scores.
    :raises InputError: If a note has no output.
    """
    by_note = []
    for note in gold:
        if note.id not in outputs:
            raise InputError(f"note {note.id} has no rewritten text")
        by_note.append(survivors(note, outputs[note.id]))
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
    )


def _share(entries: Sequence[Survivor], threshold: float) -> Share:
    return Share(sum(e.ratio < threshold for e in entries), len(entries))
