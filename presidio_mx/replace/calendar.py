"""What a note says of the calendar, and would tell by how much its dates move.

Epidemiological weeks, a weekday with a day, months and years alone move with the dates;
feasts and what people do on them become the tag where a date stands near, as the
surrogate's day has none.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from presidio_mx.entities import kind_of
from presidio_mx.replace.context import Context, tag_of
from presidio_mx.replace.dates import COMMON_YEAR, shift, surrogate_date
from presidio_mx.spanish.dates import WEEKDAY, parse_dates, weekday_of, write_weekdays
from presidio_mx.spanish.words import either, groups
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

_FEAST = re.compile(rf"\b{either('feast')}\b")
_NEAR, _FAR = 40, 120  # letters between a feast, or its customs, and the date it tells
_DAYS_OF_FEAST = 2
# "SE 38", "semana epidemiológica 7 del 2023".
_WEEK = re.compile(
    r"(?:\bsem(?:ana)?s?\.?\s+epid(?:emiologicas?|em)?\.?|\bsem\.?\s?epi\.?|\bs\.?e\.?)"
    r"\s*(?:no\.?|num\.?|#|:|-)?\s*(?P<week>[0-5]?\d)\b"
    r"(?:\s*(?:de|del|/|-)\s*(?P<year>20\d\d))?"
)
_SHORT_WEEK = re.compile(r"S\.?E\.?[\s:#-]*\d")
_SPOKEN = re.compile(r"\s*(?:[,.;:)\]|/\n-]|$|del?\s+20\d\d|y\b|a\b)")
_WITH_DAY = re.compile(
    rf"(?P<name>{WEEKDAY.pattern}),?\s+(?:el\s+)?(?:dia\s+)?(?P<day>[0-3]?\d)\b"
    r"(?!\s*(?:[/.:-]\d|%|hrs?\b|h\b|[ap]\.?m\b|de\s+[a-z]{3}|[a-z]{3}[. ]+\d"
    r"|mg\b|ml\b))"
)
_BEFORE_DAY = re.compile(rf"{WEEKDAY.pattern},?\s+(?:el\s+)?(?:dia\s+)?$")
_MONTH = re.compile(
    r"\b(?:en|desde|hasta|durante|mes\s+de|para|principios\s+de|mediados\s+de"
    rf"|finales\s+de|fines\s+de)\s+(?P<month>{either('month')})\b"
    r"(?!\s+(?:del?\s+)?(?:\d|este\s+ano|ano))"
)
_YEAR = re.compile(
    r"(?:\b(?:en|desde|hasta|del?|ano|durante|para|a\s+finales\s+de)\s+(?:el\s+(?:ano\s+)?)?"
    r"|\(|\bdesde\s+)(?P<year>(?:19[3-9]|20[0-3])\d)\b"
    r"(?!\s*(?:[/.:,-]\d|%|mg\b|ml\b|g\b|kg\b|kcal|cc\b|u\b|ui\b|gr|pesos|pacientes|m\b|msnm))"
)
_CUSTOMS = tuple(
    (fold(words), tuple(map(int, day.split("/"))))
    for words, day in groups("custom_of_feast")
)
_CUSTOM = re.compile(
    rf"\b(?:{'|'.join(sorted((c for c, _ in _CUSTOMS), key=len)[::-1])})\b"
)
_MOST_DAYS = 45  # between a day without a month and a date of the note


def calendar_spans(text: str, spans: Sequence[Span], season: str) -> list[Span]:
    """Return the entities, and what else tells the dates of a note.

    :param text: The note.
    :param spans: Its entities in reading order, without overlaps.
    :param season: Setting of the dates: feasts stay true where it is ``same``.
    :return: All spans in reading order; the further ones are of DATE_TIME.
    """
    folded = fold(text)
    dates = [s for s in spans if kind_of(s.entity_type) == "DATE_TIME"]
    found: list[tuple[int, int]] = []
    if season != "same" and dates:
        found += _feasts(folded, dates)
        found += _customs(text, folded, dates)
    days = (m for m in _WITH_DAY.finditer(folded) if 1 <= int(m["day"]) <= 31)
    found += [m.span() for m in days]
    found += [m.span() for m in _WEEK.finditer(folded) if _is_week(text, m)]
    found += [m.span("month") for m in _MONTH.finditer(folded)]
    found += [m.span("year") for m in _YEAR.finditer(folded)]
    new: list[Span] = []
    for start, end in sorted(found):
        if not any(s.start < end and start < s.end for s in (*spans, *new[-1:])):
            new.append(Span(start, end, "DATE_TIME", None, 1.0))
    return sorted((*spans, *new), key=lambda span: span.start)


def _feasts(folded: str, dates: Sequence[Span]) -> Iterator[tuple[int, int]]:
    for match in _FEAST.finditer(folded):
        start, end = match.span()
        if any(start - _NEAR <= d.end and d.start <= end + _NEAR for d in dates):
            yield start, end


def _customs(
    text: str, folded: str, dates: Sequence[Span]
) -> Iterator[tuple[int, int]]:
    """Yield what people do on a feast, near a date that is of that feast."""
    for match in _CUSTOM.finditer(folded):
        start, end = match.span()
        days = [day for words, day in _CUSTOMS if words == match.group()]
        for span in dates:
            if start - _FAR > span.end or span.start > end + _FAR:
                continue
            read = parse_dates(text[span.start : span.end], COMMON_YEAR).days
            if any(_is_near(d.value, day) for d in read for day in days):
                yield start, end
                break


def _is_near(value: date, day: tuple[int, ...]) -> bool:
    feast = date(value.year, day[0], day[1])
    return abs((value - feast).days) <= _DAYS_OF_FEAST


def _is_week(text: str, match: re.Match[str]) -> bool:
    """Tell whether a number is of an epidemiological week: "SE 38", no "se 3 veces"."""
    if not 1 <= int(match["week"]) <= 53:
        return False
    written = text[match.start() : match.end()]
    if fold(written).startswith("sem"):
        return True
    if _SHORT_WEEK.match(written) is None or match["year"]:
        return match["year"] is not None and written[0] == "S"
    return _SPOKEN.match(fold(text[match.end() : match.end() + 12])) is not None


def moved(text: str, context: Context, counted: bool = False) -> str:
    """Return a date, or what tells one, as it is after the shift.

    :param text: The value as it stands in the document.
    :param context: Key, settings, what the note says.
    :param counted: A number at its beginning counts something.
    :return: The tag for a feast, and for a day whose month nothing tells.
    """
    folded = fold(text)
    week = _WEEK.fullmatch(folded)
    if week:
        return _moved_week(text, week, context)
    day = _WITH_DAY.fullmatch(folded)
    if day:
        return _moved_day(text, day, context)
    return surrogate_date(text, context, counted)


def weekday_before(text: str, start: int) -> str:
    """Return the weekday that stands before a day, up to the day; or nothing.

    :param text: The note.
    :param start: Where the day begins.
    """
    before = text[max(0, start - _NEAR) : start]
    match = _BEFORE_DAY.search(fold(before))
    return before[match.start() :] if match else ""


def moved_behind(weekday: str, day: str, context: Context) -> str:
    """Return a day, found without its weekday, as it is after the shift.

    :param weekday: As :func:`weekday_before` gives it; it stays in the note.
    :param day: The number.
    :param context: Key, settings, what the note says.
    :return: The tag where no date tells the month, or the weekday would be another.
    """
    new = moved(weekday + day, context)
    fits = new.startswith(weekday)
    return new.removeprefix(weekday) if fits else tag_of("DATE_TIME")


def _moved_week(text: str, match: re.Match[str], context: Context) -> str:
    """Move the number of a week, and its year, as its Wednesday moves."""
    year = int(match["year"] or context.note.year or COMMON_YEAR)
    middle = _first_week(year) + timedelta(days=7 * (int(match["week"]) - 1) + 3)
    new = shift(middle, context)
    of_year = next(
        y for y in (new.year + 1, new.year, new.year - 1) if _first_week(y) <= new
    )
    number = (new - _first_week(of_year)).days // 7 + 1
    start, end = match.span("week")
    written = text[:start] + f"{number:0{end - start}d}"
    if match["year"]:
        written += text[end : match.start("year")] + str(of_year)
    return tag_of("DATE_TIME") if written == text else written


def _first_week(year: int) -> date:
    """Return the Sunday that begins a year of epidemiological weeks.

    The first week is the one with at least four days of January (Secretaría de Salud,
    Calendario epidemiológico, as the CDC's).
    """
    first = date(year, 1, 1)
    before = (first.weekday() + 1) % 7  # days since Sunday
    return first - timedelta(days=before) + timedelta(days=7 if before > 3 else 0)


def _moved_day(text: str, match: re.Match[str], context: Context) -> str:
    """Move a weekday with a day: "lunes 19", if a date of the note tells its month."""
    weekday, number = weekday_of(match["name"]), int(match["day"])
    near = [
        (abs(offset), day + timedelta(days=offset))
        for day in context.note.days
        for offset in range(-_MOST_DAYS, _MOST_DAYS + 1)
        if (day + timedelta(days=offset)).day == number
    ]
    fitting = sorted(pair for pair in near if pair[1].weekday() == weekday)
    if not fitting:
        return tag_of("DATE_TIME")
    new = shift(fitting[0][1], context)
    start, end = match.span("day")
    day = f"{new.day:02d}" if text[start] == "0" else str(new.day)
    return write_weekdays(text[:start], new) + day + text[end:]
