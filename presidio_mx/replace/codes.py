"""Surrogates of codes: CURP, RFC, NSS, voter key, CLABE, cards.

The birth date in a code moves as all dates of the scope do, its sex stays, its state
becomes what the state becomes elsewhere, its letters are those of the new name; so
codes agree with the rest of the note.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from stdnum import luhn
from stdnum.mx import curp as stdnum_curp
from stdnum.mx import rfc as stdnum_rfc

from presidio_mx.replace.context import Context, tag_of
from presidio_mx.replace.dates import days_shifted, shift
from presidio_mx.replace.shapes import permute_code, permute_signs, scramble
from presidio_mx.replace.states import state_image
from presidio_mx.spanish.codes import CURP, dated, voter_key
from presidio_mx.spanish.dates import full_year, possible_date
from presidio_mx.spanish.places import STATES
from presidio_mx.spanish.scans import AS_DIGITS, digits_read
from presidio_mx.spanish.writing import alphanumeric, write_like

_CURP_HEAD = re.compile(r"([A-Z]{3,5})(\d{6})([HMX])(?=[A-Z])")
_RFC = re.compile(r"(?P<letters>[A-Z]{3,4})(?P<date>\d{6})(?P<serial>[0-9A-Z]{3})?")
# The suffix that ISSSTE adds for the beneficiary: "MEMJ800101/10".
RFC_SUFFIX = re.compile(
    r"^(?P<rfc>.*?[A-Za-z&ñÑ]{3,4}[\s-]?\d{6})(?P<suffix>\s*[/\-]\s*\d{1,2})$"
)
# Letters of a state that a scanner took for digits: "C1" for "CL".
_STATE_SIGNS = str.maketrans("015826", "OLSBZG")
# Signs of the homoclave as stdnum.mx.rfc validates them.
HOMOCLAVE_FIRST = "123456789ABCDEFGHIJKLMNOPQRSTUV"
HOMOCLAVE = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VOWELS, _CONSONANTS = "AEIOU", "BCDFGHJKLMNPQRSTVWXYZ"
_FOUR = 4
_CLABE_WEIGHTS, _LINE_WEIGHTS = (3, 7, 1), (7, 3, 1)
# Birth dates in codes move by up to five years beside ages in bands.
_BAND_DAYS = 5 * 365

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

_VOTER = re.compile(r"([A-Z]{5,6})(\d{6})(\d\d)([HM])(\d{3})")
_READ_BY_MACHINE = "IDMEX"
# The number of the card with its check digit, then the one below the photograph.
_BACK = re.compile(r"(\d{9})(\d)((?:\W*\d+)?\W*)", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_SECTION, _PRINTED = 4, 13  # digits; the rest of the printed number is the citizen's
# The second line of the back (ICAO 9303): birth, sex, expiry, country.
_SECOND = re.compile(r"[\dOILSBZ]{7}[HMFX][\dOILSBZ]{7}MEX")
_LINE = re.compile(r"(\d{6})\d([HMFX])(\d{6})\d(MEX)")


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters that codes take from a new name.

    :param four: First four of CURP and RFC.
    :param inner: The three inner consonants of the CURP.
    :param voter: First six of the voter key.
    """

    four: str
    inner: str
    voter: str


def _four(letters: str, planned: Letters | None, context: Context) -> str:
    """Return the first four letters: the new name's, else others of their make."""
    if planned:
        return planned.four
    second = _VOWELS if letters[1] in _VOWELS else _CONSONANTS
    alphabets = [_ALL, second, _ALL, _ALL]
    new = permute_signs(letters, alphabets, context.draw, "curp letters", second[0])
    # Words that RENAPO and SAT replace: the second letter becomes X.
    return new[0] + "X" + new[2:] if new in stdnum_curp._name_blacklist else new


def moved_birth(digits: str, century: int | None, context: Context) -> date:
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


def check_digit(right: str, context: Context) -> str:
    """Return the check digit, or a wrong one if the settings ask for it.

    :param right: The right one.
    :param context: The settings.
    """
    if context.settings.check_digits == "valid":
        return right
    return "0" if right == "A" else str((int(right) + 1) % 10)


def surrogate_curp(text: str, context: Context, planned: Letters | None = None) -> str:
    """Return a CURP that agrees with name, birth date, sex and state of the surrogate.

    Source: RENAPO, Instructivo normativo para la asignación de la CURP (DOF
    18-10-2021).

    :param text: The CURP as it stands in the document.
    :param context: Key, settings, what the note says.
    :param planned: Letters of the new name, where the note names the person.
    :return: A CURP in the same spelling; a broken one keeps its shape.
    """
    code = dated(alphanumeric(text))
    line = _LINE.fullmatch(code.translate(AS_DIGITS))
    if line:
        return write_like(text, _other_line(line, context))
    if not CURP.fullmatch(code):
        broken = _broken_curp(code, context, planned)
        if broken and len(code) == sum(c.isalnum() for c in text):
            return write_like(text, broken)
        return scramble(text, "MX_CURP", context.draw)
    born = moved_birth(code[4:10], 1900 if code[16].isdigit() else 2000, context)
    inner = planned.inner if planned else _inner(code[13:16], context)
    state = state_image(code[11:13], context)
    mark = permute_code(code[16], "curp mark", context.draw)
    if mark.isdigit() and born.year >= 2000:  # a letter from 2000 on, a digit before
        mark = _ALL[context.draw.number(len(_ALL), "curp mark", code)]
    elif mark.isalpha() and born.year < 2000:
        mark = str(context.draw.number(10, "curp mark", code))
    four = _four(code[:4], planned, context)
    body = four + born.strftime("%y%m%d") + code[10] + state + inner + mark
    check = check_digit(stdnum_curp.calc_check_digit(body), context)
    return write_like(text, body + check)


def _broken_curp(code: str, context: Context, planned: Letters | None) -> str:
    """Return a CURP that lost or gained signs: date, sex and state keep theirs."""
    head = _CURP_HEAD.match(code)
    if head is None:
        return ""
    letters = permute_code(head[1], "curp letters", context.draw)
    if len(head[1]) == _FOUR:
        letters = _four(head[1], planned, context)
    state, inner, rest = code[head.end() :][:2], "", code[head.end() + 2 :]
    read = state.translate(_STATE_SIGNS)
    if read in STATES:
        state = state_image(read, context)
    else:  # no surrogate is of a state that is none
        at = context.draw.number(len(STATES), "curp state", state)
        state = STATES[at][: len(state)]
    if len(rest) >= 3 and rest[:3].isalpha():
        inner = planned.inner if planned else _inner(rest[:3], context)
        rest = rest[3:]
    born = moved_birth(head[2], None, context).strftime("%y%m%d")
    rest = permute_code(rest, "curp rest", context.draw) if rest else ""
    return letters + born + head[3] + state + inner + rest


def _inner(consonants: str, context: Context) -> str:
    alphabets = [_CONSONANTS if c in _CONSONANTS else _ALL for c in consonants]
    new = permute_signs(consonants, alphabets, context.draw, "inner")
    return new.translate(str.maketrans("AEIOU", "XXXXX"))


def surrogate_rfc(text: str, context: Context, planned: Letters | None = None) -> str:
    """Return an RFC; that of a person agrees with the CURP's surrogate.

    Source: SAT, Código Fiscal de la Federación art. 27 and the check digit of
    stdnum.mx.rfc.

    :param text: RFC of a person or firm, of 10, 12 or 13 characters, also with the
        suffix of ISSSTE.
    :param context: Key, settings, what the note says.
    :param planned: Letters of the new name, where the note names the person.
    """
    suffix = RFC_SUFFIX.fullmatch(text)
    if suffix:
        return surrogate_rfc(suffix["rfc"], context, planned) + suffix["suffix"]
    match = _RFC.fullmatch(dated(alphanumeric(text)))
    if not match:
        return scramble(text, "MX_RFC", context.draw)
    if len(match["letters"]) == _FOUR:
        letters = _four(match["letters"], planned, context)
    else:
        letters = permute_code(match["letters"], "firm", context.draw)
    body = letters + moved_birth(match["date"], None, context).strftime("%y%m%d")
    if match["serial"]:
        size = len(HOMOCLAVE_FIRST) * len(HOMOCLAVE)
        index = _serial(match["serial"], size)
        first, second = divmod(
            context.draw.permute(size, index, "homoclave"), len(HOMOCLAVE)
        )
        body += HOMOCLAVE_FIRST[first] + HOMOCLAVE[second]
        body += check_digit(stdnum_rfc.calc_check_digit(body), context)
    return write_like(text, body)


def _serial(serial: str, size: int) -> int:
    if serial[0] in HOMOCLAVE_FIRST and serial[1] in HOMOCLAVE:
        first = HOMOCLAVE_FIRST.index(serial[0])
        return first * len(HOMOCLAVE) + HOMOCLAVE.index(serial[1])
    return (ord(serial[0]) * 36 + ord(serial[1])) % size


def surrogate_nss(text: str, context: Context) -> str:
    """Return a social security number of IMSS, with or without the "agregado".

    Eleven digits: subdelegation, years of affiliation and birth, serial, Luhn's check
    digit (IMSS, Guía técnica del NSS). Both years move alike, so that nobody joins
    before birth. The agregado gives sex and year of birth.

    :param text: The number as it stands in the document.
    :param context: Key, settings, what the note says.
    """
    if RFC_SUFFIX.fullmatch(text):  # of ISSSTE, found as one of IMSS
        return surrogate_rfc(text, context)
    code = _agregado_read(alphanumeric(text))
    if code.isdigit() and len(code) < _FEWEST:  # an age beside one: "/41/"
        return tag_of("MX_NSS")
    alone = _AGREGADO.fullmatch(code)
    if alone:
        return write_like(text, _agregado(alone, context))
    behind = _AGREGADO_BEHIND.search(code)
    number = code[: behind.start()] if behind else ""
    if behind and len(number) != _NSS and not number.strip("0123456789"):
        born = int(behind["year"]) % 100
        others = permute_code(number, "nss broken", context.draw)
        if number[4:6] == f"{born:02d}":  # it lost no digit before the year of birth
            others = others[:2] + _years(number, context) + others[6:]
        return write_like(text, others + _agregado(behind, context))
    digits, rest = code[:_NSS], code[_NSS:]
    if not (len(digits) == _NSS and digits.isdigit()):
        return scramble(text, "MX_NSS", context.draw)
    tail = _AGREGADO.fullmatch(rest)
    new_rest = _agregado(tail, context) if tail else ""
    if rest and not tail:
        new_rest = permute_code(rest, "nss rest", context.draw)
    others = permute_code(digits[:2] + digits[6:10], "nss", context.draw)
    body = others[:2] + _years(digits, context) + others[2:]
    check = check_digit(luhn.calc_check_digit(body), context)
    return write_like(text, body + check + new_rest)


def _agregado_read(code: str) -> str:
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
    known = next((b for b in context.note.births if b.year == year), None)
    if context.settings.ages == "band":
        return year + context.draw.number(11, "year in band", year) - 5
    if known is not None:
        return shift(known, context).year
    return year + (1 if days_shifted(context) > 0 else -1)


def _agregado(match: re.Match[str], context: Context) -> str:
    digits = match["year"]
    old = full_year(int(digits), len(digits))
    year = _birth_year(old, context)
    first = match["n"]
    if first and year == old:  # the number in the family changes
        first = permute_signs(first, ["123456789"], context.draw, "agregado")
    return f"{first}{match['sex']}{f'{year:04d}'[-len(digits) :]}{match['kind']}"


def sex_of_nss(text: str) -> str:
    """Return the sex that the agregado of a number says: F, M, or empty.

    :param text: The number as it stands in the document.
    """
    behind = _AGREGADO_BEHIND.search(alphanumeric(text))
    return {"F": "F", "M": "M", "H": "M"}[behind["sex"]] if behind else ""


def surrogate_ine(text: str, context: Context, planned: Letters | None = None) -> str:
    """Return a voter key in format: consonants, birth date, state, sex, serial.

    :param text: The key, or another number or line of the card.
    :param context: Key, settings, what the note says.
    :param planned: Letters of the new name, where the note names the person.
    """
    if text.startswith(_READ_BY_MACHINE):  # "IDMEX1948820173": the back of the card
        rest = digits_read(text[len(_READ_BY_MACHINE) :], numbers=True)
        return _READ_BY_MACHINE + _first_line(rest, context)
    second = _SECOND.match(text)
    line = _LINE.fullmatch(second.group().translate(AS_DIGITS)) if second else None
    if second and line:
        rest = text[second.end() :]
        behind = scramble(rest, "MX_INE", context.draw) if rest else ""
        return _other_line(line, context) + behind
    match = _VOTER.fullmatch(voter_key(alphanumeric(text)))
    if match is None:
        return _card_number(text, context)
    letters, birth, place, sex, serial = match.groups()
    state = int(place)
    if 1 <= state <= len(STATES):
        state = STATES.index(state_image(STATES[state - 1], context)) + 1
    new = permute_code(letters, "ine letters", context.draw)
    if planned and len(letters) == len(planned.voter):
        new = planned.voter
    born = moved_birth(birth, None, context).strftime("%y%m%d")
    serial = permute_code(serial, "ine serial", context.draw)
    return write_like(text, f"{new}{born}{state:02d}{sex}{serial}")


def _first_line(rest: str, context: Context) -> str:
    """Replace the two numbers of the first line as they are replaced elsewhere."""
    match = _BACK.fullmatch(rest)
    if match is None:
        return scramble(rest, "MX_INE", context.draw)
    card = scramble(match[1], "MX_INE", context.draw)
    behind = _NUMBER.sub(lambda n: _card_number(n.group(), context), match[3])
    return card + _line_check(card) + behind


def _card_number(text: str, context: Context) -> str:
    """Replace a number; that of section and citizen in its parts, as they stand."""
    if len(text) != _PRINTED or not text.isdecimal():
        return scramble(text, "MX_INE", context.draw)
    pieces = text[:_SECTION], text[_SECTION:]
    return "".join(scramble(piece, "MX_INE", context.draw) for piece in pieces)


def _other_line(line: re.Match[str], context: Context) -> str:
    """Return a line of other dates with their check digits."""
    birth = moved_birth(line[1], None, context).strftime("%y%m%d")
    expiry = moved_birth(line[3], 2000, context).strftime("%y%m%d")
    checks = _line_check(birth), _line_check(expiry)
    return birth + checks[0] + line[2] + expiry + checks[1] + line[4]


def _line_check(digits: str) -> str:
    weighed = (int(d) * _LINE_WEIGHTS[i % 3] for i, d in enumerate(digits))
    return str(sum(weighed) % 10)


def clabe_check_digit(body: str) -> str:
    """Return the last digit of a CLABE (Banco de México, weights 3, 7, 1).

    :param body: The first 17 digits.
    """
    total = sum(int(digit) * _CLABE_WEIGHTS[i % 3] % 10 for i, digit in enumerate(body))
    return str(-total % 10)


def surrogate_clabe(text: str, context: Context) -> str:
    """Return a CLABE of the same bank with another branch and account.

    :param text: The CLABE as it stands in the document.
    :param context: Key and settings.
    """
    code = alphanumeric(text)
    if not (len(code) == 18 and code.isdigit()):
        return scramble(text, "MX_CLABE", context.draw)
    body = code[:3] + permute_code(code[3:17], "clabe", context.draw)
    return write_like(text, body + check_digit(clabe_check_digit(body), context))


def surrogate_card(text: str, context: Context) -> str:
    """Return a card number of the same network with Luhn's check digit.

    :param text: The number as it stands in the document.
    :param context: Key and settings.
    """
    code = alphanumeric(text)
    if len(code) == 18 and code.isdigit():
        return surrogate_clabe(text, context)
    if not (code.isdigit() and len(code) >= 13):
        return scramble(text, "CREDIT_CARD", context.draw)
    body = code[0] + permute_code(code[1:-1], "card", context.draw)
    return write_like(text, body + check_digit(luhn.calc_check_digit(body), context))
