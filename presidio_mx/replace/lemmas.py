"""The lemma of a word, for vectors that were trained on lemmas."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from presidio_mx.errors import ConfigurationError

Lemma = Callable[[str], str]


def as_it_is(word: str) -> str:
    """Return a word as it is: what stands for lemmas where there are none.

    :param word: A word in lower case.
    """
    return word


def lemma_of(model: str) -> Lemma:
    """Return what gives lemmas: a spaCy model, or words as they are.

    :param model: An installed spaCy package or a folder; empty for none.
    :raises ConfigurationError: If there is no such model.
    """
    return spacy_lemmas(model) if model else as_it_is


@cache
def spacy_lemmas(model: str) -> Lemma:
    """Return what gives the lemma of a word, by a spaCy model, as Ribeiro (2023) had.

    :param model: An installed spaCy package or the folder of a model.
    :return: From a word in lower case to its lemma in lower case.
    :raises ConfigurationError: If there is no such model.
    """
    import spacy

    # spaCy would tell the user to download one.
    if not (spacy.util.is_package(model) or Path(model).is_dir()):
        raise ConfigurationError(
            f"lemmas need an installed spaCy package or a folder, not {model!r}"
        )
    try:
        pipeline = spacy.load(model)
    except (OSError, ValueError):  # its message goes on over several lines
        raise ConfigurationError(f"{model}: no spaCy model") from None

    @cache
    def lemma(word: str) -> str:
        return "".join(token.lemma_ for token in pipeline(word)).lower() or word

    return lemma
