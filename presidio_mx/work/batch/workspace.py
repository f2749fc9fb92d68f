"""The folder in which the files of a run grow, and the way from there to their places.

A run replaces and removes nothing that no run wrote: what grows lies in a folder of its
own beside the output, ``OUTPUT.presidio-mx``, which it makes itself and marks. A folder
of that name without the mark is left alone.
"""

import filecmp
import json
import os
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from glob import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, BinaryIO

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.private_file import name_part, open_private, write_private
from presidio_mx.text.reading.encoding import file_blocks
from presidio_mx.work.batch.files import beside, json_line, remove, share, sync_folder

VERSION = 3
_MARK = b"presidio-mx batch: what grows in this folder belongs to a run\n"
_LOCK, _STATE, _OLD = "lock", "state.json", "old"
OUTPUT = "output"
SIDE = ("numbers", "marks", "errors", "audit")


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
    :param made: Name of the complete output in the workspace; empty while it grows.
    :param replace: Whether what an earlier run wrote is replaced.
    """

    fingerprint: str
    source: str = ""
    rows: int = 0
    digest: str = ""
    positions: dict[str, int] = field(default_factory=dict)
    totals: dict[str, Any] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    made: str = ""
    replace: bool = False
    version: int = VERSION


class Workspace:
    """The folder of a run; a second run is kept away while this one lasts.

    :param output: The output beside which it stands.
    """

    def __init__(self, output: Path) -> None:
        """Touch nothing yet."""
        self.folder = beside(output, "presidio-mx")
        self._lock = self.folder / _LOCK
        self._state = self.folder / _STATE
        self._file: BinaryIO | None = None

    def path(self, name: str) -> Path:
        """Return where a file of the run grows."""
        return self.folder / name

    @property
    def interrupted(self) -> bool:
        """Whether the run of an earlier call is there."""
        return self._state.exists()

    def __enter__(self) -> "Workspace":
        """Make the folder if there is none, and lock it.

        :raises ConfigurationError: If another run has it, or no run made it.
        :raises InputError: If it cannot be made.
        """
        while self._file is None:
            self._make()
            self._file = self._locked()
        self._sweep()
        return self

    def __exit__(self, *_: object) -> None:
        """Give the lock back; without an interrupted run the folder goes, too."""
        assert self._file is not None
        try:
            idle = not self.interrupted and os.listdir(self.folder) == [_LOCK]
            if idle and self._holds(self._file):
                # Under another name first: no one sees the folder without its mark.
                gone = mkdtemp(prefix=f".{self.folder.name}.", dir=self.folder.parent)
                os.rename(self.folder, gone)
                os.unlink(os.path.join(gone, _LOCK))
                os.rmdir(gone)
        except OSError:
            pass  # it was taken away, or cannot be
        finally:
            self._file.close()

    def _make(self) -> None:
        if os.path.lexists(self.folder):
            return
        parent, made = self.folder.parent, None
        try:
            made = Path(mkdtemp(prefix=f".{self.folder.name}.", dir=parent))
            (made / _LOCK).write_bytes(_MARK)
        except OSError as error:
            if made is not None:
                with suppress(OSError):
                    remove(made)
            reason = error.strerror or "unreadable"
            raise InputError(
                f"{parent}: cannot be written ({reason}); mend it, or choose another "
                "folder for the output"
            ) from None
        try:
            os.rename(made, self.folder)
        except OSError:  # another run was faster
            remove(made)

    def _sweep(self) -> None:
        """Remove the marked and empty folders of runs that a power cut ended here."""
        for left in self.folder.parent.glob(f".{escape(self.folder.name)}.*"):
            with suppress(OSError):
                lock = left / _LOCK
                if os.listdir(left) == [_LOCK] and lock.read_bytes() == _MARK:
                    lock.unlink()
                    left.rmdir()

    def _locked(self) -> BinaryIO | None:
        """Return the locked file; None if another run has just taken it away."""
        try:
            found = self.folder.lstat()
            own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
            if not (stat.S_ISDIR(found.st_mode) and own) or self._lock.is_symlink():
                raise self._foreign()
            file = open(self._lock, "r+b")
        except FileNotFoundError:
            if os.path.lexists(self.folder) and not os.path.lexists(self._lock):
                raise self._foreign() from None
            return None
        if file.read(len(_MARK)) != _MARK:
            file.close()
            raise self._foreign()
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows: two runs are the user's care
            return file
        except OSError:
            file.close()
            raise ConfigurationError(
                f"{self.folder}: another run is writing this output; wait for its end"
            ) from None
        if self._holds(file):
            return file
        file.close()
        return None

    def _holds(self, file: BinaryIO) -> bool:
        """Tell whether a file is the lock that is there now."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(file.fileno()), self._lock.lstat())
        return False

    def _foreign(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self.folder}: was not made by a run, so that it is left as it is; "
            "choose another name for the output"
        )

    def clear(self) -> None:
        """Remove what a run left; the state goes last."""
        for path in sorted(self.folder.glob(f"{OUTPUT}*")):
            remove(path)
        for name in (*SIDE, _OLD, f"{_STATE}.new", _STATE):
            remove(self.path(name))
        sync_folder(self.folder)

    def save(self, state: State) -> None:
        """Write the state so that a reader sees the old or the new one."""
        new = self.path(f"{_STATE}.new")
        with open_private(new) as file:
            file.truncate()
            file.write(json_line(asdict(state)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self._state)
        sync_folder(self.folder)

    def load(self) -> State | None:
        """Return the state of an interrupted run, if there is one.

        :raises ConfigurationError: If it is not a state of this version.
        """
        try:
            data = json.loads(self._state.read_bytes())
            if isinstance(data, dict) and data.get("version") != VERSION:
                raise ConfigurationError(
                    f"{self.folder}: written by another version; begin anew with "
                    "--force"
                )
            return State(**data)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            if isinstance(error, ConfigurationError):
                raise
            raise ConfigurationError(
                f"{self._state}: not a state of an interrupted run; begin anew with "
                "--force"
            ) from None

    def put(self, name: str, target: Path, replace: bool) -> None:
        """Move what is complete into its place; may be repeated.

        :param name: Its name in this folder; what is not there was moved before.
        :param target: Its place.
        :param replace: Whether an earlier run's is replaced.
        :raises ConfigurationError: If something is there that is not to be replaced.
        """
        made = self.path(name)
        if not made.exists():
            return
        if made.is_dir():
            if os.path.lexists(target) and not replace:
                raise exists(target)
            if target.is_dir():
                target.rename(self.path(_OLD))
            made.rename(target)
        elif target.parent != self.folder.parent:  # perhaps on another disk
            if not _same(made, target):
                try:
                    write_private(target, file_blocks(made), replace=replace)
                except FileExistsError:
                    raise exists(target) from None
        elif replace:
            os.replace(made, target)
        else:
            try:
                name_part(made, target)
            except FileExistsError:
                if not _same(made, target):
                    raise exists(target) from None
        made.unlink(missing_ok=True)
        sync_folder(target.parent)

    def share(self, *names: str) -> None:
        """Give complete files the permissions that new ones have."""
        for name in names:
            share(self.path(name))


def exists(path: Path) -> ConfigurationError:
    """Return why nothing is written over something."""
    return ConfigurationError(
        f"{path}: exists already; choose another name, or --force to replace"
    )


def _same(made: Path, target: Path) -> bool:
    """Tell whether a file was put into its place before."""
    return target.is_file() and filecmp.cmp(made, target, shallow=False)
