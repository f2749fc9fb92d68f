"""What rules find, in offsets of the working text."""

from collections.abc import Iterable
from typing import NamedTuple

from presidio_mx.find.note.working_text import WorkingText

# What stands for the rule in findings of other recognizers.
FOREIGN_RULE = "other recognizer"
# What the rule of a patient's own data begins with.
KNOWN_RULE = "known"
# What the rules begin with that read fields of messages, exports and tables.
FIELDS_RULE = "fields#"

# Entity types whose edges their shape tells, better than neighbours can.
SHAPED = frozenset(
    "PHONE_NUMBER MX_CURP MX_RFC MX_NSS MX_INE EMAIL_ADDRESS URL CREDIT_CARD "
    "MX_LICENSE_PLATE MX_PROFESSIONAL_LICENSE MEDICAL_RECORD".split()
)


class Finding(NamedTuple):
    """A span that a rule, a phrase or a model marked; a tuple, since notes make many.

    :param start: First offset.
    :param end: Offset after the last character.
    :param entity: Presidio entity type.
    :param score: Confidence, 0 to 1.
    :param rule: File and rule that found it, for explanations.
    :param role: Role of a person: patient, relative, staff or other.
    :param block: Whether the span forbids its entity instead of marking it.
    :param source: Identifier of the recognizer that proposed it; empty for rules.
    """

    start: int
    end: int
    entity: str
    score: float
    rule: str
    role: str | None = None
    block: bool = False
    source: str = ""

    @property
    def proposed(self) -> bool:
        """Whether a model, known data or another recognizer marked the span."""
        return bool(self.source)

    def overlaps(self, other: "Finding") -> bool:
        """Tell whether two spans share a character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Finding") -> bool:
        """Tell whether the other span lies inside this one."""
        return self.start <= other.start and other.end <= self.end


def moved_back(findings: Iterable[Finding], source: WorkingText) -> tuple[Finding, ...]:
    """Return findings of a working text in offsets of the note.

    :param findings: The findings.
    :param source: The working text.
    """
    if source.offsets is None:
        return tuple(findings)
    spans = ((finding, source.back(finding.start, finding.end)) for finding in findings)
    return tuple(f._replace(start=start, end=end) for f, (start, end) in spans)
