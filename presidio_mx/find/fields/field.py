"""What the readers of structure yield."""

import re
from typing import NamedTuple

from presidio_mx.text.folding import fold_key

_ESCAPE = re.compile(
    r"\\u[0-9a-fA-F]{4}|&(?:#\d{2,4}|#x[0-9a-fA-F]{2,4}|[A-Za-z]{2,8});"
)
# What a field holds that names a study or a disease by a code, and nobody.
CONCEPT = "concept"
_NO_LETTER = re.compile(r"[^a-z0-9]+")


class Field(NamedTuple):
    """A value, and what its place in a message, object or table says of it.

    :param start: First offset of the value.
    :param end: Offset after it.
    :param holds: What it should hold, e.g. ``name``; see ``recognizers/fields.yaml``.
    :param role: Role of the person that it tells of, if known.
    """

    start: int
    end: int
    holds: str
    role: str | None = None


class Label(NamedTuple):
    """A key, tag or heading: never an identifier.

    :param start: First offset.
    :param end: Offset after it.
    """

    start: int
    end: int


def key_of(label: str) -> str:
    """Return a key or heading as it is looked up: folded letters and digits alone."""
    return _NO_LETTER.sub("", fold_key(label))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the white space at its edges."""
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    return start + left, max(start + left, start + len(part.rstrip()))


def unescaped(text: str) -> str:
    r"""Return a value in which escapes of letters are letters, of the same length.

    ``\u00f1`` of JSON and ``&#241;`` or ``&ntilde;`` of XML would be digits and marks.

    :param text: A value as it is written.
    """
    return _ESCAPE.sub(lambda match: "x" * len(match[0]), text)
