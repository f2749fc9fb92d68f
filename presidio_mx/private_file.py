"""Files that hold originals: only their owner may read them, and no link leads astray.

A file is made with mode 0600 whatever the umask is, and opened with ``O_NOFOLLOW``: who
may write into the folder cannot have originals written somewhere else by a symbolic or
hard link planted under the name of a file to come.
"""

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from presidio_mx.errors import InputError

MODE = 0o600
_FOLDER_MODE = 0o700
_OTHERS = stat.S_IRWXO
# Windows knows neither; its links need rights of an administrator.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def _refuse_link(path: Path) -> InputError:
    return InputError(
        f"{path} is a link to another place; originals are not written through links: "
        "remove it or choose another name"
    )


def _open(path: Path, flags: int) -> int:
    if path.is_symlink():
        raise _refuse_link(path)
    try:
        return os.open(path, flags | _FLAGS, MODE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _refuse_link(path) from None
        raise


def create_private(path: Path) -> BinaryIO:
    """Create a file that must not exist yet.

    :param path: The file.
    :return: The file, open for writing.
    :raises InputError: If a symbolic link stands in its place.
    :raises FileExistsError: If it exists.
    :raises OSError: If it cannot be made.
    """
    return os.fdopen(_open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb")


def open_private(path: Path, *, append: bool = False) -> BinaryIO:
    """Open a file for reading and writing; make it if there is none.

    A file of an earlier run that others may read is closed to them.

    :param path: The file.
    :param append: Write at the end, wherever the position is.
    :return: The file, at its beginning.
    :raises InputError: If it is a link, no file, or belongs to somebody else.
    :raises OSError: If it cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | (os.O_APPEND if append else 0)
    descriptor = _open(path, flags)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path} is not an ordinary file; choose another name")
        if found.st_nlink > 1:
            raise _refuse_link(path)
        _make_own(descriptor, found, path)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "r+b")


def _make_own(descriptor: int, found: os.stat_result, path: Path) -> None:
    if not hasattr(os, "geteuid"):  # Windows has other rights
        return
    if found.st_uid != os.geteuid():
        raise InputError(f"{path} belongs to another user; choose another name")
    if stat.S_IMODE(found.st_mode) & ~MODE:
        os.fchmod(descriptor, MODE)


def write_private(path: Path, pieces: Iterable[bytes], *, replace: bool = True) -> None:
    """Write a file so that it is there whole or not at all.

    :param path: The file.
    :param pieces: Its content.
    :param replace: Replace an existing file; else it is refused.
    :raises InputError: If a symbolic link stands in its place.
    :raises FileExistsError: If it exists and is not to be replaced.
    :raises OSError: If it cannot be written.
    """
    part = write_part(path, pieces)
    try:
        if replace:
            os.replace(part, path)
        else:
            name_part(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_part(path: Path, pieces: Iterable[bytes]) -> Path:
    """Write a file under the name that it has until it is whole.

    :param path: The file.
    :param pieces: Its content.
    :return: What was written; whoever asked for it names or removes it.
    :raises InputError: If a symbolic link stands in its place, or it names no file.
    :raises OSError: If it cannot be written; nothing is left then.
    """
    if path.is_symlink():
        raise _refuse_link(path)
    if not path.name:  # "." or "/"
        raise InputError(f"{path} is not an ordinary file; choose another name")
    part = path.with_name(path.name + ".part")
    with suppress(FileNotFoundError):
        part.unlink()
    try:
        with create_private(part) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def name_part(part: Path, path: Path) -> None:
    """Give a file its name; fail if the name is taken, even since a moment.

    :param part: What :func:`write_part` wrote.
    :param path: The name.
    :raises FileExistsError: If it is taken.
    """
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "exists", str(path)) from None
        os.replace(part, path)


def private_folder(path: Path) -> Path:
    """Make a folder for files that hold originals, if there is none.

    :param path: The folder; the one it lies in must exist.
    :return: The same path.
    :raises InputError: If a link or a file stands in its place.
    :raises OSError: If it cannot be made.
    """
    with suppress(FileExistsError):
        path.mkdir(mode=_FOLDER_MODE)
    if path.is_symlink():
        raise _refuse_link(path)
    if not path.is_dir():
        raise InputError(f"{path} is not a folder; choose another name")
    return path


def open_to_others(path: Path) -> bool:
    """Tell whether every user of this machine may read or write a file.

    :param path: The file; links are followed.
    :return: True if so; False where the system does not know such rights.
    """
    return os.name == "posix" and bool(path.stat().st_mode & _OTHERS)
