"""What the model is told of each word of a note beside its pieces.

A word is a run of letters, a run of digits, one sign or a line end. Of each the model
is told what the lists hold it for, its shape, the blank before it and which sign it is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.lexicon import load_lexicon
from presidio_mx.spanish.words import words as listed
from presidio_mx.text.folding import fold, fold_key

Ints = NDArray[np.int64]

_SIGN_LETTERS = ".,:;-/()|\"'#@_*=+<>[]{}&%?!¿¡°ºª\\~^$"
FLAGS, SHAPES, GAPS, SIGNS = 29, 26, 6, len(_SIGN_LETTERS) + 2
"""Bits of what lists know, and numbers of shapes, gaps and signs."""
LINE_END = "\n"
_TOKEN = re.compile(r"\n|[^\W\d_]+|\d+|[^\w\s]|_")
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST_PART = 3
_SHORTEST_GROUP = 3
# From this weight on a name or word is common.
_COMMON = 0.5
# The first bits are those of the lexicon, without the one that rules set.
_OF_LEXICON = 0b1_1111_1111
_LISTS = (
    ("municipalities", 9),
    ("towns", 11),
    ("states", 13),
    ("foreign_places", 15),
    ("colonias", 17),
    ("institutions", 19),
)
_GIVEN, _SURNAME, _ORDINARY = 21, 22, 23
_SEXES = {"F": 24, "M": 25}
_EITHER_SEX = 26
_WORDS = (("month_word", 27), ("title_word", 28))
_LONG_DIGITS = 12
_SIGNS = {sign: place for place, sign in enumerate(_SIGN_LETTERS, start=1)}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a text as the model is told of them; all of shape (words,).

    :param starts: Offset of each.
    :param ends: Offset after each.
    :param flags: What lists know of it, as bits.
    :param shape: Its letter case and length, or how many digits it has.
    :param gap: The white space before it.
    :param sign: Which sign it is; 0 for letters and digits.
    :param group: The same number for the same word in any letter case; 0 for none.
    """

    starts: Ints
    ends: Ints
    flags: Ints
    shape: Ints
    gap: Ints
    sign: Ints
    group: Ints

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.starts)


def tokens_of(text: str) -> Tokens:
    """Return what the model is told of the words of a text.

    :param text: A prepared text.
    """
    known, groups = _known(), dict[str, int]()
    table: list[tuple[int, ...]] = []
    last = 0
    for match in _TOKEN.finditer(text):
        word, (start, end) = match[0], match.span()
        folded = fold(word)
        group = 0
        if len(folded) >= _SHORTEST_GROUP and folded.isalpha():
            group = groups.setdefault(folded, len(groups) + 1)
        sign = 0
        if len(word) == 1 and not word.isalnum() and word != LINE_END:
            sign = _SIGNS.get(word, SIGNS - 1)
        gap = _gap(text, last, start)
        flags = known.get(folded, 0)
        table.append((start, end, flags, _shape(word), gap, sign, group))
        last = end
    columns = np.array(table, dtype=np.int64).reshape(-1, 7)
    return Tokens(*columns.T)


def _shape(word: str) -> int:
    """Return the class of a word's letters or digits."""
    first, long = word[0], len(word) > _SHORTEST_PART
    if word == LINE_END:
        return 1
    if first.isdigit():
        return 2 + min(len(word), _LONG_DIGITS)
    if not first.isalpha():
        return 15
    if len(word) == 1:
        return 16 if first.isupper() else 17
    if word.isupper():
        return 18 + long
    if word.islower():
        return 20 + long
    return 22 + long if first.isupper() and word[1:].islower() else 24


def _gap(text: str, start: int, end: int) -> int:
    """Return the class of the white space between two words."""
    if start == end:
        return 1
    if "\t" in text[start:end]:
        return 4
    width = end - start
    return 2 if width == 1 else 3 if width < 4 else 5


@cache
def _known() -> dict[str, int]:
    """Return what the shipped lists know of words, as bits."""
    lexicon = load_lexicon()
    known = {word: flag & _OF_LEXICON for word, flag in lexicon.flags.items()}

    def add(words: Iterable[str], bit: int) -> None:
        for word in words:
            known[word] = known.get(word, 0) | 1 << bit

    for name, bit in _LISTS:
        whole, parts = set[str](), set[str]()
        for entry in _names(name):
            found = [w for w in _LETTERS.findall(entry) if len(w) >= _SHORTEST_PART]
            (whole if len(found) == 1 else parts).update(found)
        add(whole, bit)
        add(parts, bit + 1)
    for weights, bit in (
        (lexicon.given, _GIVEN),
        (lexicon.surname, _SURNAME),
        (lexicon.ordinary, _ORDINARY),
    ):
        add((word for word, weight in weights.items() if weight > _COMMON), bit)
    for name, sex in lexicon.sex.items():
        add((name,), _SEXES.get(sex, _EITHER_SEX))
    for list_name, bit in _WORDS:
        add(listed(list_name), bit)
    return known


def _names(name: str) -> Iterator[str]:
    return (fold_key(row["name"]) for row in rows(name, ()))
