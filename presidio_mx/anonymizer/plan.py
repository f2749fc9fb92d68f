"""The plan of a document: what stands for each value, decided before operators run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from presidio_mx.anonymizer.keys import Key, Scope
from presidio_mx.anonymizer.profiles import Profile

if TYPE_CHECKING:
    from presidio_mx.anonymizer.engine import Span

PlanKey = tuple[str, str]


class Plan(Mapping[PlanKey, str]):
    """Replacement of every (entity type, text) of one document; never printed.

    :param values: The replacements.
    """

    def __init__(self, values: Mapping[PlanKey, str]) -> None:
        """Hold the replacements."""
        self._values = dict(values)

    def __getitem__(self, item: PlanKey) -> str:
        """Return the replacement of an entity type and text."""
        return self._values[item]

    def __iter__(self) -> Iterator[PlanKey]:
        """Go through the planned values in reading order."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return how many values are planned."""
        return len(self._values)

    def __repr__(self) -> str:
        """Return a text without any value."""
        return f"Plan({len(self)} values hidden)"


def make_plan(
    text: str, spans: Sequence["Span"], key: Key | None, scope: Scope, profile: Profile
) -> Plan:
    """Decide what stands for every value of a document.

    A function of its arguments and nothing else.

    :param text: The document.
    :param spans: Its entities, in reading order, without overlaps.
    :param key: The secret; None takes the environment's or the process's.
    :param scope: Where the same value keeps the same replacement.
    :param profile: Which operator treats which entity.
    :return: The plan.
    """
    return Plan({})
