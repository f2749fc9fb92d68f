"""Tell the user how a run goes on: a bar on a terminal, plain lines in a log."""

import time
from datetime import timedelta
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from presidio_mx.messages import localized, say
from presidio_mx.work.batch.job import Summary

LINE_SECONDS = 30.0


class Report(Protocol):
    """A listener that must be ended."""

    def said(self, sentence: str) -> None:
        """Tell a sentence."""
        ...

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        """Begin to count."""
        ...

    def went_on(self, rows: int, position: int) -> None:
        """Tell how far the run is."""
        ...

    def __enter__(self) -> "Report":
        """Begin."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End."""
        ...


class _Rate:
    """Rows a second and seconds left, from the rows of this run alone."""

    def __init__(self) -> None:
        self.total: int | None = None
        self._start = 0
        self._since = time.monotonic()
        self._first_rows: int | None = None
        self.rows = 0
        self.position = 0

    def begin(self, total: int | None, done: int) -> None:
        self.total, self._start = total, done
        self._since = time.monotonic()

    def count(self, rows: int, position: int) -> None:
        if self._first_rows is None:
            self._first_rows, self._start = rows, position
            self._since = time.monotonic()
        self.rows, self.position = rows, position

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._since

    @property
    def rate(self) -> float:
        return (self.rows - (self._first_rows or 0)) / max(self.seconds, 1e-9)

    @property
    def left(self) -> float | None:
        read = self.position - self._start
        if self.total is None or read <= 0:
            return None
        return (self.total - self.position) * self.seconds / read


class Lines:
    """A plain line now and then, for a log.

    :param console: Where to write.
    """

    def __init__(self, console: Console) -> None:
        """Count from now."""
        self._console = console
        self._rate = _Rate()
        self._last = time.monotonic()

    def said(self, sentence: str) -> None:
        """Write a sentence as a line."""
        _line(self._console, sentence)

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        """Remember what there is to do."""
        self._rate.begin(total, done)

    def went_on(self, rows: int, position: int) -> None:
        """Write a line if it is time."""
        self._rate.count(rows, position)
        if time.monotonic() - self._last < LINE_SECONDS:
            return
        self._last = time.monotonic()
        rate, left = self._rate.rate, self._rate.left
        rest = ""
        if left is not None:
            clock = str(timedelta(seconds=round(left)))
            rest = say(f", about {clock} left", f", faltan unos {clock}")
        self.said(
            say(
                f"{rows:,} rows, {rate:,.0f} rows/s{rest}",
                f"{rows:,} filas, {rate:,.0f} filas/s{rest}",
            )
        )

    def __enter__(self) -> "Lines":
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing more."""


class Bar:
    """A progress bar with rate and time left, for a terminal.

    :param console: The terminal.
    """

    def __init__(self, console: Console) -> None:
        """Prepare the bar; it appears when work begins."""
        self._console = console
        self._rate = _Rate()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._bar.add_task("0", total=None, start=False)

    def said(self, sentence: str) -> None:
        """Write a sentence above the bar."""
        _line(self._console, sentence)

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        """Start the bar."""
        self._rate.begin(total, done)
        self._bar.update(self._task, total=total, completed=done)
        self._bar.start_task(self._task)

    def went_on(self, rows: int, position: int) -> None:
        """Move the bar."""
        self._rate.count(rows, position)
        words = say("rows", "filas")
        self._bar.update(
            self._task,
            completed=position,
            description=f"{rows:,} {words}, {self._rate.rate:,.0f}/s",
        )

    def __enter__(self) -> "Bar":
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the bar as it is."""
        self._bar.stop()


def _line(console: Console, sentence: str) -> None:
    said = localized(sentence)
    console.print(said, markup=False, highlight=False, soft_wrap=True)


def report_for(console: Console) -> Report:
    """Return a bar for a terminal, or lines for a log.

    :param console: Where to write.
    :return: The report, to be used in a ``with`` statement.
    """
    return Bar(console) if console.is_terminal else Lines(console)


def summary_table(summary: Summary) -> Table:
    """Return the table at the end of a run.

    :param summary: What was done.
    :return: Counts of rows, entities and operators, and the rate.
    """
    totals = summary.totals
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for english, spanish, value in (
        ("records read", "registros leídos", totals.read),
        ("rows written", "filas escritas", totals.written),
        ("rows that failed", "filas con error", totals.failed),
        ("empty, skipped", "vacíos, omitidos", totals.skipped),
        ("notes", "notas", totals.notes),
    ):
        table.add_row(say(english, spanish), f"{value:,}")
    table.add_section()
    if totals.mended:
        for how, number in totals.mended.items():
            mended = say(f"letters mended: {how}", f"letras reparadas: {how}")
            table.add_row(mended, f"{number:,}")
        table.add_section()
    if totals.emptied:
        emptied = say("cells not generalised, empty", "celdas sin generalizar, vacías")
        table.add_row(emptied, f"{totals.emptied:,}")
    for what, number in totals.left_out.items():
        table.add_row(say(f"left out: {what}", f"omitido: {what}"), f"{number:,}")
    for counts in (totals.entities, totals.operators):
        for name, number in sorted(counts.items(), key=lambda item: -item[1]):
            table.add_row(name, f"{number:,}")
        table.add_section()
    rate = totals.rows / totals.seconds if totals.seconds else 0.0
    table.add_row(say("seconds", "segundos"), f"{totals.seconds:,.1f}")
    table.add_row(say("rows a second", "filas por segundo"), f"{rate:,.1f}")
    return table
