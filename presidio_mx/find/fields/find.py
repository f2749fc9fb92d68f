"""Findings of a note's fields."""

import re
from collections.abc import Iterable, Iterator

from presidio_mx.find.fields.field import CONCEPT, Field, Label, trimmed
from presidio_mx.find.fields.hl7 import hl7_fields
from presidio_mx.find.fields.html_table import html_fields
from presidio_mx.find.fields.json_text import json_fields
from presidio_mx.find.fields.meanings import Meanings
from presidio_mx.find.fields.names import TITLES, institution_in, name_in, place_in
from presidio_mx.find.fields.pairs import pair_fields
from presidio_mx.find.fields.shapes import parts
from presidio_mx.find.fields.sql import sql_fields
from presidio_mx.find.fields.table import table_fields
from presidio_mx.find.fields.xml_text import xml_fields
from presidio_mx.find.finding import FIELDS, Finding
from presidio_mx.spanish.lexicon import KNOWN, NAME
from presidio_mx.spanish.word_runs import PARTICLES
from presidio_mx.text.document import Document
from presidio_mx.text.prepare import usual_gap

# A note with none of this has no structure that is read here.
_STRUCTURE = re.compile(r'^[A-Z][A-Z0-9]{2}\||"\s*:|</|/>', re.M)
_INSERT = "insert into"
_PAIRS = re.compile(r"\w[ ]?(?:=|\.{3}|[ ]:[ ])")
# The field says what it holds and the value has its shape: as sure as a labelled code.
_SURE = 0.95
# An address may hold a town, an institution's field a ward: rules know their edges, and
# below what resolve trusts, this fills only where they found nothing.
_WIDE = 0.55
_WIDE_HOLDS = frozenset({"address", "organization"})
# What is longer is a text, which rules and models read.
_LONGEST_VALUE = 300
# Keys, tags and headings identify nobody, whatever a model or a rule says.
_LABEL = 1.0
_NEVER_LABELS = ("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS")
_RULE = f"{FIELDS}#"


def field_findings(document: Document, meanings: Meanings) -> list[Finding]:
    """Return what the fields of a note hold, and blocks on their labels.

    :param document: The prepared note.
    :param meanings: What keys, headings and positions mean.
    :return: Findings in offsets of the working text.
    """
    text, offset = _text_with_lines(document)
    found: list[Finding] = []
    for kind, item in _read(text, meanings):
        if offset is not None:
            item = _moved(document, item, offset)
        if item.start == item.end:  # the prepared note has other letters there
            continue
        if isinstance(item, Label):
            if not _is_full_name(document, item):
                found += _blocks(item, _NEVER_LABELS, f"{_RULE}{kind}_label")
        elif item.holds == CONCEPT:
            found += _blocks(item, _NEVER_LABELS, f"{_RULE}{kind}_concept")
        else:
            found += _values(document, item, f"{_RULE}{kind}")
    return found


def _blocks(
    item: Field | Label, entities: Iterable[str], rule: str
) -> Iterator[Finding]:
    """Yield blocks that forbid entities where a field or a label stands."""
    for entity in entities:
        yield Finding(item.start, item.end, entity, _LABEL, rule, block=True)


def _is_full_name(document: Document, label: Label) -> bool:
    """Tell whether somebody's name stands where a heading would.

    "MEDICO  DR  IGNACIO ESQUER" over a line of three cells looks like headings.
    """
    indices = [
        i
        for i in document.words_in(label.start, label.end)
        if document.words[i] not in PARTICLES and document.words[i] not in TITLES
    ]
    return len(indices) >= 2 and all(
        document.flags[i] & NAME and not document.flags[i] & KNOWN for i in indices
    )


def _text_with_lines(document: Document) -> tuple[str, int | None]:
    r"""Return the text whose structure is read, and its offset in the note as given.

    The working text joins wrapped lines and closes wide gaps, which are the lines and
    columns of a table. It alone has lines where the note's ends are typed as "\n"; its
    offset is then None. Blanks around a note are no part of its structure.
    """
    original = document.source.original
    inside = original.strip()
    if "\n" in document.text and "\n" not in inside:
        return document.text, None
    return inside, len(original) - len(original.lstrip())


def _moved(document: Document, item: Field | Label, offset: int) -> Field | Label:
    """Return a field or a label of the note with the offsets of the working text."""
    there = document.source.there
    return item._replace(start=there(item.start + offset), end=there(item.end + offset))


def _read(text: str, meanings: Meanings) -> Iterator[tuple[str, Field | Label]]:
    """Yield fields and labels with the kind of structure that they stand in."""
    if _STRUCTURE.search(text):
        yield from (("hl7", item) for item in hl7_fields(text, meanings))
        yield from (("json", item) for item in json_fields(text, meanings))
        yield from (("xml", item) for item in xml_fields(text, meanings))
        yield from (("html", item) for item in html_fields(text, meanings))
    if _INSERT in text.lower():
        yield from (("sql", item) for item in sql_fields(text, meanings))
    if _PAIRS.search(text):
        yield from (("pairs", item) for item in pair_fields(text, meanings))
    gap = usual_gap(text)
    yield from (("table", item) for item in table_fields(text, meanings, gap))


def _values(document: Document, field: Field, rule: str) -> Iterator[Finding]:
    """Yield the findings of a field whose value has the shape that it should have."""
    score = _WIDE if field.holds in _WIDE_HOLDS else _SURE
    start, end = trimmed(document.text, field.start, field.end)
    holds, role = field.holds, field.role
    if end - start > _LONGEST_VALUE:
        return
    if holds == "user":
        # A patient by name, or somebody of the staff by login.
        named = name_in(document, start, end, initials=False)
        holds, role = ("name", role) if named else ("login", "staff")
    if holds in ("name", "initials"):
        initials = holds == "initials" or role == "staff"
        span = name_in(document, start, end, initials)
        if span is not None:
            yield Finding(*span, "PERSON", score, rule, role=role)
    elif holds == "place":
        span = place_in(document, start, end)
        if span is not None:
            yield Finding(*span, "LOCATION", score, rule)
    elif holds in ("organization", "institution"):
        span = institution_in(document, start, end)
        if span is not None:
            yield Finding(*span, "ORGANIZATION", score, rule)
    else:
        if holds == "code" and role == "staff":
            holds = "staff code"
        for part in parts(document, start, end, holds):
            whose = role if part.entity == "PERSON" else None
            yield Finding(*part, score, rule, role=whose)
