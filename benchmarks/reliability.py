"""Damaged archives: tell whether anything is lost, or anything crashes.

usage: python benchmarks/reliability.py [--files 1000] [--seed 1] [--keep FOLDER]

Tables of invented notes are written as CSV, JSON Lines, Excel, Parquet and folders, in
several encodings, and damaged as archives are: bytes changed, cut out, doubled, quotes,
delimiters, line ends and NULs thrown in, the end cut off. Each is de-identified by a
batch run (rules alone). A run must end with counts that agree, with the input and with
the output as another reader counts it, or with one sentence; the sentence, the errors
and the audit must show nothing of a note. --keep saves the files that break this.
"""

import argparse
import csv
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet
from rich.console import Console
from rich.table import Table

from presidio_mx.errors import PresidioMxError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.job import Job, Summary
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings

NAMES = ("Tzintia Paz Reyes", "José Ángel Muñoz", "María Peña Núñez", "RUBÉN ÑAÑEZ")
NOTES = (
    'Paciente {name}, refiere "cefalea", niega alergias.',
    "Sr. {name}\nacude por tos, fiebre;\ntel. 443 312 4567",
    "Sra. {name}: egresa a Uruapan, Mich., 38.5 °C",
    "",
    "niega todo",
)
ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "cp1252", "cp850", "utf-16", "mac_roman")
THROWN = (b'"', b'""', b",", b";", b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"\x1a")
Rows = list[tuple[str, str]]


def make_rows(dice: random.Random) -> Rows:
    """Return a table of 5 to 40 rows."""
    return [
        (f"MX-{number}", dice.choice(NOTES).format(name=dice.choice(NAMES)))
        for number in range(dice.randint(5, 40))
    ]


def write_csv(path: Path, rows: Rows, dice: random.Random) -> None:
    with open(path, "w", encoding=dice.choice(ENCODINGS), newline="") as file:
        writer = csv.writer(file, delimiter=dice.choice(",;\t"))
        writer.writerows([("folio", "nota"), *rows])


def write_jsonl(path: Path, rows: Rows, dice: random.Random) -> None:
    ascii_only = dice.random() < 0.5
    lines = (
        json.dumps({"folio": folio, "nota": note}, ensure_ascii=ascii_only)
        for folio, note in rows
    )
    path.write_text("\n".join(lines), encoding=dice.choice(ENCODINGS), newline="")


def write_excel(path: Path, rows: Rows, dice: random.Random) -> None:
    book = openpyxl.Workbook()
    for row in [("folio", "nota"), *rows]:
        book.active.append(row if dice.random() < 0.95 else ())
    book.save(path)


def write_parquet(path: Path, rows: Rows, dice: random.Random) -> None:
    folios, notes = zip(*rows, strict=True)
    table = pyarrow.table({"folio": folios, "nota": notes})
    pyarrow.parquet.write_table(table, path, row_group_size=dice.randint(1, 20))


WRITERS: dict[str, Callable[[Path, Rows, random.Random], None]] = {
    ".csv": write_csv,
    ".jsonl": write_jsonl,
    ".xlsx": write_excel,
    ".parquet": write_parquet,
}


def damage(data: bytes, dice: random.Random) -> bytes:
    """Damage a file in up to four places."""
    for _ in range(dice.choice((0, 1, 1, 2, 4))):
        at = dice.randrange(len(data) + 1)
        size = dice.choice((1, 1, 3, 40))
        data = dice.choice(
            (
                data[:at] + dice.choice(THROWN) + data[at:],
                data[:at] + dice.randbytes(1) + data[at + 1 :],
                data[:at] + data[at + size :],
                data[: at + size] + data[at:],
                data[: max(at, 20)] if dice.random() < 0.2 else data,
            )
        )
    return data


def rows_of(path: Path) -> int:
    """Count the rows of an output by readers that are not ours."""
    if path.suffix == ".csv":
        csv.field_size_limit(2**31 - 1)
        with open(path, encoding="utf-8", errors="surrogatepass", newline="") as file:
            delimiter = max(",;\t|", key=file.readline().count)
            file.seek(0)
            return sum(1 for row in csv.reader(file, delimiter=delimiter) if row) - 1
    if path.suffix == ".jsonl":
        lines = path.read_text(encoding="utf-8").split("\n")
        return sum(isinstance(json.loads(line), dict) for line in lines if line)
    if path.suffix == ".xlsx":
        return int(openpyxl.load_workbook(path).active.max_row) - 1
    return int(pyarrow.parquet.read_table(path).num_rows)


def faults_of(summary: Summary) -> list[str]:
    """Return what is wrong with a run that ended well."""
    totals = summary.totals
    faults = []
    if totals.read != totals.written + totals.failed + totals.skipped:
        faults.append("the counts do not agree")
    if rows_of(summary.output) != totals.rows:
        faults.append("another reader counts other rows in the output")
    for path in (summary.audit, summary.errors):
        if path and any(word in path.read_text("utf-8") for word in ("Paz", "niega")):
            faults.append(f"{path.name} shows a note")
    return faults


def attempt(source: Path, output: Path) -> tuple[str, list[str]]:
    """De-identify a file; return how it ended and what is wrong with that."""
    columns = Columns(text=("nota",), keep=("folio",))
    settings = Settings(ner="none")
    try:
        summary = run(Job(source, output, lambda _: columns, settings, workers=0))
    except PresidioMxError as error:
        wrong = "\n" in str(error) or any(name in str(error) for name in NAMES)
        return "refused", ["the sentence is none"] if wrong else []
    except Exception as error:  # what must not happen
        return "crashed", [f"{type(error).__name__}"]
    ended = "some rows failed" if summary.totals.failed else "done"
    return ended, faults_of(summary)


def main() -> None:
    """Damage, run, count; print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    ends: Counter[tuple[str, str]] = Counter()
    faults: Counter[str] = Counter()
    for number in range(given.files):
        ending = dice.choice(tuple(WRITERS))
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / f"in{ending}"
            WRITERS[ending](source, make_rows(dice), dice)
            source.write_bytes(damage(source.read_bytes(), dice))
            ended, wrong = attempt(source, Path(folder) / f"out{ending}")
            ends[ending, ended] += 1
            faults.update(wrong)
            if wrong and given.keep:
                given.keep.mkdir(exist_ok=True)
                shutil.copy(source, given.keep / f"{number}{ending}")
    table = Table("format", "done", "some rows failed", "refused", "crashed")
    for ending in WRITERS:
        row = [ends[ending, str(column.header)] for column in table.columns[1:]]
        table.add_row(ending, *(f"{value:,}" for value in row))
    Console().print(table)
    for fault, times in faults.items():
        print(f"{fault}: {times:,}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
