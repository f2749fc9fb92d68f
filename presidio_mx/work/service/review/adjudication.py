"""Two reviewers' decisions, brought before a third one."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from presidio_mx.errors import InputError
from presidio_mx.private_file import private_folder
from presidio_mx.work.service.review.marks import Mark, NoteState, mark_fields
from presidio_mx.work.service.review.project import write_whole

FOLDER = "adjudication"
States = Mapping[str, NoteState]


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What a third reviewer begins with.

    :param first: Name of the first reviewer.
    :param second: Name of the second.
    :param start: Notes that both finished: what they agree on is accepted, the rest
        is to be decided.
    """

    first: str
    second: str
    start: States


def merged(first: NoteState, second: NoteState, names: tuple[str, str]) -> NoteState:
    """Return a note as its adjudication begins.

    What only one of the two marked is proposed, under that reviewer's name. Where their
    marks overlap, the first one's stand; the page offers the other's beside them.

    :param first: The note after the first reviewer's decisions.
    :param second: The note after the second's.
    :param names: Their names.
    """
    theirs = {(m.start, m.end, m.entity) for m in second.live}
    marks: dict[str, Mark] = {}
    for mark in first.in_order:
        agreed = (mark.start, mark.end, mark.entity) in theirs
        if mark.live and not agreed:
            mark = replace(mark, status="proposed", score=0.5, recognizer=names[0])
        marks[mark.id] = mark
    for mark in second.live:
        if not any(own.overlaps(mark.start, mark.end) for own in first.live):
            name = f"a{len(marks) + 1}"
            marks[name] = replace(
                mark, id=name, status="proposed", score=0.5, recognizer=names[1]
            )
    return NoteState(marks)


def open_adjudication(
    out: Path,
    reviewer: str,
    names: tuple[str, str],
    states_of: Callable[[str], States],
) -> Adjudication:
    """Begin an adjudication, or go on with the one that this reviewer began.

    What the two decide later changes nothing of it.

    :param out: Folder of the review.
    :param reviewer: Who adjudicates.
    :param names: The two reviewers.
    :param states_of: Returns the notes after a reviewer's decisions.
    :return: What to begin with.
    :raises InputError: If names repeat, no note was finished by both, or it was begun
        between others.
    """
    if len({reviewer, *names}) < 3:
        raise InputError(
            "an adjudication needs three reviewers: the two, and you under another name"
        )
    path = out / FOLDER / f"{reviewer}.json"
    if path.is_file():
        found = _read(path)
        if (found.first, found.second) != names:
            raise InputError(
                f"{path}: this adjudication is between {found.first} and "
                f"{found.second}; give another --reviewer for another one"
            )
        return found
    first, second = map(states_of, names)
    both = [note for note in first if first[note].done and second[note].done]
    if not both:
        raise InputError(f"{names[0]} and {names[1]} have finished no note in common")
    start = {note: merged(first[note], second[note], names) for note in both}
    private_folder(path.parent)
    content = {
        "first": names[0],
        "second": names[1],
        "notes": {note: list(_rows(state)) for note, state in start.items()},
    }
    write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")
    return Adjudication(names[0], names[1], start)


def begun_adjudication(out: Path, reviewer: str) -> Adjudication | None:
    """Return the adjudication that a reviewer began; None for a plain reviewer.

    :param out: Folder of the review.
    :param reviewer: Name of the reviewer.
    """
    path = out / FOLDER / f"{reviewer}.json"
    return _read(path) if path.is_file() else None


def _rows(state: NoteState) -> Iterator[dict[str, Any]]:
    for mark in state.marks.values():
        yield mark_fields(mark)


def _read(path: Path) -> Adjudication:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        start = {
            note: NoteState({row["id"]: Mark(**row) for row in rows})
            for note, rows in data["notes"].items()
        }
        return Adjudication(data["first"], data["second"], start)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: damaged; adjudicate under another name") from None
