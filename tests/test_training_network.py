"""The network and its graph: one gives what the other gives, whatever stands beside."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("torch", reason="extra [train] is not installed")
pytest.importorskip("safetensors", reason="extra [train] is not installed")
pytest.importorskip("onnx", reason="extra [train] is not installed")
pytest.importorskip("onnxruntime", reason="extra [train] is not installed")

import torch
from training_helpers import marked_notes, write_encoder

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import load_model
from presidio_mx.find.ner.transformer import MxTransformerRecognizer
from presidio_mx.research.training.examples import batch_of, batches, example, parts
from presidio_mx.research.training.export import export, finished_network
from presidio_mx.research.training.graph import HIGHEST_WEIGHT
from presidio_mx.research.training.network import network_of_encoder, rounded
from presidio_mx.research.training.recipe import recipe_of
from presidio_mx.research.training.teacher import TorchReader
from presidio_mx.research.training.trainer import (
    begun_network,
    check_size,
    read_tokenizer,
)
from presidio_mx.text.prepare import prepare

HEADS = ("mx", "es-ES")
WINDOW = 12
CORPORA = {
    "train": [{"path": "a"}, {"path": "a", "head": "es-ES"}],
    "dev": [{"path": "b"}],
}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return write_encoder(tmp_path_factory.mktemp("network") / "encoder")


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    return marked_notes(tmp_path_factory.mktemp("network") / "notes", range(12))


@pytest.fixture(scope="module")
def network(encoder):
    """A network all of whose weights differ from nothing and from one another."""
    torch.manual_seed(0)
    made = network_of_encoder(encoder, (), HEADS)
    for values in made.parameters():
        values.data.add_(0.05 * torch.randn_like(values))
    return made.eval()


def write(network, encoder, folder, quantize):
    recipe = recipe_of(CORPORA | {"encoder": str(encoder), "window": WINDOW})
    folder.mkdir()
    export(network, recipe, encoder / "tokenizer.json", folder, quantize)
    return folder


@pytest.fixture(scope="module")
def plain(network, encoder, tmp_path_factory):
    return write(network, encoder, tmp_path_factory.mktemp("m") / "plain", False)


@pytest.fixture(scope="module")
def small(network, encoder, tmp_path_factory):
    return write(network, encoder, tmp_path_factory.mktemp("m") / "small", True)


def exact(network, head, batch):
    """Return logits and roles without half precision."""
    with torch.inference_mode():
        words = network.words(batch)
        head = network.heads[network.names.index(head)]
        return head(words).numpy(), network.roles(words).numpy()


def probabilities(rows):
    return np.exp(rows)


@pytest.mark.parametrize("head", HEADS)
def test_the_graph_gives_what_torch_gives(network, plain, notes, head):
    model = load_model(plain, 1)
    for note in notes[:4]:
        one = example(model.tokenizer, note, head)
        logits, roles = exact(network, head, batch_of([one], WINDOW))
        reply = model.read(prepare(note.text).text, head)
        wanted = torch.tensor(logits[0]).log_softmax(-1).numpy()
        np.testing.assert_allclose(reply.rows, wanted, atol=1e-4)
        wanted = torch.tensor(roles[0]).log_softmax(-1).numpy()
        np.testing.assert_allclose(reply.roles, wanted, atol=1e-4)


def test_8_bit_integers_give_nearly_the_same(plain, small, notes):
    one, other = (load_model(folder, 1) for folder in (plain, small))
    for note in notes[:4]:
        rows, close = (m.read(note.text, "mx").rows for m in (one, other))
        np.testing.assert_allclose(probabilities(rows), probabilities(close), atol=0.1)


def test_a_note_is_read_alike_in_any_batch(network, notes, encoder):
    """Padding and the words of other notes change nothing."""
    tokenizer = read_tokenizer(encoder)
    found = [example(tokenizer, note, "mx") for note in notes]
    together, _ = exact(network, "mx", batch_of(found, WINDOW))
    for row, one in enumerate(found):
        alone, _ = exact(network, "mx", batch_of([one], WINDOW))
        np.testing.assert_allclose(together[row, : len(one)], alone[0], atol=1e-5)


def test_a_note_is_read_alike_after_any_other(small, notes):
    model = load_model(small, 1)
    text = "\n".join(note.text for note in notes[:3])
    first = model.read(text, "mx")
    model.read(notes[5].text, "es-ES")
    np.testing.assert_array_equal(model.read(text, "mx").rows, first.rows)


def test_a_finished_file_gives_its_weights_back(network, plain, small):
    state = finished_network(plain).state_dict()
    rough = finished_network(small).state_dict()
    for name, values in network.state_dict().items():
        np.testing.assert_array_equal(values, state[name], name)
        table = name.startswith(("pieces.", "places.", "shapes.", "gaps.", "signs."))
        levels = 255 if table else 2 * HIGHEST_WEIGHT
        step = float(values.abs().max()) * 2 / levels
        np.testing.assert_allclose(values, rough[name], atol=0.51 * step, err_msg=name)


def test_a_student_begins_with_some_layers_of_a_finished_model(plain, network):
    begun = begun_network(recipe_of(CORPORA | {"start": str(plain), "keep": [1]}))
    assert len(begun.layers) == 1
    own, wanted = begun.layers[0].state_dict(), network.layers[1].state_dict()
    assert all(torch.equal(own[name], wanted[name]) for name in wanted)


def test_what_cannot_be_begun_with_is_told(plain, encoder, tmp_path):
    for change, said in (
        ({"start": str(plain), "keep": [2]}, "a layer beyond the 2 there"),
        ({"encoder": str(encoder), "keep": [0, 5]}, "names a layer that is not there"),
        ({"encoder": str(tmp_path)}, "no BERT encoder"),
    ):
        with pytest.raises(InputError, match=said):
            begun_network(recipe_of(CORPORA | change))
    with pytest.raises(InputError, match="no encoder here"):
        read_tokenizer(tmp_path)
    (tmp_path / "presidio_mx.json").write_bytes(
        (plain / "presidio_mx.json").read_bytes()
    )
    with pytest.raises(InputError, match="no finished model to begin with"):
        finished_network(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(InputError, match="is no model that this version wrote"):
        finished_network(tmp_path)


def test_windows_that_an_encoder_is_too_small_for_are_refused(network, encoder):
    recipe = recipe_of(CORPORA | {"encoder": str(encoder), "window": 100})
    with pytest.raises(InputError, match="windows have at most 64 pieces"):
        check_size(network, read_tokenizer(encoder), recipe)


def test_torch_and_the_finished_model_mark_the_same(network, plain, notes):
    recognizer = MxTransformerRecognizer(plain)
    reader = TorchReader(network, recognizer.classifier.tokenizer, WINDOW, CPU)
    for text in ("", " \n", "\n\t.", notes[0].text):
        one, other = reader.read(text, "mx"), recognizer.classifier.read(text, "mx")
        assert len(one.tokens) == len(other.tokens)
        # Torch reads at half precision.
        np.testing.assert_allclose(
            probabilities(one.rows), probabilities(other.rows), atol=0.05
        )


def test_long_notes_are_parted_outside_of_names(notes, encoder):
    tokenizer = read_tokenizer(encoder)
    whole = example(tokenizer, notes[0], "mx")
    for seed in range(20):
        found = list(parts(whole, 8, Random(seed)))
        assert len(found) > 1
        labels = [list(part.labels) for part in found]
        assert sum(labels, []) == list(whole.labels)
        assert not any(part[0] > 0 and part[0] % 2 == 0 for part in labels)
        ids = [i for part in found for i in part.pieces.ids]
        words = [i for i in whole.pieces.ids if i != 2]
        assert [i for i in ids if i != 2] == words


def test_a_batch_holds_notes_of_one_head_and_so_many_words(notes, encoder):
    tokenizer = read_tokenizer(encoder)
    found = [(example(tokenizer, n, h), None) for n in notes for h in HEADS]
    made = batches(list(found), 60, Random(0))
    assert sum(map(len, made)) == len(found)
    for rows in made:
        assert len({note.head for note, _ in rows}) == 1
        assert len(rows) == 1 or len(rows) * max(len(n) for n, _ in rows) <= 60


def test_rounding_is_what_the_finished_model_does():
    """Twenty values of which one is large, as onnxruntime rounds them."""
    import onnxruntime
    from onnx import TensorProto, helper

    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "scale", "zero"]),
        helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["y"]),
    ]
    made = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [20]) for name in "xy"
    ]
    graph = helper.make_graph(nodes, "rounding", made[:1], made[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    session = onnxruntime.InferenceSession(model.SerializeToString())
    values = torch.linspace(-0.17, 1.0, 20)
    values[7] = 23.0
    (wanted,) = session.run(["y"], {"x": values.numpy()})
    np.testing.assert_allclose(rounded(values), wanted, atol=1e-6)


@pytest.mark.heavy
def test_the_encoder_is_that_of_transformers(encoder):
    transformers = pytest.importorskip("transformers", reason="not installed")
    theirs = transformers.BertModel.from_pretrained(encoder, add_pooling_layer=False)
    ours = network_of_encoder(encoder, (), ["mx"]).eval()
    ids = torch.randint(3, 20, (2, 9), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        wanted = theirs.eval()(ids).last_hidden_state
        hidden = ours.pieces_norm(ours.pieces(ids) + ours.places.weight[:9])
        for layer in ours.layers:
            hidden = layer(hidden, torch.zeros(1), rounding=False)
    np.testing.assert_allclose(hidden, wanted, atol=1e-5)
