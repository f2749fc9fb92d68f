"""Initials of a person whose full name stands in the same note."""

import re
from collections.abc import Iterable, Iterator

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold

INITIALS_RULE = "consistency#initials"
# Two letters are too often something else ("TA", "FC"); five are hardly anybody's.
_FEWEST, _MOST = 3, 4
_SHORTEST_WORD = 3
_SURNAMES = 2
LEGEND_RULE = "consistency#legend"
# "jlt = Jorge Luis Torruco", "001=MPU ; Enf. Mirna Puc Uh"; "Jorge Luis Torruco (jlt)".
_BEFORE = re.compile(
    r"(?<![^\W_])(?P<short>[^\W\d_]{2,4})[ ]{0,2}(?:[=:;]|->|→)[ ]{0,2}"
    r"(?:[^\W\d_]{1,10}\.?[ ]{1,2}){0,2}\Z"
)
_BEHIND = re.compile(r"[ ]?\((?P<short>[^\W\d_]{2,4})\)")
_FARTHEST = 34
_FUNCTION = words("function_word")


def explained_in(
    document: Document, names: Iterable[Finding]
) -> Iterator[tuple[int, int]]:
    """Yield spans of the letters that a note's own legend explains as somebody.

    :param document: The note.
    :param names: Persons found, in offsets of the working text.
    """
    text = document.text
    meant = set()
    for name in names:
        near = text[max(0, name.start - _FARTHEST) : name.start]
        for legend in (_BEFORE.search(near), _BEHIND.match(text, name.end)):
            short = legend["short"] if legend else ""
            if fold(short) not in _FUNCTION and _stands_for(document, short, name):
                meant.add(short)
    if not meant:
        return
    any_of_them = "|".join(sorted(meant))
    for match in re.finditer(rf"(?<![^\W_])(?:{any_of_them})(?![^\W_])", text):
        index = document.word_at(match.start())
        # "PCR" stays what it is elsewhere; nobody explains a lab as a person.
        long_and_small = match[0].islower() and len(match[0]) >= _FEWEST
        if long_and_small or not document.flags[index] & KNOWN:
            yield match.span()


def _stands_for(document: Document, short: str, name: Finding) -> bool:
    """Tell whether letters are the first ones of the words of a name, in order.

    The last may be another: "ppc = Pilar Pacab".
    """
    named = [document.words[i] for i in document.words_in(name.start, name.end)]
    letters, wanted = "".join(word[0] for word in named), fold(short)
    if len(named) < 2 or wanted[:1] != letters[0]:
        return False
    rest = iter(letters)
    return sum(letter in rest for letter in wanted) >= max(2, len(wanted) - 1)


def initials_in(
    document: Document, names: Iterable[Finding]
) -> Iterator[tuple[int, int]]:
    """Yield spans of capitals that are the initials of a full name found in the note.

    "NGM" in a table of doses is the nurse who signs as "Nelly Gámez Montoya".

    :param document: The note.
    :param names: Persons found, in offsets of the working text.
    """
    whose = frozenset(
        letters
        for name in names
        for letters in initials_of(document, document.words_in(name.start, name.end))
        if _FEWEST <= len(letters) <= _MOST
    )
    if not whose:
        return
    for index, word in enumerate(document.words):
        if (
            word in whose
            and not document.flags[index] & KNOWN
            and document.shouted(index)
            and document.casing(index) == "mixed"
        ):
            yield document.starts[index], document.ends[index]


def initials_of(document: Document, indices: Iterable[int]) -> Iterator[str]:
    """Yield the initials of a name: as written, with the surnames behind, before.

    :param document: The note.
    :param indices: Indices of the words of the name, particles among them.
    """
    letters = "".join(
        document.words[i][0]
        for i in indices
        if len(document.words[i]) >= _SHORTEST_WORD
        and (document.flags[i] & NAME or not document.flags[i] & KNOWN)
    )
    if len(letters) > 1:
        yield letters
        yield letters[_SURNAMES:] + letters[:_SURNAMES]
        yield letters[-_SURNAMES:] + letters[:-_SURNAMES]
