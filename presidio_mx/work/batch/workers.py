"""Processes that work on chunks; one that ends or hangs costs at most one row."""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from presidio_mx.errors import ConfigurationError, PresidioMxError
from presidio_mx.extras import need
from presidio_mx.made_by import model_hashes
from presidio_mx.processes import keep_for_good, thread_limit
from presidio_mx.work.batch.cells import Cells, Done, failed
from presidio_mx.work.batch.settings import Settings, warm_up
from presidio_mx.work.batch.work import indexed, out_of_time, process

T = TypeVar("T")
Handle = Callable[[], list[Done]]
Task = Callable[[Settings, Sequence[Cells]], list[Done]]
_LOOK_SECONDS = 2.0
_GRACE_SECONDS = 1.0


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


def work_apart(settings: Settings, cells: Sequence[Cells]) -> list[Done]:
    """De-identify the rows of a chunk in a process that does nothing else.

    :param settings: How.
    :param cells: The rows.
    :return: What became of each.
    """
    done = work(settings, cells)
    settle_in()
    return done


@cache
def settle_in() -> None:
    """Spare what is loaded by now the search for garbage, once a process."""
    keep_for_good()


def probe(settings: Settings) -> tuple[str, dict[str, str]]:
    """Build the engines in a worker.

    :param settings: How rows are de-identified.
    :return: What is wrong with the settings, if anything, and the models' hashes.
    """
    try:
        warm_up(settings)
    except PresidioMxError as error:
        return str(error), {}
    return "", model_hashes(settings.preset, settings.ner)


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
        self.models = model_hashes(settings.preset, settings.ner)

    def submit(self, cells: Sequence[Cells], task: Task | None = None) -> Handle:
        """Return what does the work when it is called."""
        return lambda: (task or work)(self._settings, cells)

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

    def submit(self, cells: Sequence[Cells], task: Task | None = None) -> Handle:
        """Give a chunk to the next free worker; return what waits for its rows."""
        task = task or work_apart
        future = self._schedule(task, cells, self._seconds + len(cells))
        return lambda: self._outcome(task, future, cells)

    def _schedule(
        self, task: Task, cells: Sequence[Cells], seconds: float
    ) -> "Future[list[Done]]":
        future: Future[list[Done]] = self._pool.schedule(
            task, args=(self._settings, cells), timeout=seconds
        )
        return future

    def _outcome(
        self, task: Task, future: "Future[list[Done]]", cells: Sequence[Cells]
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
            for done in self._outcome(
                task, self._schedule(task, [row], self._seconds), [row]
            )
        ]

    def close(self) -> None:
        """End the processes."""
        self._pool.stop()
        with suppress(TimeoutError):
            self._pool.join(timeout=5)
        self._limit.__exit__(None, None, None)


def in_order(
    workers: "Workers | Here",
    chunks: Iterable[tuple[T, Sequence[Cells]]],
    task: Task | None = None,
) -> Iterator[tuple[T, list[Done]]]:
    """Keep the workers busy; yield what they did in the order of the input.

    :param workers: Who works.
    :param chunks: Anything, with the rows to work on.
    :param task: What to do with the rows; None de-identifies them.
    :return: The same, with what became of the rows.
    """
    waiting: deque[tuple[T, Handle]] = deque()
    for chunk, cells in chunks:
        waiting.append((chunk, workers.submit(cells, task)))
        if len(waiting) >= workers.ahead:
            first, handle = waiting.popleft()
            yield first, handle()
    while waiting:
        first, handle = waiting.popleft()
        yield first, handle()
