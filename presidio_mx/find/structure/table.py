"""Tables: headings give meaning to cells below them, or to the cell at their side."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from presidio_mx.find.structure.cells import (
    BLANKS,
    RULE,
    SIGNS,
    AlikeLines,
    cells_of,
    line_below,
    lines_of,
    part_cells,
)
from presidio_mx.find.structure.meanings import HOUSE, Lookup, Meaning
from presidio_mx.find.structure.parts import (
    CODED,
    OTHER,
    Field,
    Parts,
    Span,
    key_of,
    trimmed,
)
from presidio_mx.text.prepare import usual_gap

_LONGEST_ROW = 5000
_LONGEST_HEADING = 400
_LEAST_CELLS = 3
# Two lines that are no rows end a table; one may be a remark or a wrapped cell.
_MOST_MISSES = 2
# A cell may be typed this many characters left or right of where its heading begins.
_ASKEW = 3
# In a row of these all cells are there; in others the last ones may lack.
_STRICT = ","
# Headings of measurements hold days, but not a fourth of all.
_MOST_NUMBERS = 4
_NUMBER = re.compile(r"\d\d")
_MARKDOWN = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*")
_KIN = "relative"
_ELSE = frozenset({OTHER, CODED})
# What a line may hold for one patient after the other. Behind "nombre" may stand
# headings that no list has.
_TURNED = frozenset({"age", "date"})


class Row(NamedTuple):
    """A line cut into cells, and what each would mean as a heading.

    :param text: The text.
    :param line: Start and end of the line.
    :param separator: What parts the cells.
    :param cells: Their spans.
    :param columns: What each means as a heading.
    :param role: Whose a name below is if its heading does not say.
    """

    text: str
    line: Span
    separator: str
    cells: Sequence[Span]
    columns: Sequence[Meaning | None]
    role: str = "patient"

    @classmethod
    def of(
        cls, text: str, line: Span, separator: str, cells: Sequence[Span], look: Lookup
    ) -> "Row":
        """Look up the cells of a line."""
        columns = [look.label(text[slice(*c)]) if c[0] < c[1] else None for c in cells]
        return cls(text, line, separator, cells, columns)

    @property
    def labels(self) -> list[str]:
        """What stands in its cells."""
        return [self.text[slice(*cell)] for cell in self.cells]

    def heads(self) -> bool:
        """Tell whether enough of its cells are known headings."""
        known = [column for column in self.columns if column is not None]
        filled = sum(start < end for start, end in self.cells)
        holds = {column.holds for column in known} - _ELSE
        numbers = sum(_NUMBER.search(label) is not None for label in self.labels)
        if len(known) < 2 or not holds or _MOST_NUMBERS * numbers > filled:
            return False
        if filled < _LEAST_CELLS:
            return len(known) == len(self.cells) and self.separator != BLANKS
        # Where blanks or tabs part them, it may be a sentence: some editors put tabs.
        named = bool(self.separator.strip()) and "name" in holds and len(holds) > 1
        return 2 * len(known) >= filled or named

    @property
    def names(self) -> list[Span]:
        """Where its known headings stand."""
        pairs = zip(self.cells, self.columns, strict=True)
        return [cell for cell, column in pairs if column is not None]

    def over(self, look: Lookup) -> "Row":
        """Return it as the headings of a table: of relatives under one of kinship."""
        owners = look.meanings.owners
        kin = any(owners.get(key_of(label)) == _KIN for label in self.labels)
        return self._replace(role=_KIN) if kin else self


def row_fields(
    heading: Row,
    cells: Sequence[Span | None],
    look: Lookup,
    kind: str = "table",
    path: tuple[str, ...] = (),
) -> Iterator[Field]:
    """Yield the cells of a row as fields.

    :param heading: What stands over them.
    :param cells: Their spans; None where the row has nothing under a heading.
    :param look: What headings mean.
    :param kind: Structure that is read.
    :param path: What stands around the table, e.g. its name.
    """
    known, role, labels = look.meanings, heading.role, heading.labels
    written = [heading.text[slice(*cell)] if cell else "" for cell in cells]
    if role == _KIN and any(known.owners.get(key_of(w)) == "patient" for w in written):
        role = "patient"
    keys = [key_of(label) for label in labels]
    asked = [w for w, key in zip(written, keys, strict=False) if key in known.asking]
    street = False
    for place, cell in enumerate(cells[: len(keys)]):
        label, column = labels[place], heading.columns[place]
        if street and keys[place] in known.dwelling:
            column = HOUSE
        street = column is not None and column.of_address
        if cell is None or cell[0] == cell[1]:
            continue
        if asked and keys[place] in known.answering:
            label, column = asked[0], known.of_question(asked[0])
        holds, whose = (column.holds, column.role or role) if column else ("", None)
        yield Field(*cell, kind, (*path, label), holds, whose)


def read_rows(rows: Iterable[tuple[Row, bool]], look: Lookup, parts: Parts) -> None:
    """Take the cells of a table of HTML.

    :param rows: Its rows, and whether all cells of a row are headings.
    :param look: What headings mean.
    :param parts: What is added to.
    """
    heading: Row | None = None
    for row, headed in rows:
        pairs = [] if headed else _pairs(row, [*range(len(row.cells))], look, "html")
        if pairs:
            parts.fields += pairs
            parts.labels += row.names
        elif (headed and len(row.cells) > 1) or row.heads():
            heading = row.over(look)
            parts.labels += row.cells if headed else row.names
        elif heading and len(row.cells) == len(heading.cells):
            parts.fields += row_fields(heading, row.cells, look, "html")


def read_tables(text: str, look: Lookup, parts: Parts) -> None:
    """Take the cells of all tables whose rows are lines.

    :param text: The text.
    :param look: What headings mean.
    :param parts: What is added to.
    """
    separators = [s for s in (*SIGNS, BLANKS) if s in text]
    blanks = text.count(" ")
    if 3 * max(text.count(BLANKS), text.count("\t")) > blanks:
        gap = usual_gap(text)  # white space that parts words, and no columns
        separators = [s for s in separators if s not in gap]
    # In prose a blank follows a comma.
    signs = re.compile(
        "|".join(",(?! )" if s == "," else re.escape(s) for s in separators)
    )
    alike = AlikeLines(text, parts)
    heading: Row | None = None
    misses = 0
    for line in lines_of(text) if separators and signs.search(text) else ():
        plain = signs.search(text, *line) is None
        if line[1] - line[0] > _LONGEST_ROW or (plain and heading is None):
            alike.end()
            continue
        alike.take(line)
        rows = (
            []
            if plain or _is_data(text, line, heading, look)
            else [*_split(text, line, separators, look)]
        )
        pairs, labels, row = _in_line(rows, look)
        new = row or next((r for r in rows if _is_heading(r)), None)
        if new is not None:
            parts.fields += pairs
            ruled = new.separator == "|" and _is_ruled(text, line)
            parts.labels += labels or (new.cells if ruled else new.names)
            part_cells(text, line, () if new.separator == BLANKS else new.cells, parts)
            heading, misses = (heading if row else new.over(look)), 0
        elif heading is not None:
            if _is_form(text, line, heading, look):
                misses = _MOST_MISSES
            elif not RULE.fullmatch(text, *line):
                cells = _under(text, line, heading)
                misses = 0 if cells else misses + 1
                if cells:
                    parts.fields += row_fields(heading, cells, look)
                    whole = (
                        [] if heading.separator == BLANKS else [*filter(None, cells)]
                    )
                    part_cells(text, line, whole, parts)
            elif not text[slice(*line)].strip():
                misses += 1
            heading = None if misses >= _MOST_MISSES else heading
    alike.end()


def _is_data(text: str, line: Span, heading: Row | None, look: Lookup) -> bool:
    """Tell whether a line below headings holds numbers and begins with no heading."""
    if heading is None or not _NUMBER.search(text, *line):
        return False
    cells = cells_of(text, line, heading.separator)
    return not cells or look.label(text[slice(*cells[0])]) is None


def _split(
    text: str, line: Span, separators: Iterable[str], look: Lookup
) -> Iterator[Row]:
    """Yield a line by each separator that it has; its cells may be headings."""
    length = line[1] - line[0]
    for separator in separators:
        count = text.count(separator, *line)
        strict = separator == _STRICT
        if not count or length > (_LONGEST_HEADING if strict else 60 * (count + 1)):
            continue
        if not strict or text.find(", ", *line) < 0:
            cells = cells_of(text, line, separator)
            yield Row.of(text, line, separator, cells, look)


def _is_heading(row: Row) -> bool:
    """Tell whether a line is one of headings over rows."""
    text, line = row.text, row.line
    if line[1] - line[0] > _LONGEST_HEADING:
        return False
    if row.separator == "|" and len(row.cells) > 1 and _is_ruled(text, line):
        return True
    if not row.heads():
        return False
    below = line_below(text, line)
    if row.separator == BLANKS:  # they part much: a row must stand below
        return below is not None and sum(map(bool, _under(text, below, row))) >= 2
    if len(row.cells) < _LEAST_CELLS:
        return below is not None and text.count(row.separator, *below) == 1
    return True


def _is_ruled(text: str, line: Span) -> bool:
    """Tell whether a rule of Markdown stands below a line."""
    rule = next(lines_of(text, line[1] + 1), (0, 0))
    return _MARKDOWN.fullmatch(text, *rule) is not None


def _is_form(text: str, line: Span, heading: Row, look: Lookup) -> bool:
    """Tell whether a line below columns of blanks is one of a form: label and value."""
    if heading.separator != BLANKS:
        return False
    cells = cells_of(text, line, BLANKS)
    return len(cells) > 1 and look.label(text[slice(*cells[0])]) is not None


def _under(text: str, line: Span, heading: Row) -> Sequence[Span | None]:
    """Return the cells of a row under their headings, or none if it is no row."""
    if heading.separator == BLANKS:
        return _sliced(text, line, heading) or _aligned(text, line, heading)
    cells = cells_of(text, line, heading.separator)
    size = len(heading.cells)
    least = size if heading.separator == _STRICT else min(size, _LEAST_CELLS)
    return cells if least <= len(cells) <= size else ()


def _sliced(text: str, line: Span, heading: Row) -> Sequence[Span | None]:
    """Return a row cut where the headings begin, if no word lies across a cut."""
    cuts = [line[0] + cell[0] - heading.line[0] for cell in heading.cells]
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


def _aligned(text: str, line: Span, heading: Row) -> Sequence[Span | None]:
    """Return the cells of a row that begin about where a heading does."""
    cells = cells_of(text, line, BLANKS)
    if len(cells) == len(heading.cells):
        return cells
    placed: list[Span | None] = []
    for head in heading.cells:
        offset = head[0] - heading.line[0] + line[0]
        near = (cell for cell in cells if abs(cell[0] - offset) <= _ASKEW)
        placed.append(next(near, None))
    return placed if sum(map(bool, placed)) >= 2 else ()


def _in_line(
    rows: Sequence[Row], look: Lookup
) -> tuple[list[Field], list[Span], Row | None]:
    """Return fields and headings of a line that holds both, and how it is cut.

    Such are forms that were a table of two columns and more ("Nombre | Ana Ruiz |
    Edad | 45"), and tables with their headings at the left and one column for each
    patient ("edad | 44 | 62 | 29").
    """
    for row in rows:
        if row.separator == _STRICT or len(row.cells) < _LEAST_CELLS:
            continue
        # As they stand; else an empty cell may stand between one pair and the next.
        every = [*range(len(row.cells))]
        filled = [i for i in every if row.cells[i][0] < row.cells[i][1]]
        for places in [every] if filled == every else [every, filled]:
            pairs = _pairs(row, places, look)
            if pairs and (_has_digit(row, places[1::2]) or _ends(row, look)):
                return pairs, row.names, row
        first = row.columns[0]
        turned = first and first.holds in _TURNED and not any(row.columns[1:])
        if first and turned and len(filled) > 2:
            label = row.labels[0]
            role = first.role or "patient"
            fields = [
                Field(start, end, "table", (label,), first.holds, role)
                for start, end in (row.cells[i] for i in filled[1:])
            ]
            return fields, [row.cells[0]], row
    return [], [], None


def _pairs(
    row: Row, places: Sequence[int], look: Lookup, kind: str = "table"
) -> list[Field]:
    """Return the values of a row in which headings and values take turns."""
    heads, values = places[: 2 * (len(places) // 2) : 2], places[1::2]
    known = [i for i in heads if row.columns[i] is not None]
    least = 1 if kind == "html" else 2
    if len(known) < least or 2 * len(known) <= len(heads):
        return []
    if any(row.columns[i] for i in values):
        return []
    heading = row._replace(
        cells=[row.cells[i] for i in heads], columns=[row.columns[i] for i in heads]
    )
    return [*row_fields(heading, [row.cells[i] for i in values], look, kind)]


def _has_digit(row: Row, places: Iterable[int]) -> bool:
    """Tell whether a cell holds a digit, which headings seldom do."""
    return any(c.isdigit() for i in places for c in row.text[slice(*row.cells[i])])


def _ends(row: Row, look: Lookup) -> bool:
    """Tell whether no row of a table follows a line, but its end or more headings."""
    below = line_below(row.text, row.line)
    if below is None or below[1] - below[0] > _LONGEST_ROW:
        return True
    cells = cells_of(row.text, below, row.separator)
    return (
        len(cells) < _LEAST_CELLS or look.label(row.text[slice(*cells[0])]) is not None
    )
