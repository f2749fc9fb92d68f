"""Numbers of a review: progress, agreement with the recognizers, failures, kappa."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from presidio_mx.research.evaluation.bootstrap import wilson
from presidio_mx.work.service.review.marks import Mark, NoteState

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
    :param first: What the first reviewer marked there, or empty.
    :param second: What the second reviewer marked there, or empty.
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


@dataclass(frozen=True, slots=True)
class NoteTally:
    """What became of what was found in one note.

    :param counts: How many, by entity and what became of it.
    :param missed: Whether something identifying had not been found.
    """

    counts: Mapping[tuple[str, str], int]
    missed: bool


def tally(text: str, base: NoteState, state: NoteState) -> NoteTally:
    """Count what became of what was found in a note.

    :param text: Text of the note.
    :param base: The note as the recognizers left it.
    :param state: The note after the decisions.
    :return: The counts.
    """
    found: Counter[tuple[str, str]] = Counter()
    for mark in state.marks.values():
        before = base.marks.get(mark.id)
        if before is None:
            if mark.live:
                found[mark.entity, "added"] += 1
        elif not mark.live:
            found[before.entity, "rejected"] += 1
        else:
            found[before.entity, "kept" if _same(before, mark) else "changed"] += 1
    return NoteTally(found, missed(text, base, state))


def counts(tallies: Iterable[NoteTally]) -> dict[str, Counts]:
    """Add up what became of what was found.

    :param tallies: Of finished notes.
    :return: Counts by entity as found, or as added.
    """
    every: Counter[tuple[str, str]] = Counter()
    for one in tallies:
        every.update(one.counts)
    return {
        entity: Counts(
            **{name: every[entity, name] for name in Counts.__dataclass_fields__}
        )
        for entity in sorted({entity for entity, _ in every})
    }


def _same(first: Mark, second: Mark) -> bool:
    return (first.start, first.end, first.entity) == (
        second.start,
        second.end,
        second.entity,
    )


def failures(tallies: Sequence[NoteTally]) -> Failures:
    """Count the finished notes in which a character to replace had not been found.

    :param tallies: Of finished notes.
    :return: Number of failures, with the Wilson interval of their rate.
    """
    failed = sum(one.missed for one in tallies)
    rate = wilson(failed, len(tallies))
    # Rounding may leave an end a hair outside.
    return Failures(failed, len(tallies), max(0.0, rate.low), min(1.0, rate.high))


def missed(text: str, base: NoteState, state: NoteState) -> bool:
    """Tell whether the reviewer marked a letter or digit that had not been found."""
    found = {i for mark in base.marks.values() for i in range(mark.start, mark.end)}
    return any(
        text[i].isalnum() and i not in found
        for mark in state.live
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
    marked = shared = 0
    places: list[Disagreement] = []
    for note in both:
        ours, theirs = first[note].live, second[note].live
        labels += _labels(texts[note], ours, theirs)
        keys = [{(m.start, m.end, m.entity) for m in marks} for marks in (ours, theirs)]
        marked += len(keys[0]) + len(keys[1])
        shared += len(keys[0] & keys[1])
        places += conflicts(note, ours, theirs)
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
) -> Iterator[tuple[str, str]]:
    """Yield what each reviewer said of every word."""
    words = [word.span() for word in _WORD.finditer(text)]
    yield from zip(_entities(words, first), _entities(words, second), strict=True)


def _entities(words: Sequence[tuple[int, int]], marks: Sequence[Mark]) -> Iterator[str]:
    """Yield the entity of every word; words and marks are in reading order."""
    at = 0
    for start, end in words:
        while at < len(marks) and marks[at].end <= start:
            at += 1
        inside = at < len(marks) and marks[at].overlaps(start, end)
        yield marks[at].entity if inside else _OUTSIDE


def conflicts(
    note: str, first: Sequence[Mark], second: Sequence[Mark]
) -> Iterator[Disagreement]:
    """Yield the places where two reviewers marked differently.

    Marks that overlap are one place.

    :param note: Identifier of the note.
    :param first: Live marks of the first reviewer.
    :param second: Live marks of the second.
    """
    ours, theirs = (
        {(m.start, m.end, m.entity) for m in marks} for marks in (first, second)
    )
    sides = [(*key, 0) for key in ours - theirs] + [(*key, 1) for key in theirs - ours]
    place: list[tuple[int, int, str, int]] = []
    for one in sorted(sides):
        if place and one[0] >= max(end for _, end, _, _ in place):
            yield _disagreement(note, place)
            place = []
        place.append(one)
    if place:
        yield _disagreement(note, place)


def _disagreement(note: str, place: list[tuple[int, int, str, int]]) -> Disagreement:
    said = [
        " + ".join(entity for _, _, entity, of in place if of == side)
        for side in (0, 1)
    ]
    start, end = min(one[0] for one in place), max(one[1] for one in place)
    return Disagreement(note, start, end, said[0], said[1])
