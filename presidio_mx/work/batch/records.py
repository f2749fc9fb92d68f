"""Read the records of a CSV file, broken quotes included, and lose none."""

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from presidio_mx.work.batch.delimiter import TOLD, allow_long_fields
from presidio_mx.work.batch.shapes import Shapes

_MOST_CHARACTERS = 16_000_000
_LOOK_AHEAD = 500
_GOOD = 3
_END = "\x1eEND"
_NOTHING = "\r\n\x1a"  # DOS ends a file with \x1a


@dataclass(frozen=True, repr=False)
class Broken:
    """Lines that cannot be read as a record.

    :param problem: Why, with the numbers of the lines and none of their text.
    """

    problem: str


class _TooLongError(Exception):
    """A record has more characters than any note."""


class Records:
    """The records of a CSV file in order; what is broken comes as :class:`Broken`.

    A record with a field too many or too few costs itself. A quote that is never closed
    would swallow all that follows; a record of several lines must therefore be
    well-formed. If it is not, reading goes on at the next line that begins a record,
    since its regular columns (codes, dates, numbers) look like those of the records
    before; or, if there is none soon, where several sound records follow one another.

    Each line of the file belongs to one record, to a broken one, to the header or is
    blank; ``inside`` counts those that begin nothing, so that the lines can be counted
    on their own and nothing is lost.

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
        self._shapes = Shapes()
        self.blank = 0
        self.inside = 0
        self.header: tuple[str, ...] = ()
        for record in self._records(0):
            # Excel writes and reads a first line that tells the delimiter.
            if isinstance(record, list) and not TOLD.match(delimiter.join(record)):
                self.header = tuple(name.strip() for name in record)
                break
        self._shapes = Shapes()
        self.blank, self.inside = 0, self._line

    def __iter__(self) -> Iterator[list[str] | Broken]:
        """Yield the records behind the header."""
        return self._records(len(self.header))

    def _next_line(self) -> str:
        line = self._waiting.popleft() if self._waiting else ""
        line = line or self._file.readline()
        if line:
            self._line += 1
        return line

    def _put_back(self, lines: list[str]) -> None:
        self._waiting.extendleft(reversed(lines))
        self._line -= len(lines)

    def _records(self, width: int) -> Iterator[list[str] | Broken]:
        while line := self._next_line():
            if not line.strip(_NOTHING):
                self.blank += 1
                continue
            first = self._line
            record, problem, torn = self._record(line, width)
            if record is not None and self._shapes.is_prose(line, record):
                record, problem = None, "a piece of a note, not a row"
            if record is None and torn:
                self._resume(width)
            last = self._line
            self.inside += last - first
            if record is not None:
                self._shapes.learn(record)
                yield record
            else:
                where = f"line {first}" + (f" to {last}" if last > first else "")
                yield Broken(f"{where}: {problem}")

    def _record(self, line: str, width: int) -> tuple[list[str] | None, str, bool]:
        """Return the record that begins with a line, or None and the problem.

        The last value tells whether a quote is torn, so that lines behind may belong to
        what cannot be read.
        """
        if '"' not in line:
            fields = line.rstrip("\r\n").split(self._delimiter)
            return self._of_width(fields, width)
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
            self._put_back(lines)
            return None, "a quote that is not closed, or one inside of a field", True
        if width not in (0, len(several)):
            self._put_back(lines)
            return None, self._of_width(several, width)[1], True
        return several, "", False

    @staticmethod
    def _of_width(record: list[str], width: int) -> tuple[list[str] | None, str, bool]:
        if width in (0, len(record)):
            return record, "", False
        return None, f"{len(record)} fields where the header has {width}", False

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
            if characters > _MOST_CHARACTERS:
                raise _TooLongError
            yield more

    def _resume(self, width: int) -> None:
        """Skip to a line that surely begins a record."""
        seen: list[str] = []
        good = 0
        first_good: int | None = None
        for number in range(_LOOK_AHEAD):
            if not (line := self._next_line()):
                if first_good is None and (good or width == 1):
                    first_good = number - good if good else 0
                break
            seen.append(line)
            fields, closed = self._single(line)
            whole = len(fields) == width if closed else 0 < len(fields) <= width
            if whole and self._shapes.are_like(fields if closed else fields[:-1]):
                self._put_back(seen[-1:])
                return
            prose = whole and self._shapes.is_prose(line, fields)
            good = good + 1 if whole and closed and width > 1 and not prose else 0
            if good == _GOOD and first_good is None:
                first_good = number + 1 - _GOOD
            # With nothing to go by, the line of the closing quote ends the record.
            if not self._shapes.regular and line.count('"') % 2:
                break
        else:
            if width == 1:  # the quote is closed nowhere
                first_good = 0
        if first_good is not None:
            self._put_back(seen[first_good:])
