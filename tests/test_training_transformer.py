"""Training a toy transformer: it learns, resumes, stops, and runs without torch."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from presidio_mx.research.corpora.inline import parse
from presidio_mx.research.training.augment import (
    noisy,
    swapped,
    varied,
    without_overlaps,
)
from presidio_mx.text.spans import Note, Span

MARKED = (
    "Paciente {{PERSON:patient|Jesús Mendoza Mares}} de {{AGE|45 años}}, vecino de "
    "{{LOCATION|Zacapu}}. Tel. {{PHONE|443 312 4567}}. Atiende Dra. "
    "{{PERSON:staff|Ruiz}}."
)


def native(marked: str) -> Note:
    from presidio_mx.schemes import in_scheme

    note, broken = parse("n", marked)
    assert not broken
    return in_scheme(note, "native")


@pytest.mark.parametrize("seed", range(8))
def test_swapped_notes_keep_their_marks(seed):
    note = native(MARKED)
    other = swapped(note, Random(seed))
    assert [s.entity_type for s in other.spans] == [s.entity_type for s in note.spans]
    assert other.covered(other.spans[0]) != "Jesús Mendoza Mares"
    assert other.text.startswith("Paciente ")
    assert other.text[other.spans[3].start - 5 : other.spans[3].start] == "Tel. "


@pytest.mark.parametrize("seed", range(8))
def test_noise_keeps_the_marks(seed):
    note = native(MARKED)
    other = noisy(note, Random(seed))
    assert [s.entity_type for s in other.spans] == [s.entity_type for s in note.spans]
    assert all(other.covered(s).strip() == other.covered(s) for s in other.spans)


def test_noise_misspells_names_whole():
    """Now and then every long word of a name is misspelt, and nothing around it."""
    note = native(MARKED)
    name = note.covered(note.spans[0])
    before = note.text[: note.spans[0].start]
    others = [noisy(note, Random(seed)) for seed in range(60)]
    odd = [
        other.covered(other.spans[0]).split()
        for other in others
        if other.text.startswith(before)
    ]
    assert any(
        len(words) == len(name.split())
        and all(a != b for a, b in zip(words, name.split(), strict=True) if len(b) > 3)
        for words in odd
    )


def test_a_model_learns_from_what_it_will_read():
    """Words that a scanner cut or misread are whole in training, and so are marks."""
    pytest.importorskip("tokenizers")
    from tokenizers import Tokenizer

    from presidio_mx.find.ner.transformer import SHIPPED
    from presidio_mx.research.training.examples import examples

    tokenizer = Tokenizer.from_file(str(SHIPPED / "tokenizer.json"))

    def learnt(marked: str) -> list[tuple[list[int], list[int]]]:
        made = examples(tokenizer, native(marked), "mx", 254, Random(0))
        return [(list(example.ids), list(example.labels)) for example in made]

    scanned = (
        "H0SPlTAL GENERAL 2O24 PAClENTE {{PERSON:patient|G0N ZALEZ HlDALGO}} "
        "{{AGE|4O AÑ0S}} FECHA {{DATE|l2/O3/2O24}}"
    )
    typed = (
        "HOSPITAL GENERAL 2024 PACIENTE {{PERSON:patient|GONZALEZ HIDALGO}} "
        "{{AGE|40 AÑOS}} FECHA {{DATE|12/03/2024}}"
    )
    assert learnt(scanned) == learnt(typed)


def test_chance_of_nothing_changes_nothing():
    note = native(MARKED)
    assert varied(note, 0.0, 0.0, Random(0)) == note


def test_overlapping_marks_become_one():
    note = Note("n", "Ana Ruiz", (Span(0, 8, "PERSON"), Span(4, 8, "PERSON")))
    assert without_overlaps(note).spans == (Span(0, 8, "PERSON"),)


def test_recipes_say_what_is_wrong():
    from presidio_mx import ConfigurationError
    from presidio_mx.research.training.recipe import recipe_of

    good = {"encoder": "e", "train": [{"path": "a"}], "dev": [{"path": "b"}]}
    assert recipe_of(good).heads == ("mx",)
    for change, reason in [
        ({"epoch": 3}, "unknown"),
        ({"train": [{"path": "a", "head": "fr"}]}, "unknown head"),
        ({"dev": []}, "need a corpus"),
        ({"train": [{"pfad": "a"}]}, "unknown"),
    ]:
        with pytest.raises(ConfigurationError, match=reason):
            recipe_of(good | change)


def test_a_pattern_names_several_corpora(tmp_path):
    from presidio_mx import InputError
    from presidio_mx.research.training.examples import read_source
    from presidio_mx.research.training.recipe import Source

    for folder, count in (("train_a", 3), ("train_b", 2), ("dev", 1)):
        (tmp_path / folder).mkdir()
        for number in range(count):
            (tmp_path / folder / f"{number}.txt").write_text(f"{folder} {number}")
    pattern = str(tmp_path / "train_*")
    # Every second note of each, not of all together.
    notes = read_source(Source(pattern, part="0/2"))
    assert [n.text for n in notes] == ["train_a 0", "train_a 2", "train_b 0"]
    with pytest.raises(InputError, match="no corpus has such a name"):
        read_source(Source(str(tmp_path / "heldout_*")))


def write_encoder(folder: Path) -> Path:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertModel

    words = sorted(set(MARKED.replace("{", " ").replace("}", " ").split()))
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *words, *"0123456789.,"]
    tokenizer = Tokenizer(
        models.WordLevel(
            {w: i for i, w in enumerate(dict.fromkeys(vocabulary))}, unk_token="<unk>"
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Split(Regex(r"\p{L}+|\p{N}+|[^\p{L}\p{N}]"), "isolated"),
        ]
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=300,
        pad_token_id=1,
    )
    BertModel(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.mark.heavy
def test_train_resume_export_and_run(tmp_path):
    for name in ("torch", "transformers", "onnx", "onnxruntime"):
        pytest.importorskip(name, reason="extra [train] is not installed")
    from presidio_mx.work.cli.program import app

    encoder = write_encoder(tmp_path / "encoder")
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(40):
        (notes / f"{number}.txt").write_text(MARKED, encoding="utf-8")
    recipe = {
        "encoder": str(encoder),
        "layers": 1,
        "epochs": 8,
        "tokens": 256,
        "rate": 3e-3,
        "head_rate": 3e-3,
        "average": 0.5,
        "patience": 0,
        "train": [{"path": str(notes)}],
        "dev": [{"path": str(notes), "part": "0/10"}],
    }
    file = tmp_path / "recipe.yaml"
    file.write_text(json.dumps(recipe))
    out = tmp_path / "model"

    def train(*more):
        return CliRunner().invoke(
            app,
            ["train", "transformer", "--recipe", str(file), "--out", str(out), *more],
            catch_exceptions=False,
        )

    done = train("--epochs", "1")
    assert done.exit_code == 0, done.output
    assert len((out / "history.jsonl").read_text().splitlines()) == 1
    with pytest.raises(ValueError, match="exists; give another folder"):
        train()
    # Where time is up at once, what there is becomes a model, and can go on later.
    done = train("--resume", "--minutes", "0.0001")
    assert "time is up: stop after epoch 1" in done.output
    assert (out / "model.onnx").is_file()
    done = train("--resume")
    assert "resumed after epoch 1" in done.output
    rows = [json.loads(x) for x in (out / "history.jsonl").read_text().splitlines()]
    assert [row["epoch"] for row in rows] == list(range(1, 9))
    assert rows[-1]["loss"] < rows[0]["loss"]
    assert rows[-1]["f1"] > 0.9
    # The finished model runs where torch cannot be imported.
    code = (
        "import sys; sys.modules['torch'] = None; "
        "from presidio_mx.find.ner import transformer; "
        "R = transformer.MxTransformerRecognizer; "
        f"t = {native(MARKED).text!r}; r = R({str(out)!r}).analyze(t, []); "
        "print([t[x.start:x.end] for x in r if x.entity_type == 'PERSON'])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "['Jesús Mendoza Mares', 'Ruiz']" in ran.stdout
    card = json.loads((out / "presidio_mx.json").read_text())
    assert card["recipe"]["epochs"] == 8
    fitted = CliRunner().invoke(
        app,
        ["train", "fusion", "--model", str(out), "--dev", f"{notes}@0/20"],
        catch_exceptions=False,
    )
    assert "round 1" in fitted.output
    assert "fitted" in (out / "fusion.yaml").read_text()
    learns_from_its_teacher(tmp_path, recipe, out)
    writes_a_mean(tmp_path, out, tmp_path / "student")


def writes_a_mean(tmp_path, first, second):
    """The mean of two finished runs is a model of its own that runs."""
    import torch
    from presidio_mx.research.training.mean import mean_weights, write_mean

    from presidio_mx.errors import InputError
    from presidio_mx.find.ner.transformer import MxTransformerRecognizer

    one, other = ({"w": torch.tensor([value])} for value in (1.0, 3.0))
    assert mean_weights([one, other])["w"].tolist() == [2.0]
    with pytest.raises(InputError, match="different shapes"):
        mean_weights([one, {"w": torch.zeros(2)}])
    for runs, said in (([first], "two finished runs"), ([first, tmp_path], "best.pt")):
        with pytest.raises(InputError, match=said):
            write_mean(tmp_path / "mean", runs)
    write_mean(tmp_path / "mean", [first, second])
    with pytest.raises(InputError, match="exists"):
        write_mean(tmp_path / "mean", [first, second])
    card = json.loads((tmp_path / "mean" / "presidio_mx.json").read_text())
    assert card["mean_of"] == ["model", "student"]
    text = native(MARKED).text
    MxTransformerRecognizer(tmp_path / "mean").analyze(text, [])


def learns_from_its_teacher(tmp_path, recipe, teacher):
    """A student of notes without marks finds what its teacher finds."""
    from presidio_mx.find.ner.transformer import MxTransformerRecognizer
    from presidio_mx.work.cli.program import app

    unmarked = tmp_path / "unmarked"
    unmarked.mkdir()
    text = native(MARKED).text
    for number in range(40):
        (unmarked / f"{number}.txt").write_text(text, encoding="utf-8")
    file = tmp_path / "student.yaml"
    own = {"teacher": str(teacher), "opinion": 1.0, "empty": 1.0}
    file.write_text(
        json.dumps(recipe | own | {"train": [{"path": str(unmarked)}], "seed": 5})
    )
    out = tmp_path / "student"
    CliRunner().invoke(
        app,
        ["train", "transformer", "--recipe", str(file), "--out", str(out)],
        catch_exceptions=False,
    )
    found = MxTransformerRecognizer(str(out)).analyze(text, [])
    people = {text[r.start : r.end] for r in found if r.entity_type == "PERSON"}
    assert people == {"Jesús Mendoza Mares", "Ruiz"}
    wrong = recipe | own | {"train": [{"path": str(unmarked), "head": "es-ES"}]}
    file.write_text(json.dumps(wrong))
    with pytest.raises(ValueError, match="a teacher without head es-ES"):
        CliRunner().invoke(
            app,
            ["train", "transformer", "--recipe", str(file), "--out", f"{out}2"],
            catch_exceptions=False,
        )
