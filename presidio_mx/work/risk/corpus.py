"""Read a corpus as a stream: one entry a patient, or a note without one."""

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.errors import ConfigurationError, InputError, PresidioMxError
from presidio_mx.processes import thread_limit
from presidio_mx.work.batch.cells import Cells, as_text
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.formats import Reading, kind_of_input, open_source
from presidio_mx.work.batch.text_files import COLUMN
from presidio_mx.work.batch.workers import begin_worker
from presidio_mx.work.risk.population import Ages, Place
from presidio_mx.work.risk.quasi import CELLS, Quasi, Wanted, quasi_of

_AHEAD = 3


@dataclass(frozen=True)
class Named:
    """The columns of a corpus.

    :param text: Columns with notes.
    :param id: The patient.
    :param cells: Pairs of what a column holds (see ``quasi.CELLS``) and its name.
    """

    text: tuple[str, ...] = ()
    id: str | None = None
    cells: tuple[tuple[str, str], ...] = ()

    def checked(self, available: Sequence[str], where: Path) -> "Named":
        """Return the columns, those of a folder of notes included.

        :param available: Columns of the input.
        :param where: The input, for the error.
        :raises ConfigurationError: If one is not there, or none was named.
        """
        text = self.text or ((COLUMN,) if tuple(available) == (COLUMN,) else ())
        named = [*text, *(name for _, name in self.cells)]
        for name in [*named, *([] if self.id is None else [self.id])]:
            if name not in available:
                raise ConfigurationError(
                    f"{where}: no column {name!r}; the columns are "
                    f"{', '.join(available)}"
                )
        if not named:
            raise ConfigurationError(
                f"{where}: name the column with notes (--text), or those with age, "
                f"sex, place, dates or codes; the columns are {', '.join(available)}"
            )
        return Named(text, self.id, self.cells)


@dataclass(slots=True)
class Unit:
    """A patient, or a note of nobody known.

    :param row: Number of its first row.
    :param notes: How many rows it has.
    :param age: Ages that the youngest of its rows may mean.
    :param sex: Its sex.
    :param place: Its state and municipality.
    :param dates: All its dates.
    :param diagnoses: All its ICD-10 categories.
    """

    row: int
    notes: int = 0
    age: Ages | None = None
    sex: str = ""
    place: Place = ("", "")
    dates: frozenset[str] = frozenset()
    diagnoses: frozenset[str] = frozenset()

    def add(self, quasi: Quasi) -> None:
        """Add a row.

        :param quasi: What it tells.
        """
        self.notes += 1
        ages = [age for age in (self.age, quasi.age) if age is not None]
        self.age = min(ages, default=None)
        self.sex = self.sex or quasi.sex
        # A municipality says more than a state.
        self.place = max(self.place, quasi.place, key=_telling)
        self.dates |= frozenset(quasi.dates)
        self.diagnoses |= frozenset(quasi.diagnoses)


def _telling(place: Place) -> tuple[bool, bool]:
    return bool(place[1]), bool(place[0])


@dataclass
class Corpus:
    """What was read.

    :param units: Patients or notes, in the order of their first rows.
    :param rows: How many rows there are.
    :param unread: How many of them could not be read.
    :param patients: Whether a column names the patients.
    """

    units: list[Unit] = field(default_factory=list)
    rows: int = 0
    unread: int = 0
    patients: bool = False


def read_corpus(
    path: Path,
    named: Named,
    wanted: Wanted,
    reading: Reading | None = None,
    workers: int = 1,
) -> Corpus:
    """Read the quasi-identifiers of a corpus.

    :param path: A folder of notes or a table, as ``presidio-mx batch`` takes them.
    :param named: Its columns.
    :param wanted: Rules by which notes are read; its cells are taken from ``named``.
    :param reading: Encoding, delimiter and sheet, where the user says them.
    :param workers: Processes that read notes; cells alone are read in this one.
    :return: The corpus; nothing of any text or identifier is kept.
    :raises PresidioMxError: If it cannot be read, or a column is not there.
    """
    source = open_source(path, kind_of_input(path), reading or Reading())
    named = named.checked(source.columns, path)
    cells = tuple(kind for kind, _ in named.cells)
    wanted = Wanted(cells, bool(named.text), wanted.preset, wanted.site)
    # The batch's readers want a text; a kind of known data says nothing here.
    columns = Columns(
        text=named.text or (named.cells[0][1],),
        known={name: "code" for _, name in named.cells[0 if named.text else 1 :]},
        id=named.id,
    )
    corpus = Corpus(patients=named.id is not None)
    known: dict[str, Unit] = {}
    chunks = (chunk.cells for chunk in source.chunks(columns))
    for rows in _work(wanted, chunks, workers if wanted.from_notes else 0):
        for patient, quasi in rows:
            corpus.rows += 1
            if quasi is None:
                corpus.unread += 1
                continue
            unit = known.get(patient) if patient else None
            if unit is None:
                unit = Unit(corpus.rows)
                corpus.units.append(unit)
                if patient:
                    known[patient] = unit
            unit.add(quasi)
    if not corpus.units:
        raise InputError(f"{path}: no row that can be read")
    _settle_sexes(corpus.units)
    return corpus


Row = tuple[str, Quasi | None]


def _work(
    wanted: Wanted, chunks: Iterator[Sequence[Cells]], workers: int
) -> Iterator[list[Row]]:
    """Yield what is read of each chunk, in order, by other processes if there are."""
    if not workers:
        for cells in chunks:
            yield read_rows(wanted, cells)
        return
    context = multiprocessing.get_context("spawn")
    with (
        thread_limit(workers),
        ProcessPoolExecutor(workers, context, begin_worker, (os.getpid(),)) as pool,
    ):
        waiting: deque[Future[list[Row]]] = deque()
        for cells in chunks:
            waiting.append(pool.submit(read_rows, wanted, cells))
            if len(waiting) > _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def read_rows(wanted: Wanted, rows: Sequence[Cells]) -> list[Row]:
    """Return the patient and the quasi-identifiers of some rows.

    :param wanted: Where they stand.
    :param rows: The rows.
    :return: None in the place of one that cannot be read.
    """
    return [(as_text(row.id).strip(), _read(wanted, row)) for row in rows]


def _read(wanted: Wanted, row: Cells) -> Quasi | None:
    if row.problem:
        return None
    notes, cells = row.texts, row.known
    if not wanted.notes:  # the first cell stands in the place of a text
        notes, cells = (), row.texts + row.known
    try:
        return quasi_of(wanted, notes, cells)
    except PresidioMxError:
        return None


def _settle_sexes(units: Sequence[Unit]) -> None:
    """Say F and M alone: beside H (hombre), M is a woman."""
    sexes = {unit.sex for unit in units}
    if "H" in sexes:
        women = "F" if "F" not in sexes else "M"
        meant = {"H": "M", "M": women, "F": "F", "": ""}
        for unit in units:
            unit.sex = meant[unit.sex]


def cells_of(**columns: str | Sequence[str] | None) -> tuple[tuple[str, str], ...]:
    """Return what the columns of a table hold.

    :param columns: What (see ``quasi.CELLS``) to one or several names.
    """
    pairs = []
    for kind in CELLS:
        names = columns.get(kind) or ()
        for name in (names,) if isinstance(names, str) else names:
            pairs.append((kind, name))
    return tuple(pairs)
