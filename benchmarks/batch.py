"""Batch runs: rate, memory, workers and growth.

usage: python benchmarks/batch.py NOTES [--rows 1000 10000] [--workers 1 2]
           [--operators surrogate] [--ner none] [--megabytes 10 1000]

NOTES is a folder of .txt notes (inline marks are taken out), from which tables of so
many rows are drawn by repetition, with some other digits in each, so that hardly two
notes are alike. Every run is a process of its own; memory is the peak of the parent and
of its largest worker, read from /proc. With --megabytes, tables of that size are made
with a column of 20 kB that passes through, to see whether memory stays flat.
"""

import argparse
import csv
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

MARK = re.compile(r"\{\{[A-Z_]+(?::[a-z]+)?\|(.*?)\}\}", re.S)
_WIDE = 19_500
DIGIT = re.compile(r"\d")
RUN = """
import sys
from pathlib import Path
from presidio_mx.batch.columns import Columns
from presidio_mx.batch.job import Job
from presidio_mx.batch.run import run
from presidio_mx.batch.work import Settings

if __name__ == "__main__":
    source, output, operators, ner, workers = sys.argv[1:]
    columns = Columns(text=("nota",), id="nss", keep=("ancha",))
    settings = Settings(operators, ner=ner)
    job = Job(source, Path(output), lambda _: columns, settings, workers=int(workers))
    print(run(job).totals.seconds)
"""


@dataclass(frozen=True)
class Measured:
    """What a run took.

    :param seconds: From start to end, engines included.
    :param work: Seconds of reading, work and writing alone.
    :param parent: Peak memory of the parent, in MB.
    :param worker: Peak memory of the largest worker, in MB.
    """

    seconds: float
    work: float
    parent: float
    worker: float


def read_notes(folder: Path) -> list[str]:
    """Return the notes without their marks."""
    files = sorted(folder.rglob("*.txt"))
    return [MARK.sub(r"\1", file.read_text(encoding="utf-8-sig")) for file in files]


def write_table(path: Path, notes: list[str], rows: int, wide: int = 0) -> float:
    """Write a table of notes; return the mean number of words."""
    dice = random.Random(1)
    words = 0
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["nss", "ancha", "nota"])
        for number in range(rows):
            digits = f"{dice.randrange(10**18):018d}" * 20
            turn = iter(digits)
            note = DIGIT.sub(
                lambda old, turn=turn: (
                    next(turn, old[0]) if dice.random() < 0.3 else old[0]
                ),
                dice.choice(notes),
            )
            words += len(note.split())
            writer.writerow([number // 3, "x" * wide, note])
    return words / rows


def peaks(process: "subprocess.Popen[str]") -> Iterator[tuple[float, float]]:
    """Yield peak memory of a process and of its largest child, while it runs."""
    while process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            pids = children.read_text().split()
        except OSError:
            return
        yield peak(str(process.pid)), max(map(peak, pids), default=0.0)
        time.sleep(0.5)


def peak(pid: str) -> float:
    """Return the peak memory of a process, in MB."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def measure(
    source: Path, output: Path, given: argparse.Namespace, workers: int
) -> Measured:
    """Run a batch in a process of its own."""
    command = [
        sys.executable,
        str(output.parent / "program.py"),
        str(source),
        str(output),
    ]
    command += [given.operators, given.ner, str(workers)]
    environment = {"PRESIDIO_MX_KEY": "0123456789abcdef0123456789abcdef"} | os.environ
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True
    )
    seen: list[tuple[float, float]] = []
    watcher = threading.Thread(target=lambda: seen.extend(peaks(process)))
    watcher.start()
    out, _ = process.communicate()
    seconds = time.perf_counter() - begin
    watcher.join()
    if process.returncode:
        sys.exit(f"the run ended with {process.returncode}")
    parents, largest = zip(*seen, strict=True)
    return Measured(seconds, float(out), max(parents), max(largest))


def main() -> None:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--operators", default="surrogate")
    parser.add_argument("--ner", default="none")
    parser.add_argument("--megabytes", type=int, nargs="*", default=[])
    given = parser.parse_args()
    notes = read_notes(given.notes)
    table = Table(
        "table", "MB", "workers", "s", "rows/s", "parent MB", "worker MB", "words"
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "program.py").write_text(RUN)
        plans = [(rows, 0) for rows in given.rows]
        plans += [(megabytes * 50, _WIDE) for megabytes in given.megabytes]
        for rows, wide in plans:
            source = place / f"{rows}-{wide}.csv"
            words = write_table(source, notes, rows, wide)
            size = source.stat().st_size / 1e6
            for workers in given.workers:
                output = place / f"{rows}-{wide}-{workers}-out.csv"
                took = measure(source, output, given, workers)
                table.add_row(
                    f"{rows:,} rows",
                    f"{size:,.1f}",
                    str(workers),
                    f"{took.seconds:,.1f}",
                    f"{rows / took.work:,.0f}",
                    f"{took.parent:,.0f}",
                    f"{took.worker:,.0f}",
                    f"{words:.0f}",
                )
                output.unlink()
            source.unlink()
    Console().print(table)


if __name__ == "__main__":
    main()
