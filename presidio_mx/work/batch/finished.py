"""A batch that is complete: how it was made, its rows and their risk, its notes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from presidio_mx.errors import InputError
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.batch.cells import known_of
from presidio_mx.work.batch.chunk import Source
from presidio_mx.work.batch.columns import Columns, is_cell_kind
from presidio_mx.work.batch.document_files import FileNote
from presidio_mx.work.batch.files import beside, digest_of
from presidio_mx.work.batch.formats import Reading, kind_of_input, open_source
from presidio_mx.work.batch.text_files import FolderSource
from presidio_mx.work.batch.work import place_of
from presidio_mx.work.documents.deidentify import whole_text
from presidio_mx.work.documents.read import open_document

AUDIT = "audit.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an audit.

    :param number: Its running number in the input.
    :param risk: Probability that something which identifies somebody is left in it;
        None where it failed or its risk is not known.
    :param place: Its running number in the output; None where it is left out.
    :param failed: Whether it failed, so that the output has a blank for it.
    """

    number: int
    risk: float | None
    place: int | None = None
    failed: bool = False

    def may_go(self, bound: float) -> bool:
        """Tell whether the row may be released unread.

        :param bound: Risk below which it may.
        """
        return self.risk is not None and self.risk < bound


@dataclass(frozen=True, repr=False)
class Note:
    """A note of a batch as it was read.

    :param id: What a person knows it by: the path of a file, the number of a row, with
        the column where there are several with notes.
    :param place: Its row and which note of the row it is, as the run counts.
    :param row: Its row in the audit.
    :param cell: What the cell holds; nothing of a file that keeps its form.
    :param known: The patient's own data.
    :param file: The file, where it keeps its form.
    :param encoding: Encoding of the file, if the user said it.
    """

    id: str
    place: str
    row: Row
    cell: str
    known: Mapping[str, list[str]]
    file: Path | None = None
    encoding: str | None = None

    @cached_property
    def text(self) -> str:
        """Its text, as it was de-identified; of a file, all texts in it.

        :raises InputError: If the file cannot be read.
        """
        if self.file is None:
            return mend(self.cell).text
        return whole_text(open_document(self.file, self.encoding))


@dataclass(frozen=True, repr=False)
class Finished:
    """A batch that is complete.

    :param output: What it wrote.
    :param audit: Its audit file.
    :param header: How it was made.
    :param rows: Its rows, in their order.
    """

    output: Path
    audit: Path
    header: Mapping[str, Any]
    rows: tuple[Row, ...]

    @property
    def source(self) -> Path:
        """The input, by the way from the output to it.

        :raises InputError: If it was standard input.
        """
        way = self.header.get("source")
        if not isinstance(way, str):
            raise InputError(
                f"{self.audit}: does not say where the originals are; a batch of "
                "standard input cannot be reviewed"
            )
        return self.audit.parent / way

    @property
    def columns(self) -> Columns:
        """What its columns are for."""
        kept: dict[str, Any] = self.header["columns"]
        lists = {name: tuple(kept[name]) for name in ("text", "keep", "drop")}
        return Columns(**(kept | lists))

    @property
    def reading(self) -> Reading:
        """How its input was read."""
        return Reading(**self.header.get("reading", {}))

    def check_input(self) -> None:
        """Refuse an input that is not the one that was read.

        :raises InputError: If it is gone, or was changed.
        """
        source = self.source
        if not source.exists():
            raise InputError(f"{source}: no such file or folder")
        if digest_of(source, own=True) != self.header.get("input"):
            raise InputError(
                f"{source}: was changed since the batch {self.output} was made; "
                "put the input back as it was, or repeat the batch"
            )

    def notes(self) -> Iterator[Note]:
        """Yield the notes that did not fail."""
        columns = self.columns
        source = open_source(self.source, kind_of_input(self.source), self.reading)
        names = self.names(source)
        kinds = tuple(columns.known.values())
        searched = [at for at, kind in enumerate(kinds) if not is_cell_kind(kind)]
        rows = {row.number: row for row in self.rows}
        for chunk in source.chunks(columns):
            for number, cells in enumerate(chunk.cells, start=chunk.first):
                if number not in rows or rows[number].failed:
                    continue
                known = known_of(
                    [kinds[at] for at in searched], [cells.known[at] for at in searched]
                )
                for at, cell in enumerate(cells.texts):
                    id_ = names[number - 1] if names else str(number)
                    file = self.source / id_ if isinstance(cell, FileNote) else None
                    if file is None and not isinstance(cell, str):
                        continue
                    if len(cells.texts) > 1:
                        id_ = f"{number} {columns.text[at]}"
                    place = place_of(number, at + 1)
                    yield Note(
                        id_,
                        place,
                        rows[number],
                        "" if file else cell,
                        known,
                        file,
                        self.reading.encoding,
                    )

    @staticmethod
    def names(source: Source) -> Sequence[str]:
        """Return the paths of a folder's notes; nothing for a table."""
        return source.names.own if isinstance(source, FolderSource) else ()


def is_finished(path: Path) -> bool:
    """Tell whether something is the output of a batch."""
    return bool(path.name) and path.exists() and beside(path, AUDIT).is_file()


def read_finished(path: Path) -> Finished:
    """Read the audit of a batch.

    :param path: The output of the run, or its audit file.
    :raises InputError: If the audit is missing, cannot be read, or is of a run that is
        not complete.
    """
    if not path.name:
        raise InputError("an empty path; give the output of presidio-mx batch")
    output, audit = path, beside(path, AUDIT)
    if path.name.endswith(AUDIT):
        output, audit = path.with_name(path.name.removesuffix(f".{AUDIT}")), path
    header: dict[str, Any] = {}
    rows = []
    try:
        with open(audit, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if "row" in record:
                    number, place = int(record["row"]), record.get("output")
                    failed = "failed" in record
                    rows.append(Row(number, record.get("risk"), place, failed))
                elif record.get("kind") == "run":
                    header = header or record
    except FileNotFoundError:
        raise InputError(
            f"{audit}: no such file; give the output of presidio-mx batch"
        ) from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{audit}: not the audit of a batch run") from None
    return Finished(output, audit, header, tuple(rows))


def riskiest_first(row: Row) -> float:
    """Sort rows by their risk; a row whose risk is not known comes first.

    :param row: A row.
    """
    return -(2.0 if row.risk is None else row.risk)


def expected_leaks(rows: Sequence[Row]) -> float:
    """Return how many of some rows are expected to keep something.

    :param rows: Rows with a risk.
    """
    return sum(row.risk or 0.0 for row in rows)
