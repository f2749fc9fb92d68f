"""The last look at a surrogate: it may neither be its original nor hold it."""

from collections.abc import Callable
from dataclasses import replace

from presidio_mx.entities import kind_of
from presidio_mx.replace.context import Context, tag_of
from presidio_mx.spanish.writing import alphanumeric, spaced_words

_ATTEMPTS = 4
# Of these a surrogate may be no part of its original either: "Hospital Infantil".
_NAMED = frozenset({"ORGANIZATION", "PERSON"})
# A shorter code or word stands in many others by chance: "3" in "UMF 31".
_SHORTEST_CODE, _SHORTEST_WORDS = 5, 4


def shows(original: str, new: str) -> bool:
    """Tell whether a surrogate is its original or holds it, whatever the spelling.

    :param original: The value as it stands in the document.
    :param new: What is to stand in its place.
    :return: True for ``San Juan`` in ``San Juan Tetelcingo``.
    """
    old_code, new_code = alphanumeric(original), alphanumeric(new)
    if not old_code:
        return original == new
    if old_code == new_code:
        return True
    if len(old_code) > len(new_code):
        return False
    if any(c.isdigit() for c in old_code):
        return len(old_code) >= _SHORTEST_CODE and old_code in new_code
    if len(old_code) < _SHORTEST_WORDS or old_code not in new_code:
        return False
    return f" {spaced_words(original)} " in f" {spaced_words(new)} "


def guarded(
    entity_type: str, text: str, make: Callable[[Context], str], context: Context
) -> str:
    """Return a surrogate that does not show its original.

    :param entity_type: What the text is.
    :param text: The value as it stands in the document.
    :param make: Makes the surrogate.
    :param context: Key, settings, what the note says.
    :return: What ``make`` gives, if need be with other keyed numbers; in the end the
        entity's tag.
    """
    kind = kind_of(entity_type)
    new = make(context)
    for attempt in range(_ATTEMPTS):
        if not _shows(kind, text, new):
            return new
        new = make(replace(context, draw=context.draw.again(attempt)))
    return tag_of(kind) if _shows(kind, text, new) else new


def _shows(kind: str, original: str, new: str) -> bool:
    if kind == "ORGANIZATION" and new == original:
        return False  # "Hospital General" names none
    return shows(original, new) or (kind in _NAMED and shows(new, original))
