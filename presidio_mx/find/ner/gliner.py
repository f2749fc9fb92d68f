"""Presidio's GLiNER recognizer, set up for clinical notes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from presidio_mx.errors import ConfigurationError, MissingExtraError
from presidio_mx.find.ner.model_folder import file_hash, model_file, weights_file
from presidio_mx.find.ner.reader_file import READER
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.resources import folder
from presidio_mx.spanish.words import words as words_of
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span
from presidio_mx.text.tokens import Piece
from presidio_mx.yaml_file import read_yaml

SETTINGS = "models/gliner.yaml"
# A preset of its own is asked in its own way.
_OF_PRESET = "models/gliner-{}.yaml"
# Stands for labels that are asked for and not reported.
_NOT_REPORTED = "NOT_REPORTED"
# How GLiNER's own splitter cuts words, of which its limits are counted.
_WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")
_END = re.compile(r"[.!?]+[\"')\]»”]*(?=\s)")
_LAST_WORD = re.compile(r"\w+$")
_LONGEST_ABBREVIATION = 12


@dataclass(frozen=True, slots=True)
class GlinerSettings:
    """What ``recognizers/models/gliner.yaml`` says.

    :param threshold: Answers with a lower score do not count, 0 to 1.
    :param tokens: Most words and signs of a piece of text.
    :param labels: Label to entity; None where answers are not reported.
    """

    threshold: float
    tokens: int
    labels: dict[str, str | None]


def read_settings(path: Path) -> GlinerSettings:
    """Read how the model is to be asked.

    :param path: A YAML file.
    :raises ConfigurationError: If it is broken.
    """
    content = read_yaml(path, "threshold, tokens and labels")
    try:
        found = GlinerSettings(
            float(content["threshold"]), int(content["tokens"]), dict(content["labels"])
        )
    except (KeyError, TypeError, ValueError):
        raise ConfigurationError(
            f"{path}: broken; it must hold threshold, tokens and labels"
        ) from None
    if found.tokens < 1 or not any(found.labels.values()):
        raise ConfigurationError(f"{path}: tokens must be positive, and labels mapped")
    return found


def sentences(text: str) -> Iterator[Piece]:
    """Yield sentences as NLTK cuts them, which the study used: a line may go on.

    :param text: A note.
    """
    start = 0
    for match in _END.finditer(text):
        if match[0] != "." or not _is_short(text, match.start()):
            yield start, match.end()
            start = match.end()
    yield start, len(text)


def _is_short(text: str, end: int) -> bool:
    """Tell whether an initial or an abbreviation ends here."""
    found = _LAST_WORD.search(fold(text[max(0, end - _LONGEST_ABBREVIATION) : end]))
    word = found[0] if found else ""
    return (len(word) == 1 and word.isalpha()) or word in words_of("abbreviation")


def pieces(text: str, limit: int) -> list[Piece]:
    """Cut a text into pieces of so many of GLiNER's words, ended where sentences end.

    :param text: A note.
    :param limit: Most words of a piece; a longer sentence is cut.
    :return: Start and end of each piece.
    """
    found: list[Piece] = []
    count = 0
    for start, end in sentences(text):
        words = [match.span() for match in _WORD.finditer(text, start, end)]
        if not words:
            continue
        if found and count + len(words) <= limit:
            found[-1] = (found[-1][0], words[-1][1])
            count += len(words)
            continue
        for first in range(0, len(words), limit):
            part = words[first : first + limit]
            found.append((part[0][0], part[-1][1]))
            count = len(part)
    return found


class MxGlinerRecognizer(MxTaggerRecognizer):
    """Run a GLiNER model from a local folder through Presidio's own recognizer.

    The labels, the threshold and the length of pieces are those of da Silva and
    Pazin-Filho (2025), in ``recognizers/models/gliner.yaml``. Pieces end where
    sentences end.

    :param model: Folder of a model, with ``gliner_config.json`` and weights.
    :param threshold: Answers with a lower score do not count; by default the file's.
    :param settings: Another file of the same form; by default ``reader.yaml`` in the
        folder or the preset's, if there is one.
    :param kwargs: See :class:`MxTaggerRecognizer`.
    """

    KIND: ClassVar[str] = "gliner"
    SETTINGS: ClassVar[str] = SETTINGS

    def __init__(
        self,
        model: Path | str,
        supported_language: str = "es",
        supported_entities: list[str] | None = None,
        threshold: float | None = None,
        settings: Path | str | None = None,
        **kwargs: Any,
    ) -> None:
        """Load the model."""
        files = folder("recognizers")
        own = (Path(model) / READER, files / _OF_PRESET.format(kwargs.get("preset")))
        named = next((path for path in own if path.is_file()), files / self.SETTINGS)
        self._settings = read_settings(Path(settings or named))
        super().__init__(
            model,
            supported_language,
            supported_entities,
            self._settings.threshold if threshold is None else threshold,
            **kwargs,
        )

    def load(self) -> None:
        """Load the model; nothing is fetched from elsewhere."""
        if not (self.model / "gliner_config.json").is_file():
            raise ConfigurationError(
                f"{self.model}: there is no gliner_config.json; give the folder of a "
                "GLiNER model"
            )
        path = weights_file(self.model)
        try:
            import_module("gliner")
            from presidio_analyzer.chunkers import BaseTextChunker, TextChunk
            from presidio_analyzer.predefined_recognizers import GLiNERRecognizer
        except ImportError:
            raise MissingExtraError("a GLiNER model", "gliner") from None
        limit = self._settings.tokens

        class Pieces(BaseTextChunker):
            """Pieces of some sentences."""

            def chunk(self, text: str) -> list[TextChunk]:
                """Cut a text."""
                spans = pieces(text, limit)
                return [TextChunk(text[start:end], start, end) for start, end in spans]

        labels = self._settings.labels
        try:
            self._inner = GLiNERRecognizer(
                entity_mapping={
                    label: entity or _NOT_REPORTED for label, entity in labels.items()
                },
                model_name=str(self.model),
                threshold=self.threshold,
                text_chunker=Pieces(),
                supported_language=self.supported_language,
                local_files_only=True,
            )
        except Exception as error:
            # GLiNER has no error of its own for a folder that is no model.
            raise ConfigurationError(
                f"{self.model}: GLiNER cannot load it ({type(error).__name__})"
            ) from None
        self._loaded(path)

    def _loaded(self, weights: Path) -> None:
        """Say what was loaded."""
        self.model_hash = file_hash(weights)
        entities = self._settings.labels.values()
        self.entities_of_model = sorted({entity for entity in entities if entity})

    def spans(self, text: str) -> list[Span]:
        """Return what the model answers.

        :param text: A note.
        """
        found = self._inner.analyze(text, [])
        return [Span(r.start, r.end, r.entity_type, score=r.score) for r in found]


class MxGliner2Recognizer(MxGlinerRecognizer):
    """Run a GLiNER2 model from a local folder, by the package ``gliner2``.

    It is asked as ``recognizers/models/gliner2.yaml`` says.

    :param model: Folder of a model: ``config.json``, ``encoder_config``, weights.
    :param kwargs: See :class:`MxGlinerRecognizer`.
    """

    KIND: ClassVar[str] = "gliner2"
    SETTINGS: ClassVar[str] = "models/gliner2.yaml"

    def load(self) -> None:
        """Load the model; nothing is fetched from elsewhere."""
        path = weights_file(self.model)
        # Without it the package would ask the network.
        model_file(self.model, "encoder_config/config.json")
        try:
            package = import_module("gliner2")
        except ImportError:
            raise MissingExtraError("a GLiNER2 model", "gliner2") from None
        try:
            self._model = package.AutoExtractor.from_pretrained(str(self.model))
        except Exception as error:
            # It has no error of its own for a folder that is no model.
            raise ConfigurationError(
                f"{self.model}: GLiNER2 cannot load it ({type(error).__name__})"
            ) from None
        self._loaded(path)

    def spans(self, text: str) -> list[Span]:
        """Return what the model answers.

        :param text: A note.
        """
        labels, found = self._settings.labels, []
        for start, end in pieces(text, self._settings.tokens):
            answers = self._model.extract_entities(
                text[start:end],
                list(labels),
                threshold=self.threshold,
                include_confidence=True,
                include_spans=True,
            )["entities"]
            for label, values in answers.items():
                for one in values if labels.get(label) else ():
                    first, last = start + one["start"], start + one["end"]
                    entity = str(labels[label])
                    found.append(Span(first, last, entity, score=one["confidence"]))
        return sorted(found, key=lambda span: (span.start, span.end))
