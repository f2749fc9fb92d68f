"""Make a marked note look scanned, dictated, hurried, laid out anew or exported."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from presidio_mx.research.corpora.synthesis import assemble
from presidio_mx.research.corpora.synthesis_case import Value
from presidio_mx.research.training.dictation import dictated
from presidio_mx.research.training.exports import exported
from presidio_mx.research.training.scans import scanned
from presidio_mx.text.spans import Note

_BLANK = re.compile(" +")
_LINE_END = re.compile(r"\n")
_NARROW, _WIDE = 20, 80
# Not those inside a number or a code: "3.5", "12:30", "a.m.".
_SIGN = re.compile(r"[,.:;](?![^\s,.:;])")


def laid_out(pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a note in another layout; its words stay.

    :param pieces: Pieces of the note.
    :param random: Source of chance.
    :return: The pieces with other blanks or line ends.
    """
    kind = random.choice(("wrap", "wrap", "wrap", "blanks", "ends"))
    if kind == "wrap":
        return _wrapped(pieces, random.randint(_NARROW, _WIDE))
    if kind == "blanks":
        blank = random.choice(("  ", "    ", "\t"))
        share = random.choice((0.1, 0.5, 1.0))
        return _each(pieces, _BLANK, lambda: blank if random.random() < share else " ")
    end = random.choice(("\\n", " ", "\n\n", "\r\n", "\\r\\n"))
    return _each(pieces, _LINE_END, lambda: end)


def _each(
    pieces: Sequence[Value], pattern: re.Pattern[str], drawn: Callable[[], str]
) -> list[Value]:
    return [
        replace(piece, text=pattern.sub(lambda m: drawn(), piece.text))
        for piece in pieces
    ]


def _wrapped(pieces: Sequence[Value], width: int) -> list[Value]:
    """Break lines at blanks, as a form of so many columns does, names or not."""
    column = 0
    made = []
    for piece in pieces:
        text = ""
        for part in re.split(r"(\s)", piece.text):
            if part == "\n":
                column = 0
            elif part == " " and column >= width:
                part, column = "\n", 0
            else:
                column += len(part)
            text += part
        made.append(replace(piece, text=text))
    return made


def unsigned(pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a note without most of its commas, colons and full stops.

    :param pieces: Pieces of the note.
    :param random: Source of chance.
    :return: The pieces, marked ones among them, fewer signs; some in small letters.
    """
    share = random.choice((0.6, 0.9, 1.0))
    lower = random.random() < 0.4
    made = []
    for piece in pieces:
        text = _SIGN.sub(lambda m: "" if random.random() < share else m[0], piece.text)
        made.append(replace(piece, text=text.lower() if lower else text))
    return made


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
