"""Joints: whether what stands between two words keeps them in one name."""

from presidio_mx.find.phrases.person.score import ScoredNote, rather_given
from presidio_mx.find.phrases.person.shapes import (
    elision,
    full_line,
    maria,
    syllable,
)
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# A gap as wide as a column's parts two names; a stop is followed by two blanks at most.
_MOST_BLANKS = 3
_WIDEST_STOP = 3
# "Villarreal Z., Javier" and "Mtz., Javier": a stop and a comma behind a short form.
_LONGEST_SHORT_FORM = 4
_CLOSING = {'"': '"', "'": "'", "(": ")"}
_MOST_WORDS_OF_NICKNAME = 3


def joined(note: ScoredNote, first: int, last: int, index: int, comma: bool) -> bool:
    """Tell whether nothing between two words ends a name.

    :param note: The note.
    :param first: Index of the name's first word.
    :param last: Index of its last word so far.
    :param index: Index of the next word.
    :param comma: Whether "SURNAME, GIVEN" may hold a comma.
    """
    document = note.document
    gap = document.folded[document.ends[last] : document.starts[index]]
    if gap == " ":
        return True
    if not gap:
        return False
    bare = gap.strip(" \t")
    if not bare:
        # A wide gap is a column or a new field unless the next word is a name.
        clear = _clear_name(document, index)
        return len(gap) <= _MOST_BLANKS and "\t" not in gap and clear
    if bare == ".":
        return len(gap) <= _WIDEST_STOP and _shortened(document, last)
    if bare == "'":
        return _apostrophe(document, last, gap)
    if bare == "-":
        tied = document.capital(index) or syllable(document, last, index)
        return gap == "-" and tied
    short = len(document.words[last]) <= _LONGEST_SHORT_FORM
    if bare == "," or (bare == ".," and short):
        return _surname_first(note, first, last, index, comma)
    if bare in ("\n", "\r\n"):
        # A line that is full goes on with another part of the name.
        return _clear_name(document, index) and full_line(document, last)
    return False


def _clear_name(document: Document, index: int) -> bool:
    """Tell whether a word is a listed name and nothing else."""
    flag = document.flags[index]
    return bool(flag & NAME) and not flag & KNOWN


def _shortened(document: Document, index: int) -> bool:
    """Tell whether a full stop behind a word shortens it."""
    word, flag = document.words[index], document.flags[index]
    return len(word) == 1 or bool(flag & Flag.ABBREVIATED) or word == "vda"


def _apostrophe(document: Document, last: int, gap: str) -> bool:
    """Tell whether an apostrophe behind a word belongs to the name."""
    if gap == "'":  # Be'el
        if elision(document, last):
            return True
        return document.capital(last) and not document.flags[last] & KNOWN
    return gap == "' " and not document.flags[last]  # Xunka' Pérez


def _surname_first(
    note: ScoredNote, first: int, last: int, index: int, comma: bool
) -> bool:
    """Tell whether a comma stands between surnames and given names."""
    document, lexicon = note.document, note.lexicon
    word, flag = document.words[index], document.flags[index]
    if casing(document, index) == "mixed" and (
        not document.capital(index) or document.shouted(index)
    ):
        return False
    maria_behind = maria(document, index)
    if comma and (flag & Flag.GIVEN or maria_behind):
        return True
    if comma and len(word) == 1:
        return document.gap(index)[:1] == "."
    clear = rather_given(lexicon, word) and not flag & KNOWN
    surnames = last > first and document.flags[last] & Flag.SURNAME
    return (
        (clear or maria_behind)
        and not rather_given(lexicon, document.words[first])
        and (bool(surnames) or not rather_given(lexicon, document.words[last]))
        and casing(document, index) != "lower"
    )


def behind_nickname(document: Document, last: int, index: int) -> int:
    """Return the word behind a quoted nickname inside a name, or 0.

    'Enriqueta "Queta" Islas' is one name; a nickname at its end is another.
    """
    opening = document.folded[document.ends[last] : document.starts[index]].strip()
    closing = _CLOSING.get(opening)
    if closing is None:
        return 0
    for here in range(index, min(index + _MOST_WORDS_OF_NICKNAME, len(document) - 1)):
        between = document.gap(here)
        if between == closing + " ":
            named = document.flags[here + 1] & NAME
            return here + 1 if named and document.capital(here + 1) else 0
        if between != " ":
            return 0
    return 0
