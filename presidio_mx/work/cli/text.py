"""What the commands share: how they read notes, write and show."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from presidio_mx.messages import localized
from presidio_mx.messages import say as say
from presidio_mx.messages import speaks_spanish as speaks_spanish


def tell(text: str) -> None:
    """Write a line to standard error at once, for whoever waits for it.

    :param text: The line.
    """
    typer.echo(text, err=True)
    sys.stderr.flush()


def tell_problems(problems: Iterable[object]) -> None:
    """Write problems to standard error, a line each, in the session's language."""
    for problem in problems:
        tell(localized(str(problem)))


def read_note(file: str, encoding: str | None = None) -> str:
    """Read a note from a file or standard input; tell what is not plain UTF-8.

    :param file: A path, or ``-``.
    :param encoding: Its encoding, if the user said it.
    :return: The text, line ends as they are.
    :raises InputError: If the file cannot be read or is no text.
    :raises ConfigurationError: If there is no such encoding.
    """
    from presidio_mx.text.reading import note as notes
    from presidio_mx.text.reading.encoding import named_encoding

    named = None if encoding is None else named_encoding(encoding)
    if file == "-" and sys.stdin.isatty():
        tell(
            say(
                "presidio-mx: type or paste the note; end it with Ctrl+D (Windows: "
                "Ctrl+Z and Enter)",
                "presidio-mx: escriba o pegue la nota; termine con Ctrl+D (Windows: "
                "Ctrl+Z y Entrar)",
            )
        )
    note = notes.read_note(file, named)
    name = "standard input" if file == "-" else file
    read_as = note.encoding
    plain = read_as.name.startswith("utf-8") and not read_as.by_words
    if named is None and not plain:
        tell(
            say(
                f"presidio-mx: {name} is not UTF-8; read as {read_as}",
                f"presidio-mx: {name} no es UTF-8; se lee como {read_as}",
            )
        )
    if note.mended:
        how = ", ".join(note.mended)
        tell(
            say(
                f"presidio-mx: {name}: letters were mended ({how})",
                f"presidio-mx: {name}: se repararon letras ({how})",
            )
        )
    return note.text


def write_text(text: str, output: Path | None) -> None:
    """Write a note as UTF-8 to standard output, or to a new file.

    :param text: The note; lone surrogates pass.
    :param output: As :func:`write_data` takes it.
    :raises ConfigurationError: If the file exists or cannot be written.
    """
    write_data(text.encode("utf-8", "surrogatepass"), output)


def write_data(data: bytes, output: Path | None) -> None:
    """Write to standard output, or to a new file that only its owner may read.

    :param data: What to write.
    :param output: The file; it is never overwritten.
    :raises ConfigurationError: If it exists or cannot be written.
    """
    with ready(data, output):
        pass


@contextmanager
def ready(data: bytes, output: Path | None) -> Iterator[None]:
    """Have what is written lie beside its place, and put it there at the end.

    What must not happen without the output, such as the record of a vault, stands in
    the block: it is not reached where the output cannot be written.

    :param data: What to write.
    :param output: As :func:`write_data` takes it.
    :raises ConfigurationError: If the file exists or cannot be written.
    """
    from presidio_mx.private_file import name_part, write_part

    if output is None:
        yield
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with _told(output):
        if output.exists() and not output.is_symlink():
            raise FileExistsError
        part = write_part(output, [data])
    try:
        yield
        with _told(output):
            name_part(part, output)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _told(output: Path) -> Iterator[None]:
    """Say in one sentence why a file cannot be written."""
    from presidio_mx.errors import ConfigurationError

    try:
        yield
    except FileExistsError:
        raise ConfigurationError(f"{output} exists; it is not overwritten") from None
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise ConfigurationError(f"{output}: {reason}") from None


def print_rows(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows: as a table on a terminal, separated by tabs elsewhere, nothing cut.

    :param columns: Names of the columns.
    :param rows: Column to value.
    """
    lines = [[str(row.get(column, "")) for column in columns] for row in rows]
    if not sys.stdout.isatty():
        for line in [list(columns), *lines]:
            typer.echo("\t".join(" ".join(cell.split()) for cell in line))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    for line in lines:
        table.add_row(*map(Text, line))
    Console().print(table)
