"""Frames of pandas and polars, and paths, in one call."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.extras import need
from presidio_mx.find.ner.choose import Ner
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.pipeline import People
from presidio_mx.replace.engine import Operators
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch.audit import Totals
from presidio_mx.work.batch.cells import Cells, Done
from presidio_mx.work.batch.chunk import ROWS, Layout, OnError
from presidio_mx.work.batch.columns import (
    Columns,
    Treatment,
    column_kind,
    known_kinds,
)
from presidio_mx.work.batch.job import Job, Silent, check_work, complete_settings
from presidio_mx.work.batch.people import gathered, gathers, with_people
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import SECONDS, Settings
from presidio_mx.work.batch.text_files import COLUMN
from presidio_mx.work.batch.workers import Here, Workers, in_order

Names = str | Sequence[str]
OnProgress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class RowError:
    """A row that failed.

    :param row: Its running number; the first row has 1.
    :param reason: Why, without its text.
    :param file: Name of the file, for a folder whose names are kept.
    """

    row: int
    reason: str
    file: str = ""


@dataclass(frozen=True)
class Batch:
    """What became of a frame or file.

    :param data: A frame of the kind given, or the path of the output.
    :param totals: Counts of rows, entities and operators.
    :param errors: Rows that failed.
    """

    data: Any
    totals: Totals
    errors: tuple[RowError, ...]


class _Counter(Silent):
    """Pass the number of rows done to a user's function."""

    def __init__(self, progress: OnProgress) -> None:
        self._progress = progress
        self._total: int | None = None

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        self._total = total if unit == "rows" else None

    def went_on(self, rows: int, position: int) -> None:
        self._progress(rows, self._total)


def names_of(names: Names | None) -> tuple[str, ...]:
    """Return one name or several as a tuple."""
    if names is None:
        return ()
    try:
        return (names,) if isinstance(names, str) else tuple(names)
    except TypeError:
        raise ConfigurationError(
            f"a column is named by text, not by {type(names).__name__}"
        ) from None


def known_columns(known: Mapping[str, Names] | None) -> dict[str, str]:
    """Return column to kind from kind to column or columns.

    :param known: E.g. ``{"patient": "nombre", "relatives": ["madre", "padre"]}``;
        Spanish words for the kinds will do.
    :return: E.g. ``{"nombre": "patient", ...}``.
    :raises ConfigurationError: If a kind is unknown or a column is named twice.
    """
    columns: dict[str, str] = {}
    for word, names in (known or {}).items():
        for name in names_of(names):
            if name in columns:
                raise ConfigurationError(f"known: column {name!r} is named twice")
            columns[name] = column_kind(word) or word
    return columns


def deidentify(
    data: Any,
    output: Path | str | None = None,
    *,
    text: Names | None = None,
    known: Mapping[str, Names] | None = None,
    id: str | None = None,
    keep: Names = (),
    drop: Names = (),
    shift: Names = (),
    generalize: Mapping[str, str | int] | None = None,
    known_as: Treatment = "drop",
    id_as: Treatment = "drop",
    operators: Operators = "tag",
    key: Key | str | bytes | None = None,
    corpus: bool = False,
    people: People = "everyone",
    preset: str = "mx",
    ner: Ner = "auto",
    site: Path | str | None = None,
    sensitivity: str | float = BALANCED,
    workers: int = 0,
    timeout: float = SECONDS,
    on_error: OnError = "blank",
    progress: OnProgress | None = None,
    resume: bool = False,
    force: bool = False,
) -> Batch:
    """De-identify a frame of pandas or polars, a file or a folder.

    Every column must be declared: one that is not stops the call. What is missing
    (None, NaN) stays missing.

    :param data: A frame, or the path of a file or folder.
    :param output: Where to write, if ``data`` is a path.
    :param text: Columns with notes; by default ``text``, if there is such a column.
    :param known: Kind of known data to its columns, e.g. ``{"patient": "nombre"}``.
    :param id: Column with the patient's identifier: the scope of surrogates.
    :param keep: Columns that pass through unchanged.
    :param drop: Columns that are left out.
    :param shift: Columns with dates, which move as the dates of the notes do.
    :param generalize: Column to how it says less: ``{"edad": 5, "fecha": "year"}``.
    :param known_as: What becomes of the known columns: drop, keep or replace.
    :param id_as: What becomes of the identifier: drop, keep or replace.
    :param operators: A profile's name or path, or entity to OperatorConfig.
    :param key: Secret of surrogates; else ``PRESIDIO_MX_KEY``.
    :param corpus: Same value, same surrogate everywhere, whoever the patient is.
    :param people: ``everyone``, or ``patient_and_relatives``: names of staff stay.
    :param preset: ``mx`` or ``es-ES``.
    :param ner: ``auto``, ``none``, ``transformer`` or the path of a model.
    :param site: Folder of a site's own lists and rules.
    :param sensitivity: ``high``, ``balanced``, ``exact`` or a probability from which on
        spans are marked.
    :param workers: Number of processes; 0 works in this one, which a notebook needs.
    :param timeout: Seconds that a row may take, with workers or without.
    :param on_error: What becomes of a row that fails: ``blank`` or ``skip``.
    :param progress: Called with the rows done and the rows there are, if known.
    :param resume: Go on with an interrupted run, if ``data`` is a path.
    :param force: Replace an existing output, if ``data`` is a path.
    :return: The new frame or the output's path, with counts and errors.
    :raises ConfigurationError: If an option is wrong or a column is not declared.
    :raises InputError: If the data cannot be read.
    """
    kinds = known_kinds(known_columns(known), names_of(shift), generalize)

    def columns(available: Sequence[str]) -> Columns:
        default = (COLUMN,) if COLUMN in available and text is None else ()
        return Columns(
            text=names_of(text) or default,
            known=kinds,
            id=id,
            keep=names_of(keep),
            drop=names_of(drop),
            known_as=known_as,
            id_as=id_as,
        )

    settings = Settings(
        operators=operators,
        key=None if key is None else Key.from_value(key),
        people=people,
        preset=preset,
        ner=ner,
        site=None if site is None else str(site),
        corpus=corpus,
        seconds=timeout,
        sensitivity=sensitivity,
    )
    if not isinstance(data, str | Path):
        if output is not None:
            raise ConfigurationError("output= goes with a path, not with a frame")
        return _of_frame(data, columns, settings, workers, on_error, progress)
    if output is None:
        raise ConfigurationError("a path needs an output: deidentify(path, output)")
    job = Job(
        source=data,
        output=Path(output),
        columns=columns,
        settings=settings,
        workers=workers,
        on_error=on_error,
        resume=resume,
        force=force,
    )
    summary = run(job, _Counter(progress) if progress else None)
    errors: tuple[RowError, ...] = ()
    if summary.errors is not None:
        lines = summary.errors.read_text(encoding="utf-8").splitlines()
        errors = tuple(RowError(**json.loads(line)) for line in lines)
    return Batch(summary.output, summary.totals, errors)


def _of_frame(
    frame: Any,
    declare: Callable[[Sequence[str]], Columns],
    settings: Settings,
    workers: int,
    on_error: OnError,
    progress: OnProgress | None,
) -> Batch:
    library = type(frame).__module__.partition(".")[0]
    if library not in ("pandas", "polars") or type(frame).__name__ != "DataFrame":
        raise InputError(
            f"{type(frame).__name__} is no DataFrame of pandas or polars, and no path"
        )
    check_work(workers, on_error)
    available = _column_names(frame)
    columns = declare(available)
    columns.check(available, "the frame")
    settings = complete_settings(settings, columns, 0)
    rows = list(_cells(frame, columns, library))
    dones: list[Done] = []
    pieces: list[Sequence[Cells]] = [
        rows[first : first + ROWS] for first in range(0, len(rows), ROWS)
    ]
    totals = Totals()
    pool = Workers(settings, workers) if workers else Here(settings)
    with closing(pool):
        if columns.id is not None and gathers(settings):
            people = gathered(pool, lambda: iter(pieces))
            pieces = [with_people(piece, people) for piece in pieces]
        for _, done in in_order(pool, ((None, piece) for piece in pieces)):
            totals.add(done, sum(not row.problem for row in done))
            dones.extend(done)
            if progress:
                progress(len(dones), len(rows))
    errors = tuple(
        RowError(number, done.problem)
        for number, done in enumerate(dones, start=1)
        if done.problem
    )
    layout = Layout(columns, available, on_error)
    new = _new_columns(columns, layout, dones)
    make = _make_pandas if library == "pandas" else _make_polars
    skipped = [on_error == "skip" and bool(done.problem) for done in dones]
    return Batch(make(frame, layout, new, skipped), totals, errors)


def _column_names(frame: Any) -> list[str]:
    """Return the names of a frame's columns, all that it holds.

    :raises ConfigurationError: If names are no text, or the frame of pandas has an
        index that is more than the rows' numbers: it would pass through undeclared.
    """
    odd = [name for name in frame.columns if not isinstance(name, str)]
    if odd:
        raise ConfigurationError(
            f"the frame: its columns must be named by text, not by "
            f"{type(odd[0]).__name__}; write frame.columns = frame.columns.map(str)"
        )
    index = getattr(frame, "index", None)
    if index is not None and len(index):
        if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
            raise ConfigurationError(
                "the frame: its index would pass through as it is; make a column of it "
                "by frame.reset_index() and declare that, or drop it by "
                "frame.reset_index(drop=True)"
            )
    return list(frame.columns)


def _values_of(frame: Any, name: str, library: str) -> list[Any]:
    """Return the values of a column; what is missing is None."""
    if library == "polars":
        values: list[Any] = frame[name].to_list()
        return values
    missing = frame[name].isna().tolist()
    return [
        None if gone else value
        for value, gone in zip(frame[name].tolist(), missing, strict=True)
    ]


def _cells(frame: Any, columns: Columns, library: str) -> Iterator[Cells]:
    texts = [_values_of(frame, name, library) for name in columns.text]
    known = [_values_of(frame, name, library) for name in columns.known]
    ids = [] if columns.id is None else _values_of(frame, columns.id, library)
    for place in range(len(frame)):
        yield Cells(
            tuple(values[place] for values in texts),
            tuple(values[place] for values in known),
            ids[place] if ids else None,
        )


def _new_columns(
    columns: Columns, layout: Layout, dones: Sequence[Done]
) -> dict[str, list[Any]]:
    """Return the columns that change, rows that failed included."""
    blank = Layout(columns, layout.available, "blank")
    changed = [n for n, new in zip(layout.output, layout.new, strict=True) if new]
    new: dict[str, list[Any]] = {name: [] for name in changed}
    nothing = [None] * len(layout.available)
    for done in dones:
        row = blank.row(nothing, done)
        assert row is not None
        for name, value in zip(layout.output, row, strict=True):
            if name in new:
                new[name].append(value)
    return new


def _make_pandas(
    frame: Any, layout: Layout, new: dict[str, list[Any]], skipped: list[bool]
) -> Any:
    """Return a frame of pandas with new columns."""
    pandas = need("pandas", "Frames of pandas")
    made = frame[list(layout.output)].copy()
    for name, values in new.items():
        kind = frame[name].dtype
        text = pandas.api.types.is_string_dtype(kind)
        # With a type of its own, a series of objects is not made one of strings, which
        # cannot hold the halves of characters that notes may have.
        made[name] = pandas.Series(
            values, index=made.index, dtype=kind if text else object
        )
    return made.iloc[[place for place, gone in enumerate(skipped) if not gone]]


def _make_polars(
    frame: Any, layout: Layout, new: dict[str, list[Any]], skipped: list[bool]
) -> Any:
    """Return a frame of polars with new columns."""
    polars = need("polars", "Frames of polars")
    series = [
        polars.Series(name, values, dtype=polars.String) for name, values in new.items()
    ]
    made = frame.select(list(layout.output)).with_columns(series)
    return made.filter(polars.Series([not gone for gone in skipped], dtype=bool))
