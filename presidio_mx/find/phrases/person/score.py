"""The score of a word: roughly the log-odds that it belongs to a name."""

from dataclasses import dataclass, field

from presidio_mx.find.phrases.person.shapes import (
    ACRONYM,
    before_given,
    before_surnames,
    elision,
    maria,
)
from presidio_mx.find.phrases.person.weights import NEVER, NameWeights
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.spanish.words import words
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

FULL_NAME = Flag.GIVEN | Flag.SURNAME | Flag.NICKNAME
# How common a nickname and an abbreviation count at least, 0 to 1. From the former on
# a name is common: a small letter where names have capitals is forgiven to it.
_COMMON = 0.5
_COMMON_ABBREVIATION = 0.4
# How common a word is that only the medical lists have.
_COMMON_WORD = 0.5
# "Rolando" is rather somebody than a fissure: an eponym's penalty is divided by this.
_GIVEN_EPONYM = 3
# CURP and RFC begin with four letters of the name.
_CODE_LETTERS = 4
_SHORTEST_TYPO = 6
_LONGEST_SHORT = 3
_ACRONYM_NAMES = words("acronym_name")
# A word so rare is as good as unknown where it has a capital.
_RARE_WORD = 0.1
_UNITS = words("unit_name")


@dataclass(slots=True, eq=False)
class ScoredNote:
    """A note with the scores of its words, each computed when it is first asked for.

    :param document: The note.
    :param lexicon: What is known of words.
    :param weights: Scores of signs.
    :param triggers: Titles and kinship words; before a name they are no part of it.
    """

    document: Document
    lexicon: Lexicon
    weights: NameWeights
    triggers: frozenset[str]
    _scores: dict[int, float] = field(default_factory=dict)

    def score(self, index: int) -> float:
        """Return the score of a word: positive where it looks like part of a name."""
        known = self._scores.get(index)
        if known is None:
            known = self._scores[index] = _score(
                self.document, index, self.lexicon, self.weights
            )
        return known


def frequency(lexicon: Lexicon, word: str, flag: int) -> float:
    """Return how common a listed name is.

    :param lexicon: What is known of words.
    :param word: The folded word.
    :param flag: Its flags.
    :return: 0 (rare) to 1 (the commonest).
    """
    weight = max(lexicon.given.get(word, 0.0), lexicon.surname.get(word, 0.0))
    if flag & Flag.NICKNAME:
        return max(weight, _COMMON)
    return max(weight, _COMMON_ABBREVIATION) if flag & Flag.ABBREVIATED else weight


def rather_given(lexicon: Lexicon, word: str) -> bool:
    """Tell whether a word is commoner as a given name than as a surname."""
    return lexicon.given.get(word, 0.0) > lexicon.surname.get(word, 0.0)


def _score(
    document: Document, index: int, lexicon: Lexicon, weights: NameWeights
) -> float:
    word, flag = document.words[index], document.flags[index]
    if word[0].isdigit() or document.text[document.starts[index]] in "°º":
        return NEVER
    typed = casing(document, index)
    if word in _ACRONYM_NAMES and _lonely_acronym(document, index):
        return NEVER
    if len(word) == 1:
        return _initial(document, index, typed, weights)
    if not flag & NAME and _begins_code(document, index):
        return NEVER
    if word in _UNITS and index and document.words[index - 1].isdigit():
        return NEVER
    if word == "ma" and maria(document, index):
        return weights.maria
    score = _listed(lexicon, weights, word, flag)
    if flag & Flag.ABBREVIATED:
        if document.folded.startswith(".", document.ends[index]):
            score = max(score, weights.shortened)
    if typed == "mixed":
        return _cased(document, index, lexicon, weights, score)
    if flag & NAME and flag & KNOWN:
        score += weights.caseless
        if flag & Flag.GIVEN and (
            before_given(document, index) or before_surnames(document, index)
        ):
            score += weights.before_given
    return score


def _cased(
    document: Document,
    index: int,
    lexicon: Lexicon,
    weights: NameWeights,
    score: float,
) -> float:
    """Return a score with what the letters' case says, in a line of mixed case."""
    word, flag = document.words[index], document.flags[index]
    if not document.capital(index):
        if flag & FULL_NAME and frequency(lexicon, word, flag) >= _COMMON:
            return score + weights.small
        return NEVER
    if document.shouted(index) and (not flag & NAME or len(word) <= ACRONYM):
        return score + weights.shouted
    if not flag & NAME and flag & KNOWN:
        rare = flag == Flag.ORDINARY and lexicon.ordinary.get(word, 1.0) < _RARE_WORD
        return (weights.unknown if rare else score) + weights.capital_ordinary
    if document.sentence_start(index):
        return score + weights.capital_first
    return score + weights.capital


def _lonely_acronym(document: Document, index: int) -> bool:
    """Tell whether a shouted word has no shouted name beside it: "ELISA"."""
    beside = (index - 1, index + 1)
    if not document.shouted(index) or document.casing(index) == "upper":
        return False
    return not any(
        0 <= here < len(document)
        and document.shouted(here)
        and document.flags[here] & NAME
        for here in beside
    )


def _begins_code(document: Document, index: int) -> bool:
    """Tell whether a word is the letters of a code ("MAMJ020515V14")."""
    end = document.ends[index]
    short = len(document.words[index]) <= _CODE_LETTERS
    return short and document.folded[end : end + 1].isdigit()


def _initial(document: Document, index: int, typed: str, weights: NameWeights) -> float:
    """Return the score of a single letter."""
    end = document.ends[index]
    behind = document.folded[end : end + 1]
    if typed == "mixed" and not document.capital(index):
        return NEVER
    if behind == "." or elision(document, index):
        return weights.initial
    # Without a full stop a letter counts only before another word of the name.
    if typed == "mixed" and behind == " " and index + 1 < len(document):
        following = document.flags[index + 1]
        if following & NAME and document.capital(index + 1):
            return weights.initial
        # "Vania R refiere": behind a given name, before a small letter.
        before = document.flags[index - 1] if index else 0
        if before & Flag.GIVEN and not before & KNOWN:
            return NEVER if document.capital(index + 1) else 0.0
    return NEVER


def _listed(lexicon: Lexicon, weights: NameWeights, word: str, flag: int) -> float:
    """Return what the lists say of a word."""
    if not flag & NAME:
        if flag & (KNOWN | Flag.EPONYM | Flag.ANCHOR):
            return weights.ordinary
        if len(word) >= _SHORTEST_TYPO and lexicon.names.trigger(word):
            return weights.misspelt
        short = len(word) <= _LONGEST_SHORT
        return weights.unknown_short if short else weights.unknown
    common = frequency(lexicon, word, flag)
    score = weights.eponym if flag & Flag.EPONYM else 0.0
    if rather_given(lexicon, word):
        score /= _GIVEN_EPONYM
    if flag & KNOWN:
        ordinary = lexicon.ordinary.get(word, _COMMON_WORD)
        return score + weights.ambiguity * (common - ordinary)
    return score + weights.known + weights.frequency * common
