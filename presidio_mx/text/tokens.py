"""Cut a text into tokens that respect the edges of spans, and into sentences."""

import re
from collections.abc import Iterable

_TOKEN = re.compile(r"\w+|[^\w\s]")
# A sentence ends at a line break, or after . ! ? before a capital or a digit, unless
# the point closes an abbreviation of up to four letters ("Dra. Ruiz", "col. Centro").
_END = re.compile(
    r"\n+|(?<=[.!?])(?<!\b\w\.)(?<!\b\w{2}\.)(?<!\b\w{3}\.)\s+(?=[A-ZÁÉÍÓÚÑ¿¡])"
)

Piece = tuple[int, int]


def tokens(text: str, cuts: Iterable[int] = ()) -> list[Piece]:
    """Return the offsets of words and signs.

    :param text: Any text.
    :param cuts: Offsets no token may run across, such as the edges of spans.
    :return: Start and end of each token, in order.
    """
    borders = sorted(set(cuts))
    found: list[Piece] = []
    at = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while at < len(borders) and borders[at] <= start:
            at += 1
        while at < len(borders) and borders[at] < end:
            found.append((start, borders[at]))
            start = borders[at]
            at += 1
        found.append((start, end))
    return found


def sentences(text: str) -> list[Piece]:
    """Return the offsets of sentences; a line break always ends one.

    :param text: Any text.
    :return: Start and end of each sentence, without blank edges; blank ones left out.
    """
    found: list[Piece] = []
    start = 0
    for end, following in [m.span() for m in _END.finditer(text)] + [
        (len(text), len(text))
    ]:
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            first = start + piece.index(stripped)
            found.append((first, first + len(stripped)))
        start = following
    return found
