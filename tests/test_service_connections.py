"""Connections that send nothing end, and keep nobody out."""

import asyncio
import contextlib

import pytest

pytest.importorskip("uvicorn")
from uvicorn import Config  # noqa: E402
from uvicorn.server import ServerState  # noqa: E402

from presidio_mx.work.service.connections import Connection  # noqa: E402

REQUEST = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


async def hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def serve(use, **settings):
    """Serve in this process; run ``use`` with what opens a connection."""
    kind = type("Quick", (Connection,), settings)

    async def run():
        config, state = Config(hello, log_level="error"), ServerState()
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: kind(config, state, {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        opened = []

        async def connect():
            opened.append(await asyncio.open_connection("127.0.0.1", port))
            return opened[-1]

        try:
            return await asyncio.wait_for(use(connect, state), 60)
        finally:
            for _, writer in opened:
                writer.close()
            server.close()

    return asyncio.run(run())


@pytest.mark.parametrize("sent", [b"", REQUEST[:9], REQUEST + REQUEST[:9]])
def test_a_connection_without_a_whole_head_is_closed(sent):
    async def use(connect, state):
        reader, writer = await connect()
        writer.write(sent)
        answer = await reader.read()  # ends with the connection
        assert answer.count(b" 200 ") == (len(sent) > len(REQUEST))

    serve(use, header_seconds=0.05)


def test_bytes_that_trickle_in_buy_no_time():
    async def use(connect, state):
        reader, writer = await connect()
        answer = b""
        with contextlib.suppress(ConnectionError):  # it was closed under the writing
            for byte in REQUEST:
                writer.write(bytes([byte]))
                await asyncio.sleep(0.01)
            answer = await reader.read()
        assert answer == b""

    serve(use, header_seconds=0.04)


def test_whoever_asks_is_answered_among_many_who_do_not():
    """Of more connections than there is room for, the longest idle makes room."""

    async def use(connect, state):
        idle = []
        for _ in range(12):
            idle.append(await connect())
            idle[-1][1].write(REQUEST[:9])
        reader, writer = await connect()
        writer.write(REQUEST)
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        assert await idle[0][0].read() == b""  # the first was closed
        assert len(state.connections) <= 8

    serve(use, most=8, header_seconds=60.0)
