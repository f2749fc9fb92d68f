"""Learn from a larger model's opinion of each word, too (distillation).

Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural network": beside
the mark that a person set, the student sees how probable its teacher holds every label,
with both made less sure by a temperature.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import read_card
from presidio_mx.research.training.examples import IGNORED
from presidio_mx.research.training.network import without_caution

TEMPERATURE = 2.0


class Teacher:
    """A finished model that is asked for its opinion of windows.

    :param folder: Folder of the model.
    :param heads: The heads that the student learns.
    :param device: Where to run it.
    :raises InputError: If the model lacks one of them.
    """

    def __init__(
        self, folder: Path, heads: Sequence[str], device: torch.device
    ) -> None:
        """Load the model, without what it adds to its own opinion for caution."""
        there = read_card(folder).heads
        missing = [head for head in heads if head not in there]
        if missing:
            raise InputError(f"{folder}: a teacher without head {', '.join(missing)}")
        self.network = without_caution(folder, heads).to(device).eval()

    @torch.no_grad()
    def logits(self, head: str, ids: Tensor, mask: Tensor) -> Tensor:
        """Return what it says of a batch.

        :param head: The head of the batch.
        :param ids: Pieces, shape (rows, pieces).
        :param mask: 0 where a row is padded.
        :return: Shape (rows, pieces, labels).
        """
        return self.network.logits(head, ids, mask)


def marked(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the loss against marks alone.

    :param logits: The student's, shape (rows, pieces, labels).
    :param labels: Columns of the marks, shape (rows, pieces).
    :return: A number.
    """
    return nn.functional.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED
    )


def distilled(logits: Tensor, labels: Tensor, said: Tensor, share: float) -> Tensor:
    """Return the loss against marks and the teacher's opinion.

    :param logits: The student's, shape (rows, pieces, labels).
    :param labels: Columns of the marks, shape (rows, pieces).
    :param said: The teacher's logits, shape (rows, pieces, labels).
    :param share: What the teacher's opinion weighs, 0 to 1.
    :return: A number.
    """
    counted = labels != IGNORED
    own, wanted = logits[counted], said[counted]
    opinion = nn.functional.kl_div(
        (own / TEMPERATURE).log_softmax(-1),
        (wanted / TEMPERATURE).log_softmax(-1),
        reduction="batchmean",
        log_target=True,
    )
    # The temperature makes gradients smaller by its square.
    weight = share * TEMPERATURE**2
    return (1 - share) * marked(logits, labels) + weight * opinion
