"""Numbers in words, ordinals, and codes dictated sign by sign."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from presidio_mx.spanish.words import listed
from presidio_mx.text.folding import fold, fold_key

# From 0 to 29, and from 30 to 90 by tens.
_SMALL = ("cero", *listed("number_unit"), *listed("number_teen"))
_TENS = listed("number_tens")
HUNDREDS = tuple(
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos "
    "ochocientos novecientos".split()
)
# The endings of ordinals by their last digit: 10mo, 1ro, 2do ...
_ENDS = ("mo", "ro", "do", "ro", "to", "to", "to", "mo", "vo", "no")
_TEENS = range(11, 20)
_WORD = re.compile(r"[^\W\d_]+")
LETTER_NAMES = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        "a be ce de e efe ge hache i jota ka ele eme ene o pe cu ere ese te u uve "
        "dobleu equis ye zeta".split(),
        strict=True,
    )
)
_LETTER_OF = {name: letter for letter, name in LETTER_NAMES.items()} | {
    **{"ache": "h", "ku": "q", "erre": "r", "ve": "v", "doble u": "w", "doble ve": "w"},
    **{"doble uve": "w", "i latina": "i", "i griega": "y", "y griega": "y"},
    **{"be grande": "b", "be alta": "b", "be larga": "b", "ve chica": "v"},
    **{"ve corta": "v", "ve baja": "v", "uve doble": "w", "elle": "l"},
}
_MARKS = frozenset("guion medio diagonal punto espacio coma raya barra slash".split())
_TWO_DIGITS = 100
_WIDEST = 3  # words of a number below a hundred: "treinta y dos"


def write_number(value: int) -> str:
    """Write a number in words.

    :param value: 0 to 2099.
    :return: E.g. ``cuarenta y seis``.
    """
    for base, word in ((2000, "dos mil"), (1900, "mil novecientos"), (100, "ciento")):
        if value >= base:
            rest = value - base
            if base == 100 and not rest:
                return "cien"
            return word + (f" {write_number(rest)}" if rest else "")
    if value < 30:
        return _SMALL[value]
    tens, units = divmod(value - 30, 10)
    return _TENS[tens] + (f" y {_SMALL[units]}" if units else "")


@cache
def _values() -> dict[str, int]:
    values = [*range(0, 130), *range(1900, 2100)]
    words = {fold_key(write_number(value)): value for value in values}
    return words | {"un": 1, "una": 1, "veintiun": 21, "veintiuna": 21}


def read_number(text: str) -> int | None:
    """Read a number in words.

    :param text: E.g. ``cuarenta y seis``.
    :return: The number; None if it is none.
    """
    return _values().get(fold_key(text))


def is_number_word(word: str) -> bool:
    """Tell whether a folded word is a number, alone or as a part: "seiscientos".

    :param word: A folded word.
    """
    return word in HUNDREDS or word in _values()


def ordinal_end(word: str, number: str) -> str:
    """Return the ending of another ordinal: "3ra" is "5ta", "1er" is "2do".

    :param word: The folded ending as it stands in the document.
    :param number: The digits that stand before it now.
    """
    if len(word) == 1 or not number.isdigit():
        return word
    end = "vo" if int(number) in _TEENS else _ENDS[int(number[-1])]
    if end == "ro" and word.endswith("er"):
        return "er"
    return end[0] + "a" if word.endswith("a") else end


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of a dictated code, and the signs they stand for.

    :param start: Where they begin.
    :param end: Where they end.
    :param signs: A letter in capitals, or digits.
    """

    start: int
    end: int
    signs: str


def read_spoken(text: str) -> tuple[Spoken, ...]:
    """Read a code that was dictated: "te ele ene jota, treinta y cuatro".

    :param text: As it stands in the document.
    :return: Its signs; nothing where some word is none of a code.
    """
    found: list[Spoken] = []
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        for width in range(min(_WIDEST, len(words) - at), 0, -1):
            run = words[at : at + width]
            signs = _signs(" ".join(fold(word.group()) for word in run))
            if signs is not None:
                if signs:
                    found.append(Spoken(run[0].start(), run[-1].end(), signs))
                at += width
                break
        else:
            return ()
    return tuple(found)


def _signs(phrase: str) -> str | None:
    """Return the signs of some words; empty for a mark, None for other words."""
    if phrase in _LETTER_OF:
        return _LETTER_OF[phrase].upper()
    if len(phrase) == 1 and phrase in LETTER_NAMES and phrase != "y":
        return phrase.upper()
    if phrase in _MARKS:
        return ""
    number = read_number(phrase)
    return str(number) if number is not None and number < _TWO_DIGITS else None


def say(signs: str) -> Iterator[str]:
    """Yield how signs are dictated: the name of a letter, a number below a hundred.

    :param signs: One letter, or one or two digits.
    """
    if signs.isalpha():
        yield LETTER_NAMES[signs.lower()]
        return
    if len(signs) > 1 and signs[0] == "0":
        yield write_number(0)
    yield write_number(int(signs))
