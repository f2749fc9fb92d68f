"""Read dates as Mexicans write them, and write other dates in the same format.

A text may hold several dates: "del 3 al 5 de marzo", "12/03/20 y 15/04/20". All of it
is read or nothing is: a text with digits, months or numbers that belong to no date is
not understood, and a wrong date is worse than none.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from rapidfuzz.distance import OSA

from presidio_mx.spanish.numbers import read_number, write_number
from presidio_mx.spanish.parts import Part, Parts
from presidio_mx.spanish.words import either, groups, listed, words
from presidio_mx.spanish.writing import match_case
from presidio_mx.text.folding import fold

MONTHS = listed("month_name")
_SHORT, _ENGLISH = listed("month_abbreviation"), listed("month_english")
_ENGLISH_NAMES = listed("month_english_name")
_OTHER_SHORT = {name: int(number) for name, number in groups("month_other_short")}
_ROMAN = listed("month_roman")
WEEKDAYS, _SHORT_WEEKDAYS = listed("weekday"), listed("weekday_short")

MIDDLE_DAY = 15
_MONTHS_OF_YEAR, _LAST_DAY = 12, 31
# A longer text is no date; the patterns need not look at it.
LONGEST_DATE = 120
# A year in two digits: 00 to 40 are of this century, as birth years of old patients
# are far more frequent in notes than dates after 2040.
_PIVOT = 40
# Four digits alone are a year only between these.
_FIRST, _LAST = 1850, 2100

# d day, n or m or r month (number, word, Roman), y year.
_WORD = r"[^\W\d_]+"
_SEP = r"(?P<s>\s*[/\-.·_ ]\s*|\s+)"
_MONTH = rf"(?P<m>{_WORD}\.?)"
_OF = (
    r"(?:\s*,?\s*(?:d[ií]as?\s+)?"
    r"(?:del?\s+(?:mes\s+de\s+|a[ñn]o\s+)?|d\s+|[/\-.]\s*)?\s*)"
)
_OF_YEAR = (
    r"(?:\s*,?\s*(?:del?\s+(?:a[ñn]o\s+)?(?:dos mil\s+(?=\d))?|[/\-.']\s*)?\s*['’]?)"
)
_TEXT_DAY = rf"(?P<d>\d{{1,2}}|1[º°o]|1ero?|{_WORD}(?:\s+y\s+{_WORD})?)[º°]?"
_YEAR = r"(?<!\d)(?P<y>\d{4}|\d{2})"
_WORD_YEAR = (
    r"(?P<y>dos\s+mil(?:\s+[a-z]+(?:\s+y\s+[a-z]+)?)?|mil\s+novecientos[a-z ]*"
    r"|(?<=del )[a-z]+(?:\s+y\s+[a-z]+)?)"
)
_FULL = tuple(
    map(
        re.compile,
        (
            rf"(?P<y>\d{{4}}){_SEP}(?P<n>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})",
            rf"(?P<d>\d{{1,2}}){_SEP}(?P<n>\d{{1,2}})\s*[/\-. ]\s*{_YEAR}",
            rf"(?P<d>\d{{1,2}}){_SEP}(?P<r>[ivx]+)\s*[/\-. ]\s*{_YEAR}",
            rf"{_TEXT_DAY}{_OF}{_MONTH}{_OF_YEAR}{_YEAR}",
            rf"{_TEXT_DAY}{_OF}{_MONTH}{_OF_YEAR}{_WORD_YEAR}",
            rf"{_MONTH}{_OF}{_TEXT_DAY}{_OF_YEAR}{_YEAR}",
        ),
    )
)
_COMPACT = re.compile(r"(?P<a>\d{2})(?P<b>\d{2})(?P<c>\d{2}|\d{4})")
_COMPACT_ISO = re.compile(r"(?P<y>(?:19|20)\d{2})(?P<n>\d{2})(?P<d>\d{2})")
_PARTIAL = tuple(
    map(
        re.compile,
        (
            rf"(?P<m>{either('month_english_name')})\s+(?P<d>\d{{1,2}})",
            rf"{_TEXT_DAY}{_OF}{_MONTH}",
            rf"{_MONTH}{_OF_YEAR}(?P<y>\d{{4}}|(?<=['’\-/ ])\d{{2}})",
            rf"{_MONTH}{_OF_YEAR}{_WORD_YEAR}",
            rf"(?P<n>\d{{1,2}}){_SEP}(?P<y>\d{{4}})",
            r"(?P<y>\d{4})(?P<s>[/\-.])(?P<n>\d{1,2})",
            rf"(?P<d>\d{{1,2}}){_SEP}(?P<r>[ivx]+)",
            rf"(?P<d>\d{{1,2}}){_SEP}(?P<n>\d{{1,2}})",
            r"(?P<y>\d{4})",
            _MONTH,
        ),
    )
)
_KINDS = {"d": "day", "n": "month", "m": "month name", "r": "roman", "y": "year"}

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
# "G1 mayo 2020": the first pregnancy, not the first of May. "7 1 de mayo": the seventh
# visit. "2, 12 y 26 de mayo" begins with a count where an x stands before it.
_COUNTED = re.compile(
    r"[A-Z]\d{1,2}\s+(?=[A-Za-z])|\d{1,2}\s+(?=\d{1,2}\s+(?:de\s+)?[^\W\d_]{3})"
)
_TIMES = re.compile(r"\d{1,2}\s*[,;]\s*(?=\d)")

_TOKEN = re.compile(r"[^\W\d_]+\.?|\d+[º°]?|[^\w\s]|\s+|_")
_MOST_TOKENS = 15  # of one date: "primero de enero del año dos mil veinticuatro"
_GLUED = re.compile(r"[/.]\d")  # "3-5" is no date in "3-5/03/2024"
_MONTH_WORDS = words("month", "month_short")
_DAYS = re.compile(r"\d{1,2}\s*[-–—/]\s*\d{1,2}")
_MONTH_BEHIND = re.compile(
    rf"\s*(?:de\s+|del\s+mes\s+de\s+)?(?:{either('month')}|{either('month_short')}\b)"
)
_DAY = re.compile(r"\d{1,2}")
# What may stand between a day and the date that it borrows its month from.
_BORROWS = re.compile(
    r"\s*(?:[,;\-–—|]|[ye]\b|al?\b|o\b)(?:\s*(?:el|del?|los?|dias?|y|e|al?)\b)*\s*"
    rf"(?:{either('weekday', 'weekday_short')}\b\.?,?\s*)?\d"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One date that was read.

    :param value: The date; the 15th if no day is given.
    :param parts: Its day, month and year, and what stands between.
    :param american: The month stands before the day.
    """

    value: date
    parts: Parts
    american: bool = False

    @property
    def has_day(self) -> bool:
        """Whether the day is given."""
        return any(part.kind == "day" for part in self.parts)

    @property
    def has_year(self) -> bool:
        """Whether the year is given."""
        return any(part.kind == "year" for part in self.parts)

    def write(self, new: date) -> str:
        """Write another date in the same format.

        :param new: The date.
        """
        numbers = [p.text for p in self.parts if p.kind in ("day", "month")]
        zeros = any(n.startswith("0") for n in numbers)
        named = any(p.kind == "month name" for p in self.parts)
        joined = named and any(p.text in ("-", "/", ".") for p in self.parts)
        numeric = joined or any(p.kind == "month" for p in self.parts)
        padded = zeros or (numeric and not any(len(n) == 1 for n in numbers))
        written = []
        for part in self.parts:
            kind = part.kind
            if self.american and kind in ("day", "month"):
                kind = "month" if kind == "day" else "day"
            if kind in ("day", "month") and part.text[:1].isdecimal():
                number = new.day if kind == "day" else new.month
                written.append(f"{number:02d}" if padded else str(number))
            elif kind == "day":
                written.append(_word_day(part.text, new.day))
            elif kind == "month name":
                written.append(_month_like(part.text, new.month))
            elif kind == "roman":
                roman = _ROMAN[new.month - 1].upper()
                written.append(roman.lower() if part.text.islower() else roman)
            elif kind == "year":
                written.append(_year_like(part.text, new.year))
            else:
                written.append(part.text)
        return "".join(written)


@dataclass(frozen=True, slots=True)
class Day:
    """A date of a text.

    :param start: Where it begins.
    :param end: Where it ends.
    :param reading: The date; None for a day that borrows its month from the next one.
    :param value: The day that is meant, once months and years are borrowed.
    """

    start: int
    end: int
    reading: Reading | None
    value: date


@dataclass(frozen=True, slots=True)
class Dates:
    """A text with dates.

    :param text: The text.
    :param days: Its dates in reading order; none if it is not understood.
    """

    text: str
    days: tuple[Day, ...]

    @property
    def has_year(self) -> bool:
        """Whether some year is given."""
        return any(day.reading and day.reading.has_year for day in self.days)

    @property
    def parts(self) -> Parts:
        """The whole text in parts."""
        found: list[Part] = []
        at = 0
        for day in self.days:
            found.append(Part("", self.text[at : day.start]))
            if day.reading:
                found += day.reading.parts
            else:
                found.append(Part("day", self.text[day.start : day.end]))
            at = day.end
        return (*found, Part("", self.text[at:]))

    def write(self, new: Sequence[date]) -> str:
        """Write other dates in the places of these, and the weekdays beside them.

        :param new: As many dates.
        """
        parts = [write_weekdays(self.text[self.days[-1].end :], new[-1])]
        following, shown = new[-1], ""
        before = [0, *(day.end for day in self.days[:-1])]
        for day, value, at in zip(
            reversed(self.days), reversed(new), reversed(before), strict=True
        ):
            if day.reading is None:
                old = self.text[day.start : day.end]
                shown = _write_day(value, following, shown, old)
            else:
                shown = day.reading.write(value)
            parts += [shown, write_weekdays(self.text[at : day.start], value)]
            following = value
        return "".join(reversed(parts))


def parse_dates(text: str, year: int, counted: bool = False) -> Dates:
    """Read all dates of a text.

    A day without a month takes that of the date behind it; a date without a year takes
    the year of the next one that has one, so that the series does not run backwards.

    :param text: E.g. ``lunes 12/03/2019 14:30 h``, ``20 de diciembre al 3 de enero``.
    :param year: Year of a date where no other gives one.
    :param counted: A number at its beginning may count something: "x2, 12 y 26".
    :return: Without days if anything in it is not understood.
    """
    if len(text) > LONGEST_DATE:
        return Dates(text, ())
    count = _COUNTED.match(text) or (_TIMES.match(text) if counted else None)
    first = count.end() if count else 0
    start, end = _core(text[first:])
    start, end = first + start, first + end
    core = text[start:end]
    blank = len(core) - len(core.lstrip())
    stripped = core.strip()
    reading = read_date(stripped, year)
    if reading is not None:
        at = start + blank
        day = Day(at, at + len(stripped), reading, reading.value)
        return Dates(text, (day,))
    return Dates(text, tuple(_series(text[:end], first, year)))


def split_date(text: str) -> tuple[str, str, str]:
    """Cut off a weekday before and a time of day after a date.

    :param text: The date as it stands in the document.
    :return: Weekday with what follows it, date, time with what precedes it.
    """
    start, end = _core(text)
    return text[:start], text[start:end], text[end:]


def _core(text: str) -> tuple[int, int]:
    """Return where the date stands between a weekday and a time of day."""
    stamp = _STAMP.fullmatch(text)
    if stamp:
        return 0, stamp.end(1)
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
    return start, end


def read_date(text: str, year: int) -> Reading | None:
    """Read one date.

    :param text: The date as it stands in the document, without weekday and time.
    :param year: Year of a date that gives none.
    :return: The date; None if it cannot be read.
    """
    if len(text) > LONGEST_DATE or not text:
        return None
    folded = fold(text)
    for pattern in _FULL:
        match = pattern.fullmatch(folded)
        if match and (reading := _of_match(text, match, year)):
            return reading
    if reading := _read_compact(text):
        return reading
    for pattern in _PARTIAL:
        match = pattern.fullmatch(folded)
        if match is None:
            continue
        if folded.isdecimal() and not _FIRST <= int(folded) <= _LAST:
            return None
        if reading := _month_of_year(text, match) or _of_match(text, match, year):
            return reading
    return None


def read_month(word: str) -> int | None:
    """Return the number of a month.

    :param word: Name, abbreviation or name with a slip of the pen.
    :return: 1 to 12; None if it is no month.
    """
    key = fold(word).rstrip(".")
    for names in (MONTHS, _SHORT, _ENGLISH, _ENGLISH_NAMES):
        if key in names:
            return names.index(key) + 1
    if key in _OTHER_SHORT:
        return _OTHER_SHORT[key]
    if len(key) >= 4:
        for number, name in enumerate(MONTHS, start=1):
            if name.startswith(key) or OSA.distance(key, name, score_cutoff=1) <= 1:
                return number
    return None


def full_year(year: int, digits: int) -> int:
    """Return the year with its century.

    :param year: As read.
    :param digits: How many digits it was written with.
    """
    if digits > 2:
        return year
    return year + (2000 if year <= _PIVOT else 1900)


def possible_date(year: int, month: int, day: int) -> date | None:
    """Return a date; days beyond the month's end count on into the next month.

    :param year: 1 to 9999.
    :param month: 1 to 12.
    :param day: 1 to 31.
    :return: The date; None if there is none, whatever is meant.
    """
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= _LAST_DAY):
        return None
    last = monthrange(year, month)[1]
    first = date(year, month, min(day, last))
    return first + timedelta(days=max(0, day - last))


def write_weekdays(original: str, value: date) -> str:
    """Write the weekday of a date where another one was written.

    :param original: What stands before a date: a weekday, other words, or nothing.
    :param value: The date.
    :return: The same text with the weekday of the date, in the same form.
    """
    if not any(c.isalpha() for c in original):
        return original
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


def weekday_of(word: str) -> int | None:
    """Return the number of a weekday, 0 for Monday.

    :param word: Its name or abbreviation.
    """
    key = fold(word).rstrip(".")
    for names in (tuple(map(fold, WEEKDAYS)), _SHORT_WEEKDAYS):
        if key in names:
            return names.index(key)
    return None


def _month_like(original: str, month: int) -> str:
    key, point = fold(original).rstrip("."), "." if original.endswith(".") else ""
    if key in _SHORT or key in _OTHER_SHORT:
        name = _SHORT[month - 1]
    elif key in _ENGLISH:
        name = _ENGLISH[month - 1]
    elif key in _ENGLISH_NAMES:
        name = _ENGLISH_NAMES[month - 1]
    elif any(m.startswith(key) and len(key) < len(m) for m in MONTHS):
        name = MONTHS[month - 1][: max(3, len(key))]
    else:
        name = MONTHS[month - 1]
    return match_case(original, name) + point


def _read_day(word: str) -> int | None:
    if word[:1].isdecimal():
        return int("".join(c for c in word if c.isdecimal()))
    return 1 if fold(word) in ("primero", "primer") else read_number(word)


def _word_day(old: str, day: int) -> str:
    if day == 1 and fold(old) != "uno":
        return match_case(old, "primero")
    return match_case(old, write_number(day))


def _read_year(written: str) -> int | None:
    year = int(written) if written.isdecimal() else read_number(written)
    if year is None:
        return None
    spoken = 2 if year < 100 else 4  # "del dieciocho"
    return full_year(year, len(written) if written.isdecimal() else spoken)


def _year_like(old: str, year: int) -> str:
    if not old.isdecimal():
        short = (read_number(old) or year) < 100
        return match_case(old, write_number(year % 100 if short else year))
    return f"{year % 100:02d}" if len(old) == 2 else f"{year:04d}"


def _parts(text: str, spans: Mapping[str, tuple[int, int]]) -> Parts:
    """Return a date cut at its day, month and year."""
    found: list[Part] = []
    at = 0
    for name, (start, end) in sorted(spans.items(), key=lambda item: item[1]):
        found += [Part("", text[at:start]), Part(_KINDS[name], text[start:end])]
        at = end
    return (*found, Part("", text[at:]))


def _of_match(text: str, match: re.Match[str], year: int) -> Reading | None:
    """Turn the groups of a pattern into a date."""
    read = {k: v for k, v in match.groupdict().items() if v is not None and k in _KINDS}
    day = _read_day(read["d"]) if "d" in read else MIDDLE_DAY
    given = _read_year(read["y"]) if "y" in read else year
    month = _month_of(read)
    american = False
    if "n" in read and "d" in read and month and day and month > 12 >= day:
        day, month, american = month, day, True
    if day is None or month is None or given is None:
        return None
    value = possible_date(given, month, day)
    if value is None:
        return None
    parts = _parts(text, {name: match.span(name) for name in read})
    return Reading(value, parts, american)


def _month_of(read: Mapping[str, str]) -> int | None:
    if "n" in read:
        return int(read["n"])
    if "r" in read:
        roman = fold(read["r"])
        return _ROMAN.index(roman) + 1 if roman in _ROMAN else None
    return read_month(read["m"]) if "m" in read else 7


def _month_of_year(text: str, match: re.Match[str]) -> Reading | None:
    """Read two numbers of which the second is no month: "12/20" is December 2020."""
    groups_ = match.groupdict()
    if not {"d", "n"} <= groups_.keys() or "y" in groups_:
        return None
    first, second = match["d"], match["n"]
    if not first.isdecimal() or not (int(first) <= _MONTHS_OF_YEAR < int(second)):
        return None
    value = possible_date(full_year(int(second), 2), int(first), MIDDLE_DAY)
    if value is None:
        return None
    return Reading(value, _parts(text, {"n": match.span("d"), "y": match.span("n")}))


def _read_compact(text: str) -> Reading | None:
    match = _COMPACT_ISO.fullmatch(text)
    if match:
        value = possible_date(int(match["y"]), int(match["n"]), int(match["d"]))
        if value:
            return Reading(value, _parts(text, {n: match.span(n) for n in "ynd"}))
    match = _COMPACT.fullmatch(text)
    if not match:
        return None
    a, b, c = int(match["a"]), int(match["b"]), int(match["c"])
    digits = len(match["c"])
    orders = [((full_year(c, digits), b, a), "dny")]
    if digits == 2:
        # Both orders are in use; the one that gives a likely year of a note wins.
        orders.append(((full_year(a, 2), b, c), "ynd"))
        orders.sort(key=lambda order: not 2000 <= order[0][0] <= 2035)
    for (year, month, day), order in orders:
        value = possible_date(year, month, day)
        if value and 1 <= day <= monthrange(year, month)[1]:
            spans = dict(zip(order, map(match.span, "abc"), strict=True))
            return Reading(value, _parts(text, spans))
    return None


def _series(text: str, first: int, year: int) -> Iterator[Day]:
    """Yield all dates of a text; nothing if anything in it is not understood."""
    tokens = list(_TOKEN.finditer(text, first))
    found: list[tuple[int, int, Reading | None]] = []
    folded = fold(text)
    at = 0
    while at < len(tokens):
        token = tokens[at]
        longest = None
        if not token.group().isspace():
            longest = _longest(text, folded, tokens, at, year)
        if longest:
            width, reading = longest
            found.append((token.start(), tokens[at + width - 1].end(), reading))
            at += width
            continue
        day = _DAY.fullmatch(token.group()) and 1 <= int(token.group()) <= _LAST_DAY
        if day and _BORROWS.match(folded, token.end()):
            found.append((token.start(), token.end(), None))
        elif _tells(token.group()):
            return
        at += 1
    yield from _dated(text, found)


def _longest(
    text: str, folded: str, tokens: Sequence[re.Match[str]], at: int, year: int
) -> tuple[int, Reading] | None:
    """Return how many tokens from one on are a date, and the date."""
    for width in range(min(_MOST_TOKENS, len(tokens) - at), 0, -1):
        end = tokens[at + width - 1].end()
        piece = text[tokens[at].start() : end]
        if piece != piece.strip() or _GLUED.match(text, end):
            continue
        if _DAYS.fullmatch(piece) and _MONTH_BEHIND.match(folded, end):
            continue  # "12-13 de noviembre" is two days, not December of 2013
        reading = read_date(piece, year)
        exact = (
            width > 1 or piece[0].isdigit() or fold(piece).rstrip(".") in _MONTH_WORDS
        )
        if reading and exact:
            return width, reading
    return None


def _tells(token: str) -> bool:
    """Tell whether a token that belongs to no date says something of one."""
    word = fold(token).rstrip(".")
    if any(c.isdigit() for c in word):
        return True
    return read_month(word) is not None or (read_number(word) or 0) > 1


def _dated(
    text: str, found: Sequence[tuple[int, int, Reading | None]]
) -> Sequence[Day]:
    """Give every date its year, and every day its month, from the date behind it."""
    if not found or found[-1][2] is None:
        return ()
    with_year = [r.value.year for _, _, r in found if r is not None and r.has_year]
    days: list[Day] = []
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
        days.append(Day(start, end, reading, value))
        later = value
    return days[::-1]


def _before(value: date, later: date) -> date:
    """Return a day of the year of another date, or of the year before it."""
    after = (value.month, value.day) > (later.month, later.day)
    year = max(1, later.year - after)
    day = 28 if (value.month, value.day) == (2, 29) else value.day
    return value.replace(year=year, day=day)


def _write_day(day: date, following: date, next_written: str, old: str) -> str:
    """Write a day whose month the date behind it gives, or else with its month."""
    number = f"{day.day:0{len(old)}d}" if old.startswith("0") else str(day.day)
    if (day.year, day.month) == (following.year, following.month):
        return number
    if any(c.isalpha() for c in next_written):
        return f"{day.day} de {MONTHS[day.month - 1]}"
    sign = next((c for c in next_written if not c.isdigit()), "/")
    return f"{day.day:02d}{sign}{day.month:02d}"
