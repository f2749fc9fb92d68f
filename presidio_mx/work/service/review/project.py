"""What a review works on: the notes, and what was found in them, kept for next time."""

import hashlib
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from presidio_analyzer import RecognizerResult

from presidio_mx.errors import InputError
from presidio_mx.pipeline import Examined
from presidio_mx.private_file import write_private
from presidio_mx.research.evaluation.sample import draw
from presidio_mx.work.service.review.marks import Mark, NoteState
from presidio_mx.work.service.review.notes import read_notes, warn_of_others
from presidio_mx.work.service.review.reach import Texts

Finder = Callable[[str], Examined]
Progress = Callable[[int, int], None]
_PREDICTIONS = "predictions.jsonl"
_SAMPLE = "sample.json"
_FOUND_BY = "found-by.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """Which notes are reviewed.

    :param notes: Identifiers of the notes, in order.
    :param total: Number of notes they were drawn from.
    :param seed: Seed of the draw; None if all notes are reviewed.
    """

    notes: tuple[str, ...]
    total: int
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """Notes under review.

    :param source: Where they came from.
    :param out: Folder of the review.
    :param texts: Text by identifier, in order.
    :param base: What was found, by identifier.
    :param sample: Which notes were drawn.
    :param risks: How likely something was left unmarked, by identifier; notes of which
        that cannot be told are not there.
    :param found_by: What found the marks: versions, model, rules, sensitivity, date.
    """

    source: Path
    out: Path
    texts: Texts
    base: Mapping[str, NoteState]
    sample: Sample
    risks: Mapping[str, float] = field(default_factory=dict)
    found_by: Mapping[str, Any] = field(default_factory=dict)


def open_project(
    source: Path,
    out: Path,
    find: Finder,
    *,
    notes: Mapping[str, str] | None = None,
    sample: int | None = None,
    seed: int = 0,
    found_by: Mapping[str, Any] | None = None,
    progress: Progress = lambda done, total: None,
) -> Project:
    """Read the notes and what was found in them; find it if that was not done yet.

    What was found is kept in the review's folder: decisions refer to it, so it must
    not change when rules or lists do.

    :param source: A folder with ``*.txt``, or a JSONL file.
    :param out: Folder of the review; made if it does not exist.
    :param find: What analyzes a note.
    :param notes: The notes, where they are not to be read from the source.
    :param sample: Number of notes to draw at random; all by default.
    :param seed: Seed of the draw.
    :param found_by: What finds: kept for the report; the sensitivity of a review that
        was begun cannot be changed.
    :param progress: Told after each note: how many are done, and of how many.
    :return: The notes under review.
    :raises InputError: If a note cannot be read or was changed since, or the review
        was begun with another sensitivity.
    """
    if out.resolve() == source.resolve():
        raise InputError(f"{out}: --out must be another folder than the notes'")
    if notes is None:
        notes = read_notes(source)
        warn_of_others(source, out)
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    drawn = _draw(out / _SAMPLE, notes, sample, seed)
    if len(notes) > drawn.total:
        warnings.warn(
            f"{source}: {len(notes) - drawn.total} notes came since this review began "
            "and are no part of it; review them with another --out",
            stacklevel=2,
        )
    texts = Texts({note: notes[note] for note in drawn.notes})
    path = out / _PREDICTIONS
    known = _read_predictions(path)
    made_by = _found_by(out / _FOUND_BY, found_by or {}, begun=bool(known))
    rows = []
    for number, (note, text) in enumerate(texts.items(), start=1):
        digest = _digest(text)
        row = known.get(note)
        if row is None:
            found = find(text)
            marks = [asdict(mark) for mark in _marks(found.results)]
            risk = None if found.risk is None else round(found.risk, 4)
            row = {"id": note, "sha256": digest, "risk": risk, "marks": marks}
        elif row["sha256"] != digest:
            raise _changed(note)
        rows.append(row)
        progress(number, len(texts))
    if len(rows) > len(known):
        lines = [json.dumps(row, separators=(",", ":")) for row in rows]
        write_whole(path, "\n".join(lines) + "\n")
        write_whole(out / _FOUND_BY, json.dumps(made_by, ensure_ascii=False) + "\n")
    return Project(source, out, texts, _base(rows), drawn, _risks(rows), made_by)


def begun_project(out: Path, texts: Mapping[str, str]) -> Project:
    """Return a review that was begun, and find nothing.

    :param out: Folder of the review.
    :param texts: The notes by identifier, as far as they are known.
    :return: The notes under review.
    :raises InputError: If there is no review, or a note was changed since.
    """
    known = _read_predictions(out / _PREDICTIONS)
    if not known:
        raise InputError(f"{out}: holds no review; give the folder of --out")
    for note, text in texts.items():
        if known[note]["sha256"] != _digest(text):
            raise _changed(note)
    drawn = _draw(out / _SAMPLE, known, None, 0)
    rows, found_by = list(known.values()), _found_by(out / _FOUND_BY, {}, begun=True)
    return Project(out, out, Texts(texts), _base(rows), drawn, _risks(rows), found_by)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _changed(note: str) -> InputError:
    return InputError(
        f"note {note} was changed since this review began; give another --out"
    )


def _base(rows: Sequence[Mapping[str, Any]]) -> dict[str, NoteState]:
    return {
        row["id"]: NoteState({data["id"]: Mark(**data) for data in row["marks"]})
        for row in rows
    }


def _risks(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    # Reviews of earlier versions have no risk.
    return {row["id"]: row["risk"] for row in rows if row.get("risk") is not None}


def _found_by(path: Path, now: Mapping[str, Any], *, begun: bool) -> Mapping[str, Any]:
    """Return what found the marks of a review that was begun, or finds them now."""
    if not begun:
        return now
    if not path.is_file():
        return {}
    try:
        kept = dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        raise InputError(f"{path}: damaged; give another --out") from None
    then, wanted = kept.get("sensitivity"), now.get("sensitivity")
    if None not in (then, wanted) and then != wanted:
        raise InputError(
            f"this review was begun with --sensitivity {then}; go on with that, or "
            "give another --out"
        )
    return kept


def _marks(results: Sequence[RecognizerResult]) -> Iterator[Mark]:
    for number, result in enumerate(results):
        metadata = result.recognition_metadata or {}
        yield Mark(
            id=f"p{number}",
            start=result.start,
            end=result.end,
            entity=result.entity_type,
            score=round(float(result.score), 4),
            role=str(metadata.get("role", "")),
            recognizer=str(metadata.get(RecognizerResult.RECOGNIZER_NAME_KEY, "")),
            rule=str(metadata.get("rule", "")),
        )


def _draw(
    path: Path, notes: Mapping[str, Any], wanted: int | None, seed: int
) -> Sample:
    """Return the sample of an earlier start, or draw one and keep it."""
    if path.is_file():
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            earlier = Sample(tuple(data["notes"]), int(data["total"]), data["seed"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}: damaged; give another --out") from None
        missing = [note for note in earlier.notes if note not in notes]
        if missing:
            raise InputError(
                f"note {missing[0]} of this review is no longer there; put it back or "
                "give another --out"
            )
        return earlier
    every = list(notes)
    if wanted is None or wanted >= len(every):
        sample = Sample(tuple(every), len(every))
    else:
        chosen = set(draw(notes, wanted, seed))
        kept = tuple(note for note in every if note in chosen)
        sample = Sample(kept, len(every), seed)
    write_whole(path, json.dumps(asdict(sample), ensure_ascii=False) + "\n")
    return sample


def _read_predictions(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return {row["id"]: row for row in map(json.loads, lines)}
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: damaged; give another --out") from None


def write_whole(path: Path, content: str) -> None:
    """Write a file of a review, for its owner alone, whole or not at all.

    :param path: The file.
    :param content: Its text.
    """
    write_private(path, [content.encode("utf-8", "surrogatepass")])
