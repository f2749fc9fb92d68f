"""Lines that a fixed width wrapped."""

import re
from collections.abc import Iterator

from presidio_mx.find.note.edit import Edit
from presidio_mx.spanish.words import either, listed
from presidio_mx.text.folding import fold

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LABEL = re.compile(r"[^\W\d_][\w ./()-]{0,32}[:=]")
_LIST_MARK = re.compile(r"[-*•>] |\d{1,3}[.)] ")
_FIRST_WORD = re.compile(r"\S+")
_LONGEST_WRAP = 100
_SHORTEST_WRAP = 12
_LEAST_WRAPPED = 4
_MONTH = either("month")
# With their accents and without, the longest first.
_UP_TO_29 = sorted(
    {
        written
        for word in (*listed("number_unit"), *listed("number_teen"))
        for written in (word, fold(word))
    },
    key=len,
    reverse=True,
)
# "30 de\n noviembre de 2023", "8\nde junio", "enero\ndel dos mil", "dos mil\nonce":
# what a line begins with, and how the one before must end.
_DATE_GOES_ON = re.compile(
    rf"[ ]?\n[ \t]{{0,30}}(?=(?P<of>de[ ](?:{_MONTH})[ ])"
    rf"|(?P<month>(?:{_MONTH})[ ]del?[ ])"
    r"|(?P<year>del?[ ](?:[12]\d{3}|dos[ ]mil|mil[ ]nov|a[nñ]o[ ]))"
    rf"|(?P<last>(?:{'|'.join(_UP_TO_29)})(?![a-z])))",
    re.I,
)
_DATE_BEGAN = {
    name: re.compile(rf"(?:{end})\Z", re.I)
    for name, end in {
        "of": r"\d",
        "month": r"[\da-z][ ]de",
        "year": _MONTH,
        "last": rf"(?:{_MONTH})[ ]del?[ ](?:a[nñ]o[ ])?dos[ ]mil",
    }.items()
}
_LONGEST_BEGIN = 34
# Share of the line ends at which the next word would not have fitted, from which on a
# note is taken for wrapped; in forms it is one line in eight.
_WRAPPED = 0.4


def wrapped_lines(text: str) -> Iterator[Edit]:
    """Make blanks of the line ends that a fixed width of lines made.

    A line may have been wrapped where the first word of the next would not have fitted
    into the longest line. It was, where most lines of the note are so, where the next
    line is so too, or where that goes on in small letters.
    """
    if "\n" not in text:
        return
    lines = [match.span() for match in _LINE.finditer(text)]
    ends = [start + len(text[start:end].rstrip()) for start, end in lines]
    # A word alone may be wider than the lines are meant to be.
    longest = max(
        (
            end - start
            for (start, _), end in zip(lines, ends, strict=True)
            if " " in text[start:end].strip()
        ),
        default=0,
    )
    if not _SHORTEST_WRAP <= longest <= _LONGEST_WRAP:
        return
    full = [
        _is_full(text, start, end, following, longest)
        for (start, following), end in zip(lines[:-1], ends, strict=False)
    ]
    filled = sum(start < end for (start, _), end in zip(lines[:-1], ends, strict=False))
    most = sum(full) >= max(_LEAST_WRAPPED, _WRAPPED * filled)
    for place in range(len(full)):
        if not full[place]:
            continue
        following = lines[place][1]
        beside = any(full[max(place - 1, 0) : place]) or any(
            full[place + 1 : place + 2]
        )
        if most or beside or _goes_on(text, ends[place], following):
            yield Edit(ends[place], following + _indent(text, following), " ")


def dates_over_lines(text: str) -> Iterator[Edit]:
    """Make blanks of line ends inside dates, however long the lines are.

    :param text: The text.
    """
    for match in _DATE_GOES_ON.finditer(text):
        began = match.lastgroup and _DATE_BEGAN[match.lastgroup]
        if began and began.search(
            text[max(0, match.start() - _LONGEST_BEGIN) : match.start()]
        ):
            yield Edit(*match.span(), " ")


def _is_full(text: str, start: int, end: int, following: int, longest: int) -> bool:
    """Tell whether the first word of the next line would not have fitted.

    A line that begins with a mark of a list stands for itself, and so does one that
    begins with a label under another such line ("colonia=Centro", "cp=03300").
    """
    word = _FIRST_WORD.match(text, following)
    if start == end or word is None or end - start + len(word[0]) < longest:
        return False
    labels = _LABEL.match(text, start) and _LABEL.match(text, following)
    return not labels and _LIST_MARK.match(text, following) is None


def _goes_on(text: str, end: int, following: int) -> bool:
    """Tell whether a sentence goes on in the next line, in small letters."""
    return text[end - 1] not in ".:;!?" and text[following].islower()


def _indent(text: str, start: int) -> int:
    """Return the number of blanks that a line begins with."""
    return len(text[start : start + _LONGEST_WRAP]) - len(
        text[start : start + _LONGEST_WRAP].lstrip(" \t")
    )
