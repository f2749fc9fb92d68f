"""Findings end where structure does."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from presidio_mx.find.finding import Finding
from presidio_mx.find.structure.parts import Span

# What is trimmed where a boundary cut a finding.
_SIGNS = " \t\r\n\\\"'`,;:|()[]{}<>=&^~"
_NAMES = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})


def cut(
    text: str,
    findings: Iterable[Finding],
    boundaries: Sequence[Span],
    whole: Sequence[Span] = (),
) -> list[Finding]:
    """Return findings that hold nothing of a boundary.

    One that crosses is split into its parts; those without letters and digits go, and
    bare numbers next to a name. Edges that are new lose blanks and signs. One that
    holds a part of an escape holds all of it.

    :param text: The text.
    :param findings: What any reader found, in offsets of the text.
    :param boundaries: Spans in reading order, apart from one another: those of the
        structure, and of what is never marked.
    :param whole: Escapes and entities, in reading order.
    """
    kept: list[Finding] = []
    last = 0
    for finding in findings:
        span = finding.start, finding.end
        shape = str.isalnum
        if finding.entity in _NAMES and any(map(str.isalpha, text[slice(*span)])):
            shape = str.isalpha
        for part in _parts(text, span, boundaries):
            start, end = _around(*part, whole)
            if finding.start >= last:  # two may hold a part of one escape
                start = max(start, kept[-1].end if kept else 0)
            if any(map(shape, text[start:end])):
                kept.append(finding._replace(start=start, end=end))
        last = finding.end
    return kept


def _parts(text: str, span: Span, boundaries: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of a span between boundaries, trimmed where one cut it."""
    start, end = span
    place = bisect_right(boundaries, start, key=lambda boundary: boundary[1])
    while place < len(boundaries) and boundaries[place][0] < end:
        before, behind = boundaries[place]
        yield from _trimmed(text, start, before, span)
        start, place = behind, place + 1
    yield from _trimmed(text, start, end, span)


def _trimmed(text: str, start: int, end: int, span: Span) -> Iterator[Span]:
    while start > span[0] and start < end and text[start] in _SIGNS:
        start += 1
    while end < span[1] and start < end and text[end - 1] in _SIGNS:
        end -= 1
    if start < end:
        yield start, end


def _around(start: int, end: int, whole: Sequence[Span]) -> Span:
    """Return a span that holds all of the escapes at its edges."""
    for place, edge in enumerate((start, end)):
        index = bisect_right(whole, edge, key=lambda escape: escape[1])
        if index < len(whole) and whole[index][0] < edge:
            start, end = (
                (whole[index][0], end) if place == 0 else (start, whole[index][1])
            )
    return start, end
