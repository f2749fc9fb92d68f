"""White space that parts words: mostly one blank, in some notes two, four or a tab."""

import re
from collections import Counter
from collections.abc import Iterator

from presidio_mx.find.note.edit import Edit

_GAP = re.compile(r"(?<=\S)[ \t\xa0]+(?=\S)")
# From this share on a width of blanks is how a note parts its words.
_USUAL = 0.6
_LEAST_GAPS = 5
# Notes with as many single blanks have columns where they have wide ones.
_MOST_SINGLE = 0.05


def usual_gap(text: str) -> str:
    """Return the white space that parts the words of a note: mostly one blank.

    A note whose words all stand two blanks, four blanks or a tab apart was laid out by
    a program; what is wider still parts columns there.

    :param text: The note.
    """
    if "  " not in text and "\t" not in text:
        return " "
    gaps = Counter(match[0] for match in _GAP.finditer(text))
    total = gaps.total()
    if total < _LEAST_GAPS or gaps[" "] > _MOST_SINGLE * total:
        return " "
    usual, count = gaps.most_common(1)[0]
    if count < _USUAL * total or ("\t" in usual and _is_table(text)):
        return " "
    return usual


def single_blanks(text: str) -> Iterator[Edit]:
    """Make single blanks of the width that parts the words of a note.

    :param text: The text.
    """
    usual = usual_gap(text)
    if usual == " ":
        return
    for match in _GAP.finditer(text):
        units = len(match[0]) // len(usual)
        if match[0] == usual * max(units, 1):
            yield Edit(*match.span(), " " * units)


def _is_table(text: str) -> bool:
    """Tell whether the lines of a note have as many tabs as one another."""
    counts = [line.count("\t") for line in text.splitlines() if line.strip()]
    return len(counts) > 1 and len(set(counts)) == 1
