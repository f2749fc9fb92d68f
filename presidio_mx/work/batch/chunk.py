"""Rows on their way: from a source through the workers to a sink."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from presidio_mx.work.batch.cells import BLANK, Cells, Done, as_text
from presidio_mx.work.batch.columns import Columns

ROWS = 64
CHARACTERS = 200_000
OnError = Literal["blank", "skip"]


class _Missing:
    """A field that a row does not have."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


@dataclass(frozen=True, repr=False)
class Chunk:
    """Some rows in a run.

    :param first: Running number of the first row; the input's first row has 1.
    :param cells: What is looked at.
    :param rest: What passes by, in the source's own form, for its sink.
    :param position: How far the source is, in the unit of its total.
    """

    first: int
    cells: tuple[Cells, ...]
    rest: Any
    position: int

    @property
    def after(self) -> int:
        """Number of rows up to the end of this chunk."""
        return self.first - 1 + len(self.cells)

    def digest(self, before: str, read_again: object) -> str:
        """Return a digest of all rows so far, by which an input is known again.

        :param before: Digest of the rows before these.
        :param read_again: Something if the input can be read a second time; of a
            stream what passes by counts, too.
        """
        digest = hashlib.blake2b(before.encode(), digest_size=16)
        for row in self.cells:
            for value in (*row.texts, *row.known, row.id):
                data = as_text(value).encode("utf-8", "surrogatepass")
                digest.update(b"%d:" % len(data) + data)
        if not read_again:
            digest.update(repr(self.rest).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


class Source(Protocol):
    """Where rows come from, in an order that is always the same."""

    columns: tuple[str, ...]
    total: int | None
    unit: Literal["bytes", "rows"]
    said: tuple[str, ...]

    @property
    def skipped(self) -> int:
        """Empty records that were skipped, so far."""
        ...

    @property
    def counted(self) -> int:
        """All records that are there, counted by other means than ``chunks`` has.

        To be asked at the end of ``chunks``; header lines are not among them.
        """
        ...

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all rows; called once."""
        ...


class Sink(Protocol):
    """Where rows go, in their order; can go on at a place it reached before."""

    def open(self, position: int) -> None:
        """Begin, or cut off what came behind a position and go on there."""
        ...

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the rows of a chunk; return how many were written."""
        ...

    def sync(self) -> int:
        """Put everything on the disk; return the position."""
        ...

    def finish(self) -> Path:
        """Complete the output; return the file or folder to move into place."""
        ...


@dataclass(repr=False)
class Gatherer:
    """Rows gathered until they are enough for a chunk.

    :param first: Running number of the next chunk's first row.
    """

    first: int = 1
    cells: list[Cells] = field(default_factory=list)
    rest: list[Any] = field(default_factory=list)
    characters: int = 0

    def add(self, cells: Cells, rest: Any, size: int = 0) -> bool:
        """Add a row; tell whether the chunk is full.

        :param cells: What is looked at.
        :param rest: What passes by.
        :param size: Its length in characters, so that wide rows make short chunks.
        :return: True if the chunk is full.
        """
        self.cells.append(cells)
        self.rest.append(rest)
        self.characters += size
        return len(self.cells) >= ROWS or self.characters >= CHARACTERS

    def take(self, position: int) -> Chunk:
        """Return the chunk and begin the next.

        :param position: How far the source is.
        :return: The chunk.
        """
        chunk = Chunk(self.first, tuple(self.cells), self.rest, position)
        self.first = chunk.after + 1
        self.cells, self.rest, self.characters = [], [], 0
        return chunk


class Layout:
    """How an output row is put together.

    :param columns: What the columns are for.
    :param available: Columns of the input.
    :param on_error: What becomes of a row that failed.
    """

    def __init__(
        self, columns: Columns, available: Sequence[str], on_error: OnError
    ) -> None:
        """Find the places of the columns."""
        self.on_error = on_error
        self.available = tuple(available)
        self.output = columns.output(available)
        self._at = {name: place for place, name in enumerate(available)}
        self._text = {name: place for place, name in enumerate(columns.text)}
        replaced = set(columns.replaced)
        self._known = {
            name: place for place, name in enumerate(columns.known) if name in replaced
        }
        self._known_columns = tuple(columns.known)
        self._id_column = columns.id
        self._id = columns.id if columns.id_as == "replace" else None

    @property
    def new(self) -> tuple[bool, ...]:
        """For each column of the output whether its values are made by the run."""
        made = {*self._text, *self._known, self._id}
        return tuple(name in made for name in self.output)

    def cells(self, values: Sequence[Any]) -> Cells:
        """Return what is looked at of a row.

        :param values: All values of the row, in the order of the input's columns.
        :return: Its notes, known data and identifier.
        """
        at = self._at
        texts = (values[at[name]] for name in self._text)
        known = (values[at[name]] for name in self._known_columns)
        return Cells(
            tuple(None if text is MISSING else text for text in texts),
            tuple(None if cell is MISSING else cell for cell in known),
            None if self._id_column is None else values[at[self._id_column]],
        )

    def unreadable(self, problem: str) -> Cells:
        """Return the cells of a row that could not be read.

        :param problem: Why, without the row's text.
        :return: Cells that will not be worked on.
        """
        return Cells((None,) * len(self._text), problem=problem)

    def row(self, values: Sequence[Any] | None, done: Done) -> list[Any] | None:
        """Return the output row.

        :param values: All values of the input row; None if it could not be read.
        :param done: What became of it.
        :return: The new values; None if the row is left out.
        """
        if done.problem and self.on_error == "skip":
            return None
        return [self._value(name, values, done) for name in self.output]

    def _value(self, name: str, values: Sequence[Any] | None, done: Done) -> Any:
        place = self._text.get(name)
        if done.problem:
            if place is not None:
                return BLANK
            if values is None or name in self._known or name == self._id:
                return None
            return values[self._at[name]]
        assert values is not None
        old = values[self._at[name]]
        if old is MISSING:
            return MISSING
        if place is not None:
            return done.texts[place]
        if name in self._known:
            return done.known[self._known[name]]
        return done.id if name == self._id else old
