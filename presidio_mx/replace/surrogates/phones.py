"""Surrogates of phone numbers: the format stays, the area code is the new city's."""

import re

import phonenumbers

from presidio_mx.replace.surrogates.area_codes import lada_image
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.shape import permute_code
from presidio_mx.replace.surrogates.spoken import other_number_words

# Instituto Federal de Telecomunicaciones, Plan Técnico Fundamental de Numeración
# (2018): ladas of two digits; all others have three.
_SHORT_LADAS = ("55", "56", "33", "81")
# Numbers for fiction in the North American plan (NANPA): 555-0100 to 555-0199.
_FICTION = "55501"
_NATIONAL = 10
_LEAST_FIRST = 2  # of an area code
_DIALLED = 13  # 001 and a number of the United States
_TOLL_FREE = ("800", "900")
_GROUP = re.compile(r"\d+", re.ASCII)


def _subscriber(digits: str, label: str, context: Context) -> str:
    """Return other digits; the first is none that a prefix could begin with."""
    if len(digits) > 20:
        return permute_code(digits, label, context)
    first, rest = digits[:1], digits[1:]
    if first.isdigit() and first in "23456789":
        place = context.draw.permute(8, int(first) - 2, "first", label)
        first = str(place + 2)
    if not rest:
        return first
    size = 10 ** len(rest)
    return first + f"{context.draw.permute(size, int(rest), label):0{len(rest)}d}"


def _lada_width(digits: str) -> int:
    return 2 if digits[:2] in _SHORT_LADAS else 3


def _national(digits: str, context: Context) -> str:
    """Return ten digits with the area code of the new place.

    Where that has another length the number behind it loses its last digit, or gets
    one more.
    """
    width = _lada_width(digits)
    lada = lada_image(digits[:width], context)
    rest = _subscriber(digits[width:], f"phone {width}", context)
    more = str(context.draw.number(10, "last digit", digits))
    return lada + (rest + more)[: len(digits) - len(lada)]


def _regrouped(text: str, old: str, new: str) -> str:
    """Return the phone's text with its first two groups cut as the new area code asks.

    "55 4019 6632" becomes a text of three, three and four digits; one that is not
    grouped at its area code stays as it is.
    """
    groups = [match.span() for match in _GROUP.finditer(text)]
    widths = _lada_width(old), _lada_width(new)
    for (start, end), (second, last) in zip(groups, groups[1:], strict=False):
        if end - start != widths[0] or text[start:end] != old[: widths[0]]:
            continue
        gap, more = text[end:second], widths[1] - widths[0]
        if last - second <= more or more == 0:
            return text
        joined = text[start:end] + text[second:last]
        return (
            text[:start] + joined[: widths[1]] + gap + joined[widths[1] :] + text[last:]
        )
    return text


def phone_digits(digits: str, foreign: bool, context: Context) -> str:
    """Return the digits of the surrogate of a phone number.

    :param digits: All digits, prefixes included.
    :param foreign: The number begins with +1.
    :param context: Key, settings and facts.
    :return: As many digits; prefixes are kept.
    """
    if foreign and len(digits) == 11:
        area = 200 + context.draw.permute(800, int(digits[1:4]) - 200, "area")
        line = context.draw.number(100, "fiction", digits)
        return f"1{area}{_FICTION}{line:02d}"
    if len(digits) == _NATIONAL and digits.startswith(_TOLL_FREE):
        return digits[:3] + _subscriber(digits[3:], "toll free", context)
    if len(digits) == _DIALLED and digits.startswith("001"):
        return "00" + phone_digits(digits[2:], True, context)
    for prefix in ("521", "52", "044", "045", "01"):
        rest = digits[len(prefix) :]
        if digits.startswith(prefix) and len(rest) == 10:
            return prefix + _national(rest, context)
    if len(digits) == 10:
        return _national(digits, context)
    return _subscriber(digits, f"local {len(digits)}", context)


def _country_code(text: str) -> str:
    """Return the digits after + of a country other than Mexico."""
    if not text.lstrip("( ").startswith("+"):
        return ""
    try:
        code = str(phonenumbers.parse(text).country_code)
    except phonenumbers.NumberParseException:
        return ""
    return "" if code in ("1", "52") else code


def surrogate_phone(text: str, context: Context) -> str:
    """Return the surrogate of a phone number.

    :param text: The number as it stands in the document.
    :param context: Key, settings and facts.
    :return: Another number with the same separators and prefixes.
    """
    digits = "".join(c for c in text if c.isdigit() and c.isascii())
    if len(digits) < _NATIONAL:
        text = other_number_words(text, context, least=_LEAST_FIRST)
    if not digits:
        return text
    foreign = text.lstrip("( ").startswith("+1") and digits[1:2] in tuple("23456789")
    kept = "" if foreign else _country_code(text)
    new = phone_digits(digits[len(kept) :], foreign, context)
    if not (foreign or kept) and len(digits) >= _NATIONAL:
        text = _regrouped(text, digits[-_NATIONAL:], new[-_NATIONAL:])
    signs = iter(kept + new)
    return "".join(next(signs) if c.isdigit() and c.isascii() else c for c in text)
