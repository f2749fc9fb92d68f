"""Write a trained network as the files that the recognizer loads."""

import json
import shutil
from pathlib import Path
from typing import Any

from presidio_mx.find.ner.onnx_model import (
    CARD,
    KIND,
    TOKENIZER,
    WEIGHTS,
    read_card,
)
from presidio_mx.research.training.examples import TYPES
from presidio_mx.research.training.graph import Shape, write_graph
from presidio_mx.research.training.network import Network, cautious
from presidio_mx.research.training.recipe import Recipe

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
    write_network(cautious(network, recipe.caution), folder / WEIGHTS, quantize)
    shutil.copyfile(tokenizer, folder / TOKENIZER)
    write_card(network, recipe, folder)
    return (folder / WEIGHTS).stat().st_size


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


def write_network(network: Network, path: Path, quantize: bool) -> None:
    """Write a network as the graph that the recognizer runs.

    :param network: The network.
    :param path: File to write.
    :param quantize: Whether weights become 8-bit integers.
    """
    config = network.encoder.config
    shape = Shape(
        config.num_hidden_layers, config.num_attention_heads, config.layer_norm_eps
    )
    state = {
        name: values.detach().cpu().float().numpy()
        for name, values in network.state_dict().items()
    }
    write_graph(state, shape, network.names, path, quantize)


def rewrite(folder: Path) -> None:
    """Write the graph of a finished model anew: the same weights, today's nodes.

    :param folder: Folder of a model whose weights are 8-bit integers.
    """
    from presidio_mx.research.training.network import finished_network

    network = finished_network(folder, list(read_card(folder).heads))
    write_network(network, folder / WEIGHTS, quantize=True)


if __name__ == "__main__":
    import sys

    for name in sys.argv[1:]:
        rewrite(Path(name))
