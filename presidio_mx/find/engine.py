"""Build Presidio analyzers with the suite's recognizers, or add them to others."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.context import SelectiveContextEnhancer
from presidio_mx.find.decide import BALANCED
from presidio_mx.find.ner.choose import ADBDC, NONE, PUBLISHED, ner_recognizers
from presidio_mx.find.nlp import LANGUAGE, MxNlpEngine
from presidio_mx.find.recognizer import recognizer_classes

Ner = str
Sensitivity = str | float


def mx_recognizers(
    preset: str = "mx",
    site: Path | str | None = None,
    language: str = LANGUAGE,
    sensitivity: Sensitivity = BALANCED,
) -> list[EntityRecognizer]:
    """Return new instances of all recognizers of a preset.

    :param preset: ``mx`` for Mexican notes, ``es-ES`` for notes of Spain, or a
        published system (``ADBDC``, ``ADAP``, ``hc-ribeirao``).
    :param site: Folder with a site's own lists and rules.
    :param language: Language code to register them for.
    :param sensitivity: As :func:`build_analyzer` takes it.
    :return: One recognizer per rule file, or ADBDC; none for a system that is a model.
    :raises ConfigurationError: If the preset is unknown or a file is broken.
    """
    if preset in PUBLISHED:
        if site is not None:
            raise ConfigurationError(f"the preset {preset} takes no site folder")
        if preset != ADBDC:
            return []
        # A published system, which stands above the analyzer.
        module = import_module("presidio_mx.research.systems.adbdc")
        return [module.MxAdbdcRecognizer(supported_language=language)]
    folder = None if site is None else str(site)
    return [
        recognizer(
            supported_language=language,
            preset=preset,
            site=folder,
            sensitivity=sensitivity,
        )
        for recognizer in recognizer_classes(preset)
    ]


def register_recognizers(
    target: AnalyzerEngine | RecognizerRegistry,
    preset: str = "mx",
    site: Path | str | None = None,
    language: str = LANGUAGE,
    ner: Ner = NONE,
    sensitivity: Sensitivity = BALANCED,
) -> None:
    """Add the recognizers of a preset to an engine or registry of one's own.

    :param target: A Presidio engine or registry; what it has stays.
    :param preset: Name of the preset.
    :param site: Folder with a site's own lists and rules.
    :param language: Language code to register them for.
    :param ner: Model to add, as :func:`build_analyzer` takes it; none by default.
    :param sensitivity: As :func:`build_analyzer` takes it.
    :raises ConfigurationError: If the preset is unknown or a file is broken.
    """
    registry = target.registry if isinstance(target, AnalyzerEngine) else target
    rules = mx_recognizers(preset, site, language, sensitivity)
    models = ner_recognizers(ner, preset, language, sensitivity)
    for recognizer in [*models, *rules]:
        registry.add_recognizer(recognizer)


def build_analyzer(
    preset: str = "mx",
    ner: Ner = "auto",
    *,
    site: Path | str | None = None,
    recognizers: Sequence[EntityRecognizer] = (),
    sensitivity: Sensitivity = BALANCED,
) -> AnalyzerEngine:
    """Build an analyzer that needs no download and no network.

    :param preset: ``mx`` for Mexican notes, ``es-ES`` for notes of Spain, or a
        published system (``ADBDC``, ``ADAP``, ``hc-ribeirao``).
    :param ner: ``none`` for rules alone; ``transformer`` for the shipped model beside
        them; ``auto`` for the model where its extra is installed; or a model's path.
    :param site: Folder with a site's own lists and rules.
    :param recognizers: Further recognizers for language ``es``.
    :param sensitivity: From which probability on spans are marked: ``high`` for the
        fewest misses, ``balanced``, ``exact``, or the probability itself, below 1.
    :return: A Presidio engine; ``engine.analyze(text, language="es")``.
    :raises ConfigurationError: If an argument is unknown or a file is broken.
    """
    own: list[Any] = list(recognizers) if isinstance(recognizers, Iterable) else [None]
    if not all(isinstance(recognizer, EntityRecognizer) for recognizer in own):
        raise ConfigurationError(
            "recognizers takes a list of recognizers, e.g. recognizers=[mine]"
        )
    # A preset or site that is wrong is told before the model is asked.
    rules = mx_recognizers(preset, site, LANGUAGE, sensitivity)
    models = ner_recognizers(ner, preset, LANGUAGE, sensitivity)
    engine = MxNlpEngine()
    engine.load()
    registry = RecognizerRegistry(
        recognizers=[*models, *rules, *own],
        supported_languages=[LANGUAGE],
    )
    return AnalyzerEngine(
        registry=registry,
        nlp_engine=engine,
        supported_languages=[LANGUAGE],
        context_aware_enhancer=SelectiveContextEnhancer(),
    )
