"""One reviewer's session: the notes, the decisions, and what the page is shown."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from presidio_mx.errors import InputError
from presidio_mx.private_file import open_private, private_folder
from presidio_mx.replace.engine import AnonymizedText
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span
from presidio_mx.work.service.review.adjudication import Adjudication, open_adjudication
from presidio_mx.work.service.review.decide import changes_for, next_note
from presidio_mx.work.service.review.figures import (
    NoteTally,
    agreement,
    conflicts,
    counts,
    failures,
    tally,
)
from presidio_mx.work.service.review.journal import Journal
from presidio_mx.work.service.review.marks import (
    REDO,
    UNDO,
    Event,
    Mark,
    NoteState,
    after,
    by_note,
    replay,
    standing,
)
from presidio_mx.work.service.review.others import (
    DECISIONS,
    TIMES,
    Others,
    check_reviewer,
)
from presidio_mx.work.service.review.project import Project
from presidio_mx.work.service.review.reach import Ask, reached
from presidio_mx.work.service.review.view import Overview, note_view, output_view

# What a page can have measured since it last told: it tells at least so often.
_MOST_SECONDS = 3600.0


class Clock:
    """Seconds by note, kept in a file to which lines are only added.

    :param path: The file; made when there is something to keep.
    """

    def __init__(self, path: Path) -> None:
        """Take up what the file holds; a line that was cut off counts for nothing."""
        self._path = path
        self.seconds: dict[str, float] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                    self._count(str(row["note"]), float(row["seconds"]))
                except (ValueError, KeyError, TypeError):
                    continue

    def _count(self, note: str, seconds: float) -> None:
        self.seconds[note] = round(self.seconds.get(note, 0.0) + seconds, 1)

    def add(self, note: str, seconds: float) -> None:
        """Add time to a note.

        :param note: Identifier of the note.
        :param seconds: How long it was looked at.
        """
        seconds = min(max(seconds, 0.0), _MOST_SECONDS)
        private_folder(self._path.parent)
        with open_private(self._path, append=True) as file:
            row = json.dumps({"note": note, "seconds": round(seconds, 1)})
            file.write(row.encode() + b"\n")
        self._count(note, seconds)

    def figures(self, finished: list[str]) -> dict[str, Any]:
        """Return the time that finished notes took.

        :param finished: Their identifiers.
        :return: Seconds in all, and of the note in the middle; None without any.
        """
        taken = [self.seconds[note] for note in finished if note in self.seconds]
        return {
            "total": round(sum(taken), 1),
            "median": round(median(taken), 1) if taken else None,
        }


Anonymize = Callable[[str, Sequence[Span]], AnonymizedText]
View = dict[str, Any]
_SHORT_NOTE = 20_000


class Session:
    """What one reviewer decides, kept in the reviewer's journal.

    :param project: The notes.
    :param reviewer: Name of the reviewer; names the journal.
    :param anonymize: What writes the note that will be given away.
    :param between: Two reviewers, if their decisions are adjudicated.
    :raises ConfigurationError: If the name cannot name a file.
    :raises InputError: If the journal is in use, or there is nothing to adjudicate.
    """

    def __init__(
        self,
        project: Project,
        reviewer: str,
        anonymize: Anonymize,
        between: tuple[str, str] | None = None,
    ) -> None:
        """Open the journal and take up where it ends."""
        check_reviewer(reviewer)
        self.project = project
        self.others = Others(project)
        self.adjudication: Adjudication | None = None
        self._start: Mapping[str, NoteState] = project.base
        if between is not None:
            states_of = self.others.states_of
            found = open_adjudication(project.out, reviewer, between, states_of)
            self.adjudication, self._start = found, found.start
        # Where two have reviewed, what they disagree on matters, not what was found.
        self._risks = project.risks if between is None else {}
        self.reviewer = reviewer
        self._anonymize = anonymize
        self._lock = threading.RLock()
        folder = project.out / DECISIONS
        self._journal = Journal(folder / f"{reviewer}.jsonl")
        self.states = replay(self._start, self._journal.events)
        self._holding, self._undone = standing(self._journal.events)
        self._tallies: dict[str, tuple[NoteState, NoteTally]] = {}
        self.clock = Clock(project.out / TIMES / f"{reviewer}.jsonl")

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
            theirs = self.others.states_of(ask.other) if ask.kind == "take" else None
            changes = changes_for(ask, self.project.texts, self.states, theirs)
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
            last = (self._holding if kind == UNDO else self._undone)[-1:]
            if kind not in (UNDO, REDO) or not last:
                return self._after(note, set())
            self._append(Event(kind, _now()))
            changed = {change.note for change in last[0].changes}
            return self._after(note if note in changed else min(changed), changed)

    def _append(self, event: Event) -> None:
        self._journal.append(event)
        if event.kind == UNDO:
            undone = self._holding.pop()
            self._undone.append(undone)
            changes = by_note(self._holding)
            for note in by_note([undone]):
                self.states[note] = after(self._start[note], changes.get(note, ()))
            return
        if event.kind == REDO:
            event = self._undone.pop()
        else:
            self._undone.clear()
        self._holding.append(event)
        for note, own in by_note([event]).items():
            self.states[note] = after(self.states[note], own)

    def _after(self, note: str, changed: set[str]) -> View:
        rows = [asdict(self._row(each)) for each in sorted(changed)]
        return {"note": self.note(note), "rows": rows, **self.summary(note)}

    def _row(self, note: str) -> Overview:
        state = self.states[note]
        return Overview(
            note,
            state.done,
            len(state.open),
            len(state.live),
            round(state.uncertainty, 4),
            state.flag,
            self._risks.get(note),
        )

    @property
    def notes(self) -> list[str]:
        """Identifiers of the notes that this session is about, the riskiest first.

        Notes without a stated risk stand in their own order.
        """
        notes = [note for note in self.project.texts if note in self.states]
        return sorted(notes, key=lambda note: -self._risks.get(note, 0.0))

    def rows(self) -> list[Overview]:
        """Return the list of notes, in their order."""
        return [self._row(note) for note in self.notes]

    def summary(self, note: str = "") -> View:
        """Return the figures, which note comes next, and what can be undone.

        :param note: The note that is shown.
        :return: Fields ``next``, ``figures``, ``undo`` and ``redo``.
        """
        with self._lock:
            return {
                "next": next_note(self.states, self.notes, note, self._risks),
                "figures": self.figures(),
                "undo": self._holding[-1].kind if self._holding else None,
                "redo": self._undone[-1].kind if self._undone else None,
            }

    def figures(self) -> View:
        """Return progress, agreement with the recognizers, failure rate and time."""
        project, states = self.project, self.states
        finished = [note for note, state in states.items() if state.done]
        tallies = [self._tally(note) for note in finished]
        return {
            "done": len(finished),
            "notes": len(states),
            "drawn_from": project.sample.total,
            "seed": project.sample.seed,
            "open": sum(len(state.open) for state in states.values()),
            "entities": {name: asdict(row) for name, row in counts(tallies).items()},
            "failures": asdict(failures(tallies)),
            "seconds": self.clock.figures(finished),
        }

    def _tally(self, note: str) -> NoteTally:
        """Return a note's figures, which change only with the note."""
        state = self.states[note]
        kept = self._tallies.get(note)
        if kept is None or kept[0] is not state:
            text, base = self.project.texts[note], self.project.base[note]
            kept = self._tallies[note] = state, tally(text, base, state)
        return kept[1]

    def note(self, note: str) -> View:
        """Return everything the page shows of a note.

        :param note: Identifier of the note.
        :return: Its text, marks and anonymized text.
        :raises InputError: If there is no such note.
        """
        if note not in self.states:
            raise InputError("there is no such note in this review")
        text = self.project.texts[note]
        # A long one is asked for apart: decisions do not wait for it.
        output = self.output(note) if len(text) <= _SHORT_NOTE else None
        return note_view(note, text, self.states[note], self._conflicts(note), output)

    def output(self, note: str) -> View:
        """Return the note as it would be given away now, and what was replaced.

        :param note: Identifier of the note.
        :return: Fields ``text`` and ``items``.
        :raises InputError: If there is no such note.
        """
        if note not in self.states:
            raise InputError("there is no such note in this review")
        return output_view(self.anonymized(note))

    def _conflicts(self, note: str) -> list[View]:
        """Return where the reviewers under adjudication differ."""
        if self.adjudication is None:
            return []
        sides = (self.adjudication.first, self.adjudication.second)
        first, second = (self.others.states_of(name)[note].live for name in sides)
        return [asdict(place) for place in conflicts(note, first, second)]

    def reached(self, ask: Ask) -> View:
        """Return how far a decision on a mark, or on what is selected, would reach.

        :param ask: The note, and a mark or a range.
        :return: Fields ``note`` and ``all``, each with the number of places and notes.
        :raises InputError: If there is no such note or range.
        """
        with self._lock:
            return reached(ask, self.project.texts, self.states)

    def search(self, wanted: str) -> list[str]:
        """Return the notes that hold a text, whatever its case and accents.

        :param wanted: What to find.
        """
        needle, texts = fold(wanted), self.project.texts
        return [note for note in self.notes if needle in texts.folded(note)]

    def anonymized(self, note: str) -> AnonymizedText:
        """Return the note as it would be given away now.

        :param note: Identifier of the note.
        :return: The anonymized text.
        """
        spans = [as_span(mark) for mark in self.states[note].live]
        return self._anonymize(self.project.texts[note], spans)

    def compare(self, other: str) -> View:
        """Compare this reviewer's decisions with another's.

        :param other: Name of the other reviewer.
        :return: Kappa, F1 and the places where they differ.
        :raises InputError: If there is no such reviewer.
        """
        theirs = self.others.states_of(other)
        with self._lock:
            texts = {note: self.project.texts[note] for note in self.notes}
            result = agreement(texts, self.states, theirs)
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
