"""Which files of a folder are notes, and what is told of the others."""

import os

import pytest
from batch_helpers import job, read_jsonl, use_shout

from presidio_mx.errors import ConfigurationError, MissingExtraError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.job import Silent
from presidio_mx.work.batch.run import run

NOTES = Columns(text=("text",))


class Heard(Silent):
    def __init__(self):
        self.sentences = []

    def said(self, sentence):
        self.sentences.append(sentence)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    use_shout(monkeypatch)
    made = tmp_path / "in"
    made.mkdir()
    (made / "nota.txt").write_text("tos")
    return made


def go(folder, name="out", **more):
    heard = Heard()
    out = folder.parent / name
    run(job(folder, out, NOTES, **more), heard)
    errors = folder.parent / f"{name}.errors.jsonl"
    problems = (
        [line["reason"] for line in read_jsonl(errors)] if errors.exists() else []
    )
    (first, *_) = read_jsonl(folder.parent / f"{name}.audit.jsonl")
    return first, problems, heard.sentences


def test_other_kinds_are_counted_by_ending_and_no_name_is_told(folder):
    for name in ("a.csv", "b.CSV", "c.jpg", "sin_final", "Dr. Garza"):
        (folder / name).write_text("x")
    first, problems, said = go(folder)
    counts = {".csv": 2, ".jpg": 1, "no ending": 1, "other endings": 1}
    assert first["other_files"] == counts
    assert problems == []
    told = ".csv 2, .jpg 1, no ending 1, other endings 1"
    assert f"in: 5 files of other kinds are left out ({told})" in said


@pytest.mark.parametrize("ending", [".doc", ".DOT", ".msg", ".docm"])
def test_notes_of_other_programs_fail_and_say_the_way_out(folder, ending):
    (folder / f"a{ending}").write_bytes(b"\xd0\xcf\x11\xe0")
    _, (problem,), _ = go(folder)
    assert f"{ending.lower()} is not read; save it as" in problem
    assert (folder.parent / "out" / "nota.txt").read_text() == "TOS"


def test_locks_hidden_files_and_links_out_are_passed_over(folder):
    (folder.parent / "passwd.txt").write_text("secreto")
    for name in ("~$nota.docx", ".oculto.txt", "._nota.txt"):
        (folder / name).write_bytes(b"\x00")
    (folder / ".git").mkdir()
    (folder / ".git" / "x.txt").write_text("x")
    (folder / "fuera.txt").symlink_to(folder.parent / "passwd.txt")
    (folder / "otra.txt").symlink_to(folder / "nota.txt")
    (folder / "nada.txt").symlink_to(folder / "nowhere.txt")
    (folder.parent / "more").mkdir()
    (folder / "dentro").symlink_to(folder.parent / "more")
    os.mkfifo(folder / "tubo.txt")
    first, problems, said = go(folder)
    assert (first["passed_over"], problems) == (8, [])
    assert any("8 hidden files" in sentence for sentence in said)
    out = folder.parent / "out"
    assert [f.read_text() for f in sorted(out.iterdir())] == ["TOS", "TOS"]
    (folder / "~$otra.docx").write_bytes(b"\x00")
    run(job(folder, out, NOTES, resume=True))  # the same input still


def test_files_whose_package_is_missing_fail_alone(folder, monkeypatch):
    def need(package, feature, extra):
        if package == "pypdf":
            raise MissingExtraError(feature, extra)

    monkeypatch.setattr("presidio_mx.work.batch.text_files.need", need)
    (folder / "b.pdf").write_bytes(b"%PDF-1.4")
    _, (problem,), said = go(folder)
    assert "presidio-mx[documents]" in problem
    assert any("some files will fail" in sentence for sentence in said)
    (folder / "nota.txt").unlink()
    with pytest.raises(MissingExtraError):
        go(folder, "other")


@pytest.mark.parametrize(
    "columns",
    [Columns(text=("text",), id="nss"), Columns(text=("text",), drop=("nss",))],
    ids=["id", "drop"],
)
def test_columns_of_a_folder_are_refused_with_the_way_out(folder, columns):
    with pytest.raises(ConfigurationError, match="leave nss out, or put notes and"):
        run(job(folder, folder.parent / "out", columns))
