"""List what went wrong, each error in its sentence."""

from dataclasses import dataclass
from typing import Literal

from presidio_mx.research.evaluation.identifiers import is_covered, offsets
from presidio_mx.research.evaluation.matching import keys, match
from presidio_mx.text.spans import Note, Span
from presidio_mx.text.tokens import sentences

Kind = Literal["missed", "extra", "boundary", "type"]
KINDS: tuple[Kind, ...] = ("missed", "boundary", "type", "extra")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One error.

    :param note: Id of the note.
    :param kind: missed (nothing there), extra (nothing gold there), boundary (right
        type, other edges) or type (wrong type, whatever the edges).
    :param gold: The gold span, but for extras.
    :param predicted: The predicted span that comes nearest, but for misses.
    :param leaks: Whether a letter or digit of the gold span can still be read.
    :param sentence: The text of its sentence, or line.
    :param offset: Where the sentence begins in the note.
    """

    note: str
    kind: Kind
    gold: Span | None
    predicted: Span | None
    leaks: bool
    sentence: str
    offset: int


def mistakes(gold: Note, predicted: Note) -> list[Mistake]:
    """Return the errors of a note in the order of the text.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans, same scheme.
    :return: The errors.
    """
    ours, theirs = keys(gold), keys(predicted)
    gold_spans = {(s.start, s.end, s.entity_type): s for s in gold.spans}
    found_spans = {(s.start, s.end, s.entity_type): s for s in predicted.spans}
    pairs = match(ours, theirs)
    matched = {i: j for i, j in pairs}
    used = {j for _, j in pairs}
    found: list[tuple[Span | None, Span | None]] = []
    for i, key in enumerate(ours):
        other = theirs[matched[i]] if i in matched else _overlapping(key, theirs)
        if other != key:
            found.append((gold_spans[key], found_spans[other] if other else None))
    for j, key in enumerate(theirs):
        if j not in used:
            near = _overlapping(key, ours)
            found.append((gold_spans[near] if near else None, found_spans[key]))
    hidden = offsets(predicted)
    listed = [_mistake(gold, one, other, hidden) for one, other in found]
    return sorted(listed, key=_place)


def _overlapping(
    key: tuple[int, int, str], others: list[tuple[int, int, str]]
) -> tuple[int, int, str] | None:
    return next((o for o in others if o[0] < key[1] and key[0] < o[1]), None)


def _mistake(
    note: Note, gold: Span | None, predicted: Span | None, hidden: set[int]
) -> Mistake:
    kind: Kind = "missed"
    if gold is None:
        kind = "extra"
    elif predicted is not None:
        same = gold.entity_type == predicted.entity_type
        kind = "boundary" if same else "type"
    span = gold or predicted
    assert span is not None
    start, end = _sentence(note, span)
    leaks = gold is not None and not is_covered(note, gold, hidden)
    return Mistake(note.id, kind, gold, predicted, leaks, note.text[start:end], start)


def _place(mistake: Mistake) -> tuple[int, int]:
    span = mistake.gold or mistake.predicted
    return (span.start, span.end) if span else (0, 0)


def _sentence(note: Note, span: Span) -> tuple[int, int]:
    """Return where the sentences that hold a span begin and end."""
    touched = [
        (start, end)
        for start, end in sentences(note.text)
        if start < span.end and span.start < end
    ]
    start = min([span.start, *(s for s, _ in touched)])
    return start, max([span.end, *(e for _, e in touched)])
