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
from presidio_mx.spanish.lexicon import NAME, Flag, load_lexicon
from presidio_mx.spanish.numbers import is_number_word
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
# A vital sign or result, a bed, a dose: "96", "36.5", "120/80", "12 mg".
_FIGURE = re.compile(
    r"\d{1,3}(?:[.,]\d{1,2})?(?: ?(?:%|°c?|mg|kg|g|cm|ml|lpm|rpm|mmhg))?"
    r"|\d{2,3}/\d{2,3}"
)
_CELL_WORD, _NO_WORDS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"\d|@|\b\w\b")
_MOST_CELL_WORDS = 4
_SHORTEST, _LINKS = 4, frozenset("de del la el los las en con sin y por a al".split())
_OF_MEDICINE = Flag.MEDICAL | Flag.DRUG | Flag.EPONYM
_SENSE = _OF_MEDICINE | Flag.ORDINARY
# Ordinary words that tell a day; that stand before the name of somebody or something.
_MONTHS = words("month_name")
_HEADS = words("title_proposed", "institution_private") | {
    kind.split()[0].rstrip(".") for kind in words("institution_kind")
}
# Where only blanks part the cells, they slip.
_PARTED = re.compile(r"[|,;:=>(\t\"'][ ]{0,2}$")
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
    alone = len(text) <= _LONGEST_CELL and fold_key(text)
    if alone and (_is_closed(alone) or _is_clinical(alone)):
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
    fields = {_closed(text, f, look) for f in parts.fields if f.start < f.end}
    return Structure(
        tuple(sorted(fields, key=lambda f: (f.start, f.end, f.kind, f.path))),
        united(parts.boundaries),
        united(parts.labels),
        tuple(sorted(parts.whole)),
        parts.bare,
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


def _is_clinical(key: str, told: bool = False, listing: bool = False) -> bool:
    """Tell whether a folded cell says something of medicine, and holds no name.

    :param key: The cell.
    :param told: Whether its column or key holds no identifier: then there may be
        ordinary words as well.
    :param listing: Whether it lists things of medicine ("dx", "servicio"): then one
        ordinary word is enough ("Hígado").
    """
    found = [word for word in _CELL_WORD.findall(key) if word not in _LINKS]
    if not 0 < len(found) <= _MOST_CELL_WORDS or _NO_WORDS.search(key):
        return False
    known = load_lexicon().flags
    flags = [known.get(word, 0) for word in found]
    if any(flag & (NAME | Flag.PLACE) or not flag & _SENSE for flag in flags):
        return False
    if any(len(word) < _SHORTEST or word in _MONTHS for word in found):
        return False
    if any(map(is_number_word, found)) or not _HEADS.isdisjoint(found[:-1]):
        return False
    medical = [bool(flag & _OF_MEDICINE) for flag in flags]
    return all(medical) or (told and any(medical)) or (listing and len(found) == 1)


def _says_no_name(text: str, field: Field, value: str, look: Lookup) -> bool:
    """Tell whether a cell that separators part holds a figure or words of medicine."""
    if not _PARTED.search(text[max(0, field.start - 3) : field.start]):
        return False
    if not field.holds:
        return field.kind != "table" and _is_clinical(value)
    if _FIGURE.fullmatch(value):
        return True
    listing = bool(field.path) and look.meanings.is_catalogue(field.path[-1])
    return _is_clinical(value, told=True, listing=listing)


def _closed(text: str, field: Field, look: Lookup) -> Field:
    """Return a field as a coded one where its value is of a closed list, or clinical.

    One that its key makes coded may be a text all the same; in tables and dumps, where
    cells slip, its value alone counts: a word of the list or of medicine, a figure of
    three digits at most ("66" below "fc").
    """
    if field.holds not in ("", OTHER, CODED):
        return field
    size = field.end - field.start
    if size <= _LONGEST_CELL:
        value = fold_key(text[field.start : field.end])
        if field.holds == CODED and value in words("value_of_coded"):
            return field
        if _is_closed(value) or _says_no_name(text, field, value, look):
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
