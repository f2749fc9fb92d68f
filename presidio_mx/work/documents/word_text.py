"""The text of a Word document, and where each piece of it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from docx.oxml.ns import qn

from presidio_mx.work.documents.opened import (
    Change,
    Dropped,
    LeftOut,
    changed,
    inside,
)

_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_TEXTS = frozenset({qn("w:t"), qn("m:t")})
# What stands for a character that is an element of its own.
_MARKS = {
    qn("w:tab"): "\t",
    qn("w:ptab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
    qn("w:softHyphen"): "\xad",
}
_PROPERTIES = frozenset({qn("w:pPr"), qn("w:rPr")})
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_BETWEEN_CELLS = " | "
_BETWEEN_STORIES = "\n\n"


@dataclass(frozen=True, slots=True)
class _Piece:
    """An element and the stretch of the text that it holds."""

    start: int
    end: int
    element: Any
    mark: bool = False
    attribute: str = ""


@dataclass(repr=False)
class WordText:
    """The text of all stories, and its pieces in order.

    A paragraph is a line. A row of a table is a line, its cells separated by ``|``; a
    row with a cell of several paragraphs gives their lines.
    """

    pieces: list[_Piece] = field(default_factory=list)
    cells: list[tuple[int, int]] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _length: int = 0

    @property
    def text(self) -> str:
        """Return the whole text."""
        return "".join(self._texts)

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Return stretches of the text that no finding leaves."""
        self._boundary()
        return self.cells

    def read(self, story: Any, left_out: LeftOut) -> None:
        """Add a story: the body, a header, a footer, notes.

        Text outside of paragraphs and tables is emptied: what is not read is not
        written.

        :param story: Its element, cleaned.
        :param left_out: What is emptied is counted here.
        """
        before = len(self.pieces)
        self._blocks(story)
        self._add(_BETWEEN_STORIES)
        seen = {id(piece.element) for piece in self.pieces[before:]}
        for element in story.iter(*_TEXTS):
            if id(element) not in seen and element.text:
                left_out.add(Dropped.UNKNOWN, "w:t outside of paragraphs", element.text)
                element.text = ""

    def read_value(self, element: Any, attribute: str) -> None:
        """Add a value that is seen on the page, such as the label of a list.

        :param element: The element.
        :param attribute: Name of the attribute.
        """
        value = element.get(attribute) or ""
        if any(map(str.isalpha, value)):
            start = self._length
            self._add(value)
            self.pieces.append(_Piece(start, self._length, element, False, attribute))
            self._add(_BETWEEN_STORIES)

    def write(self, changes: Sequence[Change]) -> None:
        """Change the elements.

        :param changes: In offsets of the text, in order and apart.
        """
        at = 0
        for piece in self.pieces:
            while at < len(changes) and changes[at].end <= piece.start:
                at += 1
            last = at
            while last < len(changes) and changes[last].start < piece.end:
                last += 1
            own = list(inside(changes[at:last], piece.start, piece.end))
            if own:
                _rewrite(piece, own)

    def _blocks(self, holder: Any) -> None:
        for element in holder:
            if element.tag == _PARAGRAPH:
                self._paragraph(element)
                self._add("\n")
            elif element.tag == _TABLE:
                self._table(element)
            else:
                # Notes hold paragraphs one level down; the body's own end holds none.
                self._blocks(element)

    def _table(self, table: Any) -> None:
        for row in table.iter(_ROW):
            if next(row.iterancestors(_TABLE)) is not table:
                continue
            cells = [cell for cell in row if cell.tag == _CELL]
            if all(_one_line(cell) for cell in cells):
                for number, cell in enumerate(cells):
                    self._add(_BETWEEN_CELLS if number else "")
                    self._boundary()
                    for paragraph in cell.iter(_PARAGRAPH):
                        self._paragraph(paragraph)
                    self._boundary()
                self._add("\n")
            else:
                for cell in cells:
                    self._blocks(cell)

    def _paragraph(self, paragraph: Any) -> None:
        for element in _inline(paragraph):
            mark = _MARKS.get(element.tag)
            self._piece(element, element.text or "" if mark is None else mark, mark)

    def _boundary(self) -> None:
        """End a cell and begin another, over which no finding goes."""
        start = self.cells[-1][1] if self.cells else 0
        if self._length > start:
            self.cells.append((start, self._length))

    def _piece(self, element: Any, text: str, mark: str | None) -> None:
        start = self._length
        self._add(text)
        self.pieces.append(_Piece(start, self._length, element, mark is not None))

    def _add(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)


def _inline(paragraph: Any) -> Iterator[Any]:
    """Yield the elements of a paragraph that are text, in order."""
    for element in paragraph:
        if element.tag in _TEXTS or element.tag in _MARKS:
            yield element
        elif element.tag not in _PROPERTIES:
            yield from _inline(element)


def _one_line(cell: Any) -> bool:
    """Tell whether a cell has one line of text at most."""
    lines = 0
    for paragraph in cell.iter(_PARAGRAPH):
        elements = list(_inline(paragraph))
        lines += any(element.text for element in elements)
        lines += any(_MARKS.get(element.tag) == "\n" for element in elements)
    return lines <= 1


def _rewrite(piece: _Piece, changes: Sequence[Change]) -> None:
    """Change an element; a mark inside what is replaced goes."""
    element = piece.element
    if piece.attribute:
        value = changed(element.get(piece.attribute), changes)
        element.set(piece.attribute, value)
        return
    if piece.mark:
        element.getparent().remove(element)
        return
    element.text = changed(element.text, changes)
    element.set(_SPACE, "preserve")
