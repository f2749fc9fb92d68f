"""Settle overlaps: the one place where findings compete."""

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import FOREIGN_RULE, Finding

# What a longer span may lack in score and still win over a shorter one inside it.
_CONTAINMENT_BONUS = 0.15


def resolve(document: Document, findings: list[Finding]) -> list[Finding]:
    """Settle what was found: blocks first, then the best of overlapping spans.

    :param document: The note.
    :param findings: Findings in the order of the rules, blocks among them.
    :return: Blocks, and findings that do not overlap, in reading order.
    """
    blocks = [f for f in findings if f.block]
    open_findings = [f for f in findings if not f.block and not _blocked(f, blocks)]
    kept = _best([f for f in open_findings if not _inside_own(f, open_findings)])
    return sorted(set(blocks) | set(kept), key=lambda f: (f.start, f.end, f.rule))


def _blocked(finding: Finding, blocks: list[Finding]) -> bool:
    """Tell whether a block of the same entity covers at least half of a finding."""
    for block in blocks:
        if block.entity != finding.entity or block.score < finding.score:
            continue
        shared = min(block.end, finding.end) - max(block.start, finding.start)
        if 2 * shared >= finding.end - finding.start:
            return True
    return False


def _inside_own(finding: Finding, findings: list[Finding]) -> bool:
    """Tell whether what another recognizer found lies in a span of our own."""
    return finding.rule == FOREIGN_RULE and any(
        other.entity == finding.entity
        and other.rule != FOREIGN_RULE
        and other.contains(finding)
        for other in findings
    )


def _strength(finding: Finding) -> float:
    return finding.score + min(
        _CONTAINMENT_BONUS, 0.003 * (finding.end - finding.start)
    )


def _best(findings: list[Finding]) -> list[Finding]:
    """Choose greedily by strength; the first rule wins between equals."""
    ranked = sorted(
        enumerate(findings),
        key=lambda pair: (-_strength(pair[1]), pair[1].start, pair[0]),
    )
    kept: list[Finding] = []
    for _, finding in ranked:
        if not any(finding.overlaps(other) for other in kept):
            kept.append(finding)
    return kept
