"""The model as a graph of onnxruntime, node by node, and back.

Attention is one node, there is no mask (windows are of one length), and products with
8-bit weights are the nodes into which onnxruntime would have to fuse what its own
quantisation writes: this is faster than what torch's exporters make.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from presidio_mx.find.ner.onnx_model import ROLES_OUTPUT, output_name

OPSET = 18
"""Version of ONNX's operators: the first in which scattered values add up."""
FUSED = "com.microsoft"
"""Domain of onnxruntime's own operators."""
HIGHEST_WEIGHT = 63
"""Of a linear layer: 2 * 255 * 64 is the most that 16 bits hold."""
QUANTIZED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"
"""What the parts of 8-bit weights are called after the weights."""

_IR_VERSION = 8
_WEIGHT, _BIAS = ".weight", ".bias"
_NO_PIECE = "no_piece"
_TABLES = ("pieces.", "places.", "shapes.", "gaps.", "signs.")
_ENCODER_EPSILON, _EPSILON = 1e-12, 1e-5

Weights = NDArray[np.float32]


@dataclass
class Builder:
    """Collects the nodes and weights of a graph.

    :param state: Weights by the names that torch gives them, see ``state_dict``.
    :param attention_heads: Heads of attention.
    :param quantize: Whether weights become 8-bit integers.
    """

    state: Mapping[str, Weights]
    attention_heads: int
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
        """Add a linear layer, its bias included if it has one."""
        weight = self.state[layer + _WEIGHT].T
        width = weight.shape[1]
        bias = self.state.get(layer + _BIAS, np.zeros(width, dtype=np.float32))
        kept = self.keep(layer + _BIAS, bias)
        name, output = layer + _WEIGHT, output or layer
        if not self.quantize:
            product = self.add("MatMul", [given, self.keep(name, weight)], f"{layer}.x")
            return self.add("Add", [product, kept], output)
        values, scale = by_columns(weight)
        parts = [
            self.keep(name + QUANTIZED, values),
            self.keep(name + SCALE, scale),
            self.keep(name + ZERO, np.zeros(width, dtype=np.int8)),
        ]
        return self.add(
            "DynamicQuantizeMatMul", [given, *parts, kept], output, domain=FUSED
        )

    def normalised(self, given: str, layer: str, epsilon: float = _EPSILON) -> str:
        """Add a layer normalisation."""
        both = [self.keep(layer + e, self.state[layer + e]) for e in (_WEIGHT, _BIAS)]
        return self.add("LayerNormalization", [given, *both], layer, epsilon=epsilon)

    def sum(self, parts: Sequence[str], output: str) -> str:
        """Add a sum of several."""
        total = parts[0]
        for number, part in enumerate(parts[1:], start=1):
            name = output if number == len(parts) - 1 else f"{output}.{number}"
            total = self.add("Add", [total, part], name)
        return total

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

    def number(self, name: str, *values: int) -> str:
        """Put a row of whole numbers into the file; return its name."""
        return self.keep(name, np.array(values, dtype=np.int64))

    def encoder(self, layers: int) -> str:
        """Add the encoder; return its rows laid end to end, (rows, width)."""
        first = self.number("first_place", 0)
        count = self.add("Shape", ["ids"], "pieces_count", start=1, end=2)
        words = self.rows("pieces", "Gather", ["ids"])
        places = self.rows("places", "Slice", [first, count])
        hidden = self.sum([words, places], "pieces.sum")
        hidden = self.normalised(hidden, "pieces_norm", _ENCODER_EPSILON)
        for number in range(layers):
            hidden = self._layer(f"layers.{number}", hidden)
        flat = self.number("flat", -1, self.state[_NO_PIECE].shape[0])
        return self.add("Reshape", [hidden, flat], "piece_rows")

    def _layer(self, base: str, given: str) -> str:
        asked = self.linear(given, f"{base}.asked")
        parts = [f"{base}.{name}" for name in ("query", "key", "value")]
        from onnx.helper import make_node

        self.nodes.append(make_node("Split", [asked], parts, axis=2, num_outputs=3))
        count = self.attention_heads
        seen = self.add(
            "MultiHeadAttention", parts, f"{base}.attention", FUSED, num_heads=count
        )
        seen = self.sum([self.linear(seen, f"{base}.seen"), given], f"{base}.seen.sum")
        seen = self.normalised(seen, f"{base}.seen_norm", _ENCODER_EPSILON)
        wide = self.linear(seen, f"{base}.wide")
        wide = self.add("Gelu", [wide], f"{base}.gelu", domain=FUSED)
        made = self.sum([self.linear(wide, f"{base}.narrow"), seen], f"{base}.sum")
        return self.normalised(made, f"{base}.norm", _ENCODER_EPSILON)

    def words(self, rows: str, steps: Sequence[int]) -> str:
        """Add the part over words; return what is known of each in the end."""
        one = self.keep("one", np.ones(1, dtype=np.float32))
        chosen = self.add("Gather", [rows, "first"], "first_rows")
        without = self.add("Sub", [one, "there"], "without")
        empty = self.keep(_NO_PIECE, self.state[_NO_PIECE])
        empty = self.add("Mul", [without, empty], "empty_rows")
        chosen = self.add("Mul", [chosen, "there"], "first_there")
        last = self.add("Gather", [rows, "last"], "last_rows")
        last = self.add("Mul", [last, "there"], "last_there")
        made = self.sum(
            [
                chosen,
                empty,
                self.linear(last, "last", "last.out"),
                self._flags(),
                self.rows("shapes", "Gather", ["shape"]),
                self.rows("gaps", "Gather", ["gap"]),
                self.rows("signs", "Gather", ["sign"]),
            ],
            "words",
        )
        made = self.sum([made, self._around(made)], "words.around")
        for number, step in enumerate(steps):
            made = self._convolution(f"convolutions.{number}", made, step)
        return made

    def _flags(self) -> str:
        # Thirty-two bits a word: rounding the weights would save nothing.
        weight = self.keep("flags.weight", self.state["flags.weight"].T)
        return self.add("MatMul", ["flags", weight], "flags.out")

    def _around(self, given: str) -> str:
        own = self.normalised(given, "around_norm")
        width = self.number("width_alone", 1, self.state[_NO_PIECE].shape[0])
        size = self.add("Mul", ["groups", width], "groups_size")
        zero = self.keep("zero", np.zeros((1, 1), dtype=np.float32))
        empty = self.add("Expand", [zero, size], "groups_empty")
        total = self.add(
            "ScatterND", [empty, "group", own], "groups_total", reduction="add"
        )
        same = self.add("GatherND", [total, "group"], "same_rows")
        same = self.add("Mul", [same, "share"], "same")
        axes = self.number("first_axis", 0)
        note = self.add("ReduceMean", [own, axes], "note", keepdims=1)
        shape = self.add("Shape", [own], "own_shape")
        note = self.add("Expand", [note, shape], "note_rows")
        both = self.add("Concat", [same, note], "around.both", axis=1)
        return self.linear(both, "around")

    def _convolution(self, base: str, given: str, step: int) -> str:
        own = self.normalised(given, f"{base}.norm")
        count = self.add("Shape", [own], f"{base}.count", start=0, end=1)
        parts = [own]
        for name, pads, start in (
            ("before", (step, 0, 0, 0), 0),
            ("behind", (0, 0, step, 0), step),
        ):
            edges = self.number(f"{base}.{name}.pads", *pads)
            padded = self.add("Pad", [own, edges], f"{base}.{name}.padded")
            first = self.number(f"{base}.{name}.start", start)
            until = self.add("Add", [count, first], f"{base}.{name}.end")
            zero_axis = self.number(f"{base}.{name}.axis", 0)
            cut = [padded, first, until, zero_axis]
            parts.append(self.add("Slice", cut, f"{base}.{name}"))
        before, behind = parts[1], parts[2]
        joined = self.add("Concat", [before, own, behind], f"{base}.three", axis=1)
        inner = self.linear(joined, f"{base}.inner")
        from onnx.helper import make_node

        halves = [f"{base}.value", f"{base}.gate"]
        self.nodes.append(make_node("Split", [inner], halves, axis=1, num_outputs=2))
        gate = self.add("Sigmoid", [halves[1]], f"{base}.open")
        gated = self.add("Mul", [halves[0], gate], f"{base}.gated")
        return self.sum([given, self.linear(gated, f"{base}.outer")], f"{base}.out")


def write_graph(
    state: Mapping[str, Weights],
    layers: int,
    attention_heads: int,
    steps: Sequence[int],
    heads: Sequence[str],
    path: Path,
    quantize: bool,
) -> None:
    """Write a network with free numbers of windows, pieces and words.

    :param state: Weights by the names that torch gives them.
    :param layers: Layers of the encoder.
    :param attention_heads: Heads of attention in each.
    :param steps: How far apart the words of each convolution stand.
    :param heads: Names of the heads, in their order.
    :param path: File to write.
    :param quantize: Whether weights become 8-bit integers: those of linear layers with
        a scale for each column, embeddings with one for all.
    """
    import onnx
    from onnx import TensorProto, helper

    made = Builder(state, attention_heads, quantize)
    words = made.words(made.encoder(layers), steps)
    outputs = []
    for number, head in enumerate(heads):
        name = made.linear(words, f"heads.{number}", output_name(head))
        labels = len(state[f"heads.{number}{_BIAS}"])
        outputs.append((name, labels))
    roles = made.linear(words, "roles", ROLES_OUTPUT)
    outputs.append((roles, len(state[f"roles{_BIAS}"])))
    whole, real = TensorProto.INT64, TensorProto.FLOAT
    inputs: dict[str, tuple[int, list[str | int]]] = {
        "ids": (whole, ["windows", "pieces"]),
        "first": (whole, ["words"]),
        "last": (whole, ["words"]),
        "there": (real, ["words", 1]),
        "flags": (real, ["words", state["flags.weight"].shape[1]]),
        "shape": (whole, ["words"]),
        "gap": (whole, ["words"]),
        "sign": (whole, ["words"]),
        "group": (whole, ["words", 1]),
        "share": (real, ["words", 1]),
        "groups": (whole, [2]),
    }
    graph = helper.make_graph(
        made.nodes,
        "presidio_mx",
        [helper.make_tensor_value_info(n, *kind) for n, kind in inputs.items()],
        [
            helper.make_tensor_value_info(name, real, ["words", labels])
            for name, labels in outputs
        ],
        made.tensors,
    )
    domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    model = helper.make_model(graph, opset_imports=domains, ir_version=_IR_VERSION)
    onnx.checker.check_model(model)
    part = path.with_name(path.name + ".part")
    onnx.save(model, str(part))
    part.replace(path)


def read_weights(path: Path) -> dict[str, Weights]:
    """Return the weights of a graph, as torch has them.

    The file is all that is kept of a training: what its rounding lost stays lost, and
    training goes on from there.

    :param path: A file that :func:`write_graph` wrote, or one with the same names for
        the parts of 8-bit weights.
    :return: By their names.
    """
    import onnx
    from onnx.numpy_helper import to_array

    raw = {t.name: to_array(t) for t in onnx.load(str(path)).graph.initializer}
    state: dict[str, Weights] = {}
    for name, values in raw.items():
        own = name.removesuffix(QUANTIZED)
        if own != name:
            zero = raw[own + ZERO].astype(np.float32)
            state[own] = (values.astype(np.float32) - zero) * raw[own + SCALE]
        elif name == _NO_PIECE or name.endswith((_WEIGHT, _BIAS)):
            state[name] = values
    return {
        name: values if values.ndim < 2 or _is_table(name) else values.T
        for name, values in state.items()
    }


def _is_table(name: str) -> bool:
    """Tell whether weights are a table of embeddings, which stands as torch has it."""
    return name.startswith(_TABLES) or "embeddings." in name


def by_columns(weight: Weights) -> tuple[NDArray[np.int8], Weights]:
    """Return integers of seven bits around nothing, with a scale for each column.

    Processors without VNNI add two products of 8 bits in 16 bits: with weights of all
    8 bits the sum overflows, and the same note has other results than elsewhere.

    :param weight: Shape (inputs, outputs).
    :return: Integers of the same shape, and scales of shape (outputs,).
    """
    largest = np.abs(weight).max(axis=0) / HIGHEST_WEIGHT
    scale = np.maximum(largest, np.finfo(np.float32).tiny)
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
