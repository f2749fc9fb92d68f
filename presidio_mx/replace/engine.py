"""Anonymize a text whose entities are known, by Presidio's operators and ours."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from presidio_anonymizer.entities import InvalidParamError, OperatorConfig
from presidio_anonymizer.operators import Operator

from presidio_mx.entities import known_entities
from presidio_mx.errors import ConfigurationError, InputError, unknown
from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.marks import Ours
from presidio_mx.replace.operators import known_parameters, operator_classes
from presidio_mx.replace.patient import Patient
from presidio_mx.replace.plan import make_plan
from presidio_mx.replace.profiles import (
    OperatorSpec,
    Profile,
    check_operator,
    load_profile,
    warn_of_unknown,
)
from presidio_mx.replace.second_pass import further_spans
from presidio_mx.text.spans import Span

_KEYED = ("pseudonym", "surrogate", "encrypt", "faker")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NONE_BARE: Mapping[tuple[int, int], str] = MappingProxyType({})
Operators = str | Path | Profile | Mapping[str, OperatorConfig]


@dataclass(frozen=True)
class Item:
    """What was done to one entity; holds nothing of the original text.

    :param entity_type: What it was.
    :param start: Offset in the old text.
    :param end: Offset after it in the old text.
    :param new_start: Offset of the replacement in the new text.
    :param new_end: Offset after the replacement in the new text.
    :param operator: Name of the operator.
    :param role: Role of a person, or empty.
    :param score: Confidence of the recognizer.
    :param key_id: Which key the replacement depends on; empty if on none.
    """

    entity_type: str
    start: int
    end: int
    new_start: int
    new_end: int
    operator: str
    role: str
    score: float
    key_id: str = ""


@dataclass(frozen=True)
class AnonymizedText:
    """A text after anonymization.

    :param text: The new text.
    :param items: What was replaced, in reading order.
    :param risk: Probability that something which identifies somebody is left, where
        the analysis told it.
    """

    text: str
    items: tuple[Item, ...]
    risk: float | None = None

    def _repr_html_(self) -> str:
        """Return the new text for a notebook, its replacements marked."""
        from presidio_mx.marked import replaced

        return replaced(self.text, self.items)._repr_html_()


def resolve_operators(
    operators: Operators, extra_folders: Sequence[Path] = ()
) -> Profile:
    """Return the profile that a user meant.

    :param operators: Name or path of a profile, a profile, or Presidio's dictionary of
        entity to OperatorConfig (``DEFAULT`` for the rest, which is tagged otherwise).
    :param extra_folders: Folders of a site's own profiles.
    :return: The profile.
    :raises ConfigurationError: If something is unknown; lists what exists.
    """
    if isinstance(operators, Profile):
        return operators
    if isinstance(operators, str | Path):
        return load_profile(operators, extra_folders)
    if not isinstance(operators, Mapping):
        raise ConfigurationError(
            "operators must be a profile's name or path, or a dictionary of entity to "
            f"OperatorConfig, not {type(operators).__name__}"
        )
    warn_of_unknown(operators)
    specs = {}
    for entity, config in operators.items():
        if not isinstance(config, OperatorConfig):
            raise ConfigurationError(
                f"operators[{entity!r}] must be an OperatorConfig, "
                f"not {type(config).__name__}"
            )
        specs[entity] = check_operator(
            config.operator_name, config.params, f"operators[{entity!r}]"
        )
    default = specs.pop("DEFAULT", OperatorSpec("tag"))
    return Profile("custom", specs, default)


def same_state(
    operators: Operators, extra_folders: Sequence[Path] = ()
) -> dict[str, OperatorConfig]:
    """Return operators whose surrogates keep every place in its state.

    :param operators: Name or path of a profile, or its operators.
    :param extra_folders: Folders of a site's own profiles.
    :raises ConfigurationError: If none of them writes surrogates.
    """
    profile = resolve_operators(operators, extra_folders)
    configs = profile.configs()
    made = [c for c in configs.values() if c.operator_name == "surrogate"]
    if not made:
        raise ConfigurationError(
            f"--same-state: the profile {profile.name!r} writes no surrogates; it is "
            "for surrogate, research and profiles that extend them"
        )
    for config in made:
        config.params["places"] = "same_state"
    return configs


def for_entities(
    operators: Operators,
    keep: Sequence[str],
    only: Sequence[str],
    extra_folders: Sequence[Path] = (),
) -> dict[str, OperatorConfig]:
    """Return operators that leave some entities as they are, or all but some.

    :param operators: Name or path of a profile, or its operators.
    :param keep: Entities that stay.
    :param only: Entities that are replaced; all if none is named.
    :param extra_folders: Folders of a site's own profiles.
    :raises ConfigurationError: If an entity is unknown.
    """
    for entity in (*keep, *only):
        if entity not in known_entities():
            raise ConfigurationError(
                f"--keep, --only: unknown entity {unknown(entity, known_entities())}"
            )
    configs = resolve_operators(operators, extra_folders).configs()
    stays = OperatorConfig("keep")
    if only:
        chosen = {entity: configs.get(entity, configs["DEFAULT"]) for entity in only}
        configs = {**chosen, "DEFAULT": stays}
    return configs | dict.fromkeys(keep, stays)


def settle(text: str, results: Sequence[Any]) -> list[Span]:
    """Return the entities in reading order, without overlaps.

    Results of the pipeline do not overlap; of others, one that lies inside another is
    dropped and one that begins inside another loses the shared part.

    :param text: The document.
    :param results: Presidio's results, or anything with their attributes.
    :return: The spans.
    :raises InputError: If an offset lies outside the text.
    """
    spans: list[Span] = []
    for result in sorted(results, key=lambda item: (item.start, -item.end)):
        start, end = int(result.start), int(result.end)
        if not 0 <= start <= end <= len(text):
            raise InputError(
                f"entity {result.entity_type} has offsets {start} to {end}, but the "
                f"text has {len(text)} characters"
            )
        start = max(start, spans[-1].end if spans else 0)
        if start >= end:
            continue
        metadata = getattr(result, "recognition_metadata", None) or {}
        role = getattr(result, "role", None) or metadata.get("role")
        given = getattr(result, "score", None)
        score = 1.0 if given is None else float(given)
        spans.append(Span(start, end, str(result.entity_type), role or None, score))
    return spans


def anonymize(
    text: str,
    results: Sequence[Any],
    operators: Operators = "tag",
    *,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "",
    extra_folders: Sequence[Path] = (),
    second_pass: bool = False,
    spared: Sequence[tuple[int, int]] = (),
    bare: Mapping[tuple[int, int], str] = _NONE_BARE,
    ours: Ours | None = None,
    patient: Patient | None = None,
) -> AnonymizedText:
    """Replace the entities of a text.

    Outside the replaced spans the text does not change.

    :param text: The document.
    :param results: Presidio's results for it, settled; ``recognition_metadata`` may
        hold the role of a person.
    :param operators: A profile's name or path, or entity to OperatorConfig.
    :param key: Secret of surrogates and pseudonyms, at least 16 bytes; otherwise the
        environment's, otherwise a random one of the process.
    :param scope: ``""`` or ``document``, ``document:ID``, ``patient:ID``, ``corpus``.
    :param extra_folders: Folders of a site's own profiles.
    :param second_pass: Also replace further mentions of the people found, and what
        tells the dates and places found: weeks, weekdays, feasts, demonyms.
    :param spared: Where that looks for none: coded values and keys of a structure.
    :param bare: Numbers without quotes in JSON or SQL, and the quote that a text in
        their place needs.
    :param ours: What of the text was put out by an earlier run, and stays.
    :param patient: Who is named in the patient's notes, for scope ``patient:ID``; see
        :func:`presidio_mx.replace.patient.gather`.
    :return: The new text and what was done.
    :raises ConfigurationError: If a profile, operator, parameter, key or scope is
        wrong.
    :raises InputError: If an offset lies outside the text.
    """
    spans = settle(text, results)
    profile = resolve_operators(operators, extra_folders)
    if second_pass:
        spans = further_spans(text, spans, profile, spared)
    if ours is not None:
        spans = ours.rest_of(spans, text)
    scope = Scope.parse(scope, text)
    secret = None if key is None else Key.from_value(key)
    plan = make_plan(text, spans, secret, scope, profile, patient)
    classes = operator_classes()
    writers = {
        entity: _Writer(profile.spec(entity), entity, secret, scope, classes)
        for entity in {span.entity_type for span in spans}
    }
    parts: list[str] = []
    items: list[Item] = []
    position = written = 0
    for span in spans:
        writer, place = (
            writers[span.entity_type],
            (span.start, span.end, span.entity_type),
        )
        new = writer.write(text[span.start : span.end], plan.values.get(place))
        quote = bare.get((span.start, span.end))
        if quote and not _NUMBER.fullmatch(new):
            new = f"{quote}{new}{quote}"
        written += span.start - position
        parts += [text[position : span.start], new]
        items.append(
            Item(
                entity_type=span.entity_type,
                start=span.start,
                end=span.end,
                new_start=written,
                new_end=written + len(new),
                operator=plan.operators.get(place, writer.spec.operator),
                role=span.role or "",
                score=1.0 if span.score is None else span.score,
                key_id=writer.key_id,
            )
        )
        position, written = span.end, written + len(new)
    return AnonymizedText("".join([*parts, text[position:]]), tuple(items))


class _Writer:
    """Runs the operator of an entity over its mentions, one after the other.

    Each is given to Presidio's operator alone: its engine joins neighbours of one type
    that only blanks part, and two people written side by side must stay two.
    """

    def __init__(
        self,
        spec: OperatorSpec,
        entity: str,
        key: Key | None,
        scope: Scope,
        classes: Mapping[str, type[Operator]],
    ) -> None:
        self.spec = spec
        params = {**spec.params, "entity_type": entity}
        if spec.operator == "encrypt" and "key" not in params:
            params["key"] = find_key(key, required=True)
        allowed = known_parameters(spec.operator) or frozenset()
        if "scope" in allowed:
            params.setdefault("scope", scope.label)
            if params.get("key") is None:
                params["key"] = find_key(key)
        self._params = params
        self._operator = classes[spec.operator]()
        self.key_id = ""
        if spec.operator in _KEYED and params.get("key") is not None:
            self.key_id = Key.from_value(params["key"]).id

    def write(self, value: str, planned: str | None) -> str:
        """Return what stands for a value.

        :param value: The value.
        :param planned: What the document's plan says, if anything.
        """
        if planned is not None:
            return planned
        try:
            return str(self._operator.operate(value, dict(self._params)))
        except InvalidParamError as error:
            raise ConfigurationError(error.err_msg) from None
