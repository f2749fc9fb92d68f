"""Which function makes the surrogate of which entity."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.shape import scramble
from presidio_mx.anonymizer.tags import kind_of

SurrogateFunction = Callable[[str, Context], str]

_FUNCTIONS: Mapping[str, SurrogateFunction] = MappingProxyType({})


def surrogate_value(entity_type: str, text: str, context: Context) -> str:
    """Return the surrogate of a value.

    :param entity_type: What the text is, e.g. ``PERSON``.
    :param text: The value as it stands in the document.
    :param context: Key, settings and the document's facts.
    :return: The value to put in its place.
    """
    kind = kind_of(entity_type)
    function = _FUNCTIONS.get(kind)
    if function is None:
        return scramble(text, kind, context)
    return function(text, context)
