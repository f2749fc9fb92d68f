"""Stock Presidio servers with the package installed and settings alone."""

from pathlib import Path

import pytest
from served import Server

import presidio_mx
from presidio_mx.work.service.presidio_config import Wanted, write_config

HERE = Path(__file__).parent
SAMPLES = sorted((HERE.parent / "samples" / "notes").glob("*.txt"))
NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"
HOOK = {"GUNICORN_CMD_ARGS": "-c python:presidio_mx.gunicorn_conf"}
ANALYZER = "stock_servers:create_analyzer_app()"
pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """Settings for rules alone, by the way that names the files."""
    conf = tmp_path_factory.mktemp("conf")
    write_config(conf, Wanted(ner="none"))
    return {
        "single": {"ANALYZER_CONF_FILE": str(conf / "analyzer.yaml"), **HOOK},
        "split": {
            "ANALYZER_CONF_FILE": str(conf / "analyzer-split.yaml"),
            "NLP_CONF_FILE": str(conf / "nlp.yaml"),
            "RECOGNIZER_REGISTRY_CONF_FILE": str(conf / "recognizers.yaml"),
        },
    }


@pytest.fixture(scope="module", params=["single", "split"])
def analyzer(request, settings):
    pytest.importorskip("gunicorn")
    server = Server(ANALYZER, settings[request.param])
    yield server
    server.stop()


@pytest.fixture(scope="module")
def anonymizer():
    pytest.importorskip("gunicorn")
    server = Server("stock_servers:create_anonymizer_app()", HOOK)
    yield server
    server.stop()


def spans(results):
    if results and isinstance(results[0], dict):
        return sorted((r["start"], r["end"], r["entity_type"]) for r in results)
    return sorted((r.start, r.end, r.entity_type) for r in results)


def test_notes_have_the_same_spans_as_in_python(analyzer):
    texts = [path.read_text(encoding="utf-8") for path in SAMPLES]
    status, answers = analyzer.post("/analyze", {"text": texts, "language": "es"})
    assert status == 200
    assert [spans(a) for a in answers] == [spans(presidio_mx.analyze(t)) for t in texts]


def test_our_recognizers_are_listed_and_no_other(analyzer):
    status, names = analyzer.get("/recognizers?language=es")
    assert status == 200
    assert names
    assert all(name.startswith("Mx") for name in names)
    _, entities = analyzer.get("/supportedentities?language=es")
    assert {"PERSON", "PHONE_NUMBER", "LOCATION"} <= set(entities)


def test_entities_threshold_allow_list_and_decision_process(analyzer):
    base = {"text": NOTE, "language": "es"}
    _, phones = analyzer.post("/analyze", {**base, "entities": ["PHONE_NUMBER"]})
    assert spans(phones) == [(56, 68, "PHONE_NUMBER")]
    _, none = analyzer.post("/analyze", {**base, "score_threshold": 1.01})
    assert none == []
    _, allowed = analyzer.post("/analyze", {**base, "allow_list": ["443 312 4567"]})
    assert {r["entity_type"] for r in allowed} == {"PERSON"}
    _, why = analyzer.post("/analyze", {**base, "return_decision_process": True})
    assert all(r["analysis_explanation"]["recognizer"].startswith("Mx") for r in why)


def test_ad_hoc_recognizer_and_context(analyzer):
    ad_hoc = {
        "name": "Brigada",
        "supported_language": "es",
        "supported_entity": "BRIGADA",
        "patterns": [{"name": "b", "regex": r"\bBR-\d{3}\b", "score": 0.2}],
        "context": ["brigada"],
    }
    text = "Jesús Mendoza Mares, de la brigada BR-123."
    body = {"text": text, "language": "es", "ad_hoc_recognizers": [ad_hoc]}
    _, found = analyzer.post("/analyze", body)
    brigade = [r for r in found if r["entity_type"] == "BRIGADA"]
    assert spans(brigade) == [(35, 41, "BRIGADA")]
    assert brigade[0]["score"] > 0.2


def test_single_file_without_the_hook_is_refused_by_new_presidio(settings):
    pytest.importorskip("gunicorn")
    pytest.importorskip("presidio_analyzer.input_validation")
    alone = {**settings["single"], "GUNICORN_CMD_ARGS": ""}
    with pytest.raises(RuntimeError, match="MxCurpRecognizer|Invalid recognizer"):
        Server(ANALYZER, alone)


def test_the_environment_names_a_site(tmp_path, settings):
    pytest.importorskip("gunicorn")
    (tmp_path / "deny.tsv").write_text("text\tentity\nEl Zopilote\tPERSON\n", "utf-8")
    server = Server(ANALYZER, settings["split"] | {"PRESIDIO_MX_SITE": str(tmp_path)})
    try:
        body = {"text": "Lo trae El Zopilote.", "language": "es"}
        assert (8, 19, "PERSON") in spans(server.post("/analyze", body)[1])
    finally:
        server.stop()


def test_anonymizer_lists_and_runs_our_operators(anonymizer):
    status, names = anonymizer.get("/anonymizers")
    assert status == 200
    assert {"tag", "pseudonym", "surrogate", "generalize", "replace"} <= set(names)
    body = {
        "text": NOTE,
        "analyzer_results": [
            {"start": 20, "end": 39, "score": 1.0, "entity_type": "PERSON"},
            {"start": 56, "end": 68, "score": 1.0, "entity_type": "PHONE_NUMBER"},
        ],
        "anonymizers": {
            "PERSON": {"type": "surrogate", "key": "7d3a9c51e8f04b62a1c5d97e3f286b04"},
            "DEFAULT": {"type": "tag"},
        },
    }
    status, first = anonymizer.post("/anonymize", body)
    assert status == 200
    assert first["text"].endswith("Tel. {TEL}")
    assert "Mendoza" not in first["text"]
    assert anonymizer.post("/anonymize", body)[1]["text"] == first["text"]


@pytest.mark.parametrize(
    "operator",
    [
        {"type": "tag", "style": "roman"},
        {"type": "tag", "colour": "red"},
        {"type": "pseudonym", "digits": 99},
        {"type": "generalize", "to": "galaxy"},
        {"type": "surrogate", "key": "short"},
        {"type": "surrogate", "scope": 7},
    ],
)
def test_wrong_parameters_are_422_with_a_sentence(anonymizer, operator):
    body = {
        "text": NOTE,
        "analyzer_results": [
            {"start": 20, "end": 39, "score": 1.0, "entity_type": "PERSON"}
        ],
        "anonymizers": {"DEFAULT": operator},
    }
    status, answer = anonymizer.post("/anonymize", body)
    assert status == 422
    assert operator["type"] in answer["error"]
    assert "Mendoza" not in answer["error"]
