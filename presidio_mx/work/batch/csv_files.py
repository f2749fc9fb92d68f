"""CSV and TSV, read and written as a stream."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.chunk import Chunk, Gatherer, Layout
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.delimiter import find_delimiter
from presidio_mx.work.batch.files import AppendFile
from presidio_mx.work.batch.inputs import Input
from presidio_mx.work.batch.records import Broken, Records

_SAMPLE = 1 << 18  # even, for UTF-16
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


class CsvSource:
    """A CSV or TSV file.

    :param data: The file or standard input.
    :param encoding: Its encoding, if the user said it.
    :param delimiter: What parts its columns, if the user said it.
    :raises InputError: If the file cannot be read or has no header.
    """

    unit: Literal["bytes", "rows"] = "bytes"

    def __init__(
        self,
        data: Input,
        encoding: Encoding | None = None,
        delimiter: str | None = None,
    ) -> None:
        """Find out encoding and delimiter, and read the header."""
        refuse_other_kinds(data.head, data.name)
        found = encoding or find_encoding(data.blocks(), data.name)
        sample = found.decode(data.head[:_SAMPLE])
        self.delimiter = delimiter or find_delimiter(sample)
        self._data = data
        text = data.open(found, newline="")
        self._records = Records(text, self.delimiter)
        self.columns = self._records.header
        if not self.columns:
            raise InputError(f"{data.name}: no header line; a table needs column names")
        self.total: int | None = data.size
        name = DELIMITER_NAMES.get(self.delimiter, repr(self.delimiter))
        self.said: tuple[str, ...] = (
            f"{data.name}: {found}, columns separated by {name}",
        )

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all rows.

        :param columns: What the columns are for.
        :return: Chunks in the order of the file.
        """
        layout = Layout(columns, self.columns, "blank")
        gatherer = Gatherer()
        for record in self._records:
            if isinstance(record, Broken):
                full = gatherer.add(layout.unreadable(record.problem), None)
            else:
                size = sum(map(len, record))
                full = gatherer.add(layout.cells(record), record, size)
            if full:
                yield gatherer.take(self._data.position)
        yield gatherer.take(self._data.position)

    @property
    def skipped(self) -> int:
        """Blank lines."""
        return self._records.blank

    @property
    def counted(self) -> int:
        """Records by the line ends in the bytes, less the lines inside of records."""
        return self._data.lines - self._records.inside


class CsvSink:
    """A CSV or TSV file in UTF-8.

    :param partial: Path while it grows.
    :param layout: How a row is put together.
    :param delimiter: What parts the columns.
    """

    def __init__(self, partial: Path, layout: Layout, delimiter: str) -> None:
        """Nothing is opened yet."""
        self._file = AppendFile(partial)
        self._layout = layout
        self._delimiter = delimiter

    def open(self, position: int) -> None:
        """Begin with the header, or go on.

        :param position: Length that is sure to be good.
        """
        self._file.open(position)
        if position == 0:
            self._file.write(self._encode([self._layout.output]))

    def _encode(self, rows: Sequence[Sequence[str | None]]) -> bytes:
        text = io.StringIO()
        # Line ends as RFC 4180 has them, which also makes Python quote a lone CR.
        writer = csv.writer(text, delimiter=self._delimiter, lineterminator="\r\n")
        writer.writerows(rows)
        return text.getvalue().encode("utf-8", "surrogatepass")

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the rows of a chunk.

        :param chunk: The rows as read.
        :param done: What became of them.
        :return: How many rows were written.
        """
        made = map(self._layout.row, chunk.rest, done)
        rows = [row for row in made if row is not None]
        self._file.write(self._encode(rows))
        return len(rows)

    def sync(self) -> int:
        """Put everything on the disk; return the length."""
        return self._file.sync()

    def finish(self) -> Path:
        """Close the file and return its path."""
        self._file.close()
        return self._file.path
