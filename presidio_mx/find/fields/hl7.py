"""HL7 v2: segments, fields, repetitions and components, with their offsets.

Read where it stands, without a parser of messages: notes hold fragments, segments
without line ends and segments of a site's own, which libraries refuse, and offsets are
what counts here.
"""

import re
from collections.abc import Iterator

from presidio_mx.find.fields.field import CONCEPT, Field
from presidio_mx.find.fields.meanings import Meaning, Meanings

# Components of an extended address (XAD, HL7 v2.5.1, 2.A.89).
_ADDRESS = ("street", "street", "place", "place", "zip", "place")
_DWELLING = 2
# A personal name is family, given and further names (XPN, 2.A.88).
_NAME_PARTS = 3
# A time stamp is one wherever it stands.
_STAMP = re.compile(r"((?:19|20)\d{10}(?:\d\d)?)(?:\.\d{1,4})?(?:[+-]\d{4})?")
# Hours from Greenwich behind it.
_ZONE = re.compile(r"[+-]\d{4}$")
# The number of a segment among those of its kind.
_SET_ID = re.compile(r"\d{0,3}")
_PIECE = {char: re.compile(rf"[^{re.escape(char)}]*") for char in "|~^&"}

Span = tuple[int, int]


def hl7_fields(text: str, meanings: Meanings) -> Iterator[Field]:
    """Yield the fields of all segments of a note.

    :param text: The note.
    :param meanings: What positions mean.
    """
    names = "|".join(meanings.hl7)
    opening = re.compile(rf"(?:^|(?<=\s))({names})\|", re.M)
    found = list(opening.finditer(text))
    for match, following in zip(found, [*found[1:], None], strict=False):
        end = text.find("\n", match.end())
        stops = [following.start() if following else len(text)]
        stops += [end] if end >= 0 else []
        yield from _segment(text, match[1], match.start(), min(stops), meanings)


def _pieces(text: str, span: Span, separator: str) -> list[Span]:
    """Return the spans between separators."""
    pattern, spans, place = _PIECE[separator], [], span[0]
    while place <= span[1]:
        match = pattern.match(text, place, span[1])
        if match is None:
            break
        spans.append(match.span())
        place = match.end() + 1
    return spans


def _segment(
    text: str, name: str, start: int, end: int, meanings: Meanings
) -> Iterator[Field]:
    """Yield the fields of one segment."""
    # The first separator of MSH is a field of its own.
    first = 1 if name == "MSH" else 0
    spans = _pieces(text, (start, end), "|")
    if name == "PID" and len(spans) > 1 and not _SET_ID.fullmatch(text, *spans[1]):
        # A site's own segment of that name: its fields stand elsewhere.
        return
    for place, span in enumerate(spans):
        meaning = meanings.hl7[name].get(place + first)
        if meaning is None and (stamp := _STAMP.fullmatch(text, *span)):
            yield Field(*stamp.span(1), "date")
        if meaning is None or span[0] == span[1]:
            continue
        for repetition in _pieces(text, span, "~"):
            yield from _repetition(text, repetition, meaning)


def _repetition(text: str, span: Span, meaning: Meaning) -> Iterator[Field]:
    """Yield what one repetition of a field holds, by its components."""
    parts = _pieces(text, span, "^")
    if meaning.holds == "name":
        yield from _name(text, parts[:_NAME_PARTS], meaning.role)
    elif meaning.holds == "staff":
        yield from _staff(text, parts)
    elif meaning.holds == "address":
        filled = [part for part in parts if part[0] < part[1]]
        if len(filled) == 1 and not any(map(str.isdigit, text[slice(*filled[0])])):
            # No street has neither number nor town behind it.
            yield Field(*filled[0], "place")
            return
        for part, holds in zip(parts, _ADDRESS, strict=False):
            pieces = _pieces(text, part, "&")
            for number, piece in enumerate(pieces):
                # The dwelling is the third part of a street (SAD, 2.A.64).
                house = holds == "street" and number == _DWELLING
                yield Field(*piece, "house" if house else holds)
    elif meaning.holds in ("codes", "nss"):
        for part in parts[:2]:
            yield Field(*part, "code" if meaning.holds == "codes" else "nss")
    elif meaning.holds in ("phone", CONCEPT):
        yield Field(*span, meaning.holds)
    else:
        start, end = parts[0]
        zone = _ZONE.search(text, start, end) if meaning.holds == "date" else None
        if zone:
            yield Field(*zone.span(), CONCEPT)
            end = zone.start()
        yield Field(start, end, meaning.holds)


def _name(text: str, parts: list[Span], role: str | None) -> Iterator[Field]:
    """Yield a name from its first part that is filled to its last."""
    filled = [part for part in parts if text[part[0] : part[1]].strip(' "')]
    if filled:
        yield Field(filled[0][0], filled[-1][1], "name", role)


def _staff(text: str, parts: list[Span]) -> Iterator[Field]:
    """Yield number and name of a person of the staff (XCN, HL7 v2.5.1, 2.A.86)."""
    number = text[slice(*parts[0])].strip()
    if number and not any(char.isdigit() for char in number):
        yield from _name(text, parts[:_NAME_PARTS], "staff")
        return
    yield Field(*parts[0], "code", "staff")
    yield from _name(text, parts[1 : 1 + _NAME_PARTS], "staff")
