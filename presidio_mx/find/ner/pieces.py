"""Cut a note into the pieces an encoder reads, and these into windows."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from presidio_mx.find.ner.words import Tokens, tokens_of

Ints = NDArray[np.int64]

BEGIN, PAD, END = 0, 1, 2
"""Ids of ``<s>``, ``<pad>`` and ``</s>`` in XLM-R's vocabulary and ours."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE = re.compile(r"[^\n]*[^\s][^\n]*")


@dataclass(frozen=True, slots=True)
class Pieces:
    """A note as the encoder reads it; line breaks between pieces are ``</s>``.

    :param ids: Piece ids, shape (pieces,).
    :param first: Index of each word's first piece, shape (words,); -1 for words that
        have none, such as line ends.
    :param last: Index of each word's last piece, likewise.
    :param tokens: The words.
    """

    ids: Ints
    first: Ints
    last: Ints
    tokens: Tokens


def encodable(text: str) -> str:
    """Return a text without halves of characters, which no tokenizer takes."""
    return _SURROGATE.sub("?", text)


def cut(tokenizer: Any, text: str) -> Pieces:
    """Cut a text into pieces, line by line.

    :param tokenizer: A ``tokenizers.Tokenizer`` that divides words as
        :mod:`presidio_mx.find.ner.words` does, or more finely.
    :param text: A prepared text.
    :return: The pieces; empty for a text without words.
    """
    text = encodable(text)
    tokens = tokens_of(text)
    starts = tokens.starts.tolist()
    ids: list[int] = []
    first = np.full(len(tokens), -1, dtype=np.int64)
    last = np.full(len(tokens), -1, dtype=np.int64)
    word, size = 0, len(starts)
    for line in _LINE.finditer(text):
        encoded = tokenizer.encode(line.group(), add_special_tokens=False)
        if ids:
            ids.append(END)
        for piece, (start, end) in zip(encoded.ids, encoded.offsets, strict=True):
            start, end = start + line.start(), end + line.start()
            while start < end and text[start].isspace():
                start += 1
            if start == end:
                continue  # a blank of its own
            while word + 1 < size and starts[word + 1] <= start:
                word += 1
            if first[word] < 0:
                first[word] = len(ids)
            last[word] = len(ids)
            ids.append(piece)
    return Pieces(np.array(ids, dtype=np.int64), first, last, tokens)


def windows(count: int, size: int, overlap: int = 0) -> list[tuple[int, int]]:
    """Divide a row of pieces into windows of one length, as few as possible.

    They share no more pieces than is wanted and than it takes to make them equally
    long, so that nothing is padded.

    :param count: Number of pieces.
    :param size: Pieces in a window at most.
    :param overlap: Pieces that neighbours share at least; fewer than ``size``.
    :return: Start and end of each window.
    """
    if count <= size:
        return [(0, count)] if count else []
    number = -(-(count - overlap) // (size - overlap))
    length = -(-(count + overlap * (number - 1)) // number)
    starts = [round((count - length) * i / (number - 1)) for i in range(number)]
    return [(start, start + length) for start in starts]


def places(cuts: list[tuple[int, int]]) -> Ints:
    """Return where each piece stands in the rows that an encoder gives for windows.

    Each row begins with ``<s>`` and ends with ``</s>``; of two windows that share a
    piece the one counts in which it stands further inside.

    :param cuts: Windows in order, all of one length.
    :return: Index into the rows laid end to end, shape (pieces,).
    """
    borders = [(left[1] + right[0]) // 2 for left, right in pairwise(cuts)]
    parts = zip([0, *borders], [*borders, cuts[-1][1]], strict=True)
    width = cuts[0][1] - cuts[0][0] + 2
    return np.concatenate(
        [
            np.arange(left, right) - start + 1 + row * width
            for row, ((left, right), (start, _)) in enumerate(
                zip(parts, cuts, strict=True)
            )
        ]
    )
