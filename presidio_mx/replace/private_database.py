"""SQLite databases for one user alone, never through links."""

import os
import secrets
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.private_file import create_private

# Another writer has it for milliseconds; rotation of a large vault takes longer.
_WAIT_SECONDS = 60.0


def connect_private(path: Path, *, make: bool = False) -> sqlite3.Connection:
    """Connect to a database; transactions are the caller's.

    Readers too get the right to write: after a crash it is the next one who takes back
    what was half written. Where the system gives none, SQLite opens it for reading.

    :param path: The database.
    :param make: Make an empty one, for its owner alone, if there is none.
    :return: The connection.
    :raises ConfigurationError: If a link or something else stands in its place.
    :raises OSError: If there is none, or it cannot be made.
    :raises sqlite3.Error: If it cannot be opened.
    """
    if make and not os.path.lexists(path):
        _make(path)
    check_ordinary(path)
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=_WAIT_SECONDS,
        isolation_level=None,
    )


def _make(path: Path) -> None:
    """Make an empty file, for its owner alone, if there is none.

    It gets its name when it is closed: to close a file that SQLite has open in another
    thread would end that thread's lock (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    made = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
    try:
        create_private(made).close()
        try:
            os.link(made, path)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            with suppress(FileExistsError):
                create_private(path).close()
    finally:
        made.unlink(missing_ok=True)


def check_ordinary(path: Path) -> None:
    """Refuse a link and whatever else is no ordinary file.

    :param path: The database.
    :raises ConfigurationError: If it is one.
    :raises OSError: If there is nothing.
    """
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode):
        raise ConfigurationError(
            f"vault {path} is a link or no ordinary file; a vault is not written "
            "through links: name the file itself"
        )
