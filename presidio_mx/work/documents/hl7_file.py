r"""HL7 v2 messages: fields change, segments and separators stay.

Read here and not by a library of messages, which would write them in its own form:
what is not replaced must stay as it was.
"""

import re
from collections.abc import Iterator

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_control_characters
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.structured import Record, Structured, Value, checked

# What frames a message on the wire (MLLP).
_FRAME = "\x0b\x1c"
_LINE = re.compile(r"[^\r\n]+")
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}(?=\||$)")
_FIELD = re.compile(r"[^|]*")
_SEPARATORS = "|^~\\&"
# Batches (HL7 v2.5.1, 2.10.3) open with a header of their own, with the separators too.
_HEADERS = frozenset({"MSH", "FHS", "BHS"})
# Escapes of chapter 2.7: separators, line breaks, bytes, highlighting.
_CHARACTER = re.compile(r"\\(?P<code>[A-Z.][^\\\r\n]{0,80})?\\|[^\\]|\\")
_CODES = {"F": "|", "S": "^", "T": "&", "R": "~", "E": "\\", ".br": "\n", ".sp": "\n"}
_ESCAPES = {character: f"\\{code}\\" for code, character in _CODES.items()}
_ESCAPES["\n"] = "\\.br\\"
# Where texts stand (chapters 2, 7): segment and number of the field.
_TEXTS = frozenset({("OBX", 5), ("NTE", 3)})
_SHORTEST_TEXT = 60
_TYPE = 2
_FILES = frozenset({"ED", "RP"})
_REPEATS = "~"
# Number of the field that names the encoding, counted as MSH counts.
_CHARSET = 18


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
    for number, (start, end) in enumerate(lines, start=1):
        segment = raw[start : start + 3]
        if segment in _HEADERS and raw[start + 3 : start + 8] != _SEPARATORS:
            raise InputError(
                f"{name}: segment {number} has separators other than {_SEPARATORS}, "
                "which are not read"
            )
        values = [checked(value, name) for value in _values(raw, start, end)]
        if segment == "MSH" or not records:
            records.append(Record(start, end, values))
        else:
            old = records[-1]
            records[-1] = Record(old.start, end, [*old.values, *values])
    return Structured(raw, records, ".hl7", str)


def _values(raw: str, start: int, end: int) -> Iterator[Value]:
    """Yield the fields of a segment; one of no standard shape is a text."""
    name = _SEGMENT.match(raw, start, end)
    if name is None:
        # A line that a program broke off from the segment before.
        yield _prose(raw, start, end)
        return
    spans, at = [], name.end() + 1
    while at <= end:
        field = _FIELD.match(raw, at, end)
        assert field is not None
        spans.append(field.span())
        at = field.end() + 1
    # The first separator of a header is a field of its own; the second holds the rest.
    first = 2 if name[0] in _HEADERS else 1
    kind = raw[slice(*spans[_TYPE - 1])] if len(spans) >= _TYPE else ""
    for number, span in enumerate(spans, start=first):
        if span[0] == span[1] or (first == 2 and number == 2):
            continue
        if name[0] == "OBX" and kind in _FILES and number == 5:
            yield Value(*span, "", None, str, instead="", dropped=Dropped.ENCODED)
        elif name[0] == "MSH" and number == _CHARSET:
            yield Value(*span, "", None, str, instead="UNICODE UTF-8")
        elif (name[0], number) in _TEXTS and _is_text(raw[slice(*span)]):
            yield _prose(raw, *span)
        else:
            own = raw[slice(*span)]
            yield Value(*span, own, range(span[0], span[1] + 1), _in_field)


def _is_text(value: str) -> bool:
    return len(value) > _SHORTEST_TEXT or "\\.br\\" in value


def _prose(raw: str, start: int, end: int) -> Value:
    """Return a text with its escapes undone; repetitions are its lines."""
    text, origins = [], []
    for match in _CHARACTER.finditer(raw, start, end):
        letter = _letter(match)
        text.append(letter)
        origins += [match.start()] * len(letter)
    return Value(start, end, "".join(text), [*origins, end], _escaped, prose=True)


def _letter(match: re.Match[str]) -> str:
    code = match["code"]
    if code is None:
        return "\n" if match[0] == _REPEATS else match[0]
    if code.startswith("X"):
        try:
            return bytes.fromhex(code[1:]).decode("cp1252", "replace")
        except ValueError:
            return ""
    return _CODES.get(code, _CODES.get(code[:3], ""))


def _in_field(text: str) -> str:
    """Return what stands for a part of a field; it may go on over components."""
    return text.replace("|", _ESCAPES["|"]).replace("\n", _ESCAPES["\n"])


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
