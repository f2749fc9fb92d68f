"""The BiLSTM-CRF: its CRF against all paths, training, resume, the recognizer."""

import itertools
import math
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from training_helpers import marked_notes, write_marked
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.find.ner.model_folder import MANIFEST, file_hash
from presidio_mx.replace.embeddings import Vectors
from presidio_mx.research.systems.bilstm_crf.recognizer import (
    MODEL_FILE,
    MxBiLstmCrfRecognizer,
)
from presidio_mx.research.systems.bio import label_set, may_follow
from presidio_mx.research.training.history import read_history
from presidio_mx.text.spans import Note
from presidio_mx.work.cli.program import app

torch = pytest.importorskip("torch", reason="needs the extra bilstm-crf")
pytest.importorskip("safetensors", reason="needs the extra bilstm-crf")

from presidio_mx.research.systems.bilstm_crf.net import (  # noqa: E402
    BiLstmCrf,
    LinearChainCrf,
    Sizes,
)
from presidio_mx.research.systems.bilstm_crf.words import (  # noqa: E402
    make_batch,
    make_vocabulary,
    spacy_sentences,
)
from presidio_mx.research.training.bilstm_crf import (  # noqa: E402
    LAST_FILE,
    train_bilstm_crf,
)
from presidio_mx.research.training.bilstm_recipe import (  # noqa: E402
    VSP,
    BiLstmRecipe,
    recipe_named,
)

NOTE = "Paciente Micaela Ríos, 47 años, vive en Uruapan."
LABELS = label_set(["A", "B"], bioes=True)
SMALL = BiLstmRecipe(
    epochs=12, patience=0, rate=0.01, batch=4, word_size=16, word_hidden=16
)
RUN = CliRunner()


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Tiny layers are many times slower where threads wait for one another."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Note], list[Note]]:
    home = tmp_path_factory.mktemp("notes")
    return marked_notes(home / "a", range(16)), marked_notes(home / "b", range(16, 20))


@pytest.fixture(scope="module")
def trained(
    notes: tuple[list[Note], list[Note]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("model")
    train_bilstm_crf(*notes, folder, "native", SMALL)
    return folder


@pytest.fixture
def chain() -> tuple[LinearChainCrf, "torch.Tensor", dict[tuple[int, ...], float]]:
    """A CRF, scores for three words, and the weight of every legal path."""
    torch.manual_seed(7)
    crf = LinearChainCrf(LABELS)
    emissions = torch.randn(3, len(LABELS))
    weights = {}
    for path in itertools.product(range(len(LABELS)), repeat=3):
        steps = [None, *(LABELS[i] for i in path), None]
        if not all(may_follow(a, b) for a, b in itertools.pairwise(steps)):
            continue
        score = crf.first[path[0]] + crf.last[path[-1]]
        score = score + sum(emissions[at, i] for at, i in enumerate(path))
        score = score + sum(crf.transitions[a, b] for a, b in itertools.pairwise(path))
        weights[path] = math.exp(float(score.detach()))
    return crf, emissions, weights


def test_the_crf_sums_over_all_legal_paths(chain) -> None:
    crf, emissions, weights = chain
    mask = torch.ones(1, 3, dtype=torch.bool)
    norm = float(crf.log_norm(emissions[None], mask).detach())
    assert norm == pytest.approx(math.log(sum(weights.values())), abs=1e-4)


def test_the_best_path_is_the_heaviest(chain) -> None:
    crf, emissions, weights = chain
    assert tuple(crf.best(emissions, 3)) == max(weights, key=weights.__getitem__)


def test_marginals_are_shares_of_weight(chain) -> None:
    crf, emissions, weights = chain
    # Beside a shorter run, to see that padding changes nothing.
    padded = torch.stack([emissions, torch.randn(3, len(LABELS))])
    mask = torch.tensor([[True, True, True], [True, False, False]])
    found = crf.marginals(padded, mask)
    whole = sum(weights.values())
    for at, label in itertools.product(range(3), range(len(LABELS))):
        part = sum(w for path, w in weights.items() if path[at] == label)
        assert float(found[0, at, label]) == pytest.approx(part / whole, abs=1e-4)
    assert float(found[1, 0].sum()) == pytest.approx(1, abs=1e-4)
    assert float(found[1, 1:].abs().sum()) == 0


def test_the_loss_is_the_surprise_of_the_right_path(chain) -> None:
    crf, emissions, weights = chain
    path = next(iter(weights))
    mask = torch.ones(1, 3, dtype=torch.bool)
    loss = float(crf.loss(emissions[None], torch.tensor([path]), mask).detach())
    share = weights[path] / sum(weights.values())
    assert loss == pytest.approx(-math.log(share), abs=1e-4)


@pytest.mark.parametrize("apart", [1.0, 30.0, 200.0])
def test_scaled_sums_are_those_of_logarithms(apart: float) -> None:
    torch.manual_seed(3)
    crf = LinearChainCrf(LABELS)
    emissions = apart * torch.rand(3, 40, len(LABELS))
    emissions.requires_grad_()
    mask = torch.arange(40) < torch.tensor([[40], [17], [1]])
    first, between, last = (weights.double() for weights in crf._weights())
    table = emissions.double()
    share = first + table[:, 0]
    for at in range(1, 40):
        step = torch.logsumexp(share.unsqueeze(2) + between, dim=1) + table[:, at]
        share = torch.where(mask[:, at, None], step, share)
    right = torch.logsumexp(share + last, dim=1)
    found = crf.log_norm(emissions, mask)
    weights = [emissions, crf.transitions, crf.first, crf.last]
    torch.testing.assert_close(found, right)
    torch.testing.assert_close(
        torch.autograd.grad(found.sum(), weights),
        torch.autograd.grad(right.sum(), weights),
    )


def test_a_run_is_read_alike_alone_and_beside_others() -> None:
    runs = [["Rosa", "vive", "Rosa", "x" * 40], ["Rosa"], ["en", "Ario", "vive"]]
    vocabulary = make_vocabulary([w for run in runs for w in run], [], True)
    torch.manual_seed(3)
    network = BiLstmCrf(Sizes(9, 30, 8, word_hidden=8), LABELS).eval()

    def read(texts: list[list[str]]) -> "torch.Tensor":
        batch = make_batch(texts, vocabulary, "cpu")
        return network(batch.words, batch.forms, batch.characters, batch.mask)

    together = read(runs)
    for row, run in zip(together, runs, strict=True):
        torch.testing.assert_close(row[: len(run)], read([run])[0])


def test_words_that_occur_once_stay_out_of_the_vocabulary() -> None:
    found = make_vocabulary(["Rosa", "rosa", "Pérez", "12", "34"], ["fiebre"])
    assert found.words == ("00", "fiebre", "rosa")


def test_it_finds_what_it_learnt(trained: Path) -> None:
    recognizer = MxBiLstmCrfRecognizer(trained)
    found = recognizer.analyze(NOTE, [])
    assert [(r.entity_type, NOTE[r.start : r.end]) for r in found] == [
        ("PERSON", "Micaela Ríos"),
        ("AGE", "47 años"),
        ("LOCATION", "Uruapan"),
    ]
    assert all(0.3 < r.score <= 1 for r in found)
    assert recognizer.model_hash == file_hash(trained / MODEL_FILE)
    assert recognizer.supported_entities == ["AGE", "LOCATION", "PERSON"]
    # Many runs at once, and text without words.
    assert len(recognizer.analyze(f"{NOTE}\n" * 40, [])) == 120
    assert recognizer.analyze("\n", []) == []


def test_a_run_that_stopped_comes_to_the_same_model(
    trained: Path, notes: tuple[list[Note], list[Note]], tmp_path: Path
) -> None:
    folder = tmp_path / "again"
    folder.mkdir()

    class PowerError(Exception):
        pass

    def fail(row) -> None:
        if row.epoch == 5:
            raise PowerError

    with pytest.raises(PowerError):
        train_bilstm_crf(*notes, folder, "native", SMALL, None, fail)
    # Killed after the history was written and before the weights were.
    with (folder / "history.jsonl").open("a") as file:
        file.write((folder / "history.jsonl").read_text().splitlines()[-1] + "\n")
    assert not (folder / MANIFEST).exists()
    train_bilstm_crf(*notes, folder, "native", SMALL)
    assert file_hash(folder / MODEL_FILE) == file_hash(trained / MODEL_FILE)
    assert [r.loss for r in read_history(folder)] == [
        r.loss for r in read_history(trained)
    ]


def test_a_run_with_other_notes_is_not_taken_up(
    trained: Path, notes: tuple[list[Note], list[Note]], tmp_path: Path
) -> None:
    folder = tmp_path / "other"
    shutil.copytree(trained, folder)
    with pytest.raises(InputError, match="other notes"):
        train_bilstm_crf(notes[1], notes[0], folder, "native", SMALL)


def test_patience_ends_a_run(
    notes: tuple[list[Note], list[Note]], tmp_path: Path
) -> None:
    recipe = BiLstmRecipe(9, 2, rate=0.0, word_size=4, word_hidden=4)
    history = train_bilstm_crf(*notes, tmp_path, "native", recipe)
    assert len(history) == 3


def test_vectors_are_where_training_begins(
    notes: tuple[list[Note], list[Note]], tmp_path: Path
) -> None:
    vectors = Vectors.make(
        ["paciente", "zzz"], np.array([[3.0, 4.0], [1.0, 0.0]], dtype=np.float32)
    )
    recipe = BiLstmRecipe(1, 0, rate=0.0, word_hidden=4)
    train_bilstm_crf(*notes, tmp_path, "native", recipe, vectors)
    recognizer = MxBiLstmCrfRecognizer(tmp_path)
    number = recognizer._vocabulary.word_index["paciente"]
    row = recognizer._network.words.weight[number]
    assert row.tolist() == pytest.approx([0.6, 0.8])


def test_the_recipe_of_vsp(
    notes: tuple[list[Note], list[Note]], tmp_path: Path
) -> None:
    recipe = replace(VSP, epochs=8, rate=0.01, batch=4, word_size=16, word_hidden=16)
    assert len(train_bilstm_crf(*notes, tmp_path, "native", recipe)) == 8
    recognizer = MxBiLstmCrfRecognizer(tmp_path)
    # Words as they are written, and a sentence of spaCy's a run.
    assert {"Paciente", "Micaela"} <= set(recognizer._vocabulary.words)
    assert recognizer._network.output_dropout.p == 0.0
    found = {NOTE[r.start : r.end] for r in recognizer.analyze(NOTE, [])}
    assert "Uruapan" in found
    text = "Atiende el Dr. Paz. Alta"
    cut = [[text[s:e] for s, e in run] for run in spacy_sentences(text)]
    assert cut == [["Atiende", "el", "Dr.", "Paz", "."], ["Alta"]]
    with pytest.raises(ConfigurationError, match="recipes are mx, vsp"):
        recipe_named("lample")


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ["train", "bilstm-crf", "--out", str(out), "--epochs", "1"]
    command += ["--train", str(write_marked(tmp_path / "a", range(4)))]
    command += ["--dev", str(write_marked(tmp_path / "b", range(4, 6)))]
    done = RUN.invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "exact F1" in done.output
    assert len(read_history(out)) == 1


@pytest.mark.parametrize(
    "file, content, sentence",
    [
        (MODEL_FILE, None, "model.safetensors is missing"),
        (MODEL_FILE, b"no weights", "not the weights"),
        ("vocabulary.json", b"[]", "no vocabulary"),
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
        MxBiLstmCrfRecognizer(folder)


def test_a_missing_extra_is_named(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[bilstm-crf\]"):
        MxBiLstmCrfRecognizer(trained)


def test_the_last_weights_are_kept_beside_the_best(trained: Path) -> None:
    assert (trained / LAST_FILE).stat().st_size > (trained / MODEL_FILE).stat().st_size
