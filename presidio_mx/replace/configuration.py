"""What Presidio's engine is told of each operator: key, scope and plan filled in."""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any

from presidio_anonymizer.entities import OperatorConfig

from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.operators import known_parameters
from presidio_mx.replace.plan import Plan
from presidio_mx.replace.profiles import OperatorSpec, Profile
from presidio_mx.text.spans import Span

_PLANNED = ("tag", "pseudonym", "surrogate", "generalize")
_KEYED = ("pseudonym", "surrogate", "encrypt")


def with_secrets(
    profile: Profile, key: Key | None, scope: Scope, plan: Mapping[Any, str] | None
) -> dict[str, OperatorConfig]:
    """Return Presidio's configuration with key, scope and plan filled in.

    :param profile: The profile of the document.
    :param key: The user's key; otherwise the environment's, where one is needed.
    :param scope: Whose mentions get the same replacement.
    :param plan: Mention to replacement, if one was made.
    :raises ConfigurationError: If a key is needed and there is none.
    """

    def fill(spec: OperatorSpec) -> OperatorConfig:
        params = dict(spec.params)
        if spec.operator == "encrypt" and "key" not in params:
            params["key"] = find_key(key, required=True)
        allowed = known_parameters(spec.operator) or frozenset()
        if "scope" in allowed:
            params.setdefault("scope", scope.label)
            if params.get("key") is None:
                params["key"] = find_key(key)
        if spec.operator in _PLANNED and plan is not None:
            params["plan"] = plan
        return OperatorConfig(spec.operator, params)

    configs = {entity: fill(spec) for entity, spec in profile.operators.items()}
    return configs | {"DEFAULT": fill(profile.default)}


def with_varied(
    configs: dict[str, OperatorConfig], text: str, held: Sequence[Span], plan: Plan
) -> dict[str, OperatorConfig]:
    """Return the configuration of a piece in which some mentions have other names.

    :param configs: The configuration of the document.
    :param text: The document.
    :param held: Spans of the piece.
    :param plan: Says which mentions vary.
    """
    varied = {
        (span.entity_type, text[span.start : span.end]): plan.varied[span.start]
        for span in held
        if span.start in plan.varied
    }
    own = dict(configs)
    for entity, _ in varied:
        config = configs[entity]
        params = {**config.params, "plan": ChainMap(varied, dict(plan))}
        own[entity] = OperatorConfig(config.operator_name, params)
    return own


def key_id(config: OperatorConfig) -> str:
    """Return which key the replacements of an operator depend on; empty if on none.

    :param config: The operator, its key filled in.
    """
    key = config.params.get("key") if config.operator_name in _KEYED else None
    return "" if key is None else Key.from_value(key).id
