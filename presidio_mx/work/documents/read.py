"""Read a file with the reader that goes with it."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.extras import need
from presidio_mx.text.reading.encoding import Encoding, named_encoding
from presidio_mx.text.reading.note import decode_note
from presidio_mx.work.documents.endings import KINDS
from presidio_mx.work.documents.opened import Opened
from presidio_mx.work.documents.prose import Prose

_HERE = "presidio_mx.work.documents"

Reader = Callable[[bytes, str, Encoding | None], Opened]


def open_document(
    path: Path, encoding: str | None = None, name: str | None = None
) -> Opened:
    """Read a file.

    :param path: The file; what has none of the known endings is plain text.
    :param encoding: Name of its encoding, where it does not say it itself.
    :param name: What to call it in errors; its path by default.
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
    return open_data(data, path.suffix, called, encoding)


def open_data(
    data: bytes, suffix: str, called: str, encoding: str | None = None
) -> Opened:
    """Read the bytes of a file.

    :param data: The bytes.
    :param suffix: Ending of its name.
    :param called: What to call it in errors.
    :param encoding: Name of its encoding, where it does not say it itself.
    :return: What is in it.
    :raises InputError: If it cannot be read as what its name says.
    :raises ConfigurationError: If there is no such encoding.
    :raises MissingExtraError: If a package is not installed.
    """
    suffix = suffix.lower()
    named = None if encoding is None else named_encoding(encoding)
    if not data.strip():
        raise InputError(f"{called}: empty")
    kind = KINDS.get(suffix)
    if kind is None:
        return Prose(decode_note(data, called, named).text, suffix=suffix)
    if kind.package:
        need(kind.package, f"reading {suffix}", "documents")
    # Readers are imported when a file asks for them: some need optional packages.
    module = import_module(f"{_HERE}.{kind.module}")
    reader: Reader = getattr(module, kind.function)
    return reader(data, called, named)
