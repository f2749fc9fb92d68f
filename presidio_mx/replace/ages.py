"""Ages: kept, in bands, or capped; only what is an age."""

import re

from presidio_mx.replace.context import Context, tag_of
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.numbers import read_number
from presidio_mx.spanish.ordinary import clinical_words
from presidio_mx.spanish.words import either, words
from presidio_mx.text.folding import fold

# Bands of da Silva & Pazin-Filho (2025): ten years each, the last from 70 on.
TOP_BAND = 70
# Bands for research: five years each, to 89.
RESEARCH_WIDTH, RESEARCH_TOP = 5, 90
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
_UNIT = re.compile(r"[a-z]")
_OLDEST = 120
# Before a bare number these say that it is an age; before a time, that it is none.
_TELLS = re.compile(
    r"(?:\bedad|\bage|\banos|\bfem(?:enin[oa])?|\bmasc(?:ulino)?|\bhombre|\bmujer|\bvaron"
    r"|\bde|\bsexo\s*:?\s*[fmh])[\s:.,=|\"'>()\\-]*$"
)
_COUNTS = re.compile(r"\s*(?:\d|:|[/.-]\d)")
_DURATION = re.compile(
    r"(?:\b(?:hace|desde hace|por|durante|tras|lleva|evolucion(?: de)?|tabaquismo|"
    r"diabetes|hipertension|dm2?|has|duracion|vigencia|antiguedad|cada|ultim[oa]s|"
    r"sobrevida|supervivencia|mortalidad|recaida|recidiva|recambio|revision|seguimiento)"
    r"(?:\s+(?:de|en|a|los?|las?|unos|mas|casi))*\s*)$"
)
# "a los 2 años del trasplante", "3 años de abstinencia".
_SINCE = re.compile(
    r"\s*(?:de|del|de la|tras(?: el| la)?|desde|post)\s+(?:abstinencia|evolucion|"
    r"seguimiento|uso|consumo|tratamiento|tto|tx|antiguedad|sobriedad|colocad|operad|"
    r"(?:tras|im)plant|cirugia|diagnostico|dx|inicio|haber|garantia|vigencia|estancia)"
)
_HOUR = re.compile(r"\d{1,2}[ .:]\d{2}")
# "Parkinson (12 años)": how long, where what stands before the bracket is an illness.
_IN_BRACKETS = re.compile(r"([a-z0-9]+)\s*\(\s*$")
_OF_PEOPLE = words("said_of_men", "said_of_women", "said_of_both")


def read_age(text: str) -> int | None:
    """Return an age in full years.

    :param text: E.g. ``46 años``, ``75a``, ``1 año 8 meses``, ``cuarenta años``.
    :return: Years; 0 for an age in months or less than a year; None if unreadable.
    """
    folded = fold(text)
    match = _NUMBER.search(folded)
    if match is None:
        spoken = [w for w in re.findall(r"[a-z]+", folded) if w not in ("anos", "ano")]
        for size in (3, 1):
            value = read_number(" ".join(spoken[:size]))
            if value is not None:
                return 0 if "mes" in folded and "ano" not in folded else value
        return None
    if _YOUNGER.search(folded) and not re.search(r"ano|\d\s*a\b", folded):
        return int(match.group()) // 12 if "mes" in folded else 0
    return int(match.group())


def write_band(years: int, width: int = 10, top: int = TOP_BAND) -> str:
    """Return the band of an age.

    :param years: Age in years.
    :param width: How many years a band has.
    :param top: From here on all ages are one band.
    :return: ``0-9``, ..., ``60-69``, ``70 y más``: "a los 40-49" can still be read.
    """
    if years >= top:
        return f"{top} y más"
    low = years // width * width
    return f"{low}-{low + width - 1}"


def band(
    text: str, lowest: int | None = None, width: int = 10, top: int = TOP_BAND
) -> str | None:
    """Return an age as a band.

    :param text: The age as it stands in the document.
    :param lowest: Lowest age of the patient over all visits, if lower it decides.
    :param width: How many years a band has.
    :param top: From here on all ages are one band.
    :return: E.g. ``40-49 años``; the unit is kept if it was written out.
    """
    years = read_age(text)
    if years is None:
        return None
    if lowest is not None:
        years = min(years, lowest)
    if years >= top:
        return write_band(years, width, top)
    bare = re.fullmatch(r"\D{0,3}\d+\W*", fold(text))
    return write_band(years, width, top) + ("" if bare else " años")


def cap(text: str) -> str | None:
    """Return an age as it is, or "89 y más" from 89 on.

    :param text: The age as it stands in the document.
    :return: The age; None if it cannot be read.
    """
    years = read_age(text)
    if years is None:
        return None
    return text if years < CAP else f"{CAP} y más"


def lowest_age(ages: list[str]) -> int | None:
    """Return the lowest age of a patient over several notes.

    :param ages: Ages as they stand in the notes.
    :return: Years; None if none can be read.
    """
    years = [value for value in map(read_age, ages) if value is not None]
    return min(years, default=None)


def is_age(value: str, before: str, behind: str) -> bool:
    """Tell whether what was found as an age is one, by what stands around it.

    :param value: The age as it stands in the document.
    :param before: What stands before it.
    :param behind: What stands behind it.
    :return: False for a duration ("Parkinson (12 años)"), and for a number without a
        unit that nothing calls an age ("Nace fem 9 17", an hour of birth). A value
        alone, such as the cell of a table, is one.
    """
    if not before.strip() and not behind.strip():
        return True
    folded, ahead = fold(value), fold(before)
    if _DURATION.search(ahead) or _SINCE.match(fold(behind)):
        return False
    if _HOUR.fullmatch(folded.strip()):
        return False
    brackets = _IN_BRACKETS.search(ahead)
    if brackets and behind.lstrip().startswith(")"):
        return _names_somebody(before, brackets.start(1), brackets.end(1))
    if _UNIT.search(folded) or "-" in folded:
        return True
    if not _NUMBER.fullmatch(folded.strip()) or _COUNTS.match(behind):
        return not _NUMBER.fullmatch(folded.strip())
    return int(folded) <= _OLDEST and _TELLS.search(ahead) is not None


def _names_somebody(before: str, start: int, end: int) -> bool:
    """Tell whether a word before a bracket is of a person, not of an illness."""
    word = before[start:end]
    key = fold(word)
    if key in _OF_PEOPLE or key.rstrip("s") in _OF_PEOPLE:
        return True
    named = word[:1].isupper() and name_lists().knows(key)
    return named and key not in clinical_words()


def surrogate_age(text: str, context: Context) -> str:
    """Return an age as the settings ask: kept, as a band, or capped.

    Kept ages agree with shifted birth dates, as all dates move alike.

    :param text: The age as it stands in the document.
    :param context: Settings.
    :return: The age to write.
    """
    settings = context.settings
    if settings.ages == "cap":
        return cap(text) or tag_of("AGE")
    if settings.ages != "band":
        return text
    years = read_age(text)
    if years is not None and years < _INFANCY and _MONTHS.search(fold(text)):
        return text
    new = band(text, settings.lowest_age, RESEARCH_WIDTH, RESEARCH_TOP)
    return new or tag_of("AGE")
