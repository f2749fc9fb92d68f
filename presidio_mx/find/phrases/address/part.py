"""What parsers of an address pass to one another: its components."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from presidio_mx.text.document import Document

# How far the name of a component may go depends on what it names.
NameKind = Literal["street", "bare", "crossing", "road", "settlement"]
# What may follow a component depends on its kind; "" is any other.
PartKind = Literal["", "street", "settlement", "number", "corner"]


@dataclass(frozen=True, slots=True)
class Part:
    """A component of an address, or the name in one.

    :param end: Offset behind it.
    :param evidence: What it adds to the evidence that an address stands there; the
        sum over all components must reach :data:`ENOUGH`.
    :param kind: Its kind.
    """

    end: int
    evidence: float
    kind: PartKind = ""


# A parser of one kind of component that may begin at an offset.
PartParser = Callable[[Document, int], Part | None]

# What an address needs to be one. A street with a capitalised name has 1.0, one in
# small letters less: it needs a number, a colonia or a label before it.
ENOUGH = 0.8
