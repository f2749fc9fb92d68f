"""Count what each rule finds in corpora, and how much of it the gold marks bear out."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from presidio_mx.find.finding import moved_back
from presidio_mx.find.preset import Preset
from presidio_mx.schemes import to_meddocan, to_native
from presidio_mx.text.spans import Note, Span


@dataclass(slots=True)
class RuleHits:
    """What one rule found.

    :param rule: The rule's label: its file and name.
    :param entity: Entity type that it marks.
    :param stage: ``block``, ``rule`` or ``heuristic``.
    :param findings: Spans of the settled result that are its own, or places it blocked.
    :param right: Those that are gold spans of the same type, in marked notes.
    :param near: Those that only overlap a gold span of the same type.
    :param wrong: Those that overlap none, in marked notes.
    """

    rule: str
    entity: str
    stage: str
    findings: int = 0
    right: int = 0
    near: int = 0
    wrong: int = 0

    def row(self) -> dict[str, str | int]:
        """Return the values by name."""
        return asdict(self)


def count_hits(
    preset: Preset, notes: Iterable[Note], marked: bool = True
) -> list[RuleHits]:
    """Run the rules of a preset over notes and count by rule.

    :param preset: The compiled rules.
    :param notes: Notes with gold spans, in any scheme.
    :param marked: Whether the notes have gold spans; else nothing is right or wrong.
    :return: Every rule of the preset, in the order they run.
    """
    hits = {
        compiled.label: RuleHits(
            compiled.label, compiled.rule.entity, compiled.rule.stage
        )
        for compiled in preset.grammar.rules()
    }
    for note in notes:
        gold = [(s.start, s.end, _type(s, preset)) for s in note.spans]
        document = preset.read(note.text)
        for finding in preset.grammar.scan(document):
            if finding.block:
                hits[finding.rule].findings += 1
        for found in moved_back(preset.find(document), document.source):
            hit = hits.get(found.rule)
            if hit is None:
                continue  # made of what several rules found
            hit.findings += 1
            kind = _type(Span(found.start, found.end, found.entity), preset)
            if not marked:
                continue
            if (found.start, found.end, kind) in gold:
                hit.right += 1
            elif any(
                kind == other and start < found.end and found.start < end
                for start, end, other in gold
            ):
                hit.near += 1
            else:
                hit.wrong += 1
    return list(hits.values())


def added(*counts: list[RuleHits]) -> list[RuleHits]:
    """Add the counts of several corpora.

    :param counts: What :func:`count_hits` gave for each, with the same preset.
    :return: One count a rule.
    """
    total = [RuleHits(first.rule, first.entity, first.stage) for first in counts[0]]
    for one in counts:
        for sum_, hit in zip(total, one, strict=True):
            sum_.findings += hit.findings
            sum_.right += hit.right
            sum_.near += hit.near
            sum_.wrong += hit.wrong
    return total


def _type(span: Span, preset: Preset) -> str:
    """Return the type by which gold and findings are compared."""
    if preset.name == "es-ES":
        return to_meddocan(span)
    return to_native(span.entity_type)
