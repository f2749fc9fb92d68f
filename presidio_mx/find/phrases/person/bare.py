"""Names that stand without a trigger."""

from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.find.phrases.person.run import longest_run
from presidio_mx.find.phrases.person.score import ScoredNote, rather_given
from presidio_mx.find.phrases.person.shapes import elision, eponym_pair, lone_given
from presidio_mx.find.phrases.person.words import (
    OPENING_PARTICLES,
    SAINTS,
    SPECIALTIES,
)
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# A rare given name before two words that are names.
_PAIR = 2
_SHORTEST_GIVEN = 5
_MOST_PARTICLES = 2
# Words no commoner than this are hardly written.
_RARE = 0.2


@dataclass(frozen=True, slots=True)
class BareName:
    """A name that stands without a trigger.

    :param first: Index of its first word.
    :param last: Index of its last word.
    :param total: Sum of its words' scores.
    :param listed: Whether one word at least is a listed name and no ordinary word.
    :param eponym: Whether an eponym stands in it and no such name; then it is never
        taken ("Semmes-Weinstein").
    :param lone_given: Whether it is a given name alone whose capital says so.
    """

    first: int
    last: int
    total: float
    listed: bool
    eponym: bool
    lone_given: bool

    @property
    def alone(self) -> bool:
        """Whether it is one word."""
        return self.first == self.last


def bare_names(note: ScoredNote) -> Iterator[BareName]:
    """Yield all names of a note as they stand without a trigger, none overlapping."""
    document = note.document
    words, flags, size = document.words, document.flags, len(document)
    index = limit = 0
    while index < size:
        if flags[index] and not flags[index] & NAME and len(words[index]) > 1:
            index += 1  # most words of a note: known, and no name
            continue
        run = longest_run(note, index, 0.0) if _may_begin(document, index) else None
        if run is None:
            index += 1
            continue
        if not eponym_pair(document, index, run.last):
            first = _particle(document, _beginning(note, index, run.last, limit))
            yield _bare_name(note, first, run.last, run.total)
        index = limit = run.last + 1


def _beginning(note: ScoredNote, index: int, last: int, limit: int) -> int:
    """Return the first word of a name: a rare given name may stand before others.

    "ilidenza orozco gil", "Refiere Ofrenda Emilia Gil que".

    :param note: The note.
    :param index: Index of the first word that says that it is a name.
    :param last: Index of its last word.
    :param limit: Index of the first word that belongs to no other name.
    """
    document, before = note.document, index - 1
    if before < limit or last == index or document.gap(before) != " ":
        return index
    listed = [here for here in (index, index + 1) if document.flags[here] & NAME]
    if len(listed) < _PAIR or all(document.flags[here] & KNOWN for here in listed):
        return index
    word, flag = document.words[before], document.flags[before]
    if word in note.triggers or word in SPECIALTIES or len(word) < _SHORTEST_GIVEN:
        return index
    if casing(document, before) != "mixed":
        alike = document.capital(before) == document.capital(index)
        clear = not flag and word.isalpha() and alike
        return before if clear else index
    rare = flag == Flag.ORDINARY and note.lexicon.ordinary.get(word, 1.0) <= _RARE
    written = document.capital(before) and document.capital(index)
    alike = document.shouted(before) == document.shouted(index)
    if rare and written and alike and not document.sentence_start(before):
        return before
    return index


def _particle(document: Document, index: int) -> int:
    """Return where "De la Paz", "Del Real" begins that has a capital, too."""
    for here in range(index - 1, max(-1, index - _MOST_PARTICLES - 1), -1):
        word = document.words[here]
        if word not in OPENING_PARTICLES or document.gap(here) != " ":
            break
        if document.capital(here):
            pair = here < index - 1 or word == "del"
            return here if pair and casing(document, here) == "mixed" else index
    return index


def _bare_name(note: ScoredNote, first: int, last: int, total: float) -> BareName:
    document = note.document
    flags = document.flags[first : last + 1]
    listed = any(flag & NAME and not flag & (KNOWN | Flag.EPONYM) for flag in flags)
    given = first == last and rather_given(note.lexicon, document.words[first])
    return BareName(
        first,
        last,
        total,
        listed=listed,
        eponym=not listed and any(flag & Flag.EPONYM for flag in flags),
        lone_given=given and lone_given(document, first),
    )


def _may_begin(document: Document, index: int) -> bool:
    """Tell whether a name without trigger may begin with a word."""
    word, flag = document.words[index], document.flags[index]
    if index and document.words[index - 1] in SAINTS:
        return False  # "San Pedro Sula" is a place
    if flag & NAME:
        # A small letter on a word with another sense never scores above zero.
        return not flag & KNOWN or (
            document.capital(index) or casing(document, index) != "mixed"
        )
    if len(word) == 1:
        return _leading_initial(document, index) or elision(document, index)
    if flag or word[0].isdigit() or not document.capital(index):
        return False
    return len(word) > 2 and casing(document, index) == "mixed"


def _leading_initial(document: Document, index: int) -> bool:
    """Tell whether "J." begins a name; "C." is a title and "T.S." a profession."""
    start = document.starts[index]
    before = document.folded[start - 1] if start else " "
    return (
        not (before.isalnum() or before == ".")
        and (document.words[index] != "c" or _before_surname(document, index + 1))
        and document.capital(index)
        and document.gap(index) in (". ", ".")
        and index + 1 < len(document)
        and len(document.words[index + 1]) > 1
    )


def _before_surname(document: Document, index: int) -> bool:
    """Tell whether a surname follows "C.", which is no citizen then: "C. Ovalle"."""
    if index >= len(document):
        return False
    flag = document.flags[index]
    return bool(flag & Flag.SURNAME) and not flag & (KNOWN | Flag.GIVEN | Flag.PLACE)
