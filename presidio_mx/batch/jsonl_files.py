"""JSON Lines, read and written as a stream."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from presidio_mx.batch.chunk import MISSING, Chunk, Gatherer, Layout
from presidio_mx.batch.columns import Columns
from presidio_mx.batch.decode import Encoding, find_encoding
from presidio_mx.batch.inputs import Input
from presidio_mx.batch.journal import AppendFile, json_line
from presidio_mx.batch.work import Done
from presidio_mx.errors import InputError

_LOOK_AHEAD = 1_000
_NEW_FIELD = "a field that the first 1,000 rows did not have and nobody declared"


class JsonlSource:
    """A file with one JSON object a line.

    The fields of the first 1,000 objects are the columns. An object further down with
    another field fails, since nobody said what is to become of it.

    :param data: The file or standard input.
    :param encoding: Its encoding, if the user said it.
    """

    unit: Literal["bytes", "rows"] = "bytes"

    def __init__(self, data: Input, encoding: Encoding | None = None) -> None:
        """Find out encoding and fields."""
        found = encoding or find_encoding(data.blocks())
        self._data, self._encoding = data, found
        columns: dict[str, None] = {}
        # The last line of the head may be cut; it is then not valid JSON.
        for line in found.decode(data.head).split("\n")[:_LOOK_AHEAD]:
            row = _parse(line)
            if isinstance(row, dict):
                columns |= dict.fromkeys(row)
        if not columns:
            raise InputError(
                f"{data.name}: no line with a JSON object at the beginning"
            )
        self.columns = tuple(columns)
        self.total: int | None = data.size
        self.said: tuple[str, ...] = (f"{data.name}: {found}, JSON Lines",)

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all rows.

        :param columns: What the columns are for.
        :return: Chunks in the order of the file.
        """
        layout = Layout(columns, self.columns, "blank")
        gatherer = Gatherer()
        names = set(self.columns)
        encoding, errors = self._encoding.name, self._encoding.errors
        with self._data.open(encoding, errors, newline="\n") as file:
            for line in file:
                if not line.strip():
                    continue
                row = _parse(line)
                if isinstance(row, str):
                    full = gatherer.add(layout.unreadable(row), None)
                elif not names.issuperset(row):
                    full = gatherer.add(layout.unreadable(_NEW_FIELD), None)
                else:
                    values = [row.get(name, MISSING) for name in self.columns]
                    full = gatherer.add(layout.cells(values), values, len(line))
                if full:
                    yield gatherer.take(self._data.position)
            yield gatherer.take(self._data.position)


def _parse(line: str) -> dict[str, Any] | str:
    """Return the object of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not valid JSON"
    return row if isinstance(row, dict) else "not a JSON object"


class JsonlSink:
    """A file with one JSON object a line, in UTF-8.

    :param partial: Path while it grows.
    :param layout: How a row is put together.
    """

    def __init__(self, partial: Path, layout: Layout) -> None:
        """Nothing is opened yet."""
        self._file = AppendFile(partial)
        self._layout = layout

    def open(self, position: int) -> None:
        """Begin, or go on.

        :param position: Length that is sure to be good.
        """
        self._file.open(position)

    def write(self, chunk: Chunk, done: Sequence[Done]) -> None:
        """Write the rows of a chunk.

        :param chunk: The rows as read.
        :param done: What became of them.
        """
        for values in map(self._layout.row, chunk.rest, done):
            if values is not None:
                pairs = zip(self._layout.output, values, strict=True)
                row = {name: value for name, value in pairs if value is not MISSING}
                self._file.write(json_line(row))

    def sync(self) -> int:
        """Put everything on the disk; return the length."""
        return self._file.sync()

    def finish(self) -> Path:
        """Close the file and return its path."""
        self._file.close()
        return self._file.path
