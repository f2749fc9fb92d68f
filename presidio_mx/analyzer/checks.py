"""Check digits and the like: they raise a score and never reject a labelled code."""

from collections.abc import Callable, Mapping

from stdnum import luhn
from stdnum.mx import curp, rfc


def is_curp(text: str) -> bool:
    """Tell whether a CURP has a valid date, state and check digit (RENAPO)."""
    return bool(curp.is_valid(text))


def is_rfc(text: str) -> bool:
    """Tell whether an RFC is well formed and its check digit is right (SAT)."""
    return bool(rfc.is_valid(text, validate_check_digits=True))


def is_luhn(text: str) -> bool:
    """Tell whether the digits pass the Luhn check (ISO/IEC 7812; NSS, cards)."""
    digits = "".join(filter(str.isdigit, text))
    return bool(digits) and bool(luhn.is_valid(digits))


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "curp": is_curp,
    "rfc": is_rfc,
    "luhn": is_luhn,
}
