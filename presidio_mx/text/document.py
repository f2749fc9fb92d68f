"""The prepared note: folded text, words and what is known of them, once a note."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Any, Protocol, TypeVar

from presidio_mx.text.folding import fold
from presidio_mx.text.prepare import prepare
from presidio_mx.text.prepared import Prepared

T = TypeVar("T")

# A word is a run of letters or a run of digits: "tel4431234567" is two words.
# The first branch says nothing new; it is the fast way through most words.
_WORD = re.compile(r"[a-z]++(?![^\W\d_])|[^\W\d_]+|\d+")
_LINE_END = re.compile(r"\n")
_NO_CAPITALS = bytes(code for code in range(256) if not chr(code).isupper())
_NO_SMALL = bytes(code for code in range(256) if not chr(code).islower())


@dataclass(slots=True)
class Document:
    """A note, prepared once and shared by all recognizers.

    :param source: The prepared text and its offsets.
    :param folded: The folded text, of the same length.
    :param starts: Start offset of every word, ascending.
    :param ends: End offset of every word.
    :param words: The folded words.
    :param flags: What the lexicon knows of every word.
    :param text: The prepared text.
    """

    source: Prepared
    folded: str
    starts: list[int]
    ends: list[int]
    words: list[str]
    flags: list[int]
    text: str = field(init=False)
    _capitals: list[bool] = field(init=False)
    _casings: list[str] = field(default_factory=list)
    _starts_of_lines: list[int] = field(default_factory=list)
    _computed: dict[object, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Look at each word's first letter once: rules ask for it often."""
        self.text = text = self.source.text
        self._capitals = [text[start].isupper() for start in self.starts]

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.words)

    def once(self, compute: Callable[["Document"], T]) -> T:
        """Return what a function makes of this note, computed at the first call.

        :param compute: A function of the note alone, or a class that is built of it;
            a method of an object that lives longer than the note will do as well. The
            same function gives the same value for as long as the note lives.
        :return: The computed value.
        """
        if compute in self._computed:
            known: T = self._computed[compute]
            return known
        value = self._computed[compute] = compute(self)
        return value

    def word_at(self, offset: int) -> int:
        """Return the index of the first word that starts at or after an offset."""
        return bisect_left(self.starts, offset)

    def words_in(self, start: int, end: int) -> range:
        """Return the indices of the words that begin in a span."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def gap(self, index: int) -> str:
        """Return the folded text between a word and the next one."""
        if index + 1 < len(self.starts):
            return self.folded[self.ends[index] : self.starts[index + 1]]
        return self.folded[self.ends[index] :]

    def capital(self, index: int) -> bool:
        """Tell whether a word begins with a capital letter."""
        return self._capitals[index]

    def shouted(self, index: int) -> bool:
        """Tell whether a word of two or more letters is all capitals."""
        word = self.text[self.starts[index] : self.ends[index]]
        return len(word) > 1 and word.isupper()

    def shouted_inside(self, index: int) -> bool:
        """Tell whether capitals stand before small letters: "EIDcha", "mRNm"."""
        word = self.text[self.starts[index] : self.ends[index]]
        return word[1:2].isupper() and not word.isupper()

    def casing(self, index: int) -> str:
        """Return how the line of a word is typed.

        :param index: Index of a word.
        :return: ``upper`` or ``lower`` where capitals tell nothing, else ``mixed``.
        """
        if not self._casings:
            self._casings.extend(_casing_of_words(self.text, self.starts))
        return self._casings[index]

    def lines(self) -> list[int]:
        """Return the offsets at which lines begin."""
        if not self._starts_of_lines:
            self._starts_of_lines.append(0)
            self._starts_of_lines.extend(
                match.end() for match in _LINE_END.finditer(self.folded)
            )
        return self._starts_of_lines

    def sentence_start(self, index: int) -> bool:
        """Tell whether a word begins a sentence, a line or a quotation."""
        start = self.starts[index]
        before = self.folded[max(0, start - 4) : start].rstrip(" \t(*-¿¡")
        if not before.strip():
            return index == 0 or "\n" in self.folded[self.ends[index - 1] : start]
        return before[-1] in ".!?:;\n|>"


def _casing_of_words(text: str, starts: list[int]) -> list[str]:
    """Return, for every word, how its line is typed."""
    whole = _casing(*_letters(text))
    casings: list[str] = []
    word, end = 0, 0
    for line in text.splitlines(keepends=True):
        own = _casing(*_letters(line))
        if own == "lower" and whole == "mixed":
            # In a note with capitals one line without them is no sign of its own.
            own = "mixed"
        end += len(line)
        while word < len(starts) and starts[word] < end:
            casings.append(own)
            word += 1
    return casings


def _letters(text: str) -> tuple[int, int]:
    """Return the numbers of capitals and of small letters."""
    try:
        # Deleting all other bytes takes a tenth of the time of asking each letter.
        raw = text.encode("latin-1")
    except UnicodeEncodeError:
        return sum(map(str.isupper, text)), sum(map(str.islower, text))
    return len(raw.translate(None, _NO_CAPITALS)), len(raw.translate(None, _NO_SMALL))


def _casing(upper: int, lower: int) -> str:
    if upper >= 6 and upper >= 2 * lower:
        return "upper"
    if upper == 0 or (lower > 60 and upper * 90 < lower):
        return "lower"
    return "mixed"


class Words(Protocol):
    """What knows single words: a :class:`presidio_mx.spanish.lexicon.Lexicon`."""

    def flags_of(self, words: Sequence[str]) -> list[int]:
        """Return what folded words can be, as bits; 0 for a word no list has."""


def read(text: str, lexicon: Words) -> Document:
    """Prepare a note and find its words.

    :param text: The note as given.
    :param lexicon: What is known of words.
    """
    return tokenise(prepare(text), lexicon)


def tokenise(source: Prepared, lexicon: Words) -> Document:
    """Find the words of a prepared text, with what the lists know of them.

    :param source: The prepared text.
    :param lexicon: What is known of words.
    """
    folded = fold(source.text)
    words: list[str] = []
    starts: list[int] = []
    for match in _WORD.finditer(folded):
        words.append(match[0])
        starts.append(match.start())
    ends = list(map(add, starts, map(len, words)))
    return Document(source, folded, starts, ends, words, lexicon.flags_of(words))
