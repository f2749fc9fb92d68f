"""Run an analyzer over notes, and make the analyzers to compare."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, cast

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.text.spans import Note, Span

STOCK = "stock"
LANGUAGE = "es"


class Engine(Protocol):
    """What is needed of Presidio's ``AnalyzerEngine``."""

    def analyze(self, text: str, language: str) -> list[Any]:
        """Return recognizer results."""


def predict(engine: Engine, notes: Iterable[Note]) -> Iterator[Note]:
    """Mark notes as an analyzer does.

    :param engine: A Presidio analyzer for Spanish.
    :param notes: The notes; their spans are not looked at.
    :return: The same notes with predicted spans.
    """
    for note in notes:
        results = engine.analyze(note.text, language=LANGUAGE) if note.text else []
        yield note.with_spans(tuple(_span(result) for result in results))


def _span(result: Any) -> Span:
    metadata = result.recognition_metadata or {}
    return Span(
        result.start,
        result.end,
        result.entity_type,
        metadata.get("role") or None,
        float(result.score),
        metadata.get("recognizer_name") or None,
    )


def run_engine(
    notes: Iterable[Note],
    preset: str,
    ner: str,
    spacy_model: str = "",
    sensitivity: str | float = BALANCED,
) -> list[Note]:
    """Mark notes by the analyzer of a preset.

    :param notes: The notes; their spans are not looked at.
    :param preset: As :func:`build_engine` takes it, as are the others.
    :param ner: Which model.
    :param spacy_model: Model of the stock analyzer.
    :param sensitivity: From which probability on spans are marked.
    :return: The same notes with predicted spans.
    """
    return list(predict(build_engine(preset, ner, spacy_model, sensitivity), notes))


def build_engine(
    preset: str,
    ner: str = "none",
    spacy_model: str = "",
    sensitivity: str | float = BALANCED,
) -> Engine:
    """Return the analyzer of a preset, or Presidio as it comes.

    :param preset: A preset of presidio-mx, or ``stock``.
    :param ner: ``none``, ``auto``, ``transformer`` or the path of a model.
    :param spacy_model: For ``stock``: an installed spaCy package or a folder.
    :param sensitivity: From which probability on spans are marked; not for ``stock``.
    :return: The analyzer.
    :raises ConfigurationError: If it cannot be built.
    """
    if preset == STOCK:
        if sensitivity != BALANCED:
            raise ConfigurationError("the stock preset takes no --sensitivity")
        return _stock(spacy_model)
    from presidio_mx import build_analyzer

    made = build_analyzer(preset=preset, ner=cast(Any, ner), sensitivity=sensitivity)
    return cast(Engine, made)


def model_engine(preset: str, ner: str) -> Engine:
    """Return an analyzer that holds a model and no rules.

    :param preset: Preset that the model would stand beside.
    :param ner: ``transformer`` or the path of a model.
    :return: The analyzer.
    :raises ConfigurationError: If it cannot be built.
    """
    from presidio_mx.find.ner.choose import ner_recognizers

    return alone(ner_recognizers(ner, preset))


def alone(recognizers: list[Any]) -> Engine:
    """Return an analyzer of some recognizers and nothing else.

    :param recognizers: Presidio recognizers for Spanish.
    :return: The analyzer.
    """
    from presidio_analyzer import RecognizerRegistry

    from presidio_mx.find.nlp import MxNlpEngine

    nlp = MxNlpEngine()
    nlp.load()
    registry = RecognizerRegistry(
        recognizers=recognizers, supported_languages=[LANGUAGE]
    )
    return _analyzer(registry, nlp)


def _analyzer(registry: Any, nlp: Any) -> Engine:
    from presidio_analyzer import AnalyzerEngine

    made = AnalyzerEngine(
        registry=registry, nlp_engine=nlp, supported_languages=[LANGUAGE]
    )
    return cast(Engine, made)


def _stock(model: str) -> Engine:
    import spacy
    from presidio_analyzer import RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    # Presidio would download a model that it does not find.
    if not model or not (spacy.util.is_package(model) or Path(model).is_dir()):
        raise ConfigurationError(
            "the stock preset needs --spacy-model with an installed spaCy package "
            "or the folder of a model"
        )
    models = [{"lang_code": LANGUAGE, "model_name": model}]
    nlp = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    registry = RecognizerRegistry(supported_languages=[LANGUAGE])
    registry.load_predefined_recognizers(languages=[LANGUAGE], nlp_engine=nlp)
    return _analyzer(registry, nlp)


def tagged_text(note: Note) -> str:
    """Return the text with every span replaced by its type in angle brackets.

    Spans that overlap are replaced together, by the type of the first.

    :param note: A note with predicted spans.
    :return: The text.
    """
    pieces: list[str] = []
    position = 0
    for span in note.spans:
        if span.start >= position:
            pieces += [note.text[position : span.start], f"<{span.entity_type}>"]
        position = max(position, span.end)
    return "".join(pieces) + note.text[position:]
