"""JSON, whole or in fragments: keys and values with their offsets.

A scanner of tokens, since the standard library's json gives no offsets and refuses
fragments, which is what notes hold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.find.fields.field import Field, Label, key_of
from presidio_mx.find.fields.meanings import Meanings

_TOKEN = re.compile(
    r'"(?P<string>(?:[^"\\\n]|\\.){0,20000}+)"(?P<key>\s*:)?|(?P<open>[{\[])'
    r"|(?P<close>[}\]])|(?P<comma>,)|(?P<number>-?\d[\d.]*)"
)
# The resource's type, or the kin, say whose the fields beside them are.
_TYPE = "resourcetype"
_KIN = frozenset({"parentesco", "rel", "relationship", "relacion"})
# So many objects around a value are looked at.
_NEAREST = 20
_LEAST = re.compile(r'"[\w$@ .-]{1,60}"\s*:\s*["\[{\d]')


@dataclass(slots=True)
class _Frame:
    """An object or a list that is open.

    :param key: The key that it is the value of.
    :param is_list: Whether it is a list.
    :param type: What the object says it is, if it does.
    """

    key: str
    is_list: bool
    type: str = ""


def json_fields(text: str, meanings: Meanings) -> Iterator[Field | Label]:
    """Yield the values of all keys that mean something, and all keys.

    :param text: The note.
    :param meanings: What keys mean.
    """
    if not _LEAST.search(text):
        return
    stack: list[_Frame] = []
    key = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "key":
            key = match["string"]
            yield Label(*match.span("string"))
        elif kind in ("string", "number"):
            if key_of(key) == _TYPE and stack:
                stack[-1].type = key_of(match[kind])
            if key_of(key) in _KIN and stack:
                stack[-1].type = "parentesco"
            yield from _value(match, kind, _path(stack, key), meanings)
            if not (stack and stack[-1].is_list):
                key = ""
        elif kind == "open":
            stack.append(_Frame(key, match[0] == "["))
            key = key if match[0] == "[" else ""
        elif kind == "close" and stack:
            stack.pop()
            key = stack[-1].key if stack and stack[-1].is_list else ""


def _path(stack: list[_Frame], key: str) -> list[str]:
    """Return the keys around a value and its own; a list has the key of its items."""
    path: list[str] = []
    for frame in stack[-_NEAREST:]:
        for name in (frame.key, frame.type):
            if name and path[-1:] != [name]:
                path.append(name)
    if path and path[-1] == key:
        path.pop()
    return [*path, key]


def _value(
    match: re.Match[str], kind: str, path: list[str], meanings: Meanings
) -> Iterator[Field]:
    meaning = meanings.of_key(path) if path[-1] else None
    if meaning is not None:
        start, end = match.span(kind)
        yield Field(start, end, meaning.holds, meaning.role)
