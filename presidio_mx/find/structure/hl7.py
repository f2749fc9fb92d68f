"""HL7 v2: segments, fields, repetitions and components, with their offsets.

Read where it stands, without a parser of messages: notes hold fragments, segments
without line ends and segments of a site's own, which libraries refuse, and offsets are
what counts here.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from presidio_mx.find.structure.meanings import Lookup, Meaning
from presidio_mx.find.structure.parts import CODED, OTHER, Field, Parts, Span

# What the components of a type hold (HL7 v2.5.1, chapter 2.A).
_COMPONENTS: Mapping[str, tuple[str, ...]] = {
    # XAD: street, more of it, city, state, postal code, country, type, more, county.
    "address": (
        "street",
        "street",
        "place",
        "place",
        "zip",
        "place",
        CODED,
        "",
        "place",
    ),
    # CX: number, check digit, its scheme, who assigned it, type.
    "codes": ("code", "code", CODED, "", CODED),
    "nss": ("nss", "nss", CODED, "", CODED),
    # PL: point of care, room, bed.
    "bed": ("", CODED, CODED),
    # XTN: number, use, equipment, mail; country, area and number of their own.
    "phone": ("phone", CODED, CODED, "phone", "number", "number", "number"),
    # XPN: family, given and further names, suffix, prefix, degree, type.
    "name": ("name", "name", "name", "name", "", "", CODED),
    # XCN: number, then a name.
    "staff": ("code", "name", "name", "name"),
    # ED: source, kind, subtype, encoding, data.
    "encapsulated": ("", CODED, CODED, CODED, "attachment"),
}
# Components of these are one value: the carets stay inside.
_JOINED = {"name": "name", "number": "phone"}
# The third part of a street is the dwelling (SAD, 2.A.64).
_DWELLING = 2
_RESULT, _STUDY, _TYPE = 5, 3, 2
# Results asked for by these are texts, which rules and models read.
_TEXT = frozenset({OTHER, CODED, "organization", "address"})
# What OBX-2 says of OBX-5.
_OF_TYPE = {
    **dict.fromkeys(("CE", "CWE", "CNE", "CF", "ID", "IS"), CODED),
    **dict.fromkeys(("XPN", "PN"), "name"),
    **dict.fromkeys(("XCN", "CN"), "staff"),
    **dict.fromkeys(("DT", "TS", "DTM"), "date"),
    **{"XTN": "phone", "TN": "phone", "XAD": "address", "CX": "codes"},
    "ED": "encapsulated",
}
# A time stamp is one wherever it stands; hours from Greenwich follow.
_STAMP = re.compile(r"((?:19|20)\d{10}(?:\d\d)?)(?:\.\d{1,4})?(?:[+-]\d{4})?")
_ZONE = re.compile(r"(?<=\d)[+-]\d{4}$")
# The number of a segment among those of its kind.
_SET_ID = re.compile(r"\d{0,3}")
_TABLE = re.compile(r"\bHL7\d{4}\b")
_DAY = re.compile(r"(?:19|20)\d{6}(?:\d{4,6})?")
_LEAST_DIGITS, _LAST_OF_STUDY = 5, 5
_LINE_END = re.compile(r"[\r\n]")


def read_hl7(text: str, look: Lookup, parts: Parts) -> None:
    """Take the fields of all segments.

    :param text: The text.
    :param look: What positions mean.
    :param parts: What is added to.
    """
    if "|" not in text:
        return
    known = rf"(?<!\S)(?:{'|'.join(look.meanings.hl7)})(?=\|)"
    if not re.search(known, text):
        return
    opening = re.compile(rf"{known}|(?<![^\r\n])[A-Z][A-Z\d]{{2}}(?=\|)")
    found = list(opening.finditer(text))
    for match, following in zip(found, [*found[1:], None], strict=True):
        stop = following.start() if following else len(text)
        line_end = _LINE_END.search(text, match.end(), stop)
        end = line_end.start() if line_end else stop
        spans = _pieces(text, (match.start(), end), "|", parts)
        parts.boundaries += spans[0], (end, end + 1)
        parts.labels.append(spans[0])
        # A site's own segment of that name has its fields elsewhere.
        own = match[0] == "PID" and not _SET_ID.fullmatch(text, *spans[1])
        if not own:
            _segment(text, match[0], spans, look, parts)


def split_spans(text: str, span: Span, sign: str) -> list[Span]:
    """Return the spans between signs.

    :param text: The text.
    :param span: The stretch of it that is split.
    :param sign: What parts the spans.
    """
    spans, start = [], span[0]
    for piece in text[slice(*span)].split(sign):
        spans.append((start, start + len(piece)))
        start += len(piece) + 1
    return spans


def _pieces(text: str, span: Span, sign: str, parts: Parts) -> list[Span]:
    """Return the spans between signs, which become boundaries."""
    spans = split_spans(text, span, sign)
    parts.boundaries += ((end, end + 1) for _, end in spans[:-1])
    return spans


def _segment(
    text: str, name: str, spans: list[Span], look: Lookup, parts: Parts
) -> None:
    """Take the fields of one segment."""
    meanings = look.meanings.hl7.get(name, {})
    # The first separator of MSH is a field of its own.
    for number, span in enumerate(spans[1:], 2 if name == "MSH" else 1):
        if span[0] == span[1] or (name == "MSH" and number == 2):
            continue
        meaning = meanings.get(number)
        if name == "OBX" and number == _RESULT:
            meaning = _of_result(text, spans, look)
        path = (name, str(number))
        if meaning and meaning.holds == CODED and _is_shifted(text, span, number):
            meaning = None
        repetitions = _pieces(text, span, "~", parts) if meaning else [span]
        for repetition in repetitions:
            parts.fields += _repetition(text, repetition, meaning, path, parts)
        for table in _TABLE.finditer(text, *span):
            parts.fields.append(Field(*table.span(), "hl7", path, CODED))


def _is_shifted(text: str, span: Span, number: int) -> bool:
    """Tell whether a date, a person's number or a sentence stands where a code should.

    Hurried interfaces leave a field out; codes of studies stand in the first fields.
    """
    first, caret, _ = text[slice(*span)].partition("^")
    digits = first.isdigit() and len(first) >= _LEAST_DIGITS
    return (
        bool(_DAY.fullmatch(first))
        or (digits and number > _LAST_OF_STUDY)
        or (number == _RESULT and not caret and " " in first)
    )


def _of_result(text: str, spans: list[Span], look: Lookup) -> Meaning | None:
    """Return what a result holds: its type says it, or what was asked for."""
    holds = _OF_TYPE.get(text[slice(*spans[_TYPE])])
    if holds:
        return Meaning(holds)
    for component in reversed(text[slice(*spans[_STUDY])].split("^")):
        asked = look.label(component) if component else None
        if asked is not None and asked.holds not in _TEXT:
            return asked
    return None


def _repetition(
    text: str, span: Span, meaning: Meaning | None, path: tuple[str, ...], parts: Parts
) -> Iterator[Field]:
    """Yield what one repetition of a field holds, by its components."""
    if meaning is None or meaning.holds == CODED:
        stamp = _STAMP.fullmatch(text, *span)
        if stamp and meaning is None:
            yield Field(*stamp.span(1), "hl7", path, "date")
        else:
            yield Field(*span, "hl7", path, meaning.holds if meaning else "")
        return
    role = "staff" if meaning.holds == "staff" else meaning.role
    for holds, start, end in _values(text, span, meaning.holds, parts):
        zone = _ZONE.search(text, start, end) if holds == "date" else None
        if zone:
            yield Field(*zone.span(), "hl7", path, CODED)
            end = zone.start()
        yield Field(start, end, "hl7", path, _JOINED.get(holds, holds), role)


def _values(
    text: str, span: Span, of: str, parts: Parts
) -> Iterator[tuple[str, int, int]]:
    """Yield the components of a type with what each holds; those of a name are one."""
    spans = split_spans(text, span, "^")
    kinds = _COMPONENTS.get(of, (of,))
    written = [text[slice(*part)].strip(' "') for part in spans]
    filled = "".join(written)
    if of == "phone" and any(map(str.isdigit, "".join(written[1:3]))):
        kinds = ("number",) * len(spans)
    elif of == "staff" and written[0] and not any(map(str.isdigit, written[0])):
        kinds = kinds[1:]
    elif of == "address" and filled in written and not any(map(str.isdigit, filled)):
        # No street has neither number nor town behind it.
        kinds = ("place",) * len(spans)
    last, held = "", None
    for part, value, kind in zip_longest(spans, written, kinds[: len(spans)]):
        if kind != last or kind not in _JOINED:
            if held:
                yield last, *held
            held = None
            if part[0] > span[0]:
                parts.boundaries.append((part[0] - 1, part[0]))
        last = kind or ""
        if kind == "street" and "&" in value:
            for number, piece in enumerate(_pieces(text, part, "&", parts)):
                yield "house" if number == _DWELLING else kind, *piece
        elif value:
            held = (held or part)[0], part[1]
    if held:
        yield last, *held
