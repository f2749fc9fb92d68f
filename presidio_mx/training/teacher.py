"""Learn from a larger model's opinion of each word, too (distillation).

Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural network": beside
the mark that a person set, the student sees how probable its teacher holds every label,
with both made less sure by a temperature.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from presidio_mx.analyzer.ner.onnx_model import default_threads, load_model
from presidio_mx.errors import InputError
from presidio_mx.training.examples import IGNORED, Example
from presidio_mx.training.network import read_caution

TEMPERATURE = 2.0


class Teacher:
    """A finished model that is asked for its opinion of windows.

    :param folder: Folder of the model.
    :param heads: The heads that the student learns.
    :raises InputError: If the model lacks one of them.
    """

    def __init__(self, folder: Path, heads: Sequence[str]) -> None:
        """Load the model and what it adds to its own opinion for caution."""
        self.model = load_model(folder.resolve(), default_threads())
        missing = [head for head in heads if head not in self.model.card.heads]
        if missing:
            raise InputError(f"{folder}: a teacher without head {', '.join(missing)}")
        self.caution = read_caution(folder)

    def logits(self, batch: Sequence[Example], pieces: int) -> Tensor:
        """Return what it says of a batch, its caution taken back.

        :param batch: Windows of one head.
        :param pieces: Pieces in the longest window, the two at its edges included.
        :return: Shape (rows, pieces, labels), 0 where a row is padded.
        """
        head = batch[0].head
        made = torch.zeros(len(batch), pieces, len(self.model.card.heads[head].labels))
        for row, example in enumerate(batch):
            said = torch.from_numpy(self.model.window_logits(example.ids, head))
            said[:, 0] += self.caution.get(head, 0.0)
            made[row, : len(said)] = said
        return made


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
    marks = nn.functional.cross_entropy(own, labels[counted])
    opinion = nn.functional.kl_div(
        (own / TEMPERATURE).log_softmax(-1),
        (wanted / TEMPERATURE).log_softmax(-1),
        reduction="batchmean",
        log_target=True,
    )
    # The temperature makes gradients smaller by its square.
    return (1 - share) * marks + share * TEMPERATURE**2 * opinion
