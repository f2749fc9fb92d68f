"""Spanish number words from 0 to 2099: "cuarenta y seis", "dos mil diecinueve"."""

from functools import cache

from presidio_mx.spanish.words import listed
from presidio_mx.text.folding import fold_key

# From 0 to 29, and from 30 to 90 by tens.
_SMALL = ("cero", *listed("number_unit"), *listed("number_teen"))
_TENS = listed("number_tens")


def write_number(value: int) -> str:
    """Write a number in words.

    :param value: 0 to 2099.
    :return: E.g. ``cuarenta y seis``.
    """
    if value >= 2000:
        rest = value - 2000
        return "dos mil" + (f" {write_number(rest)}" if rest else "")
    if value >= 1900:
        rest = value - 1900
        return "mil novecientos" + (f" {write_number(rest)}" if rest else "")
    if value >= 100:
        rest = value - 100
        return f"ciento {write_number(rest)}" if rest else "cien"
    if value < 30:
        return _SMALL[value]
    tens, units = divmod(value - 30, 10)
    return _TENS[tens] + (f" y {_SMALL[units]}" if units else "")


# The endings of ordinals by their last digit: 10mo, 1ro, 2do ...
_ENDS = ("mo", "ro", "do", "ro", "to", "to", "to", "mo", "vo", "no")
_TEENS = range(11, 20)


@cache
def _words() -> dict[str, int]:
    values = [*range(0, 130), *range(1900, 2100)]
    words = {fold_key(write_number(value)): value for value in values}
    return words | {"un": 1, "una": 1, "veintiun": 21, "veintiuna": 21}


def read_number(text: str) -> int | None:
    """Read a number in words.

    :param text: E.g. ``cuarenta y seis``.
    :return: The number; None if it is none.
    """
    return _words().get(fold_key(text))


def ordinal_end(word: str, number: str) -> str:
    """Return the ending of another ordinal: "3ra" is "5ta", "1er" is "2do".

    :param word: The folded ending as it stands in the document.
    :param number: The digits that stand before it now.
    """
    if len(word) == 1 or not number.isdigit():
        return word
    if int(number) in _TEENS:
        end = "vo"
    else:
        end = _ENDS[int(number[-1])]
    if end == "ro" and word.endswith("er"):
        return "er"
    return end[0] + "a" if word.endswith("a") else end
