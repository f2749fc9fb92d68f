"""``presidio-mx anonymize`` on a file that is no plain text."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.cli.text import say, speaks_spanish, tell, write_data
from presidio_mx.work.documents.endings import REFUSED, written_as

if TYPE_CHECKING:
    from presidio_mx.work.documents.deidentify import Changed
    from presidio_mx.work.documents.opened import LeftOut

# What a terminal can show; the rest needs a file.
_BINARY = frozenset({".docx", ".xlsx", ".pdf", ".png"})


def anonymize_document(
    file: str,
    output: Path | None,
    vault: Path | None,
    *,
    out_kind: str = "",
    strict: bool = False,
    changes: Path | None = None,
    meta_security: bool = False,
    **options: Any,
) -> None:
    """De-identify a file and write it; say what the new one lacks.

    :param file: Its path.
    :param output: The file to write, which must not exist; standard output by default.
    :param vault: Refused: a vault restores plain text.
    :param out_kind: What is written of a PDF file or a picture.
    :param strict: Refuse a file of which something is left out that somebody wrote.
    :param changes: A file to write that lists where something was replaced.
    :param meta_security: Say in the resources of FHIR what was done to them.
    :param options: As :func:`deidentify.deidentify_file` takes them.
    :raises PresidioMxError: If it cannot be read or written.
    """
    from presidio_mx.work.documents.deidentify import deidentify_file
    from presidio_mx.work.documents.fhir_meta import with_security

    if vault is not None:
        raise ConfigurationError(
            f"--vault: restores plain text alone; take the text out of {file} first"
        )
    suffix = written_as(file, out_kind)
    if Path(file).suffix.lower() in REFUSED:
        output = None  # the reader says why
    elif output is None and suffix in _BINARY:
        raise ConfigurationError(
            f"{file}: name the file to write, e.g. --output new{suffix}"
        )
    if output is not None and output.suffix.lower() != suffix:
        raise ConfigurationError(
            f"{output}: what becomes of {Path(file).suffix} is {suffix}; name it so"
        )
    if changes is not None and changes.exists():
        raise ConfigurationError(f"{changes} exists; it is not overwritten")
    new = deidentify_file(
        file,
        out_kind=out_kind,  # type: ignore[arg-type]
        strict=strict,
        progress=_page,
        **options,
    )
    data = new.data
    if meta_security:
        data = with_security(data, suffix, new.changes, file)
    for sentence in said(file, suffix, new.left_out):
        tell(f"presidio-mx: {sentence}")
    write_data(data, output)
    if changes is not None:
        write_data(listed(new.changes), changes)


def _page(done: int, pages: int) -> None:
    """Say which page is read, where somebody looks on."""
    if pages > 1 and sys.stderr.isatty():
        tell(say(f"page {done} of {pages}", f"página {done} de {pages}"))


def listed(changes: "Sequence[Changed]") -> bytes:
    """Return where something was replaced as lines of JSON; nothing of any text.

    :param changes: The places.
    """
    lines = [json.dumps(change._asdict(), ensure_ascii=False) for change in changes]
    return "".join(f"{line}\n" for line in lines).encode()


def said(file: str, suffix: str, left_out: "LeftOut") -> list[str]:
    """Return what the user should know of the new file.

    :param file: The old one.
    :param suffix: Ending of the new one.
    :param left_out: What it lacks.
    """
    sentences = []
    if suffix == ".txt" != Path(file).suffix.lower():
        sentences.append(
            say(f"{file}: becomes plain text", f"{file}: se convierte en texto simple")
        )
    if left_out:
        told = left_out.said(speaks_spanish())
        sentences.append(say(f"{file}: left out: {told}", f"{file}: se omite: {told}"))
    return sentences


def refuse_for_text(file: str, **asked: object) -> None:
    """Refuse options that a plain text has no use for.

    :param file: What was given.
    :param asked: Options by name, with their values.
    :raises ConfigurationError: Naming the first that was used.
    """
    for name, value in asked.items():
        if value:
            option = name.replace("_", "-")
            raise ConfigurationError(
                f"--{option}: is for documents, messages and scans; {file} is read as "
                "plain text"
            )
