"""Ages: kept, in bands of ten years, or capped."""

import re

from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.numerals import read_number
from presidio_mx.spanish.words import either
from presidio_mx.text.folding import fold

# Bands of da Silva & Pazin-Filho (2025): ten years each, the last from 70 on.
TOP_BAND = 70
# HIPAA Safe Harbor, 45 CFR 164.514(b)(2)(i)(C): ages over 89 are one category.
CAP = 89
# Below so many years an age in months, weeks or days is kept.
_INFANCY = 5
_MONTHS = re.compile(
    rf"{either('age_below_year')}|\d\s*m(?:e?se?s?)?\b|\d\s*(?:d|sem)\b|rn\b"
)
_NUMBER = re.compile(r"\d{1,4}")
_YOUNGER = re.compile(
    rf"{either('age_below_year')}|\bm\b|\d\s*m\b|\bd\b|\d\s*d\b|rn\b", re.IGNORECASE
)


def read_age(text: str) -> int | None:
    """Return an age in full years.

    :param text: E.g. ``46 años``, ``75a``, ``1 año 8 meses``, ``cuarenta años``.
    :return: Years; 0 for an age in months or less than a year; None if unreadable.
    """
    folded = fold(text)
    match = _NUMBER.search(folded)
    if match is None:
        words = [w for w in re.findall(r"[a-z]+", folded) if w not in ("anos", "ano")]
        for size in (3, 1):
            value = read_number(" ".join(words[:size]))
            if value is not None:
                return 0 if "mes" in folded and "ano" not in folded else value
        return None
    if _YOUNGER.search(folded) and not re.search(r"ano|\d\s*a\b", folded):
        return int(match.group()) // 12 if "mes" in folded else 0
    return int(match.group())


def write_band(years: int) -> str:
    """Return the band of ten years of an age.

    :param years: Age in years.
    :return: ``0-9``, ..., ``60-69``, ``70 y más``: "a los 40-49" can still be read.
    """
    if years >= TOP_BAND:
        return f"{TOP_BAND} y más"
    low = years // 10 * 10
    return f"{low}-{low + 9}"


def band(text: str, lowest: int | None = None, infants: bool = False) -> str | None:
    """Return an age as a band.

    :param text: The age as it stands in the document.
    :param lowest: Lowest age of the patient over all visits, if lower it decides.
    :param infants: Keep an age below five years that is written in months or days.
    :return: E.g. ``40-49 años``; the unit is kept if it was written out.
    """
    years = read_age(text)
    if years is None:
        return None
    folded = fold(text)
    if infants and years < _INFANCY and _MONTHS.search(folded):
        return text
    if lowest is not None:
        years = min(years, lowest)
    if years >= TOP_BAND:
        return write_band(years)
    bare = re.fullmatch(r"\D{0,3}\d+\W*", folded)
    return write_band(years) + ("" if bare else " años")


def cap(text: str) -> str | None:
    """Return an age as it is, or "89 y más" from 89 on.

    :param text: The age as it stands in the document.
    :return: The age; None if it cannot be read.
    """
    years = read_age(text)
    if years is None:
        return None
    if years < CAP:
        return text
    return f"{CAP} y más"


def lowest_age(ages: list[str]) -> int | None:
    """Return the lowest age of a patient over several notes.

    :param ages: Ages as they stand in the notes.
    :return: Years; None if none can be read.
    """
    years = [value for value in map(read_age, ages) if value is not None]
    return min(years, default=None)


def surrogate_age(text: str, context: Context) -> str:
    """Return an age as the settings ask: kept, as a band, or capped.

    Kept ages agree with shifted birth dates, as all dates move alike.

    :param text: The age as it stands in the document.
    :param context: Settings.
    :return: The age to write.
    """
    settings = context.settings
    if settings.ages == "band":
        return band(text, settings.lowest_age, infants=True) or "{EDAD}"
    if settings.ages == "cap":
        return cap(text) or "{EDAD}"
    return text
