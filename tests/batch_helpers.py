"""What the tests of batch runs share."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from presidio_mx.work.batch.cells import Cells, Done, failed
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.job import Job
from presidio_mx.work.batch.settings import Settings

KEY = b"7d3a9c51e8f04b62a1c5d97e3f286b04"


def job(source, output: Path, columns: Columns | None = None, **more) -> Job:
    columns = columns or Columns(text=("nota",), keep=("folio",))
    settings = more.pop("settings", Settings(ner="none"))
    more.setdefault("workers", 0)
    return Job(source, output, lambda _: columns, settings, **more)


def shout(settings: Settings, cells: Cells) -> Done:
    """De-identify in no time: capitals; a note with "fallo" fails."""
    if cells.problem:
        return failed(cells.problem)
    texts = [text or "" for text in cells.texts]
    if any("fallo" in text for text in texts):
        return failed("broken on purpose")
    new = tuple(text.upper() for text in texts)
    return Done(new, entities={"PERSON": 1}, operators={"tag": 1})


def use_shout(monkeypatch, process: Callable[[Settings, Cells], Done] = shout) -> None:
    """Put quick work in the place of the engines."""
    monkeypatch.setattr("presidio_mx.work.batch.workers.process", process)
    monkeypatch.setattr("presidio_mx.work.batch.workers.warm_up", lambda settings: None)
    monkeypatch.setattr(
        "presidio_mx.work.batch.workers.model_hashes", lambda preset, ner: {}
    )


def write_csv(path: Path, rows: Sequence[Sequence[object]], **how) -> Path:
    encoding = how.pop("encoding", "utf-8")
    with open(path, "w", encoding=encoding, newline="") as file:
        csv.writer(file, **how).writerows(rows)
    return path


def read_csv(path: Path, **how) -> list[list[str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, **how))


def read_jsonl(path: Path) -> list[dict[str, object]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
