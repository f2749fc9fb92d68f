"""Worker processes with a time limit, which are replaced when they end or hang.

Pools of the standard library and of pebble share locks among their processes: one that
is killed while it holds a lock stops all others. Each worker here has its own pipe.
"""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from presidio_mx.service.work import Outcome, Setup, warm

Task = Callable[[Setup, dict[str, Any]], Outcome]
_START_SECONDS = 120.0
_LOST = Outcome(
    503,
    {"error": "the worker ended twice while it worked on this note"},
    "a worker ended twice on one request",
)


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
        """Start the processes."""
        self._seconds = seconds
        self._queue = queue
        self._pending = 0
        self._every = [_Worker(setup) for _ in range(count)]
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._every:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(count)

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
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._work, task, request)
        finally:
            self._pending -= 1

    def _work(self, task: Task, request: dict[str, Any]) -> Outcome:
        worker = self._free.get()
        try:
            first = worker.run(task, request, self._seconds)
            return first or worker.run(task, request, self._seconds) or _LOST
        finally:
            self._free.put(worker)

    def close(self) -> None:
        """End the workers."""
        for worker in self._every:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._ended = False
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(other, self._setup), daemon=True
        )
        self._process.start()
        other.close()  # so that the pipe ends with the process
        self._ready = False

    def run(
        self, task: Task, request: dict[str, Any], seconds: float
    ) -> Outcome | None:
        """Run a request; None if the process ended under it, and a new one started."""
        try:
            if not self._ready:
                if not self._pipe.poll(_START_SECONDS):
                    raise EOFError
                self._ready = bool(self._pipe.recv())
            self._pipe.send((task, request))
            if self._pipe.poll(seconds):
                outcome: Outcome = self._pipe.recv()
                return outcome
        except (EOFError, OSError):
            self._replace()
            return None
        self._replace()
        return Outcome(504, {"error": f"the note took longer than {seconds:g} seconds"})

    def _replace(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()
        if not self._ended:
            self._start()

    def end(self) -> None:
        """End the process for good."""
        self._ended = True
        self._process.kill()


def _serve(pipe: Connection, setup: Setup) -> None:
    """Work on requests until the server ends; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's end is ours
    warm(setup)
    pipe.send(True)
    while True:
        try:
            task, request = pipe.recv()
        except EOFError:
            return
        pipe.send(task(setup, request))
