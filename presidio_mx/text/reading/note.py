"""Read one note: its kind, its encoding, its broken letters."""

import sys
from dataclasses import dataclass
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.mend import mend

STDIN = "-"


@dataclass(frozen=True, repr=False)
class Note:
    """A note and how it was read.

    :param text: The text, line ends as they are.
    :param encoding: Its encoding.
    :param mended: Names of what was mended in it.
    """

    text: str
    encoding: Encoding
    mended: tuple[str, ...] = ()


def decode_note(data: bytes, name: str, encoding: Encoding | None = None) -> Note:
    """Decode a note and mend what is certain.

    :param data: The bytes.
    :param name: What to call the source in errors; nothing of the note.
    :param encoding: Its encoding, if the user said it; else it is recognized.
    :return: The note.
    :raises InputError: If the bytes are no text, or their encoding is not clear.
    """
    found = encoding or find_encoding([data], name)
    mended = mend(found.decode(data), name)
    return Note(mended.text, found, mended.how)


def read_note(file: str, encoding: Encoding | None = None) -> Note:
    """Read a note from a file or standard input.

    :param file: A path, or ``-``.
    :param encoding: As :func:`decode_note` takes it.
    :return: The note.
    :raises InputError: As :func:`decode_note`, or if the file cannot be read.
    """
    if file == STDIN:
        return decode_note(sys.stdin.buffer.read(), "standard input", encoding)
    try:
        data = Path(file).read_bytes()
    except IsADirectoryError:
        raise InputError(
            f"{file}: a folder; presidio-mx batch reads all notes of one"
        ) from None
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(f"{file}: {reason}") from None
    return decode_note(data, file, encoding)
