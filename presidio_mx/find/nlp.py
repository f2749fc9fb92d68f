"""A blank Spanish spaCy pipeline with lemmas, for engines without a model."""

from typing import Any

import spacy
from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine
from spacy.language import Language
from spacy.tokens import Doc

from presidio_mx.presidio_compat import LazyArtifacts

LANGUAGE = "es"
COMPONENT = "presidio_mx_lower_lemma"
MODEL = "presidio_mx"


@Language.component(COMPONENT)
def lower_lemma(doc: Doc) -> Doc:
    """Set each lemma to the lower-case word.

    A blank pipeline leaves lemmas empty, and Presidio compares context words with
    lemmas: without this no context word would ever raise a score.

    :param doc: A tokenised text.
    :return: The same document.
    """
    for token in doc:
        token.lemma_ = token.lower_
    return doc


def load(**overrides: Any) -> Language:
    """Return the blank pipeline; the entry point that ``spacy.load`` calls.

    An NLP configuration with ``model_name: presidio_mx`` needs no other model.

    :param overrides: What spaCy passes to a model package: ``vocab`` and others.
    :return: A tokeniser with lemmas.
    """
    nlp = spacy.blank(LANGUAGE, vocab=overrides.get("vocab", True))
    # Notes of any size are fine: nothing here needs memory like a parser does.
    nlp.max_length = 1_000_000_000
    nlp.add_pipe(COMPONENT)
    return nlp


class MxNlpEngine(SpacyNlpEngine):
    """Presidio's spaCy engine on the blank Spanish pipeline; never downloads.

    :param language: Language code that calls will use.
    """

    engine_name = "presidio_mx"

    def __init__(self, language: str = LANGUAGE) -> None:
        """Remember the language; the pipeline is made by :meth:`load`."""
        super().__init__(models=[{"lang_code": language, "model_name": MODEL}])
        self._language = language

    def load(self) -> None:
        """Make the pipeline."""
        self.nlp = {self._language: load()}  # type: ignore[assignment]

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        """Return artifacts that are computed when somebody looks at them."""
        return LazyArtifacts(text, self, language)

    def eager(self, text: str, language: str) -> NlpArtifacts:
        """Return artifacts computed now."""
        return super().process_text(text, language)
