"""Lines of a table, cut into cells."""

import re
from collections.abc import Iterator, Sequence

from presidio_mx.find.structure.parts import Parts, Span, trimmed

SIGNS = "\t|;,"
"""What parts cells, if it is one sign."""
BLANKS = "  "
"""Stands for two blanks and more, which part columns."""
RULE = re.compile(r"[\s|+=_:-]*")
"""A line that is a rule, or empty."""

_CELL = {
    separator: re.compile(
        rf'\s*"(?:[^"]|"")*+"[^{re.escape(separator)}]*|[^{re.escape(separator)}]*'
    )
    for separator in SIGNS
}
# Quotes hide no sign in a table that is drawn with bars, as Markdown does.
_DRAWN = "|"
_DRAWN_CELL = re.compile(r"[^|]*")
_QUOTED = re.compile(r'"[^"]*"')
_ALIGNED = re.compile(r"\S+(?:[ ]\S+)*")
_LEAST_ROWS = 3
_LEAST_SIGNS = {"\t": 2, "|": 3, ";": 2, ",": 3}


def lines_of(text: str, start: int = 0) -> Iterator[Span]:
    """Yield the spans of the lines of a text, without their line feeds.

    :param text: The text.
    :param start: Where the first of them begins.
    """
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def line_below(text: str, line: Span) -> Span | None:
    """Return the next line that is more than a rule, if there is one."""
    below = lines_of(text, line[1] + 1)
    return next((span for span in below if not RULE.fullmatch(text, *span)), None)


def cells_of(text: str, line: Span, separator: str) -> list[Span]:
    """Return the spans of the cells of a line, without blanks and quotes.

    :param text: The text.
    :param line: Start and end of the line.
    :param separator: One of :data:`SIGNS`, or :data:`BLANKS`.
    """
    if separator == BLANKS:
        return [match.span() for match in _ALIGNED.finditer(text, *line)]
    cells, pattern = [], _CELL[separator]
    start, end = line
    if separator == _DRAWN:
        start, end = trimmed(text, *line)
        if text.startswith(_DRAWN, start):
            start, pattern = start + 1, _DRAWN_CELL
        end -= text.endswith(_DRAWN, start, end)
    while start <= end:
        match = pattern.match(text, start, end)
        if match is None:
            break
        cells.append(_unquoted(text, *trimmed(text, *match.span())))
        start = match.end() + 1
    return cells


def _unquoted(text: str, start: int, end: int) -> Span:
    if end - start > 1 and text[start] == text[end - 1] and text[start] in "\"'":
        return start + 1, end - 1
    return start, end


def part_cells(text: str, line: Span, cells: Sequence[Span], parts: Parts) -> None:
    """Make boundaries of what parts the cells of a row, and of its line ends.

    :param text: The text.
    :param line: Start and end of the row.
    :param cells: Its cells; none where columns of blanks part them, which a name may
        cross.
    :param parts: What is added to.
    """
    parts.boundaries += (max(0, line[0] - 1), line[0]), (line[1], line[1] + 1)
    last = line[0]
    for start, end in cells:
        parts.boundaries.append((last, start))
        if '""' in text[start:end]:
            found = re.finditer('""', text[start:end])
            parts.whole += ((start + m.start(), start + m.end()) for m in found)
        last = end
    if cells:
        parts.boundaries.append((last, line[1]))


class AlikeLines:
    """Lines with as many signs as one another: rows of a table, whatever heads them.

    :param text: The text.
    :param parts: What is added to.
    """

    def __init__(self, text: str, parts: Parts) -> None:
        """Begin with no line."""
        self._text, self._parts = text, parts
        self._signs = [sign for sign in SIGNS if sign in text]
        self._form: tuple[str, int] | None = None
        self._lines: list[Span] = []

    def take(self, line: Span) -> None:
        """Look at the next line; an empty one ends a run of rows."""
        form = self._form_of(line)
        if form != self._form:
            self.end()
        self._form = form
        self._lines.append(line)

    def end(self) -> None:
        """Make boundaries in the rows of the last run, if there are enough of them."""
        if self._form and len(self._lines) >= _LEAST_ROWS:
            for line in self._lines:
                cells = cells_of(self._text, line, self._form[0])
                # A form of boxes has a letter in each.
                letters = sum(end - start == 1 for start, end in cells)
                if self._form[0] != "|" or 2 * letters <= len(cells):
                    part_cells(self._text, line, cells, self._parts)
        self._form, self._lines = None, []

    def _form_of(self, line: Span) -> tuple[str, int] | None:
        """Return what parts the cells of a line, and how often."""
        written = self._text[slice(*line)]
        if '"' in written and not written.lstrip().startswith(_DRAWN):
            written = _QUOTED.sub("", written)
        for sign in self._signs:
            count = written.count(sign)
            # In prose a blank follows a comma.
            if count >= _LEAST_SIGNS[sign] and (sign != "," or ", " not in written):
                return sign, count
        return None
