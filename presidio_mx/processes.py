"""Worker processes beside one another: how many, and what each may use."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Each of these libraries would otherwise start a thread for every core in each worker.
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
)


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


def keep_for_good() -> None:
    """Spare what a worker has loaded the search for garbage.

    Rules, lists and models are a quarter of a million objects that live as long as the
    worker; to look through them takes a tenth of a second each time.
    """
    gc.collect()
    gc.freeze()
