"""Read a text that holds several dates: "del 3 al 5 de marzo", "12/03/20 y 15/04/20".

All of it is read or nothing is: a text with digits, months or numbers that belong to no
date is not understood, and a wrong date is worse than none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from presidio_mx.replace.surrogates.calendar import (
    MONTHS,
    Reading,
    read_date,
    read_month,
)
from presidio_mx.replace.surrogates.numerals import read_number
from presidio_mx.spanish.words import either, words
from presidio_mx.text.folding import fold

_TOKEN = re.compile(r"[^\W\d_]+\.?|\d+[º°]?|[^\w\s]|\s+|_")
_MOST_TOKENS = 15  # of one date: "primero de enero del año dos mil veinticuatro"
# "3-5" is no date in "3-5/03/2024".
_GLUED = re.compile(r"[/.]\d")
_MONTHS = words("month", "month_short")
_DAYS = re.compile(r"\d{1,2}\s*[-–—/]\s*\d{1,2}")
_MONTH_BEHIND = re.compile(
    rf"\s*(?:de\s+|del\s+mes\s+de\s+)?(?:{either('month')}|{either('month_short')}\b)"
)
_DAY = re.compile(r"\d{1,2}")
_LAST_DAY = 31
# What may stand between a day and the date that it borrows its month from.
_BORROWS = re.compile(
    r"\s*(?:[,;\-–—]|[ye]\b|al?\b|o\b)(?:\s*(?:el|del?|los?|dias?|y|e|al?)\b)*\s*"
    rf"(?:{either('weekday', 'weekday_short')}\b\.?,?\s*)?\d"
)


@dataclass(frozen=True)
class Piece:
    """A date of a series, or the day that borrows its month from the next date.

    :param start: Where it begins in the text.
    :param end: Where it ends.
    :param reading: The date; None for a day alone.
    :param value: The day that is meant, once months and years are borrowed.
    """

    start: int
    end: int
    reading: Reading | None
    value: date


def _longest(
    text: str, tokens: Sequence[re.Match[str]], at: int, year: int
) -> tuple[int, Reading] | None:
    """Return how many tokens from one on are a date, and the date."""
    for width in range(min(_MOST_TOKENS, len(tokens) - at), 0, -1):
        piece = text[tokens[at].start() : tokens[at + width - 1].end()]
        end = tokens[at + width - 1].end()
        if piece != piece.strip() or _GLUED.match(text, end):
            continue
        if _DAYS.fullmatch(piece) and _MONTH_BEHIND.match(fold(text[end:])):
            continue  # "12-13 de noviembre" is two days, not December of 2013
        reading = read_date(piece, year)
        exact = width > 1 or piece[0].isdigit() or fold(piece).rstrip(".") in _MONTHS
        if reading and exact:
            return width, reading
    return None


def _tells(token: str) -> bool:
    """Tell whether a token that belongs to no date says something of one."""
    word = fold(token).rstrip(".")
    if any(c.isdigit() for c in word):
        return True
    return read_month(word) is not None or (read_number(word) or 0) > 1


def read_series(text: str, year: int) -> tuple[Piece, ...]:
    """Read all dates of a text.

    A day without a month takes that of the date behind it; a date without a year takes
    the year of the next one that has one, so that the series does not run backwards.

    :param text: E.g. ``20 de diciembre al 3 de enero de 2024``.
    :param year: Year of a date where no other gives one.
    :return: The dates in reading order; empty if anything in it is not understood.
    """
    tokens = list(_TOKEN.finditer(text))
    found: list[tuple[int, int, Reading | None]] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        longest = None if token.group().isspace() else _longest(text, tokens, at, year)
        if longest:
            width, reading = longest
            found.append((token.start(), tokens[at + width - 1].end(), reading))
            at += width
            continue
        day = _DAY.fullmatch(token.group()) and 1 <= int(token.group()) <= _LAST_DAY
        if day and _BORROWS.match(fold(text), token.end()):
            found.append((token.start(), token.end(), None))
        elif _tells(token.group()):
            return ()
        at += 1
    return _dated(text, found)


def _dated(
    text: str, found: Sequence[tuple[int, int, Reading | None]]
) -> tuple[Piece, ...]:
    """Give every date its year, and every day its month, from the date behind it."""
    if not found or found[-1][2] is None:
        return ()
    with_year = [r.value.year for _, _, r in found if r is not None and r.has_year]
    pieces: list[Piece] = []
    later: date | None = None
    for start, end, reading in reversed(found):
        if reading is None:
            assert later is not None
            try:
                value = later.replace(day=int(text[start:end]))
            except ValueError:
                return ()
        else:
            value = reading.value
            if not reading.has_year and with_year:
                value = _before(value, later or value.replace(year=with_year[0]))
        pieces.append(Piece(start, end, reading, value))
        later = value
    return tuple(reversed(pieces))


def _before(value: date, later: date) -> date:
    """Return a day of the year of another date, or of the year before it."""
    after = (value.month, value.day) > (later.month, later.day)
    year = max(1, later.year - after)
    day = 28 if (value.month, value.day) == (2, 29) else value.day
    return value.replace(year=year, day=day)


def write_day(day: date, following: date, next_written: str, old: str) -> str:
    """Write a day whose month the date behind it gives, or else with its month.

    :param day: The new day.
    :param following: The new date behind it.
    :param next_written: That date as it is written.
    :param old: The day as it was written.
    :return: E.g. ``28`` or ``28 de febrero``.
    """
    number = f"{day.day:0{len(old)}d}" if old.startswith("0") else str(day.day)
    if (day.year, day.month) == (following.year, following.month):
        return number
    if any(c.isalpha() for c in next_written):
        return f"{day.day} de {MONTHS[day.month - 1]}"
    sign = next((c for c in next_written if not c.isdigit()), "/")
    return f"{day.day:02d}{sign}{day.month:02d}"
