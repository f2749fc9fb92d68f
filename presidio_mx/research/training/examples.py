"""From corpora to the windows a transformer learns from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from presidio_mx.errors import InputError
from presidio_mx.find.ner.pieces import cut
from presidio_mx.find.ner.viterbi import Ints, LabelSet, bio_columns
from presidio_mx.find.note.prepare import readable
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.research.corpora.synthesis import synthesize
from presidio_mx.research.training.augment import renamed, varied, without_overlaps
from presidio_mx.research.training.recipe import HEADS, Source
from presidio_mx.schemes import (
    MEDDOCAN_LABELS,
    NATIVE_TO_INLINE,
    SPAIN_PREFIX,
    Scheme,
)
from presidio_mx.text.spans import Note

IGNORED = -100
"""Label of a piece that does not begin a word: no loss there."""

_PATTERN = frozenset("*?[")
_MX = ("PERSON", "ADDRESS", "LOCATION", "AGE", "URL", *NATIVE_TO_INLINE)
# The guidelines have one mark for cards and accounts; so has the model.
_ALIASES = {"mx": {"MX_CLABE": "CREDIT_CARD"}, "es-ES": {}}
TYPES = {
    "mx": tuple(dict.fromkeys(t for t in _MX if t != "MX_CLABE")),
    "es-ES": tuple(SPAIN_PREFIX + label for label in MEDDOCAN_LABELS),
}


def label_set(head: str) -> LabelSet:
    """Return the labels of a head.

    :param head: ``mx`` or ``es-ES``.
    :return: Its labels.
    """
    return LabelSet(TYPES[head])


def _names(head: str) -> dict[str, str]:
    """Return how the types of a head's corpora are called by the head."""
    own = {name.removeprefix(SPAIN_PREFIX): name for name in TYPES[head]}
    return own | {name: name for name in TYPES[head]} | _ALIASES[head]


@dataclass(frozen=True, slots=True)
class Example:
    """A window with its gold labels.

    :param head: The head that learns from it.
    :param ids: Piece ids without the two at the edges, shape (pieces,).
    :param labels: Columns, :data:`IGNORED` where no word begins, shape (pieces,).
    """

    head: str
    ids: Ints
    labels: Ints


def read_source(source: Source) -> list[Note]:
    """Read a corpus of a recipe, named as its head names types.

    :param source: Which one.
    :return: Its notes.
    :raises InputError: If a note is broken: a model shall not learn from half of it.
    """
    scheme: Scheme = HEADS[source.head]  # type: ignore[assignment]
    found: list[Note] = []
    for path in _paths(source.path):
        corpus = read_corpus(path, source.form, scheme)
        if corpus.problems:
            raise InputError(str(corpus.problems[0]))
        found += _part(list(corpus.notes), source.part)
    return found


def _paths(path: str) -> list[Path]:
    """Return the corpora of a source: all that a pattern names, in order."""
    if _PATTERN.isdisjoint(path):
        return [Path(path)]
    found = sorted(map(Path, glob(path)))
    if not found:
        raise InputError(f"{path}: no corpus has such a name")
    return found


def _part(notes: list[Note], part: str) -> list[Note]:
    if not part:
        return notes
    place, of = part.split("/")
    rest = abs(int(place))
    inside = [i % int(of) == rest for i in range(len(notes))]
    return [n for n, kept in zip(notes, inside, strict=True) if kept != ("-" in part)]


def gold_note(note: Note, head: str) -> Note:
    """Return a note with the spans a head can find, none overlapping.

    :param note: A note of a corpus.
    :param head: The head.
    :return: The note.
    """
    return without_overlaps(renamed(note, _names(head)))


def epoch_notes(
    source: Source, notes: Sequence[Note], random: Random
) -> Iterator[Note]:
    """Yield what one epoch sees of a source.

    :param source: The source.
    :param notes: Its notes; empty for a source that is synthesised.
    :param random: Source of chance.
    :return: Notes, varied.
    """
    if not source.path:
        seed = random.randrange(2**31)
        yield from synthesize(int(source.copies), seed)
        return
    for note in notes:
        whole = int(source.copies)
        chance = random.random() < source.copies - whole
        for _ in range(whole + chance):
            yield varied(note, source.swap, source.noise, random, source.style)


def examples(
    tokenizer: Any, note: Note, head: str, size: int, random: Random
) -> Iterator[Example]:
    """Cut a note into windows, the first at random, so that edges differ each epoch.

    :param tokenizer: The tokenizer.
    :param note: A marked note; what the model will read of it is cut.
    :param head: The head.
    :param size: Pieces in a window, the two at the edges left out.
    :param random: Source of chance.
    :return: Windows in order.
    """
    text = readable(note.text)
    pieces = cut(tokenizer, text.text)
    labels = label_set(head)
    spans = [
        (text.there(s.start), text.there(s.end), s.entity_type)
        for s in gold_note(note, head).spans
    ]
    columns = bio_columns(pieces.starts, pieces.ends, spans, labels)
    row = np.full(len(pieces.ids), IGNORED, dtype=np.int64)
    row[pieces.firsts] = columns
    start = 0
    end = random.randint(size // 4, size) if len(row) > size else size
    while start < len(row):
        part = row[start:end].copy()
        if len(part) and part[0] > 0 and part[0] % 2 == 0:
            # A span cut by the window's edge: its first words teach nothing.
            inside = part == part[0]
            until = int(np.argmin(inside | (part == IGNORED))) or len(part)
            part[:until] = IGNORED
        yield Example(head, pieces.ids[start:end], part)
        start, end = end, end + size


def batches(found: list[Example], tokens: int, random: Random) -> list[list[Example]]:
    """Put windows of one head and of similar length together.

    :param found: The windows of an epoch.
    :param tokens: Pieces in a batch, padding included.
    :param random: Source of chance.
    :return: Batches in random order.
    """
    made: list[list[Example]] = []
    random.shuffle(found)
    for head in sorted({example.head for example in found}):
        rows = [example for example in found if example.head == head]
        # Sorted within stretches, so that batches differ from epoch to epoch.
        for at in range(0, len(rows), 256):
            batch: list[Example] = []
            for row in sorted(rows[at : at + 256], key=lambda e: len(e.ids)):
                if batch and (len(batch) + 1) * (len(row.ids) + 2) > tokens:
                    made.append(batch)
                    batch = []
                batch.append(row)
            made.append(batch)
    random.shuffle(made)
    return made
