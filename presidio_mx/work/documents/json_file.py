"""JSON and its lines, FHIR among them: values change, keys and structure stay."""

import json
import re
from collections.abc import Iterator

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.work.documents.structured import (
    Record,
    Structured,
    Value,
    checked,
)

# In JSON that is valid these are its strings, keys and numbers.
_TOKEN = re.compile(
    r'"(?P<string>(?:[^"\\]|\\.)*+)"(?P<key>\s*:)?'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
)
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}"
    r"|\\.|[^\\]",
    re.S,
)
# What is longer, or has lines, is a text and no field.
_LONGEST_FIELD = 120
# Inside the fields, a value must not end or begin strings.
_SHOWN = str.maketrans({'"': "'", "\\": "/", "\n": " ", "\r": " ", "\t": " "})


def open_json(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read a file of one JSON value.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If it is not valid.
    """
    raw = _text(data, name, encoding)
    _check(raw, name, "")
    return _opened(raw, [(0, len(raw))], ".json", name)


def open_lines(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read a file with one JSON value a line; each is a record of its own.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If a line is not valid.
    """
    raw = _text(data, name, encoding)
    lines, at = [], 0
    for number, line in enumerate(raw.split("\n"), start=1):
        if line.strip():
            _check(line, name, f"line {number} ")
            lines.append((at, at + len(line)))
        at += len(line) + 1
    return _opened(raw, lines, ".ndjson", name)


def _text(data: bytes, name: str, encoding: Encoding | None) -> str:
    found = encoding or find_encoding([data], name)
    return found.decode(data).removeprefix("\ufeff")


def _check(raw: str, name: str, where: str) -> None:
    try:
        json.loads(raw)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}: {where}is not valid JSON ({error.msg}, line {error.lineno}, "
            f"column {error.colno}); mend it, or name it .txt"
        ) from None
    except RecursionError:
        raise InputError(f"{name}: {where}is nested too deep") from None


def _opened(
    raw: str, spans: list[tuple[int, int]], suffix: str, name: str
) -> Structured:
    records = [Record(*span, list(_values(raw, *span, name))) for span in spans]
    return Structured(raw, records, suffix, lambda text: text.translate(_SHOWN))


def _values(raw: str, start: int, end: int, name: str) -> Iterator[Value]:
    """Yield the strings and numbers that are values."""
    for match in _TOKEN.finditer(raw, start, end):
        if match["key"]:
            continue
        if match["number"]:
            # What stands for a number is a string.
            yield Value(*match.span(), match[0], None, json.dumps)
            continue
        yield checked(_string(match), name)


def _string(match: re.Match[str]) -> Value:
    inner, end = match.span("string")
    letters = list(_CHARACTER.finditer(match.string, inner, end))
    # Most strings have no escape; json knows all there are.
    text = "".join(
        piece[0] if piece[0][0] != "\\" else json.loads(f'"{piece[0]}"', strict=False)
        for piece in letters
    )
    origins = [*(piece.start() for piece in letters), end]
    prose = len(text) > _LONGEST_FIELD or "\n" in text.strip()
    return Value(inner, end, text, origins, _escaped, prose)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
