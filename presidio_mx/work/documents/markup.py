"""Markup inside values and files: what is text in it, and what parts one text."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from xml.sax.saxutils import escape

from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.structured import Read, Value

# In XML that is well-formed and has no document type these are its pieces.
TOKEN = re.compile(
    r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<cdata>.*?)\]\]>"
    r"|<\?(?P<target>[^\s?]+)(?P<instruction>.*?)\?>"
    r"|<(?P<tag>[^\s<>/!?=]+)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>"
    r"|</(?P<end>[^\s>]*)\s*>|(?P<text>(?:[^<]|<(?![\w/!?]))+)",
    re.S,
)
ATTRIBUTE = re.compile(
    r"(?P<name>[^\s=/]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')"
)
_CHARACTER = re.compile(r"&[^;\s&]{1,31};|.", re.S)
_TAGS = re.compile(
    r"<([A-Za-z][\w:-]*)(?:\s[^<>]*)?/?>.*</\1\s*>|<[A-Za-z][\w:-]*[^<>]*/>", re.S
)
_INLINE = frozenset(
    ("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "content", "del")
    + ("dfn", "em", "font", "i", "ins", "kbd", "linkhtml", "mark", "q", "s", "samp")
    + ("small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr")
)
_CELLS = frozenset({"td", "th", "entry"})
_QUOTES = {'"': "&quot;", "'": "&apos;"}


def local(tag: str) -> str:
    """Return a tag without its prefix."""
    return tag.rpartition(":")[2]


def has_tags(text: str) -> bool:
    """Tell whether a text is markup."""
    return "<" in text and _TAGS.search(text) is not None


def parting(tags: Sequence[str]) -> str:
    """Return what parts two texts, by the tags between them.

    :param tags: Names of the tags, in order.
    """
    names = [local(tag).lower() for tag in tags]
    if all(name in _INLINE for name in names):
        return ""
    if names[-1] in _CELLS and "tr" not in names:
        return " | "
    return "\n"


def in_text(text: str) -> str:
    """Return a text as it stands between tags."""
    return escape(text)


def in_quotes(text: str) -> str:
    """Return a text as it stands in an attribute."""
    return escape(text, _QUOTES)


def in_cdata(text: str) -> str:
    """Return a text as it stands in a marked section."""
    return text.replace("]]>", "]] >")


def decoded(raw: str, start: int, end: int) -> tuple[str, list[int]]:
    """Return a text without its entities, and where each character stands.

    :param raw: The file.
    :param start: First offset of the text.
    :param end: Offset after it.
    """
    text: list[str] = []
    origins: list[int] = []
    for match in _CHARACTER.finditer(raw, start, end):
        letters = html.unescape(match[0]) if match[0][0] == "&" else match[0]
        text.append(letters)
        origins += [match.start()] * len(letters)
    return "".join(text), [*origins, end]


def markup_values(value: Value) -> Iterator[Value]:
    """Yield the texts of a value that holds markup.

    :param value: The value.
    """
    raw, origins, outer = value.text, value.origins, value.escape
    assert origins is not None
    tags: list[str] = ["p", "p"]
    for match in TOKEN.finditer(raw):
        kind = match.lastgroup
        if kind in ("tag", "attributes"):
            tags.append(match["tag"])
            yield from _attributes(value, match)
        elif kind == "end":
            tags.append(match["end"])
        elif kind in ("text", "cdata"):
            span, how = match.span(kind), in_text if kind == "text" else in_cdata
            text, own = decoded(raw, *span)
            between = parting(tags) if tags else ""
            yield _nested(value, span, text, own, _chain(outer, how), between)
            tags = []
        elif kind == "comment":
            span = origins[match.start()], origins[match.end()]
            yield Value(
                *span, "", None, str, value.path, instead="", dropped=Dropped.COMMENTS
            )


def _attributes(value: Value, match: re.Match[str]) -> Iterator[Value]:
    for found in ATTRIBUTE.finditer(match.string, *match.span("attributes")):
        kind = "double" if found["double"] is not None else "single"
        if found[kind] and not found["name"].startswith("xmlns"):
            text, own = decoded(match.string, *found.span(kind))
            how = _chain(value.escape, in_quotes)
            yield _nested(value, found.span(kind), text, own, how, "\n")


def _nested(
    value: Value,
    span: tuple[int, int],
    text: str,
    own: Sequence[int],
    how: Callable[[str], str],
    before: str,
) -> Value:
    origins = value.origins
    assert origins is not None
    return replace(
        value,
        start=origins[span[0]],
        end=origins[span[1]],
        text=text,
        origins=[origins[at] for at in own],
        escape=how,
        read=Read.PROSE,
        before=before,
    )


def _chain(
    outer: Callable[[str], str], inner: Callable[[str], str]
) -> Callable[[str], str]:
    return lambda text: outer(inner(text))
