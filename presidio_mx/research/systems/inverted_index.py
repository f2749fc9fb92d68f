"""A positional inverted index: which word stands in which note, and where.

As the Michoacán thesis (2022) built it over 450 notes: words in small letters, without
stop words; a phrase of several words must stand without a gap. The notes that hold a
phrase are found without reading any of them again.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from presidio_mx.text.folding import fold, fold_key

_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The words of a note, stop words left out, and where they stand.

    :param folded: The note in small letters without accents, of the same length.
    :param words: Its words.
    :param starts: Offset of each word's first character.
    :param ends: Offset after each word's last character.
    """

    folded: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str, stop_words: Collection[str] = frozenset()) -> "IndexedText":
        """Cut a note into words.

        :param text: The note.
        :param stop_words: Folded words to leave out.
        """
        folded = fold(text)
        found = [m for m in _WORD.finditer(folded) if m[0] not in stop_words]
        return cls(
            folded,
            tuple(match[0] for match in found),
            tuple(match.start() for match in found),
            tuple(match.end() for match in found),
        )


class InvertedIndex:
    """Words of many notes, each with the notes and positions where it stands.

    It holds every word of the notes: keep it as secret as they are.

    :param texts: The notes; the first has number 0.
    :param stop_words: Folded words that are not indexed.
    """

    def __init__(
        self, texts: Iterable[str] = (), stop_words: Collection[str] = frozenset()
    ) -> None:
        """Index the notes."""
        self.stop_words = frozenset(stop_words)
        self.documents: list[IndexedText] = []
        # Word to note and position, in the order of both.
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Index one more note.

        :param text: The note.
        :return: Its number.
        """
        number = len(self.documents)
        document = IndexedText.of(text, self.stop_words)
        self.documents.append(document)
        postings = self._postings
        for position, word in enumerate(document.words):
            postings[word].append((number, position))
        return number

    def terms(self, phrase: str) -> tuple[str, ...]:
        """Return the words of a phrase as they are indexed.

        :param phrase: For example ``red de apoyo``.
        """
        found = (match[0] for match in _WORD.finditer(fold_key(phrase)))
        return tuple(word for word in found if word not in self.stop_words)

    def positions(self, terms: tuple[str, ...], number: int = 0) -> Iterator[int]:
        """Yield where a phrase begins in a note, as positions of words.

        :param terms: Its words as :meth:`terms` gives them; no gap is allowed.
        :param number: The note.
        """
        places = self._postings.get(terms[0]) if terms else None
        if not places:
            return
        words = self.documents[number].words
        for at in range(bisect_left(places, (number, 0)), len(places)):
            other, position = places[at]
            if other != number:
                return
            if words[position : position + len(terms)] == terms:
                yield position

    def notes_with(self, *phrases: str) -> set[int]:
        """Return the numbers of the notes that hold one of some phrases.

        :param phrases: Phrases of one word or of several.
        """
        found: set[int] = set()
        for phrase in phrases:
            terms = self.terms(phrase)
            if not terms:
                continue
            common = set.intersection(
                *({number for number, _ in self._postings.get(t, ())} for t in terms)
            )
            found |= {
                number
                for number in common - found
                if any(True for _ in self.positions(terms, number))
            }
        return found

    def dictionary(self) -> Counter[str]:
        """Return every word of the notes with how often it occurs."""
        return Counter({word: len(places) for word, places in self._postings.items()})
