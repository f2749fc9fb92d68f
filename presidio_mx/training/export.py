"""Write a trained network as the files that the recognizer loads."""

import copy
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from presidio_mx.analyzer.ner.onnx_model import (
    CARD,
    KIND,
    TOKENIZER,
    WEIGHTS,
    output_name,
)
from presidio_mx.training.examples import TYPES
from presidio_mx.training.network import Network
from presidio_mx.training.recipe import Recipe
from presidio_mx.training.rounding import set_rounding

OPSET = 17
"""Version of ONNX's operators: the first that has layer normalisation."""

# What another training must know of the encoder beside its weights.
_SIZES = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
    "hidden_act",
    "pad_token_id",
)


def export(
    network: Network, recipe: Recipe, tokenizer: Path, folder: Path, quantize: bool
) -> int:
    """Write ``model.onnx``, ``tokenizer.json`` and ``presidio_mx.json``.

    :param network: The trained network.
    :param recipe: How it was trained; written beside it.
    :param tokenizer: File of the tokenizer.
    :param folder: Existing folder.
    :param quantize: Whether weights become 8-bit integers, per channel.
    :return: Size of the weights in bytes.
    """
    with TemporaryDirectory(dir=folder) as scratch:
        plain = Path(scratch) / "plain.onnx"
        write_onnx(cautious(network, recipe.caution), plain)
        made = plain
        if quantize:
            from onnxruntime.quantization import (  # type: ignore[import-untyped]
                QuantType,
                quantize_dynamic,
            )

            made = Path(scratch) / "int8.onnx"
            quantize_dynamic(plain, made, per_channel=True, weight_type=QuantType.QInt8)
        strip_traces(made, folder / WEIGHTS)
    shutil.copyfile(tokenizer, folder / TOKENIZER)
    write_card(network, recipe, folder)
    return (folder / WEIGHTS).stat().st_size


def cautious(network: Network, caution: Mapping[str, float]) -> Network:
    """Make it likelier that a word belongs to an identifier.

    :param network: A trained network; it stays as it is.
    :param caution: By head, what is taken off the logit of "outside".
    :return: The network to write.
    """
    made = copy.deepcopy(network)
    head: Any
    with torch.no_grad():
        for name, head in zip(made.names, made.heads, strict=True):
            head.bias[0] -= caution.get(name, 0.0)
    return made


def write_card(network: Network, recipe: Recipe, folder: Path) -> None:
    """Write what the recognizer must know of a model, and how it was made.

    :param network: The network, for its heads.
    :param recipe: The recipe.
    :param folder: Existing folder.
    """
    content: dict[str, Any] = {
        "kind": KIND,
        "heads": {head: list(TYPES[head]) for head in network.names},
        "window": recipe.run_window,
        "overlap": recipe.run_overlap,
        "encoder": {name: getattr(network.encoder.config, name) for name in _SIZES},
        "recipe": recipe.to_dict(),
    }
    path = folder / CARD
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def write_onnx(network: Network, path: Path) -> None:
    """Export a network with free numbers of rows and pieces.

    Traced with plain ("eager") attention: onnxruntime runs this graph 1.2 to 1.3 times
    faster than the one of ``dynamo=True``, which guards every softmax against NaN.

    :param network: The network; left on the CPU, with plain attention, not rounding.
    :param path: File to write.
    """
    import warnings

    network = network.to("cpu").float().eval()
    network.encoder.set_attn_implementation("eager")
    set_rounding(network.encoder, on=False)
    ids = torch.randint(3, network.encoder.config.vocab_size, (2, 16))
    mask = torch.ones_like(ids)
    # Were nothing masked, the tracer would take it that nothing ever is.
    mask[1, 10:] = 0
    outputs = [output_name(head) for head in network.names]
    names = ["input_ids", "attention_mask", *outputs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (ids, mask),
            str(path),
            dynamo=False,
            opset_version=OPSET,
            input_names=names[:2],
            output_names=outputs,
            dynamic_axes={name: {0: "rows", 1: "pieces"} for name in names},
        )


def strip_traces(source: Path, target: Path) -> None:
    """Write a model without the exporter's stack traces, which hold local paths.

    :param source: The exported model.
    :param target: File to write.
    """
    import onnx

    model = onnx.load(str(source))
    graph = model.graph
    values = [*graph.input, *graph.output, *graph.value_info, *graph.initializer]
    for part in (model, graph, *graph.node, *model.functions, *values):
        part.doc_string = ""
        del part.metadata_props[:]
    for function in model.functions:
        for node in function.node:
            node.doc_string = ""
            del node.metadata_props[:]
    part_file = target.with_name(target.name + ".part")
    onnx.save(model, str(part_file))
    part_file.replace(target)
