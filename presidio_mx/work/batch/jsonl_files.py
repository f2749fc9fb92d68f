"""JSON Lines, read and written as a stream; what passes by keeps its very digits."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.chunk import MISSING, Chunk, Gatherer, Layout
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import AppendFile
from presidio_mx.work.batch.inputs import Input

_LOOK_AHEAD = 1_000
_NEW_FIELD = "a field that the first 1,000 rows did not have and nobody declared"
_TWICE = "a field is there twice, so that it is not clear which value holds"
_BLANK = re.compile(r"[ \t\r\n]*")
_LONGEST_NUMBER = 4_000


def _whole(digits: str) -> int | Decimal:
    # Python refuses to make numbers of more digits.
    return int(digits) if len(digits) < _LONGEST_NUMBER else Decimal(digits)


_DECODER = json.JSONDecoder(parse_float=Decimal, parse_int=_whole)


@dataclass(frozen=True, repr=False)
class Value:
    """A value of a JSON object: what it is, and how it was written.

    :param value: The value; numbers with a point as decimals.
    :param written: The text that stood for it.
    """

    value: Any
    written: str


class NotAnObjectError(ValueError):
    """A line is no JSON object; says why."""


def parse_object(line: str) -> dict[str, Value]:
    """Read a JSON object, and how each of its values was written.

    Numbers become other numbers when Python reads and writes them (``1.10``,
    ``12345678901234567890.123``, ``1e400``); what passes by is therefore copied.

    :param line: The line.
    :return: Name to value.
    :raises NotAnObjectError: If it is none, or a name stands twice.
    """
    try:
        return _members(line)
    except (ValueError, IndexError, RecursionError, ArithmeticError) as error:
        if isinstance(error, NotAnObjectError):
            raise
        raise NotAnObjectError("not valid JSON") from None


def _members(line: str) -> dict[str, Value]:
    at = _skip(line, 0)
    if line[at] != "{":
        _DECODER.decode(line)
        raise NotAnObjectError("not a JSON object")
    found: dict[str, Value] = {}
    at = _skip(line, at + 1)
    more = line[at] != "}"
    while more:
        name, end = _DECODER.raw_decode(line, at)
        at = _skip(line, end)
        if not isinstance(name, str) or line[at] != ":":
            raise ValueError
        begin = _skip(line, at + 1)
        value, end = _DECODER.raw_decode(line, begin)
        if name in found:
            raise NotAnObjectError(_TWICE)
        found[name] = Value(value, line[begin:end])
        at = _skip(line, end)
        more = line[at] == ","
        if more:
            at = _skip(line, at + 1)
        elif line[at] != "}":
            raise ValueError
    if _skip(line, at + 1) != len(line):
        raise ValueError
    return found


def _skip(line: str, at: int) -> int:
    match = _BLANK.match(line, at)
    return match.end() if match else at


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
        refuse_other_kinds(data.head, data.name)
        found = encoding or find_encoding(data.blocks(), data.name)
        self._data, self._encoding = data, found
        self.skipped = 0
        columns: dict[str, None] = {}
        # The last line of the head may be cut; it is then not valid JSON.
        for line in found.decode(data.head).split("\n")[:_LOOK_AHEAD]:
            try:
                columns |= dict.fromkeys(parse_object(line))
            except NotAnObjectError:
                continue
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
        :return: Chunks in the order of the file; ``rest`` has how the values were
            written.
        """
        layout = Layout(columns, self.columns, "blank")
        gatherer = Gatherer()
        names = set(self.columns)
        with self._data.open(self._encoding, newline="\n") as file:
            for line in file:
                if not line.strip(" \t\r\n\x1a"):
                    self.skipped += 1
                    continue
                try:
                    row = parse_object(line)
                    if not names.issuperset(row):
                        raise NotAnObjectError(_NEW_FIELD)
                except NotAnObjectError as error:
                    full = gatherer.add(layout.unreadable(str(error)), None)
                else:
                    here = [row.get(name, MISSING) for name in self.columns]
                    values = [v.value if isinstance(v, Value) else v for v in here]
                    written = [v.written if isinstance(v, Value) else v for v in here]
                    full = gatherer.add(layout.cells(values), written, len(line))
                if full:
                    yield gatherer.take(self._data.position)
            yield gatherer.take(self._data.position)

    @property
    def counted(self) -> int:
        """Lines by the line ends in the bytes."""
        return self._data.lines


class JsonlSink:
    """A file with one JSON object a line, in UTF-8.

    :param partial: Path while it grows.
    :param layout: How a row is put together.
    """

    def __init__(self, partial: Path, layout: Layout) -> None:
        """Nothing is opened yet."""
        self._file = AppendFile(partial)
        self._layout = layout
        self._names = [json.dumps(name, ensure_ascii=False) for name in layout.output]

    def open(self, position: int) -> None:
        """Begin, or go on.

        :param position: Length that is sure to be good.
        """
        self._file.open(position)

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the rows of a chunk.

        :param chunk: The rows as read.
        :param done: What became of them.
        :return: How many rows were written.
        """
        number = 0
        for values in map(self._layout.row, chunk.rest, done):
            if values is not None:
                number += 1
                self._file.write(self._line(values))
        return number

    def _line(self, values: Sequence[Any]) -> bytes:
        new = self._layout.new
        members = (
            f"{name}: {_json(value) if is_new or value is None else value}"
            for name, value, is_new in zip(self._names, values, new, strict=True)
            if value is not MISSING
        )
        text = "{" + ", ".join(members) + "}\n"
        # A lone surrogate, which UTF-8 does not have, is escaped as JSON has it.
        return text.encode("utf-8", "backslashreplace")

    def sync(self) -> int:
        """Put everything on the disk; return the length."""
        return self._file.sync()

    def finish(self) -> Path:
        """Close the file and return its path."""
        self._file.close()
        return self._file.path


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
