"""JSON with its offsets: a tree of what stands where."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

# In JSON that is valid these are its pieces.
_TOKEN = re.compile(
    r'"(?P<string>(?:[^"\\]|\\.)*+)"|(?P<open>[{\[])|(?P<close>[}\]])'
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<word>true|false|null|NaN|-?Infinity)"
)
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}"
    r"|\\.|[^\\]",
    re.S,
)


@dataclass(slots=True, repr=False)
class Node:
    """A value of JSON.

    :param kind: ``object``, ``list``, ``string``, ``number`` or ``word``.
    :param start: First offset; of a string that behind its quote.
    :param end: Offset after it.
    :param raw: A string, number or word as it is written.
    :param keys: Keys of an object, strings themselves.
    :param values: Values of an object in the order of its keys, or items of a list.
    """

    kind: str
    start: int
    end: int = 0
    raw: str = ""
    keys: "list[Node]" = field(default_factory=list)
    values: "list[Node]" = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return a string without its escapes; others as they are written."""
        if self.kind != "string" or "\\" not in self.raw:
            return self.raw
        text: str = json.loads(f'"{self.raw}"', strict=False)
        return text

    def get(self, key: str) -> "Node | None":
        """Return the value of a key of an object."""
        for own, value in zip(self.keys, self.values, strict=True):
            if own.raw == key:
                return value
        return None

    def string(self, key: str) -> str:
        """Return the string that a key has, or nothing."""
        value = self.get(key) if self.kind == "object" else None
        return value.text if value is not None and value.kind == "string" else ""


def tree_of(raw: str, start: int, end: int) -> Node:
    """Return the tree of a valid JSON value.

    :param raw: The file.
    :param start: Where the value begins.
    :param end: Where it ends.
    """
    top = Node("list", start)
    stack = [top]
    key: Node | None = None
    for match in _TOKEN.finditer(raw, start, end):
        kind = str(match.lastgroup)
        if kind == "close":
            stack.pop().end = match.end()
            continue
        around = stack[-1]
        if kind == "open":
            node = Node("object" if match[0] == "{" else "list", match.start())
        else:
            node = Node(kind, *match.span(kind), match[kind])
        if around.kind == "object" and key is None:
            key = node
            continue
        if key is not None and around.kind == "object":
            around.keys.append(key)
            key = None
        around.values.append(node)
        if kind == "open":
            stack.append(node)
    return top.values[0]


def letters_of(node: Node) -> tuple[str, Sequence[int]]:
    """Return a string and the offset in the file of each character and of its end.

    :param node: A string.
    """
    if "\\" not in node.raw:
        return node.raw, range(node.start, node.end + 1)
    text: list[str] = []
    origins: list[int] = []
    for match in _CHARACTER.finditer(node.raw):
        # Most characters are no escape; json knows all there are.
        letter = match[0]
        if letter[0] == "\\":
            letter = json.loads(f'"{letter}"', strict=False)
        text.append(letter)
        origins.append(node.start + match.start())
    return "".join(text), [*origins, node.end]


def escaped(text: str) -> str:
    """Return a text as it stands inside a string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
