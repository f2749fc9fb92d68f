"""Numbers of a review: progress, agreement with the recognizers, failures, kappa."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from presidio_mx.evaluation.bootstrap import wilson
from presidio_mx.service.review.marks import Mark, NoteState

States = Mapping[str, NoteState]
_WORD = re.compile(r"\w+")
_OUTSIDE = "O"


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of what was found, in finished notes.

    :param kept: Accepted as they were found.
    :param changed: Accepted with another type or other bounds.
    :param rejected: Rejected.
    :param added: Added by the reviewer.
    """

    kept: int = 0
    changed: int = 0
    rejected: int = 0
    added: int = 0


@dataclass(frozen=True, slots=True)
class Failures:
    """Notes in which something identifying had been missed.

    :param failed: Finished notes with a missed character.
    :param reviewed: Finished notes.
    :param low: Lower end of the 95 % interval of the rate.
    :param high: Upper end.
    """

    failed: int
    reviewed: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A place where two reviewers decided differently.

    :param note: Identifier of the note.
    :param start: First offset of the place.
    :param end: Offset after it.
    :param first: Entity that the first reviewer marked, or empty.
    :param second: Entity that the second reviewer marked, or empty.
    """

    note: str
    start: int
    end: int
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two reviewers agree on the notes that both finished.

    :param notes: Number of notes that both finished.
    :param kappa: Cohen's kappa over words, each with its entity or none; None if it is
        undefined.
    :param f1: F1 of exact spans with their types; None if nobody marked anything.
    :param places: Where they differ.
    """

    notes: int
    kappa: float | None
    f1: float | None
    places: tuple[Disagreement, ...]


def counts(base: States, states: States) -> dict[str, Counts]:
    """Count, by entity, what became of what was found in finished notes.

    :param base: Notes as the recognizers left them.
    :param states: Notes after the decisions.
    :return: Counts by entity as found, or as added.
    """
    tally: Counter[tuple[str, str]] = Counter()
    for note, state in states.items():
        if not state.done:
            continue
        for mark in state.marks.values():
            found = base[note].marks.get(mark.id)
            if found is None:
                if mark.live:
                    tally[mark.entity, "added"] += 1
            elif not mark.live:
                tally[found.entity, "rejected"] += 1
            else:
                tally[found.entity, "kept" if _same(found, mark) else "changed"] += 1
    return {
        entity: Counts(
            **{name: tally[entity, name] for name in Counts.__dataclass_fields__}
        )
        for entity in sorted({entity for entity, _ in tally})
    }


def _same(first: Mark, second: Mark) -> bool:
    return (first.start, first.end, first.entity) == (
        second.start,
        second.end,
        second.entity,
    )


def failures(texts: Mapping[str, str], base: States, states: States) -> Failures:
    """Count the finished notes in which a character to replace had not been found.

    :param texts: Text of every note.
    :param base: Notes as the recognizers left them.
    :param states: Notes after the decisions.
    :return: Number of failures, with the Wilson interval of their rate.
    """
    done = [note for note, state in states.items() if state.done]
    failed = sum(missed(texts[note], base[note], states[note]) for note in done)
    rate = wilson(failed, len(done))
    # Rounding may leave an end a hair outside.
    return Failures(failed, len(done), max(0.0, rate.low), min(1.0, rate.high))


def missed(text: str, base: NoteState, state: NoteState) -> bool:
    """Tell whether the reviewer marked a letter or digit that had not been found."""
    found = {i for mark in base.marks.values() for i in range(mark.start, mark.end)}
    return any(
        text[i].isalnum() and i not in found
        for mark in state.live()
        for i in range(mark.start, mark.end)
    )


def agreement(texts: Mapping[str, str], first: States, second: States) -> Agreement:
    """Compare two reviewers on the notes that both finished.

    :param texts: Text of every note.
    :param first: Notes after the first reviewer's decisions.
    :param second: Notes after the second's.
    :return: Kappa, F1 and the places where they differ.
    """
    both = [note for note in texts if first[note].done and second[note].done]
    labels: list[tuple[str, str]] = []
    spans_first: set[tuple[str, int, int, str]] = set()
    spans_second: set[tuple[str, int, int, str]] = set()
    places: list[Disagreement] = []
    for note in both:
        ours, theirs = first[note].live(), second[note].live()
        words = list(_labels(texts[note], ours, theirs))
        labels += [(one, other) for _, _, one, other in words]
        places += _places(note, words)
        spans_first |= {(note, m.start, m.end, m.entity) for m in ours}
        spans_second |= {(note, m.start, m.end, m.entity) for m in theirs}
    marked = len(spans_first) + len(spans_second)
    shared = len(spans_first & spans_second)
    f1 = 2 * shared / marked if marked else None
    return Agreement(len(both), kappa(labels), f1, tuple(places))


def kappa(labels: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa (1960) of pairs of labels.

    :param labels: What the first and the second said of each item.
    :return: Kappa; None without items, or if chance alone would agree on all.
    """
    if not labels:
        return None
    total = len(labels)
    first, second = (Counter(pair[side] for pair in labels) for side in (0, 1))
    observed = sum(one == other for one, other in labels) / total
    chance = sum(first[label] * second[label] for label in first) / total**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def _labels(
    text: str, first: Sequence[Mark], second: Sequence[Mark]
) -> Iterator[tuple[int, int, str, str]]:
    """Yield every word with the entity that each reviewer gave it."""
    for word in _WORD.finditer(text):
        start, end = word.span()
        one, other = (
            next((m.entity for m in marks if m.overlaps(start, end)), _OUTSIDE)
            for marks in (first, second)
        )
        yield start, end, one, other


def _places(
    note: str, words: Sequence[tuple[int, int, str, str]]
) -> Iterator[Disagreement]:
    """Yield runs of neighbouring words with the same disagreement."""
    run: Disagreement | None = None
    for start, end, one, other in words:
        pair = tuple("" if label == _OUTSIDE else label for label in (one, other))
        if run and (one == other or pair != (run.first, run.second)):
            yield run
            run = None
        if one != other:
            begin = run.start if run else start
            run = Disagreement(note, begin, end, *pair)
    if run:
        yield run
