"""Connections of our servers: whoever sends nothing does not keep others out."""

import asyncio

from presidio_mx.errors import MissingExtraError

try:
    from uvicorn.protocols.http.h11_impl import H11Protocol
except ImportError:
    raise MissingExtraError("the server", "server") from None

HEADER_SECONDS = 10.0
CONNECTIONS = 512


class Connection(H11Protocol):
    """A connection on which the head of a request must arrive in time.

    Bytes that trickle in buy no more time. Where there are too many connections, the
    one that has waited longest without a request makes room.
    """

    header_seconds = HEADER_SECONDS
    most = CONNECTIONS
    _deadline: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no request is being received or answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request.

        :param transport: The connection's transport.
        """
        super().connection_made(transport)
        self._begin_to_wait()
        if len(self.connections) > self.most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take what arrived.

        :param data: The bytes.
        """
        super().data_received(data)
        if not self.waits:
            self._stop_waiting()
        elif self._deadline is None:
            self._begin_to_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection.

        :param exc: Why it ended.
        """
        self._stop_waiting()
        super().connection_lost(exc)

    def _begin_to_wait(self) -> None:
        self._deadline = self.loop.call_later(self.header_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.waits and not self.transport.is_closing():
            self.transport.close()

    def _make_room(self) -> None:
        idle = [
            (other._deadline.when(), other)
            for other in self.connections
            if isinstance(other, Connection) and other is not self and other._deadline
        ]
        if idle:
            min(idle, key=lambda each: each[0])[1].transport.close()
