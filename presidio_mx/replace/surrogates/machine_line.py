"""The second line of the back of a voter card, as machines read it (ICAO 9303)."""

import re
from datetime import date

from presidio_mx.replace.surrogates.shape import AS_DIGITS

# Birth, sex, expiry and country; each date with its check digit.
_LINE = re.compile(r"(\d{6})\d([HMFX])(\d{6})\d(MEX)")
_WEIGHTS = (7, 3, 1)


def machine_line(code: str) -> re.Match[str] | None:
    """Return birth date, sex, expiry and country of a line.

    :param code: Letters and digits, in capitals; those of a scan are read.
    """
    return _LINE.fullmatch(code.translate(AS_DIGITS))


def like_line(line: re.Match[str], birth: date, expiry: date) -> str:
    """Return a line of other dates with their check digits.

    :param line: The original.
    :param birth: The new date of birth.
    :param expiry: The new date of expiry.
    """
    first, second = birth.strftime("%y%m%d"), expiry.strftime("%y%m%d")
    return first + check_of(first) + line[2] + second + check_of(second) + line[4]


def check_of(digits: str) -> str:
    """Return the check digit of some digits.

    :param digits: A date or a number.
    """
    weighed = (int(d) * _WEIGHTS[i % 3] for i, d in enumerate(digits))
    return str(sum(weighed) % 10)
