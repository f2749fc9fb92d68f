"""Anonymize a text whose entities are known, through Presidio's own engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import (
    InvalidParamError,
    OperatorConfig,
    RecognizerResult,
)

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.beside import told_beside
from presidio_mx.replace.configuration import key_id, with_secrets, with_varied
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replace.marks import Ours
from presidio_mx.replace.operators import build_anonymizer
from presidio_mx.replace.patient import Patient
from presidio_mx.replace.pieces import pieces
from presidio_mx.replace.plan import make_plan
from presidio_mx.replace.profiles import (
    OperatorSpec,
    Profile,
    check_operator,
    load_profile,
    warn_of_unknown,
)
from presidio_mx.replace.second_pass import further_mentions
from presidio_mx.text.spans import Span

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


@cache
def _engine() -> AnonymizerEngine:
    return build_anonymizer()


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


def used_profile(profile: Profile, spans: Sequence[Span]) -> Profile:
    """Return the profile with the entities of a document alone.

    :param profile: The whole profile.
    :param spans: Entities of the document.
    :return: A profile that asks for a key only if the document needs one.
    """
    types = {span.entity_type for span in spans}
    specs = {entity: profile.spec(entity) for entity in types}
    return replace(profile, operators=specs, default=OperatorSpec("tag"))


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
    :param second_pass: Also replace further mentions of the people found, feasts that
        stand at dates, and what the people of a place are called.
    :param spared: Where that looks for none: coded values and keys of a structure.
    :param ours: What of the text was put out by an earlier run, and stays.
    :param patient: Who is named in the patient's notes, for scope ``patient:ID``; see
        :func:`presidio_mx.replace.patient.gather`.
    :return: The new text and what was done.
    :raises ConfigurationError: If a profile, operator, parameter, key or scope is
        wrong.
    :raises InputError: If an offset lies outside the text.
    """
    spans = settle(text, results)
    whole = resolve_operators(operators, extra_folders)
    if second_pass:
        spans = further_mentions(text, spans, spared)
        spans = told_beside(text, spans, whole)
    if ours is not None:
        spans = ours.rest_of(spans, text)
    profile = used_profile(whole, spans)
    scope = Scope.parse(scope, text)
    secret = None if key is None else Key.from_value(key)
    plan = make_plan(text, spans, secret, scope, profile, patient)
    configs = with_secrets(profile, secret, scope, plan)
    key_ids = {entity: key_id(config) for entity, config in configs.items()}
    parts: list[str] = []
    items: list[Item] = []
    written = 0
    for begin, end, held in pieces(text, spans, plan.varied):
        own = with_varied(configs, text, held, plan)
        new_text, new_items = _run(text[begin:end], begin, held, own)
        for span, (new_start, new_end) in zip(held, new_items, strict=True):
            items.append(
                Item(
                    entity_type=span.entity_type,
                    start=span.start,
                    end=span.end,
                    new_start=written + new_start,
                    new_end=written + new_end,
                    operator="tag"
                    if (span.entity_type, text[span.start : span.end]) in plan.tagged
                    else profile.spec(span.entity_type).operator,
                    role=span.role or "",
                    score=1.0 if span.score is None else span.score,
                    key_id=key_ids[span.entity_type],
                )
            )
        parts.append(new_text)
        written += len(new_text)
    return AnonymizedText("".join(parts), tuple(items))


def _run(
    piece: str, begin: int, spans: Sequence[Span], configs: dict[str, OperatorConfig]
) -> tuple[str, list[tuple[int, int]]]:
    """Run Presidio's engine over a piece; return its text and the new offsets."""
    if not spans:
        return piece, []
    results = [
        RecognizerResult(span.entity_type, span.start - begin, span.end - begin, 1.0)
        for span in spans
    ]
    try:
        done = _engine().anonymize(piece, results, dict(configs))
    except InvalidParamError as error:
        raise ConfigurationError(error.err_msg) from None
    # Offsets are counted here: Presidio's items come in reverse order of the text.
    offsets = sorted((item.start, item.end) for item in done.items)
    return done.text, offsets
