"""A Flair sequence tagger as a Presidio recognizer."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.find.ner.label_names import entities_for
from presidio_mx.find.ner.model_folder import file_hash
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.research.systems.bio import runs
from presidio_mx.text.spans import Span
from presidio_mx.text.tokens import Piece, sentences

# What Flair's trainer calls the models it writes, the best first.
_FILES = ("best-model.pt", "final-model.pt")
# Most words of one piece; longer sentences are cut.
_RUN = 150


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Flair from its log, which goes to the standard output.

    A model that embeds words prints all that it knows when it is made or read: words of
    the notes it was trained on. Enter it when Flair is imported, which sets its log up.
    """
    log = logging.getLogger("flair")
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(level)


def pieces(text: str) -> list[Piece]:
    """Cut a text into what Flair reads at once: sentences, as corpora for it are cut.

    :param text: A note.
    :return: Start and end of each piece, none of them blank.
    """
    return [
        (start + run[0][0], start + run[-1][1])
        for start, end in sentences(text)
        for run in runs(text[start:end], _RUN)
    ]


class MxFlairRecognizer(MxTaggerRecognizer):
    """Run a Flair ``SequenceTagger``, such as the ADAP model of the Michoacán thesis.

    A checkpoint of Flair is a pickle, which can hold code that runs when it is read:
    load only files that you trust. Flair needs transformers below version 5, so that it
    may need an environment of its own.

    :param model: A checkpoint (``.pt``), or the folder of a training by Flair.
    :param kwargs: See :class:`MxTaggerRecognizer`.
    """

    KIND: ClassVar[str] = "flair"

    def load(self) -> None:
        """Read the checkpoint."""
        path = self._checkpoint()
        need("flair.models", "a Flair model", self.KIND)
        self._sentence = import_module("flair.data").Sentence
        models = import_module("flair.models")
        try:
            with quiet():
                self._tagger: Any = models.SequenceTagger.load(str(path))
        except Exception as error:
            # Whatever the pickle's reader stumbles over: it has no error of its own.
            raise ConfigurationError(
                f"{path}: Flair cannot load it ({type(error).__name__}); give a "
                "checkpoint that Flair's SequenceTagger wrote"
            ) from None
        labels = self._tagger.label_dictionary.get_items()
        self._mapping = entities_for(labels)
        if not self._mapping:
            raise ConfigurationError(f"{path}: none of its labels is an entity we know")
        self.model_hash = file_hash(path)
        self.entities_of_model = sorted(set(self._mapping.values()))

    def _checkpoint(self) -> Path:
        if self.model.is_file():
            return self.model
        for name in _FILES:
            if (self.model / name).is_file():
                return self.model / name
        raise ConfigurationError(
            f"{self.model}: no checkpoint of Flair there ({' or '.join(_FILES)})"
        )

    def spans(self, text: str) -> list[Span]:
        """Return what the tagger marks; labels that mean no entity are left out.

        :param text: A note.
        """
        found: list[Span] = []
        cut = pieces(text)
        read = [self._sentence(text[start:end]) for start, end in cut]
        self._tagger.predict(read)
        kind = self._tagger.tag_type
        for (offset, _), sentence in zip(cut, read, strict=True):
            for span in sentence.get_spans(kind):
                label = span.get_label(kind)
                entity = self._mapping.get(label.value)
                if entity is not None:
                    start = offset + span.start_position
                    end = offset + span.end_position
                    found.append(Span(start, end, entity, score=float(label.score)))
        return found
