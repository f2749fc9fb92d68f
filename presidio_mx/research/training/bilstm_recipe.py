"""How a BiLSTM-CRF is trained: our own recipe and that of VSP at MEDDOCAN (2019)."""

from dataclasses import dataclass

from presidio_mx.errors import ConfigurationError
from presidio_mx.research.systems.bilstm_crf.words import LINES, SPACY


@dataclass(frozen=True, slots=True)
class BiLstmRecipe:
    """How a BiLSTM-CRF is trained.

    :param epochs: Maximum number of epochs.
    :param patience: Epochs without a better dev F1 after which to stop; 0: never.
    :param seed: Seed of all chance.
    :param rate: Step size of Adam.
    :param batch: Runs of words in a step.
    :param word_size: Length of word vectors, unless vectors are given.
    :param word_hidden: State of the words' LSTM, in each direction.
    :param cut: How notes are cut: ``lines`` or ``spacy``.
    :param as_written: Whether words keep their capitals and figures.
    :param output_dropout: Share of the LSTM's outputs dropped.
    """

    epochs: int = 25
    patience: int = 5
    seed: int = 1
    rate: float = 1e-3
    batch: int = 16
    word_size: int = 300
    word_hidden: int = 256
    cut: str = LINES
    as_written: bool = False
    output_dropout: float = 0.5


# Suárez-Paniagua (2019): sentences and tokens of spaCy, words as they are written,
# dropout before the LSTM alone, the best of 25 epochs without an early end.
VSP = BiLstmRecipe(patience=0, cut=SPACY, as_written=True, output_dropout=0.0)
RECIPES = {"mx": BiLstmRecipe(), "vsp": VSP}


def recipe_named(name: str) -> BiLstmRecipe:
    """Return a recipe by its name.

    :param name: ``mx`` or ``vsp``.
    :raises ConfigurationError: If there is none of that name.
    """
    if name not in RECIPES:
        raise ConfigurationError(
            f"unknown recipe {name!r}; recipes are {', '.join(RECIPES)}"
        )
    return RECIPES[name]
