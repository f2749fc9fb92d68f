"""Folders with files that keep their form: Word, HL7, JSON, XML."""

import json
from pathlib import Path

import pytest

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from tests.batch_helpers import job, read_jsonl
from tests.document_files import HIDDEN, everything_in, word_file

SAMPLES = Path(__file__).parent.parent / "samples" / "notes"
COLUMNS = Columns(text=("text",))
HL7 = (
    "MSH|^~\\&|A|B|C|D|20240312093000||ADT^A01|1|P|2.5.1\r"
    "PID|1||889912^^^HG^MR||TZINTZUN^EULALIA||19610314|F\r"
)


@pytest.fixture
def folder(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Paciente: Eulalia Tzintzun Huerta, tos")
    (notes / "b.docx").write_bytes(word_file())
    (notes / "c.HL7").write_bytes(HL7.encode())
    (notes / "d.json").write_text('{"p": {"nombre": "Eulalia Tzintzun"}, "n": 3}')
    (notes / "e.json").write_text('{"nombre": ')
    (notes / "f.xml").write_text("<nota><nombre>Eulalia Tzintzun</nombre></nota>")
    return notes


def done(folder, output, **more):
    return run(job(folder, output, COLUMNS, **more))


def content(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_files_keep_their_form(folder, tmp_path):
    summary = done(folder, tmp_path / "out")
    new = content(tmp_path / "out")
    assert list(new) == [
        *("a.txt", "b.docx", "c.HL7", "d.json", "e.txt", "f.xml"),
    ]
    assert json.loads(new["d.json"])["n"] == 3
    assert new["c.HL7"].startswith(b"MSH|^~\\&|A|B|C|D|")
    whole = everything_in(new["b.docx"]) + str(list(new.values()))
    assert not [word for word in HIDDEN if word in whole]
    totals = summary.totals
    assert (totals.rows, totals.written, totals.failed) == (6, 5, 1)
    assert totals.left_out == {"comments": 1, "file properties": 1} | totals.left_out
    errors = read_jsonl(summary.errors)
    assert [error["row"] for error in errors] == [5]
    assert errors[0]["reason"].startswith("the file")


def test_a_run_that_goes_on_ends_like_a_quiet_one(folder, tmp_path, monkeypatch):
    done(folder, tmp_path / "quiet")
    monkeypatch.setattr("presidio_mx.work.batch.chunk.ROWS", 2)
    monkeypatch.setattr("presidio_mx.work.batch.run.CHECKPOINT_SECONDS", 0.0)
    from presidio_mx.work.batch.text_files import FolderSink

    written = FolderSink.write

    def die(sink, chunk, rows):
        if chunk.first > 2:
            raise KeyboardInterrupt
        return written(sink, chunk, rows)

    monkeypatch.setattr(FolderSink, "write", die)
    with pytest.raises(KeyboardInterrupt):
        done(folder, tmp_path / "out")
    monkeypatch.setattr(FolderSink, "write", written)
    done(folder, tmp_path / "out", resume=True)
    assert content(tmp_path / "out") == content(tmp_path / "quiet")


def test_a_run_does_not_go_on_with_another_file(folder, tmp_path):
    done(folder, tmp_path / "out")
    (folder / "d.json").write_text("{}")
    with pytest.raises(ConfigurationError, match="another input"):
        done(folder, tmp_path / "out", resume=True)
    assert done(folder, tmp_path / "out", force=True).totals.written == 5


def test_the_vault_takes_plain_text_alone(folder, tmp_path):
    settings = Settings(ner="none", key=Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04"))
    summary = done(folder, tmp_path / "out", settings=settings, vault=tmp_path / "v")
    reasons = [error["reason"] for error in read_jsonl(summary.errors)]
    assert (summary.totals.written, len(reasons)) == (1, 5)
    assert reasons[0].startswith("the vault restores plain text alone; take the .docx")
