"""The network as a graph of onnxruntime, node by node.

Three things make it faster than what torch's exporters write. Attention is one node.
There is no mask: the recognizer runs windows of one length, so that nothing is padded.
Products with 8-bit weights are the nodes into which onnxruntime would have to fuse what
its own quantisation writes, so that a session begins sooner.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from presidio_mx.find.ner.onnx_model import output_name

OPSET = 17
"""Version of ONNX's operators: the first that has layer normalisation."""
FUSED = "com.microsoft"
"""Domain of onnxruntime's own operators."""
QUANTIZED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"
"""What the parts of 8-bit weights are called after the weights."""

_IR_VERSION = 8
_WEIGHT, _BIAS = ".weight", ".bias"

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shape:
    """What must be known of an encoder beside its weights.

    :param layers: Number of layers.
    :param attention_heads: Heads of the attention in each.
    :param epsilon: What layer normalisation adds to the variance.
    """

    layers: int
    attention_heads: int
    epsilon: float


@dataclass
class Builder:
    """Collects the nodes and weights of a graph.

    :param state: Weights by the names that torch gives them, see ``state_dict``.
    :param shape: The encoder.
    :param quantize: Whether weights become 8-bit integers.
    """

    state: Mapping[str, Weights]
    shape: Shape
    quantize: bool
    nodes: list[Any] = field(default_factory=list)
    tensors: list[Any] = field(default_factory=list)

    def keep(self, name: str, values: NDArray[Any]) -> str:
        """Put a tensor into the file; return its name."""
        from onnx.numpy_helper import from_array

        self.tensors.append(from_array(np.asarray(values, order="C"), name))
        return name

    def add(
        self,
        kind: str,
        inputs: Sequence[str],
        output: str,
        domain: str = "",
        **how: Any,
    ) -> str:
        """Add a node; return the name of its output."""
        from onnx.helper import make_node

        self.nodes.append(make_node(kind, inputs, [output], domain=domain, **how))
        return output

    def linear(self, given: str, layer: str, output: str = "") -> str:
        """Add a linear layer, its bias included."""
        weight = self.state[layer + _WEIGHT].T
        bias = self.keep(layer + _BIAS, self.state[layer + _BIAS])
        name, output = layer + _WEIGHT, output or layer
        if not self.quantize:
            product = self.add("MatMul", [given, self.keep(name, weight)], f"{layer}.x")
            return self.add("Add", [product, bias], output)
        values, scale = by_columns(weight)
        parts = [
            self.keep(name + QUANTIZED, values),
            self.keep(name + SCALE, scale),
            self.keep(name + ZERO, np.zeros(len(scale), dtype=np.int8)),
        ]
        return self.add(
            "DynamicQuantizeMatMul", [given, *parts, bias], output, domain=FUSED
        )

    def normalised(self, parts: Sequence[str], layer: str) -> str:
        """Add up what flows in, and a layer normalisation of it."""
        total = self.add("Add", parts, f"{layer}.sum")
        both = [self.keep(layer + end, self.state[layer + end]) for end in _ENDS]
        return self.add(
            "LayerNormalization", [total, *both], layer, epsilon=self.shape.epsilon
        )

    def rows(self, table: str, choose: str, inputs: Sequence[str]) -> str:
        """Add the choice of rows of a table of embeddings."""
        name = table + _WEIGHT
        if not self.quantize:
            kept = self.keep(name, self.state[name])
            return self.add(choose, [kept, *inputs], table)
        values, scale, zero = by_range(self.state[name])
        kept = self.keep(name + QUANTIZED, values)
        parts = [self.keep(name + SCALE, scale), self.keep(name + ZERO, zero)]
        chosen = self.add(choose, [kept, *inputs], f"{table}.rows")
        return self.add("DequantizeLinear", [chosen, *parts], table)

    def embedded(self) -> str:
        """Add what pieces, their places and the only type of text begin with."""
        base = "encoder.embeddings"
        first = self.keep("first", np.array([0], dtype=np.int64))
        count = self.add("Shape", ["input_ids"], "pieces", start=1, end=2)
        words = self.rows(f"{base}.word_embeddings", "Gather", ["input_ids"])
        places = self.rows(f"{base}.position_embeddings", "Slice", [first, count])
        kind = self.rows(f"{base}.token_type_embeddings", "Gather", [first])
        placed = self.add("Add", [places, kind], f"{base}.places")
        return self.normalised([words, placed], f"{base}.LayerNorm")

    def layer(self, number: int, given: str) -> str:
        """Add a layer of BERT: attention and the feed-forward part."""
        base = f"encoder.encoder.layer.{number}"
        attention = f"{base}.attention"
        asked = [
            self.linear(given, f"{attention}.self.{name}")
            for name in ("query", "key", "value")
        ]
        seen = self.add(
            "MultiHeadAttention",
            asked,
            f"{attention}.self",
            domain=FUSED,
            num_heads=self.shape.attention_heads,
        )
        seen = self.linear(seen, f"{attention}.output.dense")
        seen = self.normalised([seen, given], f"{attention}.output.LayerNorm")
        wide = self.linear(seen, f"{base}.intermediate.dense")
        wide = self.add("Gelu", [wide], f"{base}.intermediate", domain=FUSED)
        wide = self.linear(wide, f"{base}.output.dense")
        return self.normalised([wide, seen], f"{base}.output.LayerNorm")


_ENDS = (_WEIGHT, _BIAS)


def write_graph(
    state: Mapping[str, Weights],
    shape: Shape,
    heads: Sequence[str],
    path: Path,
    quantize: bool,
) -> None:
    """Write a network with free numbers of rows and pieces.

    :param state: Weights by the names that torch gives them.
    :param shape: The encoder.
    :param heads: Names of the heads, in their order.
    :param path: File to write.
    :param quantize: Whether weights become 8-bit integers: those of linear layers with
        a scale for each column, embeddings with one for all.
    """
    import onnx
    from onnx import TensorProto, helper

    made = Builder(state, shape, quantize)
    hidden = made.embedded()
    for number in range(shape.layers):
        hidden = made.layer(number, hidden)
    outputs = []
    for number, head in enumerate(heads):
        name = made.linear(hidden, f"heads.{number}", output_name(head))
        labels = len(state[f"heads.{number}{_BIAS}"])
        size: list[str | int] = ["rows", "pieces", labels]
        outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, size))
    given = helper.make_tensor_value_info(
        "input_ids", TensorProto.INT64, ["rows", "pieces"]
    )
    graph = helper.make_graph(made.nodes, "presidio_mx", [given], outputs, made.tensors)
    domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    model = helper.make_model(graph, opset_imports=domains, ir_version=_IR_VERSION)
    onnx.checker.check_model(model)
    part = path.with_name(path.name + ".part")
    onnx.save(model, str(part))
    part.replace(path)


def by_columns(weight: Weights) -> tuple[NDArray[np.int8], Weights]:
    """Return 8-bit integers around nothing, with a scale for each column.

    :param weight: Shape (inputs, outputs).
    :return: Integers of the same shape, and scales of shape (outputs,).
    """
    scale = np.maximum(np.abs(weight).max(axis=0) / 127, np.finfo(np.float32).tiny)
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)


def by_range(
    table: Weights,
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
    """Return 8-bit integers with one scale and one integer that means nothing.

    :param table: Any shape.
    :return: Integers of the same shape, their scale, and the integer that stands for 0.
    """
    low, high = min(float(table.min()), 0.0), max(float(table.max()), 0.0)
    scale = np.float32((high - low) / 255 or 1.0)
    zero = np.uint8(round(-low / float(scale)))
    values = np.clip(np.rint(table / scale) + zero, 0, 255).astype(np.uint8)
    return values, np.array(scale), np.array(zero)
