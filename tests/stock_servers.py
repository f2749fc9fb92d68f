"""Small stand-ins for Presidio's two REST servers, over its public engine providers.

Presidio's own applications are not on PyPI. These answer the same paths with the same
fields and status codes, and read the same environment variables. Nothing of presidio_mx
is imported here: what it brings must come by configuration alone.
"""

import json
import os
import re
from http import HTTPStatus
from urllib.parse import parse_qs

from presidio_analyzer import (
    AnalyzerEngineProvider,
    AnalyzerRequest,
    BatchAnalyzerEngine,
)
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import InvalidParamError
from presidio_anonymizer.services.app_entities_convertor import AppEntitiesConvertor


def _wsgi(routes):
    """Make a WSGI application of a mapping of (method, path) to function."""

    def application(environ, start_response):
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(length)
        query = {k: v[0] for k, v in parse_qs(environ.get("QUERY_STRING", "")).items()}
        route = routes.get((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        if route is None:
            status, answer = 404, json.dumps({"error": "not found"})
        else:
            status, answer = route(query, json.loads(body) if body else None)
        start_response(
            f"{status} {HTTPStatus(status).phrase}",
            [("Content-Type", "application/json")],
        )
        return [answer.encode()]

    return application


def create_analyzer_app():
    engine = AnalyzerEngineProvider(
        analyzer_engine_conf_file=os.environ.get("ANALYZER_CONF_FILE") or None,
        nlp_engine_conf_file=os.environ.get("NLP_CONF_FILE") or None,
        recognizer_registry_conf_file=os.environ.get("RECOGNIZER_REGISTRY_CONF_FILE")
        or None,
    ).create_engine()
    batch = BatchAnalyzerEngine(engine)

    def analyze(_, body):
        try:
            asked = AnalyzerRequest(body)
            texts = asked.text if isinstance(asked.text, list) else [asked.text]
            engine.get_supported_entities(asked.language)
            found = list(
                batch.analyze_iterator(
                    texts=texts,
                    language=asked.language,
                    correlation_id=asked.correlation_id,
                    score_threshold=asked.score_threshold,
                    entities=asked.entities,
                    return_decision_process=asked.return_decision_process,
                    ad_hoc_recognizers=asked.ad_hoc_recognizers,
                    context=asked.context,
                    allow_list=asked.allow_list,
                    allow_list_match=asked.allow_list_match,
                    regex_flags=asked.regex_flags,
                )
            )
        except Exception as error:
            return 500, json.dumps({"error": str(error)})
        for results in found:
            for result in results:
                del result.recognition_metadata
        answer = found if isinstance(asked.text, list) else found[0]
        return 200, json.dumps(answer, default=lambda o: o.to_dict())

    def names(query, _):
        recognizers = engine.get_recognizers(query.get("language"))
        return 200, json.dumps([recognizer.name for recognizer in recognizers])

    def entities(query, _):
        return 200, json.dumps(engine.get_supported_entities(query.get("language")))

    return _wsgi(
        {
            ("GET", "/health"): lambda *_: (200, '"up"'),
            ("POST", "/analyze"): analyze,
            ("GET", "/recognizers"): names,
            ("GET", "/supportedentities"): entities,
        }
    )


def create_anonymizer_app():
    engine = AnonymizerEngine()

    def anonymize(_, body):
        try:
            operators = AppEntitiesConvertor.operators_config_from_json(
                body.get("anonymizers")
            )
            if AppEntitiesConvertor.check_custom_operator(operators):
                return 400, json.dumps({"error": "Custom type anonymizer"})
            results = AppEntitiesConvertor.analyzer_results_from_json(
                body.get("analyzer_results")
            )
            done = engine.anonymize(body.get("text", ""), results, operators)
        except InvalidParamError as error:
            return 422, json.dumps({"error": error.err_msg})
        except Exception:
            return 500, json.dumps({"error": "Internal server error"})
        return 200, done.to_json()

    return _wsgi(
        {
            ("GET", "/health"): lambda *_: (200, '"up"'),
            ("POST", "/anonymize"): anonymize,
            ("GET", "/anonymizers"): lambda *_: (
                200,
                json.dumps(engine.get_anonymizers()),
            ),
        }
    )


def address(line):
    """Return the address that gunicorn says it listens at."""
    found = re.search(r"Listening at: (http://\S+)", line)
    return found[1] if found else None
