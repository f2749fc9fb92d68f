"""How much is marked: from which probability on, for all entities or for some."""

from dataclasses import dataclass

from presidio_mx.entities import MEDDOCAN_KINDS, known_entities
from presidio_mx.errors import ConfigurationError, unknown
from presidio_mx.schemes import SPAIN_PREFIX

SENSITIVITIES = {"high": 0.02, "balanced": 0.15, "exact": 0.5}
"""From which probability on a span is marked, by name."""
BALANCED = "balanced"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which probability on a finding stands.

    :param least: The probability, from 0 to below 1.
    :param own: Entities that have one of their own, and theirs.
    """

    least: float
    own: tuple[tuple[str, float], ...] = ()

    def of(self, entity: str) -> float:
        """Return the probability from which on findings of an entity stand."""
        return dict(self.own).get(entity, self.least)

    @property
    def levels(self) -> tuple[float, ...]:
        """All probabilities that some entity has, each once."""
        return tuple(dict.fromkeys((self.least, *(level for _, level in self.own))))

    @property
    def record(self) -> float | str:
        """What a file says of them, to be told from others."""
        own = "".join(f",{entity}={level}" for entity, level in self.own)
        return f"{self.least}{own}" if own else self.least


def thresholds_of(sensitivity: str | float) -> Thresholds:
    """Return the thresholds of a sensitivity.

    :param sensitivity: ``high``, ``balanced``, ``exact``, or the probability itself;
        behind it, after commas, entities with another: ``balanced,PERSON=high``.
    :raises ConfigurationError: If it is none of these.
    """
    if not isinstance(sensitivity, str) or "," not in sensitivity:
        return Thresholds(_probability(sensitivity))
    first, *parts = (part.strip() for part in sensitivity.split(","))
    own: dict[str, float] = {}
    for part in parts:
        entity, sign, level = (piece.strip() for piece in part.partition("="))
        if not sign:
            raise ConfigurationError(
                f"sensitivity: after a comma stands an entity with its own, as in "
                f"{BALANCED},PERSON=high; {part!r} is none"
            )
        if entity not in _reported():
            raise ConfigurationError(
                f"sensitivity: unknown entity {unknown(entity, _reported())}"
            )
        own[entity] = _probability(level)
    return Thresholds(_probability(first), tuple(sorted(own.items())))


def _reported() -> frozenset[str]:
    """Return the entities that results have: those of Spain with their prefix."""
    spain = frozenset(MEDDOCAN_KINDS)
    return (known_entities() - spain) | {SPAIN_PREFIX + label for label in spain}


def _probability(sensitivity: object) -> float:
    """Return the probability that a name or a number stands for."""
    if isinstance(sensitivity, str) and sensitivity in SENSITIVITIES:
        return SENSITIVITIES[sensitivity]
    try:
        least = float(str(sensitivity))
    except ValueError:
        least = -1.0
    # Who says 1 or True means the highest, and would get a note with nothing marked.
    if not 0 <= least < 1:
        raise ConfigurationError(
            f"sensitivity is {', '.join(SENSITIVITIES)} or the probability from which "
            "on spans are marked, from 0 (all) to below 1 (none)"
        )
    return least
