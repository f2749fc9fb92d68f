"""Keep the originals of a batch in a vault, before its output is written."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from presidio_mx.replace.keys import Key
from presidio_mx.replace.vault import Record, add_to_vault, document_id, record_of
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.chunk import Chunk, Source
from presidio_mx.work.batch.formats import STDIN
from presidio_mx.work.batch.text_files import FolderSource


class Keeper:
    """Adds rows to a vault; those it has already, of an interrupted run, stay.

    A file is called by its path as seen from the vault's folder, a row by that of its
    table and its number, and where there are several notes in a row, the note's place:
    ``archive/notes.csv#17/2``. Rows of standard input have no name.

    :param vault: The vault.
    :param key: Its key.
    :param path: The input.
    :param source: What reads it.
    :raises ConfigurationError: If the vault is another key's or cannot be written.
    """

    def __init__(self, vault: Path, key: Key, path: str | Path, source: Source) -> None:
        """Open the vault once, so that a wrong one is refused before any work."""
        self._vault, self._key, self._path = vault, key, path
        self._folder = isinstance(source, FolderSource)
        add_to_vault(vault, [], key)

    def keep(self, chunk: Chunk, done: Sequence[Done]) -> None:
        """Add the rows of a chunk that were de-identified: all of them or none.

        :param chunk: The rows.
        :param done: What became of them.
        """
        add_to_vault(self._vault, self._records(chunk, done), self._key)

    def _records(self, chunk: Chunk, done: Sequence[Done]) -> Iterator[Record]:
        for index, row in enumerate(done):
            if row.problem:
                continue
            name = self._name(chunk, index)
            notes = [text for text in row.texts if text is not None]
            pairs = zip(notes, row.originals, strict=True)
            for place, (text, originals) in enumerate(pairs, start=1):
                part = f"/{place}" if name and len(row.texts) > 1 else ""
                yield record_of(name + part, text, originals)

    def _name(self, chunk: Chunk, index: int) -> str:
        if str(self._path) == STDIN:
            return ""
        if self._folder:
            return document_id(self._vault, Path(self._path) / chunk.rest[index])
        return f"{document_id(self._vault, self._path)}#{chunk.first + index}"
