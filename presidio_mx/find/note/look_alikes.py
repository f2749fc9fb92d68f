"""Letters of other scripts that look like Latin ones (Unicode's confusables, UTS 39).

Only letters that cannot be told apart by eye are listed; a word in a script of its own
keeps what it is, but for those.
"""

import re
import unicodedata
from typing import NamedTuple

_CYRILLIC = dict(
    zip("АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһӏԛԝ", "ABESIJKMHOPCTYXaesijopcyxdhlqw", strict=True)
)
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανιυρ", "ABEZHIKMNOPTYXoaviup", strict=True))


class LookAlikes(NamedTuple):
    """What is replaced, and by what.

    :param pattern: Matches one character that looks like a Latin letter or a digit.
    :param letters: The character to the letter or digit.
    """

    pattern: re.Pattern[str]
    letters: dict[str, str]


def _wide_and_styled() -> dict[str, str]:
    """Return full-width and mathematical letters and digits with what they mean."""
    codes = [*range(0xFF10, 0xFF5B), *range(0x1D400, 0x1D800)]
    plain = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in codes}
    return {
        styled: meant
        for styled, meant in plain.items()
        if styled != meant and len(meant) == 1 and meant.isascii() and meant.isalnum()
    }


def _made() -> LookAlikes:
    letters = _CYRILLIC | _GREEK | _wide_and_styled()
    return LookAlikes(re.compile("[" + "".join(sorted(letters)) + "]"), letters)


LOOK_ALIKES = _made()
