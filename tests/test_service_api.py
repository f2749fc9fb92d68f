"""The own server's answers, with the workers' tasks run in this process."""

import json
import logging
import warnings

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
from service_client import Here, clients  # noqa: E402

from presidio_mx.replace.keys import Key  # noqa: E402
from presidio_mx.work.service.guard import Limits  # noqa: E402
from presidio_mx.work.service.pool import be_silent  # noqa: E402
from presidio_mx.work.service.work import MOST_KNOWN, note_limit  # noqa: E402

NOTE = "Paciente Jesús Mendoza Mares. Tel. 443 312 4567"
KEY = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")


@pytest.fixture
def client(monkeypatch):
    with clients(monkeypatch) as make:
        yield make


@pytest.mark.parametrize(
    "body",
    [
        NOTE.encode() + b"\xe9",
        '{"text": "José"}'.encode("latin-1"),
        b"[" * 100_000,
        b'{"text": ' + b"9" * 5000 + b"}",
    ],
    ids=["bytes", "latin-1", "brackets", "digits"],
)
def test_a_body_that_no_parser_takes(client, body):
    headers = {"content-type": "application/json"}
    answer = client().post("/anonymize", content=body, headers=headers)
    assert answer.status_code == 400
    assert "could not understand" in answer.json()["error"]  # as Presidio says it
    answer = client().post("/analyze", content=body, headers=headers)
    assert answer.status_code == 400
    assert "not valid JSON" in answer.json()["error"]


def test_a_list_is_answered_line_by_line_in_order(client):
    notes = [{"text": NOTE}, {"text": "x" * 300}, {"text": NOTE, "scope": "galaxy"}]
    notes += [{"text": f"Tel. 443 312 45{n}7"} for n in range(5)]
    answer = client(note_bytes=200).post("/anonymize", json=notes)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["index"] for line in lines] == list(range(8))
    assert lines[0]["text"] == "Paciente {NOMBRE}. Tel. {TEL}"
    assert len(lines[0]["items"]) == 2
    assert (lines[1]["status"], lines[2]["status"]) == (413, 422)
    assert "200 bytes" in lines[1]["error"]
    assert {line["text"] for line in lines[3:]} == {"Tel. {TEL}"}


def test_an_empty_list_has_no_lines(client):
    answer = client().post("/anonymize", json=[])
    assert (answer.status_code, answer.text) == (200, "")


def test_a_wrong_note_of_a_list_is_named(client):
    answer = client().post("/anonymize", json=[{"text": NOTE}, {"texto": NOTE}])
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("1.text: ")
    assert "Mendoza" not in answer.text


def test_a_note_that_cannot_be_done_in_time_is_refused_at_once(client):
    one = client(note_bytes=200)
    for path in ("/anonymize", "/analyze"):
        answer = one.post(path, json={"text": "á" * 101})
        assert answer.status_code == 413
        assert "200 bytes" in answer.json()["error"]
    assert note_limit("none", 30) > note_limit("auto", 30) > note_limit("auto", 1)


def test_503_is_json_and_says_when_to_come_again(client, monkeypatch):
    one = client()
    monkeypatch.setattr(Here, "lost", True)
    monkeypatch.setattr(Here, "ready", 0)
    answer = one.post("/anonymize", json={"text": NOTE})
    assert (answer.status_code, answer.json()["error"]) == (
        503,
        "the worker ended twice",
    )
    assert answer.headers["retry-after"].isdigit()
    health = one.get("/health")
    assert (health.status_code, health.json()["status"]) == (503, "starting")
    assert health.headers["retry-after"].isdigit()


def test_profiles_that_need_a_key_are_refused_without_one(client):
    one = client()
    for profile in ("surrogate", "pseudonym", "encrypt", "research"):
        answer = one.post("/anonymize", json={"text": NOTE, "operators": profile})
        assert answer.status_code == 422
        assert "--ephemeral-key" in answer.json()["error"]
    assert one.post("/anonymize", json={"text": NOTE}).status_code == 200
    keyed = client(key=KEY)
    body = {"text": NOTE, "operators": "encrypt"}
    assert keyed.post("/anonymize", json=body).status_code == 200


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded"]
)
def test_a_body_that_is_not_sent_as_json_is_told_the_way_out(client, kind):
    headers = {"content-type": kind} if kind else {}
    data = json.dumps({"text": NOTE}).encode()
    for path in ("/anonymize", "/analyze"):
        answer = client().post(path, content=data, headers=headers)
        assert answer.status_code == 415
        assert "Content-Type: application/json" in answer.json()["error"]


@pytest.mark.parametrize("body", [7, "Ana", [7]])
def test_what_is_no_note_is_told_what_a_note_is(client, body):
    answer = client().post("/anonymize", json=body)
    assert answer.status_code == 422
    assert "a note is an object with its text" in answer.json()["error"]


SECRET = "Wenceslao Zurita"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/anonymize", {"text": NOTE, SECRET: 1}),
        ("/anonymize", {"text": NOTE, "known": {SECRET: "x"}}),
        ("/anonymize", {"text": NOTE, "known": {"patient": {SECRET: "x"}}}),
        ("/anonymize", {"text": NOTE, "scope": SECRET}),
        ("/anonymize", {"text": NOTE, "operators": SECRET}),
        ("/anonymize", {"text": NOTE, "people": SECRET}),
        ("/anonymize", [{"text": NOTE}, {"text": NOTE, SECRET: 1}]),
        ("/anonymize", {SECRET: SECRET}),
        ("/analyze", {"text": NOTE, SECRET: 1}),
        ("/analyze", {"text": NOTE, "language": SECRET}),
        ("/analyze", {"text": [{SECRET: SECRET}], "language": "es"}),
        ("/analyze", {"text": NOTE, "language": "es", "entities": {SECRET: 1}}),
        ("/analyze", {"text": NOTE, "language": "es", "allow_list_match": SECRET}),
        ("/analyze", {"text": NOTE, "language": "es", "ad_hoc_recognizers": [SECRET]}),
        (
            "/analyze",
            {"text": NOTE, "language": "es", "ad_hoc_recognizers": [{SECRET: 1}]},
        ),
        (
            "/analyze",
            {
                "text": NOTE,
                "language": "es",
                "ad_hoc_recognizers": [
                    {
                        "name": SECRET,
                        "supported_entity": SECRET,
                        "supported_language": "es",
                        "patterns": [{SECRET: 1}],
                    }
                ],
            },
        ),
        (
            "/anonymize",
            {"text": NOTE, "analyzer_results": [{SECRET: 1}], "anonymizers": {}},
        ),
        (
            "/anonymize",
            {
                "text": NOTE,
                "analyzer_results": [
                    {"start": 9, "end": 14, "score": 1, "entity_type": SECRET}
                ],
                "anonymizers": {SECRET: {"type": SECRET}},
            },
        ),
        (
            "/anonymize",
            {
                "text": NOTE,
                "analyzer_results": [
                    {"start": 9, "end": 14, "score": 1, "entity_type": SECRET}
                ],
                "anonymizers": {SECRET: {"type": "mask", "masking_char": SECRET}},
            },
        ),
        (
            "/anonymize",
            {
                "text": NOTE,
                "analyzer_results": [
                    {"start": 9, "end": 14, "score": 1, "entity_type": SECRET}
                ],
                "anonymizers": {"DEFAULT": {"type": "tag", SECRET: SECRET}},
            },
        ),
        (
            "/deanonymize",
            {
                "text": SECRET,
                "anonymizer_results": [{SECRET: 1}],
                "deanonymizers": {SECRET: {"type": SECRET}},
            },
        ),
    ],
)
def test_no_error_quotes_a_key_or_a_value(client, path, body):
    answer = client().post(path, json=body)
    assert answer.status_code >= 400
    assert answer.json()["error"]
    for word in (*SECRET.split(), "Mendoza", "443"):
        assert word not in answer.text


def test_known_values_are_few_enough_to_be_searched_for(client):
    for names in (["Ana Soto"] * (MOST_KNOWN + 1), ["Ana " * MOST_KNOWN]):
        body = {"text": NOTE, "known": {"relatives": names}}
        for path in ("/anonymize", "/analyze"):
            answer = client().post(path, json=body)
            assert answer.status_code == 422
            assert "known: at most" in answer.json()["error"]
    body = {"text": NOTE, "known": {"relatives": ["Ana Soto"] * 30}}
    answer = client(note_bytes=1000).post("/analyze", json=body)
    assert answer.status_code == 413  # each is searched for in the whole note
    assert "32 bytes with so much known" in answer.json()["error"]


def test_no_library_of_a_worker_writes_to_a_log(caplog):
    before = logging.root.manager.disable
    try:
        with warnings.catch_warnings():
            be_silent()
            logging.getLogger("presidio-analyzer").error("a pattern")
            warnings.warn("a pattern", stacklevel=1)
        assert caplog.records == []
    finally:
        logging.disable(before)


def test_the_page_is_open_and_what_it_sends_is_not(client):
    limits = Limits(token="0123456789abcdef")
    one = client(page=True, limits=limits)
    page = one.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name in ("try.js", "try.css"):
        assert f'"{name}"' in page.text
        assert one.get(f"/{name}").status_code == 200
    assert one.post("/try", json={"text": NOTE}).status_code == 401
    assert client().get("/").status_code == 404


@pytest.mark.parametrize("operators", ["tag", "surrogate"])
def test_the_page_is_told_what_why_and_how_sure(client, operators, tmp_path):
    one = client(page=True, key=KEY, vault=tmp_path / "vault")
    body = {"text": NOTE, "operators": operators}
    answer = one.post("/try", json=body).json()
    first = answer["marks"][0]
    assert NOTE[first["start"] : first["end"]] == "Jesús Mendoza Mares"
    assert (first["tag"], first["role"]) == ("NOMBRE", "patient")
    assert 0.5 < first["score"] <= 1 and first["why"]
    assert 0 <= answer["risk"] <= 1
    item = answer["items"][0]
    new = answer["text"][item["start"] : item["end"]]
    assert (new == "{NOMBRE}") == (operators == "tag")
    assert "Mendoza" not in answer["text"]
    assert list(tmp_path.iterdir()) == []  # nothing is stored


def test_the_page_has_surrogates_without_a_key(client):
    body = {"text": NOTE, "operators": "surrogate"}
    first, second = (client(page=True).post("/try", json=body) for _ in range(2))
    assert first.status_code == 200
    assert first.json()["text"] == second.json()["text"]  # one key a process
    assert client(page=True).post("/try", json=body | {"x": 1}).status_code == 422
