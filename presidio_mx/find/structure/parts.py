"""What structure in a text consists of: fields, boundaries, labels."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from presidio_mx.text.folding import fold_key

Span = tuple[int, int]

CODED = "coded"
"""What a field holds whose values are of a list: a sex, a unit, a code of a study."""
OTHER = "other"
"""What a field holds that identifies nobody by itself."""

_NO_LETTER = re.compile(r"[^a-z0-9]+")


class Field(NamedTuple):
    """A value, and what its place in a message, object or table says of it.

    :param start: First offset of the value.
    :param end: Offset after it.
    :param kind: Structure that it stands in: ``hl7``, ``json``, ``xml``, ``html``,
        ``sql``, ``table``, ``pairs``, ``yaml`` or ``cell``.
    :param path: Keys or headings that lead to it, as they are written.
    :param holds: What it should hold, e.g. ``name``; see ``recognizers/fields.yaml``.
        Empty where its keys say nothing.
    :param role: Role of the person that it tells of, if known.
    """

    start: int
    end: int
    kind: str
    path: tuple[str, ...]
    holds: str = ""
    role: str | None = None


@dataclass(slots=True)
class Parts:
    """What readers gather, in any order.

    :param fields: Values.
    :param boundaries: Spans that no finding may hold a part of.
    :param labels: Keys, tags and headings.
    :param whole: Escapes and entities, which are replaced as a whole or not at all.
    :param bare: Numbers without quotes, and the quote that a text in their place needs.
    """

    fields: list[Field] = field(default_factory=list)
    boundaries: list[Span] = field(default_factory=list)
    labels: list[Span] = field(default_factory=list)
    whole: list[Span] = field(default_factory=list)
    bare: dict[Span, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Structure:
    """The structure of a text; all spans in reading order.

    :param fields: Values.
    :param boundaries: Spans of signs, tags and separators, joined where they touch: no
        finding may hold a part of one.
    :param labels: Keys, tags and headings, which identify nobody unless one is the
        full name of a person.
    :param whole: Escapes and entities: a finding holds all of one, or nothing.
    :param bare: Numbers without quotes, and the quote that a text in their place needs.
    """

    fields: tuple[Field, ...] = ()
    boundaries: tuple[Span, ...] = ()
    labels: tuple[Span, ...] = ()
    whole: tuple[Span, ...] = ()
    bare: Mapping[Span, str] = field(default_factory=dict)

    def coded(self) -> list[Span]:
        """Return the spans of values that are never marked."""
        return [(f.start, f.end) for f in self.fields if f.holds == CODED]


def key_of(label: str) -> str:
    """Return a key or heading as it is looked up: folded letters and digits alone."""
    if label.isascii() and label.isalnum():
        return label.lower()
    return _NO_LETTER.sub("", fold_key(label))


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without the white space at its edges."""
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    return start + left, max(start + left, start + len(part.rstrip()))


def united(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans in reading order, joined where they overlap or touch."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            if end > joined[-1][1]:
                joined[-1] = joined[-1][0], end
        elif start < end:
            joined.append((start, end))
    return tuple(joined)
