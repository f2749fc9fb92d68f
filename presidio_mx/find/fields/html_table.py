"""Tables of HTML: the ``<th>`` of a row give meaning to the ``<td>`` of the next."""

import re
from collections.abc import Iterator

from presidio_mx.find.fields.field import Field, Label, trimmed
from presidio_mx.find.fields.meanings import Meaning, Meanings

_ROW = re.compile(r"<tr\b[^>]{0,200}>(?P<row>.{0,20000}?)(?:</tr>|(?=<tr\b)|\Z)", re.S)
_CELL = re.compile(
    r"<(?P<kind>t[hd])\b[^>]{0,200}>(?P<value>[^<]{0,300})(?=</?t[hdr]\b|\Z)", re.I
)
_TABLE = re.compile(r"<t[hd]\b", re.I)
_LEAST = 2


def html_fields(text: str, meanings: Meanings) -> Iterator[Field | Label]:
    """Yield the cells of tables that have a row of headings, and the headings.

    :param text: The note.
    :param meanings: What headings mean.
    """
    if not _TABLE.search(text):
        return
    columns: list[Meaning | None] = []
    for row in _ROW.finditer(text):
        cells = list(_CELL.finditer(text, *row.span("row")))
        if len(cells) < _LEAST:
            continue
        spans = [trimmed(text, *cell.span("value")) for cell in cells]
        if all(cell["kind"].lower() == "th" for cell in cells):
            columns = [meanings.of_label(text[slice(*span)]) for span in spans]
            yield from (Label(*span) for span in spans)
        elif len(cells) == len(columns):
            for span, meaning in zip(spans, columns, strict=True):
                if meaning is not None:
                    yield from meaning.of_value(*span)
