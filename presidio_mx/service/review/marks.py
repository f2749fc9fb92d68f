"""Marks, decisions on them, and what a list of decisions amounts to; pure functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Status = Literal["proposed", "accepted", "rejected"]
UNDO, REDO, DONE, REOPEN = "undo", "redo", "done", "reopen"


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
    :param done: Whether the note is finished, where the note itself changes.
    """

    note: str
    mark: Mark | None = None
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One decision of a reviewer, undone as a whole.

    :param kind: accept, reject, retype, resize, add, done, reopen, undo or redo.
    :param at: When, as ISO 8601 in UTC.
    :param changes: What it changed; nothing for undo and redo.
    """

    kind: str
    at: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteState:
    """A note after some decisions.

    :param marks: Marks by identifier.
    :param done: Whether the reviewer finished it.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    done: bool = False

    def in_order(self) -> list[Mark]:
        """Return the marks in reading order."""
        return sorted(self.marks.values(), key=lambda m: (m.start, -m.end, m.id))

    def live(self) -> list[Mark]:
        """Return the marks whose text is replaced, in reading order."""
        return [mark for mark in self.in_order() if mark.live]

    @property
    def open(self) -> list[Mark]:
        """Marks that nobody has decided on."""
        return [mark for mark in self.in_order() if mark.status == "proposed"]

    @property
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


def apply(state: NoteState, change: Change) -> NoteState:
    """Return a note after a change.

    :param state: The note before.
    :param change: A change of this note.
    :return: The note after it.
    """
    if change.mark is not None:
        return replace(state, marks={**state.marks, change.mark.id: change.mark})
    return replace(state, done=bool(change.done))


def replay(
    base: Mapping[str, NoteState], events: Iterable[Event]
) -> dict[str, NoteState]:
    """Return all notes after the decisions that hold.

    :param base: Notes as the recognizers left them.
    :param events: All events of a reviewer in order.
    :return: Notes by identifier.
    """
    states = dict(base)
    for event in standing(events)[0]:
        for change in event.changes:
            if change.note in states:
                states[change.note] = apply(states[change.note], change)
    return states


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as a line of the journal holds it; no text of a note."""
    changes: list[dict[str, Any]] = []
    for change in event.changes:
        if change.mark is None:
            changes.append({"note": change.note, "done": change.done})
        else:
            names = Mark.__dataclass_fields__
            mark = {name: getattr(change.mark, name) for name in names}
            changes.append({"note": change.note, "mark": mark})
    return {"kind": event.kind, "at": event.at, "changes": changes}


def from_json(data: Mapping[str, Any]) -> Event:
    """Return the event of a line of the journal.

    :param data: The line, decoded.
    :return: The event.
    :raises KeyError: If a field is missing.
    :raises TypeError: If a field is unknown or of another type.
    """
    changes = tuple(
        Change(row["note"], Mark(**row["mark"]))
        if "mark" in row
        else Change(row["note"], done=row["done"])
        for row in data["changes"]
    )
    return Event(str(data["kind"]), str(data["at"]), changes)
