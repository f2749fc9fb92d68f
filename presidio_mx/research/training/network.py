"""An encoder with one classifying head for each scheme, in torch."""

import copy
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import CARD, output_name, read_card
from presidio_mx.find.ner.pieces import BEGIN, END, PAD
from presidio_mx.research.training.examples import IGNORED, Example, label_set
from presidio_mx.research.training.recipe import Recipe
from presidio_mx.research.training.restore import restored_state
from presidio_mx.research.training.rounding import prepare_rounding

# Plain products of matrices are the fastest way back through windows as short as ours.
_ATTENTION = "eager"


class Network(nn.Module):
    """A BERT encoder and a linear layer for each head.

    :param encoder: The encoder.
    :param heads: Names of the heads, in the order of the outputs.
    """

    def __init__(self, encoder: BertModel, heads: Sequence[str]) -> None:
        """Make heads with random weights."""
        super().__init__()
        self.encoder = encoder
        prepare_rounding(encoder)
        self.names = tuple(heads)
        width = encoder.config.hidden_size
        self.dropout = nn.Dropout(0.1)
        self.heads = nn.ModuleList(
            nn.Linear(width, len(label_set(head).labels)) for head in self.names
        )

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, ...]:
        """Return the logits of every head, each of shape (rows, pieces, labels)."""
        hidden = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask
        ).last_hidden_state
        hidden = self.dropout(hidden)
        return tuple(head(hidden) for head in self.heads)

    def logits(self, head: str, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the logits of one head, computed at half precision.

        :param head: Name of the head.
        :param input_ids: Pieces, shape (rows, pieces).
        :param attention_mask: 0 where a row is padded.
        :return: Shape (rows, pieces, labels).
        """
        with torch.autocast(input_ids.device.type, dtype=torch.bfloat16):
            outputs = self(input_ids, attention_mask)
        logits: Tensor = outputs[self.names.index(head)]
        return logits.float()


def read_network(encoder: Path, layers: int, heads: Sequence[str]) -> Network:
    """Make a network of a pretrained encoder.

    :param encoder: Folder with ``config.json`` and ``model.safetensors``.
    :param layers: Layers to keep, from the bottom (Sajjad et al. 2023, "On the effect
        of dropping layers of pre-trained transformer models"); 0 for all.
    :param heads: Names of the heads.
    :return: The network.
    """
    model: Any = BertModel.from_pretrained(
        str(encoder),
        add_pooling_layer=False,
        dtype=torch.float32,
        attn_implementation=_ATTENTION,
    )
    if layers:
        model.encoder.layer = model.encoder.layer[:layers]
        model.config.num_hidden_layers = layers
    return Network(model, heads)


def empty_network(config: dict[str, Any], heads: Sequence[str]) -> Network:
    """Make a network of a configuration alone, to load weights into.

    :param config: Fields of ``BertConfig``.
    :param heads: Names of the heads.
    :return: The network.
    """
    made = BertConfig(**{**config, "attn_implementation": _ATTENTION})
    return Network(BertModel(made, add_pooling_layer=False), heads)


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


def read_caution(folder: Path) -> dict[str, float]:
    """Return what a finished model took off the logit of "outside", by head.

    :param folder: Folder of the model.
    """
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    caution: dict[str, float] = card["recipe"].get("caution", {})
    return caution


def begun_network(recipe: Recipe) -> Network:
    """Make the network that a recipe begins with.

    :param recipe: The recipe.
    :return: The network; a head that its start did not have has random weights.
    """
    begun = _begun(recipe)
    for module in begun.encoder.modules():
        if isinstance(module, nn.Dropout):
            module.p = recipe.dropout
    return begun


def _begun(recipe: Recipe) -> Network:
    start = Path(recipe.start)
    if recipe.goes_on:
        network = without_caution(start, recipe.heads)
        if not recipe.encoder:
            return network
        state = network.state_dict()
    elif recipe.start:
        state = torch.load(start, map_location="cpu", weights_only=True)
    else:
        state = {}
    network = read_network(Path(recipe.encoder), recipe.layers, recipe.heads)
    network.load_state_dict(state, strict=False)
    return network


def without_caution(folder: Path, heads: Sequence[str]) -> Network:
    """Make a network of a finished model as it was before its caution was added.

    :param folder: Folder of the model.
    :param heads: As :func:`finished_network` takes them.
    :return: The network.
    """
    added = {head: -taken for head, taken in read_caution(folder).items()}
    return cautious(finished_network(folder, heads), added)


def finished_network(folder: Path, heads: Sequence[str]) -> Network:
    """Make a network of a finished model, to train it further.

    :param folder: Folder of the model.
    :param heads: Names of the heads; one the model lacks has random weights.
    :return: The network.
    :raises InputError: If the model does not say what its encoder is like.
    """
    there = list(read_card(folder).heads)
    config = json.loads((folder / CARD).read_text(encoding="utf-8")).get("encoder")
    if not config:
        raise InputError(f"{folder / CARD} lacks 'encoder': its sizes are not known")
    network = empty_network(config, heads)
    own = network.state_dict()
    for name, values in restored_state(folder).items():
        part, _, rest = name.partition(".")
        if part == "heads":
            number, _, rest = rest.partition(".")
            if there[int(number)] not in heads:
                continue
            name = f"heads.{heads.index(there[int(number)])}.{rest}"
        own[name] = values
    network.load_state_dict(own)
    return network


def tensors(
    batch: Sequence[Example], device: torch.device
) -> tuple[Tensor, Tensor, Tensor]:
    """Pad a batch.

    :param batch: Windows of one head.
    :param device: Where to put them.
    :return: Ids, mask and labels, each of shape (rows, pieces).
    """
    longest = max(len(example.ids) for example in batch) + 2
    ids = np.full((len(batch), longest), PAD, dtype=np.int64)
    labels = np.full((len(batch), longest), IGNORED, dtype=np.int64)
    for at, example in enumerate(batch):
        count = len(example.ids)
        ids[at, 0] = BEGIN
        ids[at, 1 : count + 1] = example.ids
        ids[at, count + 1] = END
        labels[at, 1 : count + 1] = example.labels
    rows = torch.from_numpy(ids).to(device)
    return rows, (rows != PAD).long(), torch.from_numpy(labels).to(device)


class TorchSession:
    """Runs a network where the finished model runs an ONNX session.

    :param network: The network.
    :param device: Where it lives.
    """

    def __init__(self, network: Network, device: torch.device) -> None:
        """Keep both."""
        self.network = network
        self.device = device

    def run(self, outputs: Sequence[str], feed: dict[str, Any]) -> list[Any]:
        """Return the named outputs.

        :param outputs: Names, see :func:`output_name`.
        :param feed: ``input_ids`` and ``attention_mask``.
        :return: Logits.
        """
        self.network.eval()
        # As in training: three times as fast on a CPU, and far finer than 8 bits.
        half = torch.autocast(self.device.type, dtype=torch.bfloat16)
        with torch.inference_mode(), half:
            made = self.network(
                torch.from_numpy(feed["input_ids"]).to(self.device),
                torch.from_numpy(feed["attention_mask"]).to(self.device),
            )
        named = {
            output_name(head): logits.float().cpu().numpy()
            for head, logits in zip(self.network.names, made, strict=True)
        }
        return [named[name] for name in outputs]
