"""What stands between the network and our applications, as one ASGI layer."""

import asyncio
import base64
import binascii
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from presidio_mx.errors import MissingExtraError

try:
    from starlette.datastructures import Headers
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.responses import JSONResponse
except ImportError:
    raise MissingExtraError("the server", "server") from None

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# When a caller may try again that was told that the server is busy, in seconds.
RETRY_SECONDS = "2"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1", "[::1]")
_BUSY = "the server is busy; try again in a moment"
_WITH_BODY = ("POST", "PUT", "PATCH")
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
    :param token: Secret that requests must bring as ``Authorization: Bearer``, or as
        the password of a URL (``http://any:TOKEN@host``); empty for none.
    :param max_bytes: Size of a body, in bytes; of all held at a time, 16 times it.
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
    give it away. A body is read only where one is expected: not of a GET, nor on a path
    that is open to everybody.

    :param app: The application.
    :param limits: What a request may be.
    :param open_paths: Paths that need no token and are answered under load, too: up to
        twice as many requests at a time.
    """

    def __init__(
        self, app: App, limits: Limits, open_paths: frozenset[str] = frozenset()
    ) -> None:
        """Remember what to guard."""
        self.app = app
        self.limits = limits
        self.open_paths = open_paths
        self._running = 0
        self._held = 0
        self._entrance = TrustedHostMiddleware(
            self._counted, sorted(limits.hosts), www_redirect=False
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request, or pass it on."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self.app(scope, receive, send)
        else:
            await self._entrance(scope, receive, _with_headers(send))

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        open_ = scope["path"] in self.open_paths
        refusal = self._refusal(Headers(scope=scope), open_)
        if self._running >= self.limits.requests * (2 if open_ else 1):
            refusal = 503, _BUSY
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        self._running += 1
        try:
            if open_ or scope["method"] not in _WITH_BODY:
                await self.app(scope, _replay(b"", receive), send)
            else:
                await self._with_body(scope, receive, send)
        finally:
            self._running -= 1

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts: list[bytes] = []
        try:
            reading = self._read(receive, parts)
            refusal = await asyncio.wait_for(reading, self.limits.body_seconds)
            if refusal is not None:
                await _refuse(scope, receive, send, *refusal)
                return
            await self.app(scope, _replay(b"".join(parts), receive), send)
        except TimeoutError:
            said = "the request did not arrive in time"
            await _refuse(scope, receive, send, 408, said)
        finally:
            self._held -= sum(map(len, parts))

    async def _read(
        self, receive: Receive, parts: list[bytes]
    ) -> tuple[int, str] | None:
        """Read a body; return status and sentence where it is too large."""
        size = 0
        while True:
            message = await receive()
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            self._held += len(parts[-1])
            if size > self.limits.max_bytes:
                return self._too_large()
            if self._held > 16 * self.limits.max_bytes:
                return 503, _BUSY
            if not message.get("more_body", False):  # or the caller has gone
                return None

    def _too_large(self) -> tuple[int, str]:
        return 413, f"a request may have at most {self.limits.max_bytes} bytes"

    def _refusal(self, headers: Headers, open_: bool) -> tuple[int, str] | None:
        """Return status and sentence for a request that must not pass."""
        try:
            origin = urlsplit(headers.get("origin", "")).netloc
        except ValueError:
            return 400, "a header cannot be read"
        foreign = "origin" in headers and origin.lower() != headers["host"].lower()
        if foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return 403, "requests from other sites are refused"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "the header Content-Length is not a number"
        if int(length[:20]) > self.limits.max_bytes:
            return self._too_large()
        if self.limits.token and not open_:
            given = _token(headers.get("authorization", ""))
            if not hmac.compare_digest(self.limits.token.encode(), given):
                return 401, "the header 'Authorization: Bearer TOKEN' is needed"
        return None


def _token(authorization: str) -> bytes:
    """Return the token of a header; of a URL's user and password, the password."""
    scheme, _, value = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return value.encode("latin-1")
    try:
        pair = base64.b64decode(value, validate=True) if scheme == "Basic" else b""
    except binascii.Error:
        return b""
    return pair.partition(b":")[2]


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


async def _refuse(
    scope: Scope, receive: Receive, send: Send, status: int, sentence: str
) -> None:
    headers = {"connection": "close"}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if status == 503:
        headers["retry-after"] = RETRY_SECONDS
    response = JSONResponse({"error": sentence}, status, headers)
    await response(scope, receive, send)
