"""The own server as clients see it: answers, errors, limits, load, a killed worker."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
from child import child_environment

import presidio_mx

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"
KEY = "7d3a9c51e8f04b62a1c5d97e3f286b04"
SAMPLES = sorted((Path(__file__).parents[1] / "samples" / "notes").glob("*.txt"))
pytestmark = pytest.mark.heavy
pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")


class Server:
    def __init__(self, *options, **environment):
        env = child_environment()
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "presidio_mx.work.cli.program",
                "serve",
                "--port",
                "0",
                *options,
            ],
            env=env | {"PRESIDIO_MX_KEY": KEY} | environment,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.log = []
        self.port = None
        self.ready = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        end = time.monotonic() + 300
        while not self.ready.wait(0.2) and time.monotonic() < end:
            if self.process.poll() is not None:
                break
        if self.port is None:
            self.stop()
            raise RuntimeError("".join(self.log))

    def _read(self):
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found and self.port is None:
                self.port = int(found[1])
                self.ready.set()

    def call(self, method, path, body=None, raw=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = raw if raw is not None else body and json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} | headers
        with contextlib.closing(connection):
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def anonymize(self, text, **more):
        return self.call("POST", "/anonymize", {"text": text, **more})

    def workers(self):
        """Return the process ids of the worker processes."""
        found = []
        for status in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                parent = f"PPid:\t{self.process.pid}\n" in status.read_text()
                command = (status.parent / "cmdline").read_bytes()
                if parent and b"spawn_main" in command:
                    found.append(int(status.parent.name))
        return sorted(found)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


@pytest.fixture(scope="module")
def server():
    server = Server("--workers", "2", "--max-bytes", "200000", "--timeout", "20")
    yield server
    server.stop()


def test_anonymize_is_what_the_api_gives(server):
    for path in SAMPLES:
        text = path.read_text(encoding="utf-8")
        done = presidio_mx.analyze_and_anonymize(text, "pseudonym", key=KEY)
        status, answer = server.anonymize(text, operators="pseudonym")
        assert status == 200
        assert answer["text"] == done.text
        assert len(answer["items"]) == len(done.items)
        assert answer["risk"] == pytest.approx(done.risk)
        assert answer["made_by"].startswith("presidio-mx ")


def test_analyze_people_and_known(server):
    text = "Dra. Ana Pérez. Paciente Luis Soto. La niña Chayito llora."
    everyone = server.call("POST", "/analyze", {"text": text})[1]
    some = server.call(
        "POST", "/analyze", {"text": text, "people": "patient_and_relatives"}
    )[1]
    assert len(some) < len(everyone)
    body = {"text": "Acude XYLO QUÉNTIN.", "known": {"patient": "Xylo Quéntin"}}
    assert server.call("POST", "/analyze", body)[1][0]["entity_type"] == "PERSON"


def test_health_profiles_and_openapi(server):
    assert server.call("GET", "/health")[1]["status"] == "up"
    assert "surrogate" in server.call("GET", "/profiles")[1]
    paths = server.call("GET", "/openapi.json")[1]["paths"]
    assert {"/anonymize", "/analyze", "/health", "/profiles"} <= set(paths)
    assert server.call("GET", "/docs")[0] == 404


@pytest.mark.parametrize("text", ["", " ", "a\x00b", "😀 Tel. 443 312 4567", "\ud800x"])
def test_odd_notes_are_answered(server, text):
    status, answer = server.anonymize(text)
    assert status == 200
    assert "443" not in answer["text"]


@pytest.mark.parametrize(
    ("raw", "status", "said"),
    [
        (b"", 400, "Invalid request json"),
        (b"{", 400, "could not understand"),
        (b"\xff\xfe", 400, ""),
        (b"[" * 100_000, 400, ""),
        (b"{}", 400, "Invalid request json"),
        (b'{"text": 7}', 422, "text"),
        (b'{"text": "x", "color": 1}', 422, "a field is unknown; there are text"),
        (b'{"text": "x", "operators": "nope"}', 422, "operators"),
        (b'{"text": "x", "operators": "/etc/passwd.yaml"}', 422, "operators"),
        (b'{"text": "x", "people": "nobody"}', 422, "people"),
        (b'{"text": "x", "scope": "galaxy"}', 422, "scope"),
        (b'{"text": "x", "known": {"shoe": "44"}}', 422, "unknown"),
        (b'{"text": "' + b"x" * 200_000 + b'"}', 413, "200000"),
    ],
)
def test_bad_input_is_4xx_and_one_sentence(server, raw, status, said):
    given, answer = server.call("POST", "/anonymize", raw=raw)
    assert given == status
    assert said in answer["error"]
    assert "\n" not in answer["error"]
    assert len(answer["error"]) < 300


def test_other_sites_are_refused(server):
    body = {"text": NOTE}
    headers = {"Origin": "http://evil.example"}
    assert server.call("POST", "/anonymize", body, **headers)[0] == 403
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    with contextlib.closing(connection):
        connection.request("GET", "/health", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 400


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds workers in /proc")
def test_load_and_a_worker_killed_in_flight(server):
    texts = [path.read_text(encoding="utf-8") * 3 for path in SAMPLES]
    wanted = [presidio_mx.analyze_and_anonymize(text).text for text in texts]
    before = server.workers()
    assert len(before) == 2
    with ThreadPoolExecutor(16) as threads:
        jobs = [
            (
                number % len(texts),
                threads.submit(server.anonymize, texts[number % len(texts)]),
            )
            for number in range(300)
        ]
        time.sleep(0.5)
        os.kill(before[0], signal.SIGKILL)
        answers = [(number, job.result()) for number, job in jobs]
    assert {status for _, (status, _) in answers} == {200}
    assert all(answer["text"] == wanted[n] for n, (_, answer) in answers)
    assert len(server.workers()) == 2
    assert server.workers() != before


def test_nothing_of_a_note_is_logged(server):
    server.call("GET", "/anonymize?text=Mendoza")
    log = "".join(server.log)
    for word in ("Mendoza", "443", "Tel", "Leodegario", "evil"):
        assert word not in log


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds workers in /proc")
def test_a_worker_that_dies_idle_is_replaced_before_anybody_asks(server):
    before = server.workers()
    os.kill(before[0], signal.SIGKILL)
    end = time.monotonic() + 60
    while len(set(server.workers()) - {before[0]}) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    after = server.workers()
    assert before[0] not in after and len(after) == 2
    assert server.anonymize(NOTE)[0] == 200  # waits for whichever is ready first
    assert server.call("GET", "/health")[1]["workers"] >= 1


GIVEN = "Ana Luis Juan Eva Rosa Noé Saúl Iván Irma Inés Raúl Lidia".split()
SURNAMES = "Ruiz Soto Ek Lara Vega Mora Luna Rey Paz Can".split()


def test_a_note_that_takes_too_long_is_ended():
    server = Server("--workers", "1", "--timeout", "0.3", "--ner", "none")
    try:
        # Short enough not to be refused at once, and more than can be done: a
        # surrogate for each of a thousand people takes more than a second.
        names = product(GIVEN, SURNAMES, SURNAMES)
        text = ", ".join(map(" ".join, names))[:29_000]
        status, answer = server.anonymize(text, operators="surrogate")
        assert status == 504
        assert "0.3 seconds" in answer["error"]
        assert server.anonymize(NOTE)[0] == 200
    finally:
        server.stop()


def test_start_and_end_say_nothing_of_frameworks():
    """What a server writes: its address, whatever the libraries would like to add."""
    server = Server("--workers", "1", "--ephemeral-key", PRESIDIO_MX_KEY="")
    server.stop()
    assert [line for line in server.log if not line.startswith("http://")] == []


def test_a_token_is_asked_for():
    token = "a-token-of-some-length"
    server = Server("--workers", "1", PRESIDIO_MX_TOKEN=token)
    try:
        assert server.call("GET", "/health")[0] == 200
        assert server.anonymize(NOTE)[0] == 401
        headers = {"Authorization": f"Bearer {token}"}
        assert server.call("POST", "/anonymize", {"text": NOTE}, **headers)[0] == 200
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "--allow-remote"),
        (["--host", "0.0.0.0", "--allow-remote"], "PRESIDIO_MX_TOKEN"),
        (["--operators", "nope"], "nope"),
        (["--operators", "surrogate"], "--ephemeral-key"),
        (["--site", "/no/such"], "/no/such"),
        (["--token-file", "/no/such"], "/no/such"),
        (["--token-file", os.devnull], "16 ASCII"),
        (["--also", "en=no_such_model"], "no_such_model is not installed"),
        (["--server-name", "*"], "--server-name"),
    ],
)
def test_wrong_options_are_one_sentence(options, said):
    env = child_environment()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "presidio_mx.work.cli.program",
            "serve",
            "--port",
            "0",
            *options,
        ],
        capture_output=True,
        text=True,
        env=env | {"PRESIDIO_MX_KEY": "" if "surrogate" in options else KEY},
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
