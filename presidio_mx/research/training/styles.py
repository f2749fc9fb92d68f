"""Make a marked note look scanned, dictated, hurried, laid out anew or exported."""

import re
from collections.abc import Callable, Sequence
from random import Random

from presidio_mx.research.corpora.synthesis import assemble
from presidio_mx.research.corpora.synthesis_case import Value
from presidio_mx.research.training.dictation import dictated
from presidio_mx.research.training.exports import exported
from presidio_mx.research.training.layout import laid_out, unsigned
from presidio_mx.research.training.scans import scanned
from presidio_mx.text.spans import Note

Style = Callable[[Sequence[Value], Random], list[Value]]
STYLES: dict[str, Style] = {
    "scan": scanned,
    "dictation": dictated,
    "layout": laid_out,
    "export": exported,
    "signs": unsigned,
}
_EDGES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)


def pieces_of(note: Note) -> list[Value]:
    """Take a note apart.

    :param note: A note whose spans do not overlap.
    :return: Its pieces in order, unmarked ones between the marked.
    """
    pieces: list[Value] = []
    at = 0
    for span in note.spans:
        pieces.append(Value(note.text[at : span.start]))
        pieces.append(Value(note.covered(span), span.entity_type, span.role or ""))
        at = span.end
    pieces.append(Value(note.text[at:]))
    return pieces


def note_of(name: str, pieces: Sequence[Value]) -> Note:
    """Put pieces together; blanks at the edges of a mark are left outside it.

    :param name: Id of the note.
    :param pieces: Its pieces in order.
    :return: The note with its spans.
    """
    cut: list[Value] = []
    for piece in pieces:
        if not piece.entity_type:
            cut.append(piece)
        elif match := _EDGES.fullmatch(piece.text):
            before, inside, after = match.groups()
            cut.append(Value(before))
            cut.append(Value(inside, piece.entity_type, piece.role))
            cut.append(Value(after))
    return assemble(name, cut)


def styled(note: Note, style: str, random: Random) -> Note:
    """Give a note another look.

    :param note: A note whose spans do not overlap.
    :param style: One of :data:`STYLES`.
    :param random: Source of chance.
    :return: The note with its marks on what became of their text; an export repeats
        some of them in fields of its own.
    """
    return note_of(note.id, STYLES[style](pieces_of(note), random))
