"""Training a toy transformer: it learns, resumes, stops, and runs without torch."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from training_helpers import marked_text, write_encoder, write_marked
from typer.testing import CliRunner

from presidio_mx import ConfigurationError, InputError, build_analyzer
from presidio_mx.find.reading import ROLES
from presidio_mx.find.sensitivity import Thresholds
from presidio_mx.research.corpora.inline import parse
from presidio_mx.research.training import recipe as recipe_module
from presidio_mx.research.training.augment import (
    noisy,
    swapped,
    varied,
    without_overlaps,
)
from presidio_mx.research.training.recipe import Source, read_recipe, recipe_of
from presidio_mx.research.training.sources import read_source
from presidio_mx.schemes import in_scheme
from presidio_mx.text.prepare import prepare
from presidio_mx.text.spans import Note, Span

MARKED = (
    "Paciente {{PERSON:patient|Jesús Mendoza Mares}} de {{AGE|45 años}}, vecino de "
    "{{LOCATION|Zacapu}}. Tel. {{PHONE|443 312 4567}}. Atiende Dra. "
    "{{PERSON:staff|Ruiz}}."
)


def native(marked: str) -> Note:
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


def test_chance_of_nothing_changes_nothing():
    note = native(MARKED)
    assert varied(note, 0.0, 0.0, Random(0)) == note


def test_overlapping_marks_become_one():
    note = Note("n", "Ana Ruiz", (Span(0, 8, "PERSON"), Span(4, 8, "PERSON")))
    assert without_overlaps(note).spans == (Span(0, 8, "PERSON"),)


GOOD = {"encoder": "e", "train": [{"path": "a"}], "dev": [{"path": "b"}]}


def test_a_recipe_is_read():
    recipe = recipe_of(
        GOOD | {"train": [{"path": "a"}, {"path": "c", "head": "es-ES"}]}
    )
    assert recipe.heads == ("mx", "es-ES")
    assert recipe_of(recipe.to_dict()) == recipe


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epoch": 3}, "recipe: epoch: Unexpected"),
        ({"epochs": 0}, "recipe: epochs: Input should be greater than or equal to 1"),
        ({"epochs": "many"}, "epochs: Input should be a valid integer"),
        ({"rate": -1e-4}, "rate: Input should be greater than 0"),
        ({"window": 9000}, "window: Input should be less than or equal to 512"),
        ({"windows": []}, "windows: .* at least 1"),
        ({"train": [{"path": "a", "head": "fr"}]}, "train, 0, head: Input should be"),
        ({"train": [{"path": "a", "swap": 2}]}, "train, 0, swap: .*less than"),
        ({"train": [{"path": "a", "part": "half"}]}, "train, 0, part: "),
        ({"train": [{"pfad": "a"}]}, "train, 0, path"),
        ({"train": "a"}, "train: Input should be a valid tuple"),
        ({"dev": []}, "dev: .* at least 1"),
        ({"dev": [{"path": "b", "head": "es-ES"}]}, "dev has notes of head es-ES"),
        ({"encoder": ""}, "give encoder, or as start"),
    ],
)
def test_a_recipe_with_a_wrong_value_is_one_sentence(change, said):
    with pytest.raises(ConfigurationError, match=said) as caught:
        recipe_of(GOOD | change)
    assert "\n" not in str(caught.value)


def test_shipped_recipes_are_whole():
    folder = Path(recipe_module.__file__).with_name("recipes")
    names = [path.name for path in sorted(folder.iterdir())]
    assert names == ["mx-small.yaml"]
    for name in names:
        assert recipe_of(read_recipe(folder / name), name).heads == ("mx", "es-ES")


def test_a_pattern_names_several_corpora(tmp_path):
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


def write_recipe(folder: Path, **more) -> Path:
    """Write a recipe that learns some notes by heart within seconds."""
    recipe = {
        "encoder": str(folder / "encoder"),
        "train": [{"path": str(folder / "train"), "copies": 8}],
        "dev": [{"path": str(folder / "dev")}],
        "epochs": 6,
        "patience": 0,
        "rate": 3e-3,
        "head_rate": 1e-2,
        "words": 250,
        "windows": [12, 20],
        "window": 16,
        "average": 0.6,
    }
    file = folder / "recipe.yaml"
    file.write_text(json.dumps(recipe | more), encoding="utf-8")
    return file


def run(*words: object):
    from presidio_mx.work.cli.program import app

    return CliRunner().invoke(app, [str(w) for w in words], catch_exceptions=False)


def train(folder: Path, out: str, *more: object, **changes: object):
    """Train by the command line; return what it said."""
    recipe = write_recipe(folder, **changes)
    command = ("train", "transformer", "--recipe", recipe, "--out", folder / out)
    done = run(*command, *more)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train a toy in two goes; return the folder of all there is."""
    for name in ("torch", "safetensors", "onnx", "onnxruntime"):
        pytest.importorskip(name, reason="extra [train] is not installed")
    folder = tmp_path_factory.mktemp("training")
    write_encoder(folder / "encoder")
    write_marked(folder / "train", range(10))
    write_marked(folder / "dev", range(12, 15))
    train(folder, "toy", "--epochs", 2)
    again = train(folder, "toy", "--resume")
    assert "resumed after epoch 2" in again
    return folder


def rows(folder: Path) -> list[dict]:
    lines = (folder / "history.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_it_learns(trained):
    found = rows(trained / "toy")
    assert [row["epoch"] for row in found] == list(range(1, 7))
    assert found[-1]["loss"] < 0.5 * found[0]["loss"]
    assert found[-1]["f1"] > 0.8
    card = json.loads((trained / "toy" / "presidio_mx.json").read_text("utf-8"))
    assert card["recipe"]["epochs"] == 6
    assert card["size"]["width"] == 32


def test_a_taken_folder_and_another_recipe_are_refused(trained):
    with pytest.raises(InputError, match="exists; give another folder"):
        train(trained, "toy")
    with pytest.raises(InputError, match="begun with another seed, words"):
        train(trained, "toy", "--resume", words=99, seed=4)


def test_the_time_may_be_bound(trained):
    """Where time is up at once, what there is becomes a model."""
    said = train(trained, "brief", "--minutes", 0.0001)
    assert "time is up: stop after epoch 1" in said
    assert (trained / "brief" / "model.onnx").is_file()


def test_the_same_seed_gives_the_same_file(trained):
    short = {"train": [{"path": str(trained / "train"), "swap": 0.5, "style": 0.5}]}
    for name, seed in (("one", 1), ("other", 1), ("third", 2)):
        train(trained, name, "--epochs", 1, seed=seed, **short)
    one, other, third = (
        (trained / name / "model.onnx").read_bytes()
        for name in ("one", "other", "third")
    )
    assert one == other != third


def test_a_run_that_was_killed_comes_to_what_one_run_comes_to(trained):
    import torch

    from presidio_mx.research.training.trainer import Trainer

    def kill(line: str) -> None:
        if line.startswith("epoch 2"):
            raise KeyboardInterrupt

    recipe = recipe_of(read_recipe(write_recipe(trained, epochs=2, seed=6)))
    for name in ("at_once", "in_two"):
        (trained / name).mkdir()
    wanted = Trainer(recipe, trained / "at_once", print).run(resume=False)
    with pytest.raises(KeyboardInterrupt):
        Trainer(recipe, trained / "in_two", kill).run(resume=False)
    made = Trainer(recipe, trained / "in_two", print).run(resume=True)
    own = made.state_dict()
    assert all(torch.equal(v, own[name]) for name, v in wanted.state_dict().items())


def test_the_finished_model_runs_without_torch(trained):
    text = native(marked_text(1)).text
    code = (
        "import sys; sys.modules['torch'] = None; "
        "from presidio_mx.find.ner import transformer; "
        "R = transformer.MxTransformerRecognizer; "
        f"t = {text!r}; r = R({str(trained / 'toy')!r}).analyze(t, []); "
        "print([(t[x.start:x.end], x.entity_type) for x in r])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "('Abelardo Ríos', 'PERSON')" in ran.stdout


def test_roles_are_learnt(trained):
    from presidio_mx.find.ner.transformer import MxTransformerRecognizer

    reading = MxTransformerRecognizer(trained / "toy").read(
        prepare(native(marked_text(1)).text)
    )
    (person,) = [f for f in reading.findings(Thresholds(0.5)) if f.entity == "PERSON"]
    roles = reading.evidence.roles_of(person.start, person.end)
    assert ROLES[int(roles.argmax())] == "patient"


def test_a_student_learns_from_its_teacher(trained):
    """Of notes without marks it learns what its teacher finds."""
    from presidio_mx.find.ner.transformer import MxTransformerRecognizer

    unmarked = trained / "unmarked"
    unmarked.mkdir()
    for number in range(10):
        text = native(marked_text(number)).text
        (unmarked / f"{number}.txt").write_text(text, encoding="utf-8")
    corpus = {"path": str(unmarked), "copies": 8}
    teaching = {"teacher": str(trained / "toy"), "opinion": 1.0, "variants": 2}
    train(trained, "student", **teaching, train=[corpus])
    text = native(marked_text(1)).text
    found = MxTransformerRecognizer(trained / "student").analyze(text, [])
    assert "Abelardo Ríos" in {text[r.start : r.end] for r in found}
    kept = sorted(path.name for path in (trained / "student").glob("opinions*"))
    assert kept == ["opinions-0.npz", "opinions-1.npz"]
    with pytest.raises(InputError, match="a teacher without head es-ES"):
        train(trained, "x", **teaching, train=[corpus | {"head": "es-ES"}, corpus])


def test_a_calibration_is_fitted_and_used(trained):
    from presidio_mx.find.ner.transformer import MxTransformerRecognizer

    toy = trained / "toy"
    prose = trained / "prose"
    prose.mkdir()
    for number in range(3):
        text = f"Se tomaron {number} muestras en Morelia el 3 de mayo."
        (prose / f"{number}.txt").write_text(text, encoding="utf-8")
    done = run(
        *("train", "calibration", "--model", toy, "--out", toy / "calibration.yaml"),
        *("--dev", f"{trained / 'train'}@-0/2", "--prose", prose),
    )
    assert done.exit_code == 0, done.output
    assert "error of probabilities" in done.output
    fitted = MxTransformerRecognizer(toy).calibration
    assert fitted is not None and fitted.risk
    text = native(marked_text(1)).text
    marked = build_analyzer(ner=str(toy)).analyze(text, language="es")
    assert "Abelardo Ríos" in {text[r.start : r.end] for r in marked}
    assert all(0 <= r.score <= 1 for r in marked)
