"""Files whose structure stays as it is, byte for byte, and whose values change."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property

from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import (
    Change,
    Dropped,
    LeftOut,
    Part,
    Sure,
    changed,
    inside,
)
from presidio_mx.work.documents.public import encoded, is_public

_PARAGRAPH = "\n\n"


class Read(Enum):
    """How a value is looked at.

    A ``FIELD`` stands among the others of its record, in the form of the file.
    ``PROSE`` is a text, read apart, for which the fields are known data. A ``KEY`` is
    read by its words, once for the whole file. What is ``KEPT`` stays and is shown to
    nobody.
    """

    FIELD = auto()
    PROSE = auto()
    KEY = auto()
    KEPT = auto()


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """A value of a file, where it stands and how it is written.

    :param start: First offset in the file.
    :param end: Offset after it.
    :param text: The value itself, its escapes undone.
    :param origins: Offset in the file of each character of ``text`` and of its end;
        None if the value is written as a whole when anything of it changes.
    :param escape: How a text is written there.
    :param path: Where it stands, in words of the format; keys that change are left out.
    :param read: How it is looked at.
    :param before: What stands before a text among the other texts.
    :param sure: What it is if its format says that it identifies somebody, with the
        role.
    :param form: What a new value must look like in its place; else ``masked`` stands
        over ``outer``.
    :param outer: The stretch that goes with the value, such as its key.
    :param masked: What stands there instead.
    :param instead: What stands there in the new file, whatever the value is.
    :param dropped: What is lost by that, if anything is.
    :param group: Number of the object in which a key stands once; 0 if it may again.
    """

    start: int
    end: int
    text: str
    origins: Sequence[int] | None
    escape: Callable[[str], str]
    path: str = ""
    read: Read = Read.FIELD
    before: str = _PARAGRAPH
    sure: tuple[str, str | None] | None = None
    form: re.Pattern[str] | None = None
    outer: tuple[int, int] | None = None
    masked: str = ""
    instead: str | None = None
    dropped: Dropped | None = None
    group: int = 0

    def written(self, raw: str, changes: Sequence[Change]) -> str:
        """Return what stands in the new file.

        :param raw: The old file.
        :param changes: In offsets of ``text``.
        """
        if self.instead is not None:
            return self.instead
        if not changes:
            return raw[self.start : self.end]
        if self.origins is None or any(map(self._cuts, changes)):
            return self.escape(changed(self.text, changes))
        there = [
            Change(
                self.origins[start] - self.start,
                self.origins[end] - self.start,
                self.escape(new),
            )
            for start, end, new in changes
        ]
        return changed(raw[self.start : self.end], there)

    def _cuts(self, change: Change) -> bool:
        """Tell whether a change ends inside what is one escape in the file."""
        at = self.origins
        assert at is not None
        return any(
            0 < edge < len(self.text) and at[edge] == at[edge - 1]
            for edge in (change.start, change.end)
        )


def checked(value: Value, name: str) -> Value:
    """Return a value as it can be read: its letters mended, encoded files left out.

    :param value: The value.
    :param name: What to call the file in errors.
    :raises InputError: If letters are gone.
    """
    if value.read is Read.KEPT or value.instead is not None:
        return value
    if value.read is not Read.KEY:
        if is_public(value.text):
            return replace(value, read=Read.KEPT)
        if encoded(value.text):
            return replace(value, instead="", dropped=Dropped.ENCODED)
    if value.text.isascii() and "?" not in value.text:
        return value
    text = mend(value.text, name).text
    if text == value.text:
        return value
    return replace(value, text=text, origins=None)


@dataclass(frozen=True, repr=False)
class Record:
    """One message, object or line of a file: a patient's.

    :param start: First offset in the file.
    :param end: Offset after it.
    :param values: Its values in order, apart from one another.
    """

    start: int
    end: int
    values: Sequence[Value]


@dataclass(repr=False)
class _Text:
    """A text that grows, and where its values stand."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    cells: list[tuple[int, int]] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    sure: list[Sure] = field(default_factory=list)

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    def value(self, value: Value, text: str) -> int:
        """Add a value; return where it begins."""
        start = self.length
        self.add(text)
        self.cells.append((start, self.length))
        self.values.append(value)
        if value.sure is not None and text.strip():
            self.sure.append(Sure(start, self.length, *value.sure))
        return start

    def part(self, told_by: int | None) -> Part:
        text = "".join(self.pieces).replace("\r\n", " \n").replace("\r", "\n")
        return Part(text, told_by, self.cells, self.sure)


class Structured:
    """A file with fields.

    Each record gives a text with its fields as they stand and, if it holds prose, a
    second one of that alone, for which the fields are known data. The keys of the file
    that are none of the format's come last.

    :param raw: The file.
    :param records: What is in it.
    :param suffix: Ending of its name.
    :param shown: How a value stands among the fields, of equal length: without what
        would end it there.
    """

    def __init__(
        self,
        raw: str,
        records: Iterable[Record],
        suffix: str,
        shown: Callable[[str], str],
    ) -> None:
        """Lay the texts out."""
        self.suffix = suffix
        self.left_out = LeftOut()
        self._raw = raw
        self._shown = shown
        self._placed: list[tuple[Value, int, int]] = []
        self._texts: list[tuple[_Text, int | None]] = []
        keys = _Text()
        known: dict[str, int] = {}
        pending: list[tuple[int, Value, int]] = []
        for record in records:
            self._lay_out(record, keys, known, pending)
        for number, value, at in pending:
            self._placed[number] = (value, len(self._texts), at)
        if keys.length:
            self._texts.append((keys, 0))
        self.parts = [text.part(told_by) for text, told_by in self._texts]

    def _lay_out(
        self,
        record: Record,
        keys: _Text,
        known: dict[str, int],
        pending: list[tuple[int, Value, int]],
    ) -> None:
        fields, prose = _Text(), _Text()
        number = len(self._texts)
        at = record.start
        for value in record.values:
            fields.add(self._raw[at : value.start])
            at = value.end
            where = number, 0
            if value.dropped is not None:
                lost = self._raw[value.start : value.end]
                self.left_out.add(value.dropped, value.path, lost)
            if value.instead is not None:
                fields.add(value.instead)
            elif value.read is Read.PROSE:
                prose.add(value.before if prose.length else value.before.lstrip("\n"))
                where = number + 1, prose.value(value, value.text)
            elif value.read is Read.KEY:
                if value.text not in known:
                    known[value.text] = keys.value(value, value.text)
                    keys.add(_PARAGRAPH)
                fields.add(self._raw[value.start : value.end])
                pending.append((len(self._placed), value, known[value.text]))
            elif value.read is Read.FIELD:
                where = number, fields.value(value, self._shown(value.text))
            self._placed.append((value, *where))
        fields.add(self._raw[at : record.end])
        self._texts.append((fields, None))
        if prose.length:
            self._texts.append((prose, number))

    def place(self, part: int, offset: int) -> str:
        """Return the path of a value.

        :param part: Number of the part.
        :param offset: Where in it.
        """
        text = self._texts[part][0]
        at = bisect_right(text.cells, (offset, len(self._raw) + offset + 1)) - 1
        return text.values[max(at, 0)].path

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new file as UTF-8.

        :param changes: For each part what is replaced in it. What touches keys, tags
            or separators changes the values around them alone.
        """
        near = [_Near(own) for own in changes]
        pieces: list[str] = []
        taken: set[tuple[int, str]] = set()
        at = 0
        for value, part, start in self._placed:
            own: list[Change] = []
            if value.instead is None and value.read is not Read.KEPT:
                own = near[part].of(start, start + len(value.text))
            begin, end, new = value.start, value.end, value.written(self._raw, own)
            if own and value.read is Read.KEY:
                new = _unlike(new, value, taken)
            elif own and value.form is not None and not value.form.fullmatch(new):
                begin, end = value.outer or (begin, end)
                new = value.masked
            pieces += (self._raw[at:begin], new)
            at = end
        return "".join([*pieces, self._raw[at:]]).encode("utf-8", "surrogatepass")


def _unlike(new: str, value: Value, taken: set[tuple[int, str]]) -> str:
    """Return a key that no other of its object is like."""
    if not value.group:
        return new
    number, first = 1, new
    while (value.group, new) in taken:
        number += 1
        new = f"{first}_{number}"
    taken.add((value.group, new))
    return new


@dataclass(frozen=True, repr=False)
class _Near:
    """The changes of a part, found by their place."""

    changes: Sequence[Change]

    @cached_property
    def _ends(self) -> list[int]:
        return [change.end for change in self.changes]

    def of(self, start: int, end: int) -> list[Change]:
        """Return the changes inside a stretch, in offsets from its beginning."""
        first = last = bisect_right(self._ends, start)
        while last < len(self.changes) and self.changes[last].start < end:
            last += 1
        return list(inside(self.changes[first:last], start, end))
