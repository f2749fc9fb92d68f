"""The model in torch: an encoder over pieces, layers over words, heads.

Pieces are read in windows by the layers of a pretrained encoder (BERT; Devlin et al.
2019). Of each word the first and the last piece go on, with what lists, letters and
blanks say of it, the mean of the same word elsewhere in the note and the mean of the
note (so that a name is known again wherever it stands). Gated convolutions over words
(Gehring et al. 2017, Dauphin et al. 2017) see beyond the windows. What is added to the
encoder begins at nothing, so that training goes on from what the encoder knows.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from presidio_mx.errors import InputError
from presidio_mx.find.ner.words import FLAGS, GAPS, SHAPES, SIGNS
from presidio_mx.find.reading import ROLES
from presidio_mx.research.training.examples import Batch
from presidio_mx.research.training.graph import read_weights
from presidio_mx.research.training.sources import label_set

CONFIG, SAFETENSORS = "config.json", "model.safetensors"
INNER = 256
DILATIONS = (1, 2, 4, 8)
_EPSILON = 1e-12
_HIDDEN = -1e4
_HIGHEST = 255


@dataclass(frozen=True, slots=True)
class Size:
    """How large an encoder is; by default the one that the shipped models come from.

    :param pieces: Pieces that it knows.
    :param places: Pieces in its longest window.
    :param width: Numbers for each piece.
    :param wide: Numbers in the middle of the feed-forward part.
    :param attention_heads: Heads of attention.
    """

    pieces: int = 33_993
    places: int = 512
    width: int = 384
    wide: int = 1536
    attention_heads: int = 12


def rounded(values: Tensor) -> Tensor:
    """Round values to 8 bits as ONNX's DynamicQuantizeLinear does.

    Training under this rounding costs the finished 8-bit model less; it is the second
    half of the feed-forward part whose few large values make the steps wide for all
    others (Bondarenko, Nagel and Blankevoort 2021).

    :param values: Any shape.
    :return: The rounded values; their gradient passes unchanged (straight through).
    """
    plain = values.float()
    low = plain.detach().min().clamp(max=0.0)
    high = plain.detach().max().clamp(min=0.0)
    scale = ((high - low) / _HIGHEST).clamp(min=1e-12)
    zero = torch.round(-low / scale).to(torch.int32)
    made = torch.fake_quantize_per_tensor_affine(plain, scale, zero, 0, _HIGHEST)
    return made.to(values.dtype)


class Layer(nn.Module):
    """A layer of BERT: attention and the feed-forward part.

    :param size: Size of the encoder.
    """

    def __init__(self, size: Size) -> None:
        """Make a layer with random weights."""
        super().__init__()
        self.attention_heads = size.attention_heads
        self.asked = nn.Linear(size.width, 3 * size.width)
        self.seen = nn.Linear(size.width, size.width)
        self.seen_norm = nn.LayerNorm(size.width, eps=_EPSILON)
        self.wide = nn.Linear(size.width, size.wide)
        self.narrow = nn.Linear(size.wide, size.width)
        self.norm = nn.LayerNorm(size.width, eps=_EPSILON)

    def forward(self, given: Tensor, hidden: Tensor, rounding: bool) -> Tensor:
        """Return the layer's output.

        :param given: Shape (windows, pieces, width).
        :param hidden: What is added to attention, 0 or very low where a window is
            padded, shape (windows, 1, 1, pieces).
        :param rounding: Whether to round as the finished 8-bit model does.
        """
        rows, count, width = given.shape
        each = width // self.attention_heads
        heads = (rows, count, 3, self.attention_heads, each)
        query, key, value = self.asked(given).view(heads).permute(2, 0, 3, 1, 4)
        # Plain products are the fastest way back through windows as short as ours.
        scores = query @ key.transpose(-1, -2) / math.sqrt(each)
        share = torch.softmax(scores + hidden, -1, dtype=query.dtype)
        seen = (share @ value).transpose(1, 2).reshape(rows, count, width)
        seen = self.seen_norm(given + self.seen(seen))
        wide = functional.gelu(self.wide(seen))
        made: Tensor = self.norm(
            seen + self.narrow(rounded(wide) if rounding else wide)
        )
        return made


class Convolution(nn.Module):
    """A gated convolution over three words that stand some way apart.

    :param step: How far apart.
    :param width: Numbers for each word.
    """

    def __init__(self, step: int, width: int) -> None:
        """Make a convolution that adds nothing yet."""
        super().__init__()
        self.step = step
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(3 * width, 2 * INNER)
        self.outer = nothing(nn.Linear(INNER, width))

    def forward(self, given: Tensor, there: Tensor) -> Tensor:
        """Return what was given and what is added to it.

        :param given: Shape (notes, words, width).
        :param there: 0 where a note is padded, shape (notes, words, 1).
        """
        own = self.norm(given) * there
        before = functional.pad(own, (0, 0, self.step, 0))[:, : own.shape[1]]
        behind = functional.pad(own, (0, 0, 0, self.step))[:, self.step :]
        value, gate = self.inner(torch.cat([before, own, behind], -1)).chunk(2, -1)
        made: Tensor = given + self.outer(value * torch.sigmoid(gate))
        return made


def nothing(layer: Any) -> Any:
    """Return a layer whose output is nothing until it has learnt something."""
    nn.init.zeros_(layer.weight)
    if getattr(layer, "bias", None) is not None:
        nn.init.zeros_(layer.bias)
    return layer


class Network(nn.Module):
    """The model.

    :param layers: Layers of the encoder.
    :param heads: Names of the heads.
    :param size: Size of the encoder.
    """

    def __init__(
        self, layers: int, heads: Sequence[str], size: Size | None = None
    ) -> None:
        """Make a network whose encoder and heads have random weights."""
        super().__init__()
        self.names = tuple(heads)
        self.size = size or Size()
        self.rounding = False
        width = self.size.width
        self.pieces = nn.Embedding(self.size.pieces, width)
        self.places = nn.Embedding(self.size.places, width)
        self.pieces_norm = nn.LayerNorm(width, eps=_EPSILON)
        self.layers = nn.ModuleList(Layer(self.size) for _ in range(layers))
        self.no_piece = nn.Parameter(torch.zeros(width))
        self.last = nothing(nn.Linear(width, width))
        self.flags = nothing(nn.Linear(FLAGS, width, bias=False))
        self.shapes = nothing(nn.Embedding(SHAPES, width))
        self.gaps = nothing(nn.Embedding(GAPS, width))
        self.signs = nothing(nn.Embedding(SIGNS, width))
        self.around_norm = nn.LayerNorm(width)
        self.around = nothing(nn.Linear(2 * width, width))
        self.convolutions = nn.ModuleList(Convolution(d, width) for d in DILATIONS)
        self.heads = nn.ModuleList(
            nn.Linear(width, len(label_set(head).labels)) for head in self.names
        )
        self.roles = nn.Linear(width, len(ROLES))

    def words(self, batch: Batch) -> Tensor:
        """Return what is known of each word in the end.

        :param batch: Notes.
        :return: Shape (notes, words, width).
        """
        places = self.places.weight[: batch.ids.shape[1]]
        hidden = self.pieces_norm(self.pieces(batch.ids) + places)
        padded = (~batch.inside)[:, None, None, :] * _HIDDEN
        for layer in self.layers:
            hidden = layer(hidden, padded.to(hidden.dtype), self.rounding)
        rows = hidden.reshape(-1, self.size.width)
        has = batch.has[..., None]
        empty = self.no_piece.to(rows.dtype)
        made: Tensor = torch.where(has, rows[batch.first], empty)
        made = made + self.last(rows[batch.last] * has)
        made = made + self.flags(batch.flags.to(made.dtype))
        made = made + self.shapes(batch.shape) + self.gaps(batch.gap)
        made = made + self.signs(batch.sign)
        there = batch.there.to(made.dtype)[..., None]
        made = made + self._around(made, there, batch)
        for convolution in self.convolutions:
            made = convolution(made, there)
        return made

    def _around(self, given: Tensor, there: Tensor, batch: Batch) -> Tensor:
        """Return what the same word elsewhere, and the whole note, add to each word."""
        own = self.around_norm(given) * there
        note = own.sum(1, keepdim=True) / there.sum(1, keepdim=True).clamp(min=1)
        group = batch.group.reshape(-1)
        total = torch.zeros(batch.groups, self.size.width, device=own.device)
        total = total.index_add(0, group, own.reshape(-1, self.size.width).float())
        same = total[group].reshape(own.shape) * batch.share[..., None]
        both = torch.cat([same.to(own.dtype), note.expand_as(own)], -1)
        made: Tensor = self.around(both)
        return made

    def forward(self, head: str, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the logits of a head and of the roles, computed at half precision.

        :param head: Name of the head.
        :param batch: Notes.
        :return: Shapes (notes, words, labels) and (notes, words, roles).
        """
        with torch.autocast(batch.ids.device.type, dtype=torch.bfloat16):
            words = self.words(batch)
            logits = self.heads[self.names.index(head)](words)
            roles = self.roles(words)
        return logits.float(), roles.float()

    def encoder_parameters(self) -> list[nn.Parameter]:
        """Return the weights that a pretrained encoder brings."""
        parts = (self.pieces, self.places, self.pieces_norm, self.layers)
        return [p for part in parts for p in part.parameters()]


def network_of_encoder(
    folder: Path, keep: Sequence[int], heads: Sequence[str]
) -> Network:
    """Make a network that begins with layers of a pretrained BERT encoder.

    :param folder: Folder with ``config.json`` and ``model.safetensors``; or with a
        ``model.onnx`` whose weights have the names of transformers' ``BertModel``.
    :param keep: Which of its layers; all where empty (Sajjad et al. 2023, "On the
        effect of dropping layers of pre-trained transformer models").
    :param heads: Names of the heads.
    :raises InputError: If the folder holds no such encoder, or too few layers.
    """
    try:
        state = _bert_state(folder)
        wide, width = state["encoder.layer.0.intermediate.dense.weight"].shape
        pieces = len(state["embeddings.word_embeddings.weight"])
        places = len(state["embeddings.position_embeddings.weight"])
    except (OSError, KeyError, ValueError) as error:
        raise InputError(
            f"{folder}: no BERT encoder in {SAFETENSORS} ({error})"
        ) from None
    size = Size(pieces, places, width, wide, _attention_heads(folder, width))
    prefix = "encoder.layer."
    there = sorted(
        {int(name.split(".")[2]) for name in state if name.startswith(prefix)}
    )
    kept = tuple(keep) or tuple(there)
    if not set(kept) <= set(there):
        raise InputError(f"{folder}: keep names a layer that is not there, of {there}")
    network = Network(len(kept), heads, size)
    load_bert(network, state, kept)
    return network


def _attention_heads(folder: Path, width: int) -> int:
    """Return the heads of attention, which weights do not tell."""
    path = folder / CONFIG
    if not path.is_file():
        return max(1, width // 32)
    content = json.loads(path.read_text(encoding="utf-8"))
    return int(content["num_attention_heads"])


def _bert_state(folder: Path) -> dict[str, Tensor]:
    """Return the weights of an encoder by their names in ``BertModel``."""
    path = folder / SAFETENSORS
    if path.is_file():
        from safetensors.torch import load_file

        return load_file(str(path))
    # What transformers' encoder was part of stands before its names.
    found = read_weights(folder / "model.onnx")
    return {
        name.removeprefix("encoder."): torch.tensor(values)
        for name, values in found.items()
    }


def load_bert(
    network: Network, state: Mapping[str, Tensor], keep: Sequence[int]
) -> None:
    """Copy weights that are named as in transformers' ``BertModel``.

    :param network: The network.
    :param state: The weights.
    :param keep: Numbers of the layers, one for each of the network's.
    """
    base = "embeddings."
    kinds = state[f"{base}token_type_embeddings.weight"][0]
    copies: list[tuple[Tensor, Tensor]] = [
        (network.pieces.weight, state[f"{base}word_embeddings.weight"]),
        (
            network.places.weight,
            state[f"{base}position_embeddings.weight"] + kinds,
        ),
        *_both(network.pieces_norm, state, f"{base}LayerNorm"),
    ]
    for layer, number in zip(network.layers, keep, strict=True):
        own: Any = layer
        there = f"encoder.layer.{number}."
        three = [f"{there}attention.self.{n}" for n in ("query", "key", "value")]
        for end, target in (("weight", own.asked.weight), ("bias", own.asked.bias)):
            copies.append((target, torch.cat([state[f"{n}.{end}"] for n in three])))
        for part, name in (
            (own.seen, "attention.output.dense"),
            (own.seen_norm, "attention.output.LayerNorm"),
            (own.wide, "intermediate.dense"),
            (own.narrow, "output.dense"),
            (own.norm, "output.LayerNorm"),
        ):
            copies += _both(part, state, there + name)
    with torch.no_grad():
        for target, values in copies:
            target.copy_(values.float())


def _both(
    part: Any, state: Mapping[str, Tensor], name: str
) -> list[tuple[Tensor, Tensor]]:
    return [
        (part.weight, state[f"{name}.weight"]),
        (part.bias, state[f"{name}.bias"]),
    ]
