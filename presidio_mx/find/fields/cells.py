"""Cut a line of a table into cells."""

import re
from collections.abc import Iterator

from presidio_mx.find.fields.field import trimmed

SIGNS = "\t|;,"
"""What parts cells, if it is one sign."""
BLANKS = "  "
"""Stands for two blanks and more, which part columns."""

_CELL = {
    separator: re.compile(
        rf'\s*"(?:[^"]|"")*+"[^{re.escape(separator)}]*|[^{re.escape(separator)}]*'
    )
    for separator in SIGNS
}
_ALIGNED = re.compile(r"\S+(?:[ ]\S+)*")

Span = tuple[int, int]


def lines_of(text: str, start: int = 0) -> Iterator[Span]:
    """Yield the spans of the lines of a note, without their line feeds.

    :param text: The note.
    :param start: Where the first of them begins.
    """
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def cells_of(text: str, line: Span, separator: str) -> list[Span]:
    """Return the spans of the cells of a line, without blanks and quotes.

    :param text: The note.
    :param line: Start and end of the line.
    :param separator: One of :data:`SIGNS`, or :data:`BLANKS`.
    """
    if separator == BLANKS:
        return [match.span() for match in _ALIGNED.finditer(text, *line)]
    start, end = trimmed(text, *line) if separator == "|" else line
    if separator == "|":
        start += text.startswith("|", start)
        end -= text.endswith("|", start, end)
    cells, pattern = [], _CELL[separator]
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
