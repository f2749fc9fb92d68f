"""Settle overlaps among rules: blocks first, then the stronger of two spans."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from presidio_mx.find.finding import Finding

# What a longer span may lack in score and still win over a shorter one inside it.
_CONTAINMENT_BONUS = 0.15
_BONUS_PER_CHARACTER = 0.003
# Below this score a span does not gain from what it contains.
_TRUSTED = 0.6
# How much stronger a span is than a stronger one of its own entity inside it.
_JUST_STRONGER = 0.01

_start = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Findings by where they start, to look up those that overlap a span.

    :param findings: Ascending by start.
    :param starts: Their starts.
    :param longest: Length of the longest.
    """

    findings: tuple[Finding, ...]
    starts: tuple[int, ...]
    longest: int

    @classmethod
    def of(cls, findings: Sequence[Finding]) -> "Overlaps":
        """Put findings in order.

        :param findings: Findings in any order.
        """
        ordered = tuple(sorted(findings, key=_start))
        longest = max((f.end - f.start for f in ordered), default=0)
        return cls(ordered, tuple(map(_start, ordered)), longest)

    def with_(self, span: Finding) -> Iterator[Finding]:
        """Yield the findings that share a character with a span."""
        first = bisect_right(self.starts, span.start - self.longest)
        for finding in self.findings[first : bisect_left(self.starts, span.end)]:
            if finding.end > span.start:
                yield finding


def resolve(findings: Sequence[Finding], settled: int = 0) -> list[Finding]:
    """Settle what rules found: blocks first, then the best of overlapping spans.

    Spans compete only within a cluster of overlapping ones, and are compared only with
    those that overlap them, so that the time grows with the number of findings and not
    with its square.

    :param findings: Findings in the order of the rules, blocks among them.
    :param settled: How many of the first come from an earlier call; clusters of these
        alone stay as they are.
    :return: Blocks, and findings that do not overlap, in reading order.
    """
    kept: list[Finding] = []
    for indices in clusters(findings):
        if len(indices) == 1:
            kept.append(findings[indices[0]])
            continue
        indices.sort()
        cluster = [findings[index] for index in indices]
        if indices[-1] < settled:
            kept += cluster
            continue
        blocks = [f for f in cluster if f.block]
        against = Overlaps.of(blocks)
        best = _best([f for f in cluster if not f.block and not _blocked(f, against)])
        kept += sorted({*blocks, *best}, key=lambda f: (f.start, f.end, f.rule))
    return kept


def clusters(findings: Sequence[Finding]) -> list[list[int]]:
    """Return groups of findings that overlap one another, directly or in a chain.

    :param findings: Findings in any order.
    :return: Groups in reading order: indices of findings, ascending by their starts.
    """
    groups: list[list[int]] = []
    last = 0
    starts = [finding.start for finding in findings]
    for index in sorted(range(len(starts)), key=starts.__getitem__):
        if not groups or starts[index] >= last:
            groups.append([index])
            last = findings[index].end
        else:
            groups[-1].append(index)
            last = max(last, findings[index].end)
    return groups


def _blocked(finding: Finding, blocks: Overlaps) -> bool:
    """Tell whether a block of the same entity covers at least half of a finding."""
    return any(
        block.entity == finding.entity
        and block.score >= finding.score
        and 2 * (min(block.end, finding.end) - max(block.start, finding.start))
        >= finding.end - finding.start
        for block in blocks.with_(finding)
    )


def _strength(finding: Finding) -> float:
    length = finding.end - finding.start
    return finding.score + min(_CONTAINMENT_BONUS, _BONUS_PER_CHARACTER * length)


def _strength_over(outer: Finding, overlaps: Overlaps) -> float:
    """Return the strength of a finding, given those that overlap it.

    A span that holds a stronger one of its own entity is at least as strong: "Prudencia
    Villaseñor viuda de Casillas" wins over "Casillas", which has the better trigger.
    """
    strength = _strength(outer)
    if outer.score < _TRUSTED:
        return strength
    size = outer.end - outer.start
    inner = (
        _strength(other) + _JUST_STRONGER
        for other in overlaps.with_(outer)
        if other.entity == outer.entity
        and other.end - other.start < size
        and outer.contains(other)
    )
    return max(strength, *inner, strength)


def _best(findings: list[Finding]) -> list[Finding]:
    """Choose greedily by strength; the first rule wins between equals."""
    if len(findings) < 2:
        return findings
    overlaps = Overlaps.of(findings)
    strengths = [_strength_over(finding, overlaps) for finding in findings]
    ranked = sorted(
        range(len(findings)), key=lambda i: (-strengths[i], findings[i].start, i)
    )
    # Spans that are kept do not overlap: a new one need only fit between neighbours.
    taken: list[tuple[int, int]] = []
    kept: list[Finding] = []
    for index in ranked:
        finding = findings[index]
        place = bisect_left(taken, (finding.start, finding.end))
        free_before = place == 0 or taken[place - 1][1] <= finding.start
        free_behind = place == len(taken) or taken[place][0] >= finding.end
        if free_before and free_behind:
            insort(taken, (finding.start, finding.end))
            kept.append(finding)
    return kept
