"""Read the records of a CSV file, broken ones included, and lose none."""

import csv
import io
import re
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TextIO

from presidio_mx.work.batch.guard import Guard

DELIMITERS = (",", ";", "\t", "|")
_MOST_CHARACTERS = 16_000_000
_LOOK_AHEAD = 500
_FEW = 20
_GOOD = 3
_END = "\x1eEND"
_NOTHING = "\r\n\x1a"  # DOS ends a file with \x1a
# Excel writes and reads a first line that tells the delimiter.
_TOLD = re.compile(r'\ufeff?"?sep=(.)"?[\r\n]*$', re.I)
_ESCAPE = re.compile(r'\\(["\\]|(?=\r?\n?$))')


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written.

    :param delimiter: What parts the columns.
    :param escaped: Whether a backslash stands before quotes of a text, as MySQL writes.
    """

    delimiter: str = ","
    escaped: bool = False


@dataclass(frozen=True, repr=False)
class Broken:
    """Lines that cannot be read as a record.

    :param problem: Why, with the numbers of the lines and none of their text.
    """

    problem: str


class _TooLongError(Exception):
    """A record has more characters than any note."""


def allow_long_fields() -> None:
    """Let the csv module read notes of more than its 131,072 characters."""
    csv.field_size_limit(2**31 - 1)


def find_dialect(sample: str, delimiter: str | None = None) -> Dialect:
    """Find out how a file is written.

    :param sample: The beginning of the file, with whole lines.
    :param delimiter: What parts the columns, if the user said it.
    """
    plain = Dialect(delimiter or find_delimiter(sample))
    if '\\"' not in sample:
        return plain
    escaped = replace(plain, escaped=True)

    def broken(dialect: Dialect) -> int:
        records = Records(io.StringIO(sample, newline=""), dialect)
        return sum(isinstance(record, Broken) for record in records)

    return min(plain, escaped, key=broken)


def find_delimiter(sample: str) -> str:
    """Find out what parts the columns.

    That delimiter wins which parts most records into as many fields as the header
    has, more than one; commas inside of notes are no rival then.

    :param sample: The beginning of the file, with whole lines.
    :return: One of comma, semicolon, tab, bar; a comma if there is one column.
    """
    allow_long_fields()
    lines = io.StringIO(sample, newline="").readlines()
    if lines and (told := _TOLD.match(lines[0])):
        return told[1]
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        found = [row for row in csv.reader(lines, delimiter=delimiter) if row][:500]
        if not found or len(found[0]) < 2:
            continue
        width = len(found[0])
        # The last record of a sample may be cut.
        whole = found[1:-1] or found[1:] or found
        score = sum(len(row) == width for row in whole) / len(whole) + width / 1e6
        if score > best_score:
            best, best_score = delimiter, score
    return best


class Records:
    """The records of a CSV file in order; what is broken comes as :class:`Broken`.

    A record with a field too many or too few costs itself. A quote that is never closed
    would swallow all that follows; a record of several lines must therefore be
    well-formed, and its lines must not all look like records. If it is not, reading
    goes on at the next line that begins a record, since its regular columns (codes,
    dates, numbers) are like those of all others; or, if there is none soon, where
    several sound records follow one another.

    Each line of the file belongs to one record, to a broken one, to the header or is
    blank; ``inside`` counts those that begin nothing, so that the lines can be counted
    on their own and nothing is lost.

    :param file: The text, opened with ``newline=""``.
    :param dialect: How it is written.
    :param guard: What its columns hold, where that was learnt.
    :param kept: Places of the columns that pass through unchanged.
    """

    def __init__(
        self,
        file: TextIO,
        dialect: Dialect,
        guard: Guard | None = None,
        kept: Collection[int] = (),
    ) -> None:
        """Read the header."""
        allow_long_fields()
        self._file, self._dialect = file, dialect
        self._guard: Guard | None = None
        part = re.escape(dialect.delimiter)
        self._null = re.compile(rf"(?<![^{part}])\\N(?=$|[{part}\r\n])")
        self._waiting: deque[str] = deque()
        self._line = self._width = self._spare = self._tried = 0
        self.blank = self.inside = 0
        self.header: tuple[str, ...] = ()
        for record in self._records():
            if isinstance(record, list):
                names = [name.strip().removeprefix("\ufeff") for name in record]
                while names and not names[-1]:
                    names.pop()
                self.header, self._spare = tuple(names), len(record) - len(names)
                break
        self._width = len(self.header)
        self._guard, self._kept = guard, kept
        self.blank, self.inside = 0, self._line

    def __iter__(self) -> Iterator[list[str] | Broken]:
        """Yield the records after the header."""
        return self._records()

    def _next_line(self) -> str:
        line = self._waiting.popleft() if self._waiting else self._file.readline()
        if line:
            self._line += 1
        return line

    def _put_back(self, lines: list[str]) -> None:
        self._waiting.extendleft(reversed(lines))
        self._line -= len(lines)

    def _plain(self, line: str) -> str:
        """Return a line with its quotes doubled, as the csv module reads them."""
        if not self._dialect.escaped or "\\" not in line:
            return line
        line = self._null.sub("", line)
        return _ESCAPE.sub(lambda m: '""' if m[1] == '"' else m[1], line)

    def _records(self) -> Iterator[list[str] | Broken]:
        while line := self._next_line():
            if self._line == 1 and _TOLD.match(line):
                continue
            if not line.strip(_NOTHING):
                self.blank += 1
                continue
            first = self._line
            record, problem, torn = self._record(line)
            if record is not None and self._guard is not None:
                place = self._guard.unlike(record, self._kept)
                if place is not None:
                    problem = (
                        f"the column {self.header[place]!r} has words or many digits "
                        "here, and nothing like them elsewhere"
                    )
                    record = None
            if record is None and torn:
                self._resume()
            last = self._line
            self.inside += last - first
            if record is not None:
                yield record
            else:
                where = f"line {first}" + (f" to {last}" if last > first else "")
                yield Broken(f"{where}: {problem}")

    def _record(self, line: str) -> tuple[list[str] | None, str, bool]:
        """Return the record that begins with a line, or None and the problem.

        The last value tells whether a quote is torn, so that lines below may belong to
        what cannot be read.
        """
        record, closed = self._single(line)
        if closed:
            return (*self._fitted(record), False)
        several, lines = self._several(line)
        if several is None:
            self._put_back(lines)
            return None, "a quote that is not closed, or one inside of a field", True
        fitted, problem = self._fitted(several)
        if fitted is not None and self._swallows(lines):
            fitted, problem = None, "a quote that is not closed"
        torn = fitted is None and (self._guard is None or any(self._rows(lines)))
        if torn:
            self._tried = max(self._tried, self._line)
            self._put_back(lines)
        return fitted, problem, torn

    def _several(
        self, line: str, most: int | None = None
    ) -> tuple[list[str] | None, list[str]]:
        """Return the well-formed record of several lines that begins with a line.

        The lines below that were read for it, at most so many, come second. Where a
        record above was tried and failed, a quote left open runs to the same end: few
        lines are enough, or the time would grow with the square of the lines.
        """
        lines: list[str] = []
        if most is None and self._line < self._tried:
            most = _FEW
        feed = islice(self._feed(line, lines), most)
        try:
            reader = csv.reader(feed, delimiter=self._dialect.delimiter, strict=True)
            return next(reader), lines
        except (csv.Error, _TooLongError, StopIteration):
            if most is None:
                self._tried = self._line
            return None, lines

    def _begins_row(self, line: str) -> bool:
        """Tell whether a record of several lines that is like others begins here."""
        several, lines = self._several(line, _LOOK_AHEAD)
        self._put_back(lines)
        return (
            several is not None
            and len(several) == self._width
            and self._guard is not None
            and self._guard.is_row(several)
            and not any(self._rows(lines))
        )

    def _swallows(self, lines: list[str]) -> bool:
        """Tell whether all lines inside of a record look like records of their own."""
        if self._guard is None or len(lines) < _GOOD:
            return False
        return all(self._rows(lines[:-1]))

    def _rows(self, lines: list[str]) -> Iterator[bool]:
        """Tell of each line whether it looks like a record of its own."""
        for line in lines:
            fields, closed = self._single(line)
            whole = closed and len(fields) == self._width
            yield whole and self._guard is not None and self._guard.is_row(fields)

    def _fitted(self, record: list[str]) -> tuple[list[str] | None, str]:
        """Return a record if it has as many fields as the header, or the problem."""
        width = self._width
        if not width or len(record) == width:
            return record, ""
        if width < len(record) <= width + self._spare and not any(record[width:]):
            return record[:width], ""
        return None, f"{len(record)} fields where the header has {width}"

    def _single(self, line: str) -> tuple[list[str], bool]:
        """Return a line's fields, and whether no quote is left open at its end."""
        line = self._plain(line)
        if '"' not in line:
            return line.rstrip("\r\n").split(self._dialect.delimiter), True
        for strict in (True, False):
            reader = csv.reader(
                [line, _END], delimiter=self._dialect.delimiter, strict=strict
            )
            try:
                fields, closed = next(reader), next(reader, None) == [_END]
            except csv.Error:
                continue
            # Quotes inside of a quoted field come in pairs, unless it goes on below.
            return fields, closed and (strict or line.count('"') % 2 == 0)
        return [], False

    def _feed(self, line: str, lines: list[str]) -> Iterator[str]:
        yield self._plain(line)
        characters = 0
        while more := self._next_line():
            lines.append(more)
            characters += len(more)
            if characters > _MOST_CHARACTERS:
                raise _TooLongError
            yield self._plain(more)

    def _resume(self) -> None:
        """Skip to a line that surely begins a record."""
        width, guard = self._width, self._guard
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
            row = whole and guard and guard.is_row(fields if closed else fields[:-1])
            if row or (guard and not closed and self._begins_row(line)):
                self._put_back(seen[-1:])
                return
            sound = whole and closed and width > 1
            sound = sound and not (guard and guard.regular)
            good = good + 1 if sound else 0
            if good == _GOOD and first_good is None:
                first_good = number + 1 - _GOOD
            # With nothing to go by, the line of the closing quote ends the record.
            if not (guard and guard.regular) and self._plain(line).count('"') % 2:
                break
        else:
            if width == 1:  # the quote is closed nowhere
                first_good = 0
        if first_good is not None:
            self._put_back(seen[first_good:])
