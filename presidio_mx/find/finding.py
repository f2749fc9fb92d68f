"""What readers of a note find: one span, its entity, how probable, who says so."""

from collections.abc import Iterable
from typing import NamedTuple

from presidio_mx.text.prepared import Prepared

RULES, MODEL, OTHER = "rules", "model", "other"
"""Readers: the suite's rules, its model, recognizers that are not the suite's."""
KNOWN, SITE, FIELDS, CHECKED = "known", "site", "fields", "checked"
"""Readers whose findings are certain: known data, a site's lists, fields of exports,
codes with a right check digit."""
CERTAIN = frozenset((KNOWN, SITE, FIELDS, CHECKED))


class Finding(NamedTuple):
    """A span that a reader marked; a tuple, since notes make many.

    :param start: First offset.
    :param end: Offset after the last character.
    :param entity: Presidio entity type.
    :param score: How probable it is that the span identifies somebody, 0 to 1; inside
        the grammar the confidence that the rule was written with.
    :param rule: File and rule that found it, for explanations.
    :param role: Role of a person: patient, relative, staff or other.
    :param block: Whether the span forbids its entity to rules instead of marking it.
    :param reader: Who found it.
    :param source: Identifier of the recognizer that reports it; empty for rules.
    """

    start: int
    end: int
    entity: str
    score: float
    rule: str
    role: str | None = None
    block: bool = False
    reader: str = RULES
    source: str = ""

    @property
    def certain(self) -> bool:
        """Whether the span is marked at every sensitivity."""
        return self.reader in CERTAIN

    def overlaps(self, other: "Finding") -> bool:
        """Tell whether two spans share a character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Finding") -> bool:
        """Tell whether the other span lies inside this one."""
        return self.start <= other.start and other.end <= self.end


def moved_back(findings: Iterable[Finding], source: Prepared) -> tuple[Finding, ...]:
    """Return findings of a prepared text in offsets of the note.

    :param findings: The findings.
    :param source: The prepared text.
    """
    if source.offsets is None:
        return tuple(findings)
    spans = ((finding, source.back(finding.start, finding.end)) for finding in findings)
    return tuple(f._replace(start=start, end=end) for f, (start, end) in spans)


# What a span is left with at its edges that identifies nobody.
_EDGES = " \t\r\n\xa0,;:|"


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Take separators from the edges of a span.

    :param text: The note.
    :param start: First offset.
    :param end: Offset after the last character.
    :return: The same or narrower; empty if there were separators alone.
    """
    while start < end and text[start] in _EDGES:
        start += 1
    while start < end and text[end - 1] in _EDGES:
        end -= 1
    return start, end
