"""Surrogates of record numbers and serials: their make stays, years in them move.

"GMM-0077123" says which kind of number it is, and keeps its letters; "OAX-90240" says
of which state, and goes where the state goes; what else "CDHEH-0031" says, may be a
place, and becomes a word of any series.
"""

import re

from presidio_mx.replace.codes import RFC_SUFFIX, surrogate_nss, surrogate_rfc
from presidio_mx.replace.context import Context, tag_of
from presidio_mx.replace.dates import shift, shift_year, surrogate_date
from presidio_mx.replace.shapes import permute_code, scramble
from presidio_mx.replace.states import other_letters
from presidio_mx.spanish.dates import full_year, possible_date
from presidio_mx.spanish.ordinary import common_words
from presidio_mx.spanish.words import either, listed, words
from presidio_mx.spanish.writing import (
    alphanumeric,
    match_case,
    plain_digits,
    write_like,
)
from presidio_mx.text.folding import fold, fold_key

# A year stands between signs ("VH-2023-0091847"); else one of two digits at the
# beginning or the end of a number that has more ("24-017730", "UR/0219/24").
_FOUR = re.compile(r"(?<![A-Za-z0-9])(?:19[5-9]|20[0-4])\d(?![A-Za-z0-9])")
_TWO = re.compile(
    r"(?:^|(?<=[A-Za-z][-/])|(?<=^[A-Za-z])|(?<=^[-/]))(?:9\d|[0-3]\d)"
    r"(?=[-/][A-Z]{0,2}\d{3})"
    r"|(?<=\w[-/])(?:9\d|0[1-9]|[1-3]\d)$"
    r"|(?<=\w[-/])[12]\d(?=[-/][A-Z][-/]\d{3})"
)
# A day or a month in a number: "20240930-3N", "CI-FIA/01290/07-2022".
_DAY_IN = re.compile(r"(?<![A-Za-z0-9])(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d(?!\d)")
_MONTH_FIRST = re.compile(r"(?<![A-Za-z0-9])20[0-4]\d(?:0[1-9]|1[0-2])(?=[-/]\d{3})")
_MONTH_IN = re.compile(r"(?<![A-Za-z0-9])(?:0[1-9]|1[0-2])[-/](?:19|20)\d\d$")
# What is no number of a record: a day ("14/08"), a time ("21 d").
_DAY = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])(?:/(?:0[1-9]|1[0-2])"
    r"|([-/.])(?:0?[1-9]|1[0-2])\1(?:19|20)\d\d)"
)
_LETTERS = re.compile(r"[^\W\d_]{5,}")
_DURATION = re.compile(r"\d{1,3}\s+[a-z]{1,3}")
# What a number is of stays: "RN-0933", "PPNNA/0412".
_SERIES = either("record_series")
_LABEL = re.compile(rf"{_SERIES}(?:[-/]{_SERIES})*(?=[-/. ]*\d|[-/])")
# A number of IMSS with its agregado, whatever it was found as.
_SOCIAL_SECURITY = re.compile(
    r"\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{4}[ -]?\d[ /-]?\s?\d[MFH](?:19|20)\d\d[A-Z]{2}"
)
_PIECE = re.compile(r"[^\W_]+")
_PREFIX = re.compile(r"([A-Za-z]+)\d*")
_MOST_PIECES = 8
_SHORTEST = 3  # letters; two are too few for a word of a series
_KEPT = words("record_series", "record_acronym")
_NEUTRAL = listed("record_neutral")
_SIGN = re.compile(r"(?i)(?:n\.?[º°]|n[oú]m?\.|#)\s*(?=\S*\d)")
_MARK, _HELD = "\0", "\1"
# The first half of a hardware address names its maker.
_MAC = re.compile(r"([0-9A-Fa-f]{2}[:.-]?){5}[0-9A-Fa-f]{2}")
_HEX = "0123456789ABCDEF"
_FIRST_OF_EIGHT, _GIVEN_OUT = 10_000_000, 4_500_000  # licences


def surrogate_record(text: str, context: Context) -> str:
    """Return a record number of the same make.

    Years in it move with the dates, as a note of 2022 with a number of 2023 would say
    by how much; the word for a series of numbers stays.

    :param text: The number as it stands in the document.
    :param context: Key and settings.
    """
    sign = _SIGN.match(text)
    if sign:  # "n.º DE-88"
        return sign.group() + surrogate_record(text[sign.end() :], context)
    if RFC_SUFFIX.fullmatch(text):  # ISSSTE's record number is the RFC
        return surrogate_rfc(text, context)
    if _SOCIAL_SECURITY.fullmatch(text):
        return surrogate_nss(text, context)
    if _DAY.fullmatch(text):
        return surrogate_date(text, context)
    digits = any(map(str.isdigit, text))
    if _DURATION.fullmatch(text) or (not digits and _LETTERS.search(text)):
        return tag_of("MEDICAL_RECORD")  # "ISSEMYM": whose the number is
    label = _LABEL.match(fold(text))
    start = label.end() if label else _word_first(text)
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        value = plain_digits(match.group())
        kept.append(_moved(value, context))
        return _MARK

    patterns = (_DAY_IN, _MONTH_FIRST, _MONTH_IN, _FOUR)
    years = next((p for p in patterns if p.search(text, start)), _TWO)
    marked = years.sub(keep, text[start:].replace(_MARK, " "))
    if not any(c.isalnum() for c in marked):
        if years in (_DAY_IN, _MONTH_IN):
            return text[:start] + marked.replace(_MARK, kept[0])
        return scramble(text, "MEDICAL_RECORD", context.draw)
    others = _numbered(marked, context)
    for year in kept:
        others = others.replace(_MARK, year, 1)
    return text[:start] + others


def surrogate_license(text: str, context: Context) -> str:
    """Return another licence number; one of eight digits as they are given out.

    The register (SEP, Dirección General de Profesiones) has reached fourteen million.

    :param text: The number as it stands in the document.
    :param context: Key and settings.
    """
    code = alphanumeric(text)
    eight = len(code) == len(str(_FIRST_OF_EIGHT)) and code.isdecimal()
    place = int(code) - _FIRST_OF_EIGHT if eight else -1
    if not 0 <= place < _GIVEN_OUT:
        return scramble(text, "MX_PROFESSIONAL_LICENSE", context.draw)
    other = context.draw.permute(_GIVEN_OUT, place, "license")
    return write_like(text, str(_FIRST_OF_EIGHT + other))


def _moved(text: str, context: Context) -> str:
    """Return a year, month or day as it stands in a number, moved."""
    digits = "".join(c for c in text if c.isdigit())
    if len(digits) <= len("2024"):
        year = shift_year(full_year(int(digits), len(digits)), context)
        return f"{year:04d}"[-len(digits) :]
    if len(digits) == len("202407"):
        first = len(text) == len(digits)
        four, two = (digits[:4], digits[4:]) if first else (digits[2:], digits[:2])
        value = possible_date(int(four), int(two), 15)
        form = "%Y%m" if first else f"%m{text[2]}%Y"
    else:
        value = possible_date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        form = "%Y%m%d"
    if value is None:  # "20240230"
        return permute_code(digits, "record day", context.draw)
    return shift(value, context).strftime(form)


def _word_first(text: str) -> int:
    """Return where a word of Spanish ends that opens a number: "LABORAL 1450/2008"."""
    word = _LETTERS.match(text)
    known = word is not None and fold_key(word.group()) in common_words()
    return word.end() if word is not None and known else 0


def _numbered(text: str, context: Context) -> str:
    """Return another number: its digits change, its letters keep what they say."""
    pieces = _PIECE.findall(text)
    heads = [match[1] for piece in pieces if (match := _PREFIX.fullmatch(piece))]
    digits = any(c.isdigit() for c in text)
    if not (heads and digits and text.isascii()) or len(pieces) > _MOST_PIECES:
        return scramble(text, "MEDICAL_RECORD", context.draw)
    dropped: list[str] = []
    written: list[str] = []

    def hold(match: re.Match[str]) -> str:
        head = _PREFIX.fullmatch(match.group())
        if head is None:
            return match.group()
        new = _prefix(head[1], context)
        if new is None:
            dropped.append(fold_key(head[1]))
            at = context.draw.number(len(_NEUTRAL), "record prefix", dropped[-1])
            new = _NEUTRAL[(at + len(dropped) - 1) % len(_NEUTRAL)]
        written.append(match_case(head[1], new.upper()))
        return _HELD + match.group()[len(head[1]) :]

    held = _PIECE.sub(hold, text)
    # Two series that get one word stay apart by their digits.
    new = scramble(held, " ".join(("MEDICAL_RECORD", *dropped)), context.draw)
    for image in written:
        new = new.replace(_HELD, image, 1)
    return new


def _prefix(head: str, context: Context) -> str | None:
    """Return what letters become; None for a word of which any series does."""
    key = fold_key(head)
    if head.isupper() and (letters := other_letters(head, context)):
        return letters
    if key in _KEPT:
        return head
    if len(head) >= _SHORTEST:
        return None
    new = permute_code(head.upper(), "record letters", context.draw)
    while fold_key(new) in _KEPT:  # those are images of themselves
        new = permute_code(new, "record letters", context.draw)
    return new


def surrogate_device(text: str, context: Context) -> str:
    """Return the serial number or hardware address of another device.

    :param text: As it stands in the document.
    :param context: The key.
    :return: Of the same shape; of an address (IEEE 802) one that is administered
        locally, which no maker gives to a device.
    """
    if not _MAC.fullmatch(text):
        return scramble(text, "DEVICE_ID", context.draw)
    number = context.draw.number(2**48, "mac", fold_key(text))
    signs = [_HEX[number >> shift & 15] for shift in range(44, -4, -4)]
    signs[1] = "26AE"[number % 4]
    new = iter(signs if text.upper() == text else "".join(signs).lower())
    return "".join(next(new) if c.isalnum() else c for c in text)
