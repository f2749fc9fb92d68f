"""Names of a person that vary from mention to mention.

Where every surrogate of a person repeats, a real name that was missed stands out by
being mentioned once. Osborne et al. (2025) let a Markov chain decide at each mention
whether the name of the one before stays.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.people import Person
from presidio_mx.replace.profiles import OperatorSpec
from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.context import Context, Settings
from presidio_mx.replace.surrogates.draw import Draw
from presidio_mx.replace.surrogates.guard import guarded
from presidio_mx.replace.surrogates.names import surrogate_name
from presidio_mx.replace.surrogates.replace import surrogate_value
from presidio_mx.replace.tellers import Teller
from presidio_mx.text.spans import Span

PlanKey = tuple[str, str]
_FIRST_DRAW = 1_000  # those of the guard are fewer


def vary_mentions(
    text: str,
    spans: Sequence["Span"],
    values: Mapping[PlanKey, OperatorSpec],
    people: Mapping[str, Person],
    teller: Teller,
    key: Key | None,
    scope: Scope,
) -> dict[int, str]:
    """Return the names that differ from those of the plan, where mentions vary.

    A chain for each person: each further mention keeps the name of the one before, or
    takes a new one, by a keyed coin. The first mention has the name of the plan.

    :param text: The document.
    :param spans: Its entities in reading order.
    :param values: What becomes a surrogate, by entity and text.
    :param people: Text of a name to its person.
    :param teller: Who knows more of the people.
    :param key: The secret.
    :param scope: Scope of the surrogates.
    :return: Offset of a mention to its name.
    """
    mentions, states = Counter[int](), dict[int, int]()
    varied = {}
    for span in spans:
        value = text[span.start : span.end]
        spec = values.get((span.entity_type, value))
        if spec is None or spec.operator != "surrogate" or value not in people:
            continue
        if spec.params.get("mentions") != "vary":
            continue
        person = people[value].position
        params = with_defaults(spec, span.entity_type, key, scope)
        secret = Key.from_value(params["key"]).derive("surrogate", params["scope"])
        draw, number = Draw(secret), mentions[person]
        mentions[person] += 1
        if number and draw.number(2, "new name", people[value].fullest, number):
            states[person] = number
        if not states.get(person):
            continue
        settings = Settings.from_params(params)
        context = Context(draw.again(_FIRST_DRAW + states[person]), settings)
        bearer = teller.bearer(value)
        varied[span.start] = (
            written_name(span.entity_type, value, bearer, context)
            if bearer
            else surrogate_value(span.entity_type, value, context)
        )
    return varied


def written_name(entity: str, value: str, bearer: Bearer, context: Context) -> str:
    """Return the surrogate of a name, after the person's other mentions.

    :param entity: ``PERSON`` or a site's own kind of it.
    :param value: The name as it stands in the document.
    :param bearer: What is known of the person.
    :param context: Key, settings and facts.
    """
    return guarded(
        entity, value, lambda here: surrogate_name(value, here, bearer), context
    )


def with_defaults(
    spec: OperatorSpec, entity: str, key: Key | None, scope: Scope
) -> dict[str, Any]:
    """Return the parameters of an operator with key, scope and entity filled in.

    :param spec: The operator.
    :param entity: What it replaces.
    :param key: The secret; None takes the environment's or the process's.
    :param scope: Scope of the document.
    """
    params = {**spec.params, "entity_type": entity}
    params.setdefault("scope", scope.label)
    if params.get("key") is None:
        params["key"] = find_key(key)
    return params
