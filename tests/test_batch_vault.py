"""A batch keeps originals in a vault before it writes, and does so once."""

import sqlite3

import pytest
from batch_helpers import KEY, job, read_csv, write_csv

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.keys import Key
from presidio_mx.replace.vault import find_record, read_vault, reidentify
from presidio_mx.work.batch import run as runs
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings

SECRET = Key(KEY)
SURROGATES = Settings("surrogate", SECRET, ner="none")
NOTES = ["Paciente Jesús Mendoza Mares", "Acude Rosa Ek Tun. Tel. 443 312 4567", "Bien"]


def test_files_of_a_folder_come_back_by_their_paths(tmp_path):
    for name, text in zip(("a/nota", "b/nota", "c"), NOTES, strict=True):
        path = tmp_path / "in" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    vault = tmp_path / "v"
    columns = Columns(text=("text",))
    run(
        job(
            tmp_path / "in", tmp_path / "out", columns, settings=SURROGATES, vault=vault
        )
    )
    names = ["in/a/nota.txt", "in/b/nota.txt", "in/c.txt"]
    assert [record.document for record in read_vault(vault, SECRET)] == names
    for name, text in zip(names, NOTES, strict=True):
        new = (tmp_path / name.replace("in/", "out/")).read_text(encoding="utf-8")
        assert reidentify(new, find_record(vault, SECRET, new)) == text


def table(tmp_path, count=1):
    rows = [[i, note, NOTES[1]] for i, note in enumerate(NOTES * count)]
    return write_csv(tmp_path / "in.csv", [["folio", "nota", "otra"], *rows])


COLUMNS = Columns(text=("nota", "otra"), keep=("folio",))


def test_rows_of_a_table_come_back_and_tags_need_the_name(tmp_path):
    vault = tmp_path / "v"
    settings = Settings("tag", SECRET, ner="none")
    source, out = table(tmp_path), tmp_path / "out.csv"
    run(job(source, out, COLUMNS, settings=settings, vault=vault))
    for number, row in enumerate(read_csv(out)[1:], start=1):
        for place in (1, 2):
            record = find_record(vault, SECRET, "", f"in.csv#{number}/{place}")
            wanted = NOTES[number - 1] if place == 1 else NOTES[1]
            assert reidentify(row[place], record) == wanted


def test_an_interrupted_run_goes_on_and_keeps_nothing_twice(tmp_path, monkeypatch):
    vault, out = tmp_path / "v", tmp_path / "out.csv"
    source = table(tmp_path, 60)
    original = runs._Run._write
    calls = []

    def fails(self, chunk, done):
        calls.append(1)
        if len(calls) == 2:
            # The vault has the rows, the output not yet.
            self._keeper.keep(chunk, done)
            raise OSError(28, "No space left on device")
        original(self, chunk, done)

    monkeypatch.setattr(runs._Run, "_write", fails)
    what = {"settings": SURROGATES, "vault": vault}
    with pytest.raises(Exception, match="No space left"):
        run(job(source, out, COLUMNS, **what))
    monkeypatch.setattr(runs._Run, "_write", original)
    with pytest.raises(ConfigurationError, match="other options"):
        run(job(source, out, COLUMNS, settings=SURROGATES, resume=True))
    run(job(source, out, COLUMNS, **what, resume=True))
    assert sum(1 for _ in read_vault(vault, SECRET)) == 2 * 180


def test_nothing_is_written_without_a_key_or_with_a_bad_vault(tmp_path, monkeypatch):
    monkeypatch.delenv("PRESIDIO_MX_KEY", raising=False)
    source, out = table(tmp_path), tmp_path / "out.csv"
    tags = Settings("tag", ner="none")
    with pytest.raises(ConfigurationError, match="needs a key"):
        run(job(source, out, COLUMNS, settings=tags, vault=tmp_path / "v"))
    run(
        job(
            source,
            tmp_path / "a.csv",
            COLUMNS,
            settings=SURROGATES,
            vault=tmp_path / "v",
        )
    )
    with sqlite3.connect(tmp_path / "v") as connection:
        connection.execute("DELETE FROM record WHERE number = 2")
    connection.close()
    with pytest.raises(ConfigurationError, match="damaged vault"):
        run(job(source, out, COLUMNS, settings=SURROGATES, vault=tmp_path / "v"))
    assert not out.exists()


def test_without_a_vault_no_originals_leave_the_workers(tmp_path, monkeypatch):
    seen = []
    original = runs._Run._write
    monkeypatch.setattr(
        runs._Run, "_write", lambda s, c, d: seen.extend(d) or original(s, c, d)
    )
    run(job(table(tmp_path), tmp_path / "out.csv", COLUMNS, settings=SURROGATES))
    assert seen and all(row.originals == () for row in seen)
