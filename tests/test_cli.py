"""The command line as a user calls it."""

import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from child import call

import presidio_mx
from presidio_mx import RulesAloneWarning
from presidio_mx.work.cli.commands import COMMANDS

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567\n"


@pytest.fixture
def run(monkeypatch):
    """Run the program in this process, in English, with the variables given."""

    def program(*arguments, data=b"", **environment):
        for name, value in {"PRESIDIO_MX_LANG": "en", **environment}.items():
            monkeypatch.setenv(name, value)
        return call(*map(str, arguments), data=data)

    return program


def test_anonymize_reads_standard_input(run):
    done = run("anonymize", data=NOTE.encode())
    assert done.returncode == 0
    assert done.stdout.decode() == (
        "Paciente hipertenso {NOMBRE} es remiso. Tel. {TEL}\n"
    )
    assert done.stderr == b""


def test_anonymize_reads_a_latin_1_file_and_says_so(run, tmp_path):
    path = tmp_path / "nota.txt"
    path.write_bytes(NOTE.encode("cp1252"))
    done = run("anonymize", str(path), "--operators", "redact")
    assert "Jes" not in done.stdout.decode()
    assert "not UTF-8" in done.stderr.decode()


def test_surrogates_with_a_key_file(run, tmp_path):
    key = tmp_path / "key"
    key.write_text("7d3a9c51e8f04b62a1c5d97e3f286b04")
    options = ("anonymize", "--operators", "surrogate", "--key-file", str(key))
    first, second = (run(*options, data=NOTE.encode()).stdout for _ in range(2))
    assert first == second
    assert b"Mendoza" not in first


def test_places_stay_in_their_state(run, tmp_path):
    key = tmp_path / "key"
    key.write_text("7d3a9c51e8f04b62a1c5d97e3f286b04")
    note = b"Originario de Puebla, Puebla. Radica en Coatepec, Veracruz.\n"
    options = ("--operators", "research", "--key-file", str(key))
    done = run("anonymize", *options, "--same-state", data=note).stdout.decode()
    assert re.search(r"de \{CIUDAD\}, Puebla\. .* en [A-Z].*, Veracruz\.", done)
    assert "Coatepec" not in done
    assert "Veracruz" not in run("anonymize", *options, data=note).stdout.decode()


def test_tags_cannot_stay_in_their_state(run):
    done = run("anonymize", "--same-state", data=NOTE.encode())
    assert done.returncode == 2
    assert "'tag' writes no surrogates" in done.stderr.decode()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--keep", "PHONE_NUMBER"), "{NOMBRE} es remiso. Tel. 443 312 4567"),
        (("--only", "PHONE_NUMBER"), "Jesús Mendoza Mares es remiso. Tel. {TEL}"),
        (("--only", "PERSON", "--keep", "PERSON"), "Jesús Mendoza Mares es remiso."),
    ],
)
def test_entities_are_chosen_without_a_profile(run, options, text):
    assert text in run("anonymize", *options, data=NOTE.encode()).stdout.decode()


@pytest.mark.parametrize("option", ["--keep", "--only"])
def test_an_entity_that_nobody_knows_is_refused(run, option):
    done = run("anonymize", option, "PERSONA", data=NOTE.encode())
    assert done.returncode == 2
    assert b"unknown entity 'PERSONA'; did you mean 'PERSON'?" in done.stderr


def test_analyze_prints_json(run):
    done = run("analyze", "--json", data=NOTE.encode())
    rows = json.loads(done.stdout)
    assert [row["entity_type"] for row in rows] == ["PERSON", "PHONE_NUMBER"]
    assert rows[0]["role"] == "patient"


@pytest.mark.parametrize("command", ["entities", "recognizers"])
def test_lists(run, command):
    done = run(command)
    assert done.returncode == 0
    assert b"PERSON" in done.stdout


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("anonymize", "folder", "presidio-mx batch reads all notes of one"),
        ("show", "note.docx", "only anonymize and batch read this kind of file"),
        ("analyze", "note.docx", "only anonymize and batch read this kind of file"),
        ("analyze", "none.docx", "No such file"),
    ],
)
def test_what_is_no_text_file_is_said_with_the_way_out(
    run, tmp_path, command, name, said
):
    (tmp_path / "folder").mkdir()
    (tmp_path / "note.docx").write_bytes(b"PK\x03\x04\x00\x00")
    done = run(command, tmp_path / name)
    assert done.returncode == 3
    assert said in done.stderr.decode()


@pytest.mark.parametrize("said", ["interrupted", "interrumpido"])
def test_an_interruption_is_said(run, monkeypatch, said):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("presidio_mx.work.cli.note.read_note", interrupt)
    language = "en" if said == "interrupted" else "es"
    done = run("analyze", "note.txt", PRESIDIO_MX_LANG=language)
    assert done.returncode == 130
    assert done.stderr.decode() == f"presidio-mx: {said}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["anonymize", "/no/such/note.txt"], 3, "/no/such/note.txt"),
        (["anonymize", "--operators", "nope"], 2, "nope"),
        (["anonymize", "--preset", "mars"], 2, "mars"),
        (["anonymize", "--site", "/no/such"], 2, "/no/such"),
    ],
)
def test_errors_are_one_sentence(run, arguments, code, said):
    done = run(*arguments, data=NOTE.encode())
    assert done.returncode == code
    error = done.stderr.decode()
    assert said in error
    assert "Traceback" not in error
    assert "Mendoza" not in error


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "cp850"]
)
def test_other_encodings_are_read_and_said(run, encoding):
    done = run("anonymize", data=NOTE.encode(encoding))
    assert done.stdout.decode() == (
        "Paciente hipertenso {NOMBRE} es remiso. Tel. {TEL}\n"
    )
    assert b"not UTF-8" in done.stderr


def test_import_is_light():
    code = (
        "import sys, presidio_mx; heavy = ('spacy', 'presidio_analyzer', 'faker'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_a_text_known_data_and_a_new_file_can_be_given(run, tmp_path):
    given = "Refiere chabelo que el 55 44 33 22 no es suyo."
    options = ("anonymize", "--text", given, "--ner", "none")
    assert run(*options).stdout.decode() != run(*options, "--known", "").stdout.decode()
    known = ("--known", "paciente=Chabelo Sol", "--known", "tel=55443322")
    done = run(*options, *known)
    assert done.stdout.decode() == "Refiere {NOMBRE} que el {TEL} no es suyo.\n"
    output = tmp_path / "out.txt"
    assert run(*options, *known, "--output", output).stdout == b""
    assert output.read_bytes() == done.stdout
    again = run(*options, *known, "--output", output)
    assert again.returncode == 2 and b"not overwritten" in again.stderr
    assert output.read_bytes() == done.stdout


@pytest.mark.parametrize("known", ["apodo=Chabelo", "Chabelo", "paciente="])
def test_wrong_known_data_are_not_quoted(run, known):
    done = run("anonymize", "--text", "hola", "--known", known)
    assert done.returncode == 2
    assert b"--known number 1" in done.stderr and b"Chabelo" not in done.stderr


def test_a_file_and_a_text_are_not_both_read(run, tmp_path):
    done = run("anonymize", tmp_path / "n.txt", "--text", "hola")
    assert done.returncode == 2 and b"not both" in done.stderr


def test_nothing_is_cut_where_the_output_is_no_terminal(run):
    done = run("analyze", "--ner", "none", data=NOTE.encode())
    head, *rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert head[-1] == "rule"
    assert {row[-1] for row in rows} == {
        result.recognition_metadata["rule"]
        for result in presidio_mx.analyze(NOTE, ner="none")
    }
    assert all(len(row) == len(head) for row in rows)


def test_show_marks_what_is_found(run, tmp_path):
    done = run("show", data=NOTE.encode())
    assert "[Jesús Mendoza Mares] PERSON" in done.stdout.decode()
    page = tmp_path / "note.html"
    assert run("show", "--html", page, data=NOTE.encode()).stdout == b""
    text = page.read_text("utf-8")
    assert re.search(r"<mark [^>]+>Jesús Mendoza Mares<sub>", text)


def test_version(run):
    done = run("--version")
    assert done.stdout.decode() == f"presidio-mx {presidio_mx.__version__}\n"


def test_doctor_finds_everything_well_and_says_what_is_wrong(run, tmp_path):
    done = run("doctor", PRESIDIO_MX_KEY="7d3a9c51e8f04b62a1c5d97e3f286b04")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0 and all(line.startswith("ok") for line in lines)
    assert lines[-1] == "ok  self-test: 10/10 lines"
    assert "7d3a9c51" not in done.stdout.decode()
    (tmp_path / "stuff.bin").write_bytes(b"")
    wrong = run("doctor", PRESIDIO_MX_KEY="short", PRESIDIO_MX_SITE=str(tmp_path))
    bad = [line for line in wrong.stdout.decode().splitlines() if line[:3] == "BAD"]
    assert wrong.returncode == 2
    wanted = ["PRESIDIO_MX_KEY:", "PRESIDIO_MX_SITE:", "self-test:"]
    assert [line.split()[1] for line in bad] == wanted


def test_a_warning_is_one_line_without_source(run, tmp_path):
    key = tmp_path / "key"
    key.write_text("7d3a9c51e8f04b62a1c5d97e3f286b04")
    key.chmod(0o644)
    done = run("anonymize", "--key-file", key, data=NOTE.encode())
    assert done.stderr.startswith(b"presidio-mx: key file ")
    assert b"chmod 600" in done.stderr and done.stderr.count(b"\n") == 1


def test_what_rules_alone_cost_is_said(run, automatic, monkeypatch):
    monkeypatch.setattr(
        "presidio_mx.find.ner.choose.transformer_available", lambda: False
    )
    presidio_mx.pipeline.shared_analyzer.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        done = run("anonymize", data=NOTE.encode())
    said = done.stderr.decode()
    assert done.returncode == 0 and said.count("\n") == 1
    assert "pip install 'presidio-mx[transformer]'" in said
    assert re.search(r"they cover \d+(–\d+)? % of the identifiers", said)
    with pytest.warns(RulesAloneWarning):
        presidio_mx.build_analyzer()
    presidio_mx.pipeline.shared_analyzer.cache_clear()


def test_figures_of_the_warning_are_those_of_the_documentation():
    from presidio_mx.find.ner.transformer import SHIPPED
    from presidio_mx.yaml_file import read_yaml

    pages = read_yaml(Path(__file__).parents[1] / "docs" / "figures.yaml")["notes"]
    for name, systems in read_yaml(SHIPPED / "figures.yaml").items():
        for system, figures in systems.items():
            row = pages[name][system]
            assert figures == {"covered": row[0], "clean": row[-1]}


def test_every_command_has_a_line_of_help_in_both_languages():
    for command in COMMANDS:
        assert command.english.endswith(".") and command.spanish.endswith(".")
        assert command.english != command.spanish


def test_public_names_are_listed_before_their_first_use():
    assert set(presidio_mx.__all__) <= set(dir(presidio_mx))
    for name in presidio_mx.__all__:
        assert getattr(presidio_mx, name) is not None


def test_a_result_shows_itself_in_a_notebook():
    text = "Acude <Jesús Mendoza>. Tel. 443 312 4567"
    done = presidio_mx.analyze_and_anonymize(text, ner="none")
    html = done._repr_html_()
    assert "{NOMBRE}" in html and "Mendoza" not in html and "<Jes" not in html
    shown = presidio_mx.display(text, presidio_mx.analyze(text, ner="none"))
    assert "&lt;<mark" in shown._repr_html_() and "Mendoza" not in repr(shown)
    assert shown.rich().plain.startswith("Acude <[Jesús Mendoza] PERSON >")


def test_the_program_runs_as_a_module():
    command = [sys.executable, "-m", "presidio_mx", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("presidio-mx ")
