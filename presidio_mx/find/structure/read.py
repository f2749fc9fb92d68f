"""What structure a text has: readers run where their signs stand."""

import re
from collections.abc import Iterator
from functools import cache

from presidio_mx.find.structure.hl7 import read_hl7
from presidio_mx.find.structure.markup import read_markup
from presidio_mx.find.structure.meanings import Lookup, Meanings, load_meanings
from presidio_mx.find.structure.pairs import read_pairs, read_yaml
from presidio_mx.find.structure.parts import (
    CODED,
    OTHER,
    Field,
    Parts,
    Span,
    Structure,
    united,
)
from presidio_mx.find.structure.quoted import read_quoted
from presidio_mx.find.structure.sql import read_sql
from presidio_mx.find.structure.table import read_tables
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

_ENTITY = re.compile(r"&(?:#\d{2,6}|#x[0-9a-fA-F]{2,5}|[A-Za-z]{2,8});")
# A cell of a closed list is no longer.
_LONGEST_CELL, _LONGEST_CODED = 40, 80
# In narratives that servers of FHIR write: "Ramiro Olvera Male, DoB: ...".
_SEX = re.compile(r"\b(?:fe)?male\b(?=,?\s+\(?(?:dob|born|age)\b)", re.I)
# A label and its value: "Desnutrición: Severa.", "LENGUA INDÍGENA: MAYA   SE".
_LABELLED = re.compile(
    r"(?:^|(?<=[.;,|]\s)|(?<=\s\s))(?P<key>[^\W\d_]++(?:[ ][^\W\d_]++){0,3})[ ]?:"
    r"[ ]{1,3}(?P<value>[^\W\d_]++(?:[ ][^\W\d_]++)?)(?=[ ]?(?:[.,;|\n]|[ ]{2}|\Z))",
    re.M,
)
_SPEAKER = re.compile(
    r"\b(?i:hablantes? de|lengua|idioma|(?:traduc|int[eé]rpre)\w{1,6} de)[ ]"
    r"(?P<value>[^\W\d_]+)(?![ ][A-ZÁÉÍÓÚÑ])"
)
_NOTHING = "\x1f"
_LEAST_ENDS, _LEAST_TABS = 2, 4
_SLIPPING = frozenset({"table", "pairs", "html"})


def structure_of(text: str, meanings: Meanings | None = None) -> Structure:
    """Return the structure of a text, or that of the fragments that prose holds.

    A text that is one cell of a closed list ("nan", "Severa", "IMSS") is one coded
    field.

    :param text: A note, a message, an export, a table, a cell.
    :param meanings: What keys, headings and positions mean; the shipped by default.
    :return: Fields, boundaries, labels, in offsets of the text.
    """
    if len(text) <= _LONGEST_CELL and _is_closed(fold_key(text)):
        start = len(text) - len(text.lstrip())
        return Structure((Field(start, len(text.rstrip()), "cell", (), CODED),))
    parts, look = Parts(), Lookup(meanings or load_meanings())
    read_quoted(text, look, parts)
    tags = read_markup(text, look, parts)
    lines = _with_lines(text)
    read_hl7(lines, look, parts)
    read_sql(text, look, parts)
    lines = _without(lines, tags)
    read_pairs(lines, look, parts)
    read_yaml(lines, look, parts)
    read_tables(lines, look, parts)
    if "&" in text:
        parts.whole += (entity.span() for entity in _ENTITY.finditer(text))
    if "ale" in text or "ALE" in text:
        parts.fields += (
            Field(*m.span(), "cell", (), CODED) for m in _SEX.finditer(text)
        )
    if ":" in text or "abla" in text or "ABLA" in text:
        parts.fields += _labelled(text, look)
    fields = {_closed(text, f) for f in parts.fields if f.start < f.end}
    return Structure(
        tuple(sorted(fields, key=lambda f: (f.start, f.end, f.kind, f.path))),
        united(parts.boundaries),
        united(parts.labels),
        tuple(sorted(parts.whole)),
    )


@cache
def _closed_list() -> frozenset[str]:
    return words("cell_of_nobody")


def _labelled(text: str, look: Lookup) -> Iterator[Field]:
    """Yield values of closed lists behind labels that ask for one of them."""
    for match in _LABELLED.finditer(text):
        meaning, value = look.label(match["key"]), fold_key(match["value"])
        if meaning is not None and meaning.holds == CODED:
            listed = words("value_of_coded")
        elif meaning is None and words("label_of_finding") & set(
            fold_key(match["key"]).split()
        ):
            listed = words("value_of_finding")
        else:
            continue
        if value in listed or _is_closed(value):
            yield Field(*match.span("value"), "cell", (), CODED)
    for match in _SPEAKER.finditer(text):
        if fold_key(match["value"]) in words("value_of_coded"):
            yield Field(*match.span("value"), "cell", (), CODED)


def _is_closed(key: str) -> bool:
    """Tell whether a folded cell holds a word of a closed list, and nothing else."""
    return key in _closed_list() or key.strip(" .:*-") in _closed_list()


def _closed(text: str, field: Field) -> Field:
    """Return a field as a coded one where its value is of a closed list.

    One that its key makes coded may be a text all the same; in tables and dumps, where
    cells slip, the list alone counts.
    """
    if field.holds not in ("", OTHER, CODED):
        return field
    size = field.end - field.start
    if size <= _LONGEST_CELL:
        value = fold_key(text[field.start : field.end])
        if field.holds == CODED and value in words("value_of_coded"):
            return field
        if _is_closed(value):
            return field._replace(holds=CODED)
    if field.kind in _SLIPPING or size > _LONGEST_CODED:
        return field._replace(holds=OTHER if field.holds else "")
    return field


def _with_lines(text: str) -> str:
    r"""Return a text with lines and tabs where they are typed as "\n" and "\t"."""
    if "\n" in text.strip() or text.count("\\n") < _LEAST_ENDS:
        return text
    lines = text.replace("\\r", "  ").replace("\\n", " \n")
    return lines.replace("\\t", " \t") if lines.count("\\t") >= _LEAST_TABS else lines


def _without(text: str, spans: list[Span]) -> str:
    """Return a text of the same length in which signs of nothing stand for spans."""
    pieces: list[str] = []
    last = 0
    for start, end in spans:
        pieces += text[last:start], _NOTHING * (end - start)
        last = end
    return "".join((*pieces, text[last:])) if spans else text
