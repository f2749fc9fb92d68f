"""Names of persons, places and institutions in fields, held against the lists."""

import re

from presidio_mx.find.structure.parts import Span
from presidio_mx.find.structure.shapes import empty
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.words import words as listed_words
from presidio_mx.text.document import Document

TITLES = listed_words("title_in_cell")
"""Titles that stand before a name in its cell."""
_RANKS = listed_words("rank_behind_name")
_PARTICLES = listed_words("particle_proposed")
# "El Güero": the article stays outside.
_ARTICLES = frozenset({"el", "la"})
# What stands behind these is no part of the name.
_STOP = re.compile(r"[(/;\[|<{:]|\s-\s|\d")
_LETTERED = re.compile(r"(?:[a-z]\.\s?){2,5}")
# "G-P", "R. A. M.": who is in a trial, or signs.
_INITIALS = re.compile(r"[A-ZÑ](?:[.-] ?[A-ZÑ]){1,4}\.?")
_DEPARTMENTS = listed_words("department_in_cell")
# "Estado" and "state" head what a bed, a test, a patient is like, too.
_NO_PLACE = listed_words("cell_of_nobody")
_MOST_WORDS = 8
_MOST_WORDS_OF_PLACE = 6
_SHORTEST_ACRONYM = 7
_SHORTEST_PLACE = 2


def name_in(document: Document, start: int, end: int, initials: bool) -> Span | None:
    """Return the name that a field holds, without titles before and ranks behind.

    :param document: The prepared note.
    :param start: First offset of the value.
    :param end: Offset after it.
    :param initials: Whether initials alone are a name, as those of who signs.
    :return: Its span, or none if the words are no name.
    """
    value = document.folded[start:end]
    if empty(value) or value.strip(" .") in _DEPARTMENTS:
        return None
    if initials and _INITIALS.fullmatch(document.text, start, end):
        return start, end
    left = list(document.words_in(_behind_letters(document, start, end), end))
    while left and document.words[left[0]] in TITLES:
        left.pop(0)
    if len(left) == 2 and document.words[left[0]] in _ARTICLES:
        left.pop(0)
    if not left:
        return None
    limit = _limit(document, document.starts[left[0]], end)
    left = [i for i in left if document.ends[i] <= limit]
    while left and _no_end(document, left[-1]):
        left.pop()
    if not left or not _a_name(document, left, initials):
        return None
    first, last = document.starts[left[0]], document.ends[left[-1]]
    if len(document.text[first:last].split()) > _MOST_WORDS:
        return None
    return first, last + _full_stop(document, left[-1], end)


def _behind_letters(document: Document, start: int, end: int) -> int:
    """Return where a value goes on behind a title in letters ("Q.F.B.")."""
    match = _LETTERED.match(document.folded, start, end)
    if match is not None and re.sub(r"\W", "", match[0]) in TITLES:
        return match.end()
    return start


def _limit(document: Document, start: int, end: int) -> int:
    """Return where a name ends at the latest: at a bracket, a digit, a profession."""
    value = document.text[start:end]
    stop = _STOP.search(value)
    limit = start + (stop.start() if stop else len(value))
    comma = value.find(",")
    if 0 <= comma < limit - start:
        behind = document.word_at(start + comma)
        if behind < len(document) and document.starts[behind] < limit:
            word, flag = document.words[behind], document.flags[behind]
            other = not flag & NAME and len(word) > 1
            if other and (flag or word in _RANKS or word in TITLES):
                return start + comma
    return limit


def _no_end(document: Document, index: int) -> bool:
    """Tell whether a word at the end of a cell is a rank, a particle or ordinary."""
    word, flag = document.words[index], document.flags[index]
    if word in _RANKS or word in _PARTICLES:
        return len(word) > 1
    return _ordinary(flag) and len(word) > 1 and not document.capital(index)


def _ordinary(flag: int) -> bool:
    return bool(flag & (KNOWN | Flag.ANCHOR)) and not flag & NAME


def _a_name(document: Document, left: list[int], initials: bool) -> bool:
    """Tell whether more of the words can be names than cannot."""
    whole = [i for i in left if document.words[i] not in _PARTICLES]
    words = [i for i in whole if len(document.words[i]) > 1]
    bad = [i for i in words if _ordinary(document.flags[i])]
    good = set(words).difference(bad)
    short = len(left) == 1 and len(document.words[left[0]]) < 4
    if document.casing(left[0]) == "mixed" and not any(map(document.capital, whole)):
        listed = all(document.flags[i] & NAME for i in whole) and not bad
        return (initials and short and bool(good)) or (bool(words) and listed)
    if short and document.shouted(left[0]):
        # "NSS" is none, "CEH" and "UC" are surnames.
        return initials or bool(good and document.flags[left[0]] & NAME)
    return len(good) > len(bad)


def _full_stop(document: Document, last: int, end: int) -> int:
    """Return 1 where the point after the last word is that of an abbreviation."""
    place = document.ends[last]
    short = len(document.words[last]) == 1 or document.flags[last] & Flag.ABBREVIATED
    return int(bool(short) and place < end and document.text[place] == ".")


def place_in(document: Document, start: int, end: int) -> Span | None:
    """Return a place if a field holds one and nothing else.

    :param document: The prepared note.
    :param start: First offset of the value.
    :param end: Offset after it.
    """
    value = document.folded[start:end]
    words = list(document.words_in(start, end))
    if value.strip("| ") in _NO_PLACE:
        return None
    if (
        empty(value)
        or len(value) < _SHORTEST_PLACE
        or not words
        or len(value.split()) > _MOST_WORDS_OF_PLACE
        or any(char in ",;:/(<{[" or char.isdigit() for char in value)
    ):
        return None
    mixed = document.casing(words[0]) == "mixed"
    if mixed and not any(map(document.capital, words)):
        return None
    return start, end


def institution_in(document: Document, start: int, end: int) -> Span | None:
    """Return an institution if a field holds one; a short acronym alone is none.

    :param document: The prepared note.
    :param start: First offset of the value.
    :param end: Offset after it.
    """
    # "Hospital Ángeles (convenio)": what is added is no part of it.
    value = document.folded[start:end].partition(" (")[0].rstrip()
    end = start + len(value)
    words = list(document.words_in(start, end))
    count = len(value.split())
    several = count > 1 or len(value) >= _SHORTEST_ACRONYM
    if not several or count > _MOST_WORDS + 2 or empty(value):
        return None
    if any(char in ";:{}<[" for char in value) or not re.search("[a-z]{2}", value):
        return None
    if all(document.flags[i] & KNOWN and not document.flags[i] & NAME for i in words):
        return None
    return start, end
