"""CSV and TSV, read and written as a stream."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TextIO

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.chunk import Chunk, Gatherer, Layout
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.csv_records import Broken, Records, find_dialect
from presidio_mx.work.batch.files import AppendFile
from presidio_mx.work.batch.guard import Guard
from presidio_mx.work.batch.inputs import Input

_SAMPLE = 1 << 18  # even, for UTF-16
_MARKED = "utf-8-sig"
# What can be written, and the mark at its beginning.
_MARKS = {
    "utf-8": b"",
    _MARKED: b"\xef\xbb\xbf",
    "utf-16": b"\xff\xfe",
    "cp1252": b"",
    "cp850": b"",
    "mac_roman": b"",
}
_AS_INPUT = "input"
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


def output_encoding(found: Encoding, wanted: str | None) -> str:
    """Return in which encoding a table is written.

    UTF-8 stays as it is; of anything else comes UTF-8 with its mark, which Excel
    understands.

    :param found: Encoding of the input.
    :param wanted: What the user said: a name, or ``input`` for that of the input.
    :raises ConfigurationError: If it is unknown.
    """
    marked = found.other or found.name != "utf-8"
    default = _MARKED if marked else "utf-8"
    if wanted is None:
        return default
    if wanted == _AS_INPUT:
        name = "utf-16" if found.name.startswith("utf-16") else found.name
        return name if name in _MARKS and not found.other else default
    if wanted.lower() not in _MARKS:
        raise ConfigurationError(
            f"--output-encoding {wanted}: unknown; use "
            f"{', '.join([*_MARKS, _AS_INPUT])}"
        )
    return wanted.lower()


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
        """Find out encoding and dialect, and read the header."""
        refuse_other_kinds(data.head, data.name)
        found = encoding or find_encoding(data.blocks(), data.name)
        self.encoding = found
        self.dialect = find_dialect(found.decode(data.head[:_SAMPLE]), delimiter)
        self._data = data
        with self._beginning() as text:
            self.columns = Records(text, self.dialect).header
        if not self.columns:
            raise InputError(f"{data.name}: no header line; a table needs column names")
        self.total: int | None = data.size
        delimiter = self.dialect.delimiter
        name = DELIMITER_NAMES.get(delimiter, repr(delimiter))
        how = ", quotes after a backslash" if self.dialect.escaped else ""
        self.said: tuple[str, ...] = (
            f"{data.name}: {found}, columns separated by {name}{how}",
        )

    def _beginning(self) -> TextIO:
        """Return the text for a first look: all of a file, or the head."""
        if self._data.path is not None:
            return self._data.open(self.encoding, newline="")
        head = self.encoding.decode(self._data.head)
        return io.StringIO(head, newline="")

    def _learnt(self, kept: Sequence[int]) -> Guard | None:
        """Return what the columns hold, where some pass through unchanged."""
        if not kept:
            return None
        guard = Guard(len(self.columns))
        rest = False  # what follows a broken record may be its rest
        with self._beginning() as text:
            for record in Records(text, self.dialect):
                if isinstance(record, Broken):
                    rest = True
                    continue
                if not rest and not guard.learn(record):
                    break
                rest = False
        return guard

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all rows, in the order of the file.

        :param columns: What the columns are for.
        """
        kept = [self.columns.index(name) for name in columns.passing]
        guard = self._learnt(kept)
        layout = Layout(columns, self.columns, "blank")
        gatherer = Gatherer()
        text = self._data.open(self.encoding, newline="")
        self._records = Records(text, self.dialect, guard, kept)
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
    """A CSV or TSV file.

    :param partial: Path while it grows.
    :param layout: How a row is put together.
    :param delimiter: What parts the columns.
    :param encoding: Python's name of its encoding.
    """

    def __init__(
        self, partial: Path, layout: Layout, delimiter: str, encoding: str
    ) -> None:
        """Nothing is opened yet."""
        self._file = AppendFile(partial)
        self._layout = layout
        self._delimiter = delimiter
        self._encoding = encoding

    def open(self, position: int) -> None:
        """Begin with the header, or go on."""
        self._file.open(position)
        if position == 0:
            self._file.write(_MARKS[self._encoding])
            self._file.write(self._encode([self._layout.output]))

    def _encode(self, rows: Sequence[Sequence[str | None]]) -> bytes:
        text = io.StringIO()
        # Line ends as RFC 4180 has them, which also makes Python quote a lone CR.
        writer = csv.writer(text, delimiter=self._delimiter, lineterminator="\r\n")
        writer.writerows(rows)
        if self._encoding.startswith("utf-8"):
            return text.getvalue().encode("utf-8", "surrogatepass")
        if self._encoding == "utf-16":
            return text.getvalue().encode("utf-16-le", "surrogatepass")
        # A sign that the encoding lacks is not lost: ≥ becomes &#8805;
        return text.getvalue().encode(self._encoding, "xmlcharrefreplace")

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the rows of a chunk; return how many were written."""
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
