"""Write beside the output, remember how far it got, move it into place at the end."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from presidio_mx.errors import ConfigurationError, InputError

VERSION = 1


def sync_folder(path: Path) -> None:
    """Put the names in a folder on the disk, where the system can.

    :param path: The folder.
    """
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def beside(output: Path, ending: str) -> Path:
    """Return the path of a companion file: ``notas.csv`` to ``notas.audit.jsonl``.

    :param output: The output.
    :param ending: E.g. ``audit.jsonl``.
    :return: The path.
    """
    return output.with_name(f"{output.stem}.{ending}")


def partial(path: Path) -> Path:
    """Return the path of what is not yet complete."""
    return path.with_name(path.name + ".partial")


class AppendFile:
    """A file that grows, and can be cut back to a length it had before.

    :param path: Path of the file.
    :param private: Whether only the user may read it.
    """

    def __init__(self, path: Path, private: bool = False) -> None:
        """Remember the path; nothing is opened yet."""
        self.path = path
        self._mode = 0o600 if private else 0o666
        self._file: BinaryIO | None = None

    def open(self, position: int) -> None:
        """Open the file and cut off what comes behind a position.

        :param position: Length in bytes that is sure to be good.
        :raises InputError: If the file is shorter than that.
        """
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self.path, flags, self._mode), "r+b")
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
        """Append bytes.

        :param data: The bytes.
        """
        assert self._file is not None
        self._file.write(data)

    def sync(self) -> int:
        """Put everything on the disk.

        :return: Length in bytes.
        """
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


@dataclass
class State:
    """How far a run got; holds nothing of any note.

    :param fingerprint: Of options, profile, rules and versions.
    :param rows: Input rows that are done.
    :param digest: Running digest of the rows read.
    :param positions: Length of output, errors, audit and numbers.
    :param totals: Sums for the summary.
    :param models: Hashes of the models.
    :param complete: Whether only the moving into place is left to do.
    """

    fingerprint: str
    rows: int = 0
    digest: str = ""
    positions: dict[str, int] = field(default_factory=dict)
    totals: dict[str, Any] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    complete: bool = False
    version: int = VERSION

    def save(self, path: Path) -> None:
        """Write the state so that a reader sees the old or the new one.

        :param path: The state file.
        """
        new = path.with_name(path.name + ".new")
        with open(new, "wb") as file:
            file.write(json_line(asdict(self)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
        sync_folder(path.parent)

    @classmethod
    def load(cls, path: Path) -> "State | None":
        """Read a state.

        :param path: The state file.
        :return: The state; None if there is no file.
        :raises ConfigurationError: If it is not a state of this version.
        """
        try:
            data = json.loads(path.read_bytes())
            state = cls(**data)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            raise ConfigurationError(
                f"{path}: not a state of an interrupted run; begin anew with --force"
            ) from None
        if state.version != VERSION:
            raise ConfigurationError(
                f"{path}: written by another version; begin anew with --force"
            )
        return state


class Lock:
    """Keep a second run away from the same output; ends with the process.

    :param path: The lock file.
    """

    def __init__(self, path: Path) -> None:
        """Remember the path."""
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> "Lock":
        """Take the lock.

        :raises ConfigurationError: If another run has it.
        """
        self._file = open(self._path, "ab")
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no such locks on Windows: two runs are the user's care
            pass
        except OSError:
            self._file.close()
            raise ConfigurationError(
                f"{self._path}: another run is writing this output; wait for its end"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
        """Give the lock back."""
        assert self._file is not None
        with suppress(OSError):
            self._path.unlink()
        self._file.close()
