"""Surrogates of phone numbers: the format stays, the area code is the new city's."""

import re

import phonenumbers

from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.places import lada_image
from presidio_mx.replace.shapes import permute_code
from presidio_mx.replace.spoken import other_number_words

# Instituto Federal de Telecomunicaciones, Plan Técnico Fundamental de Numeración
# (2018): ladas of two digits; all others have three.
_SHORT_LADAS = ("55", "56", "33", "81")
# Numbers for fiction in the North American plan (NANPA): 555-0100 to 555-0199.
_FICTION = "55501"
_NATIONAL, _DIALLED = 10, 13  # 001 and a number of the United States
_LEAST_FIRST = 2  # of an area code
_TOLL_FREE = ("800", "900")
_PREFIXES = ("521", "52", "044", "045", "01")
_GROUP = re.compile(r"\d+", re.ASCII)


def surrogate_phone(text: str, context: Context) -> str:
    """Return the surrogate of a phone number.

    :param text: The number as it stands in the document.
    :param context: Key, settings, what the note says.
    :return: Another number with the same separators and prefixes.
    """
    digits = "".join(c for c in text if c.isdigit() and c.isascii())
    if len(digits) < _NATIONAL:
        text = other_number_words(text, context.draw, least=_LEAST_FIRST)
    if not digits:
        return text
    foreign = text.lstrip("( ").startswith("+1") and digits[1:2] in tuple("23456789")
    kept = "" if foreign else _country_code(text)
    new = _digits(digits[len(kept) :], foreign, context)
    if not (foreign or kept) and len(digits) >= _NATIONAL:
        text = _regrouped(text, digits[-_NATIONAL:], new[-_NATIONAL:])
    signs = iter(kept + new)
    return "".join(next(signs) if c.isdigit() and c.isascii() else c for c in text)


def _digits(digits: str, foreign: bool, context: Context) -> str:
    """Return as many digits; prefixes are kept."""
    draw = context.draw
    if foreign and len(digits) == _NATIONAL + 1:
        area = 200 + draw.permute(800, int(digits[1:4]) - 200, "area")
        return f"1{area}{_FICTION}{draw.number(100, 'fiction', digits):02d}"
    if len(digits) == _NATIONAL and digits.startswith(_TOLL_FREE):
        return digits[:3] + _subscriber(digits[3:], "toll free", draw)
    if len(digits) == _DIALLED and digits.startswith("001"):
        return "00" + _digits(digits[2:], True, context)
    for prefix in _PREFIXES:
        rest = digits[len(prefix) :]
        if digits.startswith(prefix) and len(rest) == _NATIONAL:
            return prefix + _national(rest, context)
    if len(digits) == _NATIONAL:
        return _national(digits, context)
    return _subscriber(digits, f"local {len(digits)}", draw)


def _national(digits: str, context: Context) -> str:
    """Return ten digits with the area code of the new place.

    Where that has another length the number behind it loses its last digit, or gets
    one more.
    """
    width = _lada_width(digits)
    lada = lada_image(digits[:width], context)
    rest = _subscriber(digits[width:], f"phone {width}", context.draw)
    more = str(context.draw.number(10, "last digit", digits))
    return lada + (rest + more)[: len(digits) - len(lada)]


def _lada_width(digits: str) -> int:
    return 2 if digits[:2] in _SHORT_LADAS else 3


def _subscriber(digits: str, label: str, draw: Draw) -> str:
    """Return other digits; the first is none that a prefix could begin with."""
    if len(digits) > 20:
        return permute_code(digits, label, draw)
    first, rest = digits[:1], digits[1:]
    if first and first in "23456789":
        first = str(draw.permute(8, int(first) - 2, "first", label) + 2)
    if not rest:
        return first
    size = 10 ** len(rest)
    return first + f"{draw.permute(size, int(rest), label):0{len(rest)}d}"


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
        head, tail = joined[: widths[1]], joined[widths[1] :]
        return text[:start] + head + gap + tail + text[last:]
    return text


def _country_code(text: str) -> str:
    """Return the digits after + of a country other than Mexico."""
    if not text.lstrip("( ").startswith("+"):
        return ""
    try:
        code = str(phonenumbers.parse(text).country_code)
    except phonenumbers.NumberParseException:
        return ""
    return "" if code in ("1", "52") else code
