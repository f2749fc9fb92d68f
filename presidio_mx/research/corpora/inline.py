"""Plain notes with inline marks: ``{{TYPE|text}}`` or ``{{PERSON:role|text}}``."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.research.corpora.formats import (
    Broken,
    Format,
    Problem,
    Texts,
    read_text,
    require_same,
    write_folder,
)
from presidio_mx.schemes import NATIVE_TO_INLINE
from presidio_mx.text.spans import Note, Span

_MARK = re.compile(r"\{\{([A-Z][A-Z0-9_]*)(?::([a-z]+))?\|(.+?)\}\}", re.DOTALL)


def parse(identifier: str, marked: str) -> tuple[Note, list[Broken]]:
    """Take the marks out of a note.

    :param identifier: Id of the note.
    :param marked: The note with marks.
    :return: The note, and the lines on which braces are left over.
    """
    pieces: list[str] = []
    spans: list[Span] = []
    broken: list[Broken] = []
    length = position = 0
    for match in _MARK.finditer(marked):
        between = marked[position : match.start()]
        broken += _left_over(marked, between, position)
        length += len(between)
        inside = match[3]
        broken += _left_over(marked, inside, match.start(3))
        spans.append(Span(length, length + len(inside), match[1], match[2]))
        length += len(inside)
        pieces += [between, inside]
        position = match.end()
    broken += _left_over(marked, marked[position:], position)
    text = "".join(pieces) + marked[position:]
    return Note(identifier, text, tuple(spans)), broken


def _left_over(marked: str, piece: str, offset: int) -> list[Broken]:
    found = re.search(r"\{\{|\}\}", piece)
    if found is None:
        return []
    line = marked.count("\n", 0, offset + found.start()) + 1
    return [Broken(line, "a mark is broken: braces without their other half")]


def render(note: Note) -> str:
    """Put marks into a note.

    :param note: The note; native types become the marks of the guidelines, which have
        ``CARD`` for cards and CLABEs alike.
    :return: The note with marks.
    :raises InputError: If marks cannot hold its spans.
    """
    named = note.with_spans(
        tuple(
            replace(s, entity_type=NATIVE_TO_INLINE.get(s.entity_type, s.entity_type))
            for s in note.spans
        )
    )
    pieces: list[str] = []
    position = 0
    for span in named.spans:
        role = f":{span.role}" if span.role else ""
        pieces.append(note.text[position : span.start])
        pieces.append(f"{{{{{span.entity_type}{role}|{note.covered(span)}}}}}")
        position = span.end
    marked = "".join(pieces) + note.text[position:]
    again, broken = parse(note.id, marked)
    if broken:
        raise InputError(
            f"note {note.id} cannot be written as inline without loss (double braces "
            "in the text); use jsonl"
        )
    require_same(named, again, "inline")
    return marked


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the note of a marked ``.txt`` file.

    :param path: The file.
    :param identifier: Id of the note.
    :param texts: Not needed.
    """
    note, broken = parse(identifier, read_text(path))
    if broken:
        raise broken[0]
    yield note


def write(notes: Iterable[Note], folder: Path) -> list[str]:
    """Write marked ``.txt`` files.

    :param notes: The notes.
    :param folder: A folder.
    :return: A sentence for each note that could not be written.
    """
    return write_folder(notes, folder, lambda note: {".txt": render(note)})


FORMAT = Format("inline", ".txt", read, write, per_note=True)
