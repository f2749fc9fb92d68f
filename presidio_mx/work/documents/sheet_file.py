"""Workbooks (.xlsx): written anew with what their cells show, and nothing else.

A new workbook is made, so that nothing stands in it that was not read.
"""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.datavalidation import DataValidation

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.documents.opened import (
    DAMAGED,
    ZIP,
    Change,
    Dropped,
    LeftOut,
    Part,
    changed,
    unzipped,
)

_MOST_CELLS = 2_000_000
_MARGINS = ("oddHeader", "evenHeader", "firstHeader") + (
    "oddFooter",
    "evenFooter",
    "firstFooter",
)
_SIDES = ("left", "center", "right")
_NO_NAME = re.compile(r"[\[\]:*?/\\']")
_LONGEST_NAME = 31
_LIST = re.compile(r'"(.*)"', re.S)
# Formats of numbers that show no text of their own.
_FORMAT = re.compile(r"[#0?.,%\s\-+/()@_*;:$\[\]EeDdMmYyHhSsaAPp\\]*|General")
_COUNTED = re.compile(
    r"xl/(?P<kind>media|charts|drawings|embeddings|pivotTables|pivotCache|vbaProject"
    r"|externalLinks|connections|customXml|diagrams|queryTables|slicers|model)"
)


@dataclass(frozen=True, repr=False)
class _Piece:
    """A text of a workbook, and where it goes.

    :param start: Where it stands in the text of its sheet.
    :param text: The text.
    :param where: Its place: ``cell``, ``comment``, ``margin``, ``list`` or ``title``.
    :param at: Its coordinates, or a name.
    :param value: The value of a cell that is none of a text.
    """

    start: int
    text: str
    where: str
    at: Any
    value: Any = None


class SheetFile:
    """A workbook.

    :param book: The old one, with the values of its formulas.
    :param left_out: What the new one lacks.
    """

    suffix = ".xlsx"

    def __init__(self, book: Any, left_out: LeftOut) -> None:
        """Read its texts."""
        self.left_out = left_out
        self._book = book
        self.parts: list[Part] = []
        self._pieces: list[list[_Piece]] = []
        for sheet in book.worksheets:
            reader = _Sheet(sheet, left_out)
            self._pieces.append(reader.pieces)
            self.parts.append(Part("".join(reader.texts), cells=reader.cells))

    def place(self, part: int, offset: int) -> str:
        """Return sheet and cell.

        :param part: Number of the sheet.
        :param offset: Where in its text.
        """
        found = [piece for piece in self._pieces[part] if piece.start <= offset]
        where = f"{found[-1].where} {found[-1].at}" if found else ""
        return f"sheet {part + 1} {where}".strip()

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new workbook.

        :param changes: For each sheet what is replaced in it.
        """
        new = Workbook()
        new.remove(new.active)
        taken: set[str] = set()
        for number, (old, pieces) in enumerate(
            zip(self._book.worksheets, self._pieces, strict=True)
        ):
            sheet = new.create_sheet()
            sheet.title = _title(_new_text(pieces[0], changes[number]), taken)
            _write(sheet, old, pieces[1:], changes[number])
        new.properties.creator = new.properties.title = None
        new.properties.created = new.properties.modified = datetime(1980, 1, 1)
        saved = io.BytesIO()
        new.save(saved)
        return saved.getvalue()


class _Sheet:
    """Reads a sheet: a row a line, then what hangs on it."""

    def __init__(self, sheet: Any, left_out: LeftOut) -> None:
        self.texts: list[str] = []
        self.cells: list[tuple[int, int]] = []
        self.pieces: list[_Piece] = []
        self._length = 0
        self._left_out = left_out
        self._add(sheet.title, "title", "", "\n")
        notes = list(self._rows(sheet))
        for cell in notes:
            self._add(cell.comment.text, "comment", cell.coordinate, "\n")
        for margin in _MARGINS:
            for side in _SIDES:
                text = getattr(getattr(sheet, margin), side).text
                if text:
                    self._add(text, "margin", (margin, side), "\n")
        for number, rule in enumerate(sheet.data_validations.dataValidation):
            listed = _LIST.fullmatch(rule.formula1 or "")
            if listed:
                self._add(listed[1], "list", number, "\n")
            said = " ".join(filter(None, (rule.prompt, rule.error, rule.promptTitle)))
            if said:
                left_out.add(Dropped.CODES, "validation", said)
        for kind, things in (("chart", sheet._charts), ("picture", sheet._images)):
            for _ in things:
                left_out.add(Dropped.PICTURES, kind)
        if rules := len(sheet.conditional_formatting):
            left_out.add(Dropped.MARKUP, "conditional formatting", count=rules)

    def _rows(self, sheet: Any) -> Iterator[Any]:
        """Read the cells; yield those with a comment."""
        for row in sheet.iter_rows():
            filled = [cell for cell in row if cell.value is not None]
            for number, cell in enumerate(filled):
                if number:
                    self._text(" | ")
                self._add(_shown(cell.value), "cell", cell.coordinate, "", cell.value)
            if filled:
                self._text("\n")
            for cell in row:
                if cell.hyperlink is not None:
                    self._left_out.add(Dropped.LINKS, "", cell.hyperlink.target or "")
                if cell.comment is not None:
                    yield cell

    def _text(self, text: str) -> None:
        self.texts.append(text)
        self._length += len(text)

    def _add(
        self, text: str, where: str, at: Any, behind: str, value: Any = None
    ) -> None:
        start = self._length
        self._text(text)
        self.cells.append((start, self._length))
        self.pieces.append(_Piece(start, text, where, at, value))
        self._text(behind)


def open_sheets(data: bytes, name: str, encoding: Encoding | None = None) -> SheetFile:
    """Read a workbook.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Not needed: it is UTF-8.
    :raises InputError: If it is no workbook, is locked, or too large.
    """
    if not data.startswith(ZIP):
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise InputError(
                f"{name}: is locked by a password or an old .xls; save it as .xlsx "
                "without a password"
            )
        refuse_other_kinds(data, name)
        raise InputError(f"{name}: is no workbook; save it anew as .xlsx")
    left_out = LeftOut()
    left_out.add(Dropped.PROPERTIES, count=0)
    try:
        with unzipped(data, name) as archive:
            for part in archive.namelist():
                counted = _COUNTED.match(part)
                if counted and counted["kind"] not in ("media", "charts", "drawings"):
                    left_out.add(Dropped.OBJECTS, counted["kind"])
        with warnings.catch_warnings(action="ignore"):  # they quote cells
            shown = load_workbook(io.BytesIO(data), data_only=True)
            formulas = load_workbook(io.BytesIO(data))
    except InputError:
        raise
    except (InvalidFileException, *DAMAGED):
        raise InputError(
            f"{name}: cannot be read as a workbook; open it in Excel and save it as "
            ".xlsx"
        ) from None
    _count_formulas(shown, formulas, left_out)
    for sheet in shown.worksheets:
        if sheet.max_row * sheet.max_column > _MOST_CELLS:
            raise InputError(
                f"{name}: has more than {_MOST_CELLS:,} cells; save its tables as .csv "
                "and use presidio-mx batch"
            )
    return SheetFile(shown, left_out)


def _count_formulas(shown: Any, formulas: Any, left_out: LeftOut) -> None:
    """Count formulas: their values are written, those without one are lost."""
    for sheet in formulas.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                text = str(getattr(cell.value, "text", cell.value) or "")
                valued = shown[sheet.title][cell.coordinate].value is not None
                what = Dropped.MARKUP if valued else Dropped.CODES
                left_out.add(what, "formula", "" if valued else text)
    for name in formulas.defined_names:
        left_out.add(Dropped.CODES, "defined name", name)


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        day = value.time() == time()
        return value.strftime("%d/%m/%Y" if day else "%d/%m/%Y %H:%M")
    if isinstance(value, date):
        return value.strftime("%d/%m/%Y")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, time | timedelta | bool):
        return str(value)
    return str(value)


def _new_text(piece: _Piece, changes: Sequence[Change]) -> str:
    end = piece.start + len(piece.text)
    own = [
        Change(start - piece.start, stop - piece.start, new)
        for start, stop, new in changes
        if piece.start <= start and stop <= end and start < stop
    ]
    return changed(piece.text, own)


def _write(
    sheet: Any, old: Any, pieces: Sequence[_Piece], changes: Sequence[Change]
) -> None:
    """Fill a new sheet."""
    at = 0
    for piece in pieces:
        while at < len(changes) and changes[at].end <= piece.start:
            at += 1
        last = at
        while last < len(changes) and changes[last].start < piece.start + len(
            piece.text
        ):
            last += 1
        new = _new_text(piece, changes[at:last])
        if piece.where == "cell":
            same = new == piece.text
            _put(sheet[piece.at], old[piece.at], piece.value if same else new)
        elif piece.where == "comment":
            sheet[piece.at].comment = Comment(new, "")
        elif piece.where == "margin":
            getattr(getattr(sheet, piece.at[0]), piece.at[1]).text = new
        elif piece.where == "list":
            rule = old.data_validations.dataValidation[piece.at]
            listed = DataValidation(type="list", formula1=f'"{new}"')
            listed.sqref = copy(rule.sqref)
            sheet.add_data_validation(listed)
    for letter, column in old.column_dimensions.items():
        sheet.column_dimensions[letter].width = column.width
        sheet.column_dimensions[letter].hidden = column.hidden
    for span in old.merged_cells.ranges:
        sheet.merge_cells(str(span))


def _put(cell: Any, old: Any, value: Any) -> None:
    """Write a cell; a text that begins as a formula does stays a text."""
    cell.value = value
    if isinstance(value, str):
        cell.data_type = "s"
    if old.number_format and _FORMAT.fullmatch(old.number_format):
        cell.number_format = old.number_format
    if old.font is not None and (old.font.b or old.font.i):
        font = copy(cell.font)
        font.b, font.i = old.font.b, old.font.i
        cell.font = font
    alignment = copy(cell.alignment)
    alignment.wrap_text = old.alignment.wrap_text
    cell.alignment = alignment


def _title(text: str, taken: set[str]) -> str:
    """Return a title that a sheet may have and no other has."""
    title = first = _NO_NAME.sub(" ", text).strip()[:_LONGEST_NAME] or "Hoja"
    number = 1
    while title.lower() in taken:
        number += 1
        title = f"{first[: _LONGEST_NAME - 4]} {number}"
    taken.add(title.lower())
    return title
