"""A blank Spanish spaCy pipeline with lemmas, for engines without a model."""

from spacy.language import Language
from spacy.tokens import Doc

LANGUAGE = "es"
COMPONENT = "presidio_mx_lower_lemma"


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
