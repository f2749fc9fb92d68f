"""A BiLSTM-CRF as a Presidio recognizer."""

from dataclasses import fields
from importlib import import_module
from typing import Any, ClassVar

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.find.ner.model_folder import (
    MANIFEST,
    entity_of,
    file_hash,
    model_file,
    read_manifest,
)
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.text.spans import Span

KIND = "bilstm-crf"
MODEL_FILE = "model.safetensors"
VOCABULARY_FILE = "vocabulary.json"


def require_torch() -> None:
    """Make sure that PyTorch and safetensors are there.

    :raises MissingExtraError: If one is not installed.
    """
    for package in ("torch", "safetensors"):
        need(package, "a BiLSTM-CRF", KIND)


class MxBiLstmCrfRecognizer(MxTaggerRecognizer):
    """Run a BiLSTM-CRF that ``presidio-mx train bilstm-crf`` trained.

    The score of a span is the mean of its words' marginal probabilities of belonging to
    an entity of its type. It runs on the CPU.
    """

    KIND: ClassVar[str] = KIND

    def load(self) -> None:
        """Read weights and vocabulary."""
        path = model_file(self.model, MODEL_FILE)
        self.manifest = read_manifest(self.model, KIND)
        require_torch()
        words = import_module("presidio_mx.research.systems.bilstm_crf.words")
        self._vocabulary = words.read_vocabulary(self.model / VOCABULARY_FILE)
        self._network = self._read_network()
        self._cut = words.cutter(str(self.manifest.recipe.get("cut", words.LINES)))
        self._mark = words.mark
        self.model_hash = file_hash(path)
        scheme = self.manifest.scheme
        self.entities_of_model = [entity_of(t, scheme) for t in self.manifest.types]

    def _read_network(self) -> Any:
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        net = import_module("presidio_mx.research.systems.bilstm_crf.net")
        names = {field.name for field in fields(net.Sizes)}
        try:
            given = self.manifest.recipe["sizes"]
            sizes = net.Sizes(**{name: given[name] for name in names & set(given)})
        except (KeyError, TypeError):
            raise ConfigurationError(
                f"{self.model / MANIFEST}: the recipe lacks the sizes of layers"
            ) from None
        network = net.BiLstmCrf(sizes, self.manifest.labels)
        try:
            network.load_state_dict(load_file(self.model / MODEL_FILE))
        except (SafetensorError, RuntimeError):
            raise ConfigurationError(
                f"{self.model / MODEL_FILE}: not the weights that {MANIFEST} describes"
            ) from None
        return network.eval()

    def spans(self, text: str) -> list[Span]:
        """Return what the model marks.

        :param text: A note.
        """
        pieces = self._cut(text)
        return [
            Span(
                span.start,
                span.end,
                entity_of(span.entity_type, self.manifest.scheme),
                score=span.score,
            )
            for span in self._mark(
                self._network, self._vocabulary, self.manifest.labels, text, pieces
            )
        ]
