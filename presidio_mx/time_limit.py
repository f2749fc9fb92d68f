"""A time limit for work in this very process: a note that hangs costs only itself."""

import ctypes
import math
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from presidio_mx.errors import ConfigurationError

# Eleven days; a timer of the system takes no number without end.
LONGEST = 1_000_000
T = TypeVar("T")


class OutOfTime(BaseException):
    """The time is over; no ``except Exception`` on the way takes it for a slip."""


def check_limit(seconds: float, *, none: bool = False) -> None:
    """Refuse a time limit that is none.

    :param seconds: The limit, in seconds.
    :param none: Whether 0 is allowed, and stands for no limit.
    :raises ConfigurationError: If it is no number, not finite or not above 0.
    """
    number = isinstance(seconds, int | float) and math.isfinite(seconds)
    if number and (0 < seconds <= LONGEST or (none and seconds == 0)):
        return
    raise ConfigurationError(
        f"timeout {seconds!r}: must be a number of seconds above 0, at most 1,000,000"
        + (", or 0 for no limit" if none else "")
    )


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do work, and interrupt it when its time is over.

    In the main thread a signal does it, which reaches even into one long search of a
    regular expression. Elsewhere (other threads, Windows) a timer does it between two
    steps of Python.

    :param seconds: The limit, in seconds; 0 for none.
    :param work: What to do.
    :return: What it returns.
    :raises OutOfTime: If its time was over before it was done.
    """
    if seconds <= 0:
        return work()
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer"):
        return _by_signal(seconds, work)
    return _by_timer(seconds, work)


def _by_signal(seconds: float, work: Callable[[], T]) -> T:
    armed = True

    def ring(number: int, frame: FrameType | None) -> None:
        if armed:
            raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    began = time.monotonic()
    left = interval = 0.0
    try:
        # It rings again and again, should a finaliser have swallowed it.
        left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
        return work()
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        if left:  # somebody else's timer goes on
            left -= time.monotonic() - began
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), interval)


def _by_timer(seconds: float, work: Callable[[], T]) -> T:
    lock = threading.Lock()
    armed = True
    thread = ctypes.c_ulong(threading.get_ident())
    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def ring() -> None:
        with lock:
            if armed:
                interrupt(thread, ctypes.py_object(OutOfTime))

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        return work()
    finally:
        timer.cancel()
        with lock:
            armed = False
            interrupt(thread, None)  # what was set and not yet raised
