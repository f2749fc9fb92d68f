"""Notes whose writer leaves out commas and full stops."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from presidio_mx.research.corpora.synthesis_case import Value

# Not those inside a number or a code: "3.5", "12:30", "a.m.".
_SIGN = re.compile(r"[,.:;](?![^\s,.:;])")


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
