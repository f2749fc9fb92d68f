"""The notes of a row, with what is known of each before it is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_mx.replace.marks import Ours, read_marks
from presidio_mx.research.systems.adbdc import find_in
from presidio_mx.text.spans import Span
from presidio_mx.work.batch.cells import Cells
from presidio_mx.work.batch.settings import Settings


@dataclass(frozen=True, repr=False)
class Note:
    """A note of a row.

    :param text: Its text, or whatever stands in the cell.
    :param found: What an index tells of it; None where an engine has to read it.
    :param place: Its place in the run, for marks.
    :param ours: What of it an earlier run put out; None where nobody asks.
    """

    text: Any
    found: Sequence[Span] | None
    place: str
    ours: Ours | None


def notes_of(settings: Settings, cells: Cells) -> Iterator[Note | None]:
    """Yield the notes of a row; None for those that are not there.

    :param settings: How the rows are de-identified.
    :param cells: The row.
    """
    marks = None
    if settings.ours and settings.key is not None:
        marks = read_marks(settings.ours, settings.key)
    for number, (text, found) in enumerate(
        zip(cells.texts, _found(cells), strict=True), start=1
    ):
        place = place_of(cells.place, number)
        ours = marks.find(text, place) if marks and isinstance(text, str) else None
        yield None if text is None else Note(text, found, place, ours)


def place_of(row: str | int, number: int) -> str:
    """Return what marks call the place of a note.

    :param row: Running number of the row.
    :param number: Which note of the row.
    """
    return f"{row}/{number}"


def _found(cells: Cells) -> Iterator[Sequence[Span] | None]:
    """Yield for each note what its index tells; None where an engine has to read it."""
    for number in cells.numbers or (None,) * len(cells.texts):
        if cells.index is None or number is None:
            yield None
        else:
            found = find_in(cells.index, number) if number >= 0 else []
            yield [Span(f.start, f.end, f.entity, None, f.score) for f in found]
