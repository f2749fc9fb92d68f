"""Surrogates of numbers and codes that were dictated: "ese ge guion cero cuatro"."""

import re

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.dates import shift_year
from presidio_mx.replace.surrogates.numerals import read_number, write_number
from presidio_mx.replace.surrogates.shape import scramble
from presidio_mx.spanish.words import listed
from presidio_mx.text.folding import fold

_HUNDRED = 100
_HUNDREDS = tuple(
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos "
    "ochocientos novecientos".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_LETTER = 4
_SIGNS = frozenset(
    "guion medio diagonal punto doble raya espacio mayuscula minuscula letra "
    "numero coma bajo mil".split()
)
_JOINTS = frozenset("yeo")
# "H E N guion": letters and what stands between them.
_SPELT = re.compile(r"[a-zñ](?:[ .,]+(?:[a-zñ]|guion|diagonal|punto))+")
_YEAR = re.compile(r"(?i)\bdos mil (?:treinta|veinti\w+|veinte|dieci\w+|[a-z]+ce)\b")
_AND = re.compile(r"(?i)\by\s+\Z")
_LETTERS = tuple(name for name in listed("spoken_letter") if " " not in name)


def is_spoken(text: str) -> bool:
    """Tell whether a code stands in words: no digit, and some number is spelt out.

    :param text: The code as it stands in the document.
    :return: True for ``siete siete tres``.
    """
    if any(map(str.isdigit, text)):
        return False
    if _SPELT.fullmatch(fold(text)):
        return True
    return any(read_number(word) is not None for word in _WORD.findall(text))


def holds_other_words(text: str) -> bool:
    """Tell whether a dictated code holds words that no code is dictated with.

    :param text: The code as it stands in the document.
    :return: True for ``glasgow quince tensión``: a finding, not a plate.
    """
    words = [fold(word) for word in _WORD.findall(text)]
    return any(
        len(word) > _LONGEST_LETTER and not (is_number_word(word) or word in _SIGNS)
        for word in words
        if word not in _LETTERS
    )


def spells(text: str) -> bool:
    """Tell whether a text is a name spelt out, letter by letter: "be, a, ere".

    :param text: What was found.
    """
    words = [fold(word) for word in _WORD.findall(text)]
    letters = [word for word in words if word in _LETTERS or len(word) == 1]
    named = any(len(word) > 1 for word in letters)
    return named and len(words) > 2 and len(letters) == len(words)


def is_number_word(word: str) -> bool:
    """Tell whether a word is a number, alone or as a part: "seis", "seiscientos".

    :param word: A folded word.
    """
    return word in _HUNDREDS or read_number(word) is not None


def other_number_words(text: str, context: Context, least: int = 0) -> str:
    """Replace number words below a hundred by others of their size.

    :param text: A number that is written out.
    :param context: The key.
    :param least: What the first becomes at least: an area code begins with no 0 or 1.
    :return: E.g. ``cuatro veintiuno`` for ``siete diecinueve``.
    """
    first = True

    def write(match: re.Match[str]) -> str:
        nonlocal first
        new = _number(match[0], context, _least(match, least if first else 0))
        first = first and not is_number_word(fold(match[0]))
        return new

    return _WORD.sub(write, text)


def _least(match: re.Match[str], least: int = 0) -> int:
    """Return what a number becomes at least: no "cero" behind "y"."""
    return max(least, 1) if _AND.search(match.string, 0, match.start()) else least


def other_code_words(text: str, context: Context) -> str:
    """Replace number words and names of letters; "guion" and "diagonal" stay.

    :param text: A code that was dictated.
    :param context: The key.
    """

    def write(match: re.Match[str]) -> str:
        name = fold(match[0])
        alone = len(name) == 1 and name not in _LETTERS and name not in _JOINTS
        if alone or (len(name) == 1 and match[0].isupper()):
            return scramble(match[0], "letter", context)
        if name not in _LETTERS:
            return _number(match[0], context, _least(match))
        place = context.draw.permute(len(_LETTERS), _LETTERS.index(name), "letter name")
        return match_case(match[0], _LETTERS[place])

    years: list[str] = []

    def moved(match: re.Match[str]) -> str:
        value = read_number(match[0])
        year = value and shift_year(value, context)
        years.append(match_case(match[0], write_number(year)) if year else match[0])
        return "\0"

    written = _WORD.sub(write, _YEAR.sub(moved, text))
    for year in years:
        written = written.replace("\0", year, 1)
    return written


def _number(word: str, context: Context, least: int = 0) -> str:
    name = fold(word)
    if name in _HUNDREDS:
        place = context.draw.permute(len(_HUNDREDS), _HUNDREDS.index(name), "hundreds")
        return match_case(word, _HUNDREDS[place])
    value = read_number(word)
    if value is None or value >= _HUNDRED:
        return word
    low, high = (0, 10) if value < 10 else (10, 30) if value < 30 else (30, 100)
    if low + least <= value < 10:
        low = least
    elif least > 1 and value >= 20:  # "diecinueve" begins with a 1
        low = max(low, 20)
    if value >= 30:
        tens = context.draw.permute(7, value // 10 - 3, "tens") + 3
        new = tens * 10
    else:
        new = low + context.draw.permute(high - low, value - low, "number word")
    return match_case(word, write_number(new))
