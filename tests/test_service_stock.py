"""Stock Presidio servers with the package installed and settings alone."""

import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from child import child_environment
from stock_servers import address

import presidio_mx
from presidio_mx.resources import folder

HERE = Path(__file__).parent
SAMPLES = sorted((HERE.parent / "samples" / "notes").glob("*.txt"))
NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"
RULES = folder("recognizers")
HOOK = {"GUNICORN_CMD_ARGS": "-c python:presidio_mx.gunicorn_conf"}
SINGLE = {"ANALYZER_CONF_FILE": str(RULES / "server/analyzer.yaml"), **HOOK}
SPLIT = {
    "ANALYZER_CONF_FILE": str(RULES / "server/analyzer-split.yaml"),
    "NLP_CONF_FILE": str(RULES / "server/nlp.yaml"),
    "RECOGNIZER_REGISTRY_CONF_FILE": str(RULES / "server/recognizers.yaml"),
}
pytestmark = pytest.mark.heavy


class Server:
    """A stock server under gunicorn, in a process that never imports presidio_mx."""

    def __init__(self, app, settings):
        env = child_environment()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-b", "127.0.0.1:0"]
            + ["--pythonpath", str(HERE), f"stock_servers:{app}()"],
            env=env | settings,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        self.log = []
        self.url = None
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.url and self.get("/health")[0] == 200:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise RuntimeError("the server did not start:\n" + "".join(self.log))

    def _read(self):
        for line in self.process.stderr:
            self.log.append(line)
            self.url = self.url or address(line)

    def get(self, path):
        return self._call(urllib.request.Request(self.url + path))

    def post(self, path, body):
        data = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        return self._call(urllib.request.Request(self.url + path, data, headers))

    def _call(self, request):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except OSError:
            return 0, None

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.reader.join(5)


@pytest.fixture(scope="module", params=["single", "split"])
def analyzer(request):
    pytest.importorskip("gunicorn")
    server = Server(
        "create_analyzer_app", SINGLE if request.param == "single" else SPLIT
    )
    yield server
    server.stop()


@pytest.fixture(scope="module")
def anonymizer():
    pytest.importorskip("gunicorn")
    server = Server("create_anonymizer_app", HOOK)
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


def test_single_file_without_the_hook_is_refused_by_new_presidio():
    pytest.importorskip("gunicorn")
    pytest.importorskip("presidio_analyzer.input_validation")
    settings = {"ANALYZER_CONF_FILE": SINGLE["ANALYZER_CONF_FILE"]}
    with pytest.raises(RuntimeError, match="MxCurpRecognizer|Invalid recognizer"):
        Server("create_analyzer_app", settings)


def test_the_environment_names_a_site(tmp_path):
    pytest.importorskip("gunicorn")
    (tmp_path / "deny.tsv").write_text("text\tentity\nEl Zopilote\tPERSON\n", "utf-8")
    server = Server("create_analyzer_app", SPLIT | {"PRESIDIO_MX_SITE": str(tmp_path)})
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
