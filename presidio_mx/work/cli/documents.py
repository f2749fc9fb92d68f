"""``presidio-mx anonymize`` on a file that is no plain text."""

from collections import Counter
from pathlib import Path
from typing import Any

import typer

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.cli.text import say, write_data
from presidio_mx.work.documents.endings import written_as
from presidio_mx.work.documents.opened import Dropped

# What a terminal can show; the rest needs a file.
_BINARY = frozenset({".docx"})


def anonymize_document(
    file: str, output: Path | None, vault: Path | None, **options: Any
) -> None:
    """De-identify a file and write it; say what the new one lacks.

    :param file: Its path.
    :param output: The file to write, which must not exist; standard output by default.
    :param vault: Refused: a vault restores plain text.
    :param options: As :func:`deidentify.deidentify_file` takes them.
    :raises PresidioMxError: If it cannot be read or written.
    """
    from presidio_mx.work.documents.deidentify import deidentify_file

    if vault is not None:
        raise ConfigurationError(
            f"--vault: restores plain text alone; take the text out of {file} first"
        )
    suffix = written_as(file)
    if output is None and suffix in _BINARY:
        raise ConfigurationError(
            f"{file}: name the file to write, e.g. --output new{suffix}"
        )
    if output is not None and output.suffix.lower() != suffix:
        raise ConfigurationError(
            f"{output}: what becomes of {Path(file).suffix} is {suffix}; name it so"
        )
    new = deidentify_file(file, **options)
    for sentence in said(file, suffix, new.dropped):
        typer.echo(f"presidio-mx: {sentence}", err=True)
    write_data(new.data, output)


def said(file: str, suffix: str, dropped: Counter[Dropped]) -> list[str]:
    """Return what the user should know of the new file.

    :param file: The old one.
    :param suffix: Ending of the new one.
    :param dropped: What it lacks.
    """
    sentences = []
    if suffix != Path(file).suffix.lower():
        sentences.append(
            say(f"{file}: becomes plain text", f"{file}: se convierte en texto simple")
        )
    if dropped:
        names = [
            say(*what.value) + (f" ({number})" if number else "")
            for what, number in dropped.items()
        ]
        listed = ", ".join(names)
        sentences.append(
            say(f"{file}: left out: {listed}", f"{file}: se omite: {listed}")
        )
    return sentences
