"""The CRF: features, training, the command, the recognizer."""

import json
import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from training_helpers import marked_notes, write_marked
from typer.testing import CliRunner

from presidio_mx import build_analyzer
from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.find.ner.model_folder import MANIFEST, file_hash
from presidio_mx.find.nlp import MxNlpEngine
from presidio_mx.research.systems.bio import words
from presidio_mx.research.systems.crf import MODEL_FILE, MxCrfRecognizer
from presidio_mx.research.systems.word_features import features, load_gazetteers, shape
from presidio_mx.research.training.crf import CrfRecipe, train_crf
from presidio_mx.research.training.history import read_history
from presidio_mx.work.cli.program import app

needs_crf = pytest.mark.skipif(
    find_spec("pycrfsuite") is None, reason="needs the extra crf"
)
RUN = CliRunner()
NOTE = "Paciente Micaela Ríos, 47 años, vive en Uruapan."


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("crf")
    train = marked_notes(home / "train", range(16))
    dev = marked_notes(home / "dev", range(16, 20))
    (home / "model").mkdir()
    train_crf(train, dev, home / "model", "native", CrfRecipe(40, 5))
    return home / "model"


@pytest.mark.parametrize(
    "text, word, expected, absent",
    [
        ("Sra María Luz", 1, ["w=maria", "s=Xx", "g=given", "<mar", "ria>"], ["n=4"]),
        ("Sra María Luz", 0, ["1:w=maria", "2:w=luz", "-1:none"], ["1:g=drug"]),
        ("tel 443 555", 1, ["w=000", "s=d", "n=3"], ["w=443"]),
        ("Domicilio: calle 5", 2, ["h=domicilio"], ["line begins"]),
        ("en San Luis Potosí", 2, ["p=I sure"], []),
        ("RFC GOMC850312AB1", 1, ["r=XdXd", "r#=13"], []),
        ("a\nb", 1, ["line begins", "-1|0=a|b"], []),
    ],
)
def test_features(text: str, word: int, expected: list[str], absent: list[str]) -> None:
    row = features(text, words(text), load_gazetteers())[word]
    assert set(expected) <= set(row)
    assert not set(absent) & set(row)


def test_shape_keeps_length_and_signs() -> None:
    assert shape("Ñáº-1") == "Xxx-d"


@needs_crf
def test_it_finds_what_it_learnt(trained: Path) -> None:
    found = MxCrfRecognizer(trained).analyze(NOTE, [])
    assert [(r.entity_type, NOTE[r.start : r.end]) for r in found] == [
        ("PERSON", "Micaela Ríos"),
        ("AGE", "47 años"),
        ("LOCATION", "Uruapan"),
    ]
    assert all(0.3 < r.score <= 1 for r in found)


@needs_crf
def test_threshold_and_entities_asked_for(trained: Path) -> None:
    recognizer = MxCrfRecognizer(model=trained)
    scores = [r.score for r in recognizer.analyze(NOTE, [])]
    middle = sorted(scores)[1]
    stricter = MxCrfRecognizer(model=trained, threshold=middle)
    assert len(stricter.analyze(NOTE, [])) == 2
    only = recognizer.analyze(NOTE, ["AGE", "MX_CURP"])
    assert [r.entity_type for r in only] == ["AGE"]
    assert recognizer.analyze(" \n", []) == []


@needs_crf
def test_it_works_in_a_stock_engine(trained: Path) -> None:
    nlp = MxNlpEngine()
    nlp.load()
    recognizer = MxCrfRecognizer(str(trained))
    engine = AnalyzerEngine(
        registry=RecognizerRegistry([recognizer], supported_languages=["es"]),
        nlp_engine=nlp,
        supported_languages=["es"],
    )
    found = engine.analyze(NOTE, language="es")
    assert {r.entity_type for r in found} == {"PERSON", "AGE", "LOCATION"}
    assert recognizer.model_hash == file_hash(trained / MODEL_FILE)


def found_by(ner: str, text: str) -> dict[str, str]:
    """Return what rules and a model find, and which recognizer found it."""
    found = build_analyzer(ner=ner).analyze(text, language="es")
    return {
        text[r.start : r.end]: r.recognition_metadata["recognizer_name"] for r in found
    }


@needs_crf
def test_it_joins_the_rules_by_its_path(trained: Path) -> None:
    text = "Se cita a Xqz Wkrtz, tel 443 123 45 67"
    assert "Xqz Wkrtz" not in found_by("none", text)
    found = found_by(str(trained), text)
    assert found["Xqz Wkrtz"] == "MxCrfRecognizer"
    assert found["443 123 45 67"] == "MxPhoneRecognizer"


@needs_crf
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_gives_spans_inside_it(trained: Path, text: str) -> None:
    for result in MxCrfRecognizer(trained).analyze(text, []):
        assert 0 <= result.start < result.end <= len(text)
        assert text[result.start : result.end].strip()


@needs_crf
def test_the_best_iteration_is_the_model_that_is_kept(tmp_path: Path) -> None:
    train = marked_notes(tmp_path / "train", range(6))
    dev = marked_notes(tmp_path / "dev", range(6, 10))
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    history = train_crf(train, dev, folders[0], "native", CrfRecipe(60, 4))
    best = json.loads((folders[0] / MANIFEST).read_text("utf-8"))["recipe"][
        "best_epoch"
    ]
    assert best < history[-1].epoch == len(read_history(folders[0]))
    assert history[best - 1].f1 == max(row.f1 for row in history)
    train_crf(train, dev, folders[1], "native", CrfRecipe(best, 0))
    assert file_hash(folders[0] / MODEL_FILE) == file_hash(folders[1] / MODEL_FILE)


@needs_crf
def test_words_that_stand_in_one_place_stay_out_of_the_file(tmp_path: Path) -> None:
    train = marked_notes(tmp_path / "n", range(6))
    lone = replace(train[0], text=train[0].text + "Xochiquetzal.\n")
    files = []
    for minimum in (2, 1):
        folder = tmp_path / str(minimum)
        folder.mkdir()
        recipe = CrfRecipe(5, l1=0.0, minimum=minimum)
        train_crf([lone, *train[1:]], train, folder, "native", recipe)
        files.append((folder / MODEL_FILE).read_bytes())
    assert [b"w=xochiquetzal" in file for file in files] == [False, True]


@needs_crf
def test_types_of_meddocan_get_the_names_of_the_spanish_preset(tmp_path: Path) -> None:
    notes = [
        replace(
            note, spans=tuple(replace(s, entity_type="TERRITORIO") for s in note.spans)
        )
        for note in marked_notes(tmp_path / "n", range(6))
    ]
    (tmp_path / "m").mkdir()
    train_crf(notes[:4], notes[4:], tmp_path / "m", "meddocan", CrfRecipe(5))
    assert MxCrfRecognizer(tmp_path / "m").supported_entities == ["ES_TERRITORIO"]


@needs_crf
def test_the_command_trains_shows_scores_and_resumes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ["train", "crf", "--out", str(out), "--epochs", "15"]
    command += ["--train", str(write_marked(tmp_path / "a", range(8)))]
    command += ["--train", str(write_marked(tmp_path / "b", range(8, 12)))]
    command += ["--dev", str(write_marked(tmp_path / "c", range(12, 16)))]
    done = RUN.invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "exact F1" in done.output
    assert (out / MANIFEST).is_file() and 0 < len(read_history(out)) <= 15
    again = RUN.invoke(app, command)
    assert isinstance(again.exception, InputError)
    before = file_hash(out / MODEL_FILE)
    (out / MANIFEST).unlink()
    resumed = RUN.invoke(app, [*command, "--resume"])
    assert resumed.exit_code == 0, resumed.output
    assert file_hash(out / MODEL_FILE) == before
    assert "already trained" in RUN.invoke(app, [*command, "--resume"]).output


@needs_crf
def test_a_corpus_of_which_files_were_skipped_ends_with_3(tmp_path: Path) -> None:
    train, out = write_marked(tmp_path / "a", range(8)), tmp_path / "out"
    (train / "broken.txt").write_text("Acude {{PERSON|Ana", "utf-8")
    dev = write_marked(tmp_path / "b", range(8, 12))
    command = ["train", "crf", "--train", str(train), "--dev", str(dev)]
    done = RUN.invoke(app, [*command, "--out", str(out), "--epochs", "5"])
    assert done.exit_code == 3, done.output
    assert "broken.txt" in done.output and "exact F1" in done.output
    assert (out / MANIFEST).is_file()


@needs_crf
def test_a_note_in_both_parts_is_refused(tmp_path: Path) -> None:
    notes = str(write_marked(tmp_path / "a", range(3)))
    done = RUN.invoke(
        app,
        [
            "train",
            "crf",
            "--train",
            notes,
            "--dev",
            notes,
            "--out",
            str(tmp_path / "o"),
        ],
    )
    assert isinstance(done.exception, InputError)
    assert "also a note to train on" in str(done.exception)
    assert not (tmp_path / "o").exists()


@needs_crf
@pytest.mark.parametrize(
    "file, content, sentence",
    [
        (MANIFEST, None, "there is no presidio_mx.json"),
        (MANIFEST, b"{}", "broken"),
        (MANIFEST, b'{"kind":"x","scheme":"native","labels":[],"recipe":{}}', "kind x"),
        (MODEL_FILE, None, "model.crfsuite is missing"),
        (MODEL_FILE, b"no model", "no model of CRFsuite"),
    ],
)
def test_broken_models_are_told_in_a_sentence(
    trained: Path, tmp_path: Path, file: str, content: bytes | None, sentence: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(trained, folder)
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    with pytest.raises(ConfigurationError, match=sentence):
        MxCrfRecognizer(folder)


def test_no_such_folder() -> None:
    with pytest.raises(ConfigurationError, match="no such model"):
        MxCrfRecognizer("nowhere/at/all")


@needs_crf
def test_a_missing_extra_is_named(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[crf\]"):
        MxCrfRecognizer(trained)
