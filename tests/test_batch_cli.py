"""The command, and what it tells."""

import os
import signal

import pytest
import typer
from batch_helpers import read_csv, use_shout, write_csv
from rich.console import Console
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.batch import report as reporting
from presidio_mx.work.batch.report import Bar, Lines, report_for
from presidio_mx.work.batch.work import process
from presidio_mx.work.batch.workers import Here
from presidio_mx.work.cli.batch import batch

app = typer.Typer()
app.command("batch")(batch)


@pytest.fixture
def invoke(monkeypatch, tmp_path):
    """Run the command in this process."""
    use_shout(monkeypatch)
    monkeypatch.setenv("PRESIDIO_MX_LANG", "en")
    monkeypatch.setattr(
        "presidio_mx.work.batch.run.Workers", lambda settings, *_: Here(settings)
    )
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments):
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    yield run
    signal.signal(signal.SIGTERM, before)


HEADER = ["folio", "nombre", "tel", "fecha", "nota"]
ROW = ["1", "Rosa Paz", "4433124567", "2020", "tos"]
HOW = ["--text", "nota", "--known", "paciente=nombre", "--known", "tel=tel"]
HOW += ["--id", "folio", "--keep", "fecha"]


def test_everything_named(invoke, tmp_path):
    write_csv(tmp_path / "in.csv", [HEADER, ROW])
    done = invoke("in.csv", "out.csv", *HOW)
    assert done.exit_code == 0, done.output
    assert read_csv(tmp_path / "out.csv") == [["fecha", "nota"], ["2020", "TOS"]]
    assert "UTF-8, columns separated by comma" in done.output
    assert "rows a second" in done.output


def test_failed_rows_change_the_exit_code(invoke, tmp_path):
    write_csv(tmp_path / "in.csv", [HEADER, ROW, [*ROW[:4], "fallo"]])
    done = invoke("in.csv", "out.csv", *HOW)
    assert done.exit_code == 4
    assert "rows that failed: 1; see out.csv.errors.jsonl" in done.output


def test_interruption(invoke, tmp_path, monkeypatch):
    write_csv(tmp_path / "in.csv", [HEADER, ROW])

    def interrupted(settings, cells):
        os.kill(os.getpid(), signal.SIGTERM)

    use_shout(monkeypatch, interrupted)
    done = invoke("in.csv", "out.csv", *HOW)
    assert done.exit_code == 130
    assert "--resume" in done.output
    use_shout(monkeypatch)
    assert invoke("in.csv", "out.csv", *HOW, "--resume").exit_code == 0
    assert len(read_csv(tmp_path / "out.csv")) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        ["--on-error", "cry"],
        ["--scope", "world"],
        ["--known-as", "eat"],
        ["--encoding", "klingon"],
        ["--keep", "zapato"],
    ],
)
def test_wrong_options(invoke, tmp_path, wrong):
    write_csv(tmp_path / "in.csv", [HEADER, ROW])
    done = invoke("in.csv", "out.csv", *HOW, *wrong)
    assert isinstance(done.exception, ConfigurationError)
    assert os.listdir(tmp_path) == ["in.csv"]


def test_folder_needs_no_text_option(invoke, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("tos")
    assert invoke("in", "out").exit_code == 0
    assert (tmp_path / "out" / "a.txt").read_text() == "TOS"


def test_a_file_that_failed_is_named_with_its_reason(invoke, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("tos")
    (tmp_path / "in" / "b.txt").write_text("fallo")
    done = invoke("in", "out")
    assert done.exit_code == 4
    said = "1 of 2 files failed: b.txt (broken on purpose); see out.errors.jsonl"
    assert said in " ".join(done.output.split())


def test_a_table_without_notes_is_generalised(invoke, tmp_path, monkeypatch):
    use_shout(monkeypatch, process)
    rows = [["edad", "fecha", "sexo"], ["47", "12/03/2020", "F"], ["?", "", "M"]]
    write_csv(tmp_path / "in.csv", rows)
    how = ["--generalize", "edad=10", "--generalize", "fecha=year", "--keep", "sexo"]
    done = invoke("in.csv", "out.csv", *how)
    assert done.exit_code == 0, done.output
    made = [["40-49", "2020", "F"], ["", "", "M"]]
    assert read_csv(tmp_path / "out.csv") == [rows[0], *made]
    assert "cells not generalised" in done.output
    wrong = invoke("in.csv", "new.csv", *how[2:], "--generalize", "edad=old")
    assert isinstance(wrong.exception, ConfigurationError)


def console(terminal):
    return Console(
        record=True, force_terminal=terminal, width=100, file=open(os.devnull, "w")
    )


def test_lines_for_a_log(monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_LANG", "en")
    clock = iter(range(0, 1_000, 10))
    monkeypatch.setattr(reporting.time, "monotonic", lambda: next(clock))
    log = console(False)
    report = report_for(log)
    assert isinstance(report, Lines)
    with report:
        report.said("in.csv: UTF-8")
        report.began(1_000, 0)
        for step in range(1, 6):
            report.went_on(step * 100, step * 100)
    text = log.export_text()
    assert text.startswith("in.csv: UTF-8\n")
    assert "rows/s, about 0:0" in text
    assert 1 < len(text.splitlines()) < 6


def test_bar_for_a_terminal(monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_LANG", "es")
    log = console(True)
    report = report_for(log)
    assert isinstance(report, Bar)
    with report:
        report.began(10, 0)
        report.went_on(1_234, 5)
    assert "1,234 filas" in log.export_text()


def test_bar_without_a_total():
    log = console(True)
    with report_for(log) as report:
        report.began(None, 0)
        report.went_on(3, 5)
    assert log.export_text()
