"""Subtitles (SubRip, WebVTT): their times stay, what is said changes."""

import re
from collections.abc import Iterator

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_control_characters
from presidio_mx.work.documents.markup import TOKEN, has_tags
from presidio_mx.work.documents.structured import (
    Read,
    Record,
    Structured,
    Value,
    checked,
)

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMES = re.compile(rf"{_TIME}[ \t]*-->[ \t]*{_TIME}(?P<settings>[^\n]*)")
_SETTINGS = re.compile(
    r"(?:\s+(?:align|line|position|size|vertical):[\w%.,-]{1,20})*\s*"
)
_LINE = re.compile(r"[^\r\n]+")
# A tag tells how a text looks, or who speaks: <v Dra. Uc>.
_LOOKS = re.compile(r"</?(?:[biu]|c[\w.]*|ruby|rt|font|lang|v|\d[\d:.]*)>")


def open_cues(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read subtitles.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If no line of times is in it.
    """
    raw = (encoding or find_encoding([data], name)).decode(data).removeprefix("\ufeff")
    refuse_control_characters(raw, name)
    if not _TIMES.search(raw):
        raise InputError(f"{name}: holds no subtitles; name it .txt if it is a text")
    values = [checked(value, name) for value in _values(raw)]
    suffix = ".vtt" if raw.startswith("WEBVTT") else ".srt"
    return Structured(raw, [Record(0, len(raw), values)], suffix, str)


def _values(raw: str) -> Iterator[Value]:
    """Yield what is said, line by line; numbers and times stay."""
    after, gap = 0, "\n\n"
    for number, line in enumerate(_LINE.finditer(raw), start=1):
        text = line[0].strip()
        if "\n\n" in raw[after : line.start()].replace("\r", ""):
            gap = "\n\n"
        after = line.end()
        times = _TIMES.match(text)
        if times is not None and _SETTINGS.fullmatch(times["settings"]):
            gap = "\n\n"
            continue
        if text == "WEBVTT" or (text.isdecimal() and len(text) < 6):
            continue
        path = f"line {number}"
        for start, end in _pieces(raw, *line.span()):
            if any(map(str.isalnum, raw[start:end])):
                span = range(start, end + 1)
                value = raw[start:end]
                yield Value(start, end, value, span, str, path, Read.PROSE, gap)
                gap = " "
        gap = "\n"


def _pieces(raw: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the texts between tags; what a tag says beside its name is a text."""
    if not has_tags(raw[start:end]) and "<" not in raw[start:end]:
        yield start, end
        return
    for match in TOKEN.finditer(raw, start, end):
        if _LOOKS.fullmatch(match[0]):
            continue
        if match["tag"] and match["attributes"]:
            yield match.span("attributes")
        elif match["text"]:
            yield match.span("text")
        else:
            yield match.start() + 1, match.end() - 1
