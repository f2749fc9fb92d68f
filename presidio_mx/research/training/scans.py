"""What a scanner and its reading of letters do to a page."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from presidio_mx.research.corpora.synthesis_case import Value

# What is taken for what, most of it both ways round: the confusions that Tesseract and
# its like are known for (Lopresti 2009, "Optical character recognition errors and
# their effects on natural language processing").
_CONFUSED = {
    "l": "1I|",
    "1": "lI/",
    "I": "l1|",
    "i": "íl1",
    "O": "0Q",
    "0": "OoD",
    "o": "0c",
    "S": "5$",
    "5": "Ss",
    "B": "8",
    "8": "B3",
    "3": "8",
    "Z": "2",
    "2": "Z",
    "G": "6C",
    "6": "Gb",
    "7": "1T",
    "9": "g",
    "g": "9q",
    "c": "eo",
    "e": "c",
    "E": "F",
    "h": "b",
    "n": "ri",
    "u": "ii",
    "v": "y",
    "á": "a",
    "é": "e",
    "í": "i",
    "ó": "o",
    "ú": "u",
    "ñ": "n",
    "Ñ": "N",
    "/": "1l",
    ".": ",",
    ",": ".",
    ":": ";.",
    "-": "~—",
}
_PAIRS = {"rn": "m", "m": "rn", "cl": "d", "d": "cl", "vv": "w", "ri": "n", "li": "h"}
_PAIR = re.compile("|".join(_PAIRS))
_STRAY = ("|", "~", ".", "'", "_", ";", "¡", "°", "*", "—")
_INSIDE = re.compile(r"(?<=\w\w)(?=\w\w)")
_BLANK = re.compile(r"(?<=\S) (?=\S)")
_LOWEST, _HIGHEST = 0.004, 0.04
# A reader that takes one sign for another does so on the whole page: some of these,
# most of the time.
_HABITS = (
    {"1": "l", "I": "l"},
    {"0": "O"},
    {"l": "|", "I": "|"},
    {"o": "0"},
    {"O": "0"},
    {"l": "1"},
    {"5": "S"},
    {"8": "B"},
    {"2": "Z"},
    {"S": "5", "B": "8"},
    {"i": "l"},
    {"e": "c"},
    {"ñ": "fi"},
    {"ñ": "h"},
    {"m": "rn"},
    {"d": "cl"},
)
_MOST_HABITS = 4
_HABITUAL = 0.5
# The share of its labels that such a page glues to what stands behind them.
_GLUED = 0.25


def scanned(pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a note as a scanner read it.

    Letters are mistaken, words broken and glued, specks become marks; bad pages have
    more of it. What stood under a mark is marked as it was read.

    :param pieces: Pieces of the note.
    :param random: Source of chance.
    :return: The pieces, changed.
    """
    rate = random.uniform(_LOWEST, _HIGHEST)
    if random.random() < _HABITUAL:
        pieces = _by_habit(pieces, random)
    return [_scan(piece, rate, random) for piece in pieces]


def _by_habit(pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a page on which some signs are taken for others nearly everywhere."""
    habits: dict[str, str] = {}
    for habit in random.sample(_HABITS, random.randint(1, _MOST_HABITS)):
        habits |= habit
    often = random.uniform(0.4, 1.0)
    glued = random.uniform(0.0, _GLUED)
    made = []
    for piece in pieces:
        text = "".join(
            habits[c] if c in habits and random.random() < often else c
            for c in piece.text
        )
        label = not piece.entity_type and text.rstrip(" ").endswith(":")
        if label and random.random() < glued:
            text = text.rstrip(" :")
        made.append(replace(piece, text=text))
    return made


def _scan(piece: Value, rate: float, random: Random) -> Value:
    def drawn(share: float) -> bool:
        return random.random() < rate * share

    text = _PAIR.sub(lambda m: _PAIRS[m[0]] if drawn(0.5) else m[0], piece.text)
    text = "".join(
        random.choice(_CONFUSED[c]) if c in _CONFUSED and drawn(1.0) else c
        for c in text
    )
    text = _BLANK.sub(lambda m: "" if drawn(1.0) else " ", text)
    text = _INSIDE.sub(lambda m: " " if drawn(0.3) else "", text)
    if not piece.entity_type:
        text = _BLANK.sub(
            lambda m: f" {random.choice(_STRAY)} " if drawn(0.7) else " ", text
        )
        if text.endswith(" ") and drawn(2.0):
            # The word before an identifier is glued to it.
            text = text[:-1]
    return replace(piece, text=text)
