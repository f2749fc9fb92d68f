"""What goes wrong is said in one sentence, and leaves nothing half done."""

import pytest
from child import call

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567\n"
KEY = "7d3a9c51e8f04b62a1c5d97e3f286b04"


@pytest.fixture
def run(monkeypatch):
    """Run the program in this process, in English, with a key."""
    monkeypatch.setenv("PRESIDIO_MX_LANG", "en")
    monkeypatch.setenv("PRESIDIO_MX_KEY", KEY)

    def program(*arguments, data=b""):
        return call(*map(str, arguments), data=data)

    return program


def test_marks_are_refused_before_anything_is_written(run, tmp_path):
    key = tmp_path / "k.key"
    key.write_text(KEY)
    out = tmp_path / "new.txt"
    done = run("anonymize", "--marks", key, "--output", out, data=NOTE.encode())
    assert done.returncode == 2
    assert b"something else than marks" in done.stderr
    assert key.read_text() == KEY
    assert not out.exists()


def test_an_output_that_cannot_be_written_leaves_no_record(run, tmp_path):
    note = tmp_path / "nota.txt"
    note.write_text(NOTE, encoding="utf-8")
    vault, marks = tmp_path / "b.vault", tmp_path / "m.marks"
    kept = ("--vault", vault, "--marks", marks)
    nowhere = tmp_path / "nowhere" / "x.txt"
    first = ("anonymize", note, "--operators", "surrogate", *kept)
    assert run(*first, "--output", nowhere).returncode == 2
    assert not vault.exists()
    assert not marks.exists()
    done = run("anonymize", note, *kept, "--output", tmp_path / "x.txt")
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(p.name for p in tmp_path.iterdir() if ".part" in p.name) == []


def test_a_record_that_cannot_be_kept_leaves_no_output(run, tmp_path):
    wrong = tmp_path / "notes.txt"
    wrong.write_text("no vault\n")
    out = tmp_path / "x.txt"
    done = run("anonymize", "--vault", wrong, "--output", out, data=NOTE.encode())
    assert done.returncode == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["notes.txt"]
