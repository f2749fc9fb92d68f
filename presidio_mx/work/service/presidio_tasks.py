"""What a worker does with requests of Presidio's own protocol; nothing is kept."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from presidio_analyzer import AnalyzerEngine, AnalyzerRequest, RecognizerResult
from presidio_analyzer.nlp_engine import NlpEngineProvider
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider
from presidio_anonymizer import AnonymizerEngine, DeanonymizeEngine
from presidio_anonymizer.entities import (
    InvalidParamError,
    OperatorConfig,
    PIIEntity,
)
from presidio_anonymizer.services.app_entities_convertor import AppEntitiesConvertor
from spacy.util import is_package

from presidio_mx.errors import ConfigurationError, PresidioMxError
from presidio_mx.find.known import Known
from presidio_mx.find.nlp import LANGUAGE
from presidio_mx.find.site import site_folder, site_stamp
from presidio_mx.pipeline import is_staff, shared_analyzer
from presidio_mx.presidio_compat import REGEX_FLAGS
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.operators import OPERATORS, register_operators
from presidio_mx.work.service.presidio_config import (
    presidio_default,
    stock_entries,
)
from presidio_mx.work.service.work import (
    NEEDS_KEY,
    Outcome,
    Request,
    Setup,
    failed,
)

_OURS = {operator.name for operator in OPERATORS}
_KEYED = ("surrogate", "pseudonym")
_UNKNOWN = "No matching recognizers were found to serve the request."
# Words of the protocol: a sentence may quote them, and nothing else of a request.
_WORDS = frozenset(
    "recognizers text language entities entity_type start end score type key name "
    "patterns regex context analyzer_results anonymizers deanonymizers "
    "anonymizer_results deny_list supported_language supported_entity new_value "
    "masking_char chars_to_mask from_end hash_type salt".split()
).union(*({operator.name, *operator.parameters} for operator in OPERATORS))


def do_analyze(setup: Setup, request: Request) -> Outcome:
    """Find entities as Presidio's analyzer does.

    :param setup: How the worker works.
    :param request: Presidio's fields, and ``people`` and ``known``.
    :return: Results in Presidio's form.
    """
    try:
        asked = AnalyzerRequest(deepcopy(dict(request)))
        results = _found(setup, asked, request)
    except TypeError as error:
        said = "Failed to parse /analyze request for AnalyzerEngine.analyze()."
        return _refused(400, f"{said} {error}", request)
    except PresidioMxError as error:
        return _refused(422, setup.public(str(error)), request)
    except Exception as error:  # Presidio raises what its parts happen to raise
        return _refused(500, str(error), request)
    return Outcome(200, [_row(result) for result in results])


def _found(
    setup: Setup, asked: AnalyzerRequest, request: Request
) -> list[RecognizerResult]:
    text, language = str(asked.text), str(asked.language)
    engine = _engine(setup, language)
    # A language is refused before a recognizer of the request is looked at.
    engine.get_supported_entities(language)
    artifacts = engine.nlp_engine.process_text(text, language)
    known = request.get("known")
    own = (
        Known.of(known).recognizers(LANGUAGE, setup.preset, site_folder(setup.site))
        if known and language == LANGUAGE
        else []
    )
    for recognizer in own:
        recognizer.analyze(text, [], artifacts)
    results = engine.analyze(
        text,
        language,
        entities=asked.entities,
        score_threshold=asked.score_threshold,
        return_decision_process=asked.return_decision_process,
        ad_hoc_recognizers=[*own, *asked.ad_hoc_recognizers],
        context=asked.context,
        allow_list=asked.allow_list,
        allow_list_match=asked.allow_list_match,
        regex_flags=asked.regex_flags,
        nlp_artifacts=artifacts,
    )
    if request.get("people") == "patient_and_relatives":
        results = [result for result in results if not is_staff(result)]
    return list(results)


def _row(result: RecognizerResult) -> dict[str, Any]:
    explanation = result.analysis_explanation
    return {
        "analysis_explanation": explanation and explanation.to_dict(),
        "end": result.end,
        "entity_type": result.entity_type,
        "score": result.score,
        "start": result.start,
    }


def do_list(setup: Setup, request: Request) -> Outcome:
    """List recognizers or entities.

    :param setup: How the worker works.
    :param request: ``what`` (``recognizers`` or ``entities``) and ``language``.
    """
    asked = request.get("language")
    try:
        names: list[str] = []
        for language in [asked] if asked else [LANGUAGE, *dict(setup.also)]:
            engine = _engine(setup, language)
            if request["what"] == "entities":
                names += engine.get_supported_entities(language)
            else:
                there = engine.get_recognizers(language)
                names += [str(recognizer.to_dict()["name"]) for recognizer in there]
    except ValueError as error:
        return _refused(500, str(error), request)
    return Outcome(200, list(dict.fromkeys(names)))


def do_anonymize(setup: Setup, request: Request) -> Outcome:
    """Replace results that the caller brings, as Presidio's anonymizer does.

    Our operators are planned for the whole text, so that surrogates agree.

    :param setup: How the worker works.
    :param request: ``text``, ``analyzer_results``, ``anonymizers``.
    """
    text = request["text"]
    given = deepcopy(dict(request))  # Presidio takes keys out of what it reads
    try:
        operators = AppEntitiesConvertor.operators_config_from_json(
            given["anonymizers"]
        )
        if AppEntitiesConvertor.check_custom_operator(operators):
            return Outcome(400, {"error": "Custom type anonymizer is not supported"})
        results = AppEntitiesConvertor.analyzer_results_from_json(
            given["analyzer_results"]
        )
        _check_kinds(results, operators)
        if not any(each.operator_name in _OURS for each in operators.values()):
            done = _stock().anonymize(text, results, operators)
            return Outcome(200, json.loads(done.to_json()))
        for config in operators.values():
            keyed = config.operator_name in _KEYED and "key" not in config.params
            if keyed and setup.key is None:
                said = NEEDS_KEY.format(config.operator_name)
                return Outcome(422, {"error": f"anonymizers: {said}"})
        operators.setdefault("DEFAULT", OperatorConfig("replace"))
        ours = anonymize(text, results, operators, key=setup.key)
    except InvalidParamError as error:
        return _refused(422, error.err_msg, request)
    except PresidioMxError as error:
        return _refused(422, setup.public(str(error)), request)
    except Exception as error:  # one request must not end the worker
        return failed(setup, error)
    items = [
        {
            "start": item.new_start,
            "end": item.new_end,
            "entity_type": item.entity_type,
            "text": ours.text[item.new_start : item.new_end],
            "operator": item.operator,
            "score": item.score,
        }
        for item in reversed(ours.items)  # as Presidio's: the last one first
    ]
    return Outcome(200, {"text": ours.text, "items": items})


def do_deanonymize(setup: Setup, request: Request) -> Outcome:
    """Put encrypted values back, as Presidio's anonymizer does.

    :param setup: How the worker works.
    :param request: ``text``, ``anonymizer_results``, ``deanonymizers``.
    """
    given = deepcopy(dict(request))
    try:
        results = AppEntitiesConvertor.deanonymize_entities_from_json(given)
        operators = AppEntitiesConvertor.operators_config_from_json(
            given["deanonymizers"]
        )
        _check_kinds(results, operators)
        if "DEFAULT" not in operators and any(
            each.entity_type not in operators for each in results
        ):
            said = "deanonymizers: a result has none; give one as DEFAULT"
            return Outcome(422, {"error": said})
        done = _restorer().deanonymize(request["text"], results, operators)
    except InvalidParamError as error:
        return _refused(422, error.err_msg, request)
    except ValueError:
        said = "deanonymizers: the text is not what this key encrypted"
        return Outcome(422, {"error": said})
    except Exception as error:  # one request must not end the worker
        return failed(setup, error)
    return Outcome(200, json.loads(done.to_json()))


def _check_kinds(
    results: Sequence[PIIEntity], operators: Mapping[str, OperatorConfig]
) -> None:
    """Refuse values of a kind that Presidio finds out about too late.

    :param results: Results as a request brings them.
    :param operators: Operators by entity.
    :raises InvalidParamError: If one is of the wrong kind.
    """
    places = [value for each in results for value in (each.start, each.end)]
    scores = [getattr(each, "score", None) or 0 for each in results]
    names = [each.entity_type for each in results]
    names += [each.operator_name for each in operators.values()]
    if not (
        all(isinstance(place, int) for place in places)
        and all(isinstance(score, int | float) for score in scores)
        and all(isinstance(name, str) for name in names)
    ):
        raise InvalidParamError(
            "a value is of the wrong kind: start and end are whole numbers, score is a "
            "number, entity_type and type are text"
        )


def do_operators(setup: Setup, request: Request) -> Outcome:
    """List operators.

    :param setup: How the worker works.
    :param request: ``what``: ``anonymizers`` or ``deanonymizers``.
    """
    if request["what"] == "anonymizers":
        return Outcome(200, list(_stock().get_anonymizers()))
    return Outcome(200, list(_restorer().get_deanonymizers()))


@cache
def _stock() -> AnonymizerEngine:
    return register_operators(AnonymizerEngine())  # type: ignore[no-untyped-call]


@cache
def _restorer() -> DeanonymizeEngine:
    return DeanonymizeEngine()  # type: ignore[no-untyped-call]


def _engine(setup: Setup, language: str) -> AnalyzerEngine:
    """Return ours for Spanish, and Presidio's own for the other languages."""
    if language != LANGUAGE:
        return others(setup.also)
    folder = site_folder(setup.site)
    return shared_analyzer(
        setup.preset, setup.ner, folder, site_stamp(folder), setup.sensitivity
    )


@cache
def others(also: tuple[tuple[str, str], ...]) -> AnalyzerEngine:
    """Return an engine with Presidio's own recognizers, once a process.

    :param also: Language and spaCy model of each language but Spanish.
    :raises ValueError: If there is none, in Presidio's words.
    :raises ConfigurationError: If a model is not there; Presidio would fetch it.
    """
    if not also:
        raise ValueError(_UNKNOWN)
    for language, model in also:
        if not is_package(model) and not Path(model).is_dir():
            raise ConfigurationError(
                f"--also {language}: the spaCy model {model} is not installed; install "
                "it, or name another: --also LANGUAGE=MODEL"
            )
    languages = [language for language, _ in also]
    models = [{"lang_code": code, "model_name": model} for code, model in also]
    default = presidio_default("default.yaml")
    nlp = NlpEngineProvider(
        nlp_configuration={**default, "nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    registry = RecognizerRegistryProvider(
        registry_configuration={
            "supported_languages": languages,
            "global_regex_flags": REGEX_FLAGS,
            "recognizers": stock_entries(languages),
        },
        nlp_engine=nlp,
    ).create_recognizer_registry()
    return AnalyzerEngine(
        registry=registry, nlp_engine=nlp, supported_languages=languages
    )


def _refused(status: int, sentence: str, request: Request) -> Outcome:
    return Outcome(status, {"error": without_values(sentence, request)})


def without_values(sentence: str, request: Request) -> str:
    """Return a sentence without anything that stood in a request.

    Presidio's sentences quote keys and values, and a key may be a name.

    :param sentence: What went wrong.
    :param request: The request.
    """
    for value in sorted(set(_scalars([*request.values()])), key=len, reverse=True):
        for written in {value, repr(value)[1:-1]}:
            if written in sentence and value not in _WORDS:
                sentence = re.sub(rf"(?<!\w){re.escape(written)}(?!\w)", "…", sentence)
    return sentence


def _scalars(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield str(key)
            yield from _scalars(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _scalars(value)
    elif data not in (None, "", True, False):
        yield str(data)
