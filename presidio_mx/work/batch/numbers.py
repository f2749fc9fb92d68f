"""What identifies the rows of a run: a digest of them, and the list of their names."""

import csv
import hashlib
import io
from collections.abc import Sequence
from typing import Any

from presidio_mx.work.batch.cells import as_text
from presidio_mx.work.batch.chunk import Chunk, Source
from presidio_mx.work.batch.text_files import FolderSource


def digest_of(before: str, chunk: Chunk, whole: bool) -> str:
    """Return a digest of all rows so far; it says whether an input is the same.

    :param before: Digest of the rows before.
    :param chunk: The next rows.
    :param whole: Whether what passes by counts, too.
    :return: 32 hexadecimal digits.
    """
    digest = hashlib.blake2b(before.encode(), digest_size=16)
    for row in chunk.cells:
        for value in (*row.texts, *row.known, row.id):
            data = as_text(value).encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data))
            digest.update(data)
    if whole:
        digest.update(repr(chunk.rest).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def numbers_of(source: Source, chunk: Chunk) -> bytes:
    """Return the lines that say what the numbers of a chunk stand for.

    :param source: Where the rows come from.
    :param chunk: The rows.
    :return: Lines of CSV: the number, and the file's name or the identifier.
    """
    names: Sequence[Any] = [row.id for row in chunk.cells]
    if isinstance(source, FolderSource):
        names = chunk.rest
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if chunk.first == 1:
        writer.writerow(["number", "name"])
    for number, name in enumerate(names, start=chunk.first):
        writer.writerow([number, as_text(name)])
    return text.getvalue().encode("utf-8", "surrogatepass")
