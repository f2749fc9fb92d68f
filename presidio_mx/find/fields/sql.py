"""SQL: the columns that an INSERT names give meaning to its values."""

import re
from collections.abc import Iterator

from presidio_mx.find.fields.field import Field, Label, trimmed
from presidio_mx.find.fields.meanings import Meanings

_INSERT = re.compile(
    r"\binsert\s+into\s+\S{1,80}\s*\((?P<columns>[^()]{3,2000})\)\s*values\s*", re.I
)
_COLUMN = re.compile(r"[^,]+")
_ROW = re.compile(r"\s*,?\s*\((?P<cells>(?:'(?:[^']|'')*+'|[^'()]){1,20000}+)\)")
_CELL = re.compile(r"\s*(?:'(?P<text>(?:[^']|'')*+)'|(?P<plain>[^',]*))\s*(?:,|$)")


def sql_fields(text: str, meanings: Meanings) -> Iterator[Field | Label]:
    """Yield the values of all rows whose columns are named, and the columns.

    :param text: The note.
    :param meanings: What columns mean.
    """
    for match in _INSERT.finditer(text):
        start, end = match.span("columns")
        spans = [trimmed(text, *c.span()) for c in _COLUMN.finditer(text, start, end)]
        yield from (Label(*span) for span in spans)
        columns = [meanings.of_label(text[slice(*span)]) for span in spans]
        row = _ROW.match(text, match.end())
        while row is not None:
            cells = _cells(text, *row.span("cells"))
            if len(cells) == len(columns):
                for cell, meaning in zip(cells, columns, strict=True):
                    if meaning is not None:
                        yield from meaning.of_value(*cell)
            row = _ROW.match(text, row.end())


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the values of a row without their quotes."""
    cells: list[tuple[int, int]] = []
    while start < end:
        match = _CELL.match(text, start, end)
        if match is None:
            break
        cells.append(match.span("text" if match["text"] is not None else "plain"))
        start = match.end()
    return cells
