"""Write a trained network as the files that the recognizer loads, and read it back."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import (
    CARD,
    KIND,
    TOKENIZER,
    WEIGHTS,
    read_card,
)
from presidio_mx.research.training.graph import read_weights, write_graph
from presidio_mx.research.training.network import DILATIONS, Network, Size
from presidio_mx.research.training.recipe import Recipe
from presidio_mx.research.training.sources import TYPES


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
    state = {
        name: values.detach().cpu().float().numpy()
        for name, values in network.state_dict().items()
    }
    path = folder / WEIGHTS
    layers = len(network.layers)
    attention_heads = network.size.attention_heads
    write_graph(
        state, layers, attention_heads, DILATIONS, network.names, path, quantize
    )
    if tokenizer.resolve() != (folder / TOKENIZER).resolve():
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    content: dict[str, Any] = {
        "kind": KIND,
        "heads": {head: list(TYPES[head]) for head in network.names},
        "window": recipe.window,
        "layers": layers,
        "size": asdict(network.size),
        "recipe": recipe.to_dict(),
    }
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    (folder / CARD).write_text(text, encoding="utf-8")
    return path.stat().st_size


def finished_network(folder: Path) -> Network:
    """Return the network of a finished model, to train it further or learn from it.

    :param folder: Folder of the model.
    :return: The network; what 8-bit integers rounded stays rounded.
    :raises InputError: If its file is missing or is no such model.
    """
    heads = list(read_card(folder).heads)
    path = folder / WEIGHTS
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        network = Network(int(card["layers"]), heads, Size(**card.get("size", {})))
        state = {name: torch.tensor(w) for name, w in read_weights(path).items()}
        network.load_state_dict(state)
    except FileNotFoundError:
        raise InputError(
            f"{path} is missing: no finished model to begin with"
        ) from None
    except (KeyError, TypeError, ValueError, RuntimeError):
        raise InputError(f"{path} is no model that this version wrote") from None
    return network
