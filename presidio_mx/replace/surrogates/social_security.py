"""Surrogates of social security numbers of IMSS and of their "agregado"."""

import re

from stdnum import luhn

from presidio_mx.replace.surrogates.calendar import full_year
from presidio_mx.replace.surrogates.codes import (
    RFC_SUFFIX,
    check_digit,
    mixed,
    surrogate_rfc,
)
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.dates import days_shifted, shift
from presidio_mx.replace.surrogates.shape import (
    AS_DIGITS,
    alphanumeric,
    permute_code,
    scramble,
    write_like,
)
from presidio_mx.replace.surrogates.unread import tag_of

_AGREGADO = re.compile(
    r"(?P<n>\d)(?P<sex>[MFH])(?P<year>(?:19|20)?\d{2})(?P<kind>[A-Z]{2})"
)
# Of a scan: "1M61OR", "1M196l0R", "2FI983OR".
_SCANNED = re.compile(
    r"([\dIOLl])([MFH])([\dIOLSBl]{2}|[\dIOLSBl]{4})([O0Q]R|[A-Z]{2})"
)
# Behind a number that lost or gained a digit; its own first digit may be lost, too.
_AGREGADO_BEHIND = re.compile(
    r"(?P<n>\d?)(?P<sex>[MFH])(?P<year>(?:19|20)\d{2})(?P<kind>[A-Z]{0,2})$"
)
_NSS, _FEWEST = 11, 4  # digits of a number, and of what may be a part of one


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
    code = _read(alphanumeric(text))
    if code.isdigit() and len(code) < _FEWEST:  # an age beside one: "/41/"
        return tag_of("MX_NSS")
    alone = _AGREGADO.fullmatch(code)
    if alone:
        return write_like(text, _agregado(alone, context))
    behind = _AGREGADO_BEHIND.search(code)
    number = code[: behind.start()] if behind else ""
    if behind and len(number) != _NSS and not number.strip("0123456789"):
        born = int(behind["year"]) % 100
        others = permute_code(number, "nss broken", context)
        if number[4:6] == f"{born:02d}":  # it lost no digit before the year of birth
            others = others[:2] + _years(number, context) + others[6:]
        return write_like(text, others + _agregado(behind, context))
    digits, rest = code[:_NSS], code[_NSS:]
    if not (len(digits) == _NSS and digits.isdigit()):
        return scramble(text, "MX_NSS", context)
    tail = _AGREGADO.fullmatch(rest)
    if rest and not tail:
        new_rest = permute_code(rest, "nss rest", context)
    else:
        new_rest = _agregado(tail, context) if tail else ""
    others = permute_code(digits[:2] + digits[6:10], "nss", context)
    body = others[:2] + _years(digits, context) + others[2:]
    check = check_digit(luhn.calc_check_digit(body), context)
    return write_like(text, body + check + new_rest)


def _read(code: str) -> str:
    """Return a code that is nothing but an agregado with its scanned signs read."""
    match = _SCANNED.fullmatch(code)
    if match is None:
        return code
    first, sex, year, kind = match.groups()
    digits = (first + "x" + year).translate(AS_DIGITS)
    return f"{digits[0]}{sex}{digits[2:]}{'OR' if kind[1:] == 'R' else kind}"


def _years(digits: str, context: Context) -> str:
    """Return the years of affiliation and birth, which move alike."""
    old = full_year(int(digits[4:6]), 2)
    born = _birth_year(old, context)
    joined = full_year(int(digits[2:4]), 2) + born - old
    return f"{joined % 100:02d}{born % 100:02d}"


def _birth_year(year: int, context: Context) -> int:
    """Return the year that a year of birth becomes: the patient's, or the next one."""
    births = (context.facts.birth, *context.facts.births)
    known = next((b for b in births if b is not None and b.year == year), None)
    if context.settings.ages == "band":
        year += context.draw.number(11, "year in band", year) - 5
    elif known is not None:
        return shift(known, context).year
    return year + (1 if days_shifted(context) > 0 else -1)


def _agregado(match: re.Match[str], context: Context) -> str:
    digits = match["year"]
    old = full_year(int(digits), len(digits))
    year = _birth_year(old, context)
    first = match["n"]
    if first and year == old:  # the number in the family changes
        first = mixed(first, ["123456789"], "agregado", context)
    return f"{first}{match['sex']}{f'{year:04d}'[-len(digits) :]}{match['kind']}"


def sex_of_nss(text: str) -> str:
    """Return the sex that the agregado of a number says.

    :param text: The number as it stands in the document.
    :return: F, M, or empty.
    """
    behind = _AGREGADO_BEHIND.search(alphanumeric(text))
    return {"F": "F", "M": "M", "H": "M"}[behind["sex"]] if behind else ""
