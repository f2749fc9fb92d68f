"""Several processes: the same output, and none that dies costs more than a row."""

import os
import signal
import subprocess
import sys
import time

import pytest
from batch_helpers import KEY, job, read_csv, read_jsonl, write_csv

from presidio_mx import processes
from presidio_mx.processes import thread_limit
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch import workers as module
from presidio_mx.work.batch.cells import BLANK, Cells, Done, as_text, known_of
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.workers import Workers


def test_threads_are_shared(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    monkeypatch.setattr(processes, "cores", lambda: 8)
    with thread_limit(3):
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "2"
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (float("nan"), ""),
        (4433124567.0, "4433124567"),
        (7, "7"),
        (1.5, "1.5"),
        ("a", "a"),
    ],
)
def test_cells_as_text(cell, text):
    assert as_text(cell) == text


def test_a_cell_with_several_values():
    cells = ["Rosa; Pedro | Luz\nEva", None, " "]
    known = known_of(["relatives", "phone", "phone"], cells)
    assert known == {"relatives": ["Rosa", "Pedro", "Luz", "Eva"]}


@pytest.mark.heavy
def test_one_worker_and_two_give_the_same(tmp_path):
    pytest.importorskip("pebble")
    notes = [f"Sra. Xóchitl Paz, tel. 443 312 {n:04d}, Morelia." for n in range(400)]
    rows = [["folio", "nota"], *([str(n), note] for n, note in enumerate(notes))]
    rows[9] = ["x"]
    source = write_csv(tmp_path / "in.csv", rows)
    settings = Settings("surrogate", Key(KEY), ner="none")
    for count in (0, 1, 2):
        run(job(source, tmp_path / f"{count}.csv", settings=settings, workers=count))
    here = (tmp_path / "0.csv").read_bytes()
    assert (tmp_path / "1.csv").read_bytes() == here
    assert (tmp_path / "2.csv").read_bytes() == here


def deadly(settings: Settings, cells: list[Cells]) -> list[Done]:
    """Do work that ends its process at one row and hangs at another."""
    for row in cells:
        if row.texts[0] == "muere":
            os.kill(os.getpid(), signal.SIGKILL)
        if row.texts[0] == "cuelga":
            time.sleep(600)
    return [Done(row.texts) for row in cells]


@pytest.mark.heavy
def test_rows_that_end_or_hang_a_worker_fail_alone(monkeypatch, tmp_path):
    pytest.importorskip("pebble")
    monkeypatch.setattr(module, "work_apart", deadly)
    texts = [f"nota {number}" for number in range(30)]
    texts[7], texts[20] = "muere", "cuelga"
    pool = Workers(Settings(ner="none", seconds=3.0), 2)
    try:
        cells = [Cells((text,)) for text in texts]
        handles = [pool.submit(cells[first : first + 3]) for first in range(0, 30, 3)]
        done = [row for handle in handles for row in handle()]
    finally:
        pool.close()
    problems = {number: row.problem for number, row in enumerate(done) if row.problem}
    assert set(problems) == {7, 20}
    assert "ended" in problems[7]
    assert "longer than 3 seconds" in problems[20]
    assert [row.texts[0] for row in done if row.texts] == [
        text for text in texts if text not in ("muere", "cuelga")
    ]


def command(tmp_path, *arguments, **more):
    environment = os.environ | {"PRESIDIO_MX_LANG": "en"}
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "presidio_mx.work.cli.program",
            "batch",
            *map(str, arguments),
        ],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
        **more,
    )


@pytest.mark.heavy
def test_command_ctrl_c_and_resume(tmp_path):
    pytest.importorskip("pebble")
    notes = [[str(n), f"Sra. Xóchitl Paz {n}"] for n in range(6_000)]
    write_csv(tmp_path / "in.csv", [["folio", "nota"], *notes, ["1", "2", "3"]])
    how = ["in.csv", "out.csv", "--text", "nota", "--keep", "folio", "--workers", "2"]
    first = command(tmp_path, *how, "--ner", "none", start_new_session=True)
    state = tmp_path / "out.csv.presidio-mx" / "state.json"
    for _ in range(6_000):
        if state.exists() and '"rows": 0' not in state.read_text():
            break
        time.sleep(0.1)
    os.killpg(first.pid, signal.SIGINT)  # what Ctrl-C in a terminal does
    _, said = first.communicate(timeout=300)
    assert first.returncode == 130
    assert "--resume" in said and "Traceback" not in said
    assert not (tmp_path / "out.csv").exists()
    again = command(tmp_path, *how, "--ner", "none", "--resume")
    _, said = again.communicate(timeout=300)
    assert again.returncode == 4, said
    assert "rows that failed: 1" in said
    rows = read_csv(tmp_path / "out.csv")
    assert rows[1] == ["0", "Sra. {NOMBRE} 0"]
    assert len(rows) == 6_002 and rows[-1] == ["", BLANK]
    assert [row["row"] for row in read_jsonl(tmp_path / "out.csv.errors.jsonl")] == [
        6_001
    ]


@pytest.mark.heavy
def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    psutil = pytest.importorskip("psutil")
    pytest.importorskip("pebble")
    notes = [[f"Sra. Xóchitl Paz {n}"] for n in range(30_000)]
    write_csv(tmp_path / "in.csv", [["nota"], *notes])
    run_ = command(tmp_path, "in.csv", "out.csv", "--text", "nota", "--workers", "2")
    parent = psutil.Process(run_.pid)
    for _ in range(3_000):
        if len(parent.children()) >= 2:
            break
        time.sleep(0.1)
    children = parent.children(recursive=True)
    assert len(children) >= 2
    run_.kill()
    run_.wait()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
