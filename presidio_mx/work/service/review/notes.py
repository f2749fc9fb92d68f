"""The notes that are to be reviewed, as they lie in a folder or a file."""

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import find_encoding


def read_notes(source: Path) -> dict[str, str]:
    """Read the notes to review.

    :param source: A folder with ``*.txt``, or a JSONL file with ``id`` and ``text``.
    :return: Text by identifier, in order.
    :raises InputError: Naming the file or row and what is wrong.
    """
    if source.is_dir():
        return _read_folder(source)
    if source.suffix not in (".jsonl", ".ndjson"):
        raise InputError(f"{source}: give a folder of .txt files or a .jsonl file")
    notes: dict[str, str] = {}
    for number, note, text in _rows(source):
        if note in notes:
            raise InputError(f"{source}, row {number}: the id is not unique")
        if _is_broken(note):
            raise InputError(f"{source}, row {number}: the id holds half a character")
        notes[note] = text
    if not notes:
        raise InputError(f"{source}: the file holds no notes")
    return notes


def warn_of_others(source: Path, out: Path) -> None:
    """Warn of what a folder holds beside the notes to review.

    :param source: As :func:`read_notes` takes it.
    :param out: Folder of the review, which may lie in it.
    """
    if not source.is_dir():
        return
    beside = [path for path in _listed(source) if path.resolve() != out.resolve()]
    folders = sum(path.is_dir() for path in beside)
    files = sum(not path.is_dir() and not _is_note(path) for path in beside)
    if folders or files:
        warnings.warn(
            f"{source}: subfolders ({folders}) and files that are no .txt ({files}) "
            "are no part of the review",
            stacklevel=2,
        )


def _listed(folder: Path) -> list[Path]:
    """Return what people put into a folder."""
    # Programs leave files such as "._a.txt" and "~$a.txt".
    return sorted(p for p in folder.iterdir() if not p.name.startswith((".", "~$")))


def _is_note(path: Path) -> bool:
    return path.suffix.lower() == ".txt" and not path.is_dir()


def _read_folder(folder: Path) -> dict[str, str]:
    notes: dict[str, str] = {}
    for path in filter(_is_note, _listed(folder)):
        if _is_broken(path.stem):
            raise InputError(f"{path}: its name is not UTF-8; rename it")
        if path.stem in notes:
            raise InputError(f"{path}: another note has this name; rename one")
        notes[path.stem] = _read_text(path)
    if not notes:
        raise InputError(f"{folder}: there are no .txt files in this folder")
    return notes


def _is_broken(name: str) -> bool:
    """Tell whether a name holds half a character: no file can be named so."""
    return any("\ud800" <= letter <= "\udfff" for letter in name)


def _read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'unreadable'}") from None
    return find_encoding([data], str(path)).decode(data)


def _rows(source: Path) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(_read_text(source).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            note, text = row["id"], row["text"]
        except (ValueError, KeyError, TypeError, RecursionError):
            note, text = None, None
        if not isinstance(text, str) or not isinstance(note, str | int):
            raise InputError(
                f"{source}, row {number}: not an object with an id and a text"
            )
        yield number, str(note), text
