"""The own server's answers, with the workers' tasks run in this process."""

import json

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
from starlette.testclient import TestClient  # noqa: E402

from presidio_mx.replace.keys import Key  # noqa: E402
from presidio_mx.work.service import api  # noqa: E402
from presidio_mx.work.service.work import Outcome, Setup, note_limit  # noqa: E402

NOTE = "Paciente Jesús Mendoza Mares. Tel. 443 312 4567"
KEY = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")


class Here:
    """Stands for the workers."""

    ready = 1
    lost = False

    def __init__(self, setup, count, seconds):
        self.setup = setup

    async def run(self, task, request, *, patient=False):
        if self.lost:
            return Outcome(503, {"error": "the worker ended twice"}, "a worker ended")
        return task(self.setup, request)

    def close(self):
        pass


@pytest.fixture
def client(monkeypatch):
    """Return what makes a client of a server with a setup."""
    monkeypatch.setattr(api, "Workers", Here)
    opened = []

    def make(**options):
        app = api.create_app(Setup(ner="none", **options), workers=2)
        opened.append(TestClient(app, base_url="http://127.0.0.1"))
        return opened[-1].__enter__()

    yield make
    for each in opened:
        each.__exit__(None, None, None)


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
        assert answer.status_code == 422
        assert "Content-Type: application/json" in answer.json()["error"]


@pytest.mark.parametrize("body", [7, "Ana", [7]])
def test_what_is_no_note_is_told_what_a_note_is(client, body):
    answer = client().post("/anonymize", json=body)
    assert answer.status_code == 422
    assert "a note is an object with its text" in answer.json()["error"]
