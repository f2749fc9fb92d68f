"""Make clean text look like what is typed on a ward."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from presidio_mx.research.corpora.synthesis_case import Value
from presidio_mx.spanish.words import groups
from presidio_mx.spanish.writing import strip_accents

NOISES = ("capitals", "no accents", "slips", "abbreviations", "lower case")
_SLIP_SHARE = 0.04
_WORD = re.compile(r"[^\W\d_]{5,}")
# Usual abbreviations of Mexican notes.
_SHORT = {word: short for word, short in groups("synthetic_abbreviation")}
_SHORT_WORD = re.compile(r"\b(" + "|".join(_SHORT) + r")\b")
_CODES = frozenset(
    "MX_CURP MX_RFC MX_NSS MX_INE MX_CLABE EMAIL_ADDRESS URL MEDICAL_RECORD".split()
)


def slip(word: str, random: Random) -> str:
    """Return a word with a slip of the fingers.

    :param word: A word of at least three letters.
    :param random: Source of chance.
    :return: The word with letters swapped, one left out or one doubled.
    """
    at = random.randint(1, len(word) - 2)
    kind = random.choice(("swap", "drop", "double"))
    if kind == "swap":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + ("" if kind == "drop" else word[at] * 2) + word[at + 1 :]


def _slips(text: str, random: Random) -> str:
    return _WORD.sub(
        lambda m: (
            slip(m.group(), random) if random.random() < _SLIP_SHARE else m.group()
        ),
        text,
    )


def add_noise(pieces: Sequence[Value], kind: str, random: Random) -> list[Value]:
    """Return the pieces of a note as a hurried person would have typed them.

    Codes keep their letters; only free text gets slips and abbreviations, names now
    and then a slip.

    :param pieces: Pieces of the note.
    :param kind: One of :data:`NOISES`.
    :param random: Source of chance.
    :return: The pieces, changed.
    """
    changed = []
    for piece in pieces:
        text = piece.text
        if kind == "capitals":
            text = (
                strip_accents(text).upper()
                if piece.entity_type
                not in (
                    "EMAIL_ADDRESS",
                    "URL",
                )
                else text
            )
        elif kind == "no accents":
            text = strip_accents(text)
        elif kind == "lower case" and piece.entity_type not in _CODES:
            text = text.lower()
        elif kind == "slips" and (
            not piece.entity_type or piece.entity_type == "PERSON"
        ):
            text = _slips(text, random)
        elif kind == "abbreviations" and not piece.entity_type:
            text = _SHORT_WORD.sub(lambda m: _SHORT[m.group()], text)
        changed.append(replace(piece, text=text))
    return changed
