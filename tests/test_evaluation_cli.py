"""The commands of ``presidio-mx evaluate``."""

import csv
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.research.corpora import Note, Span, read_corpus
from presidio_mx.research.evaluation import run, systems
from presidio_mx.work.cli.evaluate import app

NOTES = {
    "a": "Pte {{PERSON:patient|Itzel Paz}}, cel {{PHONE|443 555 01 02}}.",
    "b": "Dra. {{PERSON:staff|Ana Ruiz}} indica alta, neumonía resuelta.",
}


class FakeEngine:
    """Finds what stands in its list, as Presidio would say it."""

    def __init__(self, found: dict[str, str]) -> None:
        self.found = found

    def analyze(self, text: str, language: str) -> list[SimpleNamespace]:
        assert language == "es"
        return [
            SimpleNamespace(
                start=text.index(words),
                end=text.index(words) + len(words),
                entity_type=name,
                score=0.85,
                recognition_metadata={"recognizer_name": "Fake", "role": "patient"},
            )
            for words, name in self.found.items()
            if words in text
        ]


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "gold"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    engines = {
        "mx": FakeEngine({"Itzel Paz": "PERSON", "443 555 01 02": "PHONE_NUMBER"}),
        "ADBDC": FakeEngine({"Itzel": "PERSON"}),
    }
    monkeypatch.setattr(systems, "build_engine", lambda preset, *_: engines[preset])
    monkeypatch.setenv("PRESIDIO_MX_LANG", "en")
    return folder


def call(*arguments: object) -> Result:
    return CliRunner().invoke(
        app, [str(a) for a in arguments], env={"COLUMNS": "160"}, catch_exceptions=True
    )


def test_evaluate_is_a_plain_command_beside_its_sub_commands(
    gold: Path, tmp_path: Path
) -> None:
    figures = tmp_path / "figures.json"
    done = call(gold, "--format", "inline", "--rounds", 50, "--json", figures)
    assert done.exit_code == 0, done.output
    assert "identifiers fully covered" in done.stdout
    assert json.loads(figures.read_text("utf-8"))["scores"]["covered"] == {
        "part": 2,
        "whole": 3,
    }
    named_first = call("--format", "inline", gold, "--rounds", 50)
    assert named_first.stdout == done.stdout
    assert call("score", gold, "--rounds", 50).stdout == done.stdout
    assert "compare" in call("--help").stdout


def test_a_sensitivity_is_evaluated(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(NOTES["a"], "utf-8")
    options = [tmp_path, "--ner", "none", "--rounds", 50]
    usual, strict = call(*options), call(*options, "--sensitivity", 0.9999)
    assert re.search(r"identifiers fully covered │ 100\.00", usual.stdout)
    assert re.search(r"identifiers fully covered │ +0\.00", strict.stdout)
    stock = call(tmp_path, "--preset", "stock", "--sensitivity", "high")
    assert "takes no --sensitivity" in str(stock.exception)


def test_predictions_of_another_system_and_all_outputs(
    gold: Path, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "a.ann").write_text("T1\tPERSON 4 13\tItzel Paz\n", "utf-8")
    rewritten = tmp_path / "rewritten"
    rewritten.mkdir()
    (rewritten / "a.txt").write_text("Pte Mara Sol, cel 1.", "utf-8")
    (rewritten / "b.txt").write_text("Dra. Ana Ruiz indica alta, X.", "utf-8")
    page, brat = tmp_path / "r.html", tmp_path / "brat"
    options = ["--predictions", given, "--predictions-format", "brat", "--loss"]
    options += ["--rewritten", rewritten, "--html", page, "--rounds", 50]
    done = call(gold, *options, "--write-predictions", brat)
    assert done.exit_code == 3
    assert "no predictions for note b; counted as nothing found" in done.stderr
    assert "Levenshtein < 0.7" in done.stdout
    assert "not comparable" in " ".join(done.stdout.split())
    assert "Ana Ruiz" in page.read_text("utf-8")
    assert read_corpus(brat, "brat").notes[0].spans == (Span(4, 13, "PERSON"),)
    again = call(gold, "--html", page)
    assert isinstance(again.exception, InputError)
    assert "not overwritten" in str(again.exception)


def test_meddocan_predictions_have_the_labels_of_the_official_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "s.txt").write_text("Nombre: Ana.\nVive en Jaca.", "utf-8")
    (folder / "s.ann").write_text("T1\tTERRITORIO 21 25\tJaca\n", "utf-8")
    engine = FakeEngine({"Jaca": "ES_TERRITORIO"})
    monkeypatch.setattr(systems, "build_engine", lambda *_: engine)
    out = tmp_path / "out"
    options = ["--format", "brat", "--scheme", "meddocan", "--preset", "es-ES"]
    done = call(folder, *options, "--write-predictions", out, "--rounds", 50)
    assert done.exit_code == 0, done.output
    assert "MEDDOCAN" in done.stdout
    line = (out / "s.ann").read_text("utf-8").splitlines()[0]
    assert line == "T1\tTERRITORIO 21 25\tJaca"


def test_compare_names_the_better_system(gold: Path) -> None:
    for number in range(30):
        (gold / f"n{number}.txt").write_text(NOTES["a"], "utf-8")
    done = call("compare", "mx", "ADBDC", "--gold", gold, "--rounds", 200)
    assert done.exit_code == 0, done.output
    row = next(line for line in done.stdout.splitlines() if "fully covered" in line)
    assert "A is better" in row
    same = call("compare", "mx", "mx", "--gold", gold, "--rounds", 200)
    assert "is better" not in same.stdout


def test_sample_and_review(gold: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    done = call("sample", gold, "--n", 1, "--seed", 1, "--output", sheet)
    assert done.exit_code == 0, done.output
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1
    filled = tmp_path / "filled.csv"
    with filled.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerow(rows[0] | {"reviewed": "yes", "PERSON": "1"})
    table = call("review", filled)
    assert table.exit_code == 0, table.output
    assert "some miss" in table.stdout
    assert isinstance(call("sample", gold, "--output", sheet).exception, InputError), (
        "a sheet is never overwritten"
    )


def test_inputs_that_cannot_be_scored_say_why(gold: Path, tmp_path: Path) -> None:
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "z.txt").write_text("x", "utf-8")
    wrong = call(gold, "--predictions", strange)
    assert "has the name of a gold note, such as 'a'" in str(wrong.exception)
    scheme = call(gold, "--scheme", "icd")
    assert isinstance(scheme.exception, ConfigurationError)


def test_annotations_that_miss_are_told_and_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Pte Itzel Paz", "utf-8")
    (tmp_path / "a.ann").write_text("T1\tPERSON 5 14\tItzel Paz\n", "utf-8")
    with pytest.raises(InputError, match=r"a\.ann, line 1: span 5 to 14"):
        run.read_gold(tmp_path, "brat", "native")


def test_the_stock_preset_never_downloads() -> None:
    with pytest.raises(ConfigurationError, match="--spacy-model"):
        systems.build_engine("stock", spacy_model="es_core_news_sm_not_here")


def test_stock_presidio_runs_on_a_model_folder(tmp_path: Path) -> None:
    import spacy

    spacy.blank("es").to_disk(tmp_path / "model")
    engine = systems.build_engine("stock", spacy_model=str(tmp_path / "model"))
    note = Note("a", "correo ana.ruiz@hospital.com.mx")
    found = list(systems.predict(engine, [note]))[0]
    mail = [s for s in found.spans if s.entity_type == "EMAIL_ADDRESS"]
    assert [found.covered(s) for s in mail] == ["ana.ruiz@hospital.com.mx"]
    assert mail[0].recognizer


def test_tags_replace_spans_that_overlap_once() -> None:
    spans = (Span(0, 7, "PERSON"), Span(4, 10, "LOCATION"), Span(10, 12, "AGE"))
    tagged = systems.tagged_text(Note("a", "Ana Paz 12 a", spans))
    assert tagged == "<PERSON><AGE>"
