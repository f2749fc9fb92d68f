"""Places that no list has, where what stands before them speaks for a place."""

from dataclasses import dataclass
from itertools import product

from presidio_mx.find.phrases.place.bare_strength import BARE
from presidio_mx.find.phrases.place.gazetteer import PlaceIndex
from presidio_mx.spanish.lexicon import KNOWN, Flag, Lexicon
from presidio_mx.spanish.word_runs import (
    FUNCTION_WORDS,
    PARTICLES,
    capital_run,
    joined,
)
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.document import Document

_PLACE_NOUNS = words("place_noun")
_NOT_PLACES = words("not_place")
# A hospital's departments: "procedente de Planta".
_INSIDE = words("place_inside")
_ARTICLES = words("article_of_place")
_FIRM_ENDINGS = listed("firm_ending")
# Most words of a name: capitalised, behind "Villa" or the like, without capitals.
_MOST_CAPITALISED = 4
_MOST_BEHIND_NOUN = 3
_MOST_CASELESS = 4
# Shorter words are no names by themselves.
_SHORTEST = 3
_SHORTEST_ODD = 5
# A word with more than so many l is not tried in all readings.
_MOST_SCANNED = 4


@dataclass(frozen=True, slots=True)
class UnlistedPlaces:
    """Delimit names of places that no gazetteer has.

    :param index: Names of places, at which one that is unlisted ends.
    :param lexicon: What is known of words.
    """

    index: PlaceIndex
    lexicon: Lexicon

    def last_word(self, document: Document, index: int) -> int:
        """Return the last word of a place that no list has, or ``index - 1``."""
        if document.casing(index) != "mixed":
            return self._caseless(document, index)
        if document.capital(index) and not document.words[index].isdigit():
            return self._capitalised(document, index)
        return index if self.is_odd(document, index) else index - 1

    def behind_noun(self, document: Document, index: int) -> int:
        """Return the last word of a run such as "Villa Matamoros", or ``index - 1``."""
        if (
            document.words[index] not in _PLACE_NOUNS
            or document.casing(index) != "mixed"
            or not document.capital(index)
            or document.shouted(index)
        ):
            return index - 1
        last = capital_run(document, index, _MOST_BEHIND_NOUN)
        for here in range(index + 1, last + 1):
            match = self.index.longest(document, here)
            if match and match[1].is_state:
                return here - 1
        return last

    def is_odd(self, document: Document, index: int) -> bool:
        """Tell whether a word is in no list: perhaps a small town's name."""
        flag = document.flags[index] & ~Flag.ANCHOR
        word = document.words[index]
        if flag or len(word) < _SHORTEST_ODD or word.isdigit():
            return False
        if document.shouted_inside(index):
            return False
        return not word.endswith(_FIRM_ENDINGS) and not self._is_scanned(word)

    def _is_scanned(self, word: str) -> bool:
        """Tell whether a scanner read i as l in an ordinary word: "FARlNGE"."""
        if not 0 < word.count("l") <= _MOST_SCANNED:
            return False
        options = [("l", "i") if letter == "l" else (letter,) for letter in word]
        flags = self.lexicon.flags
        return any(flags.get("".join(w), 0) & KNOWN for w in product(*options))

    def _capitalised(self, document: Document, index: int) -> int:
        if document.shouted(index) or document.words[index] in _INSIDE:
            return index - 1
        last = capital_run(document, index, _MOST_CAPITALISED)
        for here in range(index + 1, last + 1):
            # A state or another place of its own begins here.
            match = self.index.longest(document, here)
            if match and (match[1].is_state or match[1].strength >= BARE):
                last = here - 1
                break
        while last > index and document.words[last] in PARTICLES:
            last -= 1
        if last == index and not _may_stand_alone(document, index):
            return index - 1
        return last

    def _caseless(self, document: Document, index: int) -> int:
        """Return the last word of an unknown place where capitals tell nothing."""
        last, end = index - 1, min(index + _MOST_CASELESS, len(document))
        article = document.words[index] in _ARTICLES
        for here in range(index, end):
            if here > index and not joined(document, here - 1):
                break
            word = document.words[here]
            if here == index and article:
                continue
            if word.isdigit() or word in FUNCTION_WORDS:
                break
            behind_article = article and here == index + 1 and word not in _NOT_PLACES
            if not behind_article and not self.is_odd(document, here):
                break
            last = here
        return last


def _may_stand_alone(document: Document, index: int) -> bool:
    """Tell whether one capitalised word may be a place's name."""
    word = document.words[index]
    if len(word) < _SHORTEST or document.flags[index] & Flag.MEDICAL:
        return False
    return word not in PARTICLES | FUNCTION_WORDS
