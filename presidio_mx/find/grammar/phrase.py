"""Phrases: parts of a note that take more than a pattern to delimit."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from presidio_mx.find.finding import Finding
from presidio_mx.text.document import Document

PHRASE = re.compile(r"<([a-z_]+)>")


@dataclass(frozen=True, slots=True)
class Option:
    """An option that rules give a phrase.

    :param kind: ``bool``, ``float``, ``int`` or ``str``.
    :param choices: The values there are, for ``str``; any if empty.
    :param required: Whether the phrase cannot do without it.
    """

    kind: type = bool
    choices: tuple[str, ...] = ()
    required: bool = False

    @property
    def wanted(self) -> str:
        """What a value must be, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        names = {bool: "true or false", float: "a number", int: "a whole number"}
        return names.get(self.kind, "text")

    def takes(self, value: Any) -> bool:
        """Tell whether a value fits."""
        if isinstance(value, bool) or self.kind is bool:
            return self.kind is bool and isinstance(value, bool)
        if self.kind is float:
            return isinstance(value, int | float)
        return isinstance(value, self.kind) and (
            not self.choices or value in self.choices
        )


_YES, _NUMBER = Option(), Option(float)
_FOOT = Option(str, required=True)

# The phrases that rules may name in ``mark``, with their options; docs/rules.md
# describes each.
PHRASES: Mapping[str, Mapping[str, Option]] = {
    "name": {
        "prior": _NUMBER,
        "threshold": _NUMBER,
        "comma": _YES,
        "ambiguous": _YES,
    },
    "place": {
        "prior": _NUMBER,
        "caseless": _NUMBER,
        "threshold": _NUMBER,
        "unknown": _YES,
        "odd": _YES,
        "states": _YES,
    },
    "address": {
        "prior": _NUMBER,
        "free": Option(str, ("label", "verb", "area", "behind")),
    },
    "institution": {"employer": _YES, "strict": _YES, "listed": _YES},
    "es_name": {
        "known": _YES,
        "least": Option(int),
        "comma": _YES,
        "of": Option(str),
    },
    "es_relative": {},
    "es_town": {"unknown": _YES, "foot": Option(str)},
    "es_country": {},
    "es_company": {"form": _YES},
    "es_proper": {"mixed": _YES},
    "es_street": {"foot": _FOOT},
    "es_hospital": {},
    "es_center": {},
    "es_institution": {},
}


class Mark(NamedTuple):
    """A phrase that was parsed.

    :param start: First offset in the working text.
    :param end: Offset after its last character.
    :param delta: What to add to the score of the rule that asked.
    """

    start: int
    end: int
    delta: float = 0.0


class Phrase(Protocol):
    """A parser that rules name in their ``mark``, as ``<name>``."""

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the phrase that begins at an offset, where a rule's left side ended.

        :param document: The note.
        :param offset: Where the phrase must begin.
        :param options: The rule's ``options``.
        :param found: What was found before.
        :return: The mark, or ``None`` where no such phrase begins.
        """
        ...

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the phrases that stand without a trigger, for rules with no left side.

        :param document: The note.
        :param options: The rule's ``options``.
        :param found: What was found before.
        :return: Marks with their scores' deltas.
        """
        ...
