"""Check digits and the like: they raise a score and never reject a labelled code."""

import re
from collections.abc import Callable, Mapping

import phonenumbers
from stdnum import luhn
from stdnum.mx import curp, rfc

# Weights of the control digit of a CLABE (ABM, Banco de México: 3-7-1 repeating).
_CLABE_WEIGHTS = (3, 7, 1)


def _digits(text: str) -> str:
    return "".join(character for character in text if character in "0123456789")


def is_curp(text: str) -> bool:
    """Tell whether a CURP has a valid date, state and check digit (RENAPO)."""
    return bool(curp.is_valid(text))


def is_rfc(text: str) -> bool:
    """Tell whether an RFC is well formed and its check digit is right (SAT)."""
    return bool(rfc.is_valid(text, validate_check_digits=True))


def is_luhn(text: str) -> bool:
    """Tell whether all digits together pass the Luhn check (ISO/IEC 7812; cards)."""
    digits = _digits(text)
    return bool(digits) and bool(luhn.is_valid(digits))


def is_nss(text: str) -> bool:
    """Tell whether the first eleven digits pass the Luhn check (IMSS).

    :param text: A number with or without the agregado that follows it.
    """
    digits = _digits(text)[:11]
    return len(digits) == 11 and bool(luhn.is_valid(digits))


def is_clabe(text: str) -> bool:
    """Tell whether an account number of 18 digits has its control digit (ABM)."""
    digits = _digits(text)
    if len(digits) != 18:
        return False
    total = sum(
        int(digit) * _CLABE_WEIGHTS[place % 3] % 10
        for place, digit in enumerate(digits[:17])
    )
    return int(digits[17]) == -total % 10


def is_phone(text: str) -> bool:
    """Tell whether a number is assigned by the numbering plans (phonenumbers).

    Mexican unless it begins with "+"; the old trunk prefixes 01, 044 and 045, which the
    plan dropped in 2019, are taken off first.
    """
    digits = _digits(text)
    national = re.sub("^(?:01|04[45])(?=[0-9]{10}$)", "", digits)
    # "+52 1" before mobile numbers went with them.
    digits = re.sub("^521(?=[0-9]{10}$)", "52", digits)
    number = f"+{digits}" if text.lstrip(" (").startswith("+") else national
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, "MX"))
    except phonenumbers.NumberParseException:
        return False


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "curp": is_curp,
    "rfc": is_rfc,
    "luhn": is_luhn,
    "nss": is_nss,
    "clabe": is_clabe,
    "phone": is_phone,
}
