"""Write a corpus into one new file, whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.private_file import write_private


def write_file(path: Path, pieces: Iterable[str] | bytes) -> None:
    """Write pieces as they come; the file takes its name when all are there.

    Only its owner may read it: a corpus, a report and a sheet quote notes.

    :param path: A file that does not exist.
    :param pieces: Text, encoded as UTF-8, or bytes.
    :raises InputError: If the file exists or cannot be written.
    """
    if path.exists():
        raise InputError(f"{path} exists; it is not overwritten")
    path.parent.mkdir(parents=True, exist_ok=True)
    encoded = (
        [pieces]
        if isinstance(pieces, bytes)
        else (piece.encode("utf-8") for piece in pieces)
    )
    try:
        write_private(path, encoded, replace=False)
    except UnicodeEncodeError:
        raise InputError(f"{path}: a note holds half a character; repair it") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'unwritable'}") from None
