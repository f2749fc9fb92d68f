"""What stands between the network and our applications, as one ASGI layer."""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# When a caller may try again that was told that the server is busy, in seconds.
RETRY_SECONDS = "2"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    # Everything a page needs comes from this server; nothing may be added to it.
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'; object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may be.

    :param hosts: Names by which this server may be called, in lower case.
    :param token: Secret that requests must bring as ``Authorization: Bearer``; empty
        for none.
    :param max_bytes: Size of a body, in bytes.
    :param body_seconds: Time in which the body must have arrived, in seconds.
    :param requests: How many may be received or answered at a time.
    """

    hosts: frozenset[str] = frozenset(LOOPBACK_NAMES)
    token: str = ""
    max_bytes: int = 1_048_576
    body_seconds: float = 30.0
    requests: int = 128


class Guard:
    """Refuse requests of other hosts, origins and sizes, and those without the token.

    A page on another site can make a browser call a local server, directly or under a
    name that it has pointed at 127.0.0.1; the headers Host, Origin and Sec-Fetch-Site
    give it away.

    :param app: The application.
    :param limits: What a request may be.
    :param open_paths: Paths that need no token.
    """

    def __init__(
        self, app: App, limits: Limits, open_paths: frozenset[str] = frozenset()
    ) -> None:
        """Remember what to guard."""
        self.app = app
        self.limits = limits
        self.open_paths = open_paths
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request, or pass it on."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]
        }
        send = _with_headers(send)
        refusal = self._refusal(scope["path"], headers)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        if scope["path"] in self.open_paths:
            await self._pass_on(scope, receive, send)
            return
        if self._running >= self.limits.requests:
            await _refuse(send, 503, "the server is busy; try again in a moment")
            return
        self._running += 1
        try:
            await self._pass_on(scope, receive, send)
        finally:
            self._running -= 1

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(self._body(receive), self.limits.body_seconds)
        except TimeoutError:
            await _refuse(send, 408, "the request did not arrive in time")
            return
        if body is None:
            size = self.limits.max_bytes
            await _refuse(send, 413, f"a request may have at most {size} bytes")
            return
        await self.app(scope, _replay(body, receive), send)

    def _refusal(self, path: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return status and sentence for a request that must not pass."""
        host = headers.get("host", "")
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
            origin = urlsplit(headers.get("origin", "")).netloc
        except ValueError:
            return 400, "a header cannot be read"
        if name not in self.limits.hosts:
            return 403, "this server is not known under that host name"
        foreign = "origin" in headers and origin.lower() != host.lower()
        if foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return 403, "requests from other sites are refused"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "the header Content-Length is not a number"
        if int(length) > self.limits.max_bytes:
            size = self.limits.max_bytes
            return 413, f"a request may have at most {size} bytes"
        if self.limits.token and path not in self.open_paths:
            wanted = f"Bearer {self.limits.token}".encode()
            given = headers.get("authorization", "").encode("latin-1")
            if not hmac.compare_digest(wanted, given):
                return 401, "the header 'Authorization: Bearer TOKEN' is needed"
        return None

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the whole body, or None if it is too large."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b"".join(parts)
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.limits.max_bytes:
                return None
            if not message.get("more_body", False):
                return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive that gives the body first."""
    held = [body]

    async def again() -> Message:
        if held:
            return {"type": "http.request", "body": held.pop(), "more_body": False}
        return await receive()

    return again


def _with_headers(send: Send) -> Send:
    """Return a send that adds the security headers to every response."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return sending


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == 503:
        headers.append((b"retry-after", RETRY_SECONDS.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
