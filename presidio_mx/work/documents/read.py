"""Read a file with the reader that goes with it."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.extras import need
from presidio_mx.text.reading.encoding import named_encoding
from presidio_mx.text.reading.note import decode_note
from presidio_mx.work.documents.endings import KINDS, REFUSED
from presidio_mx.work.documents.opened import Opened
from presidio_mx.work.documents.prose import Prose

_HERE = "presidio_mx.work.documents"

OutKind = Literal["", "text", "pdf", "image"]
Progress = Callable[[int, int], None]
Reader = Callable[..., Opened]


def open_document(
    path: Path,
    encoding: str | None = None,
    name: str | None = None,
    *,
    out_kind: OutKind = "",
    progress: Progress | None = None,
) -> Opened:
    """Read a file.

    :param path: The file; what has none of the known endings is plain text.
    :param encoding: Name of its encoding, where it does not say it itself.
    :param name: What to call it in errors; its path by default.
    :param out_kind: As :func:`open_data` takes it.
    :param progress: As :func:`open_data` takes it.
    :return: What is in it.
    :raises InputError: If it cannot be read as what its name says.
    :raises ConfigurationError: If there is no such encoding.
    :raises MissingExtraError: If a package is not installed.
    """
    called = str(path) if name is None else name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{called}: {error.strerror or 'unreadable'}") from None
    return open_data(
        data, path.suffix, called, encoding, out_kind=out_kind, progress=progress
    )


def open_data(
    data: bytes,
    suffix: str,
    called: str,
    encoding: str | None = None,
    *,
    out_kind: OutKind = "",
    progress: Progress | None = None,
) -> Opened:
    """Read the bytes of a file.

    :param data: The bytes.
    :param suffix: Ending of its name.
    :param called: What to call it in errors.
    :param encoding: Name of its encoding, where it does not say it itself.
    :param out_kind: What becomes of a PDF file or a picture: ``text``, ``pdf`` or
        ``image``; by default text.
    :param progress: Called with each page that is done and the number of all.
    :return: What is in it.
    :raises InputError: If it cannot be read as what its name says.
    :raises ConfigurationError: If there is no such encoding, or kind to write.
    :raises MissingExtraError: If a package is not installed.
    """
    suffix = suffix.lower()
    named = None if encoding is None else named_encoding(encoding)
    if not data.strip():
        raise InputError(f"{called}: empty")
    if suffix in REFUSED:
        raise InputError(f"{called}: {suffix} is not read; {REFUSED[suffix]}")
    kind = KINDS.get(suffix)
    if kind is None or not kind.outs:
        if out_kind not in ("", "text"):
            raise ConfigurationError(
                f"--out-kind {out_kind}: of PDF files and pictures alone, not of "
                f"{suffix or 'text'}"
            )
    elif out_kind and out_kind not in kind.outs:
        listed = ", ".join(kind.outs)
        raise ConfigurationError(
            f"--out-kind {out_kind}: what becomes of {suffix} is one of {listed}"
        )
    if kind is None:
        return Prose(decode_note(data, called, named).text, suffix=suffix)
    for package in kind.packages:
        need(package, f"reading {suffix}", kind.extra)
    # Readers are imported when a file asks for them: some need optional packages.
    module = import_module(f"{_HERE}.{kind.module}")
    reader: Reader = getattr(module, kind.function)
    more: dict[str, Any] = {}
    if kind.outs:
        more = {"out_kind": out_kind or "text", "progress": progress}
    return reader(data, called, named, **more)
