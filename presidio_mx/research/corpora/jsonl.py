"""One JSON object a line: id, text and spans with start, end and entity_type.

``type`` or ``label`` instead of ``entity_type`` is read as well, and so are spans as
lists ``[start, end, type]`` under ``label`` or ``labels``. Offsets count code points.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from presidio_mx.research.corpora.formats import (
    Broken,
    Format,
    Problem,
    Texts,
    make_span,
    read_text,
)
from presidio_mx.research.corpora.onefile import write_file
from presidio_mx.text.spans import Note, Span


def span_of(text: str, raw: Any, line: int) -> Span:
    """Check one span as JSON has it.

    :param text: The note.
    :param raw: An object, or a list of start, end and type.
    :param line: Line to name in an error.
    :return: The span.
    :raises Broken: If it is none.
    """
    if isinstance(raw, list) and len(raw) == 3:
        return make_span(text, raw[0], raw[1], raw[2], line)
    if not isinstance(raw, dict):
        raise Broken(line, "a span must be an object with start, end and entity_type")
    entity_type = raw.get("entity_type", raw.get("type", raw.get("label")))
    return make_span(
        text,
        raw.get("start"),
        raw.get("end"),
        entity_type,
        line,
        raw.get("role"),
        raw.get("score"),
        raw.get("recognizer"),
    )


def parse_line(line: str, number: int, stem: str) -> Note:
    """Read one line.

    :param line: A JSON object.
    :param number: Its line number.
    :param stem: Name of the file, for notes without an id.
    :return: The note.
    :raises Broken: If it is not such an object.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise Broken(number, "not a JSON object") from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise Broken(number, "not an object with a text")
    raw = row.get("spans", row.get("labels", row.get("label", [])))
    if not isinstance(raw, list):
        raise Broken(number, "spans must be a list")
    text = row["text"]
    spans = tuple(span_of(text, item, number) for item in raw)
    return Note(str(row.get("id", f"{stem}-{number}")), text, spans)


def render(note: Note) -> str:
    """Return a note as one line of JSON.

    :param note: The note.
    :return: The line, without a line end.
    """
    spans = [
        {key: value for key, value in asdict(span).items() if value is not None}
        for span in note.spans
    ]
    row = {"id": note.id, "text": note.text, "spans": spans}
    return json.dumps(row, ensure_ascii=not _is_unicode(note.id + note.text))


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the notes of a file and its broken lines.

    :param path: The file.
    :param identifier: Its stem.
    :param texts: Not needed.
    """
    lines = read_text(path).removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield parse_line(line, number, identifier)
        except Broken as error:
            yield Problem(str(path), error.line, error.reason)


def write(notes: Iterable[Note], path: Path) -> list[str]:
    """Write notes to one file.

    :param notes: The notes.
    :param path: A new file.
    :return: Nothing: any note can be written.
    """
    write_file(path, (render(note) + "\n" for note in notes))
    return []


FORMAT = Format("jsonl", ".jsonl", read, write, per_note=False)
