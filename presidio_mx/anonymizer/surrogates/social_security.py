"""Surrogates of social security numbers of IMSS and of their "agregado"."""

import re

from stdnum import luhn

from presidio_mx.anonymizer.surrogates.calendar import full_year
from presidio_mx.anonymizer.surrogates.codes import (
    RFC_SUFFIX,
    check_digit,
    mixed,
    surrogate_rfc,
)
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.dates import days_shifted, shift
from presidio_mx.anonymizer.surrogates.shape import (
    alphanumeric,
    permute_code,
    scramble,
    write_like,
)

_AGREGADO = re.compile(r"(?P<n>\d)(?P<sex>[MFH])(?P<year>\d{4})(?P<kind>[A-Z]{2})")
# Behind a number that lost or gained a digit; its own first digit may be lost, too.
_AGREGADO_BEHIND = re.compile(
    r"(?P<n>\d?)(?P<sex>[MFH])(?P<year>(?:19|20)\d{2})(?P<kind>[A-Z]{0,2})$"
)
_NSS = 11  # digits


def surrogate_nss(text: str, context: Context) -> str:
    """Return a social security number of IMSS, with or without the "agregado".

    Eleven digits: subdelegation, years of affiliation and birth, serial, Luhn's check
    digit (IMSS, Guía técnica del NSS). Both years move alike, so that nobody joins
    before birth. The agregado gives sex and year of birth.

    :param text: The number as it stands in the document.
    :param context: Key, settings and facts.
    :return: Another one in the same spelling.
    """
    if RFC_SUFFIX.fullmatch(text):  # of ISSSTE, found as one of IMSS
        return surrogate_rfc(text, context)
    code = alphanumeric(text)
    alone = _AGREGADO.fullmatch(code)
    if alone:
        return write_like(text, _agregado(alone, context))
    behind = _AGREGADO_BEHIND.search(code)
    number = code[: behind.start()] if behind else ""
    if behind and len(number) != _NSS and not number.strip("0123456789"):
        number = permute_code(number, "nss broken", context)
        return write_like(text, number + _agregado(behind, context))
    digits, rest = code[:_NSS], code[_NSS:]
    if not (len(digits) == _NSS and digits.isdigit()):
        return scramble(text, "MX_NSS", context)
    tail = _AGREGADO.fullmatch(rest)
    if rest and not tail:
        new_rest = permute_code(rest, "nss rest", context)
    else:
        new_rest = _agregado(tail, context) if tail else ""
    old = full_year(int(digits[4:6]), 2)
    born = _birth_year(old, context)
    joined = full_year(int(digits[2:4]), 2) + born - old
    others = permute_code(digits[:2] + digits[6:10], "nss", context)
    years = f"{joined % 100:02d}{born % 100:02d}"
    body = others[:2] + years + others[2:]
    check = check_digit(luhn.calc_check_digit(body), context)
    return write_like(text, body + check + new_rest)


def _birth_year(year: int, context: Context) -> int:
    """Return the year that a year of birth becomes: the patient's, or the next one."""
    birth = context.facts.birth
    if context.settings.ages == "band":
        year += context.draw.number(11, "year in band", year) - 5
    elif birth is not None and birth.year == year:
        return shift(birth, context).year
    return year + (1 if days_shifted(context) > 0 else -1)


def _agregado(match: re.Match[str], context: Context) -> str:
    year = _birth_year(int(match["year"]), context)
    first = match["n"]
    if first and year == int(match["year"]):  # the number in the family changes
        first = mixed(first, ["123456789"], "agregado", context)
    return f"{first}{match['sex']}{year:04d}{match['kind']}"


def sex_of_nss(text: str) -> str:
    """Return the sex that the agregado of a number says.

    :param text: The number as it stands in the document.
    :return: F, M, or empty.
    """
    behind = _AGREGADO_BEHIND.search(alphanumeric(text))
    return {"F": "F", "M": "M", "H": "M"}[behind["sex"]] if behind else ""
