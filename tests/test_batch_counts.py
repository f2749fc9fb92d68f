"""Nothing is lost between input and output: every reader is held to a second count."""

import json
import re
import zipfile

import pytest
from batch_helpers import job, read_csv, read_jsonl, use_shout, write_csv

from presidio_mx.errors import InputError
from presidio_mx.work.batch.cells import BLANK
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.csv_files import CsvSource
from presidio_mx.work.batch.inputs import LineEnds
from presidio_mx.work.batch.run import run

HEADER = ["folio", "nota"]
COLUMNS = Columns(text=("nota",), keep=("folio",))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    use_shout(monkeypatch)


def counts(summary):
    """The counts, which the audit must tell as well."""
    totals = summary.totals
    last = read_jsonl(summary.audit)[-1]
    told = tuple(last[name] for name in ("read", "written", "failed", "skipped"))
    assert told == (totals.read, totals.written, totals.failed, totals.skipped)
    assert totals.read == totals.written + totals.failed + totals.skipped
    return told


def lines_file(path, lines, end="\n"):
    path.write_bytes((end.join(lines) + end).encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_one_comma_too_many_costs_one_row(tmp_path, end):
    lines = ["folio,nota", "1,tos", "2,tos,fiebre"]
    lines += [f"MX-{number},nota {number}" for number in range(998)]
    source = lines_file(tmp_path / "in.csv", lines, end)
    assert counts(run(job(source, tmp_path / "out.csv"))) == (1000, 999, 1, 0)
    assert len(read_csv(tmp_path / "out.csv")) == 1001


def test_sound_rows_are_never_torn(tmp_path):
    ages = [str(number) for number in range(40)]
    ages += ["ND", "RN", "3 meses", "se ignora", "", "5"]
    rows = [["edad", "nota"], *([age, "tos, fiebre"] for age in ages)]
    source = write_csv(tmp_path / "in.csv", rows)
    columns = Columns(text=("nota",), keep=("edad",))
    summary = run(job(source, tmp_path / "out.csv", columns))
    assert counts(summary) == (46, 46, 0, 0)
    assert [row[0] for row in read_csv(tmp_path / "out.csv")[1:]] == ages


def test_one_open_quote_among_rows_that_look_like_nothing_before(tmp_path):
    lines = ["folio,nota", "1,tos", '2,"abierta']
    lines += [f"{'AB-' * (number % 9)}{number},tos {number}" for number in range(998)]
    source = lines_file(tmp_path / "in.csv", lines)
    assert counts(run(job(source, tmp_path / "out.csv"))) == (1000, 999, 1, 0)


def test_an_open_quote_in_a_table_of_one_column(tmp_path):
    lines = ["nota", "tos", '"abierta', *(f"nota {n}" for n in range(700))]
    source = lines_file(tmp_path / "in.csv", lines)
    columns = Columns(text=("nota",))
    summary = run(job(source, tmp_path / "out.csv", columns))
    assert counts(summary) == (702, 701, 1, 0)


def test_a_quoted_note_of_many_lines(tmp_path):
    note = "\n".join(f"linea {number}" for number in range(12_000))
    rows = [HEADER, ["1", "a"], ["2", note], ["3", "b"]]
    source = write_csv(tmp_path / "in.csv", rows)
    assert counts(run(job(source, tmp_path / "out.csv"))) == (3, 3, 0, 0)
    assert read_csv(tmp_path / "out.csv")[2] == ["2", note.upper()]


def test_blank_lines_are_counted(tmp_path):
    lines = ["folio,nota", "", "1,tos", "", "", "2,tos", "\x1a"]
    source = lines_file(tmp_path / "in.csv", lines)
    assert counts(run(job(source, tmp_path / "out.csv"))) == (6, 2, 0, 4)
    source = tmp_path / "in.jsonl"
    source.write_text('{"folio": 1, "nota": "a"}\n\n \n{"folio": 2, "nota": "b"}')
    assert counts(run(job(source, tmp_path / "out.jsonl"))) == (4, 2, 0, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "utf-16-le"])
def test_lines_are_counted_in_every_encoding(tmp_path, encoding):
    text = 'folio,nota\r\n1,"a\r\nb\nc\rd"\r\n\r\n2,"Peña, niño"\r\n3,x'
    (tmp_path / "in.csv").write_bytes(text.encode(encoding))
    summary = run(job(tmp_path / "in.csv", tmp_path / "out.csv"))
    assert counts(summary) == (4, 3, 0, 1)


def test_line_ends_at_the_border_of_blocks():
    ends = LineEnds("utf-8", carriage_returns=True)
    for block in (b"a\r", b"\nb\r", b"c\n", b"d"):
        ends.see(block)
    assert ends.lines == 4


def test_failed_rows_that_are_left_out_are_counted(tmp_path):
    rows = [HEADER, ["1", "tos"], ["2", "fallo"], ["3", "a", "b"]]
    source = write_csv(tmp_path / "in.csv", rows)
    summary = run(job(source, tmp_path / "out.csv", on_error="skip"))
    assert counts(summary) == (3, 1, 2, 0)


def test_a_reader_that_loses_a_row_stops_the_run(tmp_path, monkeypatch):
    source = write_csv(tmp_path / "in.csv", [HEADER, ["1", "a"], ["2", "b"]])
    real = CsvSource.chunks

    def forgetful(self, columns):
        for chunk in real(self, columns):
            yield type(chunk)(1, chunk.cells[1:], chunk.rest[1:], chunk.position)

    monkeypatch.setattr(CsvSource, "chunks", forgetful)
    with pytest.raises(InputError, match="has 2 records, of which 1 were written"):
        run(job(source, tmp_path / "out.csv"))
    assert not (tmp_path / "out.csv").exists()


NUMBERS = '{"folio": 12345678901234567890.123, "nota": "a", "x": [1.10, 1e400, -0.0]}'


def test_jsonl_keeps_what_passes_by_as_it_was_written(tmp_path):
    lines = [
        NUMBERS,
        '{"folio":1.10,"nota":"b","x":{"a":1,"a":2}}',
        '{"folio": 1e400, "nota": "c", "x": "Pe\\u00f1a\\/"}',
        '{"folio": 0, "nota": "d", "x": NaN}',
        f'{{"folio": {"9" * 5000}, "nota": "e", "x": null}}',
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = Columns(text=("nota",), keep=("folio", "x"))
    summary = run(job(tmp_path / "in.jsonl", tmp_path / "out.jsonl", columns))
    assert counts(summary) == (5, 5, 0, 0)
    out = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert out[0] == NUMBERS.replace('"a"', '"A"')
    assert out[1] == '{"folio": 1.10, "nota": "B", "x": {"a":1,"a":2}}'
    assert out[2] == lines[2].replace('"c"', '"C"')
    assert out[4] == lines[4].replace('"e"', '"E"')


def test_jsonl_with_a_field_twice_fails(tmp_path):
    lines = ['{"nota": "tos", "nota": "Juan"}', '{"nota": "a"} {"nota": "b"}']
    lines += ['{"nota": "x",}', '["nota"]', '{"nota": "tos"}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    columns = Columns(text=("nota",))
    summary = run(job(tmp_path / "in.jsonl", tmp_path / "out.jsonl", columns))
    assert counts(summary) == (5, 1, 4, 0)
    reasons = [row["reason"] for row in read_jsonl(summary.errors)]
    assert "there twice" in reasons[0] and "Juan" not in json.dumps(reasons)


def book(path, rows):
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def change_sheet(path, old, new):
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet], found = re.subn(old, new, parts[sheet])
    assert found
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def excel_rows(path):
    openpyxl = pytest.importorskip("openpyxl")
    return list(openpyxl.load_workbook(path).active.iter_rows(values_only=True))


@pytest.mark.parametrize("wrong", [b"A1:B11", b"A1", b"A1:XFD1048576", b"A1:A101"])
def test_excel_with_a_wrong_dimension(tmp_path, wrong):
    rows = [HEADER, *([number, f"nota {number}"] for number in range(100))]
    source = book(tmp_path / "in.xlsx", rows)
    change_sheet(
        source, b'<dimension ref="A1:B101"', b'<dimension ref="' + wrong + b'"'
    )
    summary = run(job(source, tmp_path / "out.xlsx"))
    assert counts(summary) == (100, 100, 0, 0)
    assert len(excel_rows(tmp_path / "out.xlsx")) == 101


def test_excel_counts_empty_rows(tmp_path):
    rows = [HEADER, [1, "a"], [], [None, None], [2, "b"], []]
    source = book(tmp_path / "in.xlsx", rows)
    assert counts(run(job(source, tmp_path / "out.xlsx"))) == (4, 2, 0, 2)


def test_excel_notes_that_begin_like_a_formula_are_text(tmp_path):
    rows = [HEADER, [1, "=== NOTA: Juan"], [2, "=Paciente de 40"], [3, "tos"]]
    source = book(tmp_path / "in.xlsx", rows)
    summary = run(job(source, tmp_path / "out.xlsx"))
    assert counts(summary) == (3, 3, 0, 0)
    out = [row[1] for row in excel_rows(tmp_path / "out.xlsx")[1:]]
    assert out == ["=== NOTA: JUAN", "=PACIENTE DE 40", "TOS"]


def test_excel_formulas_without_a_value_fail(tmp_path):
    rows = [HEADER, [1, '=CONCAT(A1,"x")'], ["=A2+1", "tos"], [3, "tos"]]
    source = book(tmp_path / "in.xlsx", rows)
    summary = run(job(source, tmp_path / "out.xlsx"))
    assert counts(summary) == (3, 1, 2, 0)
    assert excel_rows(tmp_path / "out.xlsx")[1][1] == BLANK
    assert "not stored" in read_jsonl(summary.errors)[0]["reason"]
    columns = Columns(text=("nota",), drop=("folio",))
    summary = run(job(source, tmp_path / "dropped.xlsx", columns))
    assert counts(summary) == (3, 2, 1, 0)


def test_excel_formulas_with_a_value_are_their_value(tmp_path):
    source = book(tmp_path / "in.xlsx", [HEADER, ["=1+1", "tos"]])
    change_sheet(source, rb"<f>1\+1</f><v ?/?>(</v>)?", b"<f>1+1</f><v>2</v>")
    assert counts(run(job(source, tmp_path / "out.xlsx"))) == (1, 1, 0, 0)
    assert excel_rows(tmp_path / "out.xlsx")[1] == (2, "TOS")


def test_a_folder_that_cannot_be_listed_is_not_passed_over(tmp_path, monkeypatch):
    import os

    (tmp_path / "in" / "b").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("tos")
    real = os.scandir

    def closed(path):
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", closed)
    with pytest.raises(InputError, match="Permission denied"):
        run(job(tmp_path / "in", tmp_path / "out", Columns(text=("text",))))
