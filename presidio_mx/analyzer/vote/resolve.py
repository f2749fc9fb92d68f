"""Settle overlaps: the one place where findings compete."""

from collections.abc import Iterator

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import KNOWN_RULE, SHAPED, Finding

# What a longer span may lack in score and still win over a shorter one inside it.
_CONTAINMENT_BONUS = 0.15
_BONUS_PER_CHARACTER = 0.003
# Below this score a span does not gain from what it contains.
_TRUSTED = 0.6


def resolve(
    document: Document, findings: list[Finding], settled: int = 0
) -> list[Finding]:
    """Settle what was found: blocks first, then the best of overlapping spans.

    Spans compete only within a cluster of overlapping ones, so that the time grows with
    the number of findings and not with its square.

    :param document: The note.
    :param findings: Findings in the order of the rules, blocks among them.
    :param settled: How many of the first come from an earlier call; clusters of these
        alone stay as they are.
    :return: Blocks, and findings that do not overlap, in reading order.
    """
    kept: list[Finding] = []
    for indices in _clusters(findings):
        if len(indices) == 1:
            kept.append(findings[indices[0]])
            continue
        indices.sort()
        cluster = [findings[index] for index in indices]
        if indices[-1] < settled:
            kept += cluster
            continue
        blocks = [f for f in cluster if f.block]
        spans = [f for f in cluster if not f.block and not _blocked(f, blocks)]
        best = _best([f for f in spans if not _inside_own(f, spans)])
        best = [_with_role(finding, spans) for finding in best]
        best = [_widened(finding, spans, best) for finding in best]
        kept += sorted({*blocks, *best}, key=lambda f: (f.start, f.end, f.rule))
    return kept


def clusters(findings: list[Finding]) -> Iterator[list[Finding]]:
    """Yield groups of findings that overlap one another, directly or in a chain.

    :param findings: Findings in any order; it is kept within a group.
    :return: Groups in reading order.
    """
    for indices in _clusters(findings):
        yield [findings[index] for index in sorted(indices)]


def _clusters(findings: list[Finding]) -> list[list[int]]:
    """Return the indices of the findings of each cluster, by their starts."""
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


def _blocked(finding: Finding, blocks: list[Finding]) -> bool:
    """Tell whether a block of the same entity covers at least half of a finding."""
    for block in blocks:
        if block.entity != finding.entity:
            continue
        if finding.proposed and block.contains(finding):
            # How sure a model is says nothing against "escala de Glasgow".
            return True
        if block.score < finding.score:
            continue
        shared = min(block.end, finding.end) - max(block.start, finding.start)
        if 2 * shared >= finding.end - finding.start:
            return True
    return False


def _inside_own(finding: Finding, findings: list[Finding]) -> bool:
    """Tell whether what another recognizer found lies in a span of our own."""
    return finding.proposed and any(
        other.entity == finding.entity
        and not other.proposed
        and other.contains(finding)
        for other in findings
    )


def _with_role(finding: Finding, spans: list[Finding]) -> Finding:
    """Return a proposed person with the role that a rule saw in an overlapping span."""
    if not finding.proposed or finding.role:
        return finding
    seen = [
        other
        for other in spans
        if other.role and other.entity == finding.entity and other.overlaps(finding)
    ]
    if not seen:
        return finding
    return finding._replace(role=max(seen, key=_strength).role)


def _widened(finding: Finding, spans: list[Finding], best: list[Finding]) -> Finding:
    """Return known data with what a rule saw beside a part of it ("Ana [Paz Rey]")."""
    if not finding.rule.startswith(KNOWN_RULE):
        return finding
    same = [s for s in spans if s.entity == finding.entity and s.overlaps(finding)]
    before = [f.end for f in best if f.end <= finding.start]
    behind = [f.start for f in best if f.start >= finding.end]
    return finding._replace(
        start=max([min(s.start for s in same), *before]),
        end=min([max(s.end for s in same), *behind]),
    )


def _strength(finding: Finding) -> float:
    length = finding.end - finding.start
    return finding.score + min(_CONTAINMENT_BONUS, _BONUS_PER_CHARACTER * length)


def _strengths(findings: list[Finding]) -> list[float]:
    """Return the strength of each finding.

    A span that holds a stronger one of its own entity is at least as strong: "Prudencia
    Villaseñor viuda de Casillas" wins over "Casillas", which has the better trigger.
    Not so what another recognizer draws wider around a code ("SARI800101HDFXXX09   F").
    """
    strengths = [_strength(finding) for finding in findings]
    for i, outer in enumerate(findings):
        if outer.score < _TRUSTED:
            continue
        if outer.proposed and outer.entity in SHAPED:
            continue
        for inner in findings:
            longer = inner.end - inner.start < outer.end - outer.start
            if longer and inner.entity == outer.entity and outer.contains(inner):
                strengths[i] = max(strengths[i], _strength(inner) + 0.01)
    return strengths


def _best(findings: list[Finding]) -> list[Finding]:
    """Choose greedily by strength; the first rule wins between equals."""
    if len(findings) < 2:
        return findings
    strengths = _strengths(findings)
    ranked = sorted(
        range(len(findings)), key=lambda i: (-strengths[i], findings[i].start, i)
    )
    kept: list[Finding] = []
    for index in ranked:
        finding = findings[index]
        if not any(finding.overlaps(other) for other in kept):
            kept.append(finding)
    return kept
