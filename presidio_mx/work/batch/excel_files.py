"""Excel workbooks, one sheet of them; numbers and dates keep their types."""

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal
from zipfile import BadZipFile, ZipFile
from zlib import error

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.extras import need
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.chunk import Chunk, Gatherer, Layout
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import AppendFile
from presidio_mx.work.batch.sheet import Sheet, read_sheet

# Specifications and limits of Excel (Microsoft): characters in a cell.
LONGEST = 32_767
_TIMES: dict[str, Any] = {"datetime": datetime, "date": date, "time": time}


def _openpyxl() -> Any:
    return need("openpyxl", "Excel")


class ExcelSource:
    """A sheet of an Excel workbook whose first row has the column names.

    :param path: The workbook, ``.xlsx``.
    :param sheet: Name of the sheet; needed if there are several.
    :raises InputError: If it cannot be read or has no header.
    :raises ConfigurationError: If the sheet is not clear.
    """

    unit: Literal["bytes", "rows"] = "rows"

    def __init__(self, path: Path, sheet: str | None = None) -> None:
        """Open the sheet and read the header."""
        self._sheet, number = _open_sheet(path, sheet)
        self._xml = _look_through(path, self._sheet)
        self._sheet.reset_dimensions()  # they may be wrong
        self._rows = _rows_of(self._sheet, path)
        header = list(next(self._rows, ()))
        while header and header[-1] is None:
            header.pop()
        if not header or None in header:
            raise InputError(f"{path}: the first row must name every column")
        self.columns = tuple(str(name).strip() for name in header)
        self.skipped = 0
        self.total: int | None = max(0, self._xml.last - 1)
        self.said: tuple[str, ...] = (f"{path.name}: Excel, sheet {number}",)

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all rows.

        :param columns: What the columns are for.
        :return: Chunks in the order of the sheet.
        """
        layout = Layout(columns, self.columns, "blank")
        gatherer = Gatherer()
        number = 0
        for number, values in enumerate(self._rows, start=1):
            row, problem = self._row(number + 1, values, columns)
            if not problem and all(value is None for value in row):
                # Behind the last value there are only formats.
                self.skipped += number < self._xml.last
                continue
            if problem:
                full = gatherer.add(layout.unreadable(problem), None)
            else:
                size = sum(len(value) for value in row if isinstance(value, str))
                full = gatherer.add(layout.cells(row), row, size)
            if full:
                yield gatherer.take(number)
        yield gatherer.take(number)

    def _row(
        self, number: int, values: Sequence[Any], columns: Columns
    ) -> tuple[list[Any], str]:
        """Return a row's values, and what is wrong with it, if anything."""
        width = len(self.columns)
        row = [*values[:width], *[None] * (width - len(values))]
        texts = self._xml.texts.get(number, {})
        for place, text in texts.items():
            if place < width:
                row[place] = text
        if any(value is not None for value in values[width:]) or any(
            place >= width for place in texts
        ):
            return row, "cells outside of the named columns"
        for place in self._xml.missing.get(number, ()):
            if place >= width or self.columns[place] not in columns.drop:
                return row, "a formula whose result is not stored in the workbook"
        return row, ""

    @property
    def counted(self) -> int:
        """Rows behind the header up to the last with a value, by the sheet's XML."""
        return max(0, self._xml.last - 1)


def _open_sheet(path: Path, sheet: str | None) -> tuple[Any, int]:
    """Return a sheet and its number; names of sheets may be names of patients."""
    openpyxl = _openpyxl()
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception:  # of openpyxl, whatever it stumbles over
        raise InputError(f"{path}: not an .xlsx workbook, or damaged") from None
    names = list(book.sheetnames)
    if sheet is None and len(names) == 1:
        return book[names[0]], 1
    if sheet in names:
        return book[sheet], names.index(sheet) + 1
    if sheet is not None and sheet.isdecimal() and 0 < int(sheet[:9]) <= len(names):
        return book[names[int(sheet) - 1]], int(sheet)
    wanted = "" if sheet is None else "no such sheet: "
    raise ConfigurationError(
        f"{path}: {wanted}it has {len(names)} sheets; choose one by --sheet, by its "
        "name or number"
    )


def _look_through(path: Path, sheet: Any) -> Sheet:
    try:
        with ZipFile(path) as archive, archive.open(sheet._worksheet_path) as part:
            return read_sheet(part, str(path))
    except (BadZipFile, KeyError, EOFError, ValueError, error) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"{path}: the workbook is damaged") from None


def _rows_of(sheet: Any, path: Path) -> Iterator[Sequence[Any]]:
    try:
        yield from sheet.iter_rows(values_only=True)
    except Exception:  # of openpyxl, whatever it stumbles over
        raise InputError(f"{path}: the workbook is damaged") from None


class ExcelSink:
    """A workbook with one sheet, put together at the end from the rows so far.

    :param partial: Path while it grows: rows as lines of JSON.
    :param layout: How a row is put together.
    """

    def __init__(self, partial: Path, layout: Layout) -> None:
        """Nothing is opened yet."""
        self._file = AppendFile(partial)
        self._layout = layout

    def open(self, position: int) -> None:
        """Begin with the header, or go on.

        :param position: Length that is sure to be good.
        """
        self._file.open(position)
        if position == 0:
            self._add(self._layout.output)

    def _add(self, row: Sequence[Any]) -> None:
        text = json.dumps([_packed(value) for value in row])
        self._file.write(text.encode("ascii") + b"\n")

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the rows of a chunk.

        :param chunk: The rows as read.
        :param done: What became of them.
        :return: How many rows were written.
        """
        made = map(self._layout.row, chunk.rest, done)
        rows = [row for row in made if row is not None]
        for row in rows:
            self._add(row)
        return len(rows)

    def sync(self) -> int:
        """Put everything on the disk; return the length."""
        return self._file.sync()

    def finish(self) -> Path:
        """Put the workbook together and return its path."""
        self._file.close()
        made = self._file.path.with_name(self._file.path.name + ".xlsx")
        openpyxl = _openpyxl()
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("notes")
        with open(self._file.path, "rb") as file:
            for line in file:
                sheet.append([_cell(sheet, _unpacked(v)) for v in json.loads(line)])
        book.save(made)
        return made


def _cell(sheet: Any, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    cells = _openpyxl().cell
    clean = cells.cell.ILLEGAL_CHARACTERS_RE.sub(" ", value)
    cell = cells.WriteOnlyCell(sheet, clean)
    cell.data_type = "s"  # a note that begins with "=" is no formula
    return cell


def _packed(value: Any) -> Any:
    """Return a cell's value as JSON can hold it."""
    for name, kind in _TIMES.items():
        if isinstance(value, kind):
            return {name: value.isoformat()}
    if isinstance(value, timedelta):
        return {"timedelta": value.total_seconds()}
    return value


def _unpacked(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    name, text = next(iter(value.items()))
    if name == "timedelta":
        return timedelta(seconds=text)
    return _TIMES[name].fromisoformat(text)
