"""Prepare a note once, for rules and models alike, with a way back to it as given.

What no reader would mind is settled here: invisible characters, accents apart from
their letters, letters of other scripts that look like Latin ones, letters that an
export lost or wrote as signs, marks of Markdown and HTML around words, blanks that a
program doubled, line ends inside words and dates. Offsets always lead back.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from presidio_mx.text.prepared import Edit, Prepared
from presidio_mx.text.scans import scan_edits

_COMBINING = re.compile("[\u0300-\u036f]")
# Invisible, but they split words: soft hyphen, zero-width and direction marks,
# joiners, fillers, variation selectors, tags, control characters but white space.
# What tells a terminal or printer to write bold goes with them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_INVISIBLE = re.compile(
    r"\x1b(?:\[[0-?]*[@-~]|[&(*)][a-z]?(?:[-+]?\d{1,5}[a-z]){0,9}[-+]?\d{1,5}[A-Z@])"
    rf"|{_HIDDEN.pattern}"
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
# A gap that parts words, and when a note parts all its words by wider ones.
_GAP = re.compile(r"(?<=\S)[ \t\xa0]+(?=\S)")
_USUAL = 0.6
_LEAST_GAPS = 5
_MOST_SINGLE = 0.05
# A letter that no encoding could read, inside a word; question marks between capitals.
_LOST = re.compile(
    "(?<=[^\\W\\d_])(?:\ufffd{1,2}|[\udc80-\udcff])(?=[^\\W\\d_])"
    # Bytes of letters in Latin-1, at the head or the end of a word, too.
    "|[\udcc0-\udcff](?=[^\\W\\d_])|(?<=[^\\W\\d_])[\udcc0-\udcff]"
    "|(?<=[A-ZÑ])\\?(?=[A-Z]{2}|[A-Z](?![\\w=]))"
)
_LOST_SIGN = re.compile("[?\ufffd\udc80-\udcff]")
_VOWELS = frozenset("aeiouAEIOU")
# Letters that cannot be told apart by eye (Unicode's confusables, UTS 39).
_CYRILLIC = ("АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһӏԛԝ", "ABESIJKMHOPCTYXaesijopcyxdhlqw")
_GREEK = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανιυρ", "ABEZHIKMNOPTYXoaviup")


def prepare(original: str) -> Prepared:
    """Make the text that rules and models search in.

    :param original: The text as given.
    :return: The prepared text; the original itself where nothing has to change.
    """
    source = Prepared(original, original)
    for step in _STEPS:
        source = source.edited(step(source.text))
    return source


def _invisible(text: str) -> Iterator[Edit]:
    """Drop what nobody sees; what parts words or fields instead becomes a blank."""
    if not _HIDDEN.search(text):
        return
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


def _lost_letters(text: str) -> Iterator[Edit]:
    """Stand a likely letter in for each that was lost inside a word: "P\ufffdrez"."""
    if text.isascii() and text.count("?") < _LEAST_LITERAL:
        return
    if not _LOST_SIGN.search(text):
        return
    for match in _LOST.finditer(text):
        before, behind = text[match.start() - 1], text[match.end() : match.end() + 1]
        if "\udc80" <= match[0] <= "\udcff":
            letter = chr(ord(match[0]) - 0xDC00)  # the byte as Latin-1 has it
            letter = letter if letter.isalpha() else "e"
        elif before in _VOWELS and behind in _VOWELS:
            letter = "ñ"
        else:
            letter = "ó" if before in _VOWELS else "í" if behind in "aoAO" else "e"
        yield Edit(*match.span(), letter.upper() if behind.isupper() else letter)


def _look_alikes(text: str) -> Iterator[Edit]:
    """Replace letters of other scripts that look like Latin ones."""
    if text.isascii():
        return
    table = _confusable()
    if table.keys().isdisjoint(set(text)):
        return
    words = re.finditer(r"[^\W\d_]+", text)
    # A word wholly in another script is a word of that script, not a disguise.
    foreign = [m.span() for m in words if table.keys().isdisjoint(m[0]) is False]
    for start, end in foreign:
        word = text[start:end]
        if not all(letter in table or _is_latin(letter) for letter in word):
            continue
        for place, letter in enumerate(word, start):
            if letter in table:
                yield Edit(place, place + 1, table[letter])


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


@cache
def _confusable() -> dict[str, str]:
    """Return each look-alike letter or digit with the Latin one that it looks like."""
    codes = [*range(0xFF10, 0xFF5B), *range(0x1D400, 0x1D800)]
    plain = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in codes}
    styled = {
        sign: meant
        for sign, meant in plain.items()
        if sign != meant and len(meant) == 1 and meant.isascii() and meant.isalnum()
    }
    return styled | {
        letter: latin
        for letters, latins in (_CYRILLIC, _GREEK)
        for letter, latin in zip(letters, latins, strict=True)
    }


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


def _literal_line_ends(text: str) -> Iterator[Edit]:
    """Replace line ends and tabs written as two characters, where there are several."""
    ends = text.count("\\n") + text.count("\\r")
    if ends < _LEAST_LITERAL and text.count("\\t") < _LEAST_TABS:
        return
    for match in _LITERAL.finditer(text):
        yield Edit(*match.span(), _LITERAL_CHARACTERS.get(match[0], "\n"))


def _broken_words(text: str) -> Iterator[Edit]:
    """Join words that were hyphenated at the end of a line."""
    for match in _BROKEN_WORD.finditer(text):
        yield Edit(*match.span())


def _markup(text: str) -> Iterator[Edit]:
    """Drop marks of Markdown around words, and tags of HTML inside a line."""
    edits: list[Edit] = []
    marked = any(mark in text for mark in ("*", "__", "~~", "`"))
    for match in _MARKDOWN.finditer(text) if marked else ():
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


def usual_gap(text: str) -> str:
    """Return the white space that parts the words of a note: mostly one blank.

    A note whose words all stand two blanks, four blanks or a tab apart was laid out by
    a program; what is wider still parts columns there.

    :param text: The note.
    """
    if "  " not in text and "\t" not in text:
        return " "
    gaps = Counter(match[0] for match in _GAP.finditer(text))
    total = gaps.total()
    if total < _LEAST_GAPS or gaps[" "] > _MOST_SINGLE * total:
        return " "
    usual, count = gaps.most_common(1)[0]
    if count < _USUAL * total or ("\t" in usual and _is_table(text)):
        return " "
    return usual


def _is_table(text: str) -> bool:
    """Tell whether the lines of a note have as many tabs as one another."""
    counts = [line.count("\t") for line in text.splitlines() if line.strip()]
    return len(counts) > 1 and len(set(counts)) == 1


def _single_blanks(text: str) -> Iterator[Edit]:
    """Make single blanks of the width that parts the words of a note."""
    usual = usual_gap(text)
    if usual == " ":
        return
    for match in _GAP.finditer(text):
        units = len(match[0]) // len(usual)
        if match[0] == usual * max(units, 1):
            yield Edit(*match.span(), " " * units)


_STEPS: tuple[Callable[[str], Iterator[Edit]], ...] = (
    _invisible,
    _around,
    _composed,
    _lost_letters,
    _look_alikes,
    _entities,
    _escapes,
    scan_edits,
    _literal_line_ends,
    _broken_words,
    _markup,
    _single_blanks,
)
