"""Whatever interrupts a run, wherever: going on gives what a quiet run gives."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from batch_helpers import job, read_csv, read_jsonl, use_shout, write_csv

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import AppendFile
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.text_files import FolderSink
from presidio_mx.work.batch.workspace import Workspace


class CrashError(BaseException):
    """The machine loses its power."""


class Power:
    """Fail at the n-th thing that is done to the disk."""

    def __init__(self, monkeypatch, error):
        self.left = 0
        self._error = error
        for owner, name in (
            (AppendFile, "open"),
            (AppendFile, "write"),
            (AppendFile, "sync"),
            (Workspace, "save"),
            (FolderSink, "write"),
            (os, "replace"),
            (os, "rename"),
            (os, "link"),
            (os, "rmdir"),
            (Path, "replace"),
            (Path, "rename"),
            (Path, "unlink"),
        ):
            self._wrap(monkeypatch, owner, name)

    def _wrap(self, monkeypatch, owner, name):
        real = getattr(owner, name)

        def counted(*args, **more):
            self.left -= 1
            if self.left == 0:
                raise self._error
            return real(*args, **more)

        monkeypatch.setattr(owner, name, counted)


@pytest.fixture
def quick(monkeypatch):
    """Small chunks, a checkpoint after each, and no engines."""
    use_shout(monkeypatch)
    monkeypatch.setattr("presidio_mx.work.batch.chunk.ROWS", 3)
    monkeypatch.setattr("presidio_mx.work.batch.parquet_files.ROWS", 3)
    monkeypatch.setattr("presidio_mx.work.batch.run.CHECKPOINT_SECONDS", -1.0)


def make_csv(folder):
    rows = [[str(n), "fallo" if n % 5 == 2 else f"nota {n}"] for n in range(11)]
    rows[4] = ["4", "x", "y"]
    return write_csv(folder / "in.csv", [["folio", "nota"], *rows]), "out.csv"


def make_jsonl(folder):
    lines = [f'{{"folio": {n}, "nota": "nota {n}"}}\n' for n in range(11)]
    (folder / "in.jsonl").write_text("".join(lines))
    return folder / "in.jsonl", "out.jsonl"


def make_parquet(folder):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    notes = ["fallo" if n % 5 == 2 else f"nota {n}" for n in range(11)]
    table = pa.table({"folio": range(11), "nota": notes})
    pq.write_table(table, folder / "in.parquet")
    return folder / "in.parquet", "out.parquet"


def make_excel(folder):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["folio", "nota"])
    for number in range(8):
        book.active.append([number, f"nota {number}"])
    book.save(folder / "in.xlsx")
    return folder / "in.xlsx", "out.xlsx"


def make_folder(folder):
    (folder / "in").mkdir()
    for number in range(8):
        text = "fallo" if number == 4 else f"nota {number}"
        (folder / "in" / f"{number}.txt").write_text(text)
    return folder / "in", "out"


def columns_of(name):
    if name == "out":
        return Columns(text=("text",))
    return Columns(text=("nota",), keep=("folio",))


def content(path):
    """What a run left, without times."""
    left = {}
    for file in sorted(path.rglob("*")):
        if file.is_dir() or file.name.endswith(".audit.jsonl"):
            continue
        if file.suffix == ".xlsx":
            import openpyxl

            sheet = openpyxl.load_workbook(file).active
            left[file.name] = list(sheet.iter_rows(values_only=True))
        else:
            left[file.relative_to(path).as_posix()] = file.read_bytes()
    (audit,) = path.glob("*.audit.jsonl")
    rows = read_jsonl(audit)
    left["audit"] = [record["row"] for record in rows if "row" in record]
    # A workbook holds the time at which it was made.
    timed = {"seconds"} | (
        {"output"} if any(".xlsx" in name for name in left) else set()
    )
    left["sums"] = {k: v for k, v in rows[-1].items() if k not in timed}
    return left


# Names that another program may have used for files of its own.
OTHERS = (".partial", ".old", ".state", ".lock", ".new", ".part")
KINDS = [make_csv, make_jsonl, make_parquet, make_excel, make_folder]


FAST = [(make_csv, False), (make_parquet, False), (make_folder, False)]
SLOW = [(make_jsonl, False), (make_excel, False), *((make, True) for make in KINDS)]
MOMENTS = FAST + [pytest.param(*case, marks=pytest.mark.heavy) for case in SLOW]


@pytest.mark.parametrize(("make", "force"), MOMENTS)
def test_power_fails_at_every_single_moment(make, force, tmp_path, monkeypatch, quick):
    source, name = make(tmp_path)
    quiet = tmp_path / "quiet"
    quiet.mkdir()
    columns = columns_of(name)
    for ending in OTHERS:
        (quiet / f"{name}{ending}").write_text("mine")
    run(job(source, quiet / name, columns, on_error="skip"))
    expected = content(quiet)
    power = Power(monkeypatch, CrashError())
    for moment in range(1, 1_000):
        broken = tmp_path / str(moment)
        broken.mkdir()
        for ending in OTHERS:
            (broken / f"{name}{ending}").write_text("mine")
        here = job(source, broken / name, columns, on_error="skip", force=force)
        if force:
            power.left = 0
            run(here)  # an older output is in the way
        power.left = moment
        try:
            run(here)
            break
        except CrashError:
            pass
        power.left = 0
        again = job(source, broken / name, columns, on_error="skip", resume=True)
        if force and not Workspace(broken / name).interrupted:
            continue  # nothing had begun, or all was done: the output is whole
        run(again)
        assert content(broken) == expected, moment
    assert moment > 10


@pytest.mark.parametrize("make", KINDS)
def test_power_fails_again_and_again(make, tmp_path, monkeypatch, quick):
    source, name = make(tmp_path)
    for folder in ("quiet", "broken"):
        (tmp_path / folder).mkdir()
    columns = columns_of(name)
    run(job(source, tmp_path / "quiet" / name, columns))
    power = Power(monkeypatch, CrashError())
    dice = random.Random(7)
    for crashes in range(500):  # noqa: B007 - counted for the assertion
        power.left = dice.randint(1, 40)
        try:
            run(job(source, tmp_path / "broken" / name, columns, resume=True))
            break
        except CrashError:
            pass
    assert crashes > 1
    assert content(tmp_path / "broken") == content(tmp_path / "quiet")


def test_disk_full_is_one_sentence_and_can_go_on(tmp_path, monkeypatch, quick):
    source, name = make_csv(tmp_path)
    out = tmp_path / name
    power = Power(monkeypatch, OSError(errno.ENOSPC, "No space left on device"))
    power.left = 12
    with pytest.raises(InputError, match="No space left on device.*--resume"):
        run(job(source, out))
    assert not out.exists()
    power.left = 0
    run(job(source, out, resume=True))
    assert len(read_csv(out)) == 12


def interrupted(tmp_path, monkeypatch):
    source, name = make_csv(tmp_path)
    power = Power(monkeypatch, CrashError())
    power.left = 30
    with pytest.raises(CrashError):
        run(job(source, tmp_path / name))
    power.left = 0
    assert rows_done(tmp_path / name) > 0
    return source, tmp_path / name


def test_interrupted_run_is_not_begun_anew_by_mistake(tmp_path, monkeypatch, quick):
    source, out = interrupted(tmp_path, monkeypatch)
    with pytest.raises(ConfigurationError, match="--resume"):
        run(job(source, out))
    run(job(source, out, force=True))
    assert len(read_csv(out)) == 12


def test_other_options_do_not_go_on(tmp_path, monkeypatch, quick):
    source, out = interrupted(tmp_path, monkeypatch)
    settings = Settings("redact", ner="none")
    with pytest.raises(ConfigurationError, match="other options"):
        run(job(source, out, resume=True, settings=settings))
    run(job(source, out, resume=True))


def test_another_input_does_not_go_on(tmp_path, monkeypatch, quick):
    source, out = interrupted(tmp_path, monkeypatch)
    source.write_text(source.read_text().replace("nota 0", "otra 0"))
    with pytest.raises(InputError, match="not the input"):
        run(job(source, out, resume=True))


def test_shorter_input_does_not_go_on(tmp_path, monkeypatch, quick):
    source, out = interrupted(tmp_path, monkeypatch)
    source.write_text("folio,nota\n")
    with pytest.raises(InputError, match="not the input"):
        run(job(source, out, resume=True))


def test_resume_of_a_complete_run_changes_nothing(tmp_path, quick):
    source, name = make_csv(tmp_path)
    first = run(job(source, tmp_path / name))
    before = content(tmp_path)
    second = run(job(source, tmp_path / name, resume=True))
    assert second.totals == first.totals
    assert content(tmp_path) == before


def test_two_runs_do_not_write_one_output(tmp_path, quick):
    pytest.importorskip("fcntl")
    source, name = make_csv(tmp_path)
    with Workspace(tmp_path / name):
        with pytest.raises(ConfigurationError, match="another run"):
            run(job(source, tmp_path / name))


PROGRAM = """
import sys
from pathlib import Path
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.job import Job
from presidio_mx.work.batch import run as running
from presidio_mx.work.batch.settings import Settings
if __name__ == "__main__":
    running.CHECKPOINT_SECONDS = 0.05
    columns = Columns(text=("nota",), keep=("folio",))
    settings = Settings("pseudonym", ner="none")
    running.run(Job(sys.argv[1], Path(sys.argv[2]), lambda _: columns, settings,
                    workers=int(sys.argv[3]), resume=True))
"""


# How often a run is killed; docs/reliability.md tells of more.
KILLS = int(os.environ.get("PRESIDIO_MX_KILLS", "3"))
ROWS = 4_000


def rows_done(output):
    """How far the state of a run says it has come."""
    state = Workspace(output).load()
    return state.rows if state else 0


@pytest.mark.heavy
def test_kills_at_random_moments(tmp_path):
    """Kill -9 a real run with two workers; the output is that of a quiet one."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    notes = [f"Paciente Tzintia Paz, tel. 443 312 {n:04d}, tos." for n in range(ROWS)]
    rows = [[str(n), note] for n, note in enumerate(notes)]
    rows[77] = ["77", "x", "y"]
    source = write_csv(tmp_path / "in.csv", [["folio", "nota"], *rows])
    environment = os.environ | {"PRESIDIO_MX_KEY": "7d3a9c51e8f04b62a1c5d97e3f286b04"}

    def start(output, workers):
        command = [sys.executable, program, source, output, str(workers)]
        return subprocess.Popen(command, env=environment, start_new_session=True)

    quiet = tmp_path / "quiet.csv"
    assert start(quiet, 1).wait() == 0
    out = tmp_path / "out.csv"
    dice = random.Random(11)
    for _ in range(KILLS):
        process = start(out, 2)
        # Moments are told by progress, not by seconds, which depend on the machine.
        enough = rows_done(out) + dice.randint(0, ROWS // (2 * KILLS))
        while process.poll() is None and rows_done(out) <= enough:
            time.sleep(0.01)
        time.sleep(dice.uniform(0, 0.05))
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert not out.exists()
    assert start(out, 2).wait() == 0
    assert out.read_bytes() == quiet.read_bytes()
    assert len(read_csv(out)) == ROWS + 1
    errors = (tmp_path / "out.csv.errors.jsonl").read_bytes()
    assert errors == (tmp_path / "quiet.csv.errors.jsonl").read_bytes()
    audited = [
        r["row"] for r in read_jsonl(tmp_path / "out.csv.audit.jsonl") if "row" in r
    ]
    assert audited == list(range(1, ROWS + 1))
