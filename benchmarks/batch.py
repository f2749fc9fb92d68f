"""Batch runs: rate, memory, workers and growth.

usage: python benchmarks/batch.py NOTES [--rows 1000 10000] [--workers 1 2]
           [--operators surrogate] [--ner none] [--megabytes 10 1000]

NOTES is a corpus (``samples/corpus/dev/a_hospital.jsonl``), from which tables of so
many rows are drawn by repetition, with some other digits in each, so that hardly two
notes are alike. Every run is a process of its own; memory is the peak of the parent and
of its largest worker, read from /proc, as are processor seconds, which other
programs disturb little. With --megabytes, tables of that size are made
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
import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.work.batch.files import beside

_WIDE = 19_500
DIGIT = re.compile(r"\d")
RUN = """
import sys
from pathlib import Path
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.job import Job
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings

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
    :param parent_cpu: Processor seconds of the parent.
    :param worker_cpu: Processor seconds of all workers.
    """

    seconds: float
    work: float
    parent: float
    worker: float
    parent_cpu: float
    worker_cpu: float


def read_notes(corpus: Path) -> list[str]:
    """Return the notes without their marks."""
    return [note.text for note in read_corpus(corpus).notes]


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


@dataclass
class Watch:
    """Peak memory in MB and processor seconds of a process and its children, by id."""

    parent: int
    memory: dict[int, float] = field(default_factory=dict)
    processor: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        """Read what /proc says now; processes may end at any time."""
        children = Path(f"/proc/{self.parent}/task/{self.parent}/children")
        try:
            pids = [self.parent, *map(int, children.read_text().split())]
        except OSError:
            return
        for pid in pids:
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            for line in status.splitlines():
                if line.startswith("VmHWM"):
                    self.memory[pid] = int(line.split()[1]) / 1024
            ticks = int(times[11]) + int(times[12])
            self.processor[pid] = ticks / os.sysconf("SC_CLK_TCK")

    def of_workers(self, values: dict[int, float]) -> list[float]:
        """Return the values of the children."""
        return [value for pid, value in values.items() if pid != self.parent]


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
    environment = {"PRESIDIO_MX_KEY": "7d3a9c51e8f04b62a1c5d97e3f286b04"} | os.environ
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True
    )
    watch = Watch(process.pid)
    while process.poll() is None:
        watch.look()
        time.sleep(0.2)
    seconds = time.perf_counter() - begin
    if process.returncode or process.stdout is None:
        sys.exit(f"the run ended with {process.returncode}")
    return Measured(
        seconds,
        float(process.stdout.read()),
        watch.memory[process.pid],
        max(watch.of_workers(watch.memory)),
        watch.processor[process.pid],
        sum(watch.of_workers(watch.processor)),
    )


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
        "table",
        "MB",
        "words",
        "workers",
        "s",
        "rows/s",
        "parent MB",
        "worker MB",
        "parent CPU s",
        "workers CPU s",
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
                    f"{words:.0f}",
                    str(workers),
                    f"{took.seconds:,.1f}",
                    f"{rows / took.work:,.0f}",
                    f"{took.parent:,.0f}",
                    f"{took.worker:,.0f}",
                    f"{took.parent_cpu:,.1f}",
                    f"{took.worker_cpu:,.1f}",
                )
                output.unlink()
                beside(output, "audit.jsonl").unlink()
            source.unlink()
    Console().print(table)


if __name__ == "__main__":
    main()
