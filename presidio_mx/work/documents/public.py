"""Values that name a public thing, values that nobody can read, keys of a format."""

import base64
import binascii
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from presidio_mx.find.structure.meanings import load_meanings
from presidio_mx.find.structure.parts import key_of
from presidio_mx.yaml_file import read_yaml

# Code systems and schemas that everybody uses: their roots, whole.
_ROOTS = re.compile(
    r"https?://(?:(?:www\.)?(?:loinc\.org|snomed\.info/(?:sct|id)|unitsofmeasure\.org"
    r"|whocc\.no/atc|dicom\.nema\.org/resources/ontology/DCM|hl7\.org/fhir)"
    r"|terminology\.hl7\.org|nucc\.org|radlex\.org|www\.w3\.org|hl7\.org|fhir\.org"
    r"|www\.nlm\.nih\.gov|www\.who\.int|ihe\.net|www\.ihe\.net)"
)
# An arc of more digits could be a telephone or a record.
_OID = r"(?:urn:oid:)?[0-2](?:\.(?:0|[1-9]\d{0,5})){2,20}"
_URN = re.compile(
    rf"{_OID}|urn:uuid:[\da-fA-F]{{8}}(?:-[\da-fA-F]{{4}}){{3}}-[\da-fA-F]{{12}}"
    r"|urn:ietf:(?:rfc|bcp):\d{1,4}|urn:iso:std:iso:\d{1,5}(?:[:-]\d{1,4})?"
    r"|urn:hl7-org:(?:v3|sdtc|v3/voc)|urn:ihe:(?:pharm|lab|iti|pcc|rad)"
)
_VERSION = re.compile(r"\|\d{1,4}(?:\.\d{1,4}){0,2}(?:-[a-z]+\d?)?")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SHORT = re.compile(r"[/#._-]|\d{1,4}")
_LETTER_DIGIT = re.compile(
    r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-zà-ÿ])(?=[A-ZÀ-ß])|[_:.-]+"
)
# A file in letters (base64): rules cannot look into it.
_LETTERS = re.compile(
    r"(?:data:[\w/+.-]+;base64,)?(?P<data>[A-Za-z0-9+/_\-\s]+={0,2})\s*"
)
_LONG = 100
_SHORTEST = 12
_SHORTEST_KEY = 3
_FEW_BLANKS = 0.03
_MAGIC = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"PK\x03\x04", b"II*\x00", b"{\\rtf")
_MIXED = re.compile(r"(?=.*[a-z])(?=.*[A-Z])")
_TEXT = re.compile(r"[\t\n\r -~\xa0-\u024f\u2010-\u203a]+")


@cache
def fhir_names(kind: str) -> frozenset[str]:
    """Return names of FHIR's elements.

    :param kind: ``codes``, ``dates``, or ``words``, of which all names are made.
    """
    listed: str = read_yaml(Path(__file__).with_name("fhir.yaml"))[kind]
    return frozenset(listed.split())


def is_public(text: str) -> bool:
    """Tell whether a value is the name of a public code system or schema, whole.

    :param text: The value.
    """
    text = text.strip()
    if _URN.fullmatch(text):
        return True
    root = _ROOTS.match(text)
    if root is None:
        return False
    rest = text[root.end() :]
    version = _VERSION.search(rest)
    return _of_fhir(rest[: version.start()] if version else rest, version, rest)


def _of_fhir(path: str, version: re.Match[str] | None, rest: str) -> bool:
    """Tell whether a path is made of FHIR's own words and short numbers."""
    if version is not None and version.end() != len(rest):
        return False
    if path and path[0] not in "/#":
        return False
    words = _WORD.findall(path)
    known = fhir_names("words")
    if not all(word.lower() in known or len(word) < 3 for word in words):
        return False
    return not re.search(r"\d{5}", path) and not _SHORT.sub("", _WORD.sub("", path))


def encoded(text: str) -> bool:
    """Tell whether a value is a file in letters, which nobody can read.

    :param text: The value.
    """
    match = _LETTERS.fullmatch(text)
    if match is None or len(text) < _SHORTEST:
        return False
    data = "".join(match["data"].split())
    if len(text) >= _LONG:
        return len(text) - len(data) <= max(_FEW_BLANKS * len(text), len(text) // 60)
    return data == match["data"] and _decodes(data)


def base64_of_any_length(text: str) -> bool:
    """Tell whether a value that should be base64 can be.

    :param text: A value whose key says that it holds a file.
    """
    match = _LETTERS.fullmatch(text)
    return match is not None and len("".join(match["data"].split())) % 4 != 1


def _decodes(data: str) -> bool:
    """Tell whether short base64 holds a text or begins as a file does."""
    if len(data) % 4 or not _MIXED.match(data):
        return False
    try:
        raw = base64.b64decode(data, altchars=b"-_" if set("-_") & set(data) else None)
        text = raw.decode("utf-8")
    except (binascii.Error, ValueError):
        return data[:8].isalnum() and base64.b64decode(data[:8]).startswith(_MAGIC)
    return bool(_TEXT.fullmatch(text)) and any(map(str.isalpha, text))


def is_of_format(key: str) -> bool:
    """Tell whether a key is FHIR's or CDA's, or one whose meaning is listed.

    :param key: A key, tag or attribute as it is written.
    """
    return (
        len(key) < _SHORTEST_KEY or key_of(key) in load_meanings().keys or is_fhir(key)
    )


def is_fhir(key: str) -> bool:
    """Tell whether a key is made of the words of FHIR and CDA alone.

    :param key: A key, tag or attribute as it is written.
    """
    words = _WORD.findall(key)
    known = fhir_names("words")
    return "".join(words) == key and all(word.lower() in known for word in words)


def in_words(key: str) -> tuple[str, list[int]]:
    """Return a key with blanks between its words, and where each character was.

    :param key: ``WenceslaoZurita``, ``tel_4431234567``.
    :return: The text; offset in the key of each of its characters and of its end.
    """
    text: list[str] = []
    origins: list[int] = []
    for start, end in _runs(key):
        if text:
            text.append(" ")
            origins.append(start)
        text += key[start:end]
        origins += range(start, end)
    return "".join(text), [*origins, len(key)]


def _runs(key: str) -> Iterator[tuple[int, int]]:
    at = 0
    for match in _LETTER_DIGIT.finditer(key):
        if match.start() > at:
            yield at, match.start()
        at = match.end()
    if at < len(key):
        yield at, len(key)
