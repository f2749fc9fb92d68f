"""Other values of the same shape: letters for letters, digits for digits."""

import re
import string

from presidio_mx.replace.draw import Draw
from presidio_mx.spanish.writing import (
    alphanumeric,
    plain_digits,
    strip_accents,
    write_like,
)

_UPPER, _DIGITS = string.ascii_uppercase, string.digits
_LONGEST = 40
# What a number begins with, where it has another digit behind.
_ZEROS = re.compile(r"(?<!\d)0+(?=[1-9])")
_SHAPES = {_UPPER: "A", "0": "0", _DIGITS[1:]: "1"}


def permute_code(code: str, label: str, draw: Draw) -> str:
    """Replace every letter and digit, so that two codes never share a surrogate.

    The code is read as a number in mixed radix (10 for a digit, 26 for a letter) and
    goes through a keyed permutation of all codes of its shape; none stays itself. The
    zeros that a number begins with stay: "V-00231" counts, and is below a thousand.

    :param code: Letters A to Z and digits.
    :param label: Which permutation.
    :param draw: Keyed numbers.
    :return: Another code of the same shape.
    """
    if len(code) > _LONGEST:  # no code is so long; pieces keep the time linear
        pieces = [code[i : i + _LONGEST] for i in range(0, len(code), _LONGEST)]
        return "".join(
            permute_code(piece, f"{label} {i}" if i else label, draw)
            for i, piece in enumerate(pieces)
        )
    alphabets = [_DIGITS if c.isdigit() else _UPPER for c in code]
    for zeros in _ZEROS.finditer(code):
        for at in range(*zeros.span()):
            alphabets[at] = "0"
        alphabets[zeros.end()] = _DIGITS[1:]
    shape = "".join(_SHAPES.get(alphabet, "9") for alphabet in alphabets)
    return permute_signs(code, alphabets, draw, label, shape)


def permute_signs(code: str, alphabets: list[str], draw: Draw, *labels: str) -> str:
    """Permute all codes whose signs come from the alphabets given.

    :param code: The code.
    :param alphabets: What each of its signs may be.
    :param draw: Keyed numbers.
    :param labels: Which permutation.
    """
    size, index = 1, 0
    for sign, alphabet in zip(code, alphabets, strict=True):
        place = alphabet.find(sign)
        index = index * len(alphabet) + (place if place >= 0 else ord(sign) % 10)
        size *= len(alphabet)
    image = draw.permute(size, index, *labels)
    signs = []
    for alphabet in reversed(alphabets):
        image, place = divmod(image, len(alphabet))
        signs.append(alphabet[place])
    return "".join(reversed(signs))


def other_number(digits: str, label: str, draw: Draw) -> str:
    """Return another number of as many digits, without a leading zero of its own.

    :param digits: A house number, lot or kilometre.
    :param label: What it numbers.
    :param draw: Keyed numbers.
    """
    digits = plain_digits(digits)
    if digits[0] == "0" or len(digits) > 6:
        return permute_code(digits, label, draw)
    low = 10 ** (len(digits) - 1)
    size = 9 * low
    return str(low + draw.permute(size, int(digits) - low, label, size))


def scramble(text: str, label: str, draw: Draw) -> str:
    """Replace letters by letters and digits by digits; everything else stays.

    :param text: Any text.
    :param label: Which permutation.
    :param draw: Keyed numbers.
    :return: A text of the same shape, never the text itself if it has letters or
        digits.
    """
    plain = text
    if not text.isascii():
        bases = (strip_accents(c) for c in text)
        plain = "".join(base if len(base) == 1 else "x" for base in bases)
    code = alphanumeric(plain)
    if not code:
        return text
    if len(code) != sum(c.isalnum() for c in plain):
        code = "".join("X" if c.isalpha() else "0" for c in plain if c.isalnum())
    return write_like(plain, permute_code(code, label, draw))
