"""SQL: the columns that an INSERT or a COPY names give meaning to its values."""

import re
from collections.abc import Iterator

from presidio_mx.find.structure.cells import cells_of, lines_of, part_cells
from presidio_mx.find.structure.meanings import Lookup
from presidio_mx.find.structure.parts import Parts, Span, key_of, trimmed
from presidio_mx.find.structure.table import Row, row_fields

_LEAST = ("insert", "INSERT", "Insert", "copy", "COPY")
_TABLE = (
    r"\s++[`\"\[]?(?P<table>[\w.$-]{1,80}+)[`\"\]]?\s*+"
    r"(?:\((?P<columns>[^()]{1,2000}+)\))?+\s*+"
)
_INSERT = re.compile(rf"(?i)\binsert\s+(?:ignore\s+)?into{_TABLE}values?\s*+(?=\()")
_COPY = re.compile(rf"(?i)\bcopy{_TABLE}from\s+stdin[^\n]*\n")
_COLUMN = re.compile(r"[^,\s`\"\[\]]+(?:[ ][^,\s`\"\[\]]+)*")
_TOKEN = re.compile(
    r"'(?:[^'\\]|\\.|'')*+'|\"(?:[^\"\\]|\\.)*+\"|[(),;]|[^'\"(),;]+|['\"]", re.S
)
_ESCAPE = re.compile(r"\\.|''")
_LAST_OF_COPY = "\\."


def read_sql(text: str, look: Lookup, parts: Parts) -> None:
    """Take the values of all rows whose columns are named, and the columns.

    :param text: The text.
    :param look: What columns mean.
    :param parts: What is added to.
    """
    if not any(word in text for word in _LEAST):
        return
    for pattern, rows in ((_INSERT, _tuples), (_COPY, _lines)):
        found = list(pattern.finditer(text))
        ends = [*(match.start() for match in found[1:]), len(text)]
        for match, stop in zip(found, ends, strict=False):
            table = match["table"].rsplit(".", 1)[-1]
            named = match.span("columns") if match["columns"] else (0, 0)
            columns = [column.span() for column in _COLUMN.finditer(text, *named)]
            parts.boundaries.append(match.span())
            parts.labels += columns
            heading = Row.of(text, match.span(), ",", columns, look)
            personal = any(
                key_of(label) in look.meanings.personal for label in heading.labels
            )
            heading = heading._replace(
                columns=[look.path((table, c), personal) for c in heading.labels]
            )
            for cells in rows(text, (match.end(), stop), parts):
                if len(cells) == len(columns):
                    parts.fields += row_fields(heading, cells, look, "sql", (table,))


def _lines(text: str, span: Span, parts: Parts) -> Iterator[list[Span]]:
    """Yield the cells of the lines behind a COPY."""
    for line in lines_of(text, span[0]):
        if line[0] >= span[1] or text.startswith(_LAST_OF_COPY, line[0]):
            return
        cells = cells_of(text, line, "\t")
        part_cells(text, line, cells, parts)
        yield cells


def _tuples(text: str, span: Span, parts: Parts) -> Iterator[list[Span]]:
    """Yield the cells of the rows in brackets behind VALUES, without their quotes."""
    depth, cells, first = 0, list[Span](), span[0]
    for token in _TOKEN.finditer(text, *span):
        sign = token[0]
        if depth == 0 and sign.strip() not in ("(", ",", ""):
            return
        if depth == 1 and sign in ",)":
            cell = trimmed(text, first, token.start())
            if text[cell[0] : cell[0] + 1] in ("'", '"') and cell[1] - cell[0] > 1:
                cell = cell[0] + 1, cell[1] - 1
            else:
                parts.bare[cell] = "'"
            parts.boundaries += (first, cell[0]), (cell[1], token.start())
            parts.whole += (m.span() for m in _ESCAPE.finditer(text, *cell))
            cells.append(cell)
        depth += (sign == "(") - (sign == ")")
        if depth < 2 and sign in "(,)":
            parts.boundaries.append(token.span())
            first = token.end()
        if depth == 0 and sign == ")":
            yield cells
            cells = []
