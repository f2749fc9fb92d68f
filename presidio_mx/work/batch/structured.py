"""Operators for presidio-structured, which replaces whole cells of a table."""

from collections.abc import Iterable

from presidio_anonymizer.entities import OperatorConfig

from presidio_mx.replace.engine import Operators, resolve_operators
from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.operators import (
    known_parameters,
    register_operators_globally,
)


def structured_operators(
    entities: Iterable[str],
    operators: Operators = "surrogate",
    *,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "corpus",
) -> dict[str, OperatorConfig]:
    """Return the operators of a profile as a ``StructuredEngine`` needs them.

    presidio-structured does not tell an operator which entity a column holds; so every
    operator gets it as a parameter, with key and scope. The same value gets the same
    surrogate in a cell and in a note that is de-identified with this key and scope::

        analysis = StructuredAnalysis(entity_mapping={"nombre": "PERSON"})
        operators = structured_operators(["PERSON"], key=key)
        StructuredEngine().anonymize(frame, analysis, operators)

    :param entities: Entities of the columns.
    :param operators: A profile's name or path, or entity to OperatorConfig.
    :param key: Secret of surrogates; else ``PRESIDIO_MX_KEY``.
    :param scope: ``corpus``, or ``patient:ID``.
    :return: Entity to operator.
    :raises ConfigurationError: If the profile is unknown or a key is needed.
    """
    register_operators_globally()
    profile = resolve_operators(operators)
    label = Scope.parse(scope).label
    made = {}
    for entity in entities:
        spec = profile.spec(entity)
        params = {**spec.params, "entity_type": entity}
        if "scope" in (known_parameters(spec.operator) or ()):
            params.setdefault("scope", label)
            params.setdefault("key", find_key(key, required=True))
        made[entity] = OperatorConfig(spec.operator, params)
    return made
