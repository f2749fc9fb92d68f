"""The text of a web page, as a reader sees it."""

import re
from collections import Counter
from html.parser import HTMLParser

from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.note import decode_note
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.prose import Prose

_SILENT = frozenset(
    ("head", "script", "style", "template", "noscript", "svg", "object", "select")
)
_LINE = frozenset(
    ("br", "hr", "tr", "li", "dt", "dd", "div", "section", "article", "header")
    + ("footer", "form", "fieldset", "address", "main", "aside", "caption")
)
_PARAGRAPH = frozenset(
    ("p", "table", "ul", "ol", "dl", "pre", "blockquote")
    + ("h1", "h2", "h3", "h4", "h5", "h6")
)
_CELL = frozenset(("td", "th"))
_BETWEEN_CELLS = " | "
_BLANKS = re.compile(r"[ \t\r\f\v\n\xa0]+")
_LINES = re.compile(r"[ \t]*\n[ \t]*")
_MANY_LINES = re.compile(r"\n{3,}")


class _Reader(HTMLParser):
    """Gather what is shown; scripts, comments, attributes and form values are not."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.pictures = 0
        self._silent: list[str] = []
        self._as_typed = 0
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pictures += tag in ("img", "picture", "canvas", "svg")
        if self._silent:
            if tag == self._silent[0]:
                self._silent.append(tag)
            return
        if tag in _SILENT:
            self._silent.append(tag)
            return
        self._as_typed += tag == "pre"
        if tag in _CELL:
            self.pieces.append(_BETWEEN_CELLS if self._cells else "")
            self._cells += 1
        else:
            self._end_line(tag)

    def _end_line(self, tag: str) -> None:
        """End the line before or behind a tag; one inside a cell ends no row."""
        if tag in ("tr", "table"):
            self._cells = 0
        if tag not in _LINE and tag not in _PARAGRAPH:
            return
        if self._cells:
            self.pieces.append(" ")
            return
        wanted = 2 if tag in _PARAGRAPH else 1
        while self.pieces and self.pieces[-1] in ("", " "):
            self.pieces.pop()
        ended = sum(piece == "\n" for piece in self.pieces[-2:])
        more = 1 if tag == "br" else max(0, wanted - ended)
        self.pieces += ["\n"] * more

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self.pictures += tag == "svg"
            return
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if tag == self._silent[0]:
                self._silent.pop()
            return
        self._as_typed -= tag == "pre" and self._as_typed > 0
        self._end_line(tag)

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data if self._as_typed else _BLANKS.sub(" ", data))


def html_text(markup: str) -> tuple[str, int]:
    """Return the text of a page and the number of its pictures.

    Rows of tables are lines, their cells separated by ``|``.

    :param markup: HTML, whole or a fragment.
    """
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    text = _LINES.sub("\n", "".join(reader.pieces))
    return _MANY_LINES.sub("\n\n", text).strip() + "\n", reader.pictures


def open_html(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    """Read a web page.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If it is no text.
    """
    text, pictures = html_text(decode_note(data, name, encoding).text)
    dropped = Counter({Dropped.MARKUP: 0})
    if pictures:
        dropped[Dropped.PICTURES] = pictures
    return Prose(text, dropped)
