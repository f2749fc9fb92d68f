"""One reviewer's session: the notes, the decisions, and what the page is shown."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from presidio_mx.anonymizer.engine import AnonymizedText
from presidio_mx.errors import InputError
from presidio_mx.service.review.decide import Ask, changes_for, next_note
from presidio_mx.service.review.figures import agreement, counts, failures
from presidio_mx.service.review.journal import Journal, read_journal
from presidio_mx.service.review.marks import (
    REDO,
    UNDO,
    Event,
    Mark,
    NoteState,
    apply,
    replay,
    standing,
)
from presidio_mx.service.review.project import Project
from presidio_mx.spans import Span

Anonymize = Callable[[str, Sequence[Span]], AnonymizedText]
View = dict[str, Any]
_REVIEWER = re.compile(r"[\w.-]{1,40}")
DECISIONS = "decisions"


@dataclass(frozen=True, slots=True)
class Overview:
    """A note's row in the list.

    :param id: Identifier of the note.
    :param done: Whether it is finished.
    :param open: Marks that nobody has decided on.
    :param total: Marks that are not rejected.
    :param uncertainty: How doubtful the most doubtful undecided mark is.
    """

    id: str
    done: bool
    open: int
    total: int
    uncertainty: float


class Session:
    """What one reviewer decides, kept in the reviewer's journal.

    :param project: The notes.
    :param reviewer: Name of the reviewer; names the journal.
    :param anonymize: What writes the note that will be given away.
    :raises InputError: If the name cannot name a file, or the journal is in use.
    """

    def __init__(self, project: Project, reviewer: str, anonymize: Anonymize) -> None:
        """Open the journal and take up where it ends."""
        if not _REVIEWER.fullmatch(reviewer) or reviewer.startswith("."):
            raise InputError(
                "a reviewer's name has up to 40 letters, digits, dots and hyphens"
            )
        self.project = project
        self.reviewer = reviewer
        self._anonymize = anonymize
        self._lock = threading.RLock()
        folder = project.out / DECISIONS
        self._journal = Journal(folder / f"{reviewer}.jsonl")
        self.states = replay(project.base, self._journal.events)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def decide(self, ask: Ask) -> View:
        """Carry out a decision, and keep it before anything is answered.

        :param ask: What the reviewer asked for.
        :return: The note and the rows that changed.
        :raises InputError: If it names something that does not exist.
        """
        with self._lock:
            changes = changes_for(ask, self.project.texts, self.states)
            if changes:
                self._append(Event(ask.kind, _now(), changes))
            return self._after(ask.note, {change.note for change in changes})

    def step_back(self, kind: str, note: str) -> View:
        """Undo the last decision, or redo the one undone last.

        :param kind: ``undo`` or ``redo``.
        :param note: The note that is shown, if there is nothing to undo.
        :return: The note that changed and the rows that changed.
        """
        with self._lock:
            holding, undone = standing(self._journal.events)
            last = holding[-1:] if kind == UNDO else undone[-1:]
            if kind not in (UNDO, REDO) or not last:
                return self._after(note, set())
            self._append(Event(kind, _now()))
            changed = {change.note for change in last[0].changes}
            return self._after(note if note in changed else min(changed), changed)

    def _append(self, event: Event) -> None:
        self._journal.append(event)
        if event.kind in (UNDO, REDO):
            self.states = replay(self.project.base, self._journal.events)
            return
        for change in event.changes:
            self.states[change.note] = apply(self.states[change.note], change)

    def _after(self, note: str, changed: set[str]) -> View:
        rows = [asdict(self._row(each)) for each in sorted(changed)]
        return {"note": self.note(note), "rows": rows, **self.summary(note)}

    def _row(self, note: str) -> Overview:
        state = self.states[note]
        return Overview(
            note,
            state.done,
            len(state.open),
            len(state.live()),
            round(state.uncertainty, 4),
        )

    def rows(self) -> list[Overview]:
        """Return the list of notes, in their order."""
        return [self._row(note) for note in self.project.texts]

    def summary(self, note: str = "") -> View:
        """Return the figures, which note comes next, and what can be undone.

        :param note: The note that is shown.
        :return: Fields ``next``, ``figures``, ``undo`` and ``redo``.
        """
        with self._lock:
            holding, undone = standing(self._journal.events)
            order = list(self.project.texts)
            return {
                "next": next_note(self.states, order, note),
                "figures": self.figures(),
                "undo": holding[-1].kind if holding else None,
                "redo": undone[-1].kind if undone else None,
            }

    def figures(self) -> View:
        """Return progress, agreement with the recognizers and the failure rate."""
        project, states = self.project, self.states
        tally = counts(project.base, states)
        return {
            "done": sum(state.done for state in states.values()),
            "notes": len(states),
            "drawn_from": project.sample.total,
            "seed": project.sample.seed,
            "open": sum(len(state.open) for state in states.values()),
            "entities": {entity: asdict(row) for entity, row in tally.items()},
            "failures": asdict(failures(project.texts, project.base, states)),
        }

    def note(self, note: str) -> View:
        """Return everything the page shows of a note.

        :param note: Identifier of the note.
        :return: Its text, marks and anonymized text.
        :raises InputError: If there is no such note.
        """
        if note not in self.states:
            raise InputError("there is no such note in this review")
        text, state = self.project.texts[note], self.states[note]
        done = self.anonymized(note)
        return {
            "id": note,
            "text": text,
            "done": state.done,
            "marks": [
                asdict(mark) | {"added": mark.added} for mark in state.in_order()
            ],
            "output": {
                "text": done.text,
                "items": [
                    {
                        "start": item.new_start,
                        "end": item.new_end,
                        "from": item.start,
                        "entity": item.entity_type,
                    }
                    for item in done.items
                ],
            },
        }

    def anonymized(self, note: str) -> AnonymizedText:
        """Return the note as it would be given away now.

        :param note: Identifier of the note.
        :return: The anonymized text.
        """
        spans = [as_span(mark) for mark in self.states[note].live()]
        return self._anonymize(self.project.texts[note], spans)

    def reviewers(self) -> list[str]:
        """Return the names of everybody who has a journal in this review."""
        folder = self.project.out / DECISIONS
        return sorted(path.stem for path in folder.glob("*.jsonl"))

    def compare(self, other: str) -> View:
        """Compare this reviewer's decisions with another's.

        :param other: Name of the other reviewer.
        :return: Kappa, F1 and the places where they differ.
        :raises InputError: If there is no such reviewer.
        """
        if other not in self.reviewers():
            raise InputError("there is no such reviewer in this review")
        path = self.project.out / DECISIONS / f"{other}.jsonl"
        theirs: Mapping[str, NoteState] = replay(self.project.base, read_journal(path))
        with self._lock:
            result = agreement(self.project.texts, self.states, theirs)
        texts = self.project.texts
        places = [
            asdict(place) | {"text": texts[place.note][place.start : place.end]}
            for place in result.places
        ]
        return {"other": other, **asdict(result), "places": places}


def as_span(mark: Mark) -> Span:
    """Return a mark as the anonymizer takes it."""
    return Span(mark.start, mark.end, mark.entity, mark.role or None, mark.score)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
