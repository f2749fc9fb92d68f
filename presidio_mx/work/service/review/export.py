"""Write what a review came to: the notes to give away, and training data."""

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any
from unicodedata import category, is_normalized
from urllib.parse import quote

from presidio_mx.private_file import private_folder
from presidio_mx.research.corpora.store import write_corpus
from presidio_mx.text.spans import Note
from presidio_mx.text.spans import Span as NoteSpan
from presidio_mx.work.service.review.project import write_whole
from presidio_mx.work.service.review.session import Session

ANONYMIZED = "anonymized"
TRAINING = "training"
REPORT = "report.json"
# Bytes of a file name that leave room for endings; systems take 255.
_LONGEST = 200
# Format of the corpora package to the file or folder it is written to.
FORMS = {"brat": "brat", "jsonl": "notes.jsonl", "bio": "notes.bio"}


def export(session: Session) -> dict[str, Any]:
    """Write the finished notes of a session into its review's folder.

    Unfinished notes are left out: nobody vouched for them. Files of an earlier export
    are replaced; those of notes reopened since are removed.

    :param session: A reviewer's session.
    :return: Where to, how many notes of how many, and what a format cannot hold.
    """
    folder = private_folder(session.project.out / "export")
    folder = private_folder(folder / session.reviewer)
    finished = [note for note in session.notes if session.states[note].done]
    _write_anonymized(session, folder / ANONYMIZED, finished)
    notes = [reviewed(session, note) for note in finished]
    problems = _write_training(notes, folder)
    report = {
        "reviewer": session.reviewer,
        "found_by": dict(session.project.found_by),
        **session.figures(),
    }
    report["risk_by_note"] = dict(session.project.risks)
    report["seconds_by_note"] = session.clock.seconds
    report["set_aside"] = [
        {"note": note, "flag": state.flag, "comment": state.comment}
        for note, state in session.states.items()
        if state.flag or state.comment
    ]
    report["agreement"] = [
        _without_text(session.compare(other))
        for other in session.others.names()
        if other != session.reviewer
    ]
    write_whole(
        folder / REPORT, json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    )
    return {
        "folder": str(folder),
        "notes": len(finished),
        "total": len(session.notes),
        "problems": problems,
    }


def reviewed(session: Session, note: str) -> Note:
    """Return a note with the marks that hold after the review.

    :param session: A reviewer's session.
    :param note: Identifier of the note.
    :return: The note with its spans.
    """
    spans = tuple(
        NoteSpan(mark.start, mark.end, mark.entity, mark.role or None)
        for mark in session.states[note].live
    )
    return Note(note, session.project.texts[note], spans)


def _write_anonymized(session: Session, folder: Path, finished: list[str]) -> None:
    private_folder(folder)
    names = {note: f"{file_name(note)}.txt" for note in finished}
    for path in folder.glob("*.txt"):
        if path.name not in names.values():
            path.unlink()
    for note, name in names.items():
        write_whole(folder / name, session.anonymized(note).text)


def file_name(note: str) -> str:
    """Return a file name for a note's identifier, whatever characters it has.

    Letters and digits of any alphabet stay. Of a name with accents apart from their
    letters, which some systems take for the same as the composed one, only ASCII does.

    :param note: The identifier; no two have the same file name.
    """
    composed = is_normalized("NFC", note)
    letters = (
        letter
        if composed and category(letter)[0] in "LMN"
        else quote(letter, safe=" ()[]")
        for letter in note
    )
    name = "".join(letters).replace("..", "%2E%2E") or "_"
    if len(name.encode()) <= _LONGEST:
        return name
    return f"{name[: _LONGEST // 4]}~{sha256(note.encode()).hexdigest()[:16]}"


def _without_text(comparison: dict[str, Any]) -> dict[str, Any]:
    places = [
        {name: value for name, value in place.items() if name != "text"}
        for place in comparison["places"]
    ]
    return comparison | {"places": places}


def _write_training(notes: list[Note], folder: Path) -> list[str]:
    """Write notes as training data; return what a format cannot hold."""
    part = folder / f"{TRAINING}.part"
    _remove(part)
    private_folder(part)
    problems = []
    for form, name in FORMS.items():
        for problem in write_corpus(notes, part / name, form):
            problems.append(f"{name}: {problem}")
    _remove(folder / TRAINING)
    part.rename(folder / TRAINING)
    return problems


def _remove(path: Path) -> None:
    """Remove a folder of an earlier export; of a link nothing but the link."""
    if path.is_symlink():
        path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)
