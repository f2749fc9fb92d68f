"""What the commands share: the language they speak, and how they read a note."""

import locale
import os
import sys

import typer


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


def tell(text: str) -> None:
    """Write a line to standard error at once, for whoever waits for it.

    :param text: The line.
    """
    typer.echo(text, err=True)
    sys.stderr.flush()


def read_note(file: str, encoding: str | None = None) -> str:
    """Read a note from a file or standard input; tell what is not plain UTF-8.

    :param file: A path, or ``-``.
    :param encoding: Its encoding, if the user said it.
    :return: The text, line ends as they are.
    :raises InputError: If the file cannot be read or is no text.
    :raises ConfigurationError: If there is no such encoding.
    """
    from presidio_mx.reading import note as notes
    from presidio_mx.reading.encoding import named_encoding

    named = None if encoding is None else named_encoding(encoding)
    note = notes.read_note(file, named)
    name = "standard input" if file == "-" else file
    if named is None and not note.encoding.name.startswith("utf-8"):
        read_as = note.encoding
        typer.echo(
            say(
                f"presidio-mx: {name} is not UTF-8; read as {read_as}",
                f"presidio-mx: {name} no es UTF-8; se lee como {read_as}",
            ),
            err=True,
        )
    if note.mended:
        how = ", ".join(note.mended)
        typer.echo(
            say(
                f"presidio-mx: {name}: letters were mended ({how})",
                f"presidio-mx: {name}: se repararon letras ({how})",
            ),
            err=True,
        )
    return note.text
