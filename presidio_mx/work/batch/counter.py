"""How far a batch has come, told to a function of the caller's."""

from collections.abc import Callable

from presidio_mx.work.batch.job import Silent

OnProgress = Callable[[int, int | None], None]


class Counter(Silent):
    """Pass the number of rows done to a user's function."""

    def __init__(self, progress: OnProgress) -> None:
        """Remember the function."""
        self._progress = progress
        self._total: int | None = None

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        """Remember the total, where it is one of rows."""
        self._total = total if unit == "rows" else None

    def went_on(self, rows: int, position: int) -> None:
        """Call it."""
        self._progress(rows, self._total)
