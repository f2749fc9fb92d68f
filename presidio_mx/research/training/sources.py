"""From corpora to the notes that a head of the model is trained and measured on."""

from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path
from random import Random

from presidio_mx.errors import InputError
from presidio_mx.find.ner.viterbi import LabelSet
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
