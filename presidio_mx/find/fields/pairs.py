"""Dumps of keys and values: ``nom=RUIZ ANA edad=46``, ``tel1 ....... 55 1234``."""

import re
from collections.abc import Iterator

from presidio_mx.find.fields.field import Field, Label, trimmed
from presidio_mx.find.fields.meanings import Meanings

_KEY = r"[^\W\d_](?:[\w.-]{0,29}\w)?"
# A value ends where the next key stands, at a sign that parts fields, at a wide gap.
_EQUALS = re.compile(
    rf"(?<![\w=])(?P<key>{_KEY})[ ]?=[ ]?(?:\"(?P<double>[^\"\n]{{0,200}})\"|"
    rf"(?P<plain>[^\n;|\t=\"]{{1,120}}?)(?=,?[ ]+{_KEY}[ ]?=|[;|\t\n]|,?[ ]{{2}}|\Z))"
)
# Dots lead to the value, or the colons stand in a column.
_LEADERS = re.compile(
    r"^[ ]{0,8}(?P<key>[^\W\d_][\w./# -]{0,30}?)"
    r"(?:[ ]?\.{3,}[ ]?[:=]?[ ]{0,3}|[ ]{1,20}:[ ]{1,3})"
    r"(?P<plain>[^\n]{1,120}?)(?=[ ]{2}|\.{3}|\n|\Z)",
    re.M,
)
_LEAST = 3


def pair_fields(text: str, meanings: Meanings) -> Iterator[Field | Label]:
    """Yield the values of all keys that mean something, and these keys.

    :param text: The note; one in which fewer than three keys mean something is none.
    :param meanings: What keys mean.
    """
    for pattern in (_EQUALS, _LEADERS):
        found = [
            (match, meaning)
            for match in pattern.finditer(text)
            if (meaning := meanings.of_label(match["key"])) is not None
        ]
        if len(found) < _LEAST:
            continue
        for match, meaning in found:
            yield Label(*match.span("key"))
            kind = match.lastgroup or "plain"
            if not meaning.owned:
                yield from meaning.of_value(*trimmed(text, *match.span(kind)))
