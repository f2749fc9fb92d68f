"""The same spans from our API, a stock engine, and one built from the shipped YAML."""

from pathlib import Path

import pytest
import yaml
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpEngineProvider

from presidio_mx import (
    analyze,
    build_analyzer,
    engine_from_config,
    register_recognizers,
)
from presidio_mx.find import recognizer as recognizer_module
from presidio_mx.resources import folder
from presidio_mx.work.service.presidio_config import Wanted, write_config

SAMPLES = sorted((Path(__file__).parents[1] / "samples" / "notes").glob("*.txt"))
NLP = {
    "nlp_engine_name": "spacy",
    "models": [{"lang_code": "es", "model_name": "presidio_mx"}],
}


def spans(results):
    return sorted((r.start, r.end, r.entity_type, r.score) for r in results)


@pytest.fixture(scope="module")
def stock():
    nlp = NlpEngineProvider(nlp_configuration=NLP).create_engine()
    registry = RecognizerRegistry(supported_languages=["es"])
    register_recognizers(registry)
    return AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=["es"])


@pytest.fixture(scope="module")
def provided(tmp_path_factory):
    conf = tmp_path_factory.mktemp("conf")
    write_config(conf, Wanted(ner="none"))
    return engine_from_config(conf / "analyzer.yaml")


def test_there_are_samples():
    assert len(SAMPLES) >= 12


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_way_gives_the_same_spans(path, stock, provided):
    text = path.read_text(encoding="utf-8")
    wanted = spans(analyze(text))
    assert bool(wanted) == (path.stem != "05_sin_identificadores")
    assert spans(build_analyzer().analyze(text, language="es")) == wanted
    assert spans(stock.analyze(text, language="es")) == wanted
    assert spans(provided.analyze(text, language="es")) == wanted


def test_shipped_configuration_names_every_recognizer():
    data = yaml.safe_load(
        (folder("recognizers") / "server/analyzer.yaml").read_text("utf-8")
    )
    entries = data["recognizer_registry"]["recognizers"]
    named = {entry["name"] for entry in entries if entry.get("enabled", True)}
    ours = {r.name for r in build_analyzer(ner="none").registry.recognizers}
    assert named == ours | {"MxTransformerRecognizer"}


@pytest.mark.parametrize(
    ("name", "text", "entity", "found"),
    [
        ("MxPhoneRecognizer", "Tel. 443 312 4567", "PHONE_NUMBER", "443 312 4567"),
        ("MxLocationRecognizer", "originaria de Zacapu", "LOCATION", "Zacapu"),
        ("MxPersonRecognizer", "lo trae su hija Yatziri", "PERSON", "Yatziri"),
        (
            "MxAddressRecognizer",
            "vive en calle Ignacio Allende 212, col. Obrera",
            "ADDRESS",
            "calle Ignacio Allende 212, col. Obrera",
        ),
    ],
)
def test_a_recognizer_can_be_registered_alone(name, text, entity, found):
    recognizer = getattr(recognizer_module, name)()
    registry = RecognizerRegistry(supported_languages=["es"])
    registry.add_recognizer(recognizer)
    nlp = NlpEngineProvider(nlp_configuration=NLP).create_engine()
    engine = AnalyzerEngine(
        registry=registry, nlp_engine=nlp, supported_languages=["es"]
    )
    for results in (
        recognizer.analyze(text, []),
        engine.analyze(text, language="es"),
        engine.analyze(text, language="es", entities=[entity]),
    ):
        spans = [(r.entity_type, text[r.start : r.end]) for r in results]
        assert spans == [(entity, found)]
