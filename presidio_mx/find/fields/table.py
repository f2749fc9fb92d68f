"""Tables: headings give meaning to the cells below them, or to the cell beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from presidio_mx.find.fields.cells import BLANKS, SIGNS, Span, cells_of, lines_of
from presidio_mx.find.fields.field import Field, Label, key_of, trimmed
from presidio_mx.find.fields.headed_lines import (
    LEAST_CELLS,
    LONGEST_ROW,
    RULE,
    STRICT,
    Split,
    is_label,
    line_below,
    pairs_in_line,
    turned_line,
)
from presidio_mx.find.fields.meanings import OTHER, Meaning, Meanings

_LONGEST_HEADING = 400
# Two lines that are no rows end a table; one may be a remark or a wrapped cell.
_MOST_MISSES = 2
# A cell may be typed this many characters beside the beginning of its heading.
_ASKEW = 3
# A heading has as many of them, three cells at least.
_LEAST_SEPARATORS = dict.fromkeys([*SIGNS, BLANKS], LEAST_CELLS - 1)
_KIN = "relative"


@dataclass(frozen=True, slots=True)
class _Heading:
    """A line of headings.

    :param separator: What parts its cells; two blanks part columns.
    :param cells: Spans of the headings.
    :param columns: What each says of the cells below.
    :param line: Offset of the line.
    :param role: Role of a name whose heading tells none.
    """

    separator: str
    cells: tuple[Span, ...]
    columns: tuple[Meaning | None, ...]
    line: int
    role: str


def table_fields(
    text: str, meanings: Meanings, gap: str = " "
) -> Iterator[Field | Label]:
    """Yield the cells of all tables that have a line of headings, and the headings.

    :param text: The note.
    :param meanings: What headings mean.
    :param gap: White space that parts words in this note, and no columns.
    """
    separators = [s for s in _LEAST_SEPARATORS if s not in gap]
    heading: _Heading | None = None
    misses = 0
    for line in lines_of(text):
        split = list(_split(text, line, meanings, separators))
        pairs = pairs_in_line(text, line, split, meanings) or turned_line(split)
        if pairs:
            yield from pairs
            continue
        new = _heading(line, split, meanings)
        if new is not None and _is_headed(text, line, new):
            heading, misses = new, 0
            yield from (Label(*cell) for cell in new.cells)
        elif heading is not None and _is_form(text, line, heading, meanings):
            heading = None
        elif heading is not None and not RULE.fullmatch(text, *line):
            cells = _row(text, line, heading)
            misses = 0 if cells else misses + 1
            yield from _fields(text, cells, heading, meanings)
        elif heading is not None and not text[slice(*line)].strip():
            misses += 1
        if misses >= _MOST_MISSES:
            heading = None


def _split(
    text: str, line: Span, meanings: Meanings, separators: Sequence[str]
) -> Iterator[Split]:
    """Yield a line by each separator that it has often enough."""
    length = line[1] - line[0]
    if length > LONGEST_ROW:
        return
    for separator in separators:
        least = _LEAST_SEPARATORS[separator]
        # Commas part headings alone, and a line of prose has many.
        if separator == STRICT and length > _LONGEST_HEADING:
            continue
        if text.count(separator, *line) >= least:
            cells = cells_of(text, line, separator)
            keys = [key_of(text[slice(*cell)]) for cell in cells]
            columns = [meanings.of_label(text[slice(*cell)]) for cell in cells]
            yield Split(separator, cells, keys, columns)


def _heading(line: Span, split: Sequence[Split], meanings: Meanings) -> _Heading | None:
    """Return the headings that a line holds, if it is a line of headings."""
    if line[1] - line[0] > _LONGEST_HEADING:
        return None
    for separator, cells, keys, columns in split:
        known = [column for column in columns if column is not None]
        filled = sum(map(bool, keys))
        if (
            filled >= LEAST_CELLS
            and len(known) >= 2
            and (2 * len(known) >= filled or _names_and_more(separator, known))
            and any(column.holds != OTHER for column in known)
        ):
            role = _KIN if any(meanings.owners.get(k) == _KIN for k in keys) else ""
            return _Heading(
                separator, tuple(cells), tuple(columns), line[0], role or "patient"
            )
    return None


def _is_headed(text: str, line: Span, heading: _Heading) -> bool:
    """Tell whether a row stands below headings that blanks part, as they part much."""
    if heading.separator != BLANKS:
        return True
    below = line_below(text, line)
    return below is not None and sum(map(bool, _row(text, below, heading))) >= 2


def _is_form(text: str, line: Span, heading: _Heading, meanings: Meanings) -> bool:
    """Tell whether a line below columns of blanks is one of a form: label and value."""
    if heading.separator != BLANKS:
        return False
    cells = cells_of(text, line, BLANKS)
    return len(cells) > 1 and is_label(text, cells[0], meanings)


def _names_and_more(separator: str, known: Sequence[Meaning]) -> bool:
    """Tell whether headings of names and of something else are among the headings.

    Where blanks or tabs part them, it may be a sentence: some editors put tabs.
    """
    holds = {column.holds for column in known} - {OTHER}
    return bool(separator.strip()) and "name" in holds and len(holds) > 1


def _row(text: str, line: Span, heading: _Heading) -> Sequence[Span | None]:
    """Return the cells of a row under their headings, or none if it is no row."""
    if line[1] - line[0] > LONGEST_ROW:
        return ()
    if heading.separator == BLANKS:
        return _sliced(text, line, heading) or _aligned(text, line, heading)
    cells = cells_of(text, line, heading.separator)
    size = len(heading.columns)
    least = size if heading.separator == STRICT else min(size, LEAST_CELLS)
    return cells if least <= len(cells) <= size else ()


def _sliced(text: str, line: Span, heading: _Heading) -> Sequence[Span | None]:
    """Return a row cut where the headings begin, if no word lies across a cut."""
    cuts = [line[0] + cell[0] - heading.line for cell in heading.cells]
    inside = [cut for cut in cuts if line[0] < cut < line[1]]
    if len(inside) < 2 or any(not text[cut - 1].isspace() for cut in inside):
        return ()
    ends = [*cuts[1:], line[1]]
    cells = [
        trimmed(text, cut, min(end, line[1])) if cut < line[1] else None
        for cut, end in zip(cuts, ends, strict=True)
    ]
    # Two columns in one: the headings do not stand where the columns begin.
    return () if any(c and BLANKS in text[slice(*c)] for c in cells) else cells


def _aligned(text: str, line: Span, heading: _Heading) -> Sequence[Span | None]:
    """Return the cells of a row that begin about where a heading does."""
    cells = cells_of(text, line, BLANKS)
    if len(cells) == len(heading.cells):
        return cells
    placed: list[Span | None] = []
    for head in heading.cells:
        offset = head[0] - heading.line + line[0]
        placed.append(
            next((cell for cell in cells if abs(cell[0] - offset) <= _ASKEW), None)
        )
    return placed if sum(map(bool, placed)) >= 2 else ()


def _fields(
    text: str,
    cells: Sequence[Span | None],
    heading: _Heading,
    meanings: Meanings,
) -> Iterator[Field]:
    """Yield the cells of a row whose headings mean something."""
    role = heading.role
    if role == _KIN and any(
        cell and meanings.owners.get(key_of(text[slice(*cell)])) == "patient"
        for cell in cells
    ):
        role = "patient"
    for cell, column in zip(cells, heading.columns, strict=False):
        if cell is not None and column is not None:
            yield from column.of_value(*cell, role)
