"""Train under the rounding of the finished model, so that it costs less there.

Dynamic quantisation makes 8-bit integers of what flows into a product of matrices, too.
In BERT's layers it is the second half of the feed-forward part whose few large values
make the steps wide for all others (Bondarenko, Nagel and Blankevoort 2021,
"Understanding and overcoming the challenges of efficient transformer quantization"):
left out of the rounding, it alone brings the exact F1 of floating point back.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertModel

_HIGHEST = 255


def prepare_rounding(encoder: BertModel) -> None:
    """Make it possible to round what the feed-forward parts compute; off at first.

    :param encoder: The encoder.
    """
    for dense in _second_halves(encoder):
        dense.rounded = False
        dense.register_forward_pre_hook(_round)


def set_rounding(encoder: BertModel, on: bool) -> None:
    """Switch the rounding.

    :param encoder: A prepared encoder.
    :param on: Whether to round.
    """
    for dense in _second_halves(encoder):
        dense.rounded = on


def _second_halves(encoder: Any) -> Iterator[Any]:
    return (layer.output.dense for layer in encoder.encoder.layer)


def rounded(values: Tensor) -> Tensor:
    """Round values to 8 bits as ONNX's DynamicQuantizeLinear does.

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


def _round(module: nn.Module, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...] | None:
    if not module.rounded:
        return None
    return (rounded(inputs[0]), *inputs[1:])
