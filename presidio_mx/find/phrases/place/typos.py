"""Find the place that misspelt words were meant to name.

A word of seven letters or more that no list has may be one edit away from a word of a
place's name, one of ten or more two. The first letter counts as right: few slips touch
it (Yannakoudakis and Fawthrop 1983), and it makes the search short.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex, load_places
from presidio_mx.spanish.gazetteer import kept
from presidio_mx.spanish.lexicon import KNOWN, NAME, Lexicon
from presidio_mx.spanish.word_runs import joined
from presidio_mx.text.document import Document

_SHORTEST = 7
_LONGEST = 24
_TWO_EDITS = 10
_MOST_WORDS = 4
# A misspelt name is weaker than the name, and never stands without context.
_LOSS = 1.0
_STRONGEST = -1.0
# A place that is also a word must be this strong: "Comitann", not "Progresoo".
_SURE = 2.0
# "Cardnas" is rather the surname, unless context is clear.
_NAME_LOSS = 1.5


@dataclass(frozen=True, slots=True)
class PlaceTypos:
    """Long words of place names, by first letter and length.

    :param index: Place names.
    :param words: Folded words, those that are names by themselves first.
    """

    index: PlaceIndex
    words: dict[tuple[str, int], tuple[str, ...]]

    def longest(
        self, document: Document, index: int, lexicon: Lexicon
    ) -> tuple[int, Place] | None:
        """Return (last word, place) of the misspelt name that begins at a word.

        :param document: The note.
        :param index: Index of a word at which no name begins as it stands.
        :param lexicon: What is known of words.
        """
        flags, words = document.flags, document.words
        if words[index] not in self.index.by_first and (
            flags[index] or not self._long(words[index])
        ):
            return None
        end = min(index + _MOST_WORDS, len(words))
        odd = [i for i in range(index, end) if not flags[i] and self._long(words[i])]
        if not odd:
            return None
        meant = words[index:end]
        for here in odd:
            meant[here - index] = self.meant(words[here])
        match = self._entry(document, index, meant)
        if match is None:
            return None
        last, place = match
        strength = min(place.strength - _LOSS, _STRONGEST)
        if last == index:
            flag = lexicon.flags.get(meant[0], 0)
            if flag & KNOWN and place.strength < _SURE:
                return None
            strength -= _NAME_LOSS if flag & NAME else 0.0
        return last, replace(place, strength=strength)

    @staticmethod
    def _long(word: str) -> bool:
        return _SHORTEST <= len(word) <= _LONGEST and word.isalpha()

    def meant(self, word: str) -> str:
        """Return the nearest word of a place's name, or an empty string.

        :param word: A folded word of seven letters or more.
        """
        most = 2 if len(word) >= _TWO_EDITS else 1
        best, least = "", most + 1
        for size in range(len(word) - most, len(word) + most + 1):
            near = self.words.get((word[0], size))
            allowed = 2 if size >= _TWO_EDITS else 1
            if not near or least == 1:
                continue
            match = process.extractOne(
                word, near, scorer=OSA.distance, score_cutoff=min(most, allowed)
            )
            if match and match[1] < least:
                best, least = match[0], int(match[1])
        # A word of a place's name is spelt as it should be.
        return best if least else ""

    def _entry(
        self, document: Document, index: int, words: list[str]
    ) -> tuple[int, Place] | None:
        """Return (last word, place) of the longest entry that the words begin with."""
        seconds = self.index.by_first.get(words[0])
        if seconds is None:
            return None
        if len(words) > 1 and joined(document, index):
            for rest, place in seconds.get(words[1], ()) if words[1] else ():
                last = index + 1 + len(rest)
                if tuple(words[2 : 2 + len(rest)]) == rest and all(
                    joined(document, i) for i in range(index, last)
                ):
                    return last, place
        single = seconds.get("")
        return (index, single[0][1]) if single else None


def _long_words(index: PlaceIndex) -> Iterator[str]:
    """Yield the long words of all names, those that are names by themselves first."""
    singles = (first for first, seconds in index.by_first.items() if "" in seconds)
    parts: Iterable[str] = (
        word
        for first, seconds in index.by_first.items()
        for second, entries in seconds.items()
        for rest, _ in entries
        for word in (first, second, *rest)
    )
    for words in (singles, parts):
        yield from sorted({word for word in words if len(word) >= _SHORTEST})


@kept
def load_place_typos(
    covered_states: frozenset[str] = frozenset(), folders: tuple[Path, ...] = ()
) -> PlaceTypos:
    """Build the index of the long words of all place names.

    :param covered_states: CURP codes of the states that a deployment covers.
    :param folders: Folders of a site's own that may add rows.
    :return: An index that callers must not change.
    :raises ConfigurationError: If a gazetteer is broken.
    """
    index = load_places(covered_states, folders=folders)
    words: dict[tuple[str, int], list[str]] = {}
    for word in dict.fromkeys(_long_words(index)):
        words.setdefault((word[0], len(word)), []).append(word)
    return PlaceTypos(index, {key: tuple(group) for key, group in words.items()})
