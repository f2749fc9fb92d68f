"""Count the rows of an Excel sheet in its XML, and find formulas that have no value.

openpyxl reads a sheet by what its ``<dimension>`` says, which writers get wrong, and
gives nothing for a formula whose result was not stored. This look at the XML is the
second count that a reader is held to.
"""

import re
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat

from presidio_mx.errors import InputError

_BLOCK = 1 << 18
# A function call, a cell, a cell of another sheet, a number or a bracket: what a
# formula begins with, and a note that begins with "=" hardly does.
_FORMULA = re.compile(
    r"[+-]?\s*(?:[A-Za-z_][\w.]*\(|\$?[A-Za-z]{1,3}\$?\d+|'[^']+'!|[\w.]+!"
    r"|\d|\(|\"|\{|\[|TRUE\b|FALSE\b|#REF)"
)


@dataclass
class Sheet:
    """What is in the XML of a sheet.

    :param filled: Rows with a value, the header among them.
    :param last: Number of the last of them.
    :param texts: Cells whose formula is none but a note: row (from 1) and column (from
        0) to the text.
    :param missing: Cells with a formula whose result was not stored: row to columns.
    """

    filled: int = 0
    last: int = 0
    texts: dict[int, dict[int, str]] = field(default_factory=dict)
    missing: dict[int, set[int]] = field(default_factory=dict)


def read_sheet(file: IO[bytes], name: str) -> Sheet:
    """Look through the XML of a sheet.

    :param file: The sheet's part of the workbook.
    :param name: What to call the workbook in errors.
    :return: What is in it.
    :raises InputError: If it is broken.
    """
    look = _Look()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = look.start
    parser.EndElementHandler = look.end
    parser.CharacterDataHandler = look.text
    try:
        while block := file.read(_BLOCK):
            parser.Parse(block)
        parser.Parse(b"", True)
    except expat.ExpatError:
        raise InputError(f"{name}: the sheet is broken") from None
    return look.sheet


class _Look:
    """The events of the parser."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self._row = 0
        self._column = -1
        self._filled = False
        self._kind = ""
        self._formula: list[str] | None = None
        self._value: list[str] | None = None
        self._into: list[str] | None = None
        self._inline = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if name == "row":
            self._row = int(attributes.get("r", self._row + 1))
            self._column, self._filled = -1, False
        elif name == "c":
            place = attributes.get("r")
            self._column = _column_of(place) if place else self._column + 1
            self._kind = attributes.get("t", "")
            self._formula = self._value = None
            self._inline = False
        elif name == "f":
            self._formula = self._into = []
        elif name == "v":
            self._value = self._into = []
        elif name == "t":
            self._inline = True

    def text(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

    def end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2]
        if name in ("f", "v"):
            self._into = None
        elif name == "c":
            self._end_cell()
        elif name == "row" and self._filled:
            self.sheet.filled += 1
            self.sheet.last = max(self.sheet.last, self._row)

    def _end_cell(self) -> None:
        value = "".join(self._value or ())
        if value or self._inline or self._formula is not None:
            self._filled = True
        if self._formula is None:
            return
        formula = "".join(self._formula)
        if formula and not _FORMULA.match(formula):
            self.sheet.texts.setdefault(self._row, {})[self._column] = "=" + formula
        elif not value and self._kind != "str":
            self.sheet.missing.setdefault(self._row, set()).add(self._column)


def _column_of(place: str) -> int:
    """Return the number of a column, from 0: 27 for ``AB12``."""
    number = 0
    for letter in place.rstrip("0123456789"):
        number = number * 26 + ord(letter.upper()) - ord("A") + 1
    return number - 1
