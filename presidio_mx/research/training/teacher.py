"""Run a network in torch: to score it while it trains, and to learn from another.

Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural network": beside
the mark that a person set, the student sees how probable its teacher holds every label,
with both made less sure by a temperature.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import TOKENIZER, Reply, read_card
from presidio_mx.find.ner.pieces import cut
from presidio_mx.find.ner.viterbi import log_softmax
from presidio_mx.research.training.examples import (
    IGNORED,
    Batch,
    Example,
    batch_of,
)
from presidio_mx.research.training.network import Network
from presidio_mx.research.training.sources import label_set

TEMPERATURE = 2.0


class Reader(Protocol):
    """What reads a text: a finished model, or a network in torch."""

    def read(self, text: str, head: str) -> Reply:
        """Return what it says of a prepared text."""


class TorchReader:
    """A network in torch that reads texts as the finished model will.

    :param network: The network.
    :param tokenizer: The tokenizer.
    :param window: Pieces in a window.
    :param device: Where it runs.
    """

    def __init__(
        self, network: Network, tokenizer: Any, window: int, device: torch.device
    ) -> None:
        """Take the network as it is."""
        self.network = network.to(device)
        self.tokenizer = tokenizer
        self.window = window
        self.device = device

    @torch.no_grad()
    def read(self, text: str, head: str) -> Reply:
        """Return what the network says of a prepared text.

        :param text: The text.
        :param head: The head.
        """
        pieces = cut(self.tokenizer, text)
        tokens = pieces.tokens
        if not len(pieces.ids):
            width = len(label_set(head).labels)
            outside = np.full((len(tokens), width), -np.inf, dtype=np.float32)
            outside[:, :1] = 0.0
            return Reply(tokens, outside, np.zeros((len(tokens), 4), np.float32))
        self.network.eval()
        unknown = np.full(len(tokens), IGNORED, dtype=np.int64)
        one = batch_of([Example(head, pieces, unknown, unknown)], self.window)
        logits, roles = self.network(head, one.to(self.device))
        return Reply(
            tokens,
            log_softmax(logits[0].cpu().numpy()),
            log_softmax(roles[0].cpu().numpy()),
        )

    @torch.no_grad()
    def logits(self, head: str, batch: Batch) -> Tensor:
        """Return the logits of a batch.

        :param head: The head.
        :param batch: Notes.
        :return: Shape (notes, words, labels).
        """
        self.network.eval()
        logits: Tensor = self.network(head, batch.to(self.device))[0]
        return logits.cpu()


def check_teacher(folder: Path, heads: Sequence[str], base: Path) -> None:
    """Refuse a teacher that lacks a head or reads other pieces.

    :param folder: Folder of the model.
    :param heads: The heads that the student learns.
    :param base: Folder of the student's tokenizer.
    :raises InputError: If it does.
    """
    there = read_card(folder).heads
    missing = [head for head in heads if head not in there]
    if missing:
        raise InputError(f"{folder}: a teacher without head {', '.join(missing)}")
    if (folder / TOKENIZER).read_bytes() != (base / TOKENIZER).read_bytes():
        raise InputError(f"{folder}: a teacher with another {TOKENIZER} than {base}")


def opinions(
    teacher: TorchReader, notes: Sequence[Example], kept: Path
) -> list[NDArray[np.float16]]:
    """Return what a teacher says of notes, computed once and kept.

    :param teacher: The teacher.
    :param notes: The notes.
    :param kept: File that the logits are kept in, half precision.
    :return: For each note, shape (words, labels).
    """
    if kept.is_file():
        with np.load(kept) as stored:
            flat, ends = stored["logits"], stored["ends"]
            widths = stored["widths"]
    else:
        made = [_one(teacher, note) for note in notes]
        widths = np.array([one.shape[1] for one in made])
        ends = np.cumsum([one.size for one in made])
        flat = np.concatenate([one.ravel() for one in made])
        part = kept.with_name(kept.name + ".part.npz")
        np.savez(part, logits=flat, ends=ends, widths=widths)
        part.replace(kept)
    pieces = np.split(flat, ends[:-1])
    return [piece.reshape(-1, w) for piece, w in zip(pieces, widths, strict=True)]


def _one(teacher: TorchReader, note: Example) -> NDArray[np.float16]:
    batch = batch_of([note], teacher.window)
    logits = teacher.logits(note.head, batch)[0]
    return logits.numpy().astype(np.float16)


def distilled(logits: Tensor, said: Tensor) -> Tensor:
    """Return the loss against a teacher's opinion.

    :param logits: The student's, shape (words, labels).
    :param said: The teacher's, likewise.
    :return: A number.
    """
    opinion = nn.functional.kl_div(
        (logits / TEMPERATURE).log_softmax(-1),
        (said / TEMPERATURE).log_softmax(-1),
        reduction="batchmean",
        log_target=True,
    )
    # The temperature makes gradients smaller by its square.
    return TEMPERATURE**2 * opinion
