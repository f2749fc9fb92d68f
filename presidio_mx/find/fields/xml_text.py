"""XML and CDA, whole or in fragments: elements and attributes with their offsets.

A scanner of tags, since parsers refuse fragments and give no offsets of values.
"""

import re
from collections.abc import Iterator

from presidio_mx.find.fields.field import Field, Label, key_of, trimmed
from presidio_mx.find.fields.meanings import Meanings

_TAG = re.compile(
    r"<(?P<close>/)?(?:[A-Za-z][\w-]{0,20}:)?(?P<name>[^\W\d_][\w.-]{0,60})"
    r"(?P<attributes>(?:\s+[\w:.-]{1,60}\s*=\s*(?:\"[^\"<]{0,2000}\"|'[^'<]{0,2000}'))*)"
    r"\s*(?P<empty>/)?>"
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[\w:.-]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')"
)
_KIN = "parentesco"
_DEEPEST = 60


def xml_fields(text: str, meanings: Meanings) -> Iterator[Field | Label]:
    """Yield the values of elements and attributes that mean something, and all tags.

    :param text: The note.
    :param meanings: What tags and attributes mean.
    """
    stack: list[str] = []
    opened = 0
    for match in _TAG.finditer(text):
        name = match["name"]
        yield Label(*match.span("name"))
        if match["close"]:
            if name in stack:
                if stack[-1] == name:
                    yield from _element(text, opened, match.start(), stack, meanings)
                del stack[len(stack) - 1 - stack[::-1].index(name) :]
            opened = match.end()
            continue
        path = [*stack, name]
        yield from _attributes(match, path, meanings)
        if not match["empty"] and len(stack) < _DEEPEST:
            stack.append(name)
        opened = match.end()


def _element(
    text: str, start: int, end: int, path: list[str], meanings: Meanings
) -> Iterator[Field]:
    """Yield what stands between a tag and its end, if no other tag does."""
    meaning = meanings.of_key(path)
    if meaning is not None and "<" not in text[start:end]:
        start, end = trimmed(text, start, end)
        yield Field(start, end, meaning.holds, meaning.role)


def _attributes(
    match: re.Match[str], path: list[str], meanings: Meanings
) -> Iterator[Field | Label]:
    """Yield the attributes of a tag."""
    found = list(
        _ATTRIBUTE.finditer(match.string, *match.span("attributes"))
        if match["attributes"]
        else ()
    )
    names = [attribute["name"].rsplit(":", 1)[-1] for attribute in found]
    kin = _KIN in map(key_of, names) and key_of(path[-1]) != _KIN
    around = [*path, _KIN] if kin else path
    for attribute, name in zip(found, names, strict=True):
        yield Label(*attribute.span("name"))
        quoted = "double" if attribute["double"] is not None else "single"
        own = [*path, name]
        meaning = meanings.of_key(own) or meanings.of_key([*around, name])
        if meaning is not None:
            start, end = attribute.span(quoted)
            yield Field(start, end, meaning.holds, meaning.role)
