"""CoNLL columns with BIO or BIOES tags, one token a line, an empty line a sentence.

Comments hold what the columns cannot: ``# id = …`` begins a note and ``# text = …`` is
its text as a JSON string, so that offsets survive. Files without them are read with one
blank between tokens and a line break between sentences; each file is then one note,
or each part after ``-DOCSTART-``.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from presidio_mx.research.corpora.formats import (
    Broken,
    Format,
    Problem,
    Texts,
    read_text,
    rendered,
    require_same,
)
from presidio_mx.research.corpora.onefile import write_file
from presidio_mx.text.spans import Note, Span
from presidio_mx.text.tokens import sentences, tokens

Row = tuple[int, str, str]
_TAG = re.compile(r"O|[BIESLU]-(.+)")


def tags(note: Note, bioes: bool) -> list[tuple[int, int, str]]:
    """Return tokens with their tags.

    :param note: A note without overlapping spans.
    :param bioes: BIOES instead of BIO.
    :return: Start, end and tag of each token.
    """
    cuts = [edge for span in note.spans for edge in (span.start, span.end)]
    pieces = tokens(note.text, cuts)
    labels = ["O"] * len(pieces)
    for span in note.spans:
        inside = [
            i for i, (s, e) in enumerate(pieces) if span.start <= s and e <= span.end
        ]
        for place, i in enumerate(inside):
            first, last = place == 0, place == len(inside) - 1
            sign = "B" if first else "I"
            if bioes and last:
                sign = "S" if first else "E"
            labels[i] = f"{sign}-{span.entity_type}"
    return [(s, e, label) for (s, e), label in zip(pieces, labels, strict=True)]


def render(note: Note, bioes: bool) -> str:
    """Return the lines of a note.

    :param note: The note.
    :param bioes: BIOES instead of BIO.
    :return: Comments, tokens with tags, an empty line after each sentence.
    :raises InputError: If tags cannot hold its spans.
    """
    lines = [f"# id = {note.id}", f"# text = {json.dumps(note.text)}"]
    ends = [end for _, end in sentences(note.text)]
    at = 0
    for start, end, tag in tags(note, bioes):
        crossed = False
        while at < len(ends) and start >= ends[at]:
            at += 1
            crossed = True
        # A sentence must not end within an entity.
        if crossed and tag[0] not in "IE":
            lines.append("")
        lines.append(f"{note.text[start:end]} {tag}")
    try:
        again = _parse(note.id, list(enumerate(lines, start=1)))
    except Broken:
        again = None
    require_same(note, again or Note(note.id, ""), "bioes" if bioes else "bio")
    return "\n".join(lines) + "\n\n"


def _note(identifier: str, rows: list[Row], text: str | None) -> Note:
    """Join tokens to a note; an empty token is the end of a sentence."""
    pieces, text = _place(rows, text)
    spans: list[tuple[int, int, str]] = []
    open_type = ""
    for (_, token, tag), (start, end) in zip(rows, pieces, strict=True):
        if not token:
            continue
        sign, _, entity_type = tag.partition("-")
        if sign in "IEL" and entity_type == open_type and spans:
            spans[-1] = (spans[-1][0], end, entity_type)
        elif entity_type:
            spans.append((start, end, entity_type))
        open_type = "" if sign in "OESLU" else entity_type
    return Note(identifier, text, tuple(Span(*span) for span in spans))


def _place(rows: list[Row], text: str | None) -> tuple[list[tuple[int, int]], str]:
    built = ""
    places: list[tuple[int, int]] = []
    position = 0
    for line, token, _ in rows:
        if text is not None:
            start = text.find(token, position)
            if start < 0 or text[position:start].strip():
                raise Broken(line, "the token is not the next one of the text")
        else:
            if not token:
                built = built.rstrip(" ") + "\n"
                places.append((len(built), len(built)))
                continue
            start = len(built)
            built += token + " "
        position = start + len(token)
        places.append((start, position))
    return places, text if text is not None else built.rstrip()


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the notes of a file; a note with a broken line is left out and named.

    :param path: The file.
    :param identifier: Its stem.
    :param texts: Not needed.
    """
    for lines in _notes(read_text(path).split("\n")):
        try:
            note = _parse(identifier, lines)
        except Broken as error:
            yield Problem(str(path), error.line, error.reason)
        else:
            if note is not None:
                yield note


def _notes(lines: list[str]) -> Iterator[list[tuple[int, str]]]:
    current: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith(("# id = ", "-DOCSTART-")):
            yield current
            current = []
        if not line.startswith("-DOCSTART-"):
            current.append((number, line.rstrip("\r")))
    yield current


def _parse(stem: str, lines: list[tuple[int, str]]) -> Note | None:
    rows: list[Row] = []
    text: str | None = None
    name = ""
    for number, line in lines:
        if line.startswith("# id = "):
            name = line.removeprefix("# id = ")
        elif line.startswith("# text = "):
            text = _text(line.removeprefix("# text = "), number)
        elif not line.strip():
            rows.append((number, "", "O"))
        else:
            rows.append((number, *_columns(line, number)))
    if text is None and not any(token for _, token, _ in rows):
        return None
    # Without ids, the line where a note begins tells the notes of a file apart.
    first = lines[0][0]
    return _note(name or (stem if first == 1 else f"{stem}-{first}"), rows, text)


def _columns(line: str, number: int) -> tuple[str, str]:
    columns = line.split()
    if len(columns) < 2:
        raise Broken(number, "a token without a tag")
    if not _TAG.fullmatch(columns[-1]):
        raise Broken(number, "the last column is no BIO or BIOES tag")
    return columns[0], columns[-1]


def _text(raw: str, number: int) -> str:
    try:
        text = json.loads(raw)
    except (ValueError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise Broken(number, "the text is not a JSON string")
    return text


def _writer(bioes: bool) -> Callable[[Iterable[Note], Path], list[str]]:
    def write(notes: Iterable[Note], path: Path) -> list[str]:
        problems: list[str] = []
        pairs = rendered(notes, lambda note: render(note, bioes), problems)
        write_file(path, (lines for _, lines in pairs))
        return problems

    return write


BIO = Format("bio", ".conll", read, _writer(bioes=False), per_note=False)
BIOES = Format("bioes", ".conll", read, _writer(bioes=True), per_note=False)
