"""What phrases compute from what was found before them, again when that changes."""

from bisect import bisect_right
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any, TypeVar

from presidio_mx.find.finding import Finding
from presidio_mx.text.document import Document

T = TypeVar("T")


class FoundBefore:
    """Values computed from the findings of one note, until these change.

    Made by ``document.once(FoundBefore)``. A phrase is asked at many offsets with the
    same list of findings; going through it at each, even to compare it, would take
    time that grows with the square of the note.
    """

    def __init__(self, document: Document) -> None:
        """Begin with no findings.

        :param document: The note; what is computed lives as long as it does.
        """
        self._found: list[Finding] = []
        self._number = 0
        self._values: dict[object, Any] = {}

    def once(self, compute: Callable[[list[Finding]], T], found: list[Finding]) -> T:
        """Return what a function makes of findings, computed once for equal ones.

        :param compute: A function of the findings alone.
        :param found: What was found before; a list to which others may be added, but
            in which none is exchanged.
        :return: The computed value.
        """
        if found is not self._found or len(found) != self._number:
            self._values.clear()
            self._found, self._number = found, len(found)
        if compute not in self._values:
            self._values[compute] = compute(self._found)
        value: T = self._values[compute]
        return value


@dataclass(frozen=True, slots=True)
class Cover:
    """The parts of a note that findings cover.

    :param starts: Where findings begin, ascending.
    :param ends: How far the findings up to each of them reach.
    """

    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, found: list[Finding], entities: Container[str]) -> "Cover":
        """Return what the findings of some entities cover, blocks left out.

        :param found: Findings in any order.
        :param entities: The entities that count.
        """
        spans = sorted(
            (f.start, f.end) for f in found if not f.block and f.entity in entities
        )
        ends, furthest = [], -1
        for _, end in spans:
            furthest = max(furthest, end)
            ends.append(furthest)
        return cls([start for start, _ in spans], ends)

    def holds(self, offset: int) -> bool:
        """Tell whether an offset lies in one of the findings."""
        before = bisect_right(self.starts, offset) - 1
        return before >= 0 and self.ends[before] > offset
