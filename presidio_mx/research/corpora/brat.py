"""brat standoff: ``note.txt`` and ``note.ann`` (brat.nlplab.org/standoff.html).

Offsets count code points. Roles are attributes (``A1 Role T1 patient``); the format has
no place for scores.
"""

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
    make_span,
    read_text,
    write_folder,
)
from presidio_mx.text.spans import Note, Span

_ENTITY = re.compile(
    r"(T\S+)\t(\S+) (\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*)(?:\t(.*))?"
)
_ROLE = re.compile(r"A\S+\tRole (T\S+) (\S+)")
_BREAKS = re.compile(r"[\r\n]")


def parse(identifier: str, text: str, annotations: str) -> tuple[Note, list[Broken]]:
    """Read the annotations of one note.

    A discontinuous annotation becomes one span for each of its pieces.

    :param identifier: Id of the note.
    :param text: The note.
    :param annotations: Content of the ``.ann`` file.
    :return: The note with the spans that could be read, and the broken lines.
    """
    spans: dict[str, list[Span]] = {}
    broken: list[Broken] = []
    lines = annotations.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\r")
        try:
            if line.startswith("T"):
                key, found = _entity(text, line, number)
                if spans.setdefault(key, found) is not found:
                    raise Broken(number, f"a second {key}; the first one counts")
            elif match := _ROLE.fullmatch(line):
                key, role = match.groups()
                spans[key] = [replace(s, role=role) for s in spans.get(key, [])]
        except Broken as error:
            broken.append(error)
    every = [span for pieces in spans.values() for span in pieces]
    return Note(identifier, text, tuple(every)), broken


def _entity(text: str, line: str, number: int) -> tuple[str, list[Span]]:
    match = _ENTITY.fullmatch(line)
    if match is None:
        raise Broken(number, "not 'T1<tab>TYPE START END<tab>TEXT'")
    key, entity_type, offsets, quoted = match.groups()
    found = []
    for pair in offsets.split(";"):
        start, end = map(int, pair.split())
        found.append(make_span(text, start, end, entity_type, number))
    stands = " ".join(_BREAKS.sub(" ", text[s.start : s.end]) for s in found)
    if quoted is not None and quoted.split() != stands.split():
        raise Broken(number, "the quoted text is not what stands at these offsets")
    return key, found


def render(note: Note) -> str:
    """Return the content of the ``.ann`` file of a note.

    :param note: The note.
    :return: One line an entity, and one a role.
    :raises InputError: If a type has white space in it.
    """
    lines = []
    roles: list[str] = []
    for number, span in enumerate(note.spans, start=1):
        if not re.fullmatch(r"\S+", span.entity_type):
            raise InputError(
                f"note {note.id}: brat allows no white space in types such as "
                f"{span.entity_type!r}"
            )
        quoted = _BREAKS.sub(" ", note.covered(span))
        lines.append(f"T{number}\t{span.entity_type} {span.start} {span.end}\t{quoted}")
        if span.role:
            roles.append(f"A{len(roles) + 1}\tRole T{number} {span.role}")
    return "".join(line + "\n" for line in lines + roles)


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the note of an ``.ann`` file, and its broken lines.

    :param path: The ``.ann`` file; the text is the ``.txt`` beside it, or else the
        one given for this id.
    :param identifier: Id of the note.
    :param texts: Texts by id, for predictions that come without.
    """
    beside = path.with_suffix(".txt")
    if beside.is_file():
        text = read_text(beside)
    elif identifier in texts:
        text = texts[identifier]
    else:
        raise Broken(0, f"there is no {beside.name} beside it")
    note, broken = parse(identifier, text, read_text(path))
    yield note
    for error in broken:
        yield Problem(str(path), error.line, error.reason)


def write(notes: Iterable[Note], folder: Path) -> list[str]:
    """Write ``.txt`` and ``.ann`` files.

    :param notes: The notes.
    :param folder: A folder.
    :return: A sentence for each note that could not be written.
    """
    return write_folder(notes, folder, lambda n: {".ann": render(n), ".txt": n.text})


FORMAT = Format("brat", ".ann", read, write, per_note=True, beside=".txt")
