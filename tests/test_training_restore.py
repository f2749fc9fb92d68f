"""A finished model can be trained further: its file gives back its weights."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="extra [train] is not installed")
pytest.importorskip("transformers", reason="extra [train] is not installed")
pytest.importorskip("onnx", reason="extra [train] is not installed")
pytest.importorskip("onnxruntime", reason="extra [train] is not installed")

from presidio_mx import ConfigurationError, InputError
from presidio_mx.research.training.recipe import Source, recipe_of

pytestmark = pytest.mark.heavy

CORPUS = Path(__file__).parents[1] / "samples" / "corpus"
SIZES = {
    "vocab_size": 60,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 64,
}
RECIPE = {"encoder": "none", "train": [{"path": "a"}], "dev": [{"path": "b"}]}


def write_model(folder, heads=("mx", "es-ES"), quantize=True, seed=0, caution=None):
    import torch

    from presidio_mx.research.training.export import export
    from presidio_mx.research.training.network import empty_network

    torch.manual_seed(seed)
    network = empty_network(SIZES, heads)
    for values in network.parameters():
        # Biases begin at nothing and the layers' gains at one: they must differ, too.
        values.data.add_(0.1 * torch.randn_like(values))
    tokenizer = folder.parent / "tokenizer.json"
    tokenizer.write_text("{}")
    folder.mkdir()
    recipe = recipe_of({**RECIPE, "caution": caution or {}})
    export(network, recipe, tokenizer, folder, quantize)
    return network


def test_plain_weights_come_back_as_they_were(tmp_path):
    from presidio_mx.research.training.export import finished_network

    network = write_model(tmp_path / "m", quantize=False)
    again = finished_network(tmp_path / "m", network.names)
    for name, values in network.state_dict().items():
        np.testing.assert_array_equal(values, again.state_dict()[name], name)


def test_small_integers_come_back_within_half_a_step(tmp_path):
    from presidio_mx.research.training.export import finished_network

    network = write_model(tmp_path / "m")
    again = finished_network(tmp_path / "m", network.names).state_dict()
    for name, values in network.state_dict().items():
        step = float(values.abs().max()) * 2 / 255
        np.testing.assert_allclose(values, again[name], atol=0.51 * step, err_msg=name)


def test_heads_are_found_by_name(tmp_path):
    from presidio_mx.research.training.export import finished_network

    network = write_model(tmp_path / "m", quantize=False)
    spain = finished_network(tmp_path / "m", ["es-ES"])
    assert spain.heads[0].weight.shape == network.heads[1].weight.shape
    np.testing.assert_array_equal(
        spain.heads[0].weight.detach(), network.heads[1].weight.detach()
    )


@pytest.mark.parametrize("rows, pieces", [(1, 3), (3, 40)])
def test_the_graph_gives_what_the_network_gives(tmp_path, rows, pieces):
    import onnxruntime
    import torch

    network = write_model(tmp_path / "m", quantize=False).eval()
    session = onnxruntime.InferenceSession(str(tmp_path / "m" / "model.onnx"))
    ids = np.random.default_rng(0).integers(3, 60, (rows, pieces))
    made = session.run(["logits_mx", "logits_es_ES"], {"input_ids": ids})
    with torch.inference_mode():
        wanted = network(torch.from_numpy(ids), torch.ones((rows, pieces)))
    for one, other in zip(made, wanted, strict=True):
        np.testing.assert_allclose(one, other.numpy(), atol=1e-4)


def test_small_integers_run_close_to_the_network(tmp_path):
    import onnxruntime
    import torch

    network = write_model(tmp_path / "m").eval()
    session = onnxruntime.InferenceSession(str(tmp_path / "m" / "model.onnx"))
    ids = np.random.default_rng(0).integers(3, 60, (2, 20))
    (made,) = session.run(["logits_mx"], {"input_ids": ids})
    with torch.inference_mode():
        wanted = network(torch.from_numpy(ids), torch.ones((2, 20)))[0].numpy()
    assert np.abs(made - wanted).max() < 0.1 * np.abs(wanted).max()


def test_a_graph_is_written_anew_with_the_same_weights(tmp_path):
    from presidio_mx.research.training.restore import restored_state

    from presidio_mx.find.ner.onnx_model import load_model
    from presidio_mx.find.ner.transformer import SHIPPED
    from presidio_mx.research.training.export import rewrite

    shutil.copytree(SHIPPED, tmp_path / "m")
    rewrite(tmp_path / "m")
    before, after = restored_state(SHIPPED), restored_state(tmp_path / "m")
    assert before.keys() == after.keys()
    for name, values in before.items():
        np.testing.assert_allclose(values, after[name], rtol=1e-5, atol=1e-7)
    assert not load_model(tmp_path / "m", 1).masked


def test_the_shipped_model_tags_alike_when_restored():
    import torch

    from presidio_mx.find.ner.onnx_model import load_model
    from presidio_mx.find.ner.transformer import SHIPPED
    from presidio_mx.research.training.dev_score import dev_score
    from presidio_mx.research.training.examples import gold_note, read_source
    from presidio_mx.research.training.network import TorchSession, finished_network

    shipped = load_model(SHIPPED, 0)
    network = finished_network(SHIPPED, list(shipped.card.heads))
    restored = type(shipped)(
        SHIPPED,
        shipped.card,
        shipped.tokenizer,
        TorchSession(network, torch.device("cpu")),
        "",
    )
    source = Source(str(CORPUS / "dev_c"))
    notes = [gold_note(note, "mx") for note in read_source(source)]
    one, other = (dev_score(model, notes, "mx") for model in (shipped, restored))
    assert one.f1 > 0.9
    # Dynamic quantisation rounds what flows between layers, too: equal they are not.
    assert abs(one.f1 - other.f1) < 0.02


def test_what_cannot_be_begun_with_is_told(tmp_path):
    from presidio_mx.research.training.export import finished_network

    with pytest.raises(ConfigurationError, match="give encoder"):
        recipe_of(RECIPE | {"encoder": "", "start": str(tmp_path / "none")})
    write_model(tmp_path / "m")
    card = tmp_path / "m" / "presidio_mx.json"
    content = json.loads(card.read_text())
    content.pop("encoder")
    card.write_text(json.dumps(content))
    with pytest.raises(InputError, match="lacks 'encoder'"):
        finished_network(tmp_path / "m", ["mx"])
    card.write_text(json.dumps(content | {"encoder": SIZES}))
    (tmp_path / "m" / "model.onnx").write_bytes(b"no model")
    with pytest.raises(InputError, match="cannot be read"):
        finished_network(tmp_path / "m", ["mx"])


def test_rounding_is_what_the_finished_model_does():
    """Twenty values of which one is large, as onnxruntime rounds them."""
    import onnxruntime
    import torch
    from onnx import TensorProto, helper

    from presidio_mx.research.training.network import rounded

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


def test_rounding_is_switched_and_lets_gradients_pass():
    import torch
    from presidio_mx.research.training.rounding import set_rounding

    from presidio_mx.research.training.network import empty_network

    torch.manual_seed(0)
    network = empty_network(SIZES, ["mx"]).eval()
    ids = torch.randint(3, 60, (2, 9))
    mask = torch.ones_like(ids)
    (plain,) = network(ids, mask)
    set_rounding(network.encoder, on=True)
    (coarse,) = network(ids, mask)
    assert 0 < float((plain - coarse).detach().abs().max()) < 0.1
    coarse.sum().backward()
    assert network.encoder.encoder.layer[0].intermediate.dense.weight.grad.any()


def test_caution_raises_what_is_marked_in_its_head_alone():
    import torch

    from presidio_mx.research.training.export import cautious
    from presidio_mx.research.training.network import empty_network

    torch.manual_seed(0)
    network = empty_network(SIZES, ["mx", "es-ES"]).eval()
    ids = torch.randint(3, 60, (2, 9))
    mask = torch.ones_like(ids)
    with torch.inference_mode():
        before = network(ids, mask)
        after = cautious(network, {"mx": 0.7})(ids, mask)
        again = network(ids, mask)
    np.testing.assert_allclose(before[0][..., 0] - after[0][..., 0], 0.7, atol=1e-5)
    np.testing.assert_array_equal(before[0][..., 1:], after[0][..., 1:])
    np.testing.assert_array_equal(before[1], after[1])
    np.testing.assert_array_equal(before[0], again[0])


def test_training_goes_on_without_the_caution_of_the_finished_model(tmp_path):
    from presidio_mx.research.training.trainer import begun_network

    caution = {"mx": 0.7}
    network = write_model(tmp_path / "m", ["mx"], quantize=False, caution=caution)
    further = {**RECIPE, "encoder": "", "start": str(tmp_path / "m")}
    begun = begun_network(recipe_of(further))
    for one, other in zip(network.heads, begun.heads, strict=True):
        np.testing.assert_allclose(
            one.bias.detach(), other.bias.detach(), rtol=0, atol=1e-6
        )


def test_a_deeper_network_begins_with_the_layers_that_a_finished_model_has(tmp_path):
    from transformers import BertConfig, BertModel

    from presidio_mx.research.training.trainer import begun_network

    small = write_model(tmp_path / "m", ["mx"], quantize=False)
    deeper = BertConfig(**SIZES | {"num_hidden_layers": 4})
    BertModel(deeper, add_pooling_layer=False).save_pretrained(tmp_path / "deep")
    parts = {"encoder": str(tmp_path / "deep"), "start": str(tmp_path / "m")}
    begun = begun_network(recipe_of(RECIPE | parts | {"dropout": 0.0}))
    assert begun.encoder.config.num_hidden_layers == 4
    state = begun.state_dict()
    for name, values in small.state_dict().items():
        np.testing.assert_allclose(values, state[name], rtol=0, atol=1e-6)
    kept = [m for m in begun.encoder.modules() if type(m).__name__ == "Dropout"]
    assert kept and not any(m.p for m in kept)
