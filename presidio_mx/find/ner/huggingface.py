"""Any token-classification checkpoint as a Presidio recognizer."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import local
from typing import Any, ClassVar

from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.find.ner.label_names import entities_for
from presidio_mx.find.ner.model_folder import file_hash, model_file, weights_file
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.presidio_compat import hugging_face_module
from presidio_mx.text.spans import Span


class MxHuggingFaceRecognizer(MxTaggerRecognizer):
    """Run a local checkpoint through Presidio's ``HuggingFaceNerRecognizer``.

    Labels of the checkpoint become entities by their names: the suite's own, PER, LOC
    and ORG, MEDDOCAN's, the thesis tags. Labels that mean no entity are not reported.
    Text goes to the model in pieces of 400 characters that overlap by 40, as Presidio
    does it: even codes, of which each character is a token, then fit into 512 tokens.

    :param model: Folder with ``config.json``, weights and tokenizer.
    :param threshold: Spans with a lower score are not reported, 0 to 1.
    :param label_mapping: Label (without ``B-``) to entity, instead of the names.
    :param aggregation_strategy: How tokens are joined: first, simple, average, max.
    :param device: ``cpu``, ``cuda`` ...; by default a GPU where there is one.
    :param kwargs: See :class:`MxTaggerRecognizer`.
    """

    KIND: ClassVar[str] = "hf"

    def __init__(
        self,
        model: Path | str,
        supported_language: str = "es",
        supported_entities: list[str] | None = None,
        threshold: float = 0.3,
        label_mapping: dict[str, str] | None = None,
        aggregation_strategy: str = "first",
        device: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Load the model."""
        self._mapping = label_mapping
        self._strategy = aggregation_strategy
        self._device = device
        super().__init__(
            model, supported_language, supported_entities, threshold, **kwargs
        )

    def load(self) -> None:
        """Load the checkpoint; nothing is fetched from elsewhere."""
        mapping = self._mapping or entities_for(_labels(self.model))
        if not mapping:
            raise ConfigurationError(
                f"{self.model}: none of its labels is an entity we know; give a "
                "label_mapping"
            )
        path = weights_file(self.model)
        upstream = hugging_face_module()
        if upstream is None:
            raise MissingExtraError("a Hugging Face model", "hf")
        inner: Any = upstream.HuggingFaceNerRecognizer(
            model_name=str(self.model),
            label_mapping=mapping,
            threshold=self.threshold,
            aggregation_strategy=self._strategy,
            device=self._device,
            supported_language=self.supported_language,
        )
        try:
            inner.load()
        except Exception as error:
            # Transformers raises what its parts happen to raise.
            raise ConfigurationError(
                f"{self.model}: transformers cannot load it ({type(error).__name__})"
            ) from None
        self._watch = _Watch(inner.ner_pipeline)
        inner.ner_pipeline = self._watch
        self._inner = inner
        self.model_hash = file_hash(path)
        self.entities_of_model = sorted(set(mapping.values()))

    def spans(self, text: str) -> list[Span]:
        """Return what the model marks.

        :param text: A note.
        :raises InputError: If the model failed on a piece of it.
        """
        self._watch.failure = ""
        found = self._inner.analyze(text, [])
        if self._watch.failure:
            raise InputError(
                f"{self.model}: the model failed on the note ({self._watch.failure})"
            )
        return [Span(r.start, r.end, r.entity_type, score=r.score) for r in found]


class _Watch(local):
    """A pipeline that remembers that it failed, for each thread on its own.

    Presidio's recognizer logs a failure, with what the exception says, and goes on as
    if nothing had been found: names would stay in the note.
    """

    def __init__(self, pipeline: Callable[[str], Any]) -> None:
        self._pipeline = pipeline
        self.failure = ""

    def __call__(self, text: str) -> Any:
        try:
            return self._pipeline(text)
        except Exception as error:
            self.failure = type(error).__name__
            return []


def _labels(folder: Path) -> list[str]:
    path = model_file(folder, "config.json")
    try:
        names = json.loads(path.read_text("utf-8"))["id2label"].values()
        return [str(name) for name in names]
    except (KeyError, AttributeError, ValueError):
        raise ConfigurationError(
            f"{path}: no id2label; give a token-classification checkpoint"
        ) from None
