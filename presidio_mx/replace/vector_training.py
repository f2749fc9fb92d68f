"""Train word vectors on notes: Word2Vec by gensim, GloVe by our own numpy."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.private_file import create_private
from presidio_mx.replace.glove import GloveRecipe, train_glove
from presidio_mx.replace.lemmas import Lemma, as_it_is

_WORD = re.compile(r"[^\W\d_]+")


def sentences(texts: Iterable[str], lemma: Lemma = as_it_is) -> Iterator[list[str]]:
    """Yield the lower-case words of each line of notes.

    :param texts: The notes.
    :param lemma: From a word to its lemma.
    :return: One list a line.
    """
    for text in texts:
        for line in text.splitlines():
            found = [lemma(word.lower()) for word in _WORD.findall(line)]
            if found:
                yield found


def train_vectors(
    texts: Sequence[str],
    output: Path | str,
    *,
    dimensions: int = 100,
    epochs: int = 10,
    minimum: int = 2,
    seed: int = 0,
    method: str = "word2vec",
    lemma: Lemma = as_it_is,
) -> int:
    """Train Word2Vec (skip-gram) or GloVe on notes; write word2vec's text format.

    Train on notes that were de-identified before: the vocabulary is written down.

    :param texts: The notes.
    :param output: File to write; never overwritten.
    :param dimensions: Length of the vectors.
    :param epochs: Passes over the notes.
    :param minimum: A rarer word gets no vector.
    :param seed: Seed; one worker thread keeps the result the same.
    :param method: ``word2vec`` or ``glove``.
    :param lemma: From a word to its lemma; the same is needed to obfuscate.
    :return: Number of words with a vector.
    :raises MissingExtraError: If gensim is not installed (Word2Vec alone needs it).
    :raises ConfigurationError: If the file exists, the method is unknown or the notes
        are too few.
    """
    path = Path(output)
    if path.exists():
        raise ConfigurationError(f"{path} exists; it is not overwritten")
    lines = list(sentences(texts, lemma))
    if method == "glove":
        recipe = GloveRecipe(dimensions, epochs, minimum, seed=seed)
        words, matrix = train_glove(lines, recipe)
        _write_vectors(path, words, matrix)
        return len(words)
    if method != "word2vec":
        raise ConfigurationError(f"unknown method {method!r}; use word2vec or glove")
    gensim = need("gensim.models", "training Word2Vec", "embeddings")
    try:
        model = gensim.models.Word2Vec(
            lines,
            vector_size=dimensions,
            window=5,
            min_count=minimum,
            sg=1,
            epochs=epochs,
            seed=seed,
            workers=1,
        )
    except RuntimeError:
        raise ConfigurationError(
            f"too few words occur {minimum} times or more; give more notes"
        ) from None
    _write_vectors(path, model.wv.index_to_key, model.wv.vectors)
    return len(model.wv)


def _write_vectors(path: Path, words: Sequence[str], matrix: NDArray[Any]) -> None:
    """Write a file for its owner alone: the words may be names of notes."""
    with create_private(path) as file:
        file.write(f"{len(words)} {matrix.shape[1]}\n".encode())
        for word, row in zip(words, matrix, strict=True):
            values = " ".join(f"{value:.6f}" for value in row)
            file.write(f"{word} {values}\n".encode())
