"""XML, CDA and HTML, whole or in fragments: elements, attributes and rows of tables.

A scanner of tags, since parsers refuse fragments and give no offsets of values.
"""

import re

from presidio_mx.find.structure.meanings import Lookup
from presidio_mx.find.structure.parts import Parts, Span, trimmed
from presidio_mx.find.structure.table import Row, read_rows
from presidio_mx.find.structure.tree import Node, Tree

_LEAST = re.compile(r"<[A-Za-z/!?]")
_VALUE = r"\\?\"[^\"<]{0,5000}+\"|'[^'<]{0,5000}+'|[^\s\"'<>=\\/]{1,200}+"
_MARK = re.compile(
    r"<(?P<close>/)?(?P<name>[^\W\d][\w:.-]{0,80}+)"
    rf"(?P<attributes>(?:\s++[\w:.-]{{1,80}}+(?:\s*+=\s*+(?:{_VALUE}))?+)*+)"
    r"\s*+(?P<empty>/)?>"
    r"|<!--|-->|<!\[CDATA\[|\]\]>|<\?[^<>]{1,400}+>|<![A-Z][^<>]{1,400}+>"
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[\w:.-]++)\s*+=\s*+(?:\\?\"(?P<double>[^\"]*?)\\?\""
    r"|'(?P<single>[^']*+)'|(?P<bare>[^\s\"'\\/]++))"
)
_CLOSED = re.compile(r"</([\w:.-]{1,80})")
# Elements that HTML need not close.
_OPEN = frozenset("br hr img input meta link p li tr td th option".split())
_CELLS = frozenset({"td", "th"})
_ROWS = frozenset({"tr", "table"})
_DEEPEST = 60


def read_markup(text: str, look: Lookup, parts: Parts) -> list[Span]:
    """Take the values of all elements and attributes, and of tables of HTML.

    :param text: The text.
    :param look: What tags, attributes and headings mean.
    :param parts: What is added to.
    :return: Where the tags stand.
    """
    if not _LEAST.search(text):
        return []
    closed = {name.lower() for name in _CLOSED.findall(text)} | _OPEN
    tree, stack, tags, opened = Tree(look, "xml"), [Node("")], [], 0
    table = _Table(text, look)
    for match in _MARK.finditer(text):
        full = match["name"]
        if full and not (
            # "<Juan Perez>" is no tag.
            match["close"]
            or match["empty"]
            or "=" in match["attributes"]
            or full.lower() in closed
        ):
            continue
        tags.append(match.span())
        if not full:
            parts.boundaries.append(match.span())
            continue
        name, value = full.rsplit(":", 1)[-1], trimmed(text, opened, match.start())
        opened = match.end()
        parts.labels.append(match.span("name"))
        table.take(name.lower(), match, value)
        keys = [node.key for node in stack]
        if not match["close"]:
            child = Node(name, stack[-1])
            _take_attributes(match, child, tree, parts)
            if not match["empty"] and len(stack) < _DEEPEST:
                stack.append(child)
            continue
        parts.boundaries.append(match.span())
        if name in keys[1:]:
            if keys[-1] == name and value[0] < value[1]:
                tree.value(stack[-2], name, value, text)
            del stack[len(keys) - 1 - keys[::-1].index(name) :]
    tree.into(parts)
    read_rows(table.rows, look, parts)
    return tags


def _take_attributes(
    match: re.Match[str], element: Node, tree: Tree, parts: Parts
) -> None:
    """Take the attributes of a tag; all of it but their values is a boundary."""
    last = match.start()
    for attribute in _ATTRIBUTE.finditer(match.string, *match.span("attributes")):
        start, end = attribute.span(attribute.lastgroup or 0)
        name = attribute["name"].rsplit(":", 1)[-1]
        parts.boundaries.append((last, start))
        parts.labels.append(attribute.span("name"))
        if start < end:
            tree.value(element, name, (start, end), match.string)
        last = end
    parts.boundaries.append((last, match.end()))


class _Table:
    """Gathers the cells of tables, row by row.

    :param text: The text.
    :param look: What headings mean.
    """

    def __init__(self, text: str, look: Lookup) -> None:
        """Begin outside of any."""
        self.rows: list[tuple[Row, bool]] = []
        self._text, self._look = text, look
        self._cells: list[Span] = []
        self._kinds: set[str] = set()
        self._inside = False

    def take(self, name: str, match: re.Match[str], before: Span) -> None:
        """Look at a tag.

        :param name: Its name in small letters.
        :param match: The tag.
        :param before: The text between the last tag and this one.
        """
        if self._inside and before[0] < before[1]:
            first = self._cells[-1]
            start = before[0] if first[0] == first[1] else first[0]
            self._cells[-1] = start, before[1]
        if name in _CELLS:
            self._inside = not match["close"]
            if self._inside:
                self._cells.append((match.end(), match.end()))
                self._kinds.add(name)
        elif name in _ROWS and self._cells:
            row = Row.of(self._text, (0, 0), "|", self._cells, self._look)
            self.rows.append((row, self._kinds == {"th"}))
            self._cells, self._kinds, self._inside = [], set(), False
