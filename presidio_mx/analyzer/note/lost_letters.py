"""Letters that an export lost: a word with a hole in it is still one word.

Files and tables are mended with the lists, or refused (``presidio_mx.reading.mend``);
a text that comes from a program is not. Which letter it was need not be certain here:
"P\ufffdrez" beside "Juan" is a surname with any letter, and two words with none.
"""

import re
from collections.abc import Iterator

from presidio_mx.analyzer.note.edit import Edit

_LOST = "\ufffd"
# Bytes that Python could not read as UTF-8 and kept ("surrogateescape").
_BYTE = re.compile("[\udc80-\udcff]")
_VOWELS = "aeiouAEIOU"


def lost_letters(text: str) -> Iterator[Edit]:
    """Stand a likely letter in for each one that was lost inside of a word.

    At the end of a word, and before a capital, it may have been a quotation mark.

    :param text: The text to search in.
    :return: Edits of equal length.
    """
    if _LOST in text:
        yield from _replaced(text)
        return
    for match in _BYTE.finditer(text):
        letter = chr(ord(match[0]) - 0xDC00)  # as Latin-1 has it
        if letter.isalpha():
            yield Edit(*match.span(), letter)


def _replaced(text: str) -> Iterator[Edit]:
    for match in re.finditer(_LOST, text):
        at = match.start()
        before, behind = text[at - 1 : at], text[at + 1 : at + 2]
        inside = before.isalpha() or before == _LOST
        goes_on = behind.isalpha() or (
            behind == _LOST and text[at + 2 : at + 3].isalpha()
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
