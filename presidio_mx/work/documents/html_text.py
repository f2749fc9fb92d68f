"""The text of a web page, as a reader sees it, and what of it no reader sees."""

import re
from collections.abc import Iterator
from typing import Any

import html5lib

from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_control_characters
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import Dropped, LeftOut
from presidio_mx.work.documents.prose import Prose

_LINE = frozenset(
    ("br", "hr", "tr", "li", "dt", "dd", "div", "section", "article", "header", "title")
    + ("footer", "form", "fieldset", "address", "main", "aside", "caption", "option")
    + ("legend", "figcaption", "details", "summary", "dialog", "nav", "text", "desc")
    + ("iframe", "object", "template", "noscript", "noembed", "noframes", "textarea")
    + ("rt", "rp", "body", "head", "video", "audio", "canvas", "frameset", "button")
)
_PARAGRAPH = frozenset(
    ("p", "table", "ul", "ol", "dl", "pre", "blockquote", "select", "optgroup")
    + ("h1", "h2", "h3", "h4", "h5", "h6")
)
_CELL = frozenset(("td", "th"))
_PICTURES = frozenset(("img", "picture", "canvas", "svg", "embed", "object"))
# What hOCR calls a line of a scan (hOCR 1.2).
_LINES_OF_SCAN = frozenset(
    ("ocr_line", "ocr_caption", "ocr_header", "ocr_textfloat", "ocr_par", "ocr_page")
)
# Attributes that a reader sees or hears, and those that say how a page looks or works.
_SHOWN = ("alt", "title", "placeholder", "label", "summary", "aria-label", "standby")
_LOOKS = re.compile(
    r"class|id|style|lang|dir|name|type|width|height|border|align|valign|colspan|rowspan"
    r"|cellpadding|cellspacing|bgcolor|color|face|size|charset|http-equiv|rel|media|for"
    r"|role|tabindex|checked|selected|disabled|hidden|xmlns.*|xml:lang|on\w+|method"
    r"|scope|span|start|viewbox|d|fill|stroke.*|x\d?|y\d?|cx|cy|r|points|transform"
    r"|target|loading|crossorigin|integrity|enctype|maxlength|nowrap|clear|hspace|vspace"
)
_LINKS = frozenset(
    ("href", "src", "action", "data", "cite", "background", "poster", "srcset")
    + ("formaction", "codebase", "longdesc", "xlink:href", "ping", "usemap")
)
_BETWEEN_CELLS = " | "
_BLANKS = re.compile(r"[ \t\r\f\v\n\xa0]+")
_LINES = re.compile(r"[ \t]*\n[ \t]*")
_MANY_LINES = re.compile(r"\n{3,}")
_DEEPEST = 4


class _Reader:
    """Gather what is shown; count what is not.

    :param left_out: What is left out is counted here.
    :param depth: In how many other pages this one stands.
    """

    def __init__(self, left_out: LeftOut, depth: int) -> None:
        self.pieces: list[str] = []
        self._left_out = left_out
        self._depth = depth
        self._as_typed = 0
        self._cells = 0

    def read(self, root: Any) -> None:
        """Read a tree, without recursion: pages can be nested deep."""
        stack: list[tuple[Any, Iterator[Any] | None]] = [(root, None)]
        while stack:
            element, children = stack.pop()
            if children is None:
                if not self._start(element):
                    self._data(element.tail)
                    continue
                children = iter(element)
            child = next(children, None)
            if child is not None:
                stack += [(element, children), (child, None)]
            else:
                self._end(element)
                if element is not root:
                    self._data(element.tail)

    def _start(self, element: Any) -> bool:
        """Begin an element; tell whether what it holds is read."""
        tag = element.tag
        if not isinstance(tag, str):
            self._left_out.add(Dropped.COMMENTS, "comment", element.text or "")
            return False
        tag = tag.rpartition("}")[2]
        if tag == "<!DOCTYPE>":
            return False
        if tag in ("script", "style"):
            text = "".join(element.itertext())
            self._left_out.add(Dropped.SCRIPTS, f"<{tag}>", text)
            return False
        self._as_typed += tag in ("pre", "textarea")
        if tag in _PICTURES:
            self._left_out.add(Dropped.PICTURES, f"<{tag}>")
        if tag in _CELL:
            self.pieces.append(_BETWEEN_CELLS if self._cells else "")
            self._cells += 1
        else:
            self._end_line(tag, element.get("class") or "")
        if tag == "select":
            self._choices(element)
            return False
        self._attributes(tag, element)
        self._data(element.text)
        return True

    def _end(self, element: Any) -> None:
        tag = element.tag.rpartition("}")[2]
        self._as_typed -= tag in ("pre", "textarea") and self._as_typed > 0
        self._end_line(tag, element.get("class") or "")

    def _choices(self, select: Any) -> None:
        """Read what is chosen of a list: the first if nothing is."""
        options = list(select.iter("option"))
        chosen = [o for o in options if o.get("selected") is not None] or options[:1]
        for option in chosen:
            self._data(option.get("label") or " ".join(option.itertext()))
            self.pieces.append(" ")
        for option in options:
            if option not in chosen:
                text = " ".join(option.itertext()) + (option.get("label") or "")
                self._left_out.add(Dropped.CHOICES, "<option>", text)
        inside = {id(e) for option in options for e in option.iter()}
        for element in select.iter():
            text = "" if id(element) in inside else element.text or ""
            outside = "" if element is select else element.tail or ""
            if element.tag == "optgroup":
                text += " " + (element.get("label") or "")
            self._data(text + " " + outside if (text + outside).strip() else "")
        self._end_line("select", "")

    def _attributes(self, tag: str, element: Any) -> None:
        for name, value in element.items():
            name = str(name).lower()
            if not value:
                continue
            if name in _SHOWN and tag != "option" and "bbox" not in value:
                self._data(f" {value} ")
            elif name == "value" and tag in ("input", "button", "data", "meter"):
                self._data(f" {value} ")
            elif name == "srcdoc":
                self._inner(value)
            elif name == "content" and tag == "meta":
                self._left_out.add(Dropped.PROPERTIES, "<meta>", value, 0)
            elif name in _LINKS:
                self._left_out.add(Dropped.LINKS, f"<{tag}>")
            elif not _LOOKS.fullmatch(name):
                self._left_out.add(Dropped.MARKUP, f"<{tag}>", value)

    def _inner(self, markup: str) -> None:
        """Read a page inside a page."""
        if self._depth >= _DEEPEST:
            self._left_out.add(Dropped.UNREAD, "srcdoc", markup)
            return
        self._data("\n")
        self.pieces.append(f"\n{_text_of(markup, self._left_out, self._depth + 1)}\n")

    def _end_line(self, tag: str, classes: str) -> None:
        """End the line before or behind a tag; one inside a cell ends no row."""
        if tag in ("tr", "table"):
            self._cells = 0
        scanned = not _LINES_OF_SCAN.isdisjoint(classes.split())
        if tag not in _LINE and tag not in _PARAGRAPH and not scanned:
            return
        if self._cells:
            self.pieces.append(" ")
            return
        wanted = 2 if tag in _PARAGRAPH else 1
        while self.pieces and self.pieces[-1] in ("", " "):
            self.pieces.pop()
        last = self.pieces[-2:]
        ended = 0 if not last or last[-1] != "\n" else sum(p == "\n" for p in last)
        more = 1 if tag == "br" else max(0, wanted - ended)
        self.pieces += ["\n"] * more

    def _data(self, data: str | None) -> None:
        if data:
            self.pieces.append(data if self._as_typed else _BLANKS.sub(" ", data))


def html_text(markup: str) -> tuple[str, LeftOut]:
    """Return the text of a page and what is left out of it.

    Rows of tables are lines, their cells separated by ``|``.

    :param markup: HTML, whole or a fragment.
    """
    left_out = LeftOut()
    return _text_of(markup, left_out, 0) + "\n", left_out


def _text_of(markup: str, left_out: LeftOut, depth: int) -> str:
    tree = html5lib.treebuilders.getTreeBuilder("etree", fullTree=True)
    parser = html5lib.HTMLParser(tree=tree, namespaceHTMLElements=False)
    reader = _Reader(left_out, depth)
    reader.read(parser.parse(markup))
    text = _LINES.sub("\n", "".join(reader.pieces))
    return _MANY_LINES.sub("\n\n", text).strip()


def open_html(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    """Read a web page.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If it is no text.
    """
    markup = (encoding or find_encoding([data], name)).decode(data)
    refuse_control_characters(markup, name)
    text, left_out = html_text(markup)
    left_out.add(Dropped.MARKUP, count=0)
    return Prose(mend(text, name).text, left_out)
