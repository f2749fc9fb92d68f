"""Surrogates of codes: CURP, RFC, NSS, INE, CLABE, cards, records, plates.

The birth date in a code moves as all dates of the scope do, its sex stays, its state
becomes what the state becomes elsewhere; so codes agree with the rest of the note.
"""

import re
from datetime import date, timedelta

from stdnum import luhn
from stdnum.mx import curp as stdnum_curp
from stdnum.mx import rfc as stdnum_rfc

from presidio_mx.replace.surrogates.atlas import STATES, state_image
from presidio_mx.replace.surrogates.calendar import full_year, possible_date
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.dates import shift
from presidio_mx.replace.surrogates.machine_line import like_line, machine_line
from presidio_mx.replace.surrogates.shape import (
    alphanumeric,
    dated,
    permute_code,
    scramble,
    voter_key,
    write_like,
)

_CURP = re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d")
_RFC = re.compile(r"(?P<letters>[A-Z]{3,4})(?P<date>\d{6})(?P<serial>[0-9A-Z]{3})?")
RFC_SUFFIX = re.compile(
    r"^(?P<rfc>.*?[A-Za-z&ñÑ]{3,4}[\s-]?\d{6})(?P<suffix>\s*[/\-]\s*\d{1,2})$"
)
_CURP_HEAD = re.compile(r"([A-Z]{3,5})(\d{6})([HMX])(?=[A-Z])")
_BORN = re.compile(r"[A-Z]{4,6}(\d\d)(\d\d)(\d\d)")
# Letters of a state that a scanner took for digits: "C1" for "CL".
_STATE_SIGNS = str.maketrans("015826", "OLSBZG")
# Signs of the homoclave as stdnum.mx.rfc validates them.
_HOMOCLAVE_FIRST = "123456789ABCDEFGHIJKLMNOPQRSTUV"
_HOMOCLAVE = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VOWELS = "AEIOU"
_CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"
_FOUR = 4
_CLABE_WEIGHTS = (3, 7, 1)


def mixed(code: str, alphabets: list[str], label: str, context: Context) -> str:
    """Permute all codes whose letters come from the alphabets given.

    :param code: The code.
    :param alphabets: What each of its signs may be.
    :param label: Which permutation.
    :param context: The key.
    """
    size, index = 1, 0
    for sign, alphabet in zip(code, alphabets, strict=True):
        index = index * len(alphabet) + max(0, alphabet.find(sign))
        size *= len(alphabet)
    image = context.draw.permute(size, index, label)
    signs = []
    for alphabet in reversed(alphabets):
        image, place = divmod(image, len(alphabet))
        signs.append(alphabet[place])
    return "".join(reversed(signs))


# Birth dates in codes move by up to five years beside ages in bands of ten.
_BAND_DAYS = 5 * 365
_ALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def four_letters(letters: str, context: Context) -> str:
    """Return the first four letters of the CURP and RFC of a surrogate person.

    :param letters: The original's.
    :param context: Key and facts.
    :return: Those of the surrogate's name if the document names the person, else the
        image under a permutation.
    """
    planned = context.facts.letters.get(letters)
    if planned:
        return planned[0]
    alphabets = [
        _ALL,
        _VOWELS if letters[1] in _VOWELS else _CONSONANTS,
        _ALL,
        _ALL,
    ]
    new = mixed(letters, alphabets, "curp letters" + alphabets[1][0], context)
    # Words that RENAPO and SAT replace: the second letter becomes X.
    return new[0] + "X" + new[2:] if new in stdnum_curp._name_blacklist else new


def moved(digits: str, century: int | None, context: Context) -> date:
    """Move six digits yymmdd as the dates of the scope move.

    Beside ages in bands an exact birth date would undo the band: there it moves by some
    years more, each date by its own.

    :param digits: The six digits.
    :param century: 1900 or 2000; None where the year says it.
    :param context: Key and settings.
    """
    year = int(digits[:2])
    year = full_year(year, 2) if century is None else century + year
    value = possible_date(year, int(digits[2:4]), int(digits[4:]))
    if value is None:
        value = date(year if year > 0 else 1950, 1, 1 + int(digits[4:]) % 28)
    if context.settings.ages == "band":
        days = context.draw.number(2 * _BAND_DAYS + 1, "birth in band", digits)
        value += timedelta(days=days - _BAND_DAYS)
    return shift(value, context)


def birth_in(text: str) -> date | None:
    """Return the birth date that a CURP, an RFC of a person or a voter key holds.

    :param text: The code as it stands in the document.
    """
    code = dated(alphanumeric(text))
    match = _BORN.match(voter_key(code))
    if match is None:
        return None
    year, month, day = map(int, match.groups())
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    new = len(code) == 18 and code[16:17].isalpha()  # a letter from 2000 on
    return possible_date(2000 + year if new else full_year(year, 2), month, day)


def check_digit(right: str, context: Context) -> str:
    """Return the check digit, or a wrong one if the settings ask for it.

    :param right: The right one.
    :param context: The settings.
    """
    if context.settings.check_digits == "valid":
        return right
    if right == "A":
        return "0"
    return str((int(right) + 1) % 10)


def surrogate_curp(text: str, context: Context) -> str:
    """Return a CURP that agrees with birth date, sex and state of the surrogate.

    Source: RENAPO, Instructivo normativo para la asignación de la CURP (DOF
    18-10-2021).

    :param text: The CURP as it stands in the document.
    :param context: Key, settings and facts.
    :return: A CURP in the same spelling; a broken one keeps its shape.
    """
    code = dated(alphanumeric(text))
    line = machine_line(code)
    if line:
        days = moved(line[1], None, context), moved(line[3], 2000, context)
        return write_like(text, like_line(line, *days))
    if not _CURP.fullmatch(code):
        broken = _broken_curp(code, context)
        if broken and len(code) == sum(c.isalnum() for c in text):
            return write_like(text, broken)
        return scramble(text, "MX_CURP", context)
    letters = four_letters(code[:4], context)
    born = moved(code[4:10], 1900 if code[16].isdigit() else 2000, context)
    planned = context.facts.letters.get(code[:4])
    inner = planned[1] if planned else _inner(code[13:16], context)
    state = state_image(code[11:13], context)
    mark = permute_code(code[16], "curp mark", context)
    if mark.isdigit() and born.year >= 2000:  # a letter from 2000 on, a digit before
        mark = _ALL[context.draw.number(len(_ALL), "curp mark", code)]
    elif mark.isalpha() and born.year < 2000:
        mark = str(context.draw.number(10, "curp mark", code))
    body = letters + born.strftime("%y%m%d") + code[10] + state + inner + mark
    return write_like(
        text, body + check_digit(stdnum_curp.calc_check_digit(body), context)
    )


def _broken_curp(code: str, context: Context) -> str:
    """Return a CURP that lost or gained signs: birth date, sex and state keep theirs.

    :param code: Its letters and digits, the date read.
    :param context: Key, settings and facts.
    :return: As many signs; nothing where the beginning is none of a CURP.
    """
    head = _CURP_HEAD.match(code)
    if head is None:
        return ""
    whole = len(head[1]) == _FOUR
    letters = four_letters(head[1], context) if whole else ""
    letters = letters or permute_code(head[1], "curp letters", context)
    planned = context.facts.letters.get(head[1])
    state, inner, rest = code[head.end() :][:2], "", code[head.end() + 2 :]
    read = state.translate(_STATE_SIGNS)
    if read in STATES:
        state = state_image(read, context)
    else:  # no surrogate is of a state that is none
        state = STATES[context.draw.number(len(STATES), "curp state", state)][
            : len(state)
        ]
    if len(rest) >= len("RRD") and rest[:3].isalpha():
        inner, rest = planned[1] if planned else _inner(rest[:3], context), rest[3:]
    born = moved(head[2], None, context).strftime("%y%m%d")
    rest = permute_code(rest, "curp rest", context) if rest else ""
    return letters + born + head[3] + state + inner + rest


def _inner(consonants: str, context: Context) -> str:
    alphabets = [_CONSONANTS if c in _CONSONANTS else _ALL for c in consonants]
    return mixed(consonants, alphabets, "inner", context).translate(
        str.maketrans("AEIOU", "XXXXX")
    )


def surrogate_rfc(text: str, context: Context) -> str:
    """Return an RFC; that of a person agrees with the CURP's surrogate.

    Source: SAT, Código Fiscal de la Federación art. 27 and the check digit of
    stdnum.mx.rfc.

    :param text: RFC of a person or firm, of 10, 12 or 13 characters, also with the
        suffix that ISSSTE adds for the beneficiary ("MEMJ800101/10").
    :param context: Key, settings and facts.
    :return: An RFC in the same spelling.
    """
    suffix = RFC_SUFFIX.fullmatch(text)
    if suffix:
        return surrogate_rfc(suffix["rfc"], context) + suffix["suffix"]
    code = dated(alphanumeric(text))
    match = _RFC.fullmatch(code)
    if not match:
        return scramble(text, "MX_RFC", context)
    if len(match["letters"]) == 4:
        letters = four_letters(match["letters"], context)
    else:
        letters = permute_code(match["letters"], "firm", context)
    body = letters + moved(match["date"], None, context).strftime("%y%m%d")
    if match["serial"]:
        size = len(_HOMOCLAVE_FIRST) * len(_HOMOCLAVE)
        serial = context.draw.permute(size, _serial(match["serial"], size), "homoclave")
        first, second = divmod(serial, len(_HOMOCLAVE))
        body += _HOMOCLAVE_FIRST[first] + _HOMOCLAVE[second]
        body += check_digit(stdnum_rfc.calc_check_digit(body), context)
    return write_like(text, body)


def _serial(serial: str, size: int) -> int:
    if serial[0] in _HOMOCLAVE_FIRST and serial[1] in _HOMOCLAVE:
        first = _HOMOCLAVE_FIRST.index(serial[0])
        return first * len(_HOMOCLAVE) + _HOMOCLAVE.index(serial[1])
    return (ord(serial[0]) * 36 + ord(serial[1])) % size


def clabe_check_digit(body: str) -> str:
    """Return the last digit of a CLABE (Banco de México, weights 3, 7, 1).

    :param body: The first 17 digits.
    :return: The check digit.
    """
    total = sum(int(digit) * _CLABE_WEIGHTS[i % 3] % 10 for i, digit in enumerate(body))
    return str(-total % 10)


def surrogate_clabe(text: str, context: Context) -> str:
    """Return a CLABE of the same bank with another branch and account.

    :param text: The CLABE as it stands in the document.
    :param context: Key and settings.
    :return: Another one in the same spelling.
    """
    code = alphanumeric(text)
    if not (len(code) == 18 and code.isdigit()):
        return scramble(text, "MX_CLABE", context)
    body = code[:3] + permute_code(code[3:17], "clabe", context)
    return write_like(text, body + check_digit(clabe_check_digit(body), context))


def surrogate_card(text: str, context: Context) -> str:
    """Return a card number of the same network with Luhn's check digit.

    :param text: The number as it stands in the document.
    :param context: Key and settings.
    :return: Another one in the same spelling.
    """
    code = alphanumeric(text)
    if len(code) == 18 and code.isdigit():
        return surrogate_clabe(text, context)
    if not (code.isdigit() and len(code) >= 13):
        return scramble(text, "CREDIT_CARD", context)
    body = code[0] + permute_code(code[1:-1], "card", context)
    return write_like(text, body + check_digit(luhn.calc_check_digit(body), context))
