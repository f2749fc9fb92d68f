r"""HL7 v2 messages: fields change, segments and separators stay.

Read here and not by a library of messages, which would write them in its own form:
what is not replaced must stay as it was. The library gives the types of the fields.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from presidio_mx.errors import InputError
from presidio_mx.find.structure.hl7 import split_spans
from presidio_mx.find.structure.shapes import empty
from presidio_mx.text.folding import fold
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_control_characters
from presidio_mx.work.documents.hl7_types import type_of_field, types_of_components
from presidio_mx.work.documents.meanings import is_code
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.public import in_words
from presidio_mx.work.documents.structured import (
    Read,
    Record,
    Structured,
    Value,
    checked,
)

# What frames a message on the wire (MLLP).
_FRAME = "\x0b\x1c"
_LINE = re.compile(r"[^\r\n]+")
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}(?=\||$)")
_SEPARATORS = "|^~\\&"
# Batches (HL7 v2.5.1, 2.10.3) open with a header of their own, with the separators too.
_HEADERS = frozenset({"MSH", "FHS", "BHS"})
# Escapes of chapter 2.7: separators, line breaks, bytes, highlighting, a site's own.
_CHARACTER = re.compile(r"\\(?P<code>[A-Z.][^\\\r\n|]{0,80})\\|[^\\]|\\")
_CODES = {"F": "|", "S": "^", "T": "&", "R": "~", "E": "\\", ".br": "\n", ".sp": "\n"}
_ESCAPES = {character: f"\\{code}\\" for code, character in _CODES.items()}
_ESCAPES["\n"] = "\\.br\\"
_SHORTEST_TEXT = 60
_FILES = frozenset({"ED", "RP"})
# Number of the field that names the encoding, and of the version, as MSH counts.
_CHARSET, _VERSION, _CONTROL_ID = 18, 12, 10
# Types by what their components hold (chapter 2.A); others are taken apart.
_NAMES = {"XPN": (0, 4), "PN": (0, 4), "XCN": (1, 5), "CN": (1, 5), "PPN": (1, 5)}
_CODED = frozenset({"CE", "CWE", "CNE", "CF"})
_TABLES = frozenset({"ID", "IS", "SI", "NM", "TM", "SN", "VID"})
_TIMES = frozenset({"TS", "DT", "DTM"})
_PHONES = frozenset({"XTN", "TN"})
_AREA_AND_NUMBER = (5, 6)
_LETTERED = frozenset({"TX", "FT"})
_ADDRESS = ("ADDRESS", "ADDRESS", "LOCATION", "LOCATION", "ADDRESS")
_ADDRESSES = frozenset({"XAD", "AD"})
_RECORDS = {"CX": 1, "CK": 1, "EI": 1, "DLN": 1, "EIP": 2}
_ROLES = {"PID": "patient", "NK1": "relative", "GT1": "relative", "IN1": "relative"}
_MOST_WORDS_OF_CODE = 8
_FULL_TIME = re.compile(r"\d{6}")
_PHONE = re.compile(r"(?:\D*\d){6}")
_CEDULA = re.compile(r"\d{7,8}")
_NUMBER = re.compile(r"(?!.*\d{7})[<>=]{0,2}-?[\d.]+(?:[:/-]\d+)?")

Span = tuple[int, int]
Sure = tuple[str, str | None]


def open_hl7(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read a file of HL7 v2 messages; each is a record of its own.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If there is no message in it, or it has other separators.
    """
    found = encoding or find_encoding([data], name)
    raw = found.decode(data).removeprefix("\ufeff")
    refuse_control_characters(raw.translate(dict.fromkeys(map(ord, _FRAME))), name)
    lines = [match.span() for match in _LINE.finditer(raw)]
    lines = [(s + (raw[s] in _FRAME), e) for s, e in lines if raw[s:e].strip(_FRAME)]
    if not lines or raw[lines[0][0] :][:3] not in _HEADERS:
        raise InputError(f"{name}: begins with no MSH segment; name it .txt")
    records: list[Record] = []
    message = _Message("2.5.1", {})
    for number, (start, end) in enumerate(lines, start=1):
        segment = raw[start : start + 3]
        if segment in _HEADERS and raw[start + 3 : start + 8] != _SEPARATORS:
            raise InputError(
                f"{name}: segment {number} has separators other than {_SEPARATORS}, "
                "which are not read"
            )
        if segment == "MSH" or not records:
            fields = raw[start:end].split("|")
            version = fields[_VERSION - 1] if len(fields) >= _VERSION else ""
            message = _Message(version.partition("^")[0], {})
        values = [checked(v, name) for v in message.segment(raw, start, end)]
        if segment == "MSH" or not records:
            records.append(Record(start, end, values))
        else:
            old = records[-1]
            records[-1] = Record(old.start, end, [*old.values, *values])
    return Structured(raw, records, ".hl7", str)


@dataclass(frozen=True)
class _Message:
    """A message while its segments are read.

    :param version: Version of the standard.
    :param seen: How many segments of each name there were.
    """

    version: str
    seen: dict[str, int]

    def segment(self, raw: str, start: int, end: int) -> Iterator[Value]:
        """Yield the values of a segment; one of no standard shape is a text."""
        name = _SEGMENT.match(raw, start, end)
        if name is None:
            # A line that a program broke off from the segment before.
            yield _prose(_value(raw, (start, end), "text"))
            return
        self.seen[name[0]] = self.seen.get(name[0], 0) + 1
        fields = (
            split_spans(raw, (name.end() + 1, end), "|") if name.end() < end else []
        )
        # The first separator of a header is a field of its own; the second holds the
        # others.
        first = 2 if name[0] in _HEADERS else 1
        kinds = raw[slice(*fields[1])] if name[0] == "OBX" and len(fields) > 1 else ""
        for number, span in enumerate(fields, start=first):
            if span[0] == span[1] or (first == 2 and number == 2):
                continue
            path = f"{name[0]}[{self.seen[name[0]]}]-{number}"
            kind = type_of_field(self.version, name[0], number)
            if name[0] == "OBX" and number == 5:
                kind = kinds
            if kind in _FILES:
                yield Value(
                    *span, "", None, str, path, instead="", dropped=Dropped.ENCODED
                )
            elif first == 2 and number == _CHARSET:
                yield Value(*span, "", None, str, path, instead="UNICODE UTF-8")
            elif kind in _LETTERED or _is_text(raw[slice(*span)], kind):
                yield _prose(_value(raw, span, path, lines=True))
            elif first == 2 and (number == _CONTROL_ID or 3 <= number <= 6):
                yield from _of_header(raw, span, path)
            else:
                field = _Field(self.version, name[0], number, path)
                for repeat in split_spans(raw, span, "~"):
                    yield from field.values(raw, repeat, kind)


@dataclass(frozen=True)
class _Field:
    """A field while its components are read."""

    version: str
    segment: str
    number: int
    path: str

    def values(
        self, raw: str, span: Span, kind: str, inner: bool = False
    ) -> Iterator[Value]:
        """Yield the values of a repetition, a component or a part of one.

        :param raw: The file.
        :param span: Where it stands.
        :param kind: Its type.
        :param inner: Whether it is a component, whose parts ``&`` separates.
        """
        if span[0] == span[1]:
            return
        parts = split_spans(raw, span, "&" if inner else "^")
        types = types_of_components(self.version, kind)
        if kind in _NAMES:
            yield from self._named(raw, parts, kind)
        elif kind in _CODED:
            yield from _coded(raw, parts, self.path)
        elif types:
            for number, part in enumerate(parts):
                of_part = types[number] if number < len(types) else ""
                sure = self._sure(kind, number, raw[slice(*part)])
                if sure is None and not inner:
                    yield from self.values(raw, part, of_part, inner=True)
                else:
                    yield from _leaf(raw, part, of_part, self.path, sure)
        else:
            for part in parts:
                yield from _leaf(
                    raw, part, kind, self.path, self._sure(kind, 0, raw[slice(*part)])
                )

    def _named(self, raw: str, parts: list[Span], kind: str) -> Iterator[Value]:
        """Yield a name, from its first filled part to its last, and what follows."""
        first, last = _NAMES[kind]
        number = raw[slice(*parts[0])].strip()
        if first and number and not any(map(str.isdigit, number)):
            first, last = 0, 4
        elif first and number:
            licence = _CEDULA.fullmatch(number)
            entity = "MX_PROFESSIONAL_LICENSE" if licence else "MEDICAL_RECORD"
            yield _value(raw, parts[0], self.path, sure=(entity, None))
        filled = [part for part in parts[first:last] if raw[slice(*part)].strip(' "')]
        if filled:
            span = filled[0][0], filled[-1][1]
            sure = None
            if not empty(fold(raw[slice(*span)])):
                staff = (
                    "staff"
                    if kind in ("XCN", "CN", "PPN") or self.segment == "PRD"
                    else None
                )
                sure = ("PERSON", staff or _ROLES.get(self.segment, "other"))
            yield replace(_value(raw, span, self.path, sure=sure), escape=_in_name)
        types = types_of_components(self.version, kind)
        for place, part in enumerate(parts[last:], start=last):
            of_part = types[place] if place < len(types) else ""
            yield from self.values(raw, part, of_part, inner=True)

    def _sure(self, kind: str, number: int, text: str) -> Sure | None:
        """Return what a component identifies by its type."""
        if not any(map(str.isalnum, text)) or empty(fold(text)):
            return None
        if kind in _ADDRESSES and number < len(_ADDRESS):
            return _ADDRESS[number], None
        if kind in _PHONES and _PHONE.match(text):
            return "EMAIL_ADDRESS" if "@" in text else "PHONE_NUMBER", None
        if kind in _PHONES and "@" in text:
            return "EMAIL_ADDRESS", None
        if kind in _PHONES and number in _AREA_AND_NUMBER and text.isdigit():
            return "PHONE_NUMBER", None
        if kind in _TIMES and number == 0 and _FULL_TIME.match(text):
            return "DATE_TIME", None
        if (self.segment, self.number) == ("PID", 19):
            return "MX_NSS", None
        digits = any(map(str.isdigit, text))
        if number < _RECORDS.get(kind, 0) and digits and self.segment not in _HEADERS:
            return "MEDICAL_RECORD", None
        return None


def _leaf(
    raw: str, span: Span, kind: str, path: str, sure: Sure | None = None
) -> Iterator[Value]:
    """Yield a value that has no parts, unless it is empty."""
    text = raw[slice(*span)]
    if not text:
        return
    value = _value(raw, span, path, sure=sure)
    table = kind in _TABLES and (is_code(value.text) or _NUMBER.fullmatch(value.text))
    if sure is None and (table or re.fullmatch(r"HL7\d{4}", text)):
        value = replace(value, read=Read.KEPT)
    yield value


def _coded(raw: str, parts: list[Span], path: str) -> Iterator[Value]:
    """Yield what of a coded element is text: a name with a code is of nobody."""
    for number, part in enumerate(parts):
        text = raw[slice(*part)]
        if not text:
            continue
        base = 3 * (number // 3)
        code = raw[slice(*parts[base])] if base < len(parts) else ""
        few = len(text.split()) <= _MOST_WORDS_OF_CODE
        named = number in (1, 4) and bool(code) and is_code(code) and few
        if named or (number not in (1, 4, 8) and is_code(text)):
            yield _value(raw, part, path, read=Read.KEPT)
        else:
            yield _value(raw, part, path, read=Read.PROSE)


def _of_header(raw: str, span: Span, path: str) -> Iterator[Value]:
    """Yield the names of programs and places of a header, by their words."""
    for part in split_spans(raw, span, "^"):
        value = _value(raw, part, path)
        text, _ = in_words(value.text)
        number = re.search(r"\d{7}", value.text) is not None
        if text:
            yield replace(
                value,
                text=text,
                origins=None,
                read=Read.PROSE,
                sure=("MEDICAL_RECORD", None) if number else None,
            )


def _is_text(value: str, kind: str) -> bool:
    long = kind in ("ST", "", "varies") and len(value) > _SHORTEST_TEXT
    return (long and " " in value) or "\\.br\\" in value


def _prose(value: Value) -> Value:
    return replace(value, read=Read.PROSE)


def _value(
    raw: str,
    span: Span,
    path: str,
    *,
    read: Read = Read.FIELD,
    sure: Sure | None = None,
    lines: bool = False,
) -> Value:
    """Return a value with its escapes undone; repetitions of a text are its lines."""
    text: list[str] = []
    origins: list[int] = []
    for match in _CHARACTER.finditer(raw, *span):
        letters = "\n" if lines and match[0] == "~" else _letters(match)
        text.append(letters)
        origins += [match.start()] * len(letters)
    whole = "".join(text)
    return Value(*span, whole, [*origins, span[1]], _escaped, path, read, sure=sure)


def _letters(match: re.Match[str]) -> str:
    code = match["code"]
    if code is None:
        return match[0]
    if code[0] == "X":
        try:
            raw = bytes.fromhex(code[1:])
        except ValueError:
            return code[1:]
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("cp1252", "replace")
    if code[0] == "Z":
        return code[1:]  # a site's own: what stands in it is text
    return _CODES.get(code, _CODES.get(code[:3], ""))


def _in_name(text: str) -> str:
    """Return what stands for a name; it may go on over components."""
    return text.replace("|", _ESCAPES["|"]).replace("\n", _ESCAPES["\n"])


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
