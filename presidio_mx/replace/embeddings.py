"""Obfuscate a whole note: every word becomes one of its nearest neighbours.

Abdalla, Abdalla, Rudzicz & Hirst, "Using word embeddings to improve the privacy of
clinical notes", JAMIA 27 (2020) 901-907; also the Word2Vec and GloVe systems of
Ribeiro et al. (2023). Names that a recognizer would miss go too, as every word goes.
"""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.lemmas import Lemma, as_it_is
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.writing import match_case
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+")
DEFAULT_NEIGHBOURS = 5


@dataclass(frozen=True, eq=False)
class Vectors:
    """Word vectors of unit length.

    :param words: Words in lower case.
    :param matrix: One row of ``float32`` a word, of length 1.
    :param index: Word to row.
    """

    words: tuple[str, ...]
    matrix: NDArray[np.float32]
    index: dict[str, int]

    @classmethod
    def make(cls, words: Sequence[str], matrix: NDArray[Any]) -> "Vectors":
        """Return vectors after bringing each to length 1.

        :param words: The words; of doubles the first counts.
        :param matrix: Shape (number of words, dimensions).
        :return: The vectors.
        """
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        unit = (matrix / np.where(lengths == 0, 1, lengths)).astype(np.float32)
        index: dict[str, int] = {}
        for row, word in enumerate(words):
            index.setdefault(word, row)
        return cls(tuple(words), unit, index)

    def neighbours(self, word: str, count: int) -> list[str]:
        """Return the nearest other words by cosine.

        :param word: A word of the vocabulary.
        :param count: How many.
        :return: The words, nearest first.
        """
        row = self.index[word]
        scores = self.matrix @ self.matrix[row]
        scores[row] = -np.inf
        count = min(count, len(self.words) - 1)
        nearest = np.argpartition(-scores, count - 1)[:count]
        return [self.words[i] for i in nearest[np.argsort(-scores[nearest])]]


def load_vectors(path: Path | str) -> Vectors:
    """Read vectors in the text format of GloVe or of word2vec.

    :param path: A word and its numbers a line; word2vec's first line gives the counts.
    :return: The vectors.
    :raises ConfigurationError: If the file cannot be read, naming the line.
    """
    words: list[str] = []
    numbers: list[NDArray[np.float32]] = []
    try:
        with Path(path).open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                word, *values = line.rstrip().split(" ")
                if number == 1 and len(values) == 1:
                    continue
                words.append(word.lower())
                numbers.append(np.array(values, dtype=np.float32))
                if len(values) < 2 or len(values) != len(numbers[0]):
                    raise ConfigurationError(
                        f"{path}, line {number}: {len(values)} numbers where the first "
                        f"word has {len(numbers[0])}"
                    )
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise ConfigurationError(f"vectors {path}: {reason}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"vectors {path}: not UTF-8 text") from None
    except ValueError as error:
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(f"{path}, line {number}: not numbers") from None
    if len(words) < 2:
        raise ConfigurationError(f"{path}: needs at least two words with vectors")
    return Vectors.make(words, np.vstack(numbers))


@cache
def clinical_words() -> frozenset[str]:
    """Return the folded words of the clinical lists, to keep them.

    :return: Drugs, abbreviations and clinical terms.
    """
    found = {fold_key(row["term"]) for row in rows("medical_terms")}
    found |= {fold_key(row["name"]) for row in rows("drugs")}
    found |= {
        fold_key(row["word"]) for row in rows("lexicon") if row.get("kind") == "m"
    }
    return frozenset(found)


def obfuscate(
    text: str,
    vectors: Vectors,
    *,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "",
    neighbours: int | tuple[int, int] = DEFAULT_NEIGHBOURS,
    around: Sequence[Span] | None = None,
    window: int = 3,
    keep: Container[str] = frozenset(),
    lemma: Lemma = as_it_is,
) -> str:
    """Replace every word by one of its nearest neighbours, never by itself.

    A word without a vector becomes any word of the vocabulary, a number other digits.
    What stands between words stays.

    :param text: The note.
    :param vectors: Word vectors.
    :param key: The secret that the choice depends on.
    :param scope: As in :func:`presidio_mx.replace.engine.anonymize`.
    :param neighbours: How many neighbours to choose from, or the least and the most:
        then the number varies along the note.
    :param around: Only words in these spans and near them are replaced.
    :param window: How many words on each side of a span count as near it.
    :param keep: Folded words to keep, e.g. :func:`clinical_words`; never within a span
        of ``around``.
    :param lemma: From a word to its lemma, if the vectors are those of lemmas.
    :return: The obfuscated note.
    :raises ConfigurationError: If the number of neighbours is not from 1 on.
    """
    low, high = neighbours if isinstance(neighbours, tuple) else (neighbours,) * 2
    if not 1 <= low <= high:
        raise ConfigurationError("neighbours must be 1 or more, the least one first")
    secret = find_key(key).derive("embeddings", Scope.parse(scope, text).label)
    chooser = _Chooser(vectors, Draw(secret), low, high, lemma)
    tokens = list(_TOKEN.finditer(text))
    inside, near = _places(tokens, around, window)
    parts, position = [], 0
    for number, match in enumerate(tokens):
        token = match.group()
        kept = number not in inside and fold_key(token) in keep
        if number not in near or kept:
            continue
        parts += [text[position : match.start()], chooser.choose(token, number)]
        position = match.end()
    return "".join([*parts, text[position:]])


def _places(
    tokens: Sequence[re.Match[str]], around: Sequence[Span] | None, window: int
) -> tuple[set[int], set[int]]:
    """Return which tokens lie in spans, and which are to be replaced."""
    if around is None:
        return set(), set(range(len(tokens)))
    inside = {
        number
        for number, token in enumerate(tokens)
        if any(s.start < token.end() and token.start() < s.end for s in around)
    }
    near = {n + step for n in inside for step in range(-window, window + 1)}
    return inside, near


class _Chooser:
    """Chooses neighbours for the tokens of one note; looks each word up once."""

    def __init__(
        self, vectors: Vectors, draw: Draw, low: int, high: int, lemma: Lemma
    ) -> None:
        self.lemma = lemma
        self.vectors = vectors
        self.draw = draw
        self.low = low
        self.high = high
        self.found: dict[str, list[str]] = {}

    def choose(self, token: str, number: int) -> str:
        """Return what a token becomes."""
        if token.isdigit():
            return "".join(
                str((int(c) + 1 + self.draw.number(9, "digit", number, i)) % 10)
                for i, c in enumerate(token)
            )
        word = self.lemma(token.lower())
        if word not in self.vectors.index:
            return match_case(token, self._any(word, number))
        if word not in self.found:
            nearest = self.vectors.neighbours(word, self.high + 1)
            same = (word, token.lower())
            self.found[word] = [w for w in nearest if w not in same][: self.high]
        span = self.high - self.low + 1
        count = self.low + self.draw.number(span, "count", number)
        options = self.found[word][:count]
        choice = options[self.draw.number(len(options), "neighbour", number)]
        return match_case(token, choice)

    def _any(self, word: str, number: int) -> str:
        words = self.vectors.words
        row = self.draw.number(len(words), "any", number)
        return words[row] if words[row] != word else words[(row + 1) % len(words)]
