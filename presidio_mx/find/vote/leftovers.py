"""What a model saw and nobody marks: whole faint spans, and what rules cut off.

"[Jorge Luis] Viernes" for a rule, all three words for the model; "O[9 jul 2O24]" in a
scan. What is left becomes a candidate of its own, weighed like any other, and joins the
finding that it belongs to.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from presidio_mx.find.note.finding import Finding
from presidio_mx.spanish.words import words

LEFTOVER_RULE = "left over"
# They say nothing when they are cut off alone: the "y" between two names, the "T" of
# "2024-10-02T08:40", what doctors call one another by ("Dra. Neyra Uro"). Held against
# all lists instead, rests lost initials and the "l" that a scanner read for 1.
_LINK = re.compile("|".join(words("particle_institution")))
_NOTHING = {
    "PERSON": re.compile(
        "|".join(["y", *map(str.capitalize, sorted(words("specialty_beside_name")))])
    ),
    # A label typed into the name: "Begoña IzaNºCol: 28 28".
    "ES_NOMBRE_PERSONAL_SANITARIO": re.compile(r"NºCol"),
    # "Hospital Carlos Haya [de] Málaga", two identifiers in notes of Spain.
    **dict.fromkeys(("ES_HOSPITAL", "ES_INSTITUCION", "ES_TERRITORIO"), _LINK),
    # A hospital's, before its name: "del H. [Isabel Zendal]".
    "LOCATION": re.compile(r"H"),
    "DATE_TIME": re.compile(r"T(?:\d\d)?"),
}
# From this probability on a leftover belongs to its neighbour for sure.
_JOINS = 0.5
# Blanks, a full stop or a hyphen between the parts of one identifier.
_WIDEST_GAP = 4


def parts_left(
    text: str, seen: Sequence[Finding], findings: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield the parts of a model's spans that no finding covers.

    :param text: The note.
    :param seen: The model's spans, in offsets of the note.
    :param findings: What stands, in reading order, without overlaps.
    :return: Whole spans as they are; parts of others with :data:`LEFTOVER_RULE`.
    """
    starts = [f.start for f in findings]
    ends = [f.end for f in findings]
    for span in seen:
        first = bisect_right(ends, span.start)
        last = bisect_left(starts, span.end)
        if first >= last:
            yield span
            continue
        position = span.start
        for finding in findings[first:last]:
            yield from _part(text, span, position, finding.start)
            position = finding.end
        yield from _part(text, span, position, span.end)


def _part(text: str, span: Finding, start: int, end: int) -> Iterator[Finding]:
    """Yield a part of a span from its first to its last letter or digit."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    nothing = _NOTHING.get(span.entity)
    if start < end and not (nothing and nothing.fullmatch(text, start, end)):
        yield span._replace(start=start, end=end, rule=LEFTOVER_RULE)


def joined(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Let leftovers join the finding they were cut off from.

    :param text: The note.
    :param findings: Findings with probabilities, in reading order.
    :return: The same with leftovers inside a neighbour of their type, where they are
        probable or share a word with it.
    """
    made: list[Finding] = []
    for finding in findings:
        before = made[-1] if made else None
        if before is not None and _one(text, before, finding):
            whole = finding if before.rule == LEFTOVER_RULE else before
            score = max(before.score, finding.score)
            made[-1] = whole._replace(start=before.start, end=finding.end, score=score)
        else:
            made.append(finding)
    return made


def _one(text: str, left: Finding, right: Finding) -> bool:
    """Tell whether two neighbours, one of them a leftover, are one finding."""
    leftovers = [f for f in (left, right) if f.rule == LEFTOVER_RULE]
    between = text[left.end : right.start]
    if not leftovers or left.entity != right.entity or "\n" in between:
        return False
    if not between:
        return True
    near = len(between) <= _WIDEST_GAP and not any(map(str.isalnum, between))
    return near and all(f.score >= _JOINS for f in leftovers)
