"""Shapes of names that their words alone do not tell: pairs, titles, short forms."""

import re

from presidio_mx.find.phrases.person.weights import TITLED
from presidio_mx.find.phrases.person.words import (
    ELISIONS,
    KINDS,
    NO_NAME_BEHIND,
    TITLE_LETTERS,
)
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# Words in capitals up to this long may be acronyms.
ACRONYM = 4
_MOST_TWIN = 3
_LONGEST_SYLLABLE = 5
# A forename and two surnames are a whole name.
_SURNAMES = 2
# Before a month: "3 de julio", "3 julio".
_DATED = re.compile(r"de|\d+")
_NICKNAME = re.compile(
    r"""[ ](?P<quote>["'])(?:(?:el|la|los)[ ])?[a-z]{3,12}(?P=quote)"""
)
# From so many characters on a line is full; from so many on if it is nearly as long as
# the longest.
_FULL_LINE = 55
_SHORTEST_FULL_LINE = 35
_SHARE_FULL = 0.85


def maria(document: Document, index: int) -> bool:
    """Tell whether "ma" is short for María: a given name follows."""
    if document.words[index] != "ma" or document.gap(index) not in (". ", " ", "."):
        return False
    here = index + 1
    while here < len(document) and document.words[here] in ("de", "del", "la", "los"):
        here += 1
    if here >= len(document):
        return False
    return bool(document.flags[here] & Flag.GIVEN)


def before_given(document: Document, index: int) -> bool:
    """Tell whether an unambiguous given name follows: "LUZ ELENA"."""
    if document.gap(index) != " " or index + 1 >= len(document):
        return False
    following = document.flags[index + 1]
    return bool(following & Flag.GIVEN and not following & KNOWN)


def before_surnames(document: Document, index: int) -> bool:
    """Tell whether two unambiguous surnames follow: "julio orozco treviño"."""
    if index + _SURNAMES >= len(document):
        return False
    if index and _DATED.fullmatch(document.words[index - 1]):
        return False  # "3 de julio"
    following = range(index + 1, index + 1 + _SURNAMES)
    return all(
        document.gap(here - 1) == " "
        and document.flags[here] & Flag.SURNAME
        and not document.flags[here] & KNOWN
        for here in following
    )


def elision(document: Document, index: int) -> bool:
    """Tell whether a letter is the first of "D'Acosta" or "O'Farril"."""
    return (
        document.words[index] in ELISIONS
        and document.capital(index)
        and document.gap(index) == "'"
        and index + 1 < len(document)
        and document.capital(index + 1)
        and len(document.words[index + 1]) > ACRONYM
    )


def twin(document: Document, first: int, last: int, index: int) -> int:
    """Return the last word of a surname that is said twice, or 0.

    "Mora y Mora", "de la O y de la O".
    """
    words = document.words
    if words[index] != "y" or document.gap(last) != " ":
        return 0
    for size in range(1, min(_MOST_TWIN, last - first + 1) + 1):
        again = words[index + 1 : index + 1 + size]
        if again == words[last - size + 1 : last + 1] and document.gap(index) == " ":
            return index + size
    return 0


def between_names(document: Document, last: int, index: int, rare: bool) -> bool:
    """Tell whether a word that no list of names has stands between words of a name.

    "Ana Abdo Gosén", "FRANCISCO LOO GUERRERO".

    :param document: The note.
    :param last: Index of the last word of the name.
    :param index: Index of the word.
    :param rare: Whether it is no usual word.
    :return: Whether it belongs to the name.
    """
    if not document.flags[last] & NAME or index + 1 >= len(document):
        return False
    if document.gap(last) != " " or document.gap(index) != " ":
        return False
    word, flag = document.words[index], document.flags[index]
    if len(word) < 2 or not word.isalpha():
        return False
    if flag & Flag.ANCHOR and word not in KINDS:
        return False
    if casing(document, index) == "mixed":
        return (
            document.capital(index)
            and document.capital(index + 1)
            and document.shouted(index) == document.shouted(last)
        )
    plain = rare and not flag & ~Flag.ORDINARY
    return plain and document.capital(index) == document.capital(last)


def title_shaped(document: Document, index: int, prior: float) -> bool:
    """Tell whether a word is a title before a name by its shape.

    "LEO Ximena", "TAPS Flor" in a line of mixed case; "C. Araceli", "D. Natalio".

    :param document: The note.
    :param index: Index of the word.
    :param prior: What a trigger before it says.
    """
    if index + 1 >= len(document):
        return False
    word, following = document.words[index], document.flags[index + 1]
    if word in TITLE_LETTERS:
        given = following & Flag.GIVEN and not following & KNOWN
        return bool(given) and prior < TITLED and document.gap(index) == ". "
    return (
        len(word) <= ACRONYM
        and document.shouted(index)
        and casing(document, index) == "mixed"
        and document.gap(index) in (" ", ". ")
        and document.capital(index + 1)
        and not document.shouted(index + 1)
        and bool(following & NAME)
    )


def syllable(document: Document, last: int, index: int) -> bool:
    """Tell whether a small word behind a hyphen belongs to a name: "Kim Sung-ho"."""
    return (
        document.capital(last)
        and not document.flags[last] & KNOWN
        and len(document.words[index]) <= _LONGEST_SYLLABLE
        and document.words[index].isalpha()
        and bool(document.flags[index] & NAME or not document.flags[index] & KNOWN)
    )


def eponym_pair(document: Document, first: int, last: int) -> bool:
    """Tell whether a run is two surnames with a hyphen, or one: "Relton-Hall"."""
    if document.casing(first) != "mixed":
        return False
    if first and first == last and document.gap(first - 1) == "-":
        first -= 1
    elif first == last and document.gap(last) == "-" and last + 1 < len(document):
        last += 1
    before = first and document.gap(first - 1) == " " and document.capital(first - 1)
    if before and not document.flags[first - 1] & KNOWN:
        return False
    return (
        last == first + 1
        and document.gap(first) == "-"
        and document.capital(first)
        and document.capital(last)
        and not (document.flags[first] | document.flags[last]) & Flag.GIVEN
    )


def quoted_nickname(document: Document, end: int) -> int:
    """Return the end of a nickname in quotes right behind a name, or the same end."""
    if document.folded[end : end + 1] != " ":
        return end
    match = _NICKNAME.match(document.folded, end)
    return match.end() if match else end


def full_line(document: Document, last: int) -> bool:
    """Tell whether a line is as full as the longest when a word ends it."""
    start = document.folded.rfind("\n", 0, document.starts[last]) + 1
    length = document.ends[last] - start
    if length >= _FULL_LINE or length < _SHORTEST_FULL_LINE:
        return length >= _FULL_LINE
    return length >= _SHARE_FULL * document.once(_longest_line)


def _longest_line(document: Document) -> int:
    """Return the length of the longest line."""
    return max(map(len, document.folded.splitlines()))


def lone_given(document: Document, index: int) -> bool:
    """Tell whether a given name has a capital among words that have none.

    What else the word means would be written small there: "vive con Consuelo".
    """
    if not index or document.words[index - 1] in NO_NAME_BEHIND:
        return False
    if document.flags[index] & (Flag.EPONYM | Flag.ABBREVIATED):
        return False
    if casing(document, index) != "mixed" or document.sentence_start(index):
        return False
    last = index + 1 >= len(document)
    return (
        document.capital(index)
        and not document.shouted(index)
        and not document.capital(index - 1)
        and document.gap(index - 1) in (" ", ", ")
        and (last or document.gap(index) != " " or not document.capital(index + 1))
    )
