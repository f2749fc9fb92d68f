"""Any token-classification folder as a Presidio recognizer."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.finding import trimmed
from presidio_mx.find.ner.classifier import Words, labels_of, load_classifier
from presidio_mx.find.ner.label_names import entities_for
from presidio_mx.find.ner.reader_file import ReaderFile, plain, reader_of
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.find.ner.tags import goes_on, moves_of, scheme_of, tag_of
from presidio_mx.find.ner.viterbi import path_under
from presidio_mx.text.spans import Span

# What may stand between two labels of one entity, as street and number: no comma within
# a name, since it may divide two people.
_WITHIN_NAME, _WITHIN = re.compile(r"[ \t]{0,3}"), re.compile(r"[ \t,]{0,3}")


class MxHuggingFaceRecognizer(MxTaggerRecognizer):
    """Read notes by a local model, ONNX or of transformers.

    ``reader.yaml`` in its folder says how; without it a shipped file that names the
    same labels, else their names: the suite's own, PER, LOC and ORG, MEDDOCAN's, the
    thesis tags. Labels that mean no entity are not reported. One path of labels that
    the tag scheme allows is decoded for the whole note. Where windows overlap, the mean
    of their probabilities counts.

    :param model: Folder with ``config.json``, weights and tokenizer.
    :param threshold: Spans with a lower score are not reported; by default the file's.
    :param label_mapping: Label (without ``B-``) to entity, instead of the file's.
    :param device: ``cpu``, ``cuda`` ...; by default a GPU where there is one. ONNX runs
        on the CPU.
    :param kwargs: See :class:`MxTaggerRecognizer`.
    """

    KIND: ClassVar[str] = "hf"

    def __init__(
        self,
        model: Path | str,
        supported_language: str = "es",
        supported_entities: list[str] | None = None,
        threshold: float | None = None,
        label_mapping: dict[str, str] | None = None,
        device: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Load the model."""
        self._mapping = label_mapping
        self._device = device
        self._asked = threshold
        super().__init__(
            model, supported_language, supported_entities, threshold or 0.0, **kwargs
        )

    def load(self) -> None:
        """Load the model; nothing is fetched from elsewhere."""
        kinds = {tag_of(label).kind for label in labels_of(self.model)} - {""}
        file = self._file = reader_of(self.model, kinds)
        self._entities = self._entities_of(kinds, file)
        if not self._entities:
            raise ConfigurationError(
                f"{self.model}: none of its labels is an entity we know; give labels "
                "in reader.yaml (label_mapping in Python)"
            )
        self._classifier = load_classifier(
            self.model, file.window, file.overlap, file.weights, self._device
        )
        self._tags = [tag_of(label) for label in self._classifier.labels]
        self._scheme = file.scheme or scheme_of(self._tags)
        self._moves = moves_of(self._tags, self._scheme, file.moves)
        if self._asked is None:
            self.threshold = file.threshold
        self.model_hash = self._classifier.model_hash
        self.entities_of_model = sorted(set(self._entities.values()))

    def _entities_of(self, kinds: set[str], file: ReaderFile) -> dict[str, str]:
        """Return the labels that are reported, with the entity of each."""
        given = self._mapping or file.labels
        if not given:
            return entities_for(kinds)
        named = {plain(label): entity for label, entity in given.items()}
        found = {kind: named.get(plain(kind)) for kind in kinds}
        return {kind: entity for kind, entity in found.items() if entity}

    def spans(self, text: str) -> list[Span]:
        """Return what the model marks.

        :param text: A note.
        :raises InputError: If the model failed on it.
        """
        try:
            words = self._classifier.read(text, self._file.pieces == "each")
        except Exception as error:
            # What the error says may quote the note.
            raise InputError(
                f"{self.model}: the model failed on the note ({type(error).__name__})"
            ) from None
        return self._decoded(text, words) if words.first else []

    def _decoded(self, text: str, words: Words) -> list[Span]:
        rows = words.joined(self._file.pieces)
        inside = 1.0 - np.exp(rows[:, 0])
        scores = rows.copy()
        scores[:, 0] -= self._file.bias
        tags = [self._tags[column] for column in path_under(scores, self._moves)]
        free = self._scheme == "IO"
        edges = [
            n + 1 for n, (a, b) in enumerate(pairwise(tags)) if not goes_on(a, b, free)
        ]
        found: list[Span] = []
        joins = ""
        for first, last in pairwise([0, *edges, len(tags)]):
            kind = tags[first].kind
            entity = self._entities.get(kind)
            start, end = trimmed(text, words.starts[first], words.ends[last - 1])
            if entity is None or start >= end:
                continue
            score = float(inside[first:last].mean())
            if found and joins != kind and _one(text, found[-1], start, entity):
                before = found.pop()
                start, score = before.start, max(score, before.score or 0.0)
            joins = kind
            found.append(Span(start, end, entity, score=score))
        return found


def _one(text: str, before: Span, start: int, entity: str) -> bool:
    """Tell whether two spans of different labels are one: given name and surname."""
    between = _WITHIN_NAME if entity == "PERSON" else _WITHIN
    same = before.entity_type == entity
    return same and between.fullmatch(text, before.end, start) is not None
