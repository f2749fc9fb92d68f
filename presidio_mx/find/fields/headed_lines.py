"""Lines of a table with headings and values: in turn, or the heading at the left."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from presidio_mx.find.fields.cells import Span, cells_of, lines_of
from presidio_mx.find.fields.field import Field, Label
from presidio_mx.find.fields.meanings import Meaning, Meanings

LONGEST_ROW = 5000
LEAST_CELLS = 3
RULE = re.compile(r"[\s|+=_-]*")
"""A line that is a rule, or empty."""
# In a row of these all cells are there; in others the last ones may lack.
STRICT = ","
# What a line may hold for one patient after the other. Behind "nombre" may stand
# headings that no list has.
_TURNED = frozenset({"age", "date"})


class Split(NamedTuple):
    """A line cut at a separator.

    :param separator: What parts the cells; two blanks part columns.
    :param cells: Their spans.
    :param keys: What stands in them, as it is looked up.
    :param columns: What each means as a heading.
    """

    separator: str
    cells: list[Span]
    keys: list[str]
    columns: list[Meaning | None]


def pairs_in_line(
    text: str, line: Span, split: Sequence[Split], meanings: Meanings
) -> list[Field | Label]:
    """Return headings and values of a line where each heading has its value beside it.

    Such are forms that were a table of two columns and more: "Nombre | Ana Ruiz | Edad
    | 45". Most cells at odd places are known headings, and no other is.
    """
    for separator, cells, keys, known in split:
        if separator == STRICT:
            continue
        # As they stand; else an empty cell may stand between one pair and the next.
        every = list(range(len(keys)))
        filled = [place for place, key in enumerate(keys) if key]
        for places in [every] if filled == every else [every, filled]:
            chosen = [cells[i] for i in places], [known[i] for i in places]
            paired = _paired(text, line, separator, *chosen, meanings)
            if paired:
                return paired
    return []


def turned_line(split: Sequence[Split]) -> list[Field | Label]:
    """Return heading and values of a line of a table that has its headings at the left.

    "edad | 44 | 62 | 29": one column for each patient.
    """
    for separator, cells, keys, columns in split:
        first, values = (columns or [None])[0], cells[1:]
        told = first and first.holds in _TURNED and not any(columns[1:])
        if first and told and separator != STRICT and sum(map(bool, keys)) > 2:
            found = [field for value in values for field in first.of_value(*value)]
            return [Label(*cells[0]), *found]
    return []


def _paired(
    text: str,
    line: Span,
    separator: str,
    cells: list[Span],
    known: list[Meaning | None],
    meanings: Meanings,
) -> list[Field | Label]:
    """Return headings and values if they take turns."""
    columns, values = known[: 2 * (len(cells) // 2) : 2], cells[1::2]
    told = len(columns) - columns.count(None)
    if told < 2 or 2 * told <= len(columns) or any(known[1::2]):
        return []
    if not (_has_digit(text, values) or _ends(text, line, separator, meanings)):
        return []
    return [Label(*cell) for cell in cells[::2]] + [
        field
        for value, column in zip(values, columns, strict=True)
        if column is not None
        for field in column.of_value(*value)
    ]


def _has_digit(text: str, cells: Sequence[Span]) -> bool:
    """Tell whether a cell holds a digit, which headings seldom do."""
    return any(c.isdigit() for start, end in cells for c in text[start:end])


def _ends(text: str, line: Span, separator: str, meanings: Meanings) -> bool:
    """Tell whether no row of a table follows a line, but its end or more headings."""
    below = line_below(text, line)
    if below is None or below[1] - below[0] > LONGEST_ROW:
        return True
    cells = cells_of(text, below, separator)
    if len(cells) < LEAST_CELLS:
        return True
    return is_label(text, cells[0], meanings)


def is_label(text: str, cell: Span, meanings: Meanings) -> bool:
    """Tell whether a cell holds a known heading."""
    return meanings.of_label(text[slice(*cell)]) is not None


def line_below(text: str, line: Span) -> Span | None:
    """Return the next line that is more than a rule, if there is one."""
    below = lines_of(text, line[1] + 1)
    return next((span for span in below if not RULE.fullmatch(text, *span)), None)
