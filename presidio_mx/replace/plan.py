"""The plan of a document: what stands for each value, decided before operators run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from presidio_mx.entities import kind_of
from presidio_mx.replace.doubtful import doubtful_values, hours
from presidio_mx.replace.facts import is_birth
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replace.meant import meant_spans
from presidio_mx.replace.name_parts import joined_mentions
from presidio_mx.replace.normal import normal_form
from presidio_mx.replace.operators import write_pseudonym, write_tag
from presidio_mx.replace.patient import Patient
from presidio_mx.replace.people import Mention, Person, by_text, find_people
from presidio_mx.replace.profiles import OperatorSpec, Profile
from presidio_mx.replace.surrogates.context import Context, Settings
from presidio_mx.replace.surrogates.draw import Draw
from presidio_mx.replace.surrogates.replace import surrogate_value
from presidio_mx.replace.surrogates.unread import tag_of
from presidio_mx.replace.tellers import OfNote, OfPatient, Teller
from presidio_mx.replace.varied import vary_mentions, with_defaults, written_name
from presidio_mx.text.spans import Span

PlanKey = tuple[str, str]


class Plan(Mapping[PlanKey, str]):
    """Replacement of every (entity type, text) of one document; never printed.

    :param values: The replacements.
    :param tagged: Those that got a tag where the profile asks for a surrogate, as they
        are probably no such values.
    :param varied: Offset of a mention to what stands there instead, where the mentions
        of a person vary.
    """

    def __init__(
        self,
        values: Mapping[PlanKey, str],
        tagged: Iterable[PlanKey] = (),
        varied: Mapping[int, str] | None = None,
    ) -> None:
        """Hold the replacements."""
        self._values = dict(values)
        self.tagged = frozenset(tagged)
        self.varied = dict(varied or {})

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
    text: str,
    spans: Sequence["Span"],
    key: Key | None,
    scope: Scope,
    profile: Profile,
    patient: Patient | None = None,
) -> Plan:
    """Decide what stands for every value of a document.

    A function of its arguments and nothing else. Only in the scope of a document do
    surrogates depend on one another; in a wider scope the same value must have the
    same surrogate in every document, so that each is what the operator alone gives; or,
    in a patient's, what is known of the people of all notes asks for.

    :param text: The document.
    :param spans: Its entities, in reading order, without overlaps.
    :param key: The secret; None takes the environment's or the process's.
    :param scope: Where the same value keeps the same replacement.
    :param profile: Which operator treats which entity.
    :param patient: Who is named in the patient's notes, in the scope of a patient.
    :return: The plan.
    """
    values: dict[PlanKey, OperatorSpec] = {}
    for span in spans:
        values.setdefault(
            (span.entity_type, text[span.start : span.end]),
            profile.spec(span.entity_type),
        )
    used = {spec.operator for spec in values.values()}
    numbered = any(spec.params.get("numbered") for spec in values.values())
    births = _births(text, spans)
    planned = {
        (entity, value): tag_of(entity)
        for (entity, value), spec in values.items()
        if spec.operator == "generalize"
        and spec.params.get("births") == "tag"
        and value in births
    }
    if not (used & {"pseudonym", "surrogate"} or numbered):
        return Plan(planned)
    doubtful = doubtful_values(text, spans, values)
    found, spans = spans, meant_spans(text, spans)
    kinds = {
        (span.entity_type, text[span.start : span.end]): meant.entity_type
        for span, meant in zip(found, spans, strict=True)
    }
    mentions = joined_mentions(text, spans, _mentions(text, spans))
    people = by_text(find_people(mentions))
    if numbered:
        planned |= _numbers(values, people)
    if "pseudonym" in used:
        planned |= _pseudonyms(values, people, key, scope)
    if "surrogate" not in used:
        return Plan(planned)
    planned |= {(entity, value): tag_of(entity) for entity, value in doubtful}
    sure = {value: spec for value, spec in values.items() if value not in doubtful}
    if scope.kind == "document":
        teller: Teller = OfNote(text, spans, people)
    else:
        known = patient if scope.kind == "patient" else None
        teller = OfPatient(text, spans, known or Patient())
    planned |= _surrogates(text, spans, sure, kinds, teller, key, scope)
    return Plan(
        planned, doubtful, vary_mentions(text, spans, sure, people, teller, key, scope)
    )


def _births(text: str, spans: Sequence["Span"]) -> set[str]:
    """Return the dates on which the document says that somebody was born."""
    return {
        text[span.start : span.end]
        for span in spans
        if kind_of(span.entity_type) == "DATE_TIME" and is_birth(text, span.start)
    }


def _mentions(text: str, spans: Sequence["Span"]) -> list[Mention]:
    return [
        Mention(text[span.start : span.end], span.role or "", number)
        for number, span in enumerate(spans)
        if kind_of(span.entity_type) == "PERSON"
    ]


def _identity(entity: str, text: str, people: Mapping[str, Person]) -> str:
    """Return what two texts share if they mean the same thing in this document."""
    if kind_of(entity) == "PERSON" and text in people:
        return normal_form(entity, people[text].fullest)
    return normal_form(entity, text)


def _numbers(
    values: Mapping[PlanKey, OperatorSpec], people: Mapping[str, Person]
) -> dict[PlanKey, str]:
    """Give the tags of each entity numbers in reading order."""
    numbers: dict[tuple[str, str], int] = {}
    last: Counter[str] = Counter()
    planned = {}
    for (entity, text), spec in values.items():
        if not spec.params.get("numbered"):
            continue
        person = people.get(text) if kind_of(entity) == "PERSON" else None
        who = f"#{person.position}" if person else normal_form(entity, text)
        if (entity, who) not in numbers:
            last[entity] += 1
            numbers[entity, who] = last[entity]
        params = {**spec.params, "entity_type": entity}
        planned[entity, text] = write_tag(params, numbers[entity, who])
    return planned


def _pseudonyms(
    values: Mapping[PlanKey, OperatorSpec],
    people: Mapping[str, Person],
    key: Key | None,
    scope: Scope,
) -> dict[PlanKey, str]:
    planned = {}
    for (entity, text), spec in values.items():
        if spec.operator != "pseudonym":
            continue
        narrow = scope.kind == "document"
        identity = _identity(entity, text, people if narrow else {})
        params = with_defaults(spec, entity, key, scope)
        planned[entity, text] = write_pseudonym(identity, params)
    return planned


def _surrogates(
    text: str,
    spans: Sequence["Span"],
    values: Mapping[PlanKey, OperatorSpec],
    kinds: Mapping[PlanKey, str],
    teller: Teller,
    key: Key | None,
    scope: Scope,
) -> dict[PlanKey, str]:
    """Return the surrogates; values with the same secret share the document's facts."""
    planned: dict[PlanKey, str] = {}
    contexts: dict[tuple[bytes, Settings], Context] = {}
    births, kept = _births(text, spans), hours(text, spans)
    for (entity, value), spec in values.items():
        if spec.operator != "surrogate":
            continue
        if (entity, value) in kept:  # "8.04" of "8.04 am" says no day
            planned[entity, value] = value
            continue
        params = with_defaults(spec, entity, key, scope)
        secret = Key.from_value(params["key"]).derive("surrogate", params["scope"])
        settings = Settings.from_params(params)
        context = contexts.get((secret, settings))
        if context is None:
            context = Context(Draw(secret), settings)
            if "scope" not in spec.params:
                context = Context(context.draw, settings, teller.facts(context))
            contexts[secret, settings] = context
        if settings.ages == "band" and value in births:
            planned[entity, value] = tag_of(entity)  # it would undo the band
            continue
        meant = kinds.get((entity, value), entity)
        bearer = teller.bearer(value) if kind_of(meant) == "PERSON" else None
        if bearer:
            planned[entity, value] = written_name(meant, value, bearer, context)
        else:
            planned[entity, value] = surrogate_value(meant, value, context)
    return planned
