"""What the commands share: the language they speak, and how they read a note."""

import locale
import os
import sys
from pathlib import Path

import typer

from presidio_mx.errors import InputError


def speaks_spanish() -> bool:
    """Tell whether the user's environment asks for Spanish."""
    for name in ("PRESIDIO_MX_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value.lower().startswith("es")
    return (locale.getlocale()[0] or "").lower().startswith(("es", "spanish"))


def say(english: str, spanish: str) -> str:
    """Return the text in the user's language."""
    return spanish if speaks_spanish() else english


def read_note(file: str) -> str:
    """Read a note from a file or standard input.

    :param file: A path, or ``-``.
    :return: The text, line ends as they are.
    :raises InputError: If the file cannot be read.
    """
    if file == "-":
        return decode(sys.stdin.buffer.read(), "standard input")
    try:
        return decode(Path(file).read_bytes(), file)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(f"{file}: {reason}") from None


def decode(data: bytes, name: str) -> str:
    """Decode a note: UTF-8, or else Windows Latin-1, and say so.

    :param data: The bytes.
    :param name: What to call the source in messages.
    :return: The text.
    :raises InputError: If the bytes are UTF-16 or hold no text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name}: UTF-16 is not supported; save it as UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        typer.echo(
            say(
                f"presidio-mx: {name} is not UTF-8; read as Latin-1 (Windows-1252)",
                f"presidio-mx: {name} no es UTF-8; se lee como Latin-1 (Windows-1252)",
            ),
            err=True,
        )
        return data.decode("cp1252", errors="replace")
