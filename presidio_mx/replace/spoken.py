"""Surrogates of numbers, codes and names that were dictated: "ese ge guion cero"."""

import re
from collections.abc import Callable

from presidio_mx.replace.context import Context
from presidio_mx.replace.dates import shift_year
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.shapes import scramble
from presidio_mx.spanish.numbers import (
    HUNDREDS,
    LETTER_NAMES,
    is_number_word,
    read_number,
    read_spoken,
    say,
    write_number,
)
from presidio_mx.spanish.words import listed
from presidio_mx.spanish.writing import match_case
from presidio_mx.text.folding import fold

_HUNDRED = 100
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_LETTER, _FEWEST = 4, 3
_SIGNS = frozenset(
    "guion medio diagonal punto doble raya espacio mayuscula minuscula letra "
    "numero coma bajo mil".split()
)
_JOINTS, _VOWELS = frozenset("yeo"), frozenset("aeiou")
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
    words = (fold(word) for word in _WORD.findall(text))
    return any(
        len(word) > _LONGEST_LETTER and not (is_number_word(word) or word in _SIGNS)
        for word in words
        if word not in _LETTERS
    )


def spells(text: str) -> bool:
    """Tell whether a text is a name spelt out, letter by letter: "be, a, ere".

    :param text: What was found.
    """
    if " griega" in fold(text):
        signs = "".join(spoken.signs for spoken in read_spoken(text))
        return len(signs) > _FEWEST and signs.isalpha()
    words = [fold(word) for word in _WORD.findall(text)]
    letters = [word for word in words if word in _LETTERS or len(word) == 1]
    named = any(len(word) > 1 for word in letters)
    return named and len(words) >= _FEWEST and len(letters) == len(words)


def other_number_words(text: str, draw: Draw, least: int = 0) -> str:
    """Replace number words below a hundred by others of their size.

    :param text: A number that is written out.
    :param draw: Keyed numbers.
    :param least: What the first becomes at least: an area code begins with no 0 or 1.
    :return: E.g. ``cuatro veintiuno`` for ``siete diecinueve``.
    """
    first = True

    def write(match: re.Match[str]) -> str:
        nonlocal first
        new = _number(match[0], draw, _least(match, least if first else 0))
        first = first and not is_number_word(fold(match[0]))
        return new

    return _WORD.sub(write, text)


def _least(match: re.Match[str], least: int = 0) -> int:
    """Return what a number becomes at least: no "cero" behind "y"."""
    return max(least, 1) if _AND.search(match.string, 0, match.start()) else least


def _number(word: str, draw: Draw, least: int = 0) -> str:
    name = fold(word)
    if name in HUNDREDS:
        place = draw.permute(len(HUNDREDS), HUNDREDS.index(name), "hundreds")
        return match_case(word, HUNDREDS[place])
    value = read_number(word)
    if value is None or value >= _HUNDRED:
        return word
    low, high = (0, 10) if value < 10 else (10, 30) if value < 30 else (30, 100)
    if low + least <= value < 10:
        low = least
    elif least > 1 and value >= 20:  # "diecinueve" begins with a 1
        low = max(low, 20)
    if value >= 30:
        new = (draw.permute(7, value // 10 - 3, "tens") + 3) * 10
    else:
        new = low + draw.permute(high - low, value - low, "number word")
    return match_case(word, write_number(new))


def other_code_words(text: str, context: Context) -> str:
    """Replace number words and names of letters; "guion" and "diagonal" stay.

    :param text: A code that was dictated.
    :param context: The key.
    """
    draw = context.draw

    def write(match: re.Match[str]) -> str:
        name = fold(match[0])
        alone = len(name) == 1 and name not in _LETTERS and name not in _JOINTS
        if alone or (len(name) == 1 and match[0].isupper()):
            return scramble(match[0], "letter", draw)
        if name not in _LETTERS:
            return _number(match[0], draw, _least(match))
        place = draw.permute(len(_LETTERS), _LETTERS.index(name), "letter name")
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


def other_said_code(text: str, make: Callable[[str], str]) -> str | None:
    """Return a dictated code with the words of its surrogate.

    :param text: As it stands in the document.
    :param make: Makes the surrogate of the code.
    :return: None where it cannot be read, or the surrogate has another length.
    """
    read = read_spoken(text)
    code = "".join(spoken.signs for spoken in read)
    new = make(code) if code else ""
    if not new or len(new) != len(code) or not new.isascii():
        return None
    written, position, taken = "", 0, 0
    for spoken in read:
        signs = new[taken : taken + len(spoken.signs)]
        written += text[position : spoken.start]
        written += _say(signs, text[spoken.start : spoken.end])
        position, taken = spoken.end, taken + len(spoken.signs)
    return written + text[position:]


def _say(signs: str, like: str) -> str:
    if signs.isalpha() and len(like) == 1 and fold(like) not in _VOWELS:
        return match_case(like + like, signs)
    words = " ".join(say(signs))
    return match_case(like + like if signs.isalpha() else like, words)


def other_spelt_name(text: str, context: Context) -> str | None:
    """Return the letters of the surrogate for a name that a note spells.

    :param text: The letters as they stand in the document.
    :param context: What the note says.
    :return: None where the note has no such name.
    """
    read = read_spoken(text)
    word = "".join(spoken.signs for spoken in read).lower()
    image = context.note.words.get(word, "")
    letters = [c for c in image.lower() if c in LETTER_NAMES]
    if len(read) < 2 or not letters:
        return None
    between = text[read[0].end : read[1].start]
    names = (LETTER_NAMES[letter] for letter in letters)
    return text[: read[0].start] + between.join(names) + text[read[-1].end :]
