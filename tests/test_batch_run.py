"""Runs over files, folders and tables: what comes out, and what stops before."""

import io
import json
import os
import sys

import pytest
from batch_helpers import KEY, job, read_csv, read_jsonl, use_shout, write_csv

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch.cells import BLANK
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.formats import Reading
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings

NOTE = "Paciente Tzintia Paz Reyes, tel. 443 312 4567, refiere cefalea."
TAGGED = "Paciente {NOMBRE}, tel. {TEL}, refiere cefalea."
HEADER = ["folio", "nota"]


@pytest.fixture
def table(tmp_path):
    return write_csv(tmp_path / "in.csv", [HEADER, ["1", NOTE], ["2", ""]])


def test_csv(table, tmp_path):
    summary = run(job(table, tmp_path / "out.csv"))
    assert read_csv(tmp_path / "out.csv") == [HEADER, ["1", TAGGED], ["2", ""]]
    assert summary.totals.rows == 2
    assert summary.totals.entities == {"PERSON": 1, "PHONE_NUMBER": 1}
    assert summary.errors is None
    assert sorted(os.listdir(tmp_path)) == ["in.csv", "out.csv", "out.csv.audit.jsonl"]


@pytest.mark.parametrize(
    "given, wanted, made",
    [
        ("utf-8", None, "utf-8"),
        ("utf-8-sig", None, "utf-8-sig"),
        ("cp1252", None, "utf-8-sig"),
        ("cp1252", "input", "cp1252"),
        ("utf-16", "input", "utf-16"),
        ("utf-8", "CP1252", "cp1252"),
    ],
)
def test_the_encoding_of_a_table(given, wanted, made, tmp_path, monkeypatch):
    use_shout(monkeypatch)
    said = "niño Muñoz, tos" if given == "cp1252" else "niño Muñoz, SatO2 ≥ 90"
    source = write_csv(tmp_path / "in.csv", [HEADER, ["1", said]], encoding=given)
    out = tmp_path / "out.csv"
    run(job(source, out, reading=Reading(output_encoding=wanted)))
    written = out.read_bytes()
    # What the encoding lacks is not lost.
    text = said.upper().replace("≥", "≥" if "utf" in made else "&#8805;")
    assert written.decode(made) == f'folio,nota\r\n1,"{text}"\r\n'
    assert written.startswith(b"\xef\xbb\xbf") == (made == "utf-8-sig")


def test_an_unknown_encoding_is_refused_before_anything_is_written(table, tmp_path):
    with pytest.raises(ConfigurationError, match="--output-encoding latin9: unknown"):
        run(job(table, tmp_path / "o.csv", reading=Reading(output_encoding="latin9")))
    assert os.listdir(tmp_path) == ["in.csv"]


def test_cp1252_with_semicolons_is_said(tmp_path):
    rows = [["folio", "nota"], ["1", "Niño Muñoz; tos"]]
    source = write_csv(tmp_path / "in.csv", rows, encoding="cp1252", delimiter=";")
    heard = []

    class Ear:
        def said(self, sentence):
            heard.append(sentence)

        def began(self, total, done, unit):
            heard.append(total)

        def went_on(self, rows, position):
            heard.append((rows, position))

    run(job(source, tmp_path / "out.csv"), Ear())
    assert heard[0] == "in.csv: Windows-1252, columns separated by semicolon"
    assert heard[1] == source.stat().st_size
    assert heard[-1] == (1, source.stat().st_size)
    out = read_csv(tmp_path / "out.csv", delimiter=";")
    assert out[1] == ["1", "{NOMBRE}; tos"] or "ñ" in out[1][1]


def test_tsv_output_of_csv(table, tmp_path):
    run(job(table, tmp_path / "out.tsv"))
    assert read_csv(tmp_path / "out.tsv", delimiter="\t")[1] == ["1", TAGGED]


def test_several_text_columns_known_and_id(tmp_path):
    source = write_csv(
        tmp_path / "in.csv",
        [
            ["nss", "nombre", "tel", "nota", "evolucion", "edad"],
            ["77", "Wendolyne Ixcoatl", "4433124567", "Wendolin acude", "W. I.", "5"],
        ],
    )
    columns = Columns(
        text=("nota", "evolucion"),
        known={"nombre": "patient", "tel": "phone"},
        id="nss",
        keep=("edad",),
    )
    run(job(source, tmp_path / "out.csv", columns))
    header, row = read_csv(tmp_path / "out.csv")
    assert header == ["nota", "evolucion", "edad"]
    assert row[0] == "{NOMBRE} acude"
    assert row[2] == "5"


def test_known_and_id_replaced(tmp_path):
    rows = [["nss", "nombre", "nota"], ["77", "Rosa Paz Luna", "Rosa Paz Luna acude"]]
    source = write_csv(tmp_path / "in.csv", [*rows, ["77", "", "Rosa Paz Luna tose"]])
    columns = Columns(
        text=("nota",),
        known={"nombre": "patient"},
        id="nss",
        known_as="replace",
        id_as="replace",
    )
    settings = Settings("surrogate", Key(KEY), ner="none")
    run(job(source, tmp_path / "out.csv", columns, settings=settings))
    header, first, second = read_csv(tmp_path / "out.csv")
    assert header == ["nss", "nombre", "nota"]
    assert first[0] == second[0] != "77"
    assert first[1] != "Rosa Paz Luna"
    assert first[2] == f"{first[1]} acude"
    assert second[2] == f"{first[1]} tose"
    assert second[1] == ""


def test_jsonl_keeps_types_and_absent_fields(tmp_path):
    rows = [
        {"folio": 1, "nota": NOTE, "medidas": {"peso": 71.5, "alta": None}},
        {"folio": 2, "nota": None, "medidas": [1, True]},
        {"folio": 3, "medidas": "\ud800"},
    ]
    source = tmp_path / "in.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    columns = Columns(text=("nota",), keep=("folio", "medidas"))
    run(job(source, tmp_path / "out.jsonl", columns))
    assert read_jsonl(tmp_path / "out.jsonl") == [rows[0] | {"nota": TAGGED}, *rows[1:]]


def test_jsonl_broken_lines_and_new_fields_fail_alone(tmp_path, monkeypatch):
    use_shout(monkeypatch)
    lines = [f'{{"nota": "nota {number}"}}' for number in range(1_200)]
    lines[1_100] = '{"nota": "x", "telefono": "4433124567"}'
    lines[1_101] = "{"
    lines[1_102] = "[1]"
    source = tmp_path / "in.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    summary = run(job(source, tmp_path / "out.jsonl", Columns(text=("nota",))))
    assert summary.totals.rows == 1_200
    out = read_jsonl(tmp_path / "out.jsonl")
    assert [row["nota"] for row in out[1_100:1_103]] == [BLANK] * 3
    errors = read_jsonl(tmp_path / "out.jsonl.errors.jsonl")
    assert [error["row"] for error in errors] == [1_101, 1_102, 1_103]
    assert "4433124567" not in json.dumps([out, errors])
    assert "telefono" not in json.dumps(errors)


def test_note_that_is_no_text_fails(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"nota": 5}\n{"nota": "tos"}\n')
    columns = Columns(text=("nota",))
    run(job(tmp_path / "in.jsonl", tmp_path / "out.jsonl", columns))
    (error,) = read_jsonl(tmp_path / "out.jsonl.errors.jsonl")
    assert error == {"row": 1, "reason": "a note must be text, not int"}


def test_folder(tmp_path):
    (tmp_path / "in" / "b").mkdir(parents=True)
    (tmp_path / "in" / "Juan Pérez.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "in" / "b" / "a.txt").write_bytes("Niño sano".encode("cp1252"))
    (tmp_path / "in" / "b" / "a.jpg").write_bytes(b"")
    columns = Columns(text=("text",))
    numbers = tmp_path / "numbers.csv"
    source = tmp_path / "in"
    summary = run(job(source, tmp_path / "out", columns, numbers=numbers))
    assert summary.totals.rows == 2
    out = tmp_path / "out"
    assert sorted(os.listdir(out)) == ["000001.txt", "000002.txt"]
    assert (out / "000001.txt").read_text(encoding="utf-8") == TAGGED
    assert (out / "000002.txt").read_text(encoding="utf-8") == "Niño sano"
    expected = [["number", "name"], ["1", "Juan Pérez.txt"], ["2", "b/a.txt"]]
    assert read_csv(numbers) == expected
    assert numbers.stat().st_mode & 0o077 == 0
    assert "Juan" not in (tmp_path / "out.audit.jsonl").read_text(encoding="utf-8")


def test_stdin(tmp_path, monkeypatch):
    data = b"folio,nota\n1," + "Niño Muñoz".encode("cp1252") + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    use_shout(monkeypatch)
    run(job("-", tmp_path / "out.csv"))
    assert read_csv(tmp_path / "out.csv")[1] == ["1", "NIÑO MUÑOZ"]


def test_stdin_longer_than_its_head(tmp_path, monkeypatch):
    monkeypatch.setattr("presidio_mx.work.batch.inputs.HEAD", 100)
    lines = [f'{{"folio": {number}, "nota": "nota"}}\n' for number in range(50)]
    data = "".join(lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    use_shout(monkeypatch)
    run(job("-", tmp_path / "out.jsonl"))
    out = read_jsonl(tmp_path / "out.jsonl")
    assert [row["folio"] for row in out] == list(range(50))


def test_parquet_keeps_types(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import datetime
    import decimal

    import pyarrow.parquet as pq

    schema = pa.schema(
        [
            pa.field("folio", pa.int32(), nullable=False),
            ("alta", pa.timestamp("ns", "America/Mexico_City")),
            ("costo", pa.decimal128(9, 2)),
            ("claves", pa.list_(pa.struct([("cie", pa.string())]))),
            ("sexo", pa.dictionary(pa.int8(), pa.string())),
            ("nota", pa.large_string()),
            ("otra", pa.dictionary(pa.int8(), pa.string())),
        ],
        metadata={"pandas": "Juan Pérez"},
    )
    day = datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC)
    rows = [
        {
            "folio": number,
            "alta": day,
            "costo": decimal.Decimal("10.50"),
            "claves": [{"cie": "I10"}],
            "sexo": "FM"[number % 2],
            "nota": NOTE if number % 2 else None,
            "otra": NOTE,
        }
        for number in range(150)
    ]
    source = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema), source, row_group_size=70)
    keep = ("folio", "alta", "costo", "claves", "sexo")
    columns = Columns(text=("nota", "otra"), keep=keep)
    run(job(source, tmp_path / "out.parquet", columns))
    made = pq.read_table(tmp_path / "out.parquet")
    assert made.schema.names == list(schema.names)
    assert made.schema.metadata is None or b"pandas" not in made.schema.metadata
    for name in (*keep, "nota"):
        assert made.schema.field(name).type == schema.field(name).type, name
    expected = [row | {"nota": row["nota"] and TAGGED, "otra": TAGGED} for row in rows]
    assert made.to_pylist() == pa.Table.from_pylist(expected, made.schema).to_pylist()
    assert "out.parquet.presidio-mx" not in os.listdir(tmp_path)


def test_parquet_folder_and_failed_rows(tmp_path, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    use_shout(monkeypatch)
    (tmp_path / "in").mkdir()
    endings = ("parquet", "PARQUET", "parquet")
    for part in range(3):
        rows = {"folio": [part * 2, part * 2 + 1], "nota": ["tos", "fallo"]}
        pq.write_table(pa.table(rows), tmp_path / "in" / f"part-{part}.{endings[part]}")
    kept = run(job(tmp_path / "in", tmp_path / "kept.parquet"))
    assert kept.totals.failed == 3
    made = pq.read_table(tmp_path / "kept.parquet").to_pydict()
    assert made == {"folio": list(range(6)), "nota": ["TOS", BLANK] * 3}
    run(job(tmp_path / "in", tmp_path / "left.parquet", on_error="skip"))
    made = pq.read_table(tmp_path / "left.parquet").to_pydict()
    assert made == {"folio": [0, 2, 4], "nota": ["TOS"] * 3}


def test_parquet_text_must_be_text(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"nota": [1]}), tmp_path / "in.parquet")
    columns = Columns(text=("nota",))
    with pytest.raises(ConfigurationError, match="int64, not text"):
        run(job(tmp_path / "in.parquet", tmp_path / "out.parquet", columns))
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_excel_keeps_types_and_makes_no_formula(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    import datetime

    day = datetime.datetime(2020, 1, 2, 3, 4)
    book = openpyxl.Workbook()
    book.active.append(["folio", "alta", "peso", "nota"])
    book.active.append([1, day, 71.5, NOTE])
    book.active.append(["=1+1", None, True, None])
    book.active["A3"].data_type = "s"
    book.active.append([3, day, 1, "fallo"])
    book.save(tmp_path / "in.xlsx")
    columns = Columns(text=("nota",), keep=("folio", "alta", "peso"))
    run(job(tmp_path / "in.xlsx", tmp_path / "out.xlsx", columns))
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[1] == (1, day, 71.5, TAGGED)
    assert rows[2] == ("=1+1", None, True, None)
    assert sheet["A3"].data_type == "s"


def test_excel_with_several_sheets_asks(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["nota"])
    book.active.append(["tos"])
    book.create_sheet("claves").append(["x"])
    book.save(tmp_path / "in.xlsx")
    columns = Columns(text=("nota",))
    with pytest.raises(ConfigurationError, match="--sheet"):
        run(job(tmp_path / "in.xlsx", tmp_path / "out.xlsx", columns))
    reading = Reading(sheet="Sheet")
    run(job(tmp_path / "in.xlsx", tmp_path / "out.xlsx", columns, reading=reading))


def test_failed_rows_are_blank_or_left_out(tmp_path, monkeypatch):
    use_shout(monkeypatch)
    rows = [HEADER, ["1", "tos"], ["2", "fallo de Juan"], ["3", "a", "b"], ["4", "c"]]
    source = write_csv(tmp_path / "in.csv", rows)
    summary = run(job(source, tmp_path / "kept.csv"))
    assert summary.totals.failed == 2
    kept = [HEADER, ["1", "TOS"], ["2", BLANK], ["", BLANK], ["4", "C"]]
    assert read_csv(tmp_path / "kept.csv") == kept
    errors = read_jsonl(tmp_path / "kept.csv.errors.jsonl")
    assert errors == [
        {"row": 2, "reason": "broken on purpose"},
        {"row": 3, "reason": "line 4: 3 fields where the header has 2"},
    ]
    run(job(source, tmp_path / "left.csv", on_error="skip"))
    assert read_csv(tmp_path / "left.csv") == [HEADER, ["1", "TOS"], ["4", "C"]]


def test_any_error_of_a_row_is_told_without_its_text(tmp_path, monkeypatch):
    def broken(*args, **more):
        raise ValueError("Juan Pérez")

    monkeypatch.setattr("presidio_mx.work.batch.workers.warm_up", lambda settings: None)
    monkeypatch.setattr("presidio_mx.work.batch.work.examine", broken)
    source = write_csv(tmp_path / "in.csv", [HEADER, ["1", "Juan Pérez"]])
    run(job(source, tmp_path / "out.csv"))
    (error,) = read_jsonl(tmp_path / "out.csv.errors.jsonl")
    assert error["reason"].startswith("ValueError at test_batch_run.py:")


def test_undeclared_column_stops_before_anything_is_written(table, tmp_path):
    with pytest.raises(ConfigurationError, match="'folio'"):
        run(job(table, tmp_path / "out.csv", Columns(text=("nota",))))
    assert os.listdir(tmp_path) == ["in.csv"]


def test_profile_with_a_key_refuses_to_start_without(table, tmp_path, monkeypatch):
    monkeypatch.delenv("PRESIDIO_MX_KEY", raising=False)
    settings = Settings("surrogate", ner="none")
    with pytest.raises(ConfigurationError, match="key"):
        run(job(table, tmp_path / "out.csv", settings=settings))
    assert os.listdir(tmp_path) == ["in.csv"]


def test_wrong_settings_write_nothing(table, tmp_path):
    for settings in (Settings("no-such"), Settings(preset="no-such", ner="none")):
        with pytest.raises(ConfigurationError):
            run(job(table, tmp_path / "out.csv", settings=settings))
    assert os.listdir(tmp_path) == ["in.csv"]


def test_nothing_is_overwritten_without_force(table, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("mine")
    with pytest.raises(ConfigurationError, match="--force"):
        run(job(table, out))
    assert out.read_text() == "mine"
    run(job(table, out, force=True))
    assert len(read_csv(out)) == 3
    (tmp_path / "other.csv.audit.jsonl").write_text("mine")
    with pytest.raises(ConfigurationError, match="--force"):
        run(job(table, tmp_path / "other.csv"))


def test_folder_with_other_files_is_never_replaced(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("tos")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.docx").write_text("mine")
    columns = Columns(text=("text",))
    with pytest.raises(ConfigurationError, match="not"):
        run(job(tmp_path / "in", tmp_path / "out", columns, force=True))
    assert (tmp_path / "out" / "thesis.docx").exists()


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("in.csv", "in.csv"),
        ("in.csv", "out.parquet"),
        ("in.csv", "folder"),
        ("missing.csv", "out.csv"),
        ("in.doc", "out.doc"),
        ("-", "out.parquet"),
        ("in.csv", "nowhere/out.csv"),
        ("folder", "folder/out"),
        ("empty.csv", "out.csv"),
        ("empty.jsonl", "out.jsonl"),
    ],
)
def test_what_cannot_be_read_or_written_is_one_sentence(tmp_path, source, output):
    write_csv(tmp_path / "in.csv", [HEADER, ["1", "tos"]])
    (tmp_path / "in.doc").write_text("x")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text("tos")
    before = sorted(os.listdir(tmp_path))
    place = source if source == "-" else tmp_path / source
    with pytest.raises((ConfigurationError, InputError)) as error:
        run(job(place, tmp_path / output))
    assert "\n" not in str(error.value)
    assert sorted(os.listdir(tmp_path)) == before


def test_audit_says_what_was_done_and_no_text(table, tmp_path):
    summary = run(job(table, tmp_path / "out.csv"))
    first, *rows, last = read_jsonl(summary.audit)
    assert first["versions"]["presidio-analyzer"]
    assert len(first["hashes"]["profile"]) == len(first["hashes"]["rules"]) == 16
    assert rows[0]["entities"] == {"PERSON": 1, "PHONE_NUMBER": 1}
    assert rows[0]["operators"] == {"tag": 2}
    assert last["rows"] == 2 and last["seconds"] > 0
    assert "Tzintia" not in summary.audit.read_text(encoding="utf-8")


def test_profile_hash_follows_the_profile(tmp_path):
    from presidio_mx.work.batch.audit import hashes

    assert hashes(Settings("tag")) == hashes(Settings("tag"))
    assert hashes(Settings("tag"))["profile"] != hashes(Settings("redact"))["profile"]
    keyed = hashes(Settings("surrogate", Key(KEY)))["key"]
    assert keyed and KEY.decode() not in keyed


@pytest.mark.parametrize("encoding", ["cp850", "mac_roman", "utf-32", "utf-16-le"])
def test_tables_in_other_encodings(tmp_path, encoding):
    rows = [HEADER, ["1", "Señora Muñoz Peña acude"], ["2", "niño sano, mamá ansiosa"]]
    source = write_csv(tmp_path / "in.csv", rows, encoding=encoding)
    run(job(source, tmp_path / "out.csv"))
    out = read_csv(tmp_path / "out.csv")
    assert out[1:] == [["1", "Señora {NOMBRE} acude"], ["2", "niño sano, mamá ansiosa"]]


def test_a_table_whose_encoding_is_not_clear_stops_the_run(tmp_path):
    source = tmp_path / "in.csv"
    source.write_bytes("folio,nota\n1,Ixcóatl Tzintzún\n".encode("cp850"))
    with pytest.raises(InputError, match="--encoding"):
        run(job(source, tmp_path / "out.csv"))
    assert os.listdir(tmp_path) == ["in.csv"]
    reading = Reading(encoding="cp850")
    run(job(source, tmp_path / "out.csv", reading=reading))
    assert "Ixc" not in (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_broken_letters_are_mended_and_counted(tmp_path):
    rows = [HEADER, ["1", "SeÃ±ora MuÃ±oz acude"], ["2", "Sra. Mu?oz, Tzintz?n"]]
    source = write_csv(tmp_path / "in.csv", rows)
    summary = run(job(source, tmp_path / "out.csv"))
    assert read_csv(tmp_path / "out.csv")[1] == ["1", "Señora {NOMBRE} acude"]
    assert summary.totals.mended == {"UTF-8 read twice": 1}
    assert read_jsonl(summary.audit)[1]["mended"] == ["UTF-8 read twice"]
    (error,) = read_jsonl(summary.errors)
    assert "letters were lost" in error["reason"] and "Mu" not in error["reason"]


def test_files_that_are_no_text_fail_by_name(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "Juan Pérez.txt").write_bytes(b"{\\rtf1 Juan P\\'e9rez}")
    (tmp_path / "in" / "Ana Luz.txt").write_bytes(b"%PDF-1.7")
    (tmp_path / "in" / "z.txt").write_bytes(NOTE.encode("utf-16-be"))
    columns = Columns(text=("text",))
    summary = run(job(tmp_path / "in", tmp_path / "out", columns))
    assert (tmp_path / "out" / "z.txt").read_text(encoding="utf-8") == TAGGED
    told = summary.errors.read_text(encoding="utf-8")
    assert "RTF" in told and "PDF" in told and '"file": "Ana Luz.txt"' in told


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04 zip", b"{\\rtf1 Juan", b"folio,nota\x00\x01\x02"]
)
def test_tables_that_are_no_text_are_refused(tmp_path, data):
    (tmp_path / "in.csv").write_bytes(data)
    with pytest.raises(InputError, match=r"^in\.csv: ") as error:
        run(job(tmp_path / "in.csv", tmp_path / "out.csv"))
    assert "Juan" not in str(error.value)
