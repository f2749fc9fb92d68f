"""Where a server of ours may listen, and how it runs there."""

import contextlib
import ipaddress
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, MissingExtraError

TOKEN_VARIABLE = "PRESIDIO_MX_TOKEN"
TOKEN_LENGTH = 16
CONNECTIONS = 512
"""How many may be open or answered at a time; one more is told 503."""


def read_token(file: Path | None = None) -> str:
    """Return the token that callers must bring.

    :param file: File with the token; else the environment's ``PRESIDIO_MX_TOKEN``.
    :return: The token, or nothing.
    :raises ConfigurationError: If the file cannot be read or the token is too short.
    """
    try:
        token = (
            os.environ.get(TOKEN_VARIABLE, "")
            if file is None
            else file.read_text("utf-8-sig")
        )
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{file}: the token cannot be read") from None
    token = token.strip()
    asked = bool(token) or file is not None
    if asked and (len(token) < TOKEN_LENGTH or not token.isascii()):
        where = "" if file is None else f"{file}: "
        raise ConfigurationError(
            f"{where}a token needs at least {TOKEN_LENGTH} ASCII characters; make one "
            "with: presidio-mx key new FILE"
        )
    return token


def is_loopback(host: str) -> bool:
    """Tell whether an address is this machine's own and no other can reach it.

    :param host: Address or ``localhost``.
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def open_socket(host: str, port: int, *, remote: bool, token: str) -> socket.socket:
    """Bind a socket, if that is allowed.

    :param host: Address to listen at.
    :param port: Port, 0 for a free one.
    :param remote: Whether the user said that other machines may connect.
    :param token: The token that callers must bring.
    :return: A bound socket.
    :raises ConfigurationError: If the address is not this machine's own and a token or
        the user's word is missing, or if it cannot be bound.
    """
    if not is_loopback(host):
        if not remote:
            raise ConfigurationError(
                f"--host {host} would let other machines connect; add --allow-remote "
                "if that is meant, and put a proxy with TLS before it"
            )
        if not token:
            raise ConfigurationError(
                f"--host {host} needs a token: set {TOKEN_VARIABLE} or --token-file"
            )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise ConfigurationError(
            f"cannot listen at {host} port {port}: {error.strerror or error}"
        ) from None
    return sock


def address(sock: socket.socket) -> str:
    """Return the URL of a bound socket."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: Any, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve an application until it is interrupted.

    :param app: An ASGI application.
    :param sock: A bound socket.
    :param ready: Called when requests are answered.
    :raises MissingExtraError: If uvicorn is not installed.
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingExtraError("the server", "server") from None

    class Server(uvicorn.Server):
        """A server that tells when it answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    # No access log: paths and sizes of notes are nobody's business.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=5,
        limit_concurrency=CONNECTIONS,
        http="h11",
        ws="none",
    )
    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run(sockets=[sock])
