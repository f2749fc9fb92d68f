"""Read the records of a CSV file, broken quotes included, and lose none."""

import csv
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from presidio_mx.batch.decode import TOLD, allow_long_fields

_MOST_LINES = 5_000
_MOST_CHARACTERS = 4_000_000
_LONGEST_LINE = 64_000_000
_MOST_SHAPES = 3
_LONGEST_SHAPED = 40
_LEARN_FROM = 1_000
_TRUSTED = 20
_END = "\x1eEND"
_DIGITS, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, repr=False)
class Broken:
    """Lines that cannot be read as a record.

    :param problem: Why, with the numbers of the lines and none of their text.
    """

    problem: str


class _TooLongError(Exception):
    """A record takes more lines than any note has."""


class Records:
    """The records of a CSV file in order; what is broken comes as :class:`Broken`.

    A quote that is never closed would swallow all that follows. A record of several
    lines must therefore be well-formed; otherwise reading goes on at the next line
    that surely begins a record, since the fields of the regular columns (codes, dates,
    numbers) look like those of the records before: a piece of a note must not be taken
    for a row, whose columns may pass through unchanged.

    :param file: The text, opened with ``newline=""``.
    :param delimiter: What parts the fields.
    """

    def __init__(self, file: TextIO, delimiter: str) -> None:
        """Read the header."""
        allow_long_fields()
        self._file = file
        self._delimiter = delimiter
        self._waiting: deque[str] = deque()
        self._line = 0
        self._shapes: list[set[str]] = []
        self._irregular: set[int] = set()
        self._learnt = 0
        self.header: tuple[str, ...] = ()
        for record in self._records(0):
            # Excel writes and reads a first line that tells the delimiter.
            if isinstance(record, list) and not TOLD.match(delimiter.join(record)):
                self.header = tuple(name.strip() for name in record)
                break
        self._learnt = 0
        self._shapes = []

    def __iter__(self) -> Iterator[list[str] | Broken]:
        """Yield the records behind the header."""
        return self._records(len(self.header))

    def _next_line(self) -> str:
        line = self._waiting.popleft() if self._waiting else ""
        line = line or self._file.readline(_LONGEST_LINE)
        if line:
            self._line += 1
        return line

    def _records(self, width: int) -> Iterator[list[str] | Broken]:
        while line := self._next_line():
            if not line.strip("\r\n"):
                continue
            first = self._line
            record, problem = self._record(line, width)
            if record is not None and self._torn(record):
                record, problem = None, "letters where the rows before have numbers"
            if record is not None:
                self._remember(record)
                yield record
            else:
                last = self._resume(width)
                where = f"line {first}" + (f" to {last}" if last > first else "")
                yield Broken(f"{where}: {problem}")

    def _record(self, line: str, width: int) -> tuple[list[str] | None, str]:
        """Return the record that begins with a line, or None and the problem."""
        if '"' not in line:
            return self._of_width(line.rstrip("\r\n").split(self._delimiter), width)
        record, closed = self._single(line)
        if closed:
            return self._of_width(record, width)
        lines: list[str] = []
        try:
            several = next(
                csv.reader(
                    self._feed(line, lines), delimiter=self._delimiter, strict=True
                )
            )
        except (csv.Error, _TooLongError, StopIteration):
            self._waiting.extendleft(reversed(lines))
            self._line -= len(lines)
            return None, "a quote that is not closed, or one inside of a field"
        return self._of_width(several, width)

    @staticmethod
    def _of_width(record: list[str], width: int) -> tuple[list[str] | None, str]:
        if width in (0, len(record)):
            return record, ""
        return None, f"{len(record)} fields where the header has {width}"

    def _single(self, line: str) -> tuple[list[str], bool]:
        """Return a line's fields, and whether no quote is left open at its end."""
        for strict in (True, False):
            reader = csv.reader([line, _END], delimiter=self._delimiter, strict=strict)
            try:
                fields, closed = next(reader), next(reader, None) == [_END]
            except csv.Error:
                continue
            # Quotes inside of a quoted field come in pairs, unless it goes on below.
            return fields, closed and (strict or line.count('"') % 2 == 0)
        return [], False

    def _feed(self, line: str, lines: list[str]) -> Iterator[str]:
        yield line
        characters = 0
        while more := self._next_line():
            lines.append(more)
            characters += len(more)
            if len(lines) > _MOST_LINES or characters > _MOST_CHARACTERS:
                raise _TooLongError
            yield more

    def _resume(self, width: int) -> int:
        """Skip to a line that surely begins a record; return the last one skipped."""
        regular = any(self._shapes)
        while line := self._next_line():
            fields, closed = self._single(line)
            whole = len(fields) == width if closed else len(fields) <= width
            if regular and whole and self._alike(fields if closed else fields[:-1]):
                self._waiting.appendleft(line)
                self._line -= 1
                break
            # With nothing to go by, the line of the closing quote ends the record.
            if not regular and line.count('"') % 2:
                break
        return self._line

    def _remember(self, record: list[str]) -> None:
        """Learn what the columns look like from the first records."""
        if self._learnt == _LEARN_FROM:
            return
        if not self._learnt:
            self._shapes = [set() for _ in record]
            self._irregular = set()
        self._learnt += 1
        for place, value in enumerate(record):
            if place in self._irregular:
                continue
            self._shapes[place].add(_shape(value))
            if len(value) > _LONGEST_SHAPED or len(self._shapes[place]) > _MOST_SHAPES:
                self._irregular.add(place)
                self._shapes[place].clear()

    def _torn(self, record: list[str]) -> bool:
        """Tell whether a record seems to be a piece of a note that was not quoted.

        It may have the right number of commas; but then every column that held only
        numbers, dates or codes without letters before holds words.
        """
        if self._learnt < _TRUSTED:
            return False
        numeric = [
            place
            for place, shapes in enumerate(self._shapes)
            if any(shapes) and not any("a" in shape for shape in shapes)
        ]
        return bool(numeric) and all(
            _LETTERS.search(record[place]) for place in numeric
        )

    def _alike(self, fields: list[str]) -> bool:
        """Tell whether fields look like those of the records before."""
        known = [
            (shapes, field)
            for shapes, field in zip(self._shapes, fields, strict=False)
            if shapes
        ]
        return bool(known) and all(_shape(field) in shapes for shapes, field in known)


def _shape(field: str) -> str:
    """Return what a field looks like: ``MX-0012`` to ``a-0``."""
    return _LETTERS.sub("a", _DIGITS.sub("0", field))
