"""The journal of decisions: lines are only added, and each is on disk at once."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from presidio_mx.errors import InputError
from presidio_mx.private_file import open_private, private_folder
from presidio_mx.work.service.review.marks import Event, from_json, to_json


class Journal:
    """An append-only file with one decision a line.

    A line that a killed process left half-written was never confirmed to the page; it
    is cut off when the journal is opened again.

    :param path: The file; made if it does not exist.
    :raises InputError: If another process has it open, or a line cannot be read.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, read what it holds, and keep others from writing."""
        private_folder(path.parent)
        self._path = path
        self._file = open_private(path, append=True)
        _lock(self._file, path)
        self.events: list[Event] = self._read()

    def _read(self) -> list[Event]:
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self._file.truncate(whole)
        events = []
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                events.append(from_json(json.loads(line)))
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{self._path}, line {number}: not a decision; restore the file "
                    "or review under another name"
                ) from None
        return events

    def append(self, event: Event) -> None:
        """Write a decision; it is on disk when this returns.

        :param event: The decision.
        :raises InputError: If it cannot be kept; the journal stays as it was.
        """
        line = json.dumps(to_json(event), ensure_ascii=True, separators=(",", ":"))
        descriptor = self._file.fileno()
        before = os.fstat(descriptor).st_size
        try:
            left = memoryview(line.encode() + b"\n")
            while left:  # past the buffer, which would write it later on
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(descriptor, before)
            why = error.strerror or "it cannot be written"
            raise InputError(
                f"{self._path}: {why}; this decision was not kept, the others are"
            ) from None
        self.events.append(event)

    def close(self) -> None:
        """Close the file and let others write."""
        self._file.close()


def read_journal(path: Path) -> list[Event]:
    """Read another reviewer's decisions, who may be at work.

    :param path: The file.
    :return: Its whole lines.
    :raises InputError: If a line cannot be read.
    """
    data = path.read_bytes()
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    try:
        return [from_json(json.loads(line)) for line in lines]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: a line is not a decision") from None


def _lock(file: BinaryIO, path: Path) -> None:
    """Refuse a journal that another process writes, where the system can tell."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError(
            f"{path}: this reviewer's page is already open; close it or give another "
            "--reviewer"
        ) from None
