"""What goes wrong is said in one sentence, and leaves nothing half done."""

import pytest
from child import call

from presidio_mx.replace import keys

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


@pytest.mark.parametrize("port", ["99999", "-1"])
@pytest.mark.parametrize("command", [("serve",), ("review", "notes", "--out", "r")])
def test_a_port_that_is_none_is_refused(run, command, port):
    done = run(*command, "--port", port)
    assert done.returncode == 2
    assert b"port" in done.stderr


@pytest.mark.parametrize(
    "name", ["rot13", "hex", "idna", "punycode", "undefined", "nonesuch", "a\0b"]
)
def test_an_encoding_that_makes_no_text_is_refused(run, name, tmp_path):
    note = tmp_path / "nota.txt"
    note.write_text(NOTE, encoding="utf-8")
    done = run("anonymize", note, "--encoding", name)
    assert done.returncode == 2
    assert b"unknown; use e.g. utf-8" in done.stderr


def test_a_triage_that_cannot_be_written_is_said(run, tmp_path):
    audit = tmp_path / "out.csv.audit.jsonl"
    audit.write_text('{"row": 1, "risk": 0.2}\n')
    there, nowhere = tmp_path / "t.csv", tmp_path / "nowhere" / "t.csv"
    there.write_text("kept")
    for out, said in ((there, b"exists; it is not over"), (nowhere, b"No such file")):
        done = run("triage", audit, "--out", out)
        assert done.returncode == 2
        assert said in done.stderr
    assert there.read_text() == "kept"
    assert run("triage", audit, "--out", tmp_path / "new.csv").returncode == 0
    assert (tmp_path / "new.csv").read_bytes().endswith(b"\r\n1,,0.2,0\r\n")


def test_a_configuration_that_cannot_be_written_is_said(run, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    done = run("presidio-config", "--ner", "none", "--out", file / "conf")
    assert done.returncode == 2
    assert b"Not a directory" in done.stderr


def test_what_the_system_refuses_is_said_by_name(run, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "/data/x")

    monkeypatch.setattr("presidio_mx.work.cli.note.read_note", refuse)
    done = run("analyze", "nota.txt")
    assert done.returncode == 2
    assert done.stderr == b"presidio-mx: /data/x: Permission denied\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("anonymize", "--operators", "surrogate"),
        ("analyze", "--json"),
        ("check", "--site", "."),
        ("doctor",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_command_asks_the_network(run, arguments, monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise AssertionError("a connection")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    assert run(*arguments, data=NOTE.encode()).returncode == 0


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_fault_does_not_quote_the_note(run, monkeypatch, lang):
    def fail(*_, **__):
        raise RuntimeError("cannot work on Jesús Mendoza")

    monkeypatch.setenv("PRESIDIO_MX_LANG", lang)
    monkeypatch.setattr("presidio_mx.pipeline.examine", fail)
    done = run("anonymize", data=NOTE.encode())
    said = done.stderr.decode()
    assert done.returncode == 1
    assert "RuntimeError at test_refusals.py:" in said
    assert "Mendoza" not in said
    assert said.count("\n") == 1
    assert ("a fault of this program" in said) == (lang == "en")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--preset", "fr", "--ner", "transformer"),
            "unknown preset 'fr'; presets are",
        ),
        (("--people", "x"), "people (--people) is everyone or patient_and_relatives"),
        (("--ner", "/x"), "ner (--ner) '/x' is unknown: use auto, none, transformer"),
    ],
)
def test_a_wrong_option_is_told_by_its_name(run, arguments, said):
    done = run("analyze", *arguments, data=NOTE.encode())
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert "site-packages" not in done.stderr.decode()


@pytest.mark.parametrize("profile", ["tag", "surrogate"])
def test_a_review_of_nothing_says_no_word_of_keys(run, profile, monkeypatch, tmp_path):
    monkeypatch.delenv("PRESIDIO_MX_KEY")
    keys._process_key.cache_clear()  # it warns but once
    nope = ("review", tmp_path / "nope", "--out", tmp_path / "r")
    done = run(*nope, "--operators", profile, "--ner", "none", "--no-browser")
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1
    assert b"give a folder of .txt files" in done.stderr


@pytest.mark.parametrize(
    "names", [("--reviewer", "../x"), ("--adjudicate", "ana", "--adjudicate", "../x")]
)
def test_a_reviewer_that_names_no_file_is_refused_before_a_note_is_read(
    run, names, tmp_path
):
    pytest.importorskip("fastapi")
    (tmp_path / "a.txt").write_text(NOTE, encoding="utf-8")
    done = run("review", tmp_path, "--out", tmp_path / "r", *names, "--ner", "none")
    assert done.returncode == 2
    assert b"a reviewer's name has up to 40 letters" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("batch", "in.csv", ""),
        ("triage", ""),
        ("release", "", "review", "--out", "free"),
        ("review", "notes", "--out", ""),
        ("risk", ""),
        ("key", "new", ""),
        ("presidio-config", "--out", ""),
    ],
    ids=" ".join,
)
def test_an_empty_path_is_not_the_current_folder(run, arguments, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.returncode == 2
    assert b": an empty path\n" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_place_for_a_key(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    done = run("key", "new", ".")
    assert done.returncode == 3
    assert done.stderr == (
        b"presidio-mx: . is not an ordinary file; choose another name\n"
    )
