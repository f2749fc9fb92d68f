"""Cut a text into pieces for Presidio's engine."""

from collections.abc import Iterator, Mapping, Sequence

from presidio_mx.presidio_compat import JOINS_OVER
from presidio_mx.text.spans import Span

# Presidio rebuilds the whole text for every entity; pieces keep the time linear.
_PIECE_ENTITIES = 64


def pieces(
    text: str, spans: Sequence[Span], varied: Mapping[int, str]
) -> Iterator[tuple[int, int, list[Span]]]:
    """Cut the text between entities: often enough, and wherever Presidio would merge.

    Presidio joins neighbours of one type that only blanks separate; two people written
    side by side must stay two. A name that varies from mention to mention has one
    replacement in a piece.

    :param text: The document.
    :param spans: Its entities.
    :param varied: Offset of a mention to what stands there instead of the plan's.
    :return: Begin and end of each piece, and its entities.
    """
    begin, held = 0, list[Span]()
    for span in spans:
        if held:
            last = held[-1]
            merges = last.entity_type == span.entity_type and not (
                text[last.end : span.start].strip(JOINS_OVER)
            )
            differs = bool(varied) and any(
                text[other.start : other.end] == text[span.start : span.end]
                and varied.get(other.start) != varied.get(span.start)
                for other in held
            )
            if merges or differs or len(held) >= _PIECE_ENTITIES:
                yield begin, last.end, held
                begin, held = last.end, []
        held.append(span)
    yield begin, len(text), held
