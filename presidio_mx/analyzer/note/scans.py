"""Letters and digits that a scanner took for one another: ``HlDALGO``, ``2O24``.

Undone once, for names, dates, phones, ages, codes and addresses alike, and only in a
note that shows several of them: elsewhere "O2" is oxygen and "B12" a vitamin.
"""

import re
from collections.abc import Iterator
from itertools import islice

from presidio_mx.analyzer.note.edit import Edit

_UPPER = "A-ZÁÉÍÓÚÑÜ"
_LOWER = "a-záéíóúñü"
# What nobody types: a small l or a zero among capitals, O or l among digits, 0 or 1
# inside a word of small letters.
_SIGN = re.compile(
    rf"(?<![{_LOWER}])[{_UPPER}](?:[{_UPPER}][l0](?=[{_UPPER}])|[l0](?=[{_UPPER}]{{3}}))"
    rf"|\d[OlI](?=\d)|[{_LOWER}]{{2}}[016](?=[{_LOWER}]{{1,2}})|(?<![\w])[lO]\d[/\-]"
)
_LEAST_SIGNS = 4
_TOKEN = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?=[^\d]*\d)[\dlIOo]{2,}")
_OXYGEN = "O2"
_DIGITS = str.maketrans("lIOo", "1100")
_INSIDE_NUMBER = re.compile(r"(?<=\d)[lIOo]+(?=\d)")
_CAPITALS = re.compile(rf"[{_UPPER}l01]*[{_UPPER}][{_UPPER}l01]*")
_LEAST_CAPITALS = 2
# Digits that stand for a capital: between letters, or a zero that ends a word. "H1N1"
# has too few letters for a word.
_IN_CAPITALS = re.compile(
    rf"l|(?<=[{_UPPER}l])0(?=[{_UPPER}l])|(?<=[{_UPPER}l]{{2}})1(?=[{_UPPER}l]{{2}})"
    rf"|(?<=[{_UPPER}l]{{2}})0$|^0(?=[{_UPPER}l]{{3}})"
)
_LETTERS_FOR = {"l": "I", "1": "I", "0": "O"}
_ROMAN = re.compile("[XVI]+l+")
_WORD = re.compile(
    rf"[{_UPPER}l01]?[{_LOWER}016I]*[{_LOWER}]{{2}}[{_LOWER}016I]*|[CTDctd]e[I1]"
    rf"|[{_UPPER}]?[{_LOWER}]11[{_LOWER}]"
)
_IN_WORD = re.compile(
    rf"(?<=[{_LOWER}])[016](?=[{_LOWER}])|(?<=[{_LOWER}])1(?=1[{_LOWER}])"
    rf"|(?<=[{_LOWER}]1)1(?=[{_LOWER}])|(?<=[{_LOWER}]{{3}}t)1$|(?<=[{_LOWER}]{{3}})0$|^0(?=[{_LOWER}]{{3}})"
    rf"|(?<=[{_LOWER}]{{2}}[aeiou])1$|(?<=^[CTDctd]e)[1I]$|(?<=[{_LOWER}])I(?=[{_LOWER}])"
)
_SMALL_FOR = {"0": "o", "1": "l", "6": "ó", "I": "l"}
# No word begins so; a capital I does.
_CAPITAL_I = re.compile(rf"l(?=[bcdfgjkmnpqrstvxyz][{_LOWER}]{{2}})")
# Pieces of a number: "27O OO l8", "19-lO-2022", "O9/ll/2OlO", "686 · 2l8 · O9".
_RUN = re.compile(
    r"(?<![^\W_])[\dlIO]{1,8}(?:(?:[ ]?[/.\-·][ ]?|[ ])[\dlIO]{1,8}){1,7}(?![^\W_])"
)
_INSIDE_DATE = re.compile(r"[\dlIO]{1,2}([/-])[\dlIO]{1,2}\1[\dlIO]")
_PIECE = re.compile(r"[\dlIO]+")
_LEAST_DIGITS = 3
# S for 5, B for 8, g for 9, Z for 2: between digits that are joined, in the date of a
# CURP or RFC, before the word of an age.
_FIVES = str.maketrans("SBgZlIO", "5892110")
_AS_FIVE = re.compile(
    r"(?<=\d)[SBgZ](?=\d{2})|(?<=\d{2})[SBgZ](?=\d)|(?<=\d)[SBgZ](?=[/-]\d)"
    r"|(?<=\d[ ]\d)[SBgZ](?=\d[ ]\d)|(?<=\d[/-])[SBgZ](?=\d[/-])"
    r"|(?<![^\W_]\d)(?<=\d)[SBgZ](?=[ ]?a(?:ñ?os?)?\b)"
)
# "Sl LVA", "S7 a"
_HALF_WORD = re.compile(rf"(?<=[{_UPPER}])(?<![^\W_][{_UPPER}])l(?=[ ][{_UPPER}]{{2}})")
_AGE = re.compile(r"(?<![^\W_])S(?=\d[ ]?a(?:ñ?os?)?\b)")
_REGISTERED = re.compile(
    r"(?<![^\W_])[A-Z&Ñ]{3,4}(?=\w{0,4}\d\w{0,4}\d)([\dlIOSBgZ]{6})"
    r"(?:[HMX][A-Z0l]{5}\w{2}|[A-Z\d]{3})?(?![^\W_])"
)
# One digit that stands alone among others: "7 7 4 O 1 8 2", "l 340".
_ALONE = re.compile(r"(?<=\d[ .\-])[lIO](?=[ .\-]\d)|(?<![^\s+])[lO](?=[ ]\d{3}(?!\d))")
# Letters that are two in the scan, or another one.
_MISREAD = (("rn", "m"), ("fí", "ñ"), ("fi", "ñ"), ("h", "ñ"))
# A letter in each box of a form: "|E|V|A|". HL7 has such fields, too.
_BOXES = re.compile(r"(?<=\|)[^\W_](?:\|[^\W_]|\|[ ](?=\|[^\W_])){4,}(?=\|)")
_HL7 = re.compile(r"[A-Z][A-Z0-9]{2}\|")


def scanned(text: str) -> bool:
    """Tell whether a text came from a scanner.

    :param text: The text.
    """
    signs = sum(1 for _ in islice(_SIGN.finditer(text), _LEAST_SIGNS))
    return signs >= _LEAST_SIGNS


def scan_slips(text: str, sure: bool = False) -> Iterator[Edit]:
    """Yield what a scanner took for something else, one character each.

    :param text: The text.
    :param sure: Whether it came from a scanner, whatever it looks like.
    """
    if not (sure or scanned(text)):
        return
    edits = {
        edit.start: edit
        for edit in [
            *(Edit(*m.span(), m[0].translate(_DIGITS)) for m in _ALONE.finditer(text)),
            *_in_numbers(text),
        ]
    }
    for match in _TOKEN.finditer(text):
        token = match[0]
        for place, letter in enumerate(_read(token)):
            if letter != token[place]:
                start = match.start() + place
                edits[start] = Edit(start, start + 1, letter)
    yield from (edits[start] for start in sorted(edits))


def _in_numbers(text: str) -> Iterator[Edit]:
    """Yield letters that are others, as what stands beside their token shows."""
    for run in _RUN.finditer(text):
        least = _LEAST_DIGITS - any(sign in run[0] for sign in "/-.")
        if sum(map(str.isdigit, run[0])) < least:
            continue
        for piece in _PIECE.finditer(text, *run.span()):
            # "II" is a Roman number, "O2" oxygen, but "19-O2-16" a date.
            if piece[0].isdigit() or set(piece[0]) == {"I"}:
                continue
            if piece[0] == _OXYGEN and not _INSIDE_DATE.match(run[0]):
                continue
            yield from _letter_by_letter(text, *piece.span())
    for match in _AS_FIVE.finditer(text):
        yield Edit(*match.span(), match[0].translate(_FIVES))
    for match in _HALF_WORD.finditer(text):
        yield Edit(*match.span(), "I")
    for match in _AGE.finditer(text):
        yield Edit(*match.span(), "5")
    for match in _REGISTERED.finditer(text):
        yield from _letter_by_letter(text, *match.span(1))


def _letter_by_letter(text: str, start: int, end: int) -> Iterator[Edit]:
    for place in range(start, end):
        digit = text[place].translate(_FIVES)
        if digit != text[place]:
            yield Edit(place, place + 1, digit)


def boxes(text: str) -> Iterator[Edit]:
    """Yield the lines between the boxes of a form, one letter in each.

    :param text: The text.
    """
    if "|" not in text:
        return
    for match in _BOXES.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        if _HL7.match(text, line):
            continue
        for place in range(match.start() + 1, match.end(), 2):
            yield Edit(place, place + 1)


def as_misread(word: str) -> Iterator[tuple[int, int, str]]:
    """Yield what a word that is none may have been: where, and the letter meant.

    :param word: The word as it stands, in small letters.
    """
    for seen, meant in _MISREAD:
        place = word.find(seen)
        if place >= 0:
            yield place, place + len(seen), meant


def _read(token: str) -> str:
    """Return a word, number or code as it was before it was scanned."""
    if token.isalpha() and "l" not in token and "I" not in token:
        return token
    if _NUMBER.fullmatch(token):
        return token if token == _OXYGEN else token.translate(_DIGITS)
    if _ROMAN.fullmatch(token):
        return token.replace("l", "I")
    if _CAPITALS.fullmatch(token):
        if sum(map(str.isupper, token)) < _LEAST_CAPITALS:
            return token
        return _IN_CAPITALS.sub(lambda slip: _LETTERS_FOR[slip[0]], token)
    if _WORD.fullmatch(token):
        token = _IN_WORD.sub(_small, token)
        return "I" + token[1:] if _CAPITAL_I.match(token) else token
    return _INSIDE_NUMBER.sub(lambda slip: slip[0].translate(_DIGITS), token)


def _small(slip: re.Match[str]) -> str:
    return "O" if slip[0] == "0" and not slip.start() else _SMALL_FOR[slip[0]]
