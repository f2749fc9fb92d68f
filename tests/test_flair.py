"""Checkpoints of Flair: what is said where they cannot be used, and how they map."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from line_up import run_row
from training_helpers import write_marked
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.find.ner.choose import ner_recognizers
from presidio_mx.find.ner.label_names import entities_for
from presidio_mx.research.systems import flair as tagger
from presidio_mx.research.systems.flair import MxFlairRecognizer
from presidio_mx.research.training import flair as training
from presidio_mx.research.training.flair import FlairRecipe, read_log, train_flair
from presidio_mx.research.training.flair_parts import GENERAL, Parts, learnt, split
from presidio_mx.research.training.history import read_history
from presidio_mx.text.spans import Note, Span
from presidio_mx.work.cli import train_steps
from presidio_mx.work.cli.program import app

TEXT = "  Paciente Rosa Paz.\nVive en Zacapu.\n" * 30


@pytest.fixture
def flair(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Flair's interface, as far as it is used: marks "Rosa Paz" and two more."""

    class Sentence:
        def __init__(self, text: str) -> None:
            self.text = text

        def get_spans(self, kind: str) -> list[SimpleNamespace]:
            assert kind == "ner"
            marks = {"Rosa Paz": "NOMBRE", "Zacapu": "LOC", "Vive": "MISC"}
            found = []
            for word, value in marks.items():
                at = self.text.find(word)
                while at >= 0:
                    label = SimpleNamespace(value=value, score=0.75)
                    found.append(
                        SimpleNamespace(
                            start_position=at,
                            end_position=at + len(word),
                            get_label=lambda kind, label=label: label,
                        )
                    )
                    at = self.text.find(word, at + 1)
            return found

    class SequenceTagger:
        tag_type = "ner"
        label_dictionary = SimpleNamespace(
            get_items=lambda: ["O", "S-NOMBRE", "B-LOC", "I-LOC", "S-MISC", "<START>"]
        )

        @classmethod
        def load(cls, path: str) -> "SequenceTagger":
            if Path(path).read_bytes() != b"checkpoint":
                raise EOFError
            return cls()

        def predict(self, sentences: list[Sentence]) -> None:
            assert all(len(sentence.text) < 1_500 for sentence in sentences)

    modules = {name: ModuleType(name) for name in ("flair", "flair.data")}
    modules["flair.models"] = ModuleType("flair.models")
    modules["flair.data"].Sentence = Sentence  # type: ignore[attr-defined]
    modules["flair.models"].SequenceTagger = SequenceTagger  # type: ignore[attr-defined]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    return modules["flair"]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "best-model.pt"
    path.write_bytes(b"checkpoint")
    return path


def test_labels_become_entities_and_pieces_keep_their_place(
    flair: ModuleType, checkpoint: Path
) -> None:
    recognizer = MxFlairRecognizer(checkpoint)
    assert recognizer.supported_entities == ["LOCATION", "PERSON"]
    found = recognizer.analyze(TEXT, [])
    assert {(r.entity_type, TEXT[r.start : r.end]) for r in found} == {
        ("PERSON", "Rosa Paz"),
        ("LOCATION", "Zacapu"),
    }
    assert len({(r.start, r.end) for r in found}) == 60


def test_the_folder_of_a_training_will_do(flair: ModuleType, checkpoint: Path) -> None:
    by_folder = MxFlairRecognizer(checkpoint.parent, threshold=0.8)
    assert by_folder.model_hash == MxFlairRecognizer(checkpoint).model_hash
    assert by_folder.analyze(TEXT, []) == []


def test_what_cannot_be_loaded_is_told(flair: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no checkpoint of Flair"):
        MxFlairRecognizer(tmp_path)
    (tmp_path / "x.pt").write_bytes(b"")
    with pytest.raises(ConfigurationError, match="cannot load it"):
        MxFlairRecognizer(tmp_path / "x.pt")


def test_a_missing_extra_is_named(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "flair.models", None)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[flair\]"):
        MxFlairRecognizer(checkpoint)


def test_flair_has_its_row_in_the_line_up(flair: ModuleType, checkpoint: Path) -> None:
    done = run_row("Flair", flair=checkpoint)
    assert [span.entity_type for span in done.notes[0].spans] == ["PERSON", "LOCATION"]


def test_a_corpus_is_parted_as_the_thesis_parted_its_own() -> None:
    notes = [Note(str(number), f"nota {number}") for number in range(100)]
    parts = split(notes, 1)
    assert [len(parts.train), len(parts.dev), len(parts.test)] == [82, 9, 9]
    assert sorted(n.id for n in parts.train + parts.dev + parts.test) == sorted(
        n.id for n in notes
    )
    assert split(notes, 1) == parts != split(notes, 2)
    general = split(notes, 1, GENERAL)
    counts = [len(general.train), len(general.dev), len(general.test)]
    assert counts == [57, 19, 24]
    mixed = parts + split(notes, 2)
    assert len(mixed.train) == 164
    with pytest.raises(InputError, match="give --dev"):
        split(notes[:2], 1)


def test_batch_and_parts_reach_the_trainer(
    flair: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = write_marked(tmp_path / "own", range(100))
    general = write_marked(tmp_path / "general", range(100, 200))
    seen: list[Any] = []
    monkeypatch.setattr(training, "train_flair", lambda *given: seen.append(given))
    monkeypatch.setattr(tagger, "MxFlairRecognizer", str)
    monkeypatch.setattr(train_steps, "finish", lambda *_: None)
    command = ["train", "flair", "--train", str(own), "--general", str(general)]
    command += ["--batch", "8", "--epochs", "2", "--out", str(tmp_path / "adap")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    parts, _, scheme, recipe, start, _ = seen[0]
    assert [len(parts.train), len(parts.dev), len(parts.test)] == [139, 28, 33]
    assert (recipe.batch, recipe.epochs, scheme, start) == (8, 2, "adap", None)


def test_adap_learns_three_tags() -> None:
    spans = (Span(0, 3, "NOMBRE"), Span(4, 6, "EDAD"), Span(7, 10, "DOM"))
    note = Note("a", "Ana 45 Sol", spans)
    assert [s.entity_type for s in learnt([note], "adap")[0].spans] == ["NOMBRE", "DOM"]
    assert learnt([note], "thesis") == [note]


def test_the_log_of_a_training_is_read(tmp_path: Path) -> None:
    path = tmp_path / "loss.tsv"
    path.write_text(
        "EPOCH\tTIMESTAMP\tLEARNING_RATE\tTRAIN_LOSS\tDEV_LOSS\tDEV_PRECISION"
        "\tDEV_RECALL\tDEV_F1\tDEV_ACCURACY\n"
        "1\t10:00:00\t0.1000\t0.5\t0.4\t0.8\t0.6\t0.6857\t0.5\n",
        "utf-8",
    )
    (row,) = read_log(path)
    assert (row.epoch, row.loss, row.f1) == (1, 0.5, 0.6857)


@pytest.mark.heavy
def test_a_tagger_is_trained_as_adap_was(tmp_path: Path) -> None:
    pytest.importorskip("flair.models", reason="needs the extra flair")
    write_marked(tmp_path / "own", range(12))
    write_marked(tmp_path / "general", range(12, 24))
    out = tmp_path / "adap"
    command = ["train", "flair", "--train", str(tmp_path / "own"), "--out", str(out)]
    command += ["--general", str(tmp_path / "general"), "--epochs", "2"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert len(read_history(out)) == 2
    assert "Tags counted, as for ADAP" in done.stdout
    # Flair's log tells each word that a model knows; its trainer copies dev and test.
    assert "Abelardo" not in done.output
    written = {path.name for path in out.iterdir()}
    assert written >= {"final-model.pt", "history.jsonl", "presidio_mx.json"}
    assert not written & {"dev.tsv", "test.tsv", "training.log"}
    again = tmp_path / "again"
    command[command.index(str(out))] = str(again)
    done = CliRunner().invoke(app, [*command, "--start", str(out / "final-model.pt")])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "labels, expected",
    [
        (["O", "B-PER", "I-PER", "B-MISC"], {"PER": "PERSON"}),
        (["B-NOMBRE", "S-CEL", "E-DOM"], ["PERSON", "PHONE_NUMBER", "ADDRESS"]),
        (
            ["B-NOMBRE_PERSONAL_SANITARIO", "B-PAIS", "B-PROFESION"],
            ["PERSON", "LOCATION"],
        ),
        (["B-MX_CURP", "CURP", "ES_CALLE"], ["MX_CURP", "MX_CURP", "ADDRESS"]),
    ],
)
def test_label_names(labels: list[str], expected: dict[str, str] | list[str]) -> None:
    found = entities_for(labels)
    if isinstance(expected, dict):
        assert found == expected
    else:
        assert list(found.values()) == expected


@pytest.mark.heavy
def test_a_real_tagger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("flair.models", reason="needs the extra flair")
    notes = []
    for number, name in enumerate(["Rosa Paz", "Luis Uc", "Ana Ruiz", "Eva Gil"] * 4):
        text = f"Nota {number}.\nPaciente {name} , vive en Zacapu ."
        spans = [
            Span(text.index(words), text.index(words) + len(words), tag)
            for words, tag in ((name, "NOMBRE"), ("Zacapu", "DOM"))
        ]
        notes.append(Note(f"{number}", text, tuple(spans)))
    shown: list[int] = []
    recipe = FlairRecipe(epochs=12, rate=0.3, batch=2, hidden=32)
    parts = Parts(notes[:12], notes[12:], [])
    history = train_flair(
        parts, tmp_path, "adap", recipe, on_epoch=lambda row: shown.append(row.epoch)
    )
    assert shown == list(range(1, 13))
    assert max(row.f1 for row in history) == 1.0
    text = "Nota 3.\n\n  Paciente Luis Uc , vive en Zacapu .\n"
    (recognizer,) = ner_recognizers(str(tmp_path), "mx")
    found = recognizer.analyze(text, [])
    assert [(r.entity_type, text[r.start : r.end]) for r in found] == [
        ("PERSON", "Luis Uc"),
        ("ADDRESS", "Zacapu"),
    ]
    assert len(run_row("Flair", flair=tmp_path).notes) == 2
    assert "Zacapu" not in capsys.readouterr().out
