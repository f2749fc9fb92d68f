"""The parts of the corpora that a Flair tagger learns from and is measured on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from presidio_mx.errors import InputError
from presidio_mx.schemes import ADAP_TAGS, Scheme
from presidio_mx.text.spans import Note

OWN, GENERAL = (0.09, 0.09), (0.19, 0.24)
"""Shares of dev and test in the thesis: of its own notes (3,650 to train, 399 for dev,
402 to test) and of the general corpus that it mixed in (57:19:24)."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Notes of a training.

    :param train: Notes to learn from.
    :param dev: Notes that choose the epoch.
    :param test: Notes that neither is done with.
    """

    train: list[Note]
    dev: list[Note]
    test: list[Note]

    def __add__(self, other: "Parts") -> "Parts":
        """Return both, part by part: an own corpus mixed with a general one."""
        return Parts(
            self.train + other.train, self.dev + other.dev, self.test + other.test
        )


def split(notes: Sequence[Note], seed: int, shares: tuple[float, float] = OWN) -> Parts:
    """Part a corpus at random.

    :param notes: The notes.
    :param seed: The same seed gives the same parts.
    :param shares: Shares of dev and test; what is left is learnt from.
    :raises InputError: If there are fewer than three notes.
    """
    if len(notes) < 3:
        raise InputError(
            f"{len(notes)} notes cannot be parted into train, dev and test; give --dev"
        )
    order = Random(seed).sample(list(notes), len(notes))
    dev, test = (max(1, round(share * len(order))) for share in shares)
    return Parts(order[dev + test :], order[:dev], order[dev : dev + test])


def learnt(notes: Sequence[Note], scheme: Scheme) -> list[Note]:
    """Return notes with what is learnt: with ADAP's scheme its three tags alone.

    :param notes: Notes in the scheme's names.
    :param scheme: The scheme.
    """
    if scheme != "adap":
        return list(notes)
    return [
        replace(note, spans=tuple(s for s in note.spans if s.entity_type in ADAP_TAGS))
        for note in notes
    ]
