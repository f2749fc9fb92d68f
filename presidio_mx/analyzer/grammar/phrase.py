"""Phrases: parts of a note that take more than a pattern to delimit."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import Finding


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
