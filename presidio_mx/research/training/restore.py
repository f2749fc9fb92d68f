"""Read the weights of a finished model back into a network, to train it further.

The shipped ONNX file is all that is kept of a training: the checkpoints of its stages
are not in the repository. What quantisation rounded stays rounded; a stage that begins
with these weights learns from there.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import WEIGHTS
from presidio_mx.research.training.graph import QUANTIZED, SCALE, ZERO

Weights = NDArray[np.float32]
_BIAS, _WEIGHT = ".bias", ".weight"
# What may stand between a product of matrices and the bias that is added to it.
_BETWEEN = frozenset(("Cast", "Mul"))


def restored_state(folder: Path) -> dict[str, Tensor]:
    """Return the weights of a model that :func:`~.export.export` wrote.

    Weights of linear layers stand turned in the graph, and in models of earlier
    versions they have lost their names; each is known by the bias added to its product.

    :param folder: Folder with ``model.onnx``, 8-bit or not.
    :return: What ``Network.load_state_dict`` takes.
    :raises InputError: If the file is missing or cannot be read.
    """
    import onnx

    path = folder / WEIGHTS
    if not path.is_file():
        raise InputError(f"{path} is missing: no finished model to begin with")
    try:
        graph = onnx.load(str(path)).graph
    except Exception as error:  # protobuf's classes of errors are its own
        raise InputError(f"{path} cannot be read: {type(error).__name__}") from None
    stored = dict(_stored(graph))
    state = {name: values for name, values in stored.items() if _is_parameter(name)}
    for weight, bias in _linear_layers(graph, stored):
        state[bias.removesuffix(_BIAS) + _WEIGHT] = stored[weight].T
    return {name: torch.from_numpy(values.copy()) for name, values in state.items()}


def _is_parameter(name: str) -> bool:
    return name.endswith((_WEIGHT, _BIAS)) and name.startswith(("encoder.", "heads."))


def _stored(graph: Any) -> Iterator[tuple[str, Weights]]:
    """Yield the weights of a graph by name, as floating point."""
    from onnx.numpy_helper import to_array

    raw = {tensor.name: to_array(tensor) for tensor in graph.initializer}
    for name, values in raw.items():
        own = name.removesuffix(QUANTIZED)
        if own != name:
            # Linear quantisation, a scale for the whole or for each column:
            # https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html
            zero = raw[own + ZERO].astype(np.float32)
            yield own, (values.astype(np.float32) - zero) * raw[own + SCALE]
        elif values.dtype == np.float32:
            yield name, values


def _linear_layers(graph: Any, stored: dict[str, Weights]) -> Iterator[tuple[str, str]]:
    """Yield the names of weight and bias of each linear layer."""
    readers: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type == "DynamicQuantizeMatMul":
            yield node.input[1].removesuffix(QUANTIZED), node.input[4]
        if node.op_type not in ("MatMul", "MatMulInteger"):
            continue
        weight = node.input[1].removesuffix(QUANTIZED)
        if weight in stored:
            yield weight, _bias_after(node, readers)


def _bias_after(node: Any, readers: dict[str, list[Any]]) -> str:
    for reader in readers[node.output[0]]:
        if reader.op_type == "Add":
            biases = [n for n in reader.input if n.endswith(_BIAS)]
            if len(biases) == 1:
                return str(biases[0])
        elif reader.op_type in _BETWEEN:
            return _bias_after(reader, readers)
    raise InputError(f"the model's graph adds no bias after {node.name!r}")
