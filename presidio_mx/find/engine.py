"""Build Presidio analyzers with the suite's recognizers, or add them to others."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from presidio_analyzer import (
    AnalyzerEngine,
    EntityRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.ner.choose import (
    ADBDC,
    NONE,
    PUBLISHED,
    Ner,
    ner_recognizers,
)
from presidio_mx.find.nlp import LANGUAGE, MxNlpEngine
from presidio_mx.find.recognizer import recognizer_classes
from presidio_mx.find.results import foreign_findings, left_of_foreign
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.find.session import session_of

_ENHANCED = RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY


class SelectiveContextEnhancer(LemmaContextAwareEnhancer):
    """The stock lemma enhancer, spared the results that carry their own context.

    It copies every result deeply and needs the lemmas of the note, which is most of
    the time an analysis by rules takes. Results of the suite's recognizers have their
    context in their rules and pass by; all others go through the stock enhancer, unless
    they lost an overlap against the suite's.
    """

    def enhance_using_context(
        self,
        text: str,
        raw_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        recognizers: list[EntityRecognizer],
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Raise the scores of results that stand near words of their context.

        :param text: The note.
        :param raw_results: Results of all recognizers.
        :param nlp_artifacts: Tokens and lemmas.
        :param recognizers: The recognizers that ran.
        :param context: Context words of this call.
        :return: The results, scores raised where context supports them.
        """
        settled: list[RecognizerResult] = []
        others: list[RecognizerResult] = []
        for result in raw_results:
            done = (result.recognition_metadata or {}).get(_ENHANCED)
            (settled if done else others).append(result)
        others = without_losers(text, others, nlp_artifacts)
        if not others:
            return settled
        enhanced = super().enhance_using_context(
            text, others, nlp_artifacts, recognizers, context
        )
        return settled + list(enhanced)


def without_losers(
    text: str, others: list[RecognizerResult], nlp_artifacts: NlpArtifacts
) -> list[RecognizerResult]:
    """Drop what lost an overlap against the suite's recognizers, where these ran.

    :param text: The note.
    :param others: Results of recognizers that are not the suite's.
    :param nlp_artifacts: Artifacts of the call.
    :return: What prevailed, with the offsets that were decided on.
    """
    if not others:
        return others
    session = session_of(text, nlp_artifacts)
    foreign = foreign_findings(others)
    for preset, least in session.questions():
        others = left_of_foreign(others, session.decided(preset, least, foreign))
    return others


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
        them; ``auto`` for the model where its extra is installed; a model's path; or
        a list of several.
    :param site: Folder with a site's own lists and rules.
    :param recognizers: Further recognizers for language ``es``.
    :param sensitivity: From which probability on spans are marked: ``high`` for the
        fewest misses, ``balanced``, ``exact``, or the probability itself, below 1;
        ``balanced,PERSON=high`` where some entities have their own.
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
