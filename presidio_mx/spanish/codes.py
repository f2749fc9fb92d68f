"""The letters that CURP, RFC and voter key take from a name, and the dates in them.

Sources: RENAPO, Instructivo normativo para la asignación de la CURP (DOF 18-10-2021),
annex: first letter and first inner vowel of the first surname, first letters of the
second surname and the given name; then the first inner consonants of the three. INE,
Manual de la credencial para votar, clave de elector.
"""

import re
from collections.abc import Sequence
from datetime import date

from stdnum.mx import curp as stdnum_curp

from presidio_mx.spanish.dates import full_year, possible_date
from presidio_mx.spanish.names import kept_letters
from presidio_mx.spanish.scans import AS_DIGITS, AS_LETTERS
from presidio_mx.spanish.writing import alphanumeric
from presidio_mx.text.folding import fold_key

CURP = re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d")
"""A CURP in capitals, without blanks."""
_SKIPPED_GIVEN = ("jose", "maria", "ma", "j", "m")
_VOWELS = "aeiou"
# Four letters and a date in which a scanner left letters.
_DATE_PLACES = re.compile(r"([A-Z][A-Z01]{2}[A-Z])(?=.{0,5}\d)([\dOILSBZ]{6})")
# Letters, birth date and state, sex, serial; a letter may be missing or misread.
_VOTER_KEY = re.compile(r"([A-Z][A-Z01]{3,4}[A-Z])([\dOILSBZ]{8})([HM])([\dOILSBZ]{3})")
_BORN = re.compile(r"[A-Z]{4,6}(\d\d)(\d\d)(\d\d)")
_CURP_LENGTH, _CENTURY, _SEX = 18, 16, 10


def inner_consonant(word: str) -> str:
    """Return the first consonant of a word after its first letter, X if there is none.

    :param word: A name.
    """
    inner = (c for c in kept_letters(word)[1:] if c not in _VOWELS)
    return next(inner, "x").upper()


def _named(given: Sequence[str]) -> str:
    """Return the given name that codes go by: the second behind José or María."""
    if len(given) > 1 and fold_key(given[0]).rstrip(".") in _SKIPPED_GIVEN:
        return given[1]
    return given[0] if given else "x"


def curp_letters(given: Sequence[str], first: str, second: str) -> tuple[str, str]:
    """Return the letters of a name in a CURP.

    :param given: Given names, without particles.
    :param first: First surname.
    :param second: Second surname, may be empty.
    :return: The first four letters and the three inner consonants.
    """
    name = _named(given)
    consonants = (inner_consonant(word) for word in (first, second, name))
    return four_letters(given, first, second), "".join(consonants)


def four_letters(given: Sequence[str], first: str, second: str) -> str:
    """Return the letters of a name with which its CURP and RFC begin.

    :param given: Given names, without particles.
    :param first: First surname.
    :param second: Second surname, may be empty.
    """
    name = _named(given)
    plain = kept_letters(first) or "x"
    vowel = next((c for c in plain[1:] if c in _VOWELS), "x")
    letters = plain[0], vowel, *((kept_letters(w) or "x")[0] for w in (second, name))
    four = "".join(letters).upper()
    return four[0] + "X" + four[2:] if four in stdnum_curp._name_blacklist else four


def voter_letters(given: Sequence[str], first: str, second: str) -> str:
    """Return the six letters of a voter key: two of each surname and the given name.

    :param given: Given names, without particles.
    :param first: First surname.
    :param second: Second surname, may be empty.
    """
    return "".join(
        (kept_letters(word) or "x")[0].upper() + inner_consonant(word)
        for word in (first, second, _named(given))
    )


def dated(code: str) -> str:
    """Return a CURP or RFC with the letters that stand in its date read as digits.

    :param code: Letters and digits, in capitals.
    """
    match = _DATE_PLACES.match(code)
    if match is None:
        return code
    letters = match[1].translate(AS_LETTERS)
    return letters + match[2].translate(AS_DIGITS) + code[match.end() :]


def voter_key(code: str) -> str:
    """Return a voter key with the letters that stand for digits read as digits.

    :param code: Letters and digits, in capitals; of another shape it stays.
    """
    match = _VOTER_KEY.fullmatch(code)
    if match is None:
        return code
    letters, middle, sex, end = match.groups()
    digits = middle.translate(AS_DIGITS), end.translate(AS_DIGITS)
    return letters.translate(AS_LETTERS) + digits[0] + sex + digits[1]


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
    whole = len(code) == _CURP_LENGTH
    new = whole and code[_CENTURY].isalpha()  # a letter from 2000 on
    return possible_date(2000 + year if new else full_year(year, 2), month, day)


def sex_in(text: str) -> str:
    """Return the sex that a CURP says: F, M, or empty.

    :param text: The code as it stands in the document.
    """
    code = dated(alphanumeric(text))
    return {"H": "M", "M": "F"}.get(code[_SEX : _SEX + 1], "")
