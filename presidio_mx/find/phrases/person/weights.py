"""What each sign is worth that a word belongs to a name."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from presidio_mx.errors import ConfigurationError

# A score that no neighbour and no trigger outweighs.
NEVER = -9.0
# What a word gets that belongs to the name by its neighbours alone.
TIED = 0.3
# Priors of rules: from the first on a trigger stands before the name, from the second
# on a title, or a label as sure as one.
TRIGGERED = 1.0
TITLED = 2.0


@dataclass(frozen=True, slots=True)
class NameWeights:
    """Scores of a word; ``settings`` of ``person.yaml`` may change each.

    :param known: A listed name that is no ordinary word.
    :param frequency: Times the frequency (0 to 1) of a listed name.
    :param ambiguity: Times (name frequency − word frequency), for words that are both.
    :param misspelt: A word that no list has, one edit away from a common name.
    :param unknown: A word that no list has.
    :param unknown_short: The same with three letters or fewer.
    :param ordinary: An ordinary or clinical word that no list of names has.
    :param eponym: A name that is also a medical eponym.
    :param capital: A capital inside a sentence, in a line of mixed case.
    :param capital_first: A capital at the start of a sentence.
    :param capital_ordinary: A capital on a word that is no listed name.
    :param small: A small first letter in a line of mixed case.
    :param shouted: All capitals in a line of mixed case: no listed name, or so short
        that it may be an acronym.
    :param caseless: An ambiguous word in a line whose case tells nothing.
    :param go_on: For a word that follows another word of the name.
    :param go_on_listed: The same for a listed name.
    :param initial: A single letter.
    :param particle: For a listed name behind "de", "de la" and the like.
    :param shortened: A usual abbreviation ("Gpe.") with its full stop.
    :param maria: "Ma" before a given name, with a stop or without.
    :param after_maria: For the given name behind it.
    :param before_given: For a given name that is a word before one that is none.
    """

    known: float = 2.0
    frequency: float = 1.0
    ambiguity: float = 2.0
    misspelt: float = 1.4
    unknown: float = 0.3
    unknown_short: float = -0.8
    ordinary: float = -3.0
    eponym: float = -1.5
    capital: float = 1.5
    capital_first: float = 0.4
    capital_ordinary: float = 0.5
    small: float = -2.2
    shouted: float = -2.0
    caseless: float = -0.5
    go_on: float = 0.6
    go_on_listed: float = 1.1
    initial: float = 0.2
    particle: float = 0.6
    shortened: float = 1.5
    maria: float = 2.5
    after_maria: float = 3.0
    before_given: float = 1.2

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "NameWeights":
        """Return weights with the changes that a rule file makes.

        :param settings: ``settings`` of the file; ``weights`` is read.
        :return: The weights.
        :raises ConfigurationError: If a weight has no such name.
        """
        changes = dict(settings.get("weights") or {})
        known = {field.name for field in fields(cls)}
        for name in changes:
            if name not in known:
                raise ConfigurationError(
                    f"unknown weight {name!r}; known: {', '.join(sorted(known))}"
                )
        return cls(**changes)
