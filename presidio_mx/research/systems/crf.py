"""A conditional random field as a Presidio recognizer."""

from itertools import chain
from typing import ClassVar

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.find.ner.model_folder import (
    entity_of,
    file_hash,
    model_file,
    read_manifest,
)
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.research.systems.bio import OUTSIDE, runs, spans_of
from presidio_mx.research.systems.word_features import features, load_gazetteers
from presidio_mx.text.spans import Span
from presidio_mx.text.tokens import Piece

KIND = "crf"
MODEL_FILE = "model.crfsuite"
# Words in one run; long ones let the CRF see over the ends of sentences.
RUN = 400


class MxCrfRecognizer(MxTaggerRecognizer):
    """Run a CRF that ``presidio-mx train crf`` trained.

    The score of a span is the mean of its words' marginal probabilities of belonging to
    an entity of its type.
    """

    KIND: ClassVar[str] = KIND

    def load(self) -> None:
        """Open the model; no other process needs to share it."""
        path = model_file(self.model, MODEL_FILE)
        self.manifest = read_manifest(self.model, KIND)
        self._tagger = need("pycrfsuite", "a CRF", KIND).Tagger()
        try:
            self._tagger.open(str(path))
            self._labels = self._tagger.labels()
        except (OSError, ValueError):
            raise ConfigurationError(
                f"{path}: no model of CRFsuite; train it again"
            ) from None
        self._lists = load_gazetteers()
        self.model_hash = file_hash(path)
        scheme = self.manifest.scheme
        self.entities_of_model = [entity_of(t, scheme) for t in self.manifest.types]

    def spans(self, text: str) -> list[Span]:
        """Return what the model marks.

        :param text: A note.
        """
        return list(chain.from_iterable(self._run(text, r) for r in runs(text, RUN)))

    def _run(self, text: str, run: list[Piece]) -> list[Span]:
        self._tagger.set(features(text, run, self._lists))
        labels = self._tagger.tag()
        scores = [self._score(label, at) for at, label in enumerate(labels)]
        return [
            Span(
                span.start,
                span.end,
                entity_of(span.entity_type, self.manifest.scheme),
                score=span.score,
            )
            for span in spans_of(run, labels, scores)
        ]

    def _score(self, label: str, at: int) -> float:
        if label == OUTSIDE:
            return 0.0
        kind = label.partition("-")[2]
        of_kind = [name for name in self._labels if name.partition("-")[2] == kind]
        return float(sum(self._tagger.marginal(name, at) for name in of_kind))
