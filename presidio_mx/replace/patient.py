"""The people of a patient's notes, where all of those notes are to agree.

In the scope of a patient the same value has the same surrogate in every note, so that
what one note alone says of a person must not count. What is known of the people before
any note is replaced may: from the patient's own data, the same in every row, or from
all notes of the patient, looked through once. Then initials, nicknames, slips, sexes,
e-mails and the letters of codes follow the person in every note alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from presidio_mx.replace.facts import Codes, codes_of
from presidio_mx.replace.mentions import Mention, clean_name, mentions_of
from presidio_mx.replace.people import Person, find_people
from presidio_mx.spanish.codes import sex_in
from presidio_mx.spanish.names import parse_name
from presidio_mx.text.spans import Span


@dataclass(frozen=True, repr=False)
class Patient:
    """Who is named in the notes of a patient.

    :param people: The people.
    """

    people: tuple[Person, ...] = ()

    def __repr__(self) -> str:
        """Return a text without any name."""
        return f"Patient({len(self.people)} people hidden)"

    @cached_property
    def _by_text(self) -> dict[str, Person]:
        return {text: person for person in self.people for text in person.texts}

    def person(self, text: str) -> Person | None:
        """Return whom a text names, whatever else stands in its note.

        :param text: A name as it stands in a note.
        :return: None for nobody of these people.
        """
        known = self._by_text
        if text in known:
            return known[text]
        mentions = [
            Mention(who.texts[0], parse_name(who.texts[0]), "", number)
            for number, who in enumerate(self.people)
        ]
        asked = Mention(text, parse_name(text), "", len(mentions))
        for found in find_people([*mentions, asked]):
            if asked.position in found.mentions:
                others = [n for n in found.mentions if n != asked.position]
                return self.people[others[0]] if others else None
        return None


def known_patient(known: Mapping[str, Sequence[str]]) -> Patient | None:
    """Return the patient by its own data, which every note comes with.

    Only the patient: relatives and staff may differ from visit to visit.

    :param known: Kind to values: names in ``patient``, ``curp`` for the sex.
    :return: None without a name.
    """
    curps = [code.upper() for code in known.get("curp") or ()]
    sexes = {sex_in(code) for code in curps} - {""}
    says = (sexes.pop(),) if len(sexes) == 1 else ()
    mentions = [
        Mention(clean_name(name), parse_name(clean_name(name)), "patient", number, says)
        for number, name in enumerate(known.get("patient") or ())
    ]
    people = find_people(mentions, curps)
    return Patient(tuple(people)) if people else None


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """What one note says of the people of a patient.

    :param mentions: The names.
    :param codes: The codes that say something of them.
    """

    mentions: tuple[Mention, ...]
    codes: Codes


def seen_in(text: str, spans: Sequence[Span]) -> Seen:
    """Return what a note says of the people of a patient.

    :param text: The note.
    :param spans: Its entities, in reading order and without overlaps.
    """
    return Seen(tuple(mentions_of(text, spans)), codes_of(text, spans))


def gather(notes: Iterable[tuple[str, Sequence[Span]]]) -> Patient:
    """Return the people of all notes of a patient.

    :param notes: Each note with its entities, in reading order and without overlaps;
        see :func:`presidio_mx.replace.engine.settle`.
    :return: The people; with one note more they may be others, so that all notes of a
        patient are to be given at once.
    """
    return patient_of(seen_in(text, spans) for text, spans in notes)


def patient_of(notes: Iterable[Seen]) -> Patient:
    """Return the people of all notes of a patient.

    :param notes: What each note says of them.
    """
    mentions: list[Mention] = []
    curps: list[str] = []
    sexes: set[str] = set()
    for note in notes:
        curps += note.codes.curps
        sexes.add(note.codes.sex)
        # No name is the neighbour of one of another note.
        first = mentions[-1].position + 2 if mentions else 0
        mentions += [
            replace(mention, position=first + number)
            for number, mention in enumerate(note.mentions)
        ]
    sexes.discard("")
    sex = sexes.pop() if len(sexes) == 1 else ""
    return Patient(tuple(find_people(mentions, curps, sex)))
