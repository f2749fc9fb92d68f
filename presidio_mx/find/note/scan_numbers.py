"""Numbers that a scanner read as letters: ``2O24``, ``l6``, ``B71 190 66 O2``.

What stands beside a letter tells that it is a digit: other digits, a month, the word of
an age, a label.
"""

import re
from collections.abc import Iterator

from presidio_mx.find.note.edit import Edit
from presidio_mx.spanish.words import either

OXYGEN = "O2"
AS_DIGITS = str.maketrans("lIOo", "1100")
# Pieces of a number: "27O OO l8", "19-lO-2022", "O9/ll/2OlO", "686 · 2l8 · O9".
_RUN = re.compile(
    r"(?<![^\W_])[\dlIO]{1,8}(?:(?:[ ]?[/.\-·][ ]?|[ ])[\dlIO]{1,8}){1,7}(?![^\W_])"
)
_INSIDE_DATE = re.compile(r"[\dlIO]{1,2}([/.-])[\dlIO]{1,2}\1[\dlIO]")
_PIECE = re.compile(r"[\dlIO]+")
_LEAST_DIGITS = 3
# S for 5, B for 8, g for 9, Z for 2: between digits that are joined, in the date of a
# CURP or RFC, before the word of an age.
_FIVES = str.maketrans("SBgZlIOo", "58921100")
_AS_FIVE = re.compile(
    r"(?<=\d)[SBgZ](?=\d{2})|(?<=\d{2})[SBgZ](?=\d)|(?<=\d)[SBgZ](?=[/-]\d)"
    r"|(?<=\d[ ]\d)[SBgZ](?=\d[ ]\d)|(?<=\d[/-])[SBgZ](?=\d[/-])"
    r"|(?<![^\W_]\d)(?<=\d)[SBgZ](?=[ ]?a(?:ñ?os?)?\b)"
)
_AGE = re.compile(r"(?<![^\W_])S(?=\d[ ]?a(?:ñ?os?)?\b)")
_REGISTERED = re.compile(
    r"(?<![^\W_])[A-Z&Ñ]{3,4}(?=\w{0,4}\d\w{0,4}\d)([\dlIOSBgZ]{6})"
    r"(?:[HMX][A-Z0l]{5}\w{2}|[A-Z\d]{3})?(?![^\W_])"
)
# One digit that stands alone among others: "7 7 4 O 1 8 2", "l 340".
_ALONE = re.compile(r"(?<=\d[ .\-])[lIO](?=[ .\-]\d)|(?<![^\s+])[lO](?=[ ]\d{3}(?!\d))")
# Ten to thirteen digits in groups, S for 5 and B for 8 among them: "B71 19O 66 O2".
_PHONE = re.compile(
    r"(?<![^\W_])(?=[\dlIOSB]*\d)[\dlIOSBo]{1,12}"
    r"(?:[)]?[ .\-]{1,3}[\dlIOSBo]{1,8}){0,6}(?![^\W_])"
)
_PHONE_LENGTHS = (10, 13)
_MOST_LETTERS = 5
# "septiernbre", too.
_MONTH = either("month_abbreviation") + "[a-z]{0,8}"
# "lO de enero", "ll/Ene/24", "O2 Nov", "2S-feb-26"; "25-lo-09"; "O2/14".
_DAY = re.compile(
    rf"(?<![^\W_])(?:[lIO]{{2}}|O(?=[1-9])|[0-3](?=[SB])|[lI](?=[/-]))[\dlIOSB]?"
    rf"(?=(?:[ ]{{1,2}}(?:de[ ]{{1,2}})?|[/-]){_MONTH}(?![^\W_]))"
    rf"|(?<=\d-)lo(?=-\d\d(?!\d))|(?<![^\W_])O2(?=/\d\d(?!\d))|(?<=\d/)O2(?![^\W_])",
    re.I,
)
_AGE_OR_CODE = re.compile(
    r"(?<![^\W_])(?:edad|age)[ ]?[:.]?[ ]{1,3}([\dlISOB]{2})(?![^\W_])"
    r"|(?<![^\W_])C\.?[ ]?P\.?[ :]{0,3}([\dlIOSB]{5})(?![^\W_])",
    re.I,
)


def slips_in_numbers(text: str) -> Iterator[Edit]:
    """Yield letters that are digits, as what stands beside them shows.

    :param text: A text that came from a scanner.
    """
    for match in _ALONE.finditer(text):
        yield Edit(*match.span(), match[0].translate(AS_DIGITS))
    for run in _RUN.finditer(text):
        least = _LEAST_DIGITS - any(sign in run[0] for sign in "/-.")
        if sum(map(str.isdigit, run[0])) < least:
            continue
        for piece in _PIECE.finditer(text, *run.span()):
            # "II" is a Roman number, "O2" oxygen, but "19-O2-16" a date.
            if piece[0].isdigit() or set(piece[0]) == {"I"}:
                continue
            if piece[0] == OXYGEN and not _INSIDE_DATE.match(run[0]):
                continue
            yield from _letter_by_letter(text, *piece.span())
    for match in _AS_FIVE.finditer(text):
        yield Edit(*match.span(), match[0].translate(_FIVES))
    for match in _AGE.finditer(text):
        yield Edit(*match.span(), "5")
    for match in _REGISTERED.finditer(text):
        yield from _letter_by_letter(text, *match.span(1))
    for match in _DAY.finditer(text):
        yield from _letter_by_letter(text, *match.span())
    for match in _AGE_OR_CODE.finditer(text):
        yield from _letter_by_letter(text, *match.span(match.lastindex or 0))
    for match in _PHONE.finditer(text):
        if _is_phone(match[0]):
            yield from _letter_by_letter(text, *match.span())


def _is_phone(run: str) -> bool:
    """Tell whether a run of digits and letters is as long as a phone number."""
    signs = [sign for sign in run if sign.isalnum()]
    letters = sum(map(str.isalpha, signs))
    least, most = _PHONE_LENGTHS
    return least <= len(signs) <= most and 0 < letters <= _MOST_LETTERS


def _letter_by_letter(text: str, start: int, end: int) -> Iterator[Edit]:
    for place in range(start, end):
        digit = text[place].translate(_FIVES)
        if digit != text[place]:
            yield Edit(place, place + 1, digit)
