"""Wrap a marked note as systems export it: HL7, FHIR, CDA, JSON, tables, key: value.

The forms stand in ``exports.yaml``; what their fields hold is taken from the note.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape as escape_xml

import yaml

from presidio_mx.research.corpora.synthesis_case import Value

_SLOT = re.compile("«([^»]+)»")
_STAFF = "STAFF"
_EMPTY = Value("")


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which a system hands out notes.

    :param name: What it is called.
    :param text: Text with slots.
    :param escape: How its strings are escaped: json, xml, csv or none.
    :param line: What begins each line of the note, or empty.
    """

    name: str
    text: str
    escape: str
    line: str = ""


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms that ship with the package."""
    raw: list[dict[str, Any]] = yaml.safe_load(
        Path(__file__).with_name("exports.yaml").read_text(encoding="utf-8")
    )
    return tuple(Form(**one) for one in raw)


def exported(pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a note in one of the forms, drawn by chance.

    :param pieces: Pieces of the note.
    :param random: Source of chance.
    :return: The pieces of the export; identifiers that its fields hold stand in it
        twice, marked both times. A name in two fields is two marks.
    """
    return fill(random.choice(forms()), pieces, random)


def fill(form: Form, pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a note in a form.

    :param form: The form.
    :param pieces: Pieces of the note.
    :param random: Source of chance.
    :return: The pieces of the export.
    """
    left = [replace(p, text=p.text.replace("\n", " ")) for p in pieces if p.entity_type]
    left.sort(key=lambda p: p.role != "patient")
    drop = random.choice((0.0, 0.0, 0.3))
    rest: dict[str, Value] = {}
    made: list[Value] = []
    at = 0
    for match in _SLOT.finditer(form.text):
        made.append(Value(form.text[at : match.start()]))
        at = match.end()
        kind, _, part = match[1].partition(" ")
        if kind == "note":
            made += _body(form, pieces)
            continue
        # A name in two fields is one person's: the second takes what the first left.
        value = rest.pop(part, None)
        if value is None:
            value = _taken(left, kind)
            if random.random() < drop:
                value = _EMPTY
            if part == "carets":
                value = _with_carets(value)
            elif part:
                rest = _halves(value)
                value = rest.pop(part)
        made.append(_escaped(value, form.escape))
    return [*made, Value(form.text[at:].rstrip("\n"))]


def _taken(left: list[Value], kind: str) -> Value:
    """Take the first value of a type out of what is left."""
    for place, value in enumerate(left):
        staff = value.role == "staff"
        if (kind == _STAFF and staff) or (value.entity_type == kind and not staff):
            return left.pop(place)
    return _EMPTY


def _halves(value: Value) -> dict[str, Value]:
    """Divide a name into given names and surnames, of which there may be two."""
    words = value.text.split()
    if len(words) < 2:
        return {"given": value, "family": _EMPTY}
    at = len(words) - (2 if len(words) > 2 else 1)
    return {
        "given": replace(value, text=" ".join(words[:at])),
        "family": replace(value, text=" ".join(words[at:])),
    }


def _with_carets(value: Value) -> Value:
    """Write a name as HL7 does, surnames first; the carets stay in the mark."""
    halves = _halves(value)
    if not halves["family"].text:
        return value
    return replace(value, text="^".join(halves[p].text for p in ("family", "given")))


def _body(form: Form, pieces: Sequence[Value]) -> Iterator[Value]:
    number = 0

    def begin(_: re.Match[str] | None = None) -> str:
        nonlocal number
        number += 1
        return ("\n" if number > 1 else "") + form.line.replace("«n»", str(number))

    if form.line:
        yield Value(begin())
    for piece in pieces:
        text = piece.text
        if piece.entity_type:
            text = text.replace("\n", " ")
        elif form.line:
            text = re.sub(r"\n+", begin, text)
        yield _escaped(replace(piece, text=text), form.escape)


def _escaped(piece: Value, escape: str) -> Value:
    text = piece.text
    if escape == "json":
        text = json.dumps(text, ensure_ascii=False)[1:-1]
    elif escape == "xml":
        text = escape_xml(text)
    elif escape == "csv":
        text = text.replace('"', '""')
    return replace(piece, text=text)
