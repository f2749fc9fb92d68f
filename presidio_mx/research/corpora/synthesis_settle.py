"""Blanks, breaks, points and capitals of a note that was drawn piece by piece."""

import re
from collections.abc import Sequence
from itertools import groupby

from presidio_mx.research.corpora.synthesis_case import Value


def capitalised(pieces: list[Value]) -> list[Value]:
    """Return pieces of which the first word has a capital.

    :param pieces: Pieces; what identifies keeps its letters.
    """
    for at, piece in enumerate(pieces):
        if piece.text.strip():
            if not piece.entity_type:
                text = piece.text.lstrip()
                pieces[at] = Value(text[:1].upper() + text[1:])
            break
    return pieces


_TIDY = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"[ ]{2,}", " "),
        (r"[ ]*\n[ ]*", "\n"),
        (r"\n{3,}", "\n\n"),
        (r"[ ]+([,.;:)])(?!\d)", r"\1"),
        (r"[,;](?=[.;])|(?<=[.;,]),|(?<=[.:;])\.", ""),
        (r"\bcon (?=sin\b)", ""),
        (r"\b(de|a) el (?=[a-z])", lambda m: "del " if m[1] == "de" else "al "),
    )
)


def settled(pieces: Sequence[Value]) -> list[Value]:
    """Return pieces without doubled blanks, empty lines at the ends, stray points.

    :param pieces: Pieces of a note in order.
    """
    found: list[Value] = []
    for plain, group in groupby(pieces, key=lambda piece: not piece.entity_type):
        if not plain:
            found += group
            continue
        text = "".join(piece.text for piece in group)
        for pattern, new in _TIDY:
            text = pattern.sub(new, text)
        if found:
            if found[-1].text.endswith("."):  # "Mich." and the end of a sentence
                text = text.removeprefix(".")
        else:
            text = text.lstrip()
        if text:
            found.append(Value(text))
    if found and not found[-1].entity_type:
        found[-1] = Value(found[-1].text.rstrip())
    return [piece for piece in found if piece.text]
