"""The command line as a user calls it."""

import json
import subprocess
import sys

import pytest
from child import call, child_environment

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567\n"


def run(*arguments, data=b"", **environment):
    env = child_environment()
    env |= {"LC_ALL": "C.UTF-8", "PRESIDIO_MX_LANG": "en"} | environment
    return subprocess.run(
        [sys.executable, "-m", "presidio_mx.cli", *arguments],
        input=data,
        capture_output=True,
        env=env,
        check=False,
        timeout=120,
    )


def test_anonymize_reads_standard_input():
    done = run("anonymize", data=NOTE.encode())
    assert done.returncode == 0
    assert done.stdout.decode() == (
        "Paciente hipertenso {NOMBRE} es remiso. Tel. {TEL}\n"
    )
    assert done.stderr == b""


def test_anonymize_reads_a_latin_1_file_and_says_so(tmp_path):
    path = tmp_path / "nota.txt"
    path.write_bytes(NOTE.encode("cp1252"))
    done = call("anonymize", str(path), "--operators", "redact")
    assert "Jes" not in done.stdout.decode()
    assert "not UTF-8" in done.stderr.decode()


def test_surrogates_with_a_key_file(tmp_path):
    key = tmp_path / "key"
    key.write_text("7d3a9c51e8f04b62a1c5d97e3f286b04")
    options = ("anonymize", "--operators", "surrogate", "--key-file", str(key))
    first, second = (call(*options, data=NOTE.encode()).stdout for _ in range(2))
    assert first == second
    assert b"Mendoza" not in first


def test_analyze_prints_json():
    done = call("analyze", "--json", data=NOTE.encode())
    rows = json.loads(done.stdout)
    assert [row["entity_type"] for row in rows] == ["PERSON", "PHONE_NUMBER"]
    assert rows[0]["role"] == "patient"


@pytest.mark.parametrize("command", ["entities", "recognizers"])
def test_lists(command):
    done = call(command)
    assert done.returncode == 0
    assert b"PERSON" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["anonymize", "/no/such/note.txt"], 3, "/no/such/note.txt"),
        (["anonymize", "--operators", "nope"], 2, "nope"),
        (["anonymize", "--preset", "mars"], 2, "mars"),
        (["anonymize", "--site", "/no/such"], 2, "/no/such"),
    ],
)
def test_errors_are_one_sentence(arguments, code, said):
    done = call(*arguments, data=NOTE.encode())
    assert done.returncode == code
    error = done.stderr.decode()
    assert said in error
    assert "Traceback" not in error
    assert "Mendoza" not in error


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "cp850"]
)
def test_other_encodings_are_read_and_said(encoding):
    done = call("anonymize", data=NOTE.encode(encoding))
    assert done.stdout.decode() == (
        "Paciente hipertenso {NOMBRE} es remiso. Tel. {TEL}\n"
    )
    assert b"not UTF-8" in done.stderr


def test_spanish_help():
    assert "Desidentifica" in run("--help", PRESIDIO_MX_LANG="es").stdout.decode()


def test_import_is_light():
    code = (
        "import sys, presidio_mx; heavy = ('spacy', 'presidio_analyzer', 'faker'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
