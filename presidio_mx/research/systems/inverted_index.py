"""A positional inverted index: which word stands in which note, and where.

As the Michoacán thesis (2022) built it over 450 notes: words in small letters, without
stop words, which keep their places (its Figure 3.3 has *recibe* at position 2): a
phrase stands where its words are as far apart as in the phrase. So "red apoyo" is no
"red de apoyo". The notes that hold a phrase are found without reading any of them
again.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from presidio_mx.text.folding import fold, fold_key

_WORD = re.compile(r"[^\W\d_]+|\d+")
Term = tuple[str, int]
"""A word of a phrase, and how many words behind the first of its words it stands."""


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The words of a note, stop words left out, and where they stand.

    :param folded: The note in small letters without accents, of the same length.
    :param words: Its words.
    :param starts: Offset of each word's first character.
    :param ends: Offset after each word's last character.
    :param places: Place of each word among all words of the note, from 1.
    """

    folded: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    places: tuple[int, ...]

    @classmethod
    def of(cls, text: str, stop_words: Collection[str] = frozenset()) -> "IndexedText":
        """Cut a note into words.

        :param text: The note.
        :param stop_words: Folded words to leave out.
        """
        folded = fold(text)
        found = [
            (match, place)
            for place, match in enumerate(_WORD.finditer(folded), start=1)
            if match[0] not in stop_words
        ]
        return cls(
            folded,
            tuple(match[0] for match, _ in found),
            tuple(match.start() for match, _ in found),
            tuple(match.end() for match, _ in found),
            tuple(place for _, place in found),
        )

    def holds(self, terms: tuple[Term, ...], at: int) -> bool:
        """Tell whether a phrase begins at a word.

        :param terms: Its words as :meth:`InvertedIndex.terms` gives them.
        :param at: Which of the words.
        """
        here = zip(self.words[at:], self.places[at:], strict=True)
        first = self.places[at]
        return at + len(terms) <= len(self.words) and all(
            (word, place - first) == term
            for term, (word, place) in zip(terms, here, strict=False)
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
        # Word to note and which of its words, in the order of both.
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
        for at, word in enumerate(document.words):
            postings[word].append((number, at))
        return number

    def terms(self, phrase: str) -> tuple[Term, ...]:
        """Return the words of a phrase as they are indexed.

        :param phrase: ``red de apoyo`` gives ``red`` and, 2 words on, ``apoyo``.
        """
        words = enumerate(match[0] for match in _WORD.finditer(fold_key(phrase)))
        found = [(word, place) for place, word in words if word not in self.stop_words]
        return tuple((word, place - found[0][1]) for word, place in found)

    def positions(self, terms: tuple[Term, ...], number: int = 0) -> Iterator[int]:
        """Yield where a phrase begins in a note: at which of its indexed words.

        :param terms: Its words as :meth:`terms` gives them.
        :param number: The note.
        """
        postings = self._postings.get(terms[0][0]) if terms else None
        if not postings:
            return
        document = self.documents[number]
        for place in range(bisect_left(postings, (number, 0)), len(postings)):
            other, at = postings[place]
            if other != number:
                return
            if document.holds(terms, at):
                yield at

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
                *({note for note, _ in self._postings.get(t, ())} for t, _ in terms)
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
