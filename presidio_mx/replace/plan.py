"""The plan of a document: what stands for each of its entities, by place."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from presidio_mx.entities import kind_of
from presidio_mx.replace.calendar import moved, moved_behind, weekday_before
from presidio_mx.replace.codes import (
    RFC_SUFFIX,
    Letters,
    surrogate_curp,
    surrogate_ine,
    surrogate_rfc,
)
from presidio_mx.replace.context import Context, Note, Settings, tag_of
from presidio_mx.replace.doubtful import verdicts
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.facts import codes_of, is_birth, note_facts
from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.kinds import kinds_of
from presidio_mx.replace.mentions import Mention, mentions_of
from presidio_mx.replace.names import Names, code_words, other_initial, write_name
from presidio_mx.replace.normal import normal_form
from presidio_mx.replace.operators import write_pseudonym, write_tag
from presidio_mx.replace.patient import Patient
from presidio_mx.replace.people import Owner, Person, find_people, is_login, owner_of
from presidio_mx.replace.profiles import OperatorSpec, Profile
from presidio_mx.replace.spoken import is_spoken, spells
from presidio_mx.replace.values import Make, person, surrogate_value
from presidio_mx.replace.web import surrogate_handle
from presidio_mx.spanish.codes import curp_letters, dated, voter_key, voter_letters
from presidio_mx.spanish.names import bare, parse_name
from presidio_mx.spanish.numbers import read_spoken
from presidio_mx.spanish.places import parse_place
from presidio_mx.spanish.writing import alphanumeric
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

Place = tuple[int, int, str]
_CODES = {
    **{"MX_CURP": surrogate_curp, "MX_RFC": surrogate_rfc, "MX_INE": surrogate_ine},
}
_PLANNED = frozenset({"pseudonym", "surrogate"})
_LOGIN_NAME = 3  # letters; a user name holds a longer name: "mestevez"
_NEXT_WORD = 3
_DIGITS_OF_DAY = 2
_FIRST_DRAW = 1_000  # those of the guard are fewer


@dataclass(frozen=True)
class Plan:
    """Replacement of every entity of one document; never printed.

    :param values: Start, end and entity type to the replacement.
    :param operators: Those that got another operator than the profile's: ``tag`` or
        ``keep``, as they are probably, or certainly, no such values.
    """

    values: Mapping[Place, str] = field(default_factory=dict)
    operators: Mapping[Place, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return a text without any value."""
        return f"Plan({len(self.values)} values hidden)"


def make_plan(
    text: str,
    spans: Sequence[Span],
    key: Key | None,
    scope: Scope,
    profile: Profile,
    patient: Patient | None = None,
) -> Plan:
    """Decide what stands for every entity of a document.

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
    """
    used = {profile.spec(span.entity_type).operator for span in spans}
    specs = [profile.spec(span.entity_type) for span in spans]
    numbered = any(spec.params.get("numbered") for spec in specs)
    values = _generalized(text, spans, profile) if "generalize" in used else {}
    operators = verdicts(text, spans, profile) if used & {"surrogate", "faker"} else {}
    for place, verdict in operators.items():
        start, end, entity = place
        values[place] = tag_of(entity) if verdict == "tag" else text[start:end]
    if not (used & _PLANNED or numbered):
        return Plan(values, operators)
    kinds = kinds_of(text, spans)
    meant = [
        span if kind == span.entity_type else replace(span, entity_type=kind, role=None)
        for span, kind in zip(spans, kinds, strict=True)
    ]
    document = _Document(text, spans, meant, key, scope, patient)
    for span, spec, kind in zip(spans, specs, kinds, strict=True):
        place = span.start, span.end, span.entity_type
        if place in values:
            continue
        if spec.params.get("numbered"):
            values[place] = document.numbered(span, spec)
        elif spec.operator == "pseudonym":
            values[place] = document.pseudonym(span, spec)
        elif spec.operator == "surrogate":
            values[place] = document.surrogate(span, kind, spec)
    return Plan(values, operators)


def _generalized(
    text: str, spans: Sequence[Span], profile: Profile
) -> dict[Place, str]:
    """Return the tags of what would say too much: births, towns beside their state."""
    found: dict[Place, str] = {}
    for span, after in pairwise((*spans, None)):
        assert span is not None
        spec = profile.spec(span.entity_type)
        if spec.operator != "generalize":
            continue
        place = span.start, span.end, span.entity_type
        kind = kind_of(span.entity_type)
        if kind == "DATE_TIME" and spec.params.get("births") == "tag":
            if is_birth(text, span.start):
                found[place] = tag_of(span.entity_type)
        beside = after is not None and after.start - span.end <= _NEXT_WORD
        if kind == "LOCATION" and spec.params.get("to") == "state" and beside and after:
            other = parse_place(text[after.start : after.end])
            own = parse_place(text[span.start : span.end])
            if other[0].kind == "state" and own[0].kind != "state":
                found[place] = tag_of(span.entity_type)  # no "Michoacán, Michoacán"
    return found


class _Document:
    """One document: who is who in it, and the contexts of its secrets."""

    def __init__(
        self,
        text: str,
        spans: Sequence[Span],
        meant: Sequence[Span],
        key: Key | None,
        scope: Scope,
        patient: Patient | None,
    ) -> None:
        self.text, self.key, self.scope = text, key, scope
        self.codes = codes_of(text, meant)
        self.mentions = mentions_of(text, meant)
        named = [s for s in meant if kind_of(s.entity_type) == "PERSON"]
        self.mention_at = {
            (span.start, span.end): mention
            for span, mention in zip(named, self.mentions, strict=True)
        }
        self.alone = scope.kind != "document"
        self.spans, self.meant = spans, meant
        self.here = find_people(self.mentions, self.codes.curps, self.codes.sex)
        self.person_of = {n: person for person in self.here for n in person.mentions}
        self.patient = patient if scope.kind == "patient" else None
        self.contexts: dict[tuple[bytes, Settings], tuple[Context, Names]] = {}
        self.of_entity: dict[str, tuple[Mapping[str, Any], Context, Names]] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self.last: Counter[str] = Counter()
        self.counts: Counter[int] = Counter()
        self.states: dict[int, int] = {}

    def _person(self, span: Span) -> Person | None:
        """Return whom a mention names, as far as the scope may tell."""
        mention = self.mention_at.get((span.start, span.end))
        if mention is None:
            return None
        if self.patient is not None:
            return self.patient.person(mention.text)
        return None if self.alone else self.person_of[mention.position]

    def numbered(self, span: Span, spec: OperatorSpec) -> str:
        """Return a tag with the number of the person, place or code."""
        value = self.text[span.start : span.end]
        mention = self.mention_at.get((span.start, span.end))
        who = normal_form(span.entity_type, value)
        if mention is not None:
            who = f"#{self.person_of[mention.position].number}"
        place = span.entity_type, who
        if place not in self.numbers:
            self.last[span.entity_type] += 1
            self.numbers[place] = self.last[span.entity_type]
        params = {**spec.params, "entity_type": span.entity_type}
        return write_tag(params, self.numbers[place])

    def pseudonym(self, span: Span, spec: OperatorSpec) -> str:
        """Return the token of a value, or of the person that it names."""
        value = self.text[span.start : span.end]
        who = self._person(span)
        identity = who.texts[0] if who else value
        params = self._params(spec, span.entity_type)
        return write_pseudonym(normal_form(span.entity_type, identity), params)

    def surrogate(self, span: Span, kind: str, spec: OperatorSpec) -> str:
        """Return the surrogate of an entity."""
        params, context, names = self._of_entity(spec, span.entity_type)
        value = self.text[span.start : span.end]
        born = kind_of(kind) == "DATE_TIME" and context.settings.ages == "band"
        if born and is_birth(self.text, span.start):
            return tag_of(span.entity_type)  # it would undo the band
        make = self._make(span, kind, context, names, params)
        return surrogate_value(kind, value, context, make)

    def _params(self, spec: OperatorSpec, entity: str) -> dict[str, Any]:
        """Return the parameters of an operator with key, scope and entity filled in."""
        params = {**spec.params, "entity_type": entity}
        params.setdefault("scope", self.scope.label)
        if params.get("key") is None:
            params["key"] = find_key(self.key)
        return params

    def _of_entity(
        self, spec: OperatorSpec, entity: str
    ) -> tuple[Mapping[str, Any], Context, Names]:
        """Return parameters and context of an entity; the same secret shares one."""
        held = self.of_entity.get(entity)
        if held is None:
            params = self._params(spec, entity)
            secret = Key.from_value(params["key"]).derive("surrogate", params["scope"])
            settings = Settings.from_params(params)
            if (secret, settings) not in self.contexts:
                context = Context(Draw(secret), settings)
                made = self._new_context(context, "scope" in spec.params)
                self.contexts[secret, settings] = made
            held = params, *self.contexts[secret, settings]
            self.of_entity[entity] = held
        return held

    def _new_context(self, context: Context, apart: bool) -> tuple[Context, Names]:
        """Return key and settings with what the note, or the patient's notes, say."""
        if apart or (self.alone and self.patient is None):
            return context, Names(context)
        people = self.patient.people if self.patient else self.here
        note = Note() if self.patient else note_facts(self.text, self.meant)
        note = replace(note, births=(*note.births, *self.codes.births))
        bearers = [person.bearer for person in people]
        own = frozenset(bare(word) for bearer in bearers for word in bearer.words)
        context = replace(context, note=replace(note, own=own))
        names = Names(context)
        names.prepare(bearers)
        if self._needs_words():
            words = _new_words(people, names)
            context = replace(context, note=replace(context.note, words=words))
            names.context = context
        return context, names

    def _needs_words(self) -> bool:
        return any(
            kind_of(span.entity_type) in ("EMAIL_ADDRESS", "URL") for span in self.meant
        ) or any(is_login(m.text) or spells(m.text) for m in self.mentions)

    def _make(
        self,
        span: Span,
        kind: str,
        context: Context,
        names: Names,
        params: Mapping[str, Any],
    ) -> Make | None:
        """Return what makes the surrogate where the entity's function knows less."""
        kind = kind_of(kind)
        if kind == "PERSON":
            return self._name_maker(span, context, names, params)
        if kind == "DATE_TIME" and self.text[span.start - 1 : span.start] in ("x", "X"):
            return lambda text, here: moved(text, here, counted=True)
        value = self.text[span.start : span.end]
        if kind == "DATE_TIME" and len(value) <= _DIGITS_OF_DAY and value.isdigit():
            weekday = weekday_before(self.text, span.start)
            if weekday:
                return lambda text, here: moved_behind(weekday, text, here)
        of_issste = kind in ("MEDICAL_RECORD", "MX_NSS") and RFC_SUFFIX.fullmatch(value)
        if kind in ("MX_CURP", "MX_RFC", "MX_INE") or of_issste:
            return self._code_maker(value, "MX_RFC" if of_issste else kind, names)
        return None

    def _name_maker(
        self, span: Span, context: Context, names: Names, params: Mapping[str, Any]
    ) -> Make | None:
        mention = self.mention_at[span.start, span.end]
        who = self._person(span)
        value = self.text[span.start : span.end]
        words = context.note.words
        key = fold_key(value)
        holds = any(len(w) > _LOGIN_NAME and w != key and w in key for w in words)
        if is_login(value) and holds:
            return surrogate_handle
        if who is None and self.alone and self.patient is None:
            chain = (
                self._chain(mention, params) if params.get("mentions") == "vary" else 0
            )
            return _varied(person, chain)
        if who is None or spells(value):
            return None
        chain = self._chain(mention, params) if params.get("mentions") == "vary" else 0

        def make(_: str, here: Context) -> str:
            used = names if here.draw is context.draw else Names(here)
            return write_name(mention.text, mention.name, who.bearer, used)

        return _varied(make, chain)

    def _chain(self, mention: Mention, params: Mapping[str, Any]) -> int:
        """Return which of a person's names a mention has; the first is number 0.

        A Markov chain for each person (Osborne et al. 2025): each further mention keeps
        the name of the one before, or takes a new one, by a keyed coin.
        """
        who = self.person_of[mention.position]
        number = self.counts[who.number]
        self.counts[who.number] += 1
        draw = Draw(Key.from_value(params["key"]).derive("surrogate", params["scope"]))
        if number and draw.number(2, "new name", who.texts[0], number):
            self.states[who.number] = number
        return self.states.get(who.number, 0)

    def _code_maker(self, value: str, kind: str, names: Names) -> Make | None:
        people = (
            self.patient.people if self.patient else [] if self.alone else self.here
        )
        code = (
            "".join(s.signs for s in read_spoken(value)) if is_spoken(value) else value
        )
        code = alphanumeric(code)
        voter = kind == "MX_INE"
        owner = owner_of(voter_key(code) if voter else dated(code), people, voter)
        planned = None if owner is None else _letters(owner, code, names)
        return lambda text, here: _CODES[kind](text, here, planned)


def _varied(make: Make, chain: int) -> Make:
    """Return what makes another name for a further mention of somebody."""
    if not chain:
        return make

    def other(text: str, here: Context) -> str:
        return make(text, replace(here, draw=here.draw.again(_FIRST_DRAW + chain)))

    return other


def _letters(owner: Owner, code: str, names: Names) -> Letters:
    """Return the letters of a new name as the code read the old one."""
    bearer = owner.person.bearer
    given, first, second = code_words(bearer, owner.given, owner.surnames, names)
    if owner.more:  # the code knows a second surname that the note leaves out
        second = other_initial(code[2], names.context.draw).lower() + "s"
    four, inner = curp_letters(given, first, second)
    if not second and code[2:3] != "X":  # an RFC with one surname: two letters of each
        four = (fold_key(first)[:2] + fold_key(given[0])[:2]).upper()
    return Letters(four, inner, voter_letters(given, first, second))


def _new_words(people: Sequence[Person], names: Names) -> dict[str, str]:
    """Return the words of names with those that stand for them, nicknames as well."""
    longer = {w for p in people for w in p.bearer.words if len(w) > _LOGIN_NAME}
    found: dict[str, str] = {}
    for who in people:
        login = fold_key(who.texts[0])
        if is_login(who.texts[0]) and any(w != login and w in login for w in longer):
            continue
        for word in who.bearer.words:
            image = names.word(word, who.bearer.role(word), who.bearer)
            found[bare(word)] = fold_key(image.text)
        for text in who.texts[1:]:
            key = fold_key(text)
            if key.isalpha() and key not in who.bearer.words:
                new = person_text(text, who, names)
                found.setdefault(key, fold_key(new))
    return found


def person_text(text: str, who: Person, names: Names) -> str:
    """Return the surrogate of another text that names somebody.

    :param text: The text.
    :param who: The person.
    :param names: The new names.
    """
    return write_name(text, parse_name(text, 3.0), who.bearer, names)
