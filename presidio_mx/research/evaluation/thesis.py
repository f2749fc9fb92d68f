"""Score as the Michoacán thesis (2022) did: tags counted, kind by kind.

Its Table 5.1 gives, for 450 notes, how many of the tags that a person put into a note
the program put there, too: telephones 296 of 300, addresses 56 of 68, names 133 of 164,
cities 67 of 79. Names of staff are left out: the program is to leave them. (For all
together the thesis prints 85.43 %; its counts give 552 of 611, which is 90.3 %.)
"""

from presidio_mx.research.evaluation.counts import Counts
from presidio_mx.research.evaluation.matching import keys, match
from presidio_mx.text.spans import Note, Span

NAME = "NOMBRE"
_STAFF = "staff"


def without_staff(gold: Note, predicted: Note) -> tuple[Note, Note]:
    """Leave names of staff out, and what was predicted upon them alone.

    :param gold: The note with gold spans, named by the thesis's tags.
    :param predicted: The same note with predicted spans.
    :return: Both, without those spans.
    """
    staff = [s for s in gold.spans if s.entity_type == NAME and s.role == _STAFF]
    kept = tuple(span for span in gold.spans if span not in staff)

    def counts(span: Span) -> bool:
        return not _touches(span, staff) or _touches(span, kept)

    return gold.with_spans(kept), predicted.with_spans(
        tuple(filter(counts, predicted.spans))
    )


def _touches(span: Span, others: list[Span] | tuple[Span, ...]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def tag_counts(gold: Note, predicted: Note) -> dict[str, Counts]:
    """Count the tags of a note; one is right if it touches a gold one of its kind.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans.
    :return: Counts by kind.
    """
    ours, theirs = keys(gold), keys(predicted)
    hits = [ours[i][2] for i, j in match(ours, theirs) if ours[i][2] == theirs[j][2]]
    kinds = {kind for *_, kind in (*ours, *theirs)}
    found = {}
    for kind in kinds:
        right = hits.count(kind)
        found[kind] = Counts(
            right,
            sum(key[2] == kind for key in theirs) - right,
            sum(key[2] == kind for key in ours) - right,
        )
    return found
