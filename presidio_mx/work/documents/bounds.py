"""Findings held to the values of a file: none goes over from one to the next."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from presidio_analyzer import RecognizerResult

from presidio_mx.work.documents.opened import Part, Sure

RULE = "fields#file"
"""Rule of what the format of a file says identifies somebody."""
# A number that the format calls an identifier may be a better known one.
_YIELDING = frozenset({"MEDICAL_RECORD", "PHONE_NUMBER", "DATE_TIME", "URL"})
_TIED = re.compile("[-\u2011][^\\W\\d_a-zà-ÿ][^\\W\\d_]+")
_TIED_BEFORE = re.compile("(?<!\\w)[^\\W\\d_a-zà-ÿ][^\\W\\d_]{1,30}[-\u2011]$")


def settled(part: Part, results: Sequence[RecognizerResult]) -> list[RecognizerResult]:
    """Return findings as they go into the file.

    :param part: The text with its values.
    :param results: What rules and models found in it.
    :return: Findings inside of values, in order and apart, with what is sure.
    """
    cells = part.cells
    found = list(results)
    if cells is not None:
        found = list(cut(part.text, found, cells))
    if part.sure:
        found = list(_with_sure(part.sure, found))
    found = [_whole(part.text, result) for result in found]
    return sorted(found, key=lambda result: (result.start, result.end))


def cut(
    text: str,
    results: Iterable[RecognizerResult],
    cells: Sequence[tuple[int, int]],
) -> Iterator[RecognizerResult]:
    """Yield of each finding what of it stands in each value.

    :param text: The text.
    :param results: Findings in it.
    :param cells: Where its values stand, in order.
    """
    starts = [start for start, _ in cells]
    for result in results:
        at = max(bisect_right(starts, result.start) - 1, 0)
        while at < len(cells) and cells[at][0] < result.end:
            start = max(result.start, cells[at][0])
            end = min(result.end, cells[at][1])
            piece = text[start:end]
            if any(map(str.isalnum, piece)):
                if (start, end) != (result.start, result.end):
                    start += len(piece) - len(piece.lstrip())
                    end -= len(piece) - len(piece.rstrip())
                yield moved(result, start, end)
            at += 1


def moved(result: RecognizerResult, start: int, end: int) -> RecognizerResult:
    """Return a finding at another place.

    :param result: The finding.
    :param start: Its new first offset.
    :param end: The offset after it.
    """
    if (start, end) == (result.start, result.end):
        return result
    return RecognizerResult(
        result.entity_type,
        start,
        end,
        result.score,
        recognition_metadata=result.recognition_metadata,
    )


def _whole(text: str, result: RecognizerResult) -> RecognizerResult:
    """Return the name of a person with what a hyphen ties to it: "Ana-Luisa"."""
    start, end = result.start, result.end
    if result.entity_type != "PERSON" or ("-" not in text and "\u2011" not in text):
        return result
    before, behind = (
        _TIED_BEFORE.search(text, max(0, start - 40), start),
        _TIED.match(text, end),
    )
    return moved(
        result,
        before.start() if before else start,
        behind.end() if behind else end,
    )


def _with_sure(
    sure: Sequence[Sure], found: Sequence[RecognizerResult]
) -> Iterator[RecognizerResult]:
    """Yield what is sure, and what was found outside of it."""
    by_start = {result.start: result for result in found}
    spans = []
    for start, end, entity, role in sure:
        other = by_start.get(start)
        if entity in _YIELDING and other is not None and other.end >= end:
            continue
        spans.append((start, end))
        metadata = {"rule": RULE, "role": role or ""}
        yield RecognizerResult(entity, start, end, 1.0, recognition_metadata=metadata)
    firsts = [start for start, _ in spans]
    for result in found:
        at = bisect_right(firsts, result.start) - 1
        start, end = result.start, result.end
        if at >= 0:
            start = max(start, spans[at][1])
        if at + 1 < len(spans):
            end = min(end, spans[at + 1][0])
        if start < end:
            yield moved(result, start, end)
