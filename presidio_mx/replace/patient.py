"""The people of a patient's notes, where all of those notes are to agree.

In the scope of a patient the same value has the same surrogate in every note, so that
what one note alone says of a person must not count. What is known of the people before
any note is replaced may: from the patient's own data, the same in every row, or from
all notes of the patient, looked through once. Then initials, nicknames, slips, sexes,
e-mails and the letters of codes follow the person in every note alike.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from presidio_mx.entities import kind_of
from presidio_mx.replace.name_parts import joined_mentions
from presidio_mx.replace.named import bearers_of, name_facts
from presidio_mx.replace.people import Mention, Person, by_text, find_people
from presidio_mx.replace.said import said_of
from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.context import Context, Facts
from presidio_mx.replace.surrogates.shape import alphanumeric
from presidio_mx.text.spans import Span

_SEX_OF_CURP = 10
_SEXES = {"H": "M", "M": "F"}


@dataclass(frozen=True, repr=False)
class Patient:
    """Who is named in the notes of a patient.

    :param people: The people.
    :param bearers: Position of a person to what is known of it.
    """

    people: tuple[Person, ...] = ()
    bearers: Mapping[int, Bearer] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return a text without any name."""
        return f"Patient({len(self.people)} people hidden)"

    def bearer(self, text: str) -> Bearer | None:
        """Return what is known of the person that a text names.

        Depends on the text alone, whatever else stands in its note.

        :param text: A name as it stands in a note.
        :return: None for nobody of these people.
        """
        known = by_text(self.people)
        if text in known:
            return self.bearers[known[text].position]
        mentions = [
            Mention(person.fullest, "", person.position) for person in self.people
        ]
        last = max((person.position for person in self.people), default=0) + 1
        found = by_text(find_people([*mentions, Mention(text, "", last)]))[text]
        fullest = [t for t in found.texts if t in known and t != text]
        return self.bearers[known[fullest[0]].position] if fullest else None

    def facts(self, text: str, spans: Sequence[Span], context: Context) -> Facts:
        """Return what the people say of the codes and e-mails of a note.

        :param text: The note.
        :param spans: Its entities.
        :param context: Key and settings.
        """
        bearers = [self.bearers[person.position] for person in self.people]
        return name_facts(text, spans, self.people, bearers, context)


def known_patient(known: Mapping[str, Sequence[str]]) -> Patient | None:
    """Return the patient by its own data, which every note comes with.

    Only the patient: relatives and staff may differ from visit to visit.

    :param known: Kind to values: names in ``patient``, ``curp`` for the sex.
    :return: None without a name.
    """
    names = known.get("patient") or ()
    mentions = [Mention(name, "patient", n) for n, name in enumerate(names)]
    people = find_people(mentions)
    if not people:
        return None
    sexes = {alphanumeric(code)[_SEX_OF_CURP:][:1] for code in known.get("curp") or ()}
    sex = _SEXES.get(sexes.pop(), "") if len(sexes) == 1 else ""
    bearers = {
        position: replace(bearer, sex=sex)
        for position, bearer in bearers_of(people, {}).items()
    }
    return Patient(tuple(people), bearers)


def _named(text: str, spans: Sequence[Span]) -> list[Mention]:
    """Return the names of a note, those of which only parts stand together included."""
    mentions = [
        Mention(text[span.start : span.end], span.role or "", 0)
        for span in spans
        if kind_of(span.entity_type) == "PERSON"
    ]
    return joined_mentions(text, spans, mentions)


def gather(notes: Iterable[tuple[str, Sequence[Any]]]) -> Patient:
    """Return the people of all notes of a patient.

    :param notes: Each note with its results, as :func:`anonymize` takes them.
    :return: The people; with one note more they may be others, so that all notes of a
        patient are to be given at once.
    """
    from presidio_mx.replace.engine import settle

    read = [(text, settle(text, results)) for text, results in notes]
    mentions = [mention for text, spans in read for mention in _named(text, spans)]
    people = find_people(
        [replace(mention, position=n) for n, mention in enumerate(mentions)]
    )
    named = by_text(people)
    said: dict[int, Counter[str]] = {}
    for text, spans in read:
        for position, counts in said_of(text, spans, named).items():
            said.setdefault(position, Counter()).update(counts)
    return Patient(tuple(people), bearers_of(people, said))
