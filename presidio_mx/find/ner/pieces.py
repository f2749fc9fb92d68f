"""Cut a note into the pieces a transformer reads, and these into windows."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

BEGIN, PAD, END = 0, 1, 2
"""Ids of ``<s>``, ``<pad>`` and ``</s>`` in XLM-R's vocabulary and ours."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE = re.compile(r"[^\n\r]*\S[^\n\r]*")


@dataclass(frozen=True, slots=True)
class Pieces:
    """A note as the model reads it; line breaks are ``</s>``.

    :param ids: Piece ids, shape (pieces,).
    :param word: Index of the word each piece begins, else -1, shape (pieces,).
    :param starts: Offset of each word's first character, shape (words,).
    :param ends: Offset after each word's last character, shape (words,).
    """

    ids: Ints
    word: Ints
    starts: Ints
    ends: Ints

    @property
    def firsts(self) -> Ints:
        """Indices of the pieces that begin a word, shape (words,)."""
        return np.flatnonzero(self.word >= 0)


def cut(tokenizer: Any, text: str) -> Pieces:
    """Cut a text into pieces, line by line.

    A word is a run of letters, a run of digits or one sign: where the tokenizer's own
    pre-tokenizer divides. A line break counts as a sentence's end.

    :param tokenizer: A ``tokenizers.Tokenizer``.
    :param text: Any text.
    :return: The pieces; empty for a text without words.
    """
    text = _SURROGATE.sub("?", text)
    found = _Builder(text)
    for line in _LINE.finditer(text):
        found.add(
            tokenizer.encode(line.group(), add_special_tokens=False), line.start()
        )
    return found.pieces()


class _Builder:
    """Collects the pieces of a text line by line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ids: list[int] = []
        self.word: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, encoded: Any, shift: int) -> None:
        """Add the pieces of one line that begins at an offset."""
        if self.ids:
            self.ids.append(END)
            self.word.append(-1)
        last = -1
        for piece, number, (start, end) in zip(
            encoded.ids, encoded.word_ids, encoded.offsets, strict=True
        ):
            self.ids.append(piece)
            if number == last:
                self.word.append(-1)
                self.ends[-1] = shift + end
                continue
            start, end = shift + start, shift + end
            while start < end and self.text[start].isspace():
                start += 1
            if start == end:
                # A space of its own: the word begins with the piece after it.
                self.word.append(-1)
                continue
            last = number
            self.word.append(len(self.starts))
            self.starts.append(start)
            self.ends.append(end)

    def pieces(self) -> Pieces:
        """Return what was collected."""
        columns = (self.ids, self.word, self.starts, self.ends)
        return Pieces(*(np.array(column, dtype=np.int64) for column in columns))


def windows(count: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Divide a row of pieces into windows that overlap, all of about one length.

    As few windows as possible, and these no longer than needed: a note a little longer
    than a window becomes two that are a little longer than half of it.

    :param count: Number of pieces.
    :param size: Pieces in a window at most.
    :param overlap: Pieces that two windows share at least; less than ``size``.
    :return: Start and end of each window.
    """
    if count <= size:
        return [(0, count)] if count else []
    number = -(-(count - overlap) // (size - overlap))
    length = -(-(count + (number - 1) * overlap) // number)
    last = count - length
    starts = [round(last * place / (number - 1)) for place in range(number)]
    return [(start, start + length) for start in starts]


def centres(cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the part of each window whose predictions count.

    Two windows share their overlap half and half, so that what is predicted near an
    edge comes from the window in which it stands further from it.

    :param cuts: Windows in order.
    :return: Start and end of the part of each; together they cover all pieces once.
    """
    borders = [(left[1] + right[0]) // 2 for left, right in pairwise(cuts)]
    return list(zip([0, *borders], [*borders, cuts[-1][1]], strict=True))
