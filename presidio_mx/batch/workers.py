"""Processes that work on chunks; one that ends or hangs costs at most one row."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from presidio_mx.batch.cells import Cells, Done, failed
from presidio_mx.batch.settings import Settings, model_hashes, warm_up
from presidio_mx.batch.work import indexed, out_of_time, process
from presidio_mx.errors import ConfigurationError, PresidioMxError
from presidio_mx.extras import need

T = TypeVar("T")
Handle = Callable[[], list[Done]]
# Each of these libraries would otherwise start a thread for every core in each worker.
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
)
_LOOK_SECONDS = 2.0
_GRACE_SECONDS = 1.0


def cores() -> int:
    """Return the number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def thread_limit(workers: int) -> Iterator[None]:
    """Let processes that start inside share the cores, so that they do not fight.

    :param workers: Number of processes.
    """
    number = str(max(1, cores() // workers))
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, number))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def begin_worker(parent: int) -> None:
    """Prepare a worker: the parent alone hears Ctrl-C, and no worker outlives it.

    :param parent: Process id of the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


def work(settings: Settings, cells: Sequence[Cells]) -> list[Done]:
    """De-identify the rows of a chunk in a worker.

    :param settings: How.
    :param cells: The rows.
    :return: What became of each.
    """
    return [process(settings, row) for row in indexed(settings, cells)]


def probe(settings: Settings) -> tuple[str, dict[str, str]]:
    """Build the engines in a worker.

    :param settings: How rows are de-identified.
    :return: What is wrong with the settings, if anything, and the models' hashes.
    """
    try:
        warm_up(settings)
    except PresidioMxError as error:
        return str(error), {}
    return "", model_hashes(settings)


class Here:
    """Work in this process.

    :param settings: How the rows are de-identified.
    :raises ConfigurationError: If the settings do not work.
    """

    ahead = 1

    def __init__(self, settings: Settings) -> None:
        """Build the engines."""
        self._settings = settings
        warm_up(settings)
        self.models = model_hashes(settings)

    def submit(self, cells: Sequence[Cells]) -> Handle:
        """Return what does the work when it is called."""
        return lambda: work(self._settings, cells)

    def close(self) -> None:
        """Do nothing."""


class Workers:
    """Work in other processes.

    :param settings: How the rows are de-identified.
    :param count: Number of processes.
    :raises ConfigurationError: If the settings do not work.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        """Start the processes."""
        pebble = need("pebble", "Batch processing in several processes")
        self._pebble = pebble
        self._settings = settings
        # A row ends by its own limit first; this one is for what hears no signal.
        self._seconds = settings.seconds + _GRACE_SECONDS
        self.ahead = 3 * count
        self._limit = thread_limit(count)
        self._limit.__enter__()  # a worker may have to be started anew at any time
        self._pool: Any = pebble.ProcessPool(
            max_workers=count,
            initializer=begin_worker,
            initargs=(os.getpid(),),
            context=multiprocessing.get_context("spawn"),
        )
        try:
            problem, models = self._pool.schedule(probe, args=(settings,)).result()
        except BaseException:
            self.close()
            raise
        if problem:
            self.close()
            raise ConfigurationError(problem)
        self.models: dict[str, str] = models

    def submit(self, cells: Sequence[Cells]) -> Handle:
        """Give a chunk to the next free worker; return what waits for its rows."""
        future = self._schedule(cells, self._seconds + len(cells))
        return lambda: self._outcome(future, cells)

    def _schedule(self, cells: Sequence[Cells], seconds: float) -> "Future[list[Done]]":
        future: Future[list[Done]] = self._pool.schedule(
            work, args=(self._settings, cells), timeout=seconds
        )
        return future

    def _outcome(
        self, future: "Future[list[Done]]", cells: Sequence[Cells]
    ) -> list[Done]:
        try:
            return future.result()
        except FutureTimeoutError:
            problem = out_of_time(self._settings.seconds)
        except self._pebble.ProcessExpired:
            problem = "the process that worked on the row ended (out of memory?)"
        if len(cells) == 1:
            return [failed(problem)]
        # Every row alone: the one at fault fails, the others are done.
        return [
            done
            for row in cells
            for done in self._outcome(self._schedule([row], self._seconds), [row])
        ]

    def close(self) -> None:
        """End the processes."""
        self._pool.stop()
        with suppress(TimeoutError):
            self._pool.join(timeout=5)
        self._limit.__exit__(None, None, None)


def in_order(
    workers: "Workers | Here", chunks: Iterable[tuple[T, Sequence[Cells]]]
) -> Iterator[tuple[T, list[Done]]]:
    """Keep the workers busy; yield what they did in the order of the input.

    :param workers: Who works.
    :param chunks: Anything, with the rows to work on.
    :return: The same, with what became of the rows.
    """
    waiting: deque[tuple[T, Handle]] = deque()
    for chunk, cells in chunks:
        waiting.append((chunk, workers.submit(cells)))
        if len(waiting) >= workers.ahead:
            first, handle = waiting.popleft()
            yield first, handle()
    while waiting:
        first, handle = waiting.popleft()
        yield first, handle()
