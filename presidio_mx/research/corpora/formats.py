"""What a corpus format is, and the helpers all formats share."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from presidio_mx.errors import InputError
from presidio_mx.private_file import create_private
from presidio_mx.text.reading.encoding import find_encoding
from presidio_mx.text.spans import Note, Span

Texts = Mapping[str, str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a corpus that could not be read; never quotes a text.

    :param file: The file.
    :param line: Line in it, from 1; 0 where the whole file is meant.
    :param reason: What is wrong, in a few words.
    """

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """Return file, line and reason as one sentence."""
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.reason}"


class Broken(Exception):  # noqa: N818 - a place in a file, not an error of users
    """A line that cannot be read; the reader of the corpus makes it a problem.

    :param line: Line, from 1; 0 for the whole file.
    :param reason: What is wrong.
    """

    def __init__(self, line: int, reason: str) -> None:
        """Keep the place and the reason."""
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Format:
    """A corpus format.

    :param name: Its name on the command line.
    :param suffix: Ending of its files; readers of folders take these.
    :param read: Yields the notes and problems of one file; the mapping gives texts
        that lie outside the file, by the note's id.
    :param write: Writes notes to a new folder (one file a note) or a new file, and
        returns a sentence for each note that could not be written.
    :param per_note: Whether each note is a file of its own.
    :param beside: Ending of the texts, where they lie beside the annotations.
    """

    name: str
    suffix: str
    read: Callable[[Path, str, Texts], Iterator[Note | Problem]]
    write: Callable[[Iterable[Note], Path], list[str]]
    per_note: bool
    beside: str = ""


def read_text(path: Path) -> str:
    """Read a file with its line ends as they are, in any encoding of a note.

    :param path: The file.
    :return: Its text; the mark of UTF-8 stays, since offsets count it.
    :raises Broken: If its encoding is not clear.
    """
    data = path.read_bytes()
    line, text = 0, None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    if text is not None and "\x00" not in text:
        return text
    # NULs are UTF-16 without its mark, or what somebody put between letters.
    try:
        return find_encoding([data], path.name).decode(data)
    except InputError:
        if text is not None:
            return text
        raise Broken(line, "not UTF-8; save the file as UTF-8") from None


def read_json(path: Path) -> Any:
    """Read a file of JSON.

    :param path: The file.
    :return: What it holds.
    :raises Broken: If it is not JSON, or no program could have written it.
    """
    text = read_text(path).removeprefix("\ufeff")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Broken(error.lineno, "not JSON") from None
    except (ValueError, RecursionError):  # digits or brackets by the thousand
        raise Broken(0, "not JSON") from None


def make_span(
    text: str,
    start: object,
    end: object,
    entity_type: object,
    line: int = 0,
    role: object = None,
    score: object = None,
    recognizer: object = None,
) -> Span:
    """Check what a file says of a span.

    :param text: The note's text.
    :param start: First offset as read.
    :param end: Offset after the last as read.
    :param entity_type: Type as read.
    :param line: Line to name in an error.
    :param role: Role as read.
    :param score: Score as read.
    :param recognizer: Recognizer as read.
    :return: The span.
    :raises Broken: If it is no span of the text.
    """
    if not isinstance(start, int) or not isinstance(end, int):
        raise Broken(line, "start and end of a span must be whole numbers")
    if not 0 <= start < end <= len(text):
        raise Broken(
            line, f"span {start} to {end} is not within the {len(text)} characters"
        )
    if not isinstance(entity_type, str) or not entity_type.strip():
        raise Broken(line, "a span has no entity type")
    if score is not None and not isinstance(score, (int, float)):
        raise Broken(line, "the score of a span must be a number")
    return Span(
        start,
        end,
        entity_type,
        role if isinstance(role, str) and role else None,
        None if score is None else float(score),
        recognizer if isinstance(recognizer, str) and recognizer else None,
    )


def file_name(note: Note) -> Path:
    """Return the path of a note below a corpus folder, without ending.

    :param note: The note; its id may hold ``/`` for sub-folders.
    :return: A relative path.
    :raises InputError: If the id cannot be a file name.
    """
    parts = note.id.split("/")
    harmless = all(part.strip(". ") and part == part.strip() for part in parts)
    # Systems take names of 255 bytes; endings come to them.
    short = all(len(part.encode("utf-8", "replace")) <= 240 for part in parts)
    if not (harmless and short) or any(_is_no_letter(c) for c in note.id):
        raise InputError(f"the note id {note.id!r} cannot be a file name; rename it")
    return Path(*parts)


def _is_no_letter(sign: str) -> bool:
    """Tell whether a sign cannot stand in the name of a file."""
    return sign in '\\:*?"<>|' or sign < " " or "\ud800" <= sign <= "\udfff"


def write_new(path: Path, text: str, name: str) -> None:
    """Write a new file in UTF-8 that only its owner may read; never overwrites.

    :param path: The file.
    :param text: Its text.
    :param name: What to call it in an error.
    :raises InputError: If the file exists or the text is no Unicode.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"note {name} holds half a character; repair it") from None
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with create_private(path) as file:
            file.write(data)
    except FileExistsError:
        raise InputError(f"{path} exists; it is not overwritten") from None


def rendered(
    notes: Iterable[Note], render: Callable[[Note], T], problems: list[str]
) -> Iterator[tuple[Note, T]]:
    """Render note after note; one that cannot be is reported, the others go on.

    :param notes: The notes.
    :param render: Renders one, or raises an input error.
    :param problems: Takes the sentences.
    :return: Pairs of a note and what became of it.
    """
    for note in notes:
        try:
            yield note, render(note)
        except InputError as error:
            problems.append(str(error))


def write_folder(
    notes: Iterable[Note], folder: Path, render: Callable[[Note], dict[str, str]]
) -> list[str]:
    """Write one or more files for each note.

    :param notes: The notes.
    :param folder: Where; existing files are not overwritten.
    :param render: Gives the texts of a note's files by their ending.
    :return: A sentence for each note that could not be written.
    """
    problems: list[str] = []
    for note, texts in rendered(notes, render, problems):
        try:
            target = folder / file_name(note)
            for suffix, text in texts.items():
                write_new(target.with_name(target.name + suffix), text, note.id)
        except InputError as error:
            problems.append(str(error))
    return problems


def require_same(note: Note, again: Note, form: str) -> None:
    """Hold a writer to its promise that every span survives.

    :param note: The note to write.
    :param again: What a reader makes of what was written.
    :param form: The format, for the error.
    :raises InputError: If text or spans differ.
    """

    def key(one: Note) -> tuple[str, list[tuple[int, int, str]]]:
        return one.text, sorted((s.start, s.end, s.entity_type) for s in one.spans)

    if key(note) != key(again):
        raise InputError(
            f"note {note.id} cannot be written as {form} without loss (overlapping "
            f"spans, spans that begin or end with white space, or the format's own "
            f"signs in the text); use jsonl"
        )
