"""From what a reviewer asked for to the changes it means; pure functions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from presidio_mx.errors import InputError
from presidio_mx.folding import fold
from presidio_mx.service.review.marks import Change, Mark, NoteState, Status

Reach = Literal["here", "note", "all"]
States = Mapping[str, NoteState]
Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ask:
    """What the reviewer asked for.

    :param kind: accept, reject, retype, resize, add, done or reopen.
    :param note: Identifier of the note.
    :param mark: Identifier of the mark, for what changes one.
    :param entity: Entity type, for retype and add.
    :param start: First offset, for resize and add.
    :param end: Offset after the last character, for resize and add.
    :param reach: This mark alone, everywhere in this note, or in all notes.
    """

    kind: str
    note: str
    mark: str = ""
    entity: str = ""
    start: int = -1
    end: int = -1
    reach: Reach = "here"


def changes_for(ask: Ask, texts: Texts, states: States) -> tuple[Change, ...]:
    """Return what a request changes.

    :param ask: What the reviewer asked for.
    :param texts: Text of every note.
    :param states: State of every note.
    :return: The changes, none if there is nothing to change.
    :raises InputError: If a note, mark or offset does not exist.
    """
    if ask.note not in states:
        raise InputError("there is no such note in this review")
    if ask.kind in ("done", "reopen"):
        return _finish(ask, states[ask.note])
    if ask.kind == "add":
        return _add(ask, texts, states)
    mark = states[ask.note].marks.get(ask.mark)
    if mark is None:
        raise InputError("there is no such mark in this note")
    if ask.kind == "resize":
        return _resize(ask, texts[ask.note], states[ask.note], mark)
    if ask.kind == "retype":
        _check_entity(ask.entity)
        return tuple(
            Change(note, replace(same, entity=ask.entity, status="accepted"))
            for note, same in _alike(ask, mark, texts, states)
        )
    if ask.kind not in ("accept", "reject"):
        raise InputError("there is no such kind of decision")
    status: Status = "accepted" if ask.kind == "accept" else "rejected"
    return tuple(
        Change(note, replace(same, status=status))
        for note, same in _alike(ask, mark, texts, states)
        if same.status != status
    )


def occurrences(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Find a text as whole words, whatever its case and accents.

    :param text: Text to search.
    :param wanted: What to find.
    :return: Offsets of every occurrence.
    """
    folded, needle = fold(text), fold(wanted)
    at = folded.find(needle)
    while at >= 0:
        end = at + len(needle)
        before, after = folded[at - 1 : at], folded[end : end + 1]
        inner = (before.isalnum() and needle[0].isalnum()) or (
            after.isalnum() and needle[-1].isalnum()
        )
        if not inner:
            yield at, end
        at = folded.find(needle, at + 1)


def _finish(ask: Ask, state: NoteState) -> tuple[Change, ...]:
    """Finish a note: what was not rejected is accepted."""
    finished = ask.kind == "done"
    if state.done == finished:
        return ()
    accepted = [
        Change(ask.note, replace(mark, status="accepted"))
        for mark in state.open
        if finished
    ]
    return (*accepted, Change(ask.note, done=finished))


def _alike(
    ask: Ask, mark: Mark, texts: Texts, states: States
) -> Iterator[tuple[str, Mark]]:
    """Yield the marks within reach with the same entity and the same text."""
    if ask.reach == "here":
        yield ask.note, mark
        return
    wanted = fold(texts[ask.note][mark.start : mark.end])
    for note in [ask.note] if ask.reach == "note" else states:
        folded = fold(texts[note])
        for other in states[note].in_order():
            same = folded[other.start : other.end] == wanted
            if same and other.entity == mark.entity:
                yield note, other


def _add(ask: Ask, texts: Texts, states: States) -> tuple[Change, ...]:
    text = texts[ask.note]
    start, end = _trimmed(text, ask.start, ask.end)
    _check_entity(ask.entity)
    used = {note: len(state.marks) for note, state in states.items()}

    def added(note: str, start: int, end: int) -> Change:
        used[note] += 1
        name = f"a{used[note]}"
        return Change(note, Mark(name, start, end, ask.entity, "accepted"))

    changes = _replaced(ask.note, states[ask.note], start, end)
    changes.append(added(ask.note, start, end))
    if ask.reach == "here":
        return tuple(changes)
    for note in [ask.note] if ask.reach == "note" else states:
        live = states[note].live()
        for first, last in occurrences(texts[note], text[start:end]):
            itself = note == ask.note and first < end and start < last
            if not itself and not any(mark.overlaps(first, last) for mark in live):
                changes.append(added(note, first, last))
    return tuple(changes)


def _resize(ask: Ask, text: str, state: NoteState, mark: Mark) -> tuple[Change, ...]:
    start, end = _trimmed(text, ask.start, ask.end)
    if (start, end) == (mark.start, mark.end):
        return ()
    changes = _replaced(ask.note, state, start, end, mark.id)
    moved = replace(mark, start=start, end=end, status="accepted")
    return (*changes, Change(ask.note, moved))


def _replaced(
    note: str, state: NoteState, start: int, end: int, itself: str = ""
) -> list[Change]:
    """Reject the live marks that a new range runs over: marks do not overlap."""
    return [
        Change(note, replace(mark, status="rejected"))
        for mark in state.live()
        if mark.id != itself and mark.overlaps(start, end)
    ]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a range without the blanks around it."""
    if not 0 <= start < end <= len(text):
        raise InputError("the selected range does not lie in the note")
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise InputError("only blanks are selected")
    return start, end


def _check_entity(entity: str) -> None:
    if not entity or not entity.replace("_", "").isalnum() or not entity.isascii():
        raise InputError("an entity type has letters, digits and _ only")


def next_note(states: States, order: Sequence[str], after: str = "") -> str | None:
    """Return the unfinished note with the most doubtful mark.

    :param states: State of every note.
    :param order: Identifiers of the notes in their order.
    :param after: A note to pass over while there is another.
    :return: Its identifier, or None if all are finished.
    """
    left = [note for note in order if not states[note].done]
    others = [note for note in left if note != after]
    # max() keeps the first of equals, so ties go by order.
    return max(others or left, key=lambda note: states[note].uncertainty, default=None)
