"""Costs of aligning a note with its de-identified copy, by dynamic programming.

A cell (i, j) is the least cost of aligning the first i tokens of the original with the
first j of the copy. Columns are computed whole with numpy; costs are thousandths, whole
numbers, so that equal costs compare equal.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold

Matrix = NDArray[np.int64]

MISSING = 1000  # a word that only one of the two has
OTHER = 2000  # two words that have nothing in common
RETYPED = 300  # a word with a slip of the pen
GLUED = 200  # two words in one text that are one in the other
WITHIN = 10  # a word that a tag stands for
IMPLAUSIBLE = 300  # a number or street in a name, a word in a phone number
SIGN = 40  # a comma, point or line end that a tag stands for
EMPTY = 700  # a tag that stands for nothing
_SIMILAR = 70.0  # rapidfuzz ratio, in per cent
_HUGE = 1 << 40

_WORDS_ONLY = frozenset({"NOMBRE", "CIUDAD", "MUNICIPIO", "ESTADO", "PERSON"})
_STREET = words("aligned_street")
_PHONE = words("aligned_phone")
# Tags that stand for numbers, with the words that people write into these.
_NUMBERS = {
    "TEL": _PHONE,
    "CEL": _PHONE,
    "PHONE": _PHONE,
    "TARJETA": _PHONE,
    "CLABE": _PHONE,
    "EDAD": words("aligned_age"),
    "FECHA": words("month", "month_short", "month_roman") | {"de", "del"},
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign, or a tag of the copy.

    :param start: Offset of its first character.
    :param end: Offset after its last.
    :param text: As written; empty for a tag.
    :param tag: Name of the tag, or empty.
    """

    start: int
    end: int
    text: str
    tag: str = ""

    @property
    def key(self) -> str:
        """The folded text, by which tokens are compared."""
        return fold(self.text)


def tag_costs(left: list[Token], tag: str) -> Matrix:
    """Return what it costs that a tag stands for the first i tokens.

    :param left: Tokens of the original.
    :param tag: Name of the tag.
    :return: Cumulated costs, one more than tokens.
    """
    costs = [0]
    for token in left:
        costs.append(costs[-1] + _within(token, tag))
    return np.array(costs, dtype=np.int64)


def _within(token: Token, tag: str) -> int:
    text = token.text
    if not text.isalnum():
        return SIGN
    if tag in _WORDS_ONLY and (text.isdigit() or token.key in _STREET):
        return IMPLAUSIBLE
    allowed = _NUMBERS.get(tag)
    if allowed is not None and not text.isdigit() and token.key not in allowed:
        return IMPLAUSIBLE
    return WITHIN


def _pair_costs(left: list[Token], right: list[Token]) -> dict[str, Matrix]:
    """Return, for each different word of the copy, its cost against the original."""
    ours = [token.key for token in left]
    theirs = sorted({token.key for token in right if not token.tag})
    known = sorted(set(ours))
    if not known or not theirs:
        return {word: np.zeros(0, dtype=np.int64) for word in theirs}
    ratios = process.cdist(theirs, known, scorer=fuzz.ratio, score_cutoff=_SIMILAR)
    place = {word: i for i, word in enumerate(known)}
    columns = np.array([place[word] for word in ours])
    costs: dict[str, Matrix] = {}
    for word, row in zip(theirs, np.asarray(ratios), strict=True):
        spread = row[columns]
        cost = np.where(spread > 0, RETYPED, OTHER)
        costs[word] = np.where(spread == 100.0, 0, cost).astype(np.int64)
    return costs


def forward_costs(left: list[Token], right: list[Token]) -> Matrix:
    """Return the costs of all pairs of beginnings.

    :param left: Tokens of the original.
    :param right: Tokens and tags of the copy.
    :return: A matrix of (tokens of the original + 1) x (tokens of the copy + 1).
    """
    return _costs(left, right, mirrored=False)


def backward_costs(left: list[Token], right: list[Token]) -> Matrix:
    """Return the costs of all pairs of ends.

    :param left: Tokens of the original.
    :param right: Tokens and tags of the copy.
    :return: A matrix; (i, j) is the cost of what follows token i and token j.
    """
    return _costs(left[::-1], right[::-1], mirrored=True)[::-1, ::-1]


def _costs(left: list[Token], right: list[Token], mirrored: bool) -> Matrix:
    size = len(left) + 1
    steps = np.arange(size, dtype=np.int64) * MISSING
    table = np.full((size, len(right) + 1), _HUGE, dtype=np.int64, order="F")
    table[:, 0] = steps
    pairs = _pair_costs(left, right)
    cumulated = {t.tag: tag_costs(left, t.tag) for t in right if t.tag}
    ids: dict[str, int] = {}
    singles = _numbered([token.key for token in left], ids)
    twins = _numbered(_twins(left, mirrored), ids)
    for j, token in enumerate(right):
        before = table[:, j]
        column = table[:, j + 1]
        if token.tag:
            _tag_column(before, column, cumulated[token.tag])
        else:
            column[:] = before + MISSING
            column[1:] = np.minimum(column[1:], before[:-1] + pairs[token.key])
            hit = twins == ids.get(token.key, -1)
            column[2:][hit] = np.minimum(column[2:][hit], before[:-2][hit] + GLUED)
            previous = right[j - 1] if j else None
            if previous is not None and not previous.tag:
                order = (token, previous) if mirrored else (previous, token)
                hit = singles == ids.get(order[0].key + order[1].key, -1)
                earlier = table[:-1, j - 1][hit] + GLUED
                column[1:][hit] = np.minimum(column[1:][hit], earlier)
        # Words that only the original has.
        column[:] = np.minimum.accumulate(column - steps) + steps
    return table


def _twins(left: list[Token], mirrored: bool) -> list[str]:
    keys = [token.key for token in left]
    pairs = zip(keys, keys[1:], strict=False)
    return [b + a if mirrored else a + b for a, b in pairs]


def _numbered(words: list[str], ids: dict[str, int]) -> Matrix:
    """Give each word a number, the same as before if it had one."""
    numbers = [ids.setdefault(word, len(ids)) for word in words]
    return np.array(numbers, dtype=np.int64)


def _tag_column(before: Matrix, column: Matrix, cumulated: Matrix) -> None:
    """Let a tag stand for nothing, at a price, or for one token or more."""
    column[:] = before + EMPTY
    reach = np.minimum.accumulate(before - cumulated)
    column[1:] = np.minimum(column[1:], reach[:-1] + cumulated[1:])
