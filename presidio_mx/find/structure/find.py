"""What the fields of a text hold, as findings that are certain."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from presidio_mx.find.structure.meanings import load_meanings
from presidio_mx.find.structure.names import TITLES, institution_in, name_in, place_in
from presidio_mx.find.structure.parts import (
    CODED,
    OTHER,
    Field,
    Span,
    Structure,
    trimmed,
    united,
)
from presidio_mx.find.structure.shapes import parts
from presidio_mx.spanish.lexicon import KNOWN, NAME
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# The field says what it holds and the value has its shape: as sure as a labelled code.
_SURE = 0.95
# An address may hold a town, an institution's field a ward: rules know their edges, and
# this fills only where they found nothing.
_WIDE = 0.55
_WIDE_HOLDS = frozenset({"address", "organization"})
# What is longer is a text, which rules and models read.
_LONGEST_VALUE = 300
# In these an owner stands around the number of a person.
_TOLD = frozenset({"hl7", "json", "xml", "yaml"})
_PARTICLES = words("particle_place")
_TELEPHONE = re.compile(r"\d(?:[ ().-]{0,2}\d){6}")


class FieldFinding(NamedTuple):
    """What a field holds that identifies somebody, in offsets of the prepared text.

    :param start: First offset.
    :param end: Offset after it.
    :param entity: Presidio entity type.
    :param probability: How sure it is, 0 to 1.
    :param kind: Structure that the field stands in.
    :param role: Role of a person, if known.
    """

    start: int
    end: int
    entity: str
    probability: float
    kind: str
    role: str | None = None


def field_findings(document: Document, structure: Structure) -> Iterator[FieldFinding]:
    """Yield what identifies somebody in the fields of a text.

    :param document: The prepared text.
    :param structure: The structure of the text as given.
    """
    there = document.source.there
    for field in structure.fields:
        if field.holds not in ("", OTHER, CODED):
            span = there(field.start), there(field.end)
            yield from _in_field(document, field, *trimmed(document.text, *span))


def never_marked(document: Document, structure: Structure) -> tuple[Span, ...]:
    """Return what is never marked: coded values, and labels that are no names.

    :param document: The prepared text.
    :param structure: The structure of the text as given.
    :return: Spans of the text as given, apart from one another, in reading order.
    """
    there = document.source.there
    coded = [
        span
        for span in structure.coded()
        if not _is_text(document, there(span[0]), there(span[1]))
    ]
    labels = [
        label
        for label in structure.labels
        if not _is_full_name(document, there(label[0]), there(label[1]))
    ]
    return united([*coded, *labels])


def _is_text(document: Document, start: int, end: int) -> bool:
    """Tell whether words about somebody stand where a code or its name should.

    A telephone in several pieces or two words running that are names alone tell it.
    """
    value = document.text[start:end]
    if " " not in value:
        return False
    names = [
        bool(document.flags[i] & NAME) and not document.flags[i] & KNOWN
        for i in document.words_in(start, end)
    ]
    return any(map(all, pairwise(names))) or _TELEPHONE.search(value) is not None


def _is_full_name(document: Document, start: int, end: int) -> bool:
    """Tell whether somebody's name stands where a label would.

    "MEDICO  DR  IGNACIO ESQUER" over a line of three cells looks like headings.
    """
    indices = [
        i
        for i in document.words_in(start, end)
        if document.words[i] not in _PARTICLES and document.words[i] not in TITLES
    ]
    names = all(
        document.flags[i] & NAME and not document.flags[i] & KNOWN for i in indices
    )
    single = len(indices) == 1 and document.capital(indices[0])
    known = load_meanings().of_label(document.text[start:end]) if single else None
    return names and (len(indices) > 1 or (single and known is None))


def _in_field(
    document: Document, field: Field, start: int, end: int
) -> Iterator[FieldFinding]:
    """Yield the findings of a field whose value has the shape that it should have."""
    holds, role = field.holds, field.role
    if end - start > _LONGEST_VALUE and holds != "attachment":
        return
    if holds == "user":
        # A patient by name, or somebody of the staff by login.
        named = name_in(document, start, end, initials=False)
        holds, role = ("name", role) if named else ("login", "staff")
    score = _WIDE if holds in _WIDE_HOLDS else _SURE
    entity, span = "", None
    if holds in ("name", "initials"):
        initials = holds == "initials" or role == "staff"
        entity, span = "PERSON", name_in(document, start, end, initials)
    elif holds == "place":
        entity, span = "LOCATION", place_in(document, start, end)
    elif holds in ("organization", "institution"):
        entity, span = "ORGANIZATION", institution_in(document, start, end)
    if span is not None:
        whose = role if entity == "PERSON" else None
        yield FieldFinding(*span, entity, score, field.kind, whose)
    if entity:
        return
    if holds == "code" and role is not None and field.kind in _TOLD:
        holds = "staff code" if role == "staff" else "id"
    for part in parts(document, start, end, holds):
        whose = role if part.entity == "PERSON" else None
        yield FieldFinding(*part, score, field.kind, whose)
