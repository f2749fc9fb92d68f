"""The text that rules and models search in, and the way back to the text as given.

What no reader would mind is settled here, once for everybody: invisible characters,
look-alike letters, marks of Markdown and HTML, blanks typed double, lines that were
wrapped, line ends written as two characters. Offsets always lead back.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from presidio_mx.analyzer.note.look_alikes import LOOK_ALIKES

_COMBINING = re.compile("[\u0300-\u036f]")
# Invisible, but they split words: soft hyphen, zero-width and direction marks,
# joiners, fillers, variation selectors, tags, control characters but white space.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# A word hyphenated at the end of a line ("Zinapé-\ncuaro").
# Patterns begin with what is rare, so that the search for it is fast.
_BROKEN_WORD = re.compile(
    r"-(?<=[^\W\d_]{2}-)[ \t]{0,9}\r?\n[ \t]{0,9}(?=[a-záéíóúñü]{2})"
)
# "\n" as two characters, where a program wrote the note into a string.
_LITERAL = re.compile(r"\\(?:r\\n|n|r|t)(?![a-z]{0,12}\\)")
_LITERAL_CHARACTERS = {"\\t": "\t"}
_LEAST_LITERAL = 2
# Pairs of marks around words: **Ana**, __Ana__, ~~Ana~~, `Ana`, *Ana*.
_MARKDOWN = re.compile(
    r"(?P<wide>\*{2,3}|__)(?=[^\W\d_])[^\n*_~`]{1,200}?(?<=\S)(?P=wide)"
    r"|(?<![^\W_])(?P<mark>\*|~~|`)(?=[^\W\d_])[^\n*_~`]{1,200}?(?<=\S)(?P=mark)"
    r"(?![^\W_])"
)
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|font|mark|small|sub|sup|a|code)"
    r"(?: [^<>\n]{0,200})?/?>",
    re.I,
)
_GAP = re.compile(r"(?<=\S)[ \t\xa0]+(?=\S)")
# From this share on a width of blanks is how a note parts its words.
_USUAL = 0.6
_LEAST_GAPS = 5
# Notes with as many single blanks have columns where they have wide ones.
_MOST_SINGLE = 0.05
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LABEL = re.compile(r"[^\W\d_][\w ./()-]{0,32}[:=]")
_LIST_MARK = re.compile(r"[-*•>] |\d{1,3}[.)] ")
_FIRST_WORD = re.compile(r"\S+")
_LONGEST_WRAP = 100
_SHORTEST_WRAP = 12
_LEAST_WRAPPED = 4
# Share of the line ends at which the next word would not have fitted, from which on a
# note is taken for wrapped; in forms it is one line in eight.
_WRAPPED = 0.4


class Edit(NamedTuple):
    """A piece of text to replace by one that is not longer, or by one blank.

    :param start: First offset.
    :param end: Offset after the piece; equal to ``start`` where a blank goes in.
    :param new: What stands there instead.
    """

    start: int
    end: int
    new: str = ""


@dataclass(frozen=True, slots=True)
class WorkingText:
    """A text to search in, and the way back to the text as given.

    :param text: The text to search in.
    :param original: The text as given.
    :param offsets: Offset in ``original`` of each character of ``text`` and of its
        end; ``None`` where both texts are equal.
    """

    text: str
    original: str
    offsets: tuple[int, ...] | None = None

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text for a span of the working text."""
        if self.offsets is None or start >= end:
            return start, end
        first = self.offsets[start]
        last = self.offsets[end - 1] + 1
        while last < len(self.original) and _COMBINING.match(self.original, last):
            last += 1
        return first, last

    def there(self, offset: int) -> int:
        """Return the offset of the working text for one of the original."""
        return offset if self.offsets is None else bisect_left(self.offsets, offset)

    def edited(self, edits: Iterable[Edit]) -> "WorkingText":
        """Return the working text after further edits.

        :param edits: Edits of ``text``, ascending and apart from one another.
        """
        pieces: list[str] = []
        offsets: list[int] = []
        known = self.offsets or range(len(self.text) + 1)
        done = 0
        for edit in edits:
            pieces += (self.text[done : edit.start], edit.new)
            offsets += known[done : edit.start]
            offsets += [known[edit.start + i] for i in range(len(edit.new))]
            done = edit.end
        if not pieces:
            return self
        pieces.append(self.text[done:])
        offsets += known[done:]
        return WorkingText("".join(pieces), self.original, tuple(offsets))


def working_text(original: str) -> WorkingText:
    """Make the text that rules and models search in.

    :param original: The text as given.
    :return: The working text; the original itself where nothing has to change.
    """
    source = WorkingText(original, original)
    for step in _STEPS:
        source = source.edited(step(source.text))
    return source


def with_blanks(source: WorkingText, glued: Iterable[int]) -> WorkingText:
    """Return a working text with blanks between words that were typed as one.

    :param source: The working text.
    :param glued: Ascending offsets of its text where a blank goes in.
    """
    return source.edited(Edit(offset, offset, " ") for offset in glued)


def _invisible(text: str) -> Iterator[Edit]:
    for match in _INVISIBLE.finditer(text):
        yield Edit(*match.span())


def _composed(text: str) -> Iterator[Edit]:
    """Compose letters with their accents; what has no composed form loses them."""
    if unicodedata.is_normalized("NFC", text):
        return
    position, size = 0, len(text)
    while position < size:
        end = position + 1
        while end < size and unicodedata.combining(text[end]):
            end += 1
        if end - position > 1:
            cluster = unicodedata.normalize("NFC", text[position:end])
            yield Edit(position, end, cluster[0])
        position = end


def _look_alikes(text: str) -> Iterator[Edit]:
    """Replace letters of other scripts that look like Latin ones."""
    if text.isascii():
        return
    for match in LOOK_ALIKES.pattern.finditer(text):
        yield Edit(*match.span(), LOOK_ALIKES.letters[match[0]])


def _literal_line_ends(text: str) -> Iterator[Edit]:
    """Replace line ends and tabs written as two characters, where there are several."""
    if text.count("\\n") + text.count("\\r") < _LEAST_LITERAL:
        return
    for match in _LITERAL.finditer(text):
        yield Edit(*match.span(), _LITERAL_CHARACTERS.get(match[0], "\n"))


def _broken_words(text: str) -> Iterator[Edit]:
    for match in _BROKEN_WORD.finditer(text):
        yield Edit(*match.span())


def _markup(text: str) -> Iterator[Edit]:
    """Drop marks of Markdown around words, and tags of HTML inside a line."""
    edits: list[Edit] = []
    for match in _MARKDOWN.finditer(text):
        width = len(match["wide"] or match["mark"])
        edits.append(Edit(match.start(), match.start() + width))
        edits.append(Edit(match.end() - width, match.end()))
    if "<" in text:
        edits += [Edit(*match.span()) for match in _TAG.finditer(text)]
    last = 0
    for edit in sorted(edits):
        if edit.start >= last:
            yield edit
            last = edit.end


def _blanks(text: str) -> Iterator[Edit]:
    """Make single blanks of the width that parts the words of a note.

    A note whose words all stand two blanks, four blanks or a tab apart was laid out by
    a program; what is wider still parts columns there.
    """
    if "  " not in text and "\t" not in text:
        return
    gaps = Counter(match[0] for match in _GAP.finditer(text))
    total = gaps.total()
    if total < _LEAST_GAPS or gaps[" "] > _MOST_SINGLE * total:
        return
    usual, count = gaps.most_common(1)[0]
    if count < _USUAL * total or ("\t" in usual and _is_table(text)):
        return
    for match in _GAP.finditer(text):
        units = len(match[0]) // len(usual)
        if match[0] == usual * max(units, 1):
            yield Edit(*match.span(), " " * units)


def _is_table(text: str) -> bool:
    """Tell whether the lines of a note have as many tabs as one another."""
    counts = [line.count("\t") for line in text.splitlines() if line.strip()]
    return len(counts) > 1 and len(set(counts)) == 1


def _wrapped_lines(text: str) -> Iterator[Edit]:
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


_Step = Callable[[str], Iterator[Edit]]
_STEPS: tuple[_Step, ...] = (
    _invisible,
    _composed,
    _look_alikes,
    _literal_line_ends,
    _broken_words,
    _markup,
    _blanks,
    _wrapped_lines,
)
