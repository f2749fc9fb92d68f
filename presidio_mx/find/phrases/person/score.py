"""The score of a word: roughly the log-odds that it belongs to a person's name.

The lists say what a word can be; letter case counts where the line has both. The scores
of a name's words add up, and what stands before it (a title, a kinship word, a label)
adds its own evidence, the ``prior`` of a rule.
"""

import re

from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.text.document import Document

# A capital before a small letter: codes and acronyms have none.
_TITLE_CASE = re.compile(r"\b[A-ZÁÉÍÓÚÑÜ][a-záéíóúñü]")
# A careless note has more words, of so many letters, for each capital.
_WORDS_PER_CAPITAL = 9
_LETTERS_PER_WORD = 5


def casing(document: Document, index: int) -> str:
    """Return how a word's line is typed, as names are concerned.

    A note of small letters with codes and acronyms inside ("px con IVU, CURP ...") is
    no note of mixed case: a small letter says nothing there, a capital still does.

    :param document: The note.
    :param index: Index of a word.
    :return: ``upper``, ``lower`` or ``mixed``.
    """
    own = document.casing(index)
    if own != "mixed" or document.capital(index):
        return own
    return "lower" if document.once(_careless) else own


def _careless(document: Document) -> bool:
    """Tell whether a note has next to no words with a capital first letter."""
    titled = len(_TITLE_CASE.findall(document.text))
    small = sum(map(str.islower, document.text)) / _LETTERS_PER_WORD
    return titled * _WORDS_PER_CAPITAL < small


# A score that no neighbour and no trigger outweighs.
NEVER = -9.0
# A listed name: no ordinary word (and its frequency, 0 to 1); a word, too (times the
# difference of frequencies), less where case tells nothing; an eponym, too.
_KNOWN, _AMBIGUITY, _CASELESS, _EPONYM, _GIVEN_EPONYM = 2.0, 2.0, -0.5, -1.5, -0.5
# "Gpe." with its full stop, "Ma" before a given name, a single letter.
_SHORTENED, _MARIA, _INITIAL = 1.5, 2.5, 0.2
# No list of names has it: one edit away from a common name, unheard of, the same with
# three letters or fewer, ordinary.
_MISSPELT, _UNKNOWN, _UNKNOWN_SHORT, _ORDINARY = 1.4, 0.3, -0.8, -3.0
# A capital inside a sentence, at its beginning, on a word that is no listed name; all
# capitals on what may be an acronym; a small letter on a common name.
_CAPITAL, _CAPITAL_FIRST, _CAPITAL_ORDINARY, _SHOUTED, _SMALL = (
    1.5,
    0.4,
    0.5,
    -2.0,
    -2.2,
)
# How common nicknames and abbreviations count at least, and from when on a name is;
# how common a word is that only the medical lists have, and one hardly ever used.
_COMMON, _COMMON_SHORT, _COMMON_WORD, _RARE_WORD = 0.5, 0.4, 0.5, 0.1
_SHORTEST_TYPO, _LONGEST_SHORT, _LONGEST_ACRONYM = 6, 3, 4


class ScoredNote:
    """The scores of a note's words, each computed when it is first asked for."""

    def __init__(self, document: Document, lexicon: Lexicon) -> None:
        """Begin with no scores.

        :param document: The note.
        :param lexicon: What is known of words.
        """
        self.document = document
        self.lexicon = lexicon
        self._scores: dict[int, float] = {}

    def score(self, index: int) -> float:
        """Return the score of a word: positive where it looks like part of a name."""
        if index not in self._scores:
            self._scores[index] = self._score(index)
        return self._scores[index]

    def mixed(self, index: int) -> bool:
        """Tell whether letter case says something of a word."""
        return casing(self.document, index) == "mixed"

    def clear(self, index: int, kind: int = NAME) -> bool:
        """Tell whether there is a word that is a listed name and nothing else."""
        flags = self.document.flags
        flag = flags[index] if 0 <= index < len(flags) else 0
        return bool(flag & kind) and not flag & KNOWN

    def given(self, index: int) -> bool:
        """Tell whether a word is commoner as a given name than as a surname."""
        word, lexicon = self.document.words[index], self.lexicon
        return lexicon.given.get(word, 0.0) > lexicon.surname.get(word, 0.0)

    def frequency(self, index: int) -> float:
        """Return how common a listed name is, 0 (rare) to 1 (the commonest)."""
        word, flag = self.document.words[index], self.document.flags[index]
        least = _COMMON_SHORT if flag & Flag.ABBREVIATED else 0.0
        least = _COMMON if flag & Flag.NICKNAME else least
        given = self.lexicon.given.get(word, 0.0)
        return max(given, self.lexicon.surname.get(word, 0.0), least)

    def ordinary(self, index: int) -> float:
        """Return how common a word is elsewhere, 0 to 1."""
        unlisted = _COMMON_WORD if self.document.flags[index] & KNOWN else 0.0
        return self.lexicon.ordinary.get(self.document.words[index], unlisted)

    def maria(self, index: int) -> bool:
        """Tell whether "ma" is short for María: a given name follows."""
        document, here = self.document, index + 1
        if document.words[index] != "ma" or document.gap(index) not in (". ", " ", "."):
            return False
        while here < len(document) and document.words[here] in ("de", "del", "la"):
            here += 1
        return here < len(document) and bool(document.flags[here] & Flag.GIVEN)

    def _score(self, index: int) -> float:
        document = self.document
        word, flag = document.words[index], document.flags[index]
        if word[0].isdigit() or document.text[document.starts[index]] in "°º":
            return NEVER
        if len(word) == 1:
            return self._letter(index)
        if self.maria(index):
            return _MARIA
        score = self._listed(index)
        if flag & Flag.ABBREVIATED:
            if document.folded.startswith(".", document.ends[index]):
                score = max(score, _SHORTENED)
        if self.mixed(index):
            return self._cased(index, score)
        return score + (_CASELESS if flag & NAME and flag & KNOWN else 0.0)

    def _letter(self, index: int) -> float:
        document, following = self.document, index + 1
        mixed = self.mixed(index)
        if mixed and not document.capital(index):
            return NEVER
        if document.folded.startswith((".", "'"), document.ends[index]):
            return _INITIAL
        # Without its full stop a letter counts only before another word of the name ...
        if not mixed or document.gap(index) != " " or following >= len(document):
            return NEVER
        if document.capital(following):
            return _INITIAL if document.flags[following] & NAME else NEVER
        # ... or behind a given name, before a small letter: "Vania R refiere".
        return 0.0 if self.clear(index - 1, Flag.GIVEN) else NEVER

    def _listed(self, index: int) -> float:
        """Return what the lists say of a word."""
        word, flag = self.document.words[index], self.document.flags[index]
        if flag & NAME:
            score = _EPONYM if flag & Flag.EPONYM else 0.0
            score = _GIVEN_EPONYM if score and self.given(index) else score
            if flag & KNOWN:
                excess = self.frequency(index) - self.ordinary(index)
                return score + _AMBIGUITY * excess
            return score + _KNOWN + self.frequency(index)
        if flag & (KNOWN | Flag.EPONYM | Flag.ANCHOR):
            return _ORDINARY
        if len(word) >= _SHORTEST_TYPO and self.lexicon.names.trigger(word):
            return _MISSPELT
        return _UNKNOWN_SHORT if len(word) <= _LONGEST_SHORT else _UNKNOWN

    def _cased(self, index: int, score: float) -> float:
        """Return a score with what the letters' case says."""
        document = self.document
        word, flag = document.words[index], document.flags[index]
        if not document.capital(index):
            common = flag & NAME and self.frequency(index) >= _COMMON
            return score + _SMALL if common else NEVER
        short = len(word) <= _LONGEST_ACRONYM
        if document.shouted(index) and (short or not flag & NAME):
            return score + _SHOUTED
        if not flag & NAME and flag & KNOWN:
            rare = flag == Flag.ORDINARY and self.ordinary(index) < _RARE_WORD
            return (_UNKNOWN if rare else score) + _CAPITAL_ORDINARY
        first = document.sentence_start(index)
        return score + (_CAPITAL_FIRST if first else _CAPITAL)
