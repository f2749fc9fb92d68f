"""The one decision: what is marked of all that the readers of a note found.

What is certain stands: known data, a site's lists, codes with a right check digit,
fields of exports. So does every other finding that is probable enough at the chosen
sensitivity, whoever made it. Where two overlap, the one of the more trusted reader
keeps its span and entity, and what the other covers beyond it stays marked. Nothing
takes a finding away but a user's own allow list and the coded values of a message.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from presidio_mx.find.finding import (
    CHECKED,
    FIELDS,
    KNOWN,
    MODEL,
    OTHER,
    RULES,
    SITE,
    Finding,
    trimmed,
)
from presidio_mx.find.sensitivity import Thresholds

# Whose span and entity stand where two overlap.
_TRUST = {KNOWN: 0, SITE: 1, CHECKED: 2, FIELDS: 3, MODEL: 4, RULES: 5, OTHER: 6}

Span = tuple[int, int]


def decide(
    text: str,
    findings: Iterable[Finding],
    least: Thresholds,
    allowed: Sequence[Span] = (),
) -> list[Finding]:
    """Return what is marked of a note.

    :param text: The note.
    :param findings: What all readers found, in offsets of the note, each with its
        probability.
    :param least: Probabilities from which on findings stand.
    :param allowed: Spans, apart from one another, that a user's own list or a coded
        field keeps: nothing that lies inside one is marked.
    :return: Findings that do not overlap, in reading order. Every letter and digit of
        every finding that stands is covered, but those in ``allowed``.
    """
    standing = sorted((f for f in findings if _stands(f, least)), key=_precedence)
    taken, kept = _Taken(), sorted(allowed)
    starts = [start for start, _ in kept]
    for finding in standing:
        place = bisect_right(starts, finding.start) - 1
        if place < 0 or kept[place][1] < finding.end:
            taken.add(text, finding)
    return [f for f in taken.findings if any(map(str.isalnum, text[f.start : f.end]))]


def _stands(finding: Finding, least: Thresholds) -> bool:
    """Tell whether a finding is probable enough; others' recognizers judge theirs."""
    if finding.certain or finding.reader == OTHER:
        return True
    return finding.score >= least.of(finding.entity)


def _precedence(finding: Finding) -> tuple[float, ...]:
    """Return the place of a finding among those that overlap it: the least stays."""
    length = finding.end - finding.start
    score = -round(finding.score, 3)
    return (_TRUST[finding.reader], score, -length, finding.start)


class _Taken:
    """Findings that stand, in order; one that comes later takes what is left."""

    def __init__(self) -> None:
        """Begin with none."""
        self.findings: list[Finding] = []
        self._starts: list[int] = []

    def add(self, text: str, finding: Finding) -> None:
        """Add what nobody covers of a finding.

        :param text: The note.
        :param finding: The finding.
        """
        for start, end in self._free(finding.start, finding.end):
            start, end = trimmed(text, start, end)
            if start >= end:
                continue
            whole = (start, end) == (finding.start, finding.end)
            if not whole and self._joined(finding, start, end):
                continue
            place = bisect_left(self._starts, start)
            self.findings.insert(place, finding._replace(start=start, end=end))
            self._starts.insert(place, start)

    def _free(self, start: int, end: int) -> list[Span]:
        """Return the parts of a span that no finding covers."""
        place = bisect_left(self._starts, start)
        if place and self.findings[place - 1].end > start:
            place -= 1
        parts: list[Span] = []
        for taken in self.findings[place:]:
            if taken.start >= end:
                break
            if taken.start > start:
                parts.append((start, taken.start))
            start = max(start, taken.end)
        if start < end:
            parts.append((start, end))
        return parts

    def _joined(self, finding: Finding, start: int, end: int) -> bool:
        """Widen the neighbour of the same entity by a part, if there is one."""
        place = bisect_left(self._starts, start)
        for at in (place - 1, place):
            if not 0 <= at < len(self.findings):
                continue
            near = self.findings[at]
            if near.overlaps(finding) and near.entity == finding.entity:
                first, last = min(near.start, start), max(near.end, end)
                self.findings[at] = near._replace(start=first, end=last)
                self._starts[at] = first
                return True
        return False
