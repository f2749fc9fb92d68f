"""Runs of words: what the parsers of places, addresses and institutions share."""

import re
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document
from presidio_mx.text.folding import fold_key

T = TypeVar("T")

PARTICLES = words("particle_place")
# Abbreviations whose full stop joins them to the next word.
ABBREVIATED = words("abbreviation")
# Closed-class words and forms of verbs that never go on a place's or street's name.
FUNCTION_WORDS = words("function_word")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_ENTRY_GAP = re.compile(r"[ \t\xa0]{1,3}|\.[ \t]{0,2}|-|'")
# A line of so many characters ends because it was full.
_FULL_LINE = 55
# The number of a field, and what it is called: "9 Embarazada".
_FIELD_NUMBER = re.compile(r"([1-9]\d?)[.)]?[ ]{1,2}[a-z]")
_COLUMN_GAP = 2
# How far back the field before may begin.
_FIELDS_BEFORE = 200
_ABBREVIATION_GAP = re.compile(r"\.[ \t]{0,2}")


def plain_gap(gap: str) -> bool:
    """Tell whether one blank stands between two words; more are a column."""
    return gap in (" ", "\xa0")


def broken_line(document: Document, index: int) -> bool:
    """Tell whether the line after a word is only broken because it was full.

    :param document: The note.
    :param index: Index of the last word of a line.
    :return: True where the line has 55 characters or more and another word follows.
    """
    gap = document.gap(index)
    if gap.strip() or gap.count("\n") != 1 or index + 1 >= len(document):
        return False
    begin = document.folded.rfind("\n", 0, document.ends[index]) + 1
    return document.ends[index] - begin >= _FULL_LINE


def field_number(folded: str, start: int) -> bool:
    """Tell whether a number behind wide blanks is that of a form's next field.

    "8 Escol: prepa   9 Embarazada: Sí": the number before it opens a field as well.

    :param folded: The folded note.
    :param start: Where the number begins.
    """
    number = _FIELD_NUMBER.match(folded, start)
    if number is None or not folded[max(0, start - _COLUMN_GAP) : start].isspace():
        return False
    last = int(number[1]) - 1
    before = folded[max(0, start - _FIELDS_BEFORE) : start]
    return bool(re.search(rf"(?:^|\n|[ ]{{2}}){last}[.)]?[ ]{{1,2}}[a-z]", before))


def joined(document: Document, index: int) -> bool:
    """Tell whether a word and the next one can be parts of one name.

    Blanks, a hyphen, the stop of an abbreviation ("Gral. Anaya", "Fco. I. Madero") and
    the end of a full line join; other punctuation does not.

    :param document: The note.
    :param index: Index of the first of the two words.
    :return: Whether the name may go on.
    """
    gap = document.gap(index)
    if plain_gap(gap) or gap in ("-", "'"):
        return True
    if _ABBREVIATION_GAP.fullmatch(gap):
        word = document.words[index]
        return word in ABBREVIATED or (len(word) == 1 and not word.isdigit())
    return document.words[index] in PARTICLES and broken_line(document, index)


def capital_run(document: Document, index: int, most: int = 6) -> int:
    """Return the last word of the capitalised run that begins at a word.

    Particles and small function words count inside a run, never at its end.

    :param document: The note.
    :param index: Index of a word.
    :param most: Most words that count, particles left out.
    :return: Index of the last word; ``index - 1`` where no run begins.
    """
    last, here, parts = index - 1, index, 0
    size = len(document)
    while here < size and parts < most:
        if here > index and not joined(document, here - 1):
            break
        word = document.words[here]
        if document.capital(here) and not word.isdigit():
            last = here
            parts += word not in PARTICLES
        elif word not in PARTICLES or here == index:
            break
        here += 1
    return last


def entry_words(name: str) -> tuple[str, ...]:
    """Return the folded words of a list entry, split as a note's words are."""
    return tuple(_WORD.findall(fold_key(name)))


@dataclass(slots=True)
class WordTable(Generic[T]):
    """Entries of one or more words, found by their first two words.

    Thousands of places begin with "San" or "La"; the second word tells them apart.

    :param by_first: First folded word to second word (empty for entries of one word) to
        (words from the third on, value), longest first.
    """

    by_first: dict[str, dict[str, list[tuple[tuple[str, ...], T]]]] = field(
        default_factory=dict
    )

    def add(self, words: tuple[str, ...], value: T) -> None:
        """Add an entry; call :meth:`sort` after the last."""
        seconds = self.by_first.setdefault(words[0], {})
        second = words[1] if len(words) > 1 else ""
        seconds.setdefault(second, []).append((words[2:], value))

    def sort(self) -> None:
        """Put the longest entries first."""
        for seconds in self.by_first.values():
            for entries in seconds.values():
                entries.sort(key=lambda entry: -len(entry[0]))

    def longest(self, document: Document, index: int) -> tuple[int, T] | None:
        """Return (last word, value) of the longest entry that begins at a word."""
        words = document.words
        seconds = self.by_first.get(words[index])
        if seconds is None:
            return None
        if index + 1 < len(words):
            for rest, value in seconds.get(words[index + 1], ()):
                last = index + 1 + len(rest)
                if tuple(words[index + 2 : last + 1]) != rest:
                    continue
                if all(
                    _ENTRY_GAP.fullmatch(document.gap(i)) or broken_line(document, i)
                    for i in range(index, last)
                ):
                    return last, value
        single = seconds.get("")
        return (index, single[0][1]) if single else None
