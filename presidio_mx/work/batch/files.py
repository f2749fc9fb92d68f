"""Files that grow, can be cut back to what they were, and are made durable."""

import hashlib
import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from presidio_mx.errors import InputError
from presidio_mx.private_file import open_private
from presidio_mx.text.reading.encoding import file_blocks

DIGITS = 16


def beside(output: Path, ending: str) -> Path:
    """Return the path of a companion file: ``a.csv`` to ``a.csv.audit.jsonl``.

    :param output: The output.
    :param ending: E.g. ``audit.jsonl``.
    """
    return output.with_name(f"{output.name}.{ending}")


class AppendFile:
    """A file that grows, and can be cut back to a length it had before.

    Only the user may read it while it grows.

    :param path: Path of the file.
    """

    def __init__(self, path: Path) -> None:
        """Remember the path; nothing is opened yet."""
        self.path = path
        self._file: BinaryIO | None = None

    def open(self, position: int) -> None:
        """Open the file and cut off all after a position.

        :param position: Length in bytes that is sure to be good.
        :raises InputError: If the file is shorter than that.
        """
        self._file = open_private(self.path)
        length = self._file.seek(0, os.SEEK_END)
        if length < position:
            self._file.close()
            raise InputError(
                f"{self.path}: {length} bytes are there and {position} were written; "
                "the interrupted run cannot go on; begin anew with --force"
            )
        self._file.seek(position)
        self._file.truncate()

    def write(self, data: bytes) -> None:
        """Append bytes."""
        assert self._file is not None
        self._file.write(data)

    def sync(self) -> int:
        """Put everything on the disk; return the length in bytes."""
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with suppress(OSError):  # what was not synced does not count
                self._file.close()


def json_line(record: dict[str, Any]) -> bytes:
    """Return a record as a line of JSON in UTF-8; lone surrogates are escaped."""
    try:
        text = json.dumps(record, ensure_ascii=False)
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(record).encode("ascii") + b"\n"


def sync_file(path: Path) -> None:
    """Put the content of a file on the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Put the names in a folder on the disk, where the system can."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file or folder, if it is there; of a link the link alone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def share(path: Path) -> None:
    """Give a file or folder the permissions that new ones have."""
    mask = os.umask(0o077)
    os.umask(mask)
    if path.exists():
        path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)


def is_inside(file: Path, folder: Path) -> bool:
    """Tell whether a file is the folder's own: not hidden, no lock, no link out of it.

    :param file: A file in the folder or below it.
    :param folder: The folder.
    """
    parts = file.relative_to(folder).parts
    if any(part.startswith((".", "~$")) for part in parts):
        return False
    return not file.is_symlink() or folder.resolve() in file.resolve().parents


def digest_of(path: Path, *, own: bool = False) -> str:
    """Return 16 hexadecimal digits of a digest of a file, or of all in a folder.

    Whatever is added to a folder, removed, renamed or changed changes the digest.

    :param path: The file or folder.
    :param own: Pass over what :func:`is_inside` does.
    :raises InputError: If a file cannot be read.
    """
    digest = hashlib.blake2b(digest_size=DIGITS // 2)
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if own and file != path and not (file.is_file() and is_inside(file, path)):
            continue
        name = os.fsencode(file.relative_to(path)) + b"@" * file.is_symlink()
        digest.update(b"%d:" % len(name) + name)
        size = 0
        for block in file_blocks(file) if file.is_file() else ():
            digest.update(block)
            size += len(block)
        digest.update(b"%d:" % size)
    return digest.hexdigest()
