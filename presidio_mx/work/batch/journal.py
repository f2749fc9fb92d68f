"""Remember how far a run got, and keep a second run away from its output."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.private_file import open_private
from presidio_mx.work.batch.files import json_line, sync_folder

VERSION = 2


@dataclass
class State:
    """How far a run got; holds nothing of any note.

    :param fingerprint: Of options, profile, rules and versions.
    :param source: Hash of the input; empty for standard input.
    :param rows: Input rows that are done.
    :param digest: Running digest of the rows read.
    :param positions: Length of output, errors, audit and numbers.
    :param totals: Sums for the summary.
    :param models: Hashes of the models.
    :param complete: Whether only the moving into place is left to do.
    """

    fingerprint: str
    source: str = ""
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
        with open_private(new) as file:
            file.truncate()
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
        :raises InputError: If its folder cannot be written.
        """
        while True:
            self._file = self._opened()
            try:
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except ImportError:  # Windows: two runs are the user's care
                return self
            except OSError:
                self._file.close()
                raise ConfigurationError(
                    f"{self._path}: another run is writing this output; wait for its "
                    "end"
                ) from None
            if self._is_there():
                return self
            self._file.close()  # the run that had it took the file away

    def _opened(self) -> BinaryIO:
        """Open the lock; whoever cannot is told of its folder, which he knows."""
        try:
            return open_private(self._path, append=True)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError(
                f"{self._path.parent}: cannot be written ({reason}); mend it, or "
                "choose another folder for the output"
            ) from None

    def _is_there(self) -> bool:
        """Tell whether the file that is locked is still the one of that name."""
        assert self._file is not None
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.lstat())
        return False

    def __exit__(self, *_: object) -> None:
        """Give the lock back."""
        assert self._file is not None
        try:
            with suppress(OSError):
                self._path.unlink()
        finally:
            self._file.close()
