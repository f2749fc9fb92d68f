"""Who says what a note's surrogates have to agree with: the note, or the patient."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from presidio_mx.replace.facts import find_facts
from presidio_mx.replace.named import find_bearers
from presidio_mx.replace.patient import Patient
from presidio_mx.replace.people import Person
from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.context import Context, Facts
from presidio_mx.text.spans import Span


class Teller(Protocol):
    """Who says what a note's surrogates have to agree with."""

    def bearer(self, text: str) -> Bearer | None:
        """Return what is known of the person that a text names."""

    def facts(self, context: Context) -> Facts:
        """Return what is known beside."""


class OfNote:
    """The note itself: all of it agrees, and other notes do not count."""

    def __init__(
        self, text: str, spans: Sequence["Span"], people: Mapping[str, Person]
    ) -> None:
        """Ask the note who bears its names."""
        self._text, self._spans, self._people = text, spans, people
        self._bearers = find_bearers(text, spans, people)

    def bearer(self, text: str) -> Bearer | None:
        """Return what is known of the person that a text names."""
        person = self._people.get(text)
        return None if person is None else self._bearers[person.position]

    def facts(self, context: Context) -> Facts:
        """Return what is known beside."""
        people = {person.position: person for person in self._people.values()}
        bearers = [self._bearers[position] for position in people]
        return find_facts(
            self._text, self._spans, list(people.values()), bearers, context
        )


class OfPatient:
    """The people known before any note: the same value is the same in every note."""

    def __init__(self, text: str, spans: Sequence["Span"], patient: Patient) -> None:
        """Remember whom to ask."""
        self._text, self._spans, self._patient = text, spans, patient

    def bearer(self, text: str) -> Bearer | None:
        """Return what is known of the person that a text names."""
        return self._patient.bearer(text) if self._patient.people else None

    def facts(self, context: Context) -> Facts:
        """Return what is known beside."""
        if not self._patient.people:
            return Facts()
        return self._patient.facts(self._text, self._spans, context)
