"""The files of a folder: which are notes, which are of other kinds, which are none."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from mimetypes import MimeTypes
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.work.documents.endings import KINDS, REFUSED

# A workbook or a picture of a folder is not taken for a note unasked.
_APART = frozenset((".xlsx", ".png", ".jpg", ".jpeg", ".tif", ".tiff"))
READ = frozenset((".txt", ".md", *KINDS)) - _APART
# Endings that no part of a person's name is; any other is told as a number alone.
_TOLD = frozenset(MimeTypes(filenames=()).types_map[True]) | {
    *(".7z", ".accdb", ".dbf", ".dcm", ".heic", ".mdb", ".rar", ".sav", ".xlsm"),
    *(".xlsx", ".pptx", ".ods", ".dotx", ".gz", ".parquet"),
}
_NO_ENDING, _OTHER = "no ending", "other endings"


@dataclass(frozen=True)
class Listing:
    """What a folder holds.

    :param notes: Files that are notes, those that will be refused among them, in the
        order of their paths.
    :param others: Count of files of other kinds, by their ending.
    :param passed: Count of hidden files, locks of Word and links out of the folder.
    """

    notes: tuple[Path, ...]
    others: Mapping[str, int]
    passed: int


def list_folder(path: Path) -> Listing:
    """List a folder and its sub-folders.

    :param path: The folder.
    :raises InputError: If a folder cannot be listed.
    """
    notes: list[Path] = []
    others: Counter[str] = Counter()
    passed = 0
    for file in _files_in(path):
        if not is_inside(file, path):
            passed += 1
        elif file.suffix.lower() in READ | REFUSED.keys():
            notes.append(file)
        else:
            others[_told(file)] += 1
    notes.sort(key=lambda file: file.relative_to(path).as_posix())
    return Listing(tuple(notes), dict(sorted(others.items())), passed)


def is_inside(file: Path, folder: Path) -> bool:
    """Tell whether a file is the folder's own: not hidden, no lock, no link out of it.

    :param file: A file in the folder or below it.
    :param folder: The folder.
    """
    parts = file.relative_to(folder).parts
    if any(part.startswith((".", "~$")) for part in parts):
        return False
    return not file.is_symlink() or folder.resolve() in file.resolve().parents


def _told(file: Path) -> str:
    ending = file.suffix.lower()
    if not ending:
        return _NO_ENDING
    return ending if ending in _TOLD else _OTHER


def _files_in(path: Path) -> Iterator[Path]:
    """Yield all files of a folder; one that cannot be listed is an error."""

    def refuse(error: OSError) -> None:
        reason = error.strerror or "unreadable"
        raise InputError(f"{error.filename}: {reason}; nothing was read")

    for folder, _, names in os.walk(path, onerror=refuse):
        for name in names:
            file = Path(folder, name)
            if file.is_file():
                yield file
