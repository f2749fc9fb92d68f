"""Tag schemes of other people's models: BIO, BIOES, BILOU, IO."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.ner.viterbi import Moves

OUTSIDE = "O"
SCHEMES = MappingProxyType({"IO": "", "BIO": "B", "BIOES": "BES", "BILOU": "BES"})
"""Each scheme with the signs that its labels must have."""
BIASES = (
    "background_stay",
    "background_to_start",
    "inside_to_continue",
    "inside_to_end",
    "end_to_background",
    "end_to_start",
)
"""Moves that may have a bias, as OpenAI's Privacy Filter names them."""
# BILOU's last and unit are BIOES's end and single.
_SIGNS = {"B": "B", "I": "I", "E": "E", "L": "E", "S": "S", "U": "S"}


@dataclass(frozen=True, slots=True)
class Tag:
    """A label of a model.

    :param sign: ``B``, ``I``, ``E`` or ``S``; empty outside.
    :param kind: What it says of the word; empty outside.
    """

    sign: str
    kind: str


def tag_of(label: str) -> Tag:
    """Return what a label says; one without a sign is taken for an inside.

    :param label: E.g. ``B-PER``, ``PER`` or ``O``.
    """
    sign, hyphen, kind = label.partition("-")
    if label == OUTSIDE:
        return Tag("", "")
    known = hyphen and sign in _SIGNS
    return Tag(_SIGNS[sign], kind) if known else Tag("I", label)


def scheme_of(tags: Sequence[Tag]) -> str:
    """Return the scheme that the signs of a model's labels show.

    :param tags: Its labels.
    """
    signs = {tag.sign for tag in tags}
    return "BIOES" if signs & {"E", "S"} else "BIO" if "B" in signs else "IO"


def moves_of(tags: Sequence[Tag], scheme: str, biases: Mapping[str, float]) -> Moves:
    """Return which labels may follow one another.

    :param tags: The labels of a model, in the order of its columns.
    :param scheme: One of :data:`SCHEMES`.
    :param biases: What is added to the moves of :data:`BIASES`; 0 by default.
    :raises ConfigurationError: If the labels are not of that scheme.
    """
    missing = set(SCHEMES[scheme]) - {tag.sign for tag in tags}
    if missing:
        raise ConfigurationError(
            f"scheme {scheme}: the model has no labels that begin with "
            f"{', '.join(sorted(missing))}-; give the scheme of its labels"
        )
    strict = "S" in SCHEMES[scheme]
    free = scheme == "IO"
    open_ = np.array([strict and tag.sign in ("B", "I") for tag in tags])
    inner = np.array([not free and tag.sign in ("I", "E") for tag in tags])
    between = [[_move(a, b, strict, free, biases) for b in tags] for a in tags]
    return Moves(
        np.where(inner, -np.inf, 0.0).astype(np.float32),
        np.array(between, dtype=np.float32),
        np.where(open_, -np.inf, 0.0).astype(np.float32),
    )


def _move(
    a: Tag, b: Tag, strict: bool, free: bool, biases: Mapping[str, float]
) -> float:
    """Return what it adds to go from one label to another; -inf forbids it."""
    name = ""
    if goes_on(a, b, free):
        name = "inside_to_end" if b.sign == "E" else "inside_to_continue"
    elif (not free and b.sign in ("I", "E")) or (strict and a.sign in ("B", "I")):
        return -np.inf
    elif not a.kind:
        name = "background_to_start" if b.kind else "background_stay"
    else:
        name = "end_to_start" if b.kind else "end_to_background"
    return biases.get(name, 0.0)


def goes_on(a: Tag, b: Tag, free: bool) -> bool:
    """Tell whether a label continues the span of the one before it.

    :param a: The label of a word.
    :param b: The label of the next.
    :param free: Whether signs do not count (IO).
    """
    if not a.kind or a.kind != b.kind:
        return False
    return free or (a.sign in ("B", "I") and b.sign in ("I", "E"))
