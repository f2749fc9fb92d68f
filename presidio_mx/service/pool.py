"""Worker processes with a time limit, which are replaced when they end or hang."""

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import TimeoutError as WorkerTimeout
from typing import Any

from presidio_mx.errors import MissingExtraError
from presidio_mx.service.work import Outcome, Setup, warm

Task = Callable[..., Outcome]


class Workers:
    """Run requests in processes of their own.

    A process that is killed in flight costs its request one more try; one that takes
    too long is ended.

    :param setup: How the workers work.
    :param count: Number of processes.
    :param seconds: Time limit of one note, in seconds.
    :param queue: Requests that may wait or run at a time.
    """

    def __init__(
        self, setup: Setup, count: int = 2, seconds: float = 30.0, queue: int = 64
    ) -> None:
        """Prepare the pool; processes start with the first request."""
        try:
            from pebble import ProcessPool
        except ImportError:
            raise MissingExtraError("the server", "server") from None
        self._setup = setup
        self._seconds = seconds
        self._queue = queue
        self._pending = 0
        self._pool: Any = ProcessPool(
            max_workers=count,
            initializer=warm,
            initargs=(setup,),
            context=multiprocessing.get_context("spawn"),
        )

    async def run(self, task: Task, request: dict[str, Any]) -> Outcome:
        """Run a request in a worker.

        :param task: A function of :mod:`presidio_mx.service.work`.
        :param request: Fields of the request.
        :return: What became of it.
        """
        if self._pending >= self._queue:
            return Outcome(503, {"error": "the server is busy; try again in a moment"})
        self._pending += 1
        try:
            outcome = await self._try(task, request)
            return outcome or await self._try(task, request) or _LOST
        finally:
            self._pending -= 1

    async def _try(self, task: Task, request: dict[str, Any]) -> Outcome | None:
        """Run a request once; None if the worker ended under it."""
        from pebble import ProcessExpired

        future = self._pool.schedule(
            task, args=(self._setup, request), timeout=self._seconds
        )
        try:
            done: Outcome = await asyncio.wrap_future(future)
            return done
        except WorkerTimeout:
            sentence = f"the note took longer than {self._seconds:g} seconds"
            return Outcome(504, {"error": sentence})
        except ProcessExpired:
            return None

    def close(self) -> None:
        """End the workers."""
        self._pool.stop()
        self._pool.join(timeout=5)


_LOST = Outcome(
    503,
    {"error": "the worker ended twice while it worked on this note"},
    "a worker ended twice on one request",
)
