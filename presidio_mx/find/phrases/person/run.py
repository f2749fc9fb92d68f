"""A run: the longest row of words from one word on that is a name."""

from dataclasses import dataclass
from typing import NamedTuple

from presidio_mx.find.phrases.person.ending import closes, initials
from presidio_mx.find.phrases.person.joints import behind_nickname, joined
from presidio_mx.find.phrases.person.particles import (
    FREQUENT,
    behind_particles,
    is_particle,
    score_behind,
)
from presidio_mx.find.phrases.person.score import FULL_NAME, ScoredNote, frequency
from presidio_mx.find.phrases.person.shapes import (
    ACRONYM,
    between_names,
    maria,
    title_shaped,
    twin,
)
from presidio_mx.find.phrases.person.surnames import and_surname, worded
from presidio_mx.find.phrases.person.weights import TIED, TITLED, TRIGGERED
from presidio_mx.find.phrases.person.words import (
    BEHIND_PARTICLE,
    COMPOUNDS,
    SUFFIXES,
)
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

_MOST_PARTS = 8
# Particles and suffixes come on top of the parts.
_MOST_WORDS = _MOST_PARTS + 4
# An ordinary word so much commoner than the name gains nothing from its neighbour.
_FAR_COMMONER = 0.15
# Words no commoner than this may be anything.
_RARE = 0.25
# What a surname such as "Cabeza de Vaca" scores.
_COMPOUND = 2.0


@dataclass(slots=True)
class Run:
    """A name as far as it was read.

    :param first: Index of its first word.
    :param last: Index of its last word; ``first - 1`` while there is none.
    :param total: Sum of the scores of its parts, the trigger's prior included.
    :param prior: What stands before it says, in the unit of scores.
    :param comma: Whether "SURNAME, GIVEN" may hold a comma.
    :param parts: Number of its words, particles and suffixes left out.
    :param bonus: What the next word gains from what stands before it.
    :param begun: Whether a word was read.
    :param worded: Whether one of more than one letter was.
    """

    first: int
    last: int
    total: float
    prior: float
    comma: bool
    parts: int
    bonus: float
    begun: bool = False
    worded: bool = False


class _Step(NamedTuple):
    """What a name goes on with.

    :param last: Index of its last word.
    :param score: Its score; ``None`` for what is no sign of a name of its own.
    :param parts: How many parts it adds.
    """

    last: int
    score: float | None
    parts: int


def longest_run(
    note: ScoredNote, first: int, prior: float, comma: bool = False
) -> Run | None:
    """Return the longest name that begins at a word.

    :param note: The note.
    :param first: Index of the word.
    :param prior: What stands before it says, in the unit of scores: 0 where nothing
        does, 2 and more for titles.
    :param comma: Whether "SURNAME, GIVEN" may hold a comma.
    :return: The name, or ``None`` where none begins.
    """
    words = note.document.words
    run = Run(first, first - 1, 0.0, prior, comma, parts=0, bonus=prior)
    index, most = first, min(len(words), first + _MOST_WORDS)
    while index < most and run.parts < _MOST_PARTS:
        step = _next(note, run, index)
        if step is None:
            break
        run.begun = True
        if not run.worded:
            run.worded = any(len(word) > 1 for word in words[index : step.last + 1])
        run.last, index = step.last, step.last + 1
        run.parts += step.parts
        if step.score is not None:
            run.total += step.score
            run.bonus = _going_on(note, index)
    if run.worded or (run.begun and _initials_enough(run)):
        return run
    return None


def _initials_enough(run: Run) -> bool:
    """Tell whether a label or a trigger vouches for initials alone."""
    fewest = 2 if run.prior >= TITLED else 3
    return run.prior >= TRIGGERED and run.last - run.first + 1 >= fewest


def _next(note: ScoredNote, run: Run, index: int) -> _Step | None:
    """Return what a name goes on with at a word, or ``None`` where it ends."""
    document = note.document
    if run.begun:
        again = twin(document, run.first, run.last, index)
        if again:
            return _Step(again, None, 1)
        second = and_surname(note, run.first, run.last, index, run.parts)
        if second:
            return _Step(second, TIED, 1)
        if not joined(note, run.first, run.last, index, run.comma):
            index = behind_nickname(document, run.last, index)
            if not index:
                return None
    word = document.words[index]
    compound = _compound(document, index) if run.begun or run.prior > 0 else 0
    if compound:
        return _Step(compound, run.bonus + _COMPOUND, 2)
    if word in BEHIND_PARTICLE:
        return None
    titled = run.prior >= TITLED and index == run.first
    if is_particle(note, index, run.begun, titled):
        behind = behind_particles(document, index)
        if behind is None:
            return None
        score = score_behind(note, index, behind) + run.bonus
        return _Step(behind, score, 1) if score > 0 else None
    if run.begun and word in SUFFIXES:
        return _Step(index, None, 0)
    if run.worded:
        ends = initials(document, run.last, index, run.prior, run.parts)
        if ends:
            return _Step(ends, TIED, 1)
    score = _word_score(note, run, index)
    return _Step(index, score, 1) if score > 0 else None


def _compound(document: Document, index: int) -> int:
    """Return the last word of "Cabeza de Vaca" where it begins at a word, or 0."""
    for entry in COMPOUNDS.get(document.words[index], ()):
        last = index + len(entry) - 1
        if tuple(document.words[index : last + 1]) != entry:
            continue
        written = document.capital(index) and document.capital(last)
        gaps = all(document.gap(here) == " " for here in range(index, last))
        if gaps and (written or casing(document, index) != "mixed"):
            return last
    return 0


def _word_score(note: ScoredNote, run: Run, index: int) -> float:
    """Return the score of a word where it stands; 0 or less where the name ends."""
    document = note.document
    if not run.begun:
        opens = _may_open(note, index, run.prior)
        score = note.score(index) + run.bonus if opens else 0.0
        if score <= 0 and run.prior >= TITLED and _before_surname(note, index):
            return TIED
        return score
    if run.worded and _acronym(document, index):
        return 0.0
    score = note.score(index) + run.bonus
    if score > 0:
        return score
    if _tied(note, run.last, index):
        return TIED
    if worded(note, run.first, run.last, index, run.parts):
        return TIED
    return TIED if closes(document, run.last, index, run.prior, run.parts) else score


def _before_surname(note: ScoredNote, index: int) -> bool:
    """Tell whether a title and a surname hold an ordinary word: "Sra. Cinta Pérez"."""
    document, following = note.document, index + 1
    if following >= len(document) or document.gap(index) != " ":
        return False
    flag = document.flags[following]
    return (
        casing(document, index) == "mixed"
        and not document.flags[index] & (Flag.MEDICAL | Flag.ANCHOR | Flag.EPONYM)
        and document.words[index] not in note.triggers
        and document.capital(index)
        and document.capital(following)
        and not document.shouted(index)
        and bool(flag & Flag.SURNAME)
        and not flag & KNOWN
    )


def _tied(note: ScoredNote, last: int, index: int) -> bool:
    """Tell whether a word belongs to the name that stands before it."""
    document, lexicon = note.document, note.lexicon
    if document.gap(last) == "-":
        return len(document.words[index]) > 1
    rare = lexicon.ordinary.get(document.words[index], 0.0) <= _RARE
    if index + 1 >= len(document) or not (rare or document.capital(index)):
        return False
    following = document.flags[index + 1]
    surname = lexicon.surname.get(document.words[index + 1], 0.0) >= FREQUENT
    if not following & NAME or (following & KNOWN and not surname):
        return False
    return between_names(document, last, index, rare)


def _going_on(note: ScoredNote, index: int) -> float:
    """Return what the next word gains from following a part of the name."""
    document, weights = note.document, note.weights
    if document.words[index - 1] == "ma" and maria(document, index - 1):
        return weights.after_maria
    if index >= len(document) or not document.flags[index] & FULL_NAME:
        return weights.go_on
    word, flag = document.words[index], document.flags[index]
    ordinary = note.lexicon.ordinary.get(word, 0.0)
    common = frequency(note.lexicon, word, flag)
    if flag & KNOWN and ordinary > common + _FAR_COMMONER:
        return weights.go_on
    return weights.go_on_listed


def _acronym(document: Document, index: int) -> bool:
    """Tell whether letters joined by stops ("U.A.S.") begin at a word."""
    words = document.words
    return (
        len(words[index]) == 1
        and document.gap(index) == "."
        and index + 1 < len(words)
        and len(words[index + 1]) == 1
    )


def _may_open(note: ScoredNote, index: int, prior: float) -> bool:
    """Tell whether the first word of a name may be this one, whatever the trigger.

    An ordinary word needs the capital that a name has; a trigger that is also a
    surname ("nieto", "pastor") is a trigger where a name follows.
    """
    document = note.document
    word, flag = document.words[index], document.flags[index]
    if len(word) <= ACRONYM and title_shaped(document, index, prior):
        return False
    if word in note.triggers:
        last = index + 1 >= len(document)
        if prior <= 0 or last or document.flags[index + 1] & NAME:
            return False
    if flag & NAME or not flag & KNOWN or len(word) == 1:
        return True
    return casing(document, index) == "mixed" and document.capital(index)
