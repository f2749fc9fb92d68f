"""Worker processes with a time limit, which are replaced when they end or hang.

Pools of the standard library and of pebble share locks among their processes: one that
is killed while it holds a lock stops all others. Each worker here has its own pipe.
"""

import asyncio
import logging
import multiprocessing
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from presidio_mx.processes import keep_for_good, thread_limit
from presidio_mx.work.service.work import Outcome, Setup, warm

Task = Callable[[Setup, dict[str, Any]], Outcome]
_START_SECONDS = 120.0
_WATCH_SECONDS = 0.1
_LONGEST_PAUSE = 30.0
# Requests that may wait or run at a time.
_MOST_REQUESTS = 64
_BUSY = Outcome(503, {"error": "the server is busy; try again in a moment"})
_NONE_READY = Outcome(
    503,
    {"error": "no worker is ready; try again in a moment"},
    "no worker became ready in time",
)
_LOST = Outcome(
    503,
    {"error": "the worker ended twice while it worked on this note"},
    "a worker ended twice on one request",
)


class Workers:
    """Run requests in processes of their own.

    A process that ends is noticed at once and replaced, whether it was at work or not;
    its request goes to another one. One that takes too long is ended.

    :param setup: How the workers work.
    :param count: Number of processes.
    :param seconds: Time limit of one note, in seconds.
    """

    def __init__(self, setup: Setup, count: int = 2, seconds: float = 30.0) -> None:
        """Start the processes."""
        self._seconds = seconds
        self._pending = 0
        self._limit = thread_limit(count)
        self._limit.__enter__()  # a worker may have to be started anew at any time
        self._starting = [_Worker(setup) for _ in range(count)]
        self._free: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._threads = ThreadPoolExecutor(count)
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def ready(self) -> int:
        """Number of workers that are at work or wait for some."""
        with self._changed:
            return len(self._free) + len(self._busy)

    async def run(
        self, task: Task, request: dict[str, Any], *, patient: bool = False
    ) -> Outcome:
        """Run a request in a worker.

        :param task: A function of :mod:`presidio_mx.work.service.work`.
        :param request: Fields of the request.
        :param patient: Whether it waits however many others do.
        :return: What became of it.
        """
        if self._pending >= _MOST_REQUESTS and not patient:
            return _BUSY
        self._pending += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._work, task, request)
        finally:
            self._pending -= 1

    def _work(self, task: Task, request: dict[str, Any]) -> Outcome:
        for _ in range(2):
            with self._changed:
                if not self._changed.wait_for(lambda: self._free, _START_SECONDS):
                    return _NONE_READY
                worker = self._free.pop(0)
                self._busy.add(worker)
            outcome = worker.run(task, request, self._seconds)
            with self._changed:
                self._busy.discard(worker)
                self._give_back(worker)
            if outcome is not None:
                return outcome
        return _LOST

    def _give_back(self, worker: "_Worker") -> None:
        if worker.lives:
            self._free.append(worker)
        elif not self._closed.is_set():
            worker.start()
            self._starting.append(worker)
        self._changed.notify_all()

    def _watch(self) -> None:
        """Replace workers that ended while nobody waited for them."""
        while not self._closed.wait(_WATCH_SECONDS):
            with self._changed:
                if self._closed.is_set():
                    return
                for worker in [w for w in self._free if not w.lives]:
                    self._free.remove(worker)
                    worker.start()
                    self._starting.append(worker)
                for worker in list(self._starting):
                    if worker.is_ready():
                        self._starting.remove(worker)
                        self._free.append(worker)
                        self._changed.notify_all()

    def close(self) -> None:
        """End the workers."""
        with self._changed:
            self._closed.set()
            for worker in (*self._starting, *self._free, *self._busy):
                worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._limit.__exit__(None, None, None)


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._failures = 0
        self.start()

    def start(self) -> None:
        """Start a process, in place of the one that there may have been."""
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(other, self._setup), daemon=True
        )
        with _no_interrupts():
            self._process.start()
        other.close()  # so that the pipe ends with the process
        self._since = time.monotonic()

    @property
    def lives(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def is_ready(self) -> bool:
        """Tell whether a started process takes requests; start one that failed anew.

        One that fails again and again is started less and less often.
        """
        pause = min(2.0**self._failures - 1, _LONGEST_PAUSE)
        try:
            if self._pipe.poll(0) and self._pipe.recv():
                self._failures = 0
                return True
            if self.lives or time.monotonic() - self._since < pause:
                return False
        except (EOFError, OSError):
            if time.monotonic() - self._since < pause:
                return False
        self._failures += 1
        self.kill()
        self.start()
        return False

    def run(
        self, task: Task, request: dict[str, Any], seconds: float
    ) -> Outcome | None:
        """Run a request; None if the process ended under it."""
        try:
            self._pipe.send((task, request))
            if self._pipe.poll(seconds):
                outcome: Outcome = self._pipe.recv()
                return outcome
        except (EOFError, OSError):
            self.kill()
            return None
        self.kill()
        return Outcome(504, {"error": f"the note took longer than {seconds:g} seconds"})

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Start processes that Ctrl+C does not reach: the server ends them.

    A blocked signal stays blocked in the process that is started meanwhile.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # whose own start would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def be_silent() -> None:
    """Let no library write to a log: Presidio's quote patterns of requests."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


def _serve(pipe: Connection, setup: Setup) -> None:
    """Work on requests until the server ends; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it cannot be blocked
    be_silent()
    warm(setup)
    keep_for_good()
    pipe.send(True)
    while True:
        try:
            task, request = pipe.recv()
        except EOFError:
            return
        pipe.send(task(setup, request))
