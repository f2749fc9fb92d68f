"""Going on: only with the same input and options, and never two runs at once."""

import errno
import os
import shutil
import subprocess
import sys
import time

import pytest
from batch_helpers import KEY, job, read_csv, read_jsonl, use_shout, write_csv

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.formats import Reading
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.workspace import Workspace

HEADER = ["folio", "nota"]
ROWS = [[str(number), f"nota {number}"] for number in range(12)]
KEPT = Columns(text=("nota",), keep=("folio",))


class StopError(BaseException):
    """The run is interrupted."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    use_shout(monkeypatch)
    monkeypatch.setattr("presidio_mx.work.batch.chunk.ROWS", 3)
    monkeypatch.setattr("presidio_mx.work.batch.run.CHECKPOINT_SECONDS", -1.0)


def interrupt(monkeypatch, task):
    def stop(settings, cells):
        if cells.texts[0] == "nota 7":
            raise StopError
        return Done(tuple(text.upper() for text in cells.texts))

    with monkeypatch.context() as patch:
        use_shout(patch, stop)
        with pytest.raises(StopError):
            run(task)


@pytest.fixture
def source(tmp_path):
    return write_csv(tmp_path / "in.csv", [HEADER, *ROWS])


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0,nota 0", "9,nota 0"),  # a column that passes by
        ("11,nota 11", "11,nota 12"),  # a row that was not reached
        ("11,nota 11", "11,nota 11\n12,nota 12"),
        ("folio,nota", "folio,nota\n"),
    ],
)
def test_a_changed_input_is_refused(source, tmp_path, monkeypatch, old, new):
    interrupt(monkeypatch, job(source, tmp_path / "out.csv"))
    change(source, old, new)
    with pytest.raises(InputError, match="not the input.*--force") as error:
        run(job(source, tmp_path / "out.csv", resume=True))
    assert "\n" not in str(error.value)


OTHERS = [
    {"settings": Settings("redact", ner="none")},
    {"settings": Settings(ner="none", seconds=5.0)},
    {"settings": Settings(ner="none", people="patient_and_relatives")},
    {"settings": Settings("surrogate", Key(KEY), ner="none")},
    {"reading": Reading(delimiter=",")},
    {"reading": Reading(encoding="cp1252")},
    {"on_error": "skip"},
    {"columns": Columns(text=("nota",), drop=("folio",))},
]


@pytest.mark.parametrize("other", OTHERS)
def test_other_options_are_refused(source, tmp_path, monkeypatch, other):
    interrupt(monkeypatch, job(source, tmp_path / "out.csv"))
    with pytest.raises(ConfigurationError, match="other options.*--force"):
        run(job(source, tmp_path / "out.csv", **other, resume=True))
    assert len(read_csv(run(job(source, tmp_path / "out.csv", resume=True)).output))


@pytest.mark.parametrize("other", OTHERS)
def test_a_complete_run_is_not_taken_for_another(source, tmp_path, other):
    out = tmp_path / "out.csv"
    run(job(source, out))
    before = out.read_bytes()
    with pytest.raises(ConfigurationError, match="is complete, and was made with"):
        run(job(source, out, **other, resume=True))
    assert out.read_bytes() == before
    assert run(job(source, out, resume=True)).totals.rows == 12
    change(source, "nota 3", "otra 3")
    with pytest.raises(ConfigurationError, match="another input"):
        run(job(source, out, resume=True))
    assert out.read_bytes() == before


def test_kept_columns_of_a_stream_count(tmp_path, monkeypatch):
    import io

    def stdin(folio):
        rows = "".join(f"{folio},nota {number}\n" for number in range(12))
        data = io.BytesIO(f"folio,nota\n{rows}".encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))

    stdin("a")
    interrupt(monkeypatch, job("-", tmp_path / "out.csv"))
    stdin("b")
    with pytest.raises(InputError, match="not the input"):
        run(job("-", tmp_path / "out.csv", resume=True))
    stdin("a")
    assert run(job("-", tmp_path / "out.csv", resume=True)).totals.rows == 12


def test_two_formats_of_one_name_do_not_share_their_audit(source, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"folio": 1, "nota": "tos"}\n')
    run(job(source, tmp_path / "out.csv"))
    run(job(tmp_path / "in.jsonl", tmp_path / "out.jsonl"))
    assert read_jsonl(tmp_path / "out.csv.audit.jsonl")[-1]["rows"] == 12
    assert read_jsonl(tmp_path / "out.jsonl.audit.jsonl")[-1]["rows"] == 1


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
@pytest.mark.parametrize("step", ["mkdtemp", "Path.write_bytes"])
def test_a_folder_that_cannot_be_written(source, tmp_path, monkeypatch, code, step):
    def closed(*_, **__):
        raise OSError(code, os.strerror(code), str(tmp_path))

    monkeypatch.setattr(f"presidio_mx.work.batch.workspace.{step}", closed)
    with pytest.raises(InputError, match="another folder") as error:
        run(job(source, tmp_path / "out.csv"))
    assert "\n" not in str(error.value)
    assert os.listdir(tmp_path) == ["in.csv"]


def test_a_folder_that_is_lost(source, tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()

    def lose(settings, cells):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        return Done(cells.texts)

    use_shout(monkeypatch, lose)
    with pytest.raises(InputError, match="No such file or directory") as error:
        run(job(source, tmp_path / "out" / "out.csv"))
    assert "\n" not in str(error.value)


def test_an_input_that_is_lost(source, tmp_path, monkeypatch):
    real = Columns.check

    def lose(self, available, where):
        source.unlink()
        return real(self, available, where)

    monkeypatch.setattr(Columns, "check", lose)
    with pytest.raises(InputError, match=r"in\.csv: No such file"):
        run(job(source, tmp_path / "out.csv"))


def test_a_link_that_was_planted_is_refused(source, tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "out.csv.presidio-mx").symlink_to(tmp_path / "mine")
    (tmp_path / "new.csv.presidio-mx").mkdir()
    (tmp_path / "new.csv.presidio-mx" / "lock").symlink_to(tmp_path / "mine")
    for name in ("out.csv", "new.csv"):
        with pytest.raises(ConfigurationError, match="not made by a run"):
            run(job(source, tmp_path / name))
    assert (tmp_path / "mine").read_text() == "mine"


def test_what_grows_is_private_and_what_is_complete_is_not(
    source, tmp_path, monkeypatch
):
    interrupt(monkeypatch, job(source, tmp_path / "out.csv"))
    grown = tmp_path / "out.csv.presidio-mx"
    for path in (grown, *grown.glob("[!l]*")):
        assert path.stat().st_mode & 0o077 == 0, path.name
    mask = os.umask(0o022)
    try:
        summary = run(job(source, tmp_path / "out.csv", resume=True))
    finally:
        os.umask(mask)
    assert summary.output.stat().st_mode & 0o777 == 0o644


def test_the_lock_of_a_run_that_just_ended_is_no_lock(tmp_path):
    pytest.importorskip("fcntl")
    out = tmp_path / "out.csv"
    first = Workspace(out).__enter__()
    with pytest.raises(ConfigurationError, match="another run"):
        Workspace(out).__enter__()
    first.folder.rename(tmp_path / "gone")  # as its end does
    with Workspace(out) as second:
        first.__exit__()
        assert second.folder.is_dir()
    assert not second.folder.exists()


PROGRAM = """
import sys, time
from pathlib import Path
from presidio_mx.work.batch import run as running, workers
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.job import Job
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.workspace import Workspace
from presidio_mx.errors import PresidioMxError

def slow(settings, cells):
    time.sleep(0.02)
    return Done(tuple(sys.argv[3] for _ in cells.texts))

workers.process, workers.warm_up = slow, lambda settings: None
columns = Columns(text=("nota",), keep=("folio",))
while not Path(sys.argv[4]).exists():
    time.sleep(0.001)
try:
    running.run(Job(sys.argv[1], Path(sys.argv[2]), lambda _: columns,
                    Settings(ner="none"), workers=0))
except PresidioMxError as error:
    sys.exit(str(error))
"""


@pytest.mark.heavy
def test_of_two_runs_on_one_output_one_wins(source, tmp_path):
    pytest.importorskip("fcntl")
    program, go = tmp_path / "program.py", tmp_path / "go"
    program.write_text(PROGRAM)
    command = [sys.executable, program, source, tmp_path / "out.csv"]
    runs = [
        subprocess.Popen([*command, name, go], stderr=subprocess.PIPE, text=True)
        for name in ("uno", "dos", "tres")
    ]
    time.sleep(1.0)
    go.touch()
    said = [process.communicate()[1] for process in runs]
    assert sorted(process.returncode for process in runs) == [0, 1, 1]
    assert sum("another run" in text or "exists already" in text for text in said) == 2
    out = read_csv(tmp_path / "out.csv")
    assert len(out) == 13
    assert len({row[1] for row in out[1:]}) == 1
