"""From notes to the batches that the model learns from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from presidio_mx.find.ner.onnx_model import feed
from presidio_mx.find.ner.pieces import PAD, Pieces, cut
from presidio_mx.find.ner.viterbi import Ints, bio_columns
from presidio_mx.find.ner.words import FLAGS, Tokens
from presidio_mx.find.reading import ROLES
from presidio_mx.research.training.sources import gold_note, label_set
from presidio_mx.text.prepare import prepare
from presidio_mx.text.spans import Note

IGNORED = -100
"""Label of a word that teaches nothing: padding, or a role that is not known."""


@dataclass(frozen=True, slots=True)
class Example:
    """A note, or a part of a long one, with its gold labels.

    :param head: The head that learns from it.
    :param pieces: Its pieces and words.
    :param labels: A column for each word, shape (words,).
    :param roles: The role of each word of a name, :data:`IGNORED` elsewhere, (words,).
    """

    head: str
    pieces: Pieces
    labels: Ints
    roles: Ints

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.labels)


@dataclass(frozen=True)
class Batch:
    """Notes of one head as tensors, padded to the longest.

    :param ids: Piece ids, shape (windows, pieces).
    :param inside: Whether a piece is there, or the window padded, likewise.
    :param first: Index of each word's first piece among all rows of all windows, shape
        (notes, words); the others are of this shape, too.
    :param last: Index of each word's last piece.
    :param has: Whether a word has pieces.
    :param there: Whether a word is there, or the note padded.
    :param flags: What lists know of each word, shape (notes, words, bits).
    :param shape: See :class:`presidio_mx.find.ner.words.Tokens`, and so the next two.
    :param gap: White space before each word.
    :param sign: Which sign it is.
    :param group: Number of the word among all different words of the batch; 0 for none.
    :param share: One over how often it stands in its note; 0 for none.
    :param groups: Number of groups.
    :param labels: Gold columns, :data:`IGNORED` where a note is padded.
    :param roles: Gold roles.
    """

    ids: Tensor
    inside: Tensor
    first: Tensor
    last: Tensor
    has: Tensor
    there: Tensor
    flags: Tensor
    shape: Tensor
    gap: Tensor
    sign: Tensor
    group: Tensor
    share: Tensor
    groups: int
    labels: Tensor
    roles: Tensor

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on a device."""
        tensors = {
            f.name: getattr(self, f.name).to(device)
            for f in fields(self)
            if f.name != "groups"
        }
        return replace(self, **tensors)


def example(tokenizer: Any, note: Note, head: str) -> Example:
    """Return a note as the model reads and learns it.

    :param tokenizer: The tokenizer.
    :param note: A marked note.
    :param head: The head.
    """
    source = prepare(note.text)
    pieces = cut(tokenizer, source.text)
    tokens, gold = pieces.tokens, gold_note(note, head).spans
    spans = [(source.there(s.start), source.there(s.end), s.entity_type) for s in gold]
    labels = bio_columns(tokens.starts, tokens.ends, spans, label_set(head))
    roles = np.full(len(tokens), IGNORED, dtype=np.int64)
    for (start, end, _), span in zip(spans, gold, strict=True):
        if span.role in ROLES:
            inside = (tokens.starts < end) & (tokens.ends > start)
            roles[inside] = ROLES.index(span.role)
    return Example(head, pieces, labels, roles)


def parts(whole: Example, size: int, random: Random) -> Iterator[Example]:
    """Cut a long note into parts that begin outside of spans, the first at random.

    :param whole: A note.
    :param size: Words in a part at most.
    :param random: Source of chance.
    """
    if len(whole) <= size:
        yield whole
        return
    start, end = 0, random.randint(size // 2, size)
    while start < len(whole):
        end = min(end, len(whole))
        # A part shall not begin inside a span.
        while end < len(whole) and end > start + size // 3 and _inside(whole, end):
            end -= 1
        yield _part_of(whole, start, end)
        start, end = end, end + size


def _inside(whole: Example, word: int) -> bool:
    label = int(whole.labels[word])
    return label > 0 and label % 2 == 0


def _part_of(whole: Example, start: int, end: int) -> Example:
    pieces = whole.pieces
    inside = np.flatnonzero(pieces.first[start:end] >= 0) + start
    low = int(pieces.first[inside[0]]) if len(inside) else 0
    high = int(pieces.last[inside[-1]]) + 1 if len(inside) else 0

    def moved(places: Ints) -> Ints:
        own = places[start:end]
        return np.where(own >= 0, own - low, -1)

    tokens = Tokens(
        *(getattr(pieces.tokens, f.name)[start:end] for f in fields(pieces.tokens))
    )
    cut_out = Pieces(
        pieces.ids[low:high], moved(pieces.first), moved(pieces.last), tokens
    )
    return Example(whole.head, cut_out, whole.labels[start:end], whole.roles[start:end])


T = TypeVar("T")


def batches(
    found: list[tuple[Example, T]], words: int, random: Random
) -> list[list[tuple[Example, T]]]:
    """Put notes of one head and of similar length together.

    :param found: The notes and parts of an epoch, each with whatever goes with it.
    :param words: Words in a batch, padding included.
    :param random: Source of chance.
    :return: Batches in random order.
    """
    made: list[list[tuple[Example, T]]] = []
    random.shuffle(found)
    for head in sorted({note.head for note, _ in found}):
        rows = [row for row in found if row[0].head == head and len(row[0].pieces.ids)]
        # Sorted within stretches, so that batches differ from epoch to epoch.
        for at in range(0, len(rows), 256):
            batch: list[tuple[Example, T]] = []
            for row in sorted(rows[at : at + 256], key=lambda row: len(row[0])):
                if batch and (len(batch) + 1) * len(row[0]) > words:
                    made.append(batch)
                    batch = []
                batch.append(row)
            made.append(batch)
    random.shuffle(made)
    return made


def batch_of(notes: Sequence[Example], window: int) -> Batch:
    """Return notes as tensors.

    :param notes: Notes of one head that have pieces.
    :param window: Pieces in a window, the two at its edges included.
    """
    shape = (len(notes), max(map(len, notes)))
    table: dict[str, NDArray[Any]] = {
        name: np.zeros(shape, dtype=np.int64)
        for name in ("first", "last", "flags", "shape", "gap", "sign", "group")
    }
    table["has"] = np.zeros(shape, dtype=bool)
    table["there"] = np.zeros(shape, dtype=bool)
    table["share"] = np.zeros(shape, dtype=np.float32)
    table["labels"] = np.full(shape, IGNORED)
    table["roles"] = np.full(shape, IGNORED)
    fed = [feed(note.pieces, window) for note in notes]
    width = max(one["ids"].shape[1] for one in fed)
    groups, above = 1, 0
    for row, (note, one) in enumerate(zip(notes, fed, strict=True)):
        size, tokens = len(note), note.pieces.tokens
        own = one["ids"].shape[1]
        for name in ("first", "last"):
            window_of, place = np.divmod(one[name], own)
            table[name][row, :size] = (window_of + above) * width + place
        above += len(one["ids"])
        table["has"][row, :size] = one["there"][:, 0] > 0
        table["there"][row, :size] = True
        table["share"][row, :size] = one["share"][:, 0]
        for name in ("flags", "shape", "gap", "sign"):
            table[name][row, :size] = getattr(tokens, name)
        group = tokens.group
        table["group"][row, :size] = np.where(group > 0, group + groups - 1, 0)
        groups += int(group.max(initial=0))
        table["labels"][row, :size] = note.labels
        table["roles"][row, :size] = note.roles
    ids = np.full((above, width), PAD, dtype=np.int64)
    inside = np.zeros((above, width), dtype=bool)
    at = 0
    for one in fed:
        rows, own = one["ids"].shape
        ids[at : at + rows, :own] = one["ids"]
        inside[at : at + rows, :own] = True
        at += rows
    bits = (table.pop("flags")[..., None] >> np.arange(FLAGS)) & 1
    made = {name: torch.from_numpy(values) for name, values in table.items()}
    return Batch(
        ids=torch.from_numpy(ids),
        inside=torch.from_numpy(inside),
        flags=torch.from_numpy(bits.astype(np.float32)),
        groups=groups,
        **made,
    )
