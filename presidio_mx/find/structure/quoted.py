r"""JSON and all that quotes its values: whole, in fragments, in prose or in a string.

A scanner of tokens, since the standard library's json gives no offsets and refuses
fragments, which is what notes hold. The same scanner reads lists of Python and rows of
SQL (``'a', 'b'``), and JSON inside a string (``\"a\": \"b\"``).
"""

import re

from presidio_mx.find.structure.meanings import Lookup
from presidio_mx.find.structure.parts import Parts, Span
from presidio_mx.find.structure.tree import Node, Tree

# A quote opens where a value can begin: the one that closes the last is none.
_TOKEN = (
    r"(?<![^\s{{\[(,:=>])(?:{prefix}{quote}(?P<string>{inside}*+){quote}(?P<key>\s*+(?::|=>))?"
    r"|(?P<literal>-?\d[\d.]*|(?i:true|false|null|none|nan)\b))"
    r"|(?P<open>[{{\[(])|(?P<close>[}}\])])|(?P<comma>,)"
)
_QUOTES = {
    '"': ('"', r'(?:[^"\\\n]|\\.)'),
    "'": ("'", r"(?:[^'\\\n]|\\.|'')"),
    '\\"': (r"\\\"", r"(?:[^\"\\\n]|\\[^\"\n])"),
}
_TOKENS = {
    # "N'Ana'" is how SQL Server writes a string of Unicode.
    name: re.compile(
        _TOKEN.format(quote=quote, inside=inside, prefix="[Nn]?" * (name == "'"))
    )
    for name, (quote, inside) in _QUOTES.items()
}
# A text without this has nothing of the kind.
_LEAST = re.compile(
    r"""["'](?:\s{0,9}[,:]|\s{0,3}=>)\s{0,9}(?:\\?["']|[{\[(\d-]|[tfnNTF]\w{3})"""
)
_LEAST_STRINGS = 2
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)|''")


def read_quoted(text: str, lookup: Lookup, parts: Parts) -> None:
    """Take the values of all keys and lists whose values stand in quotes.

    :param text: The text.
    :param lookup: What keys mean.
    :param parts: What is added to.
    """
    if not _LEAST.search(text):
        return
    for quote in _TOKENS:
        if text.count(quote) > 1:
            _read(text, quote, lookup, parts)


def _read(text: str, quote: str, lookup: Lookup, parts: Parts) -> None:
    """Take what one kind of quotes holds."""
    tokens = _TOKENS[quote]
    tree = Tree(lookup, "json")
    node, key, lists = Node(""), "", [False]
    run, last = _Run(), 0
    for match in tokens.finditer(text):
        if text[last : match.start()].strip():  # prose between two pieces
            run.into(parts)
            run, key = _Run(), node.key if lists[-1] else ""
        last, kind = match.end(), match.lastgroup or ""
        run.take(match, kind)
        if kind == "key":
            key = match["string"]
        elif kind == "open":
            node = Node(key, node)
            lists.append(match[0] != "{")
        elif kind == "close" and node.parent:
            node = node.parent
            lists.pop()
        elif kind != "comma" and key:
            tree.value(node, key, match.span(kind), text)
            if kind == "literal" and not lists[-1]:
                parts.bare[match.span()] = quote
        if kind != "key" and not (kind == "open" and lists[-1]):
            key = node.key if lists[-1] else ""
    run.into(parts)
    tree.into(parts)


class _Run:
    """Pieces that stand one behind the other, with white space at most between them."""

    def __init__(self) -> None:
        self._boundaries: list[Span] = []
        self._labels: list[Span] = []
        self._numbers: list[Span] = []
        self._strings: list[re.Match[str]] = []

    def take(self, match: re.Match[str], kind: str) -> None:
        """Take a piece."""
        if kind in ("key", "string"):
            start, end = match.span("string")
            self._boundaries += (match.start(), start), (end, match.end())
            self._strings.append(match)
            if kind == "key":
                self._labels.append((start, end))
        elif match[0][:1] in "-0123456789":
            self._numbers.append(match.span())
        else:
            self._boundaries.append(match.span())

    def into(self, parts: Parts) -> None:
        """Add what was taken, if it is more than a quotation in a sentence."""
        if not self._labels and len(self._strings) < _LEAST_STRINGS:
            return
        parts.boundaries += self._boundaries
        parts.labels += self._labels
        parts.whole += self._numbers
        for match in self._strings:
            start, end = match.span("string")
            if "\\" in match["string"] or "''" in match["string"]:
                found = _ESCAPE.finditer(match.string, start, end)
                parts.whole += (escape.span() for escape in found)
