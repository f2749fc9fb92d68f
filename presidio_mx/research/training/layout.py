"""Other blanks and line ends, fewer signs: what editors and hurry do to a page."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from presidio_mx.research.corpora.synthesis_case import Value

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
