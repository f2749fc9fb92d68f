"""The characters of a PDF page with their places, in the order they are read."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from pypdfium2 import raw

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom, from the top left of the page."""
Letter = tuple[str, Edges | None]

# What PDFium makes of a hyphen at the end of a line, and of the end behind it.
_HYPHEN = frozenset("\x02\ufffe")
# A line whose letters mostly stand apart is letterspaced; shorter ones do not tell.
_LEAST_LETTERS, _MOSTLY = 6, 0.7
# Between words the gap is wider than between letters: twice it, and a blank.
_WORD_GAP = 1.7


def letters_of(page: Any, height: float) -> list[Letter]:
    """Return the characters of a page, letterspaced words closed up.

    :param page: A ``pypdfium2.PdfTextPage``.
    :param height: Height of the page.
    :return: Each with its place; None where it is a blank or a line end.
    """
    made: list[Letter] = []
    line: list[Letter] = []
    usual = 0.0
    for letter in _characters(page, height):
        line.append(letter)
        if letter[0] == "\n":
            closed, usual = closed_up(line, usual)
            made += closed
            line = []
    return made + closed_up(line, usual)[0]


def _characters(page: Any, height: float) -> Iterator[Letter]:
    for number in range(page.count_chars()):
        letter = chr(raw.FPDFText_GetUnicode(page, number) or 0x20)
        if letter == "\r":
            continue
        broken = letter in _HYPHEN
        if broken:
            letter = "-"
        generated = raw.FPDFText_IsGenerated(page, number) == 1
        place = None
        if not generated and not letter.isspace():
            left, bottom, right, top = page.get_charbox(number, loose=True)
            place = (left, height - top, right, height - bottom)
        yield letter, place
        if broken:
            yield "\n", None


def closed_up(line: Sequence[Letter], above: float = 0.0) -> tuple[list[Letter], float]:
    """Return a line without the blanks between the letters of letterspaced words.

    PDFium puts a blank wherever letters stand far apart, and but one between words.

    :param line: Characters with their places.
    :param above: Gap between letters in the line above, 0 where it is not letterspaced:
        of a short line that goes on it tells what is a gap between words.
    :return: The line, and its own gap.
    """
    placed = [at for at, (_, place) in enumerate(line) if place is not None]
    pairs = [(a, b, _gap(line, a, b)) for a, b in pairwise(placed)]
    apart = [gap for a, b, gap in pairs if b > a + 1]
    if not apart or len(apart) < _MOSTLY * len(pairs):
        return list(line), 0.0
    usual = median(apart) if len(placed) >= _LEAST_LETTERS else above
    if usual <= 0:
        return list(line), 0.0  # too short to tell, or not from left to right
    dropped = {
        at
        for a, b, gap in pairs
        if gap < _WORD_GAP * usual
        for at in range(a + 1, b)
        if line[at][0] == " "
    }
    return [letter for at, letter in enumerate(line) if at not in dropped], usual


def _gap(line: Sequence[Letter], first: int, second: int) -> float:
    left, right = line[first][1], line[second][1]
    return right[0] - left[2] if left and right else 0.0
