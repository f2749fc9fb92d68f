"""Surrogates of record numbers: their make stays, and years in them move."""

import re

from presidio_mx.replace.surrogates.calendar import full_year, possible_date
from presidio_mx.replace.surrogates.codes import RFC_SUFFIX, surrogate_rfc
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.dates import shift, shift_year, surrogate_date
from presidio_mx.replace.surrogates.ordinary import common_words
from presidio_mx.replace.surrogates.record_prefixes import numbered
from presidio_mx.replace.surrogates.shape import (
    permute_code,
    plain_digits,
    scramble,
)
from presidio_mx.replace.surrogates.social_security import surrogate_nss
from presidio_mx.replace.surrogates.unread import tag_of
from presidio_mx.spanish.words import either
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
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])/(?:0[1-9]|1[0-2])")
_DATE = re.compile(r"(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|1[0-2])\1(?:19|20)\d\d")
_WORDS = re.compile(r"[^\W\d_]{5,}")
_DURATION = re.compile(r"\d{1,3}\s+[a-z]{1,3}")
# What a number is of stays: "RN-0933", "PPNNA/0412".
_SERIES = either("record_series")
_LABEL = re.compile(rf"{_SERIES}(?:[-/]{_SERIES})*(?=[-/. ]*\d|[-/])")
# A number of IMSS with its agregado, whatever it was found as.
_SOCIAL_SECURITY = re.compile(
    r"\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{4}[ -]?\d[ /-]?\s?\d[MFH](?:19|20)\d\d[A-Z]{2}"
)
_MARK = "\0"


def surrogate_record(text: str, context: Context) -> str:
    """Return a record number of the same make.

    Years in it move with the dates, as a note of 2022 with a number of 2023 would say
    by how much; the word for a series of numbers stays.

    :param text: The number as it stands in the document.
    :param context: Key and settings.
    :return: Another one.
    """
    if RFC_SUFFIX.fullmatch(text):  # ISSSTE's record number is the RFC
        return surrogate_rfc(text, context)
    if _SOCIAL_SECURITY.fullmatch(text):
        return surrogate_nss(text, context)
    if _DAY.fullmatch(text) or _DATE.fullmatch(text):
        return surrogate_date(text, context)
    if _DURATION.fullmatch(text):
        return tag_of("MEDICAL_RECORD")
    if not any(map(str.isdigit, text)) and _WORDS.search(text):
        return tag_of("MEDICAL_RECORD")  # "ISSEMYM": whose the number is
    label = _LABEL.match(fold(text))
    start = label.end() if label else _said_first(text)
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        digits = plain_digits(match.group())
        dated = _moved_date(digits, context)
        if not dated:
            year = shift_year(full_year(int(digits), len(digits)), context)
            dated = f"{year:04d}"[-len(digits) :]
        kept.append(dated)
        return _MARK

    patterns = (_DAY_IN, _MONTH_FIRST, _MONTH_IN, _FOUR)
    years = next((p for p in patterns if p.search(text, start)), _TWO)
    marked = years.sub(keep, text[start:].replace(_MARK, " "))
    if not any(c.isalnum() for c in marked):
        if years in (_DAY_IN, _MONTH_IN):
            return text[:start] + marked.replace(_MARK, kept[0])
        return scramble(text, "MEDICAL_RECORD", context)
    others = numbered(marked, context)
    for year in kept:
        others = others.replace(_MARK, year, 1)
    return text[:start] + others


def _moved_date(text: str, context: Context) -> str:
    """Return a day or month as it stands in a number, moved; nothing for a year."""
    digits = "".join(c for c in text if c.isdigit())
    if len(digits) <= len("2024"):
        return ""
    if len(text) == len("202407"):
        value = possible_date(int(digits[:4]), int(digits[4:]), 15)
        return "" if value is None else shift(value, context).strftime("%Y%m")
    if len(digits) == len("072024"):
        value = possible_date(int(digits[2:]), int(digits[:2]), 15)
        return "" if value is None else shift(value, context).strftime(f"%m{text[2]}%Y")
    value = possible_date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    if value is None:  # "20240230"
        return permute_code(digits, "record day", context)
    return shift(value, context).strftime("%Y%m%d")


def _said_first(text: str) -> int:
    """Return where a word of Spanish ends that opens a number: "LABORAL 1450/2008"."""
    word = _WORDS.match(text)
    said = word is not None and fold_key(word.group()) in common_words()
    return word.end() if word is not None and said else 0
