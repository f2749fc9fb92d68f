"""Marks, decisions on them, and what a list of decisions amounts to; pure functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Status = Literal["proposed", "accepted", "rejected"]
Flag = Literal["", "skipped", "unsure"]
FLAGS: tuple[Flag, ...] = ("", "skipped", "unsure")
ROLES = ("", "patient", "relative", "staff", "other")
UNDO, REDO = "undo", "redo"


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked piece of a note under review.

    :param id: Unique in its note; ``p…`` for what was found, ``a…`` for what was added.
    :param start: Offset of the first character, in code points.
    :param end: Offset after the last character.
    :param entity: Entity type.
    :param status: ``proposed``, ``accepted`` or ``rejected``.
    :param score: Confidence of the recognizer; 1 for what a person added.
    :param role: Role of a person, or empty.
    :param recognizer: Name of the recognizer; empty for what a person added.
    :param rule: Rule that found it.
    """

    id: str
    start: int
    end: int
    entity: str
    status: Status = "proposed"
    score: float = 1.0
    role: str = ""
    recognizer: str = ""
    rule: str = ""

    @property
    def live(self) -> bool:
        """Whether the text under the mark is replaced."""
        return self.status != "rejected"

    @property
    def added(self) -> bool:
        """Whether a person added it."""
        return self.id.startswith("a")

    def overlaps(self, start: int, end: int) -> bool:
        """Tell whether the mark shares a character with a range."""
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Change:
    """The new state of one mark, or of one note.

    :param note: Identifier of the note.
    :param mark: The mark as it is from now on; None where the note itself changes.
    :param done: Whether the note is finished, where that changes.
    :param flag: Whether it is skipped or unsure, where that changes.
    :param comment: What the reviewer says of it, where the flag changes.
    """

    note: str
    mark: Mark | None = None
    done: bool | None = None
    flag: Flag | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One decision of a reviewer, undone as a whole.

    :param kind: accept, reject, retype, role, resize, add, take, done, reopen, flag,
        undo or redo.
    :param at: When, as ISO 8601 in UTC.
    :param changes: What it changed; nothing for undo and redo.
    """

    kind: str
    at: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class NoteState:
    """A note after some decisions.

    :param marks: Marks by identifier.
    :param done: Whether the reviewer finished it.
    :param flag: ``skipped``, ``unsure`` or nothing.
    :param comment: What the reviewer says of it.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    done: bool = False
    flag: Flag = ""
    comment: str = ""

    # What is derived is kept: a page asks for it of every note at every decision.

    @cached_property
    def in_order(self) -> tuple[Mark, ...]:
        """Marks in reading order."""
        return tuple(sorted(self.marks.values(), key=lambda m: (m.start, -m.end, m.id)))

    @cached_property
    def live(self) -> tuple[Mark, ...]:
        """Marks whose text is replaced, in reading order."""
        return tuple(mark for mark in self.in_order if mark.live)

    @cached_property
    def open(self) -> tuple[Mark, ...]:
        """Marks that nobody has decided on."""
        return tuple(mark for mark in self.in_order if mark.status == "proposed")

    @cached_property
    def uncertainty(self) -> float:
        """From 0 to 1: how doubtful the most doubtful undecided mark is."""
        return max((1.0 - mark.score for mark in self.open), default=0.0)


def standing(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    """Return the events that hold, and those that were undone and may be redone.

    :param events: All events of a reviewer in order.
    :return: Events that hold, in order; undone ones, the next to redo last.
    """
    holding: list[Event] = []
    undone: list[Event] = []
    for event in events:
        if event.kind == UNDO:
            if holding:
                undone.append(holding.pop())
        elif event.kind == REDO:
            if undone:
                holding.append(undone.pop())
        else:
            holding.append(event)
            undone.clear()
    return holding, undone


def after(state: NoteState, changes: Iterable[Change]) -> NoteState:
    """Return a note after some changes.

    :param state: The note before.
    :param changes: Changes of this note, in order.
    :return: The note after them.
    """
    marks, done = dict(state.marks), state.done
    flag, comment = state.flag, state.comment
    for change in changes:
        if change.mark is not None:
            marks[change.mark.id] = change.mark
        if change.done is not None:
            done = change.done
        if change.flag is not None:
            flag, comment = change.flag, change.comment
    return NoteState(marks, done, flag, comment)


def replay(
    base: Mapping[str, NoteState], events: Iterable[Event]
) -> dict[str, NoteState]:
    """Return all notes after the decisions that hold.

    :param base: Notes as the recognizers left them.
    :param events: All events of a reviewer in order.
    :return: Notes by identifier.
    """
    states = dict(base)
    for note, changes in by_note(standing(events)[0]).items():
        if note in states:
            states[note] = after(states[note], changes)
    return states


def by_note(events: Iterable[Event]) -> dict[str, list[Change]]:
    """Return the changes of events, note by note.

    :param events: Events that hold, in order.
    """
    found: dict[str, list[Change]] = {}
    for event in events:
        for change in event.changes:
            found.setdefault(change.note, []).append(change)
    return found


def mark_fields(mark: Mark) -> dict[str, Any]:
    """Return the fields of a mark as plain data."""
    return {name: getattr(mark, name) for name in Mark.__dataclass_fields__}


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as a line of the journal holds it; no text of a note."""
    changes: list[dict[str, Any]] = []
    for change in event.changes:
        row: dict[str, Any] = {"note": change.note}
        if change.mark is not None:
            row["mark"] = mark_fields(change.mark)
        if change.done is not None:
            row["done"] = change.done
        if change.flag is not None:
            row |= {"flag": change.flag, "comment": change.comment}
        changes.append(row)
    return {"kind": event.kind, "at": event.at, "changes": changes}


def from_json(data: Mapping[str, Any]) -> Event:
    """Return the event of a line of the journal.

    :param data: The line, decoded.
    :return: The event.
    :raises KeyError: If a field is missing.
    :raises TypeError: If a field is unknown or of another type.
    """
    changes = tuple(
        Change(
            row["note"],
            Mark(**row["mark"]) if "mark" in row else None,
            row.get("done"),
            row.get("flag"),
            row.get("comment", ""),
        )
        for row in data["changes"]
    )
    return Event(str(data["kind"]), str(data["at"]), changes)
