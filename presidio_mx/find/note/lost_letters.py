"""Letters that an export lost: a word with a hole in it is still one word.

Files and tables are mended with the lists, or refused (``text.reading.mend``);
a text that comes from a program is not. Which letter it was need not be certain here:
"P\ufffdrez" beside "Juan" is a surname with any letter, and two words with none.
"""

import re
from collections.abc import Iterator

from presidio_mx.find.note.edit import Edit

_LOST = "\ufffd"
# Bytes that Python could not read as UTF-8 and kept ("surrogateescape").
_BYTE = re.compile("[\udc80-\udcff]")
_VOWELS = "aeiouAEIOU"
# A question mark inside a word in capitals, where a program could not write a letter:
# "YA?EZ"; addresses in the web have them in small letters.
_ASKED = re.compile(r"(?<=[A-ZÑ])\?(?=[A-Z]{2}|[A-Z](?![\w=]))")
# Letters of code page 850 (DOS) read as code page 1252: "MU¥OZ", "AV SERDµN".
_DOS_CAPITALS = {"¥": "Ñ", "µ": "Á", "à": "Ó", "Ö": "Í", "\x90": "É", "é": "Ú"}
_DOS_SMALL = {
    "¤": "ñ",
    "\xa0": "á",
    "¡": "í",
    "¢": "ó",
    "£": "ú",
    "\x82": "é",
    "‚": "é",
}
_DOS = re.compile(r"(?<=[A-Z])[¥µàÖé\x90](?=[A-Z])|(?<=[a-z])[¤¡¢£\x82‚](?=[a-z])")
# One alone is a question ("FIEBRE?NO").
_LEAST_ASKED = 2


def lost_letters(text: str) -> Iterator[Edit]:
    """Stand a likely letter in for each one that was lost inside of a word.

    At the end of a word, and before a capital, it may have been a quotation mark. Where
    a program wrote a sign of its own for lost letters, nothing else was lost; elsewhere
    question marks between capitals, letters of DOS and unread bytes are replaced.

    :param text: The text to search in.
    :return: Edits of equal length.
    """
    if _LOST in text:
        yield from _replaced(text, re.compile(_LOST))
        return
    asked = [*_replaced(text, _ASKED)] if text.count("?") >= _LEAST_ASKED else []
    edits = asked if len(asked) >= _LEAST_ASKED else []
    for match in _DOS.finditer(text):
        meant = _DOS_CAPITALS if match[0] in _DOS_CAPITALS else _DOS_SMALL
        edits.append(Edit(*match.span(), meant[match[0]]))
    for match in _BYTE.finditer(text):
        letter = chr(ord(match[0]) - 0xDC00)  # as Latin-1 has it
        if letter.isalpha():
            edits.append(Edit(*match.span(), letter))
    yield from sorted(edits)


def _replaced(text: str, lost: re.Pattern[str]) -> Iterator[Edit]:
    for match in lost.finditer(text):
        at = match.start()
        before, behind = text[at - 1 : at], text[at + 1 : at + 2]
        inside = before.isalpha() or before == match[0]
        goes_on = behind.isalpha() or (
            behind == match[0] and text[at + 2 : at + 3].isalpha()
        )
        if goes_on and (inside or not behind.isupper()):
            ends = not text[at + 2 : at + 3].isalpha()
            letter = _likely(before, behind, ends) if inside else "A"
            yield Edit(at, at + 1, letter.upper() if behind.isupper() else letter)


def _likely(before: str, behind: str, ends: bool) -> str:
    """Return the letter that names most often have there: Muñoz, García, León."""
    if before in _VOWELS and behind in _VOWELS:
        return "ñ"
    if ends and behind in "aoAO":
        return "í"
    if before in _VOWELS and behind in "nN":
        return "ó"
    return "e"
