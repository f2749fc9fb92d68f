"""Label Studio tasks: predictions out, annotations in.

Written tasks carry the spans as predictions, to be corrected by people; exported tasks
are read from their annotations, or from their predictions where there are none yet.
Offsets count code points; exports of versions before 1.5 count UTF-16 units, which the
quoted text gives away.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from presidio_mx.research.corpora.formats import (
    Broken,
    Format,
    Problem,
    Texts,
    make_span,
    read_json,
)
from presidio_mx.research.corpora.onefile import write_file
from presidio_mx.text.spans import Note, Span


def _result(note: Note, number: int, span: Span) -> dict[str, Any]:
    value: dict[str, Any] = {
        "start": span.start,
        "end": span.end,
        "text": note.covered(span),
        "labels": [span.entity_type],
    }
    result: dict[str, Any] = {
        "id": f"s{number}",
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": value,
    }
    known = {"role": span.role, "recognizer": span.recognizer}
    meta = {key: item for key, item in known.items() if item is not None}
    if span.score is not None:
        result["score"] = span.score
    return result | ({"meta": meta} if meta else {})


def task(note: Note) -> dict[str, Any]:
    """Return the task of a note.

    :param note: The note.
    :return: A task with one prediction.
    """
    results = [_result(note, i, span) for i, span in enumerate(note.spans)]
    return {
        "data": {"text": note.text, "id": note.id},
        "predictions": [{"model_version": "presidio-mx", "result": results}],
    }


def _code_points(text: str, units: int) -> int:
    encoded = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(encoded.decode("utf-16-le", "replace"))


def _span(text: str, raw: dict[str, Any]) -> Span:
    value = raw.get("value")
    labels = value.get("labels") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(labels, list) or not labels:
        raise Broken(0, "a region without a value and labels")
    start, end, quoted = value.get("start"), value.get("end"), value.get("text")
    if isinstance(start, int) and isinstance(end, int) and isinstance(quoted, str):
        if text[start:end] != quoted:
            start, end = _code_points(text, start), _code_points(text, end)
        if text[start:end].split() != quoted.split():
            raise Broken(0, "the quoted text is not what stands at these offsets")
    meta = raw.get("meta")
    known = meta if isinstance(meta, dict) else {}
    return make_span(
        text,
        start,
        end,
        labels[0],
        role=known.get("role"),
        score=raw.get("score"),
        recognizer=known.get("recognizer"),
    )


def _note(raw: Any, stem: str, number: int) -> tuple[Note, str]:
    data = raw.get("data") if isinstance(raw, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise Broken(0, f"task {number} has no data.text")
    done = [a for a in raw.get("annotations") or [] if not a.get("was_cancelled")]
    chosen = done or raw.get("predictions") or []
    doubt = ""
    if len(chosen) > 1:
        doubt = f"task {number} has {len(chosen)} versions; the last one is taken"
    results = chosen[-1].get("result") or [] if chosen else []
    regions = [r for r in results if isinstance(r, dict) and r.get("type") == "labels"]
    text = data["text"]
    identifier = str(data.get("id", raw.get("id", f"{stem}-{number}")))
    try:
        return Note(identifier, text, tuple(_span(text, r) for r in regions)), doubt
    except Broken as error:
        raise Broken(0, f"task {number}: {error.reason}") from None


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the notes of an export, and its broken tasks.

    :param path: A ``.json`` file with a list of tasks.
    :param identifier: Its stem.
    :param texts: Not needed.
    """
    content = read_json(path)
    if not isinstance(content, list):
        raise Broken(0, "not a list of tasks")
    for number, raw in enumerate(content, start=1):
        try:
            note, doubt = _note(raw, identifier, number)
        except (Broken, AttributeError) as error:
            reason = getattr(error, "reason", f"task {number} is malformed")
            yield Problem(str(path), 0, reason)
            continue
        if doubt:
            yield Problem(str(path), 0, doubt)
        yield note


def write(notes: Iterable[Note], path: Path) -> list[str]:
    """Write tasks to one file, ready to import.

    :param notes: The notes.
    :param path: A new file.
    :return: Nothing: any note can be written.
    """
    tasks = [task(note) for note in notes]
    write_file(path, [json.dumps(tasks, ensure_ascii=True, indent=1) + "\n"])
    return []


FORMAT = Format("label-studio", ".json", read, write, per_note=False)
