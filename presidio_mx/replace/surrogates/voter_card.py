"""Surrogates of the numbers of a voter card: its key and the lines of its back."""

import re

from presidio_mx.replace.surrogates.atlas import STATES, state_image
from presidio_mx.replace.surrogates.codes import moved
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.machine_line import (
    check_of,
    like_line,
    machine_line,
)
from presidio_mx.replace.surrogates.shape import (
    alphanumeric,
    digits_read,
    permute_code,
    scramble,
    voter_key,
    write_like,
)

_KEY = re.compile(r"([A-Z]{5,6})(\d{6})(\d\d)([HM])(\d{3})")
_READ_BY_MACHINE = "IDMEX"
# The number of the card with its check digit, then the one below the photograph.
_BACK = re.compile(r"(\d{9})(\d)((?:\W*\d+)?\W*)", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_SECTION, _PRINTED = 4, 13  # digits; the rest of the printed number is the citizen's
_SECOND = re.compile(r"[\dOISBZ]{6}[\dOISBZ][HMFX][\dOISBZ]{6}[\dOISBZ]MEX")


def surrogate_ine(text: str, context: Context) -> str:
    """Return a voter key in format: consonants, birth date, state, sex, serial.

    :param text: The key, or another number or line of the card.
    :param context: Key, settings and facts.
    :return: Another one in the same spelling.
    """
    if text.startswith(_READ_BY_MACHINE):  # "IDMEX1948820173": the back of the card
        rest = digits_read(text[len(_READ_BY_MACHINE) :], numbers=True)
        return _READ_BY_MACHINE + _first_line(rest, context)
    second = _SECOND.match(text)
    line = machine_line(second.group()) if second else None
    if second and line:
        new = like_line(
            line, moved(line[1], None, context), moved(line[3], 2000, context)
        )
        rest = text[second.end() :]
        return new + (scramble(rest, "MX_INE", context) if rest else "")
    code = voter_key(alphanumeric(text))
    match = _KEY.fullmatch(code)
    if match is None:
        return _number(text, context)
    letters, birth, place, sex, serial = match.groups()
    number = int(place)
    state = f"{number:02d}"
    if 1 <= number <= 32:
        state = f"{STATES.index(state_image(STATES[number - 1], context)) + 1:02d}"
    planned = context.facts.voter_letters.get(letters)
    body = (
        (planned or permute_code(letters, "ine letters", context))
        + moved(birth, None, context).strftime("%y%m%d")
        + state
        + sex
        + permute_code(serial, "ine serial", context)
    )
    return write_like(text, body)


def _first_line(rest: str, context: Context) -> str:
    """Replace the two numbers of the first line as they are replaced elsewhere."""
    match = _BACK.fullmatch(rest)
    if match is None:
        return scramble(rest, "MX_INE", context)
    card = scramble(match[1], "MX_INE", context)
    behind = _NUMBER.sub(lambda number: _number(number.group(), context), match[3])
    return card + check_of(card) + behind


def _number(text: str, context: Context) -> str:
    """Replace a number; that of section and citizen in its parts, as they stand."""
    if len(text) != _PRINTED or not text.isdecimal():
        return scramble(text, "MX_INE", context)
    section, citizen = text[:_SECTION], text[_SECTION:]
    return "".join(scramble(part, "MX_INE", context) for part in (section, citizen))
