"""XML, CDA among it: text and attributes change, elements stay."""

import html
import re
from collections.abc import Callable, Iterator
from xml.parsers import expat
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.structured import (
    Record,
    Structured,
    Value,
    checked,
)

# In XML that is well-formed and has no document type these are its pieces.
_TOKEN = re.compile(
    r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<cdata>.*?)\]\]>"
    r"|<\?(?P<target>[^\s?]+)(?P<instruction>.*?)\?>"
    r"|<(?P<tag>[^\s<>/!?]+)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>"
    r"|</[^>]*>|(?P<text>[^<]+)",
    re.S,
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s=]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')"
)
_DECLARED = re.compile(
    r"(?<=encoding=)\s*(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)')"
)
_CHARACTER = re.compile(r"&[^;\s]+;|[^&]", re.S)
_NAMESPACE = "xmlns"
# Inside the fields, a value must not look like a tag.
_SHOWN = str.maketrans({"<": " ", ">": " ", "&": " "})
_QUOTES = {'"': "&quot;", "'": "&apos;"}


def open_xml(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read an XML file.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If it is not well-formed, or has a document type.
    """
    found = encoding or find_encoding([data], name)
    raw = found.decode(data).removeprefix("\ufeff")
    _check(raw, name)
    values = [checked(value, name) for value in _values(raw)]
    record = Record(0, len(raw), values)
    return Structured(
        raw, [record], ".xml", lambda text: text.translate(_SHOWN), self_told=True
    )


def _check(raw: str, name: str) -> None:
    try:
        # As text: the encoding that the file declares may not be its own.
        fromstring(_DECLARED.sub('"UTF-8"', raw, count=1).encode(), forbid_dtd=True)
    except DefusedXmlException:
        raise InputError(
            f"{name}: declares a document type or entities, which are not read; "
            "remove <!DOCTYPE …>"
        ) from None
    except ParseError as error:
        line, column = error.position
        reason = expat.ErrorString(error.code)
        raise InputError(
            f"{name}: is not well-formed XML ({reason}, line {line}, column {column}); "
            "mend it, or name it .txt"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(f"{name}: cannot be read as XML") from None


def _values(raw: str) -> Iterator[Value]:
    """Yield texts, attributes, and what is dropped."""
    for match in _TOKEN.finditer(raw):
        kind = match.lastgroup
        if kind == "text":
            if match[0].strip():
                yield _value(raw, *match.span(), escape)
        elif kind == "attributes":
            yield from _attributes(match)
        elif kind == "cdata":
            start, end = match.span("cdata")
            yield Value(start, end, match[kind], range(start, end + 1), _in_cdata)
        elif kind == "instruction" and match["target"] == "xml":
            yield from _declaration(match)
        elif kind in ("comment", "instruction"):
            what = Dropped.COMMENTS if kind == "comment" else Dropped.MARKUP
            yield Value(*match.span(), "", None, str, instead="", dropped=what)


def _declaration(match: re.Match[str]) -> Iterator[Value]:
    """Yield the name of the encoding: the new file is UTF-8."""
    declared = _DECLARED.search(match.string, *match.span())
    if declared is not None:
        kind = "double" if declared["double"] else "single"
        yield Value(*declared.span(kind), "", None, str, instead="UTF-8")


def _attributes(match: re.Match[str]) -> Iterator[Value]:
    for attribute in _ATTRIBUTE.finditer(match.string, *match.span("attributes")):
        if attribute["name"].partition(":")[0] == _NAMESPACE:
            continue
        kind = "double" if attribute["double"] is not None else "single"
        yield _value(match.string, *attribute.span(kind), _in_quotes)


def _value(raw: str, start: int, end: int, escaped: Callable[[str], str]) -> Value:
    letters = list(_CHARACTER.finditer(raw, start, end))
    pieces = [html.unescape(m[0]) if m[0][0] == "&" else m[0] for m in letters]
    text = "".join(pieces)
    return Value(start, end, text, [m.start() for m in letters] + [end], escaped)


def _in_quotes(text: str) -> str:
    return escape(text, _QUOTES)


def _in_cdata(text: str) -> str:
    return text.replace("]]>", "]] >")
