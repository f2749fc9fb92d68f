"""JSON of Presidio's analyzer: a list of results, and the text in a ``.txt`` beside.

The list is what ``POST /analyze`` answers and what ``POST /anonymize`` takes as
``analyzer_results``. An object with ``text`` and ``analyzer_results`` is read too.
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
    read_text,
    write_folder,
)
from presidio_mx.text.spans import Note, Span


def _span(text: str, raw: Any) -> Span:
    if not isinstance(raw, dict):
        raise Broken(0, "a result must be an object with start, end and entity_type")
    metadata = raw.get("recognition_metadata")
    known = metadata if isinstance(metadata, dict) else {}
    return make_span(
        text,
        raw.get("start"),
        raw.get("end"),
        raw.get("entity_type"),
        role=known.get("role"),
        score=raw.get("score"),
        recognizer=known.get("recognizer_name"),
    )


def _result(span: Span) -> dict[str, Any]:
    known = {"recognizer_name": span.recognizer, "role": span.role}
    metadata = {key: value for key, value in known.items() if value is not None}
    # Presidio requires a score; what people marked is certain.
    score = 1.0 if span.score is None else span.score
    result: dict[str, Any] = {
        "entity_type": span.entity_type,
        "start": span.start,
        "end": span.end,
        "score": score,
    }
    return result | ({"recognition_metadata": metadata} if metadata else {})


def render(note: Note) -> str:
    """Return the analyzer's JSON for a note.

    :param note: The note.
    :return: A JSON list.
    """
    return json.dumps([_result(span) for span in note.spans], indent=1) + "\n"


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the note of a file.

    :param path: The ``.json`` file.
    :param identifier: Id of the note.
    :param texts: Texts by id, for results that come without.
    """
    content = read_json(path)
    beside = path.with_suffix(".txt")
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        text, results = content["text"], content.get("analyzer_results")
    elif beside.is_file():
        text, results = read_text(beside), content
    elif identifier in texts:
        text, results = texts[identifier], content
    else:
        raise Broken(0, f"there is no {beside.name} beside it")
    if not isinstance(results, list):
        raise Broken(0, "not a list of analyzer results")
    yield Note(identifier, text, tuple(_span(text, raw) for raw in results))


def write(notes: Iterable[Note], folder: Path) -> list[str]:
    """Write ``.txt`` and ``.json`` files.

    :param notes: The notes.
    :param folder: A folder.
    :return: A sentence for each note that could not be written.
    """
    return write_folder(notes, folder, lambda n: {".json": render(n), ".txt": n.text})


FORMAT = Format("presidio", ".json", read, write, per_note=True)
