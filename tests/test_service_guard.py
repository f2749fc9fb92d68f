"""What the guard lets through, and what it refuses, over plain ASGI."""

import asyncio
import base64
import json

import pytest

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.service.guard import Guard, Limits
from presidio_mx.work.service.listen import is_loopback, open_socket, read_token

TOKEN = "0123456789abcdef"
HOST = ("host", "127.0.0.1:8765")


def basic(pair):
    return "Basic " + base64.b64encode(pair.encode()).decode()


async def echo(scope, receive, send):
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


LIMITS = Limits()


def call(
    limits=LIMITS,
    headers=(HOST,),
    path="/x",
    parts=(b"{}",),
    app=echo,
    method="POST",
    read=None,
):
    """Send a request through a guard; return status, headers and body."""
    sent = []
    left = list(parts)

    async def receive():
        if not left:
            await asyncio.sleep(3600)
        body = left.pop(0)
        if read is not None:
            read.append(body)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(k.encode(), v.encode()) for k, v in headers],
    }
    asyncio.run(Guard(app, limits, frozenset({"/health"}))(scope, receive, send))
    start = dict(sent[0]["headers"])
    return sent[0]["status"], start, b"".join(m.get("body", b"") for m in sent[1:])


def test_a_plain_request_passes_with_its_body():
    status, headers, body = call(parts=(b'{"a"', b": 1}"))
    assert (status, body) == (200, b'{"a": 1}')
    policy = headers[b"content-security-policy"].decode()
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert headers[b"cache-control"] == b"no-store"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([("host", "localhost:1")], 200),
        ([("host", "[::1]:8765")], 200),
        ([("host", "LOCALHOST")], 200),
        ([("host", "evil.example")], 400),
        ([("host", "127.0.0.1.evil.example")], 400),
        ([("host", "[::1")], 400),
        ([], 400),
        ([HOST, ("origin", "http://127.0.0.1:8765")], 200),
        ([HOST, ("origin", "http://127.0.0.1:9999")], 403),
        ([HOST, ("origin", "http://evil.example")], 403),
        ([HOST, ("origin", "null")], 403),
        ([HOST, ("sec-fetch-site", "same-origin")], 200),
        ([HOST, ("sec-fetch-site", "none")], 200),
        ([HOST, ("sec-fetch-site", "cross-site")], 403),
        ([HOST, ("content-length", "2000000")], 413),
        ([HOST, ("content-length", "many")], 400),
        ([HOST, ("content-length", "9" * 6000)], 413),
        ([HOST, ("origin", "http://[::1")], 400),
    ],
)
def test_headers(headers, status):
    given, _, body = call(headers=headers)
    assert given == status
    if status != 200 and body != b"Invalid host header":
        assert json.loads(body)["error"]


@pytest.mark.parametrize(
    ("value", "path", "status"),
    [
        (None, "/x", 401),
        (f"Bearer {TOKEN}", "/x", 200),
        (f"Bearer {TOKEN}x", "/x", 401),
        (TOKEN, "/x", 401),
        # What a client sends that knows an address alone: http://any:TOKEN@host
        (basic(f"any:{TOKEN}"), "/x", 200),
        (basic(f":{TOKEN}"), "/x", 200),
        (basic(f"{TOKEN}:"), "/x", 401),
        (basic(TOKEN), "/x", 401),
        ("Basic %%%", "/x", 401),
        ("Basic ", "/x", 401),
        (None, "/health", 200),
    ],
)
def test_token(value, path, status):
    headers = [HOST] + ([("authorization", value)] if value else [])
    assert call(Limits(token=TOKEN), headers, path)[0] == status


def test_a_body_without_a_length_is_counted():
    assert call(Limits(max_bytes=5), parts=(b"123", b"45"))[0] == 200
    assert call(Limits(max_bytes=5), parts=(b"123", b"456"))[0] == 413


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/health"), ("POST", "/health"), ("GET", "/x"), ("DELETE", "/x")],
)
def test_no_body_is_read_where_none_is_expected(method, path):
    read = []
    status, _, body = call(method=method, path=path, parts=[b"x" * 99] * 9, read=read)
    assert (status, body, read) == (200, b"", [])


def test_bodies_held_at_a_time_are_limited():
    """Sixteen whole bodies; what comes on top is told to come again."""
    limits = Limits(max_bytes=10, body_seconds=0.5)
    answers = []

    async def run():
        guard = Guard(echo, limits)

        async def one(size):
            left, sent = [b"x" * size], []

            async def receive():
                if not left:
                    await asyncio.sleep(3600)
                return {"type": "http.request", "body": left.pop(), "more_body": True}

            async def send(message):
                sent.append(message)

            scope = {"type": "http", "method": "POST", "path": "/x"}
            scope["headers"] = [(HOST[0].encode(), HOST[1].encode())]
            await guard(scope, receive, send)
            answers.append(sent[0]["status"])

        await asyncio.gather(*(one(10) for _ in range(20)))
        assert guard._held == 0 and guard._running == 0

    asyncio.run(run())
    assert sorted(answers) == [408] * 16 + [503] * 4


def test_a_body_that_never_ends_is_given_up():
    assert call(Limits(body_seconds=0.05), parts=())[0] == 408


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.4", False),
        ("hospital.example", False),
    ],
)
def test_loopback(host, own):
    assert is_loopback(host) is own
    if not own:
        with pytest.raises(ConfigurationError, match="--allow-remote"):
            open_socket(host, 0, remote=False, token=TOKEN)
        with pytest.raises(ConfigurationError, match="PRESIDIO_MX_TOKEN"):
            open_socket(host, 0, remote=True, token="")


def test_other_addresses_are_bound_when_all_is_said():
    open_socket("0.0.0.0", 0, remote=True, token=TOKEN).close()


def test_a_taken_port_is_one_sentence():
    taken = open_socket("127.0.0.1", 0, remote=False, token="")
    taken.listen()
    with pytest.raises(ConfigurationError, match="cannot listen"):
        open_socket("127.0.0.1", taken.getsockname()[1], remote=False, token="")
    taken.close()


def test_tokens_are_long_enough(tmp_path, monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_TOKEN", "short")
    with pytest.raises(ConfigurationError, match="16"):
        read_token()
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    assert read_token(file) == TOKEN
    file.write_text(TOKEN, "utf-8-sig")  # as Windows saves it
    assert read_token(file) == TOKEN
    for empty in ("", " \n"):
        file.write_text(empty)
        with pytest.raises(ConfigurationError, match="16 ASCII"):
            read_token(file)
    monkeypatch.setenv("PRESIDIO_MX_TOKEN", "")
    assert read_token() == ""
    with pytest.raises(ConfigurationError, match="nothing-here"):
        read_token(tmp_path / "nothing-here")


def test_every_request_counts_and_open_paths_have_room_left():
    """Of three requests at a time two are answered; of health as many again."""
    answers = []

    async def slow(scope, receive, send):
        await release.wait()
        await echo(scope, receive, send)

    async def one(guard, path="/x"):
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message):
            sent.append(message)

        headers = [(HOST[0].encode(), HOST[1].encode())]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        await guard(scope, receive, send)
        answers.append((sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]))

    async def all_at_once():
        nonlocal release
        release = asyncio.Event()
        guard = Guard(slow, Limits(requests=2), frozenset({"/health"}))
        paths = ["/x", "/x", "/x", "/health", "/health", "/health"]
        tasks = [asyncio.create_task(one(guard, path)) for path in paths]
        for _ in range(5):
            await asyncio.sleep(0)
        assert [status for status, _, _ in answers] == [503, 503]
        release.set()
        await asyncio.gather(*tasks)
        await one(guard)

    release = None
    asyncio.run(all_at_once())
    assert [status for status, _, _ in answers] == [503, 503] + [200] * 5
    _, headers, body = answers[0]
    assert headers[b"retry-after"].isdigit()
    assert headers[b"content-type"] == b"application/json"
    assert "busy" in json.loads(body)["error"]
