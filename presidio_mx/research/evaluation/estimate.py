"""How many identifiers a system finds in an archive that nobody has marked.

Capture and recapture: where two readers mark the same notes without knowing of one
another, the share of one's marks that the other has too is the other's recall. Of
``n1`` and ``n2`` marks of which ``m`` are common there are about ``n1 * n2 / m``
identifiers (Lincoln 1930; with Chapman's correction of 1951 for small counts). Marks
are counted by kind and added up: kinds that are easy for both readers would else hide
those that are hard for both (Sekar and Deming 1949).

This holds where the readers err independently. Rules and a model do not, since both
miss what is written oddly: what they say of one another bounds recall from above. A
person who marks notes without seeing the system's marks is nearly independent of it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from presidio_mx.errors import InputError
from presidio_mx.research.evaluation.bootstrap import (
    ROUNDS,
    SEED,
    Interval,
    interval,
    wilson,
)
from presidio_mx.research.evaluation.identifiers import is_covered, offsets
from presidio_mx.text.spans import Note, Span

_WORDS_A_MINUTE = 180
_SECONDS_A_MARK = 3
# Fewer common marks say nothing.
_LEAST_COMMON = 7
_POINT = 0.01
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """What two readers of the same notes say of one another.

    :param total: Identifiers there are, by Chapman, with its interval.
    :param recall: Share of them that the first reader found.
    :param either: Share of them that one of the two found.
    """

    total: Interval
    recall: Interval
    either: Interval


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewed sample says of the system.

    :param notes: Notes of the sample.
    :param marks: Marks of the reviewer.
    :param total: Identifiers in the sample, by Chapman, with those that the reviewer
        missed.
    :param found: Share of the reviewer's marks that the system touches.
    :param covered: Share of them that it covers whole.
    :param minutes: How long marking them takes.
    :param more_notes: Notes to review for an interval of a point up and down.
    :param more_minutes: How long that takes.
    :param odds: How many times likelier the model finds what the rules find than what
        they miss, as odds; 1 if they are independent, none without a model.
    """

    notes: int
    marks: int
    total: Interval
    found: Interval
    covered: Interval
    minutes: float
    more_notes: int
    more_minutes: float
    odds: float | None


def histories(first: Note, second: Note) -> dict[str, tuple[float, float, float]]:
    """Count by kind which reader marked an identifier.

    Marks that touch are one identifier, of the first one's kind. A mark counts by its
    score, which is the probability that it is right: a false mark of one reader is no
    miss of the other.

    :param first: The note as one reader marks it.
    :param second: The same note as another does.
    """
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    marks = [(s, 0) for s in first.spans] + [(s, 1) for s in second.spans]
    for group in _touching(sorted(marks, key=lambda mark: mark[0].start)):
        readers = {reader for _, reader in group}
        which = 2 if len(readers) == 2 else readers.pop()
        kind = min(group, key=lambda mark: mark[1])[0].entity_type
        scores = [1.0 if s.score is None else s.score for s, _ in group]
        found[kind][which] += max(scores)
    return {kind: (one, two, both) for kind, (one, two, both) in found.items()}


def _touching(
    marks: Sequence[tuple[Span, int]],
) -> Iterator[list[tuple[Span, int]]]:
    """Yield the groups of marks that overlap, in the order of the text."""
    group: list[tuple[Span, int]] = []
    end = 0
    for mark in marks:
        if group and mark[0].start >= end:
            yield group
            group = []
        group.append(mark)
        end = max(end, mark[0].end)
    if group:
        yield group


def two_readers(
    first: Sequence[Note],
    second: Sequence[Note],
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Estimate:
    """Estimate from two readers of the same notes how many identifiers there are.

    :param first: The notes as one reader marks them.
    :param second: The same notes, in the same order, as another does.
    :param rounds: Samples of notes for the intervals.
    :param seed: Seed of the samples.
    :raises InputError: If they have too few marks in common.
    """
    by_note = [histories(*pair) for pair in zip(first, second, strict=True)]
    kinds = sorted({kind for counts in by_note for kind in counts})
    nothing = (0.0, 0.0, 0.0)
    table = np.array(
        [[counts.get(kind, nothing) for kind in kinds] for counts in by_note], float
    ).reshape(len(by_note), len(kinds), 3)
    both = float(table[..., 2].sum())
    if both < _LEAST_COMMON:
        raise InputError(
            f"the two readers have {both:.0f} marks in common, and {_LEAST_COMMON} are "
            "needed; give more notes"
        )
    weights = np.random.default_rng(seed).multinomial(
        len(by_note), np.full(len(by_note), 1 / len(by_note)), rounds
    )
    samples = np.tensordot(weights, table, axes=1)
    value, drawn = _figures(table.sum(axis=0)[None]), _figures(samples)
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    parts = zip(value[0], low, high, strict=True)
    return Estimate(*(Interval(*map(float, part)) for part in parts))


def _figures(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return total, recall of the first and of either, for each table of counts."""
    one, two, both = (counts[..., part] for part in range(3))
    total = (one + both + 1) * (two + both + 1) / (both + 1) - 1
    whole = np.maximum(total.sum(axis=-1), 1e-9)
    first, either = (one + both).sum(axis=-1), (one + two + both).sum(axis=-1)
    return np.stack([whole, first / whole, either / whole], axis=-1)


def review(
    marked: Sequence[Note],
    system: Sequence[Note],
    parts: tuple[Sequence[Note], Sequence[Note]] | None = None,
    seed: int = SEED,
) -> Review:
    """Estimate recall from notes that a person has marked.

    :param marked: The sample as the reviewer marked it.
    :param system: The same notes as the system marks them.
    :param parts: The same as its rules and its model mark them.
    :param seed: Seed of the samples.
    :raises InputError: If system and reviewer have too few marks in common.
    """
    hidden = [offsets(note) for note in system]
    covered = _share(marked, lambda n, s: is_covered(marked[n], s, hidden[n]), seed)
    found = _share(marked, lambda n, s: _touched(s, system[n]), seed)
    minutes = sum(map(minutes_for, marked))
    # An interval narrows with the root of the number of notes.
    times = max(1.0, ((covered.high - covered.low) / 2 / _POINT) ** 2)
    return Review(
        notes=len(marked),
        marks=sum(len(note.spans) for note in marked),
        total=two_readers(system, marked, seed=seed).total,
        found=found,
        covered=covered,
        minutes=minutes,
        more_notes=round(len(marked) * times),
        more_minutes=minutes * times,
        odds=None if parts is None else _odds(marked, *parts),
    )


def _share(
    marked: Sequence[Note], counts: Callable[[int, Span], bool], seed: int
) -> Interval:
    """Return the share of marks that count.

    The interval is the wider of two: notes drawn again know that a note's misses come
    together, Wilson's knows that no miss in a small sample is not none.
    """
    parts = [sum(counts(n, s) for s in note.spans) for n, note in enumerate(marked)]
    sizes = [len(note.spans) for note in marked]
    drawn = interval(list(map(float, parts)), list(map(float, sizes)), seed=seed)
    alone = wilson(sum(parts), sum(sizes))
    return Interval(drawn.value, min(drawn.low, alone.low), max(drawn.high, alone.high))


def minutes_for(note: Note) -> float:
    """Return how long a person takes to read a note and mark what identifies.

    :param note: The note, with its marks.
    """
    words = len(note.text.split())
    return words / _WORDS_A_MINUTE + len(note.spans) * _SECONDS_A_MARK / 60


def notes_to_review(notes: Sequence[Note], recall: float) -> tuple[int, float]:
    """Return how many notes to review for an interval of a point, and the minutes.

    :param notes: Notes of the archive as the system marks them.
    :param recall: What recall may be.
    """
    marks = sum(len(note.spans) for note in notes) / len(notes)
    needed = recall * (1 - recall) * (_Z / _POINT) ** 2
    number = max(30, round(needed / max(marks, 1e-9)))
    minutes = sum(map(minutes_for, notes)) / len(notes)
    return number, number * minutes


def _odds(
    marked: Sequence[Note], rules: Sequence[Note], model: Sequence[Note]
) -> float:
    """Return the odds ratio of rules and model over the reviewer's marks.

    A half is added to each count (Haldane 1956), so that none is nought.
    """
    counts = np.full((2, 2), 0.5)
    for note, one, two in zip(marked, rules, model, strict=True):
        for span in note.spans:
            counts[int(_touched(span, one)), int(_touched(span, two))] += 1
    return float(counts[0, 0] * counts[1, 1] / (counts[0, 1] * counts[1, 0]))


def _touched(span: Span, note: Note) -> bool:
    return any(map(span.overlaps, note.spans))
