"""Digits and letters that a scanner took for one another: ``2O24``, ``HlDALGO``.

Undone once, by one table, and only in a note that shows several of them: elsewhere "O2"
is oxygen and "B12" a vitamin. Words that a scanner broke or misread otherwise are left
to the model, which learnt from scans as they are.
"""

import re
from collections.abc import Iterator
from itertools import islice

from presidio_mx.text.prepared import Edit

_UPPER = "A-ZÁÉÍÓÚÑÜ"
_LOWER = "a-záéíóúñü"
# What nobody types: a small l or a zero among capitals or at their end, O or l among
# digits, at a number's begin or end ("8O", "O44", "l5O"), 0 or 1 inside a word of small
# letters, 0 at its end.
_SIGN = re.compile(
    rf"(?<![{_LOWER}])[{_UPPER}](?:[{_UPPER}][l0](?=[{_UPPER}])|[l0](?=[{_UPPER}]{{3}}))"
    rf"|\d[OlI](?=\d)|[{_LOWER}]{{2}}[016](?=[{_LOWER}]{{1,2}})|(?<![\w])[lO]\d[/\-]"
    rf"|(?<![^\W_])(?:\d{{1,3}}O{{1,2}}|l\d{{2,3}}|l[lO]|[{_LOWER}]{{4,}}0"
    rf"|[{_UPPER}]{{3,}}[0l])(?![^\W_])"
    rf"|(?<![^\W_])(?:O\d{{3}}|O\.(?=\d)|[lO](?=\d\.\d)|[{_UPPER}]0(?=[{_LOWER}]{{2}}))"
)
# The character that each sign turns on, and what must stand at it: seldom met, and
# faster to look for.
_MAY_BE_SIGN = re.compile(
    rf"[OlI016](?:(?<=[{_UPPER}][l0])|(?<=\d[OlI])|(?<=[{_LOWER}][016])"
    r"|(?<=[lO])(?=[\d.])|(?<=l)(?=[lO])(?<![^\W_]l))"
)
_LEAST_SIGNS = 3
_TOKEN = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?=[^\d]*\d)[\dlIOoSB]{2,}")
# A word whose zeros and ones are letters: in capitals or small letters.
_CAPITALS = re.compile(rf"(?=.*[{_UPPER}]{{2}})[{_UPPER}l01]{{3,}}")
_SMALL = re.compile(rf"[{_UPPER}0]?[{_LOWER}016]*[{_LOWER}]{{2}}[{_LOWER}016]*")
# Next to another number a lone letter is a digit: "27 O8 l9", "l9/O2/2O14", "O9".
_BESIDE_DIGITS = re.compile(
    r"(?<=\d[ /.\-])[lIO](?=[ /.\-]\d)|(?<![^\W_])[lO](?=\d[/.\-]\d)"
)
# Pieces of one number: "27O OO l8", "19-lO-2022", "O9/ll/2OlO", "686 · 2l8 · O9".
_RUN = re.compile(
    r"(?<![^\W_])[\dlIOSB]{1,8}(?:(?:[ ]?[/.\-·][ ]?|[ ])[\dlIOSB]{1,8}){1,7}(?![^\W_])"
)
_PIECE = re.compile(r"[\dlIOSB]+")
_LEAST_DIGITS = 3
_AS_DIGITS = str.maketrans("lIOoSB", "110058")
_AS_CAPITALS = str.maketrans("l01", "IOI")
_AS_SMALL = str.maketrans("016", "oló")
_OXYGEN = "O2"


def scanned(text: str) -> bool:
    """Tell whether a text came from a scanner.

    :param text: The text.
    """
    if len(_MAY_BE_SIGN.findall(text)) < _LEAST_SIGNS:
        return False
    signs = sum(1 for _ in islice(_SIGN.finditer(text), _LEAST_SIGNS))
    return signs >= _LEAST_SIGNS


def scan_edits(text: str) -> Iterator[Edit]:
    """Yield what a scanner took for something else, one character each.

    :param text: The text.
    """
    if not scanned(text):
        return
    edits: dict[int, Edit] = {}

    def change(start: int, letters: str) -> None:
        for place, letter in enumerate(letters, start):
            if letter != text[place]:
                edits[place] = Edit(place, place + 1, letter)

    for match in _BESIDE_DIGITS.finditer(text):
        change(match.start(), match[0].translate(_AS_DIGITS))
    for run in _RUN.finditer(text):
        least = _LEAST_DIGITS - any(sign in run[0] for sign in "/-.")
        if sum(map(str.isdigit, run[0])) >= least:
            for piece in _PIECE.finditer(text, *run.span()):
                # "II" is a Roman number.
                if piece[0] != _OXYGEN and set(piece[0]) != {"I"}:
                    change(piece.start(), piece[0].translate(_AS_DIGITS))
    for match in _TOKEN.finditer(text):
        change(match.start(), _read(match[0]))
    yield from (edits[start] for start in sorted(edits))


def _read(token: str) -> str:
    """Return a word or number as it was before it was scanned."""
    if token.isalpha() and "l" not in token:
        return token
    if _NUMBER.fullmatch(token):
        return token if token == _OXYGEN else token.translate(_AS_DIGITS)
    if _CAPITALS.fullmatch(token):
        return token.translate(_AS_CAPITALS)
    if not token.isalpha() and _SMALL.fullmatch(token):
        return token[0] + token[1:].translate(_AS_SMALL)
    return token
