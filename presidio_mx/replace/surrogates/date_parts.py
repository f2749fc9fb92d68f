"""What stands around a date: a weekday before it, a time of day behind it."""

import re
from datetime import date

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.spanish.words import either, listed
from presidio_mx.text.folding import fold

WEEKDAYS = listed("weekday")
_SHORT_WEEKDAYS = listed("weekday_short")
_WORD = r"[^\W\d_]+"
# "mar" is a weekday before a day of the month only, else it is March.
WEEKDAY = re.compile(
    rf"\b(?:{either('weekday')}\b|mar\b\.?(?=,?\s+\d)|"
    rf"(?!mar\b){either('weekday_short')}\b\.?)"
)
_HOURS = r"h(?:o?ra?s?)?\.?"
_HALF = r"[ap]\.?\s?m\.?"
# ISO 8601 ("20240312T0930", "+00:00"), and times as they are typed and spoken.
_TIME = re.compile(
    r"(?:"
    r"(?:[\s,]+(?:a\s+las?\s+)?|t)\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?"
    rf"(?:z|[+-]\d{{2}}:?\d{{2}})?(?:\s*(?:{_HOURS}|{_HALF}))?"
    r"|(?<=\d)t\d{4}(?:\d{2})?(?:z|[+-]\d{2}:?\d{2})?"
    rf"|[\s,]+(?:a\s+las?\s+)?\d{{1,2}}(?:\.\d{{2}})?\s*(?:{_HOURS}|{_HALF})"
    r")$"
)


# A stamp of HL7: "20240312093000", "202403120930-0600".
_STAMP = re.compile(
    r"((?:19|20)\d\d[01]\d[0-3]\d)"
    r"([0-2]\d[0-5]\d(?:[0-5]\d(?:\.\d{1,4})?)?(?:[+-]\d{4})?)"
)


def split_date(text: str) -> tuple[str, str, str]:
    """Cut off a weekday before and a time of day after a date.

    :param text: The date as it stands in the document.
    :return: Weekday with what follows it, date, time with what precedes it.
    """
    stamp = _STAMP.fullmatch(text)
    if stamp:
        return "", stamp[1], stamp[2]
    folded = fold(text)
    start, end = 0, len(text)
    match = WEEKDAY.match(folded)
    if match:
        start = match.end()
        while start < end and not folded[start].isalnum():
            start += 1
    time = _TIME.search(folded)
    if time and time.start() > start:
        end = time.start()
    return text[:start], text[start:end], text[end:]


def write_weekdays(original: str, value: date) -> str:
    """Write the weekday of a date where another one was written.

    :param original: What stands before a date: a weekday, other words, or nothing.
    :param value: The date.
    :return: The same text with the weekday of the date, in the same form.
    """
    parts, position = [], 0
    for match in WEEKDAY.finditer(fold(original)):
        found = re.match(_WORD, original[match.start() : match.end()])
        assert found is not None
        short = fold(found.group()) in _SHORT_WEEKDAYS
        name = (_SHORT_WEEKDAYS if short else WEEKDAYS)[value.weekday()]
        parts.append(original[position : match.start()])
        parts.append(match_case(found.group(), name))
        position = match.start() + found.end()
    return "".join([*parts, original[position:]])
