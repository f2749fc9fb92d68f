"""The text that rules and models search in, and the way back to the text as given.

What no reader would mind is settled here, once for everybody: invisible characters,
look-alike letters, marks of Markdown and HTML, blanks typed double, lines that were
wrapped, line ends written as two characters. Offsets always lead back.
"""

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from presidio_mx.find.note.dictation import commands, spoken_signs
from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.gaps import single_blanks
from presidio_mx.find.note.look_alikes import LOOK_ALIKES
from presidio_mx.find.note.lost_letters import lost_letters
from presidio_mx.find.note.scan_dates import scan_dates
from presidio_mx.find.note.scans import boxes, scan_slips
from presidio_mx.find.note.wrapped_lines import dates_over_lines, wrapped_lines

_COMBINING = re.compile("[\u0300-\u036f]")
# Invisible, but they split words: soft hyphen, zero-width and direction marks,
# joiners, fillers, variation selectors, tags, control characters but white space.
# What tells a terminal or printer to write bold goes with them.
_INVISIBLE = re.compile(
    r"\x1b(?:\[[0-?]*[@-~]|[&(*)][a-z]?(?:[-+]?\d{1,5}[a-z]){0,9}[-+]?\d{1,5}[A-Z@])|"
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Of these, what parts fields (in Hive, in ASCII), and what a program may part words by.
_FIELDS = frozenset("\x01\x02\x03\x1c\x1d\x1e\x1f")
_PARTING = re.compile("[\x04-\x08\x0e-\x1a\x7f-\x84\x86-\x9f\u200b]")
_LEAST_PARTS = 3
_WIDTH = 4
# A word hyphenated at the end of a line ("Zinapé-\ncuaro").
# Patterns begin with what is rare, so that the search for it is fast.
_BROKEN_WORD = re.compile(
    r"-(?<=[^\W\d_]{2}-)[ \t]{0,9}\r?\n[ \t]{0,9}(?=[a-záéíóúñü]{2})"
)
# "\n" as two characters, where a program wrote the note into a string.
_LITERAL = re.compile(r"\\(?:r\\n|n|r|t)(?![a-z]{1,12}\\)")
_LITERAL_CHARACTERS = {"\\t": "\t"}
_LEAST_LITERAL = 2
_LEAST_TABS = 4
# Letters with accents, quotation marks and the like, by name or by number.
_ENTITY = re.compile(
    r"&(?:[a-zA-Z](?:acute|grave|uml|tilde|cedil)|quot|apos|nbsp|ord[fm]|deg"
    r"|#(?:39|1[6-9]\d|2[0-5]\d|[xX](?:27|[a-fA-F][0-9a-fA-F])));"
)
_ESCAPED = re.compile(r"\\u(00[c-fC-F][0-9a-fA-F])")
# Pairs of marks around words: **Ana**, __Ana__, ~~Ana~~, `Ana`, *Ana*.
_MARKDOWN = re.compile(
    r"(?P<wide>\*{2,3}|__)(?=[^\W\d_])[^\n*_~`]{1,200}?(?<=\S)(?P=wide)"
    r"|(?<![^\W_])(?P<mark>\*|~~|`)(?=[^\W\d_])[^\n*_~`]{1,200}?(?<=\S)(?P=mark)"
    r"(?![^\W_])"
)
# Attributes that say how a word looks; others ("href", "title") are text to be read.
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|font|mark|small|sub|sup|a|code)"
    r"(?:\s{1,3}(?:class|style|color|size|face|lang|dir|width|align|bgcolor)\s?=\s?"
    r"(?:\"[^\"<>\n]{0,120}\"|'[^'<>\n]{0,120}'|[\w#%-]{1,30}))*\s?/?>",
    re.I,
)
# What stands for a tag that ends a line: a name does not go on over it.
_ENDED = ";"


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
    """Drop what nobody sees; what parts words or fields instead becomes a blank."""
    count, blanks = len(_PARTING.findall(text)), sum(map(str.isspace, text))
    # Where each letter has one (UTF-16 read as something else) nothing is parted.
    instead = count >= _LEAST_PARTS and blanks * 2 < count <= len(text) / _WIDTH
    for match in _INVISIBLE.finditer(text):
        sign = match[0]
        parts = sign in _FIELDS or (instead and _PARTING.match(sign))
        yield Edit(*match.span(), " " if parts else "")


def _around(text: str) -> Iterator[Edit]:
    """Drop the white space around a note: rules look for its begin and its end."""
    first = len(text) - len(text.lstrip())
    if first:
        yield Edit(0, first)
    last = max(first, len(text.rstrip()))
    if last < len(text):
        yield Edit(last, len(text))


def _composed(text: str) -> Iterator[Edit]:
    """Compose letters with their accents; what has no composed form loses them."""
    if text.isascii():
        return
    if unicodedata.is_normalized("NFC", text) and not _COMBINING.search(text):
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
    if text.isascii() or LOOK_ALIKES.letters.keys().isdisjoint(text):
        return
    for match in LOOK_ALIKES.pattern.finditer(text):
        yield Edit(*match.span(), LOOK_ALIKES.letters[match[0]])


def _literal_line_ends(text: str) -> Iterator[Edit]:
    """Replace line ends and tabs written as two characters, where there are several."""
    ends = text.count("\\n") + text.count("\\r")
    if ends < _LEAST_LITERAL and text.count("\\t") < _LEAST_TABS:
        return
    for match in _LITERAL.finditer(text):
        yield Edit(*match.span(), _LITERAL_CHARACTERS.get(match[0], "\n"))


def _entities(text: str) -> Iterator[Edit]:
    """Replace letters that HTML wrote in signs: "&eacute;", "&#233;"."""
    if "&" in text:
        for match in _ENTITY.finditer(text):
            letter = html.unescape(match[0])
            if len(letter) == 1:
                yield Edit(*match.span(), letter)


def _escapes(text: str) -> Iterator[Edit]:
    r"""Replace letters that JSON wrote as numbers: "\u00e9"."""
    if "\\u00" in text:
        for match in _ESCAPED.finditer(text):
            yield Edit(*match.span(), chr(int(match[1], 16)))


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
        edits += [
            Edit(*match.span(), _ENDED if _ends_line(text, match) else "")
            for match in _TAG.finditer(text)
        ]
    last = 0
    for edit in sorted(edits):
        if edit.start >= last:
            yield edit
            last = edit.end


def _ends_line(text: str, tag: re.Match[str]) -> bool:
    """Tell whether a closing tag ends its line, and so what was said in it."""
    return tag[0].startswith("</") and text.startswith("\n", tag.end())


_Step = Callable[[str], Iterator[Edit]]
_STEPS: tuple[_Step, ...] = (
    _invisible,
    _around,
    _composed,
    lost_letters,
    _look_alikes,
    _entities,
    _escapes,
    scan_slips,
    scan_dates,
    boxes,
    _literal_line_ends,
    _broken_words,
    _markup,
    single_blanks,
    commands,
    spoken_signs,
    wrapped_lines,
    dates_over_lines,
)
