"""Where a row of the input stands in the output: the audit tells it, for triage."""

import pytest
from batch_helpers import job, read_csv, shout, use_shout, write_csv

from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.finished import read_finished
from presidio_mx.work.batch.run import run

ROWS = [["nota"], ["uno"], ["fallo"], ["tres"], ["fallo"], ["cinco"]]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    use_shout(monkeypatch)
    monkeypatch.setattr("presidio_mx.work.batch.chunk.ROWS", 2)


@pytest.mark.parametrize(
    ("on_error", "places"),
    [("blank", [1, 2, 3, 4, 5]), ("skip", [1, None, 2, None, 3])],
)
def test_of_a_table(tmp_path, on_error, places):
    source, out = write_csv(tmp_path / "in.csv", ROWS), tmp_path / "out.csv"
    run(job(source, out, Columns(text=("nota",)), on_error=on_error))
    rows = read_finished(out).rows
    assert [row.number for row in rows] == [1, 2, 3, 4, 5]
    assert [row.place for row in rows] == places
    new = read_csv(out)
    for row, (old,) in zip(rows, ROWS[1:], strict=True):
        if row.place is not None and old != "fallo":
            assert new[row.place] == [old.upper()]


def test_of_a_table_whose_run_was_interrupted(tmp_path, monkeypatch):
    source, out = write_csv(tmp_path / "in.csv", ROWS), tmp_path / "out.csv"
    monkeypatch.setattr("presidio_mx.work.batch.run.CHECKPOINT_SECONDS", -1.0)
    task = {"columns": Columns(text=("nota",)), "on_error": "skip"}

    def stop(settings, cells):
        if cells.texts == ("cinco",):
            raise KeyboardInterrupt
        return shout(settings, cells)

    with monkeypatch.context() as patch:
        use_shout(patch, stop)
        with pytest.raises(KeyboardInterrupt):
            run(job(source, out, **task))
    run(job(source, out, resume=True, **task))
    assert [row.place for row in read_finished(out).rows] == [1, None, 2, None, 3]


def test_of_a_folder_is_the_number_of_the_file(tmp_path):
    (tmp_path / "in").mkdir()
    for name, text in (("a", "fallo"), ("b", "dos")):
        (tmp_path / "in" / f"{name}.txt").write_text(text)
    out = tmp_path / "out"
    run(job(tmp_path / "in", out, Columns(text=("text",)), on_error="skip"))
    assert [row.place for row in read_finished(out).rows] == [None, 2]
    assert [file.name for file in out.iterdir()] == ["b.txt"]
