"""What a value must look like before its field is believed.

A heading can be misread, a field misused: a name must be made of words that can be
names, a date must be one, a code must have digits.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from presidio_mx.find.structure.parts import trimmed
from presidio_mx.spanish.words import either
from presidio_mx.spanish.words import words as listed_words
from presidio_mx.text.document import Document


class Part(NamedTuple):
    """A part of a value that identifies somebody.

    :param start: First offset.
    :param end: Offset after it.
    :param entity: Presidio entity type.
    """

    start: int
    end: int
    entity: str


_EMPTY = listed_words("cell_empty")
_NOBODY = listed_words("login_of_nobody")
_UNIT = r"(?:anos?|anios?|a|y|meses|mes|m|semanas?|sem|dias?|d|ddv|horas?|hrs?|h)\b\.?"
_AGE = re.compile(
    rf"\d{{1,3}}(?:-\d{{2,3}})?(?: ?{_UNIT}(?: ?(?:y|con)? ?\d{{1,2}} ?{_UNIT})?)?"
)
_BEFORE_AGE = re.compile(r"\s*(?:~|aprox\.?|como)?\s*")
_OLDEST = 125
_MOST_BEHIND_AGE = 12
_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?!\d)")
# A stamp is one mark, with or without seconds; fractions and zones stay behind it.
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:\d{4}(?:\d{2})?)?(?!\d)")
_SHORT = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_WORDED = re.compile(
    rf"\d{{1,2}}[ /.-]{{1,2}}{either('month', 'month_short')}\.?[ /.-]{{1,2}}"
    r"(?:\d{4}|\d{2})(?!\d)"
)
_PHONE = re.compile(r"\+?[\d(][\d ()./^-]{5,}\d")
_LEAST_PHONE, _MOST_PHONE = 7, 14
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CURP = re.compile(r"[a-z]{4}\d{6}[hmx][a-z]{5}[a-z0-9]\d")
_RFC = re.compile(r"[a-z&]{3,4}\d{6}[a-z0-9]{3}")
_NSS = re.compile(r"\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{4}[ -]?\d")
_ADDED = re.compile(r"[ ]?\d[fm]\d{4}[a-z]{2}")
_INE = re.compile(r"[a-z]{6}\d{8}[hm]\d{3}|(?:idmex)?\d{9,13}")
_CEDULA = re.compile(r"\d{7,8}")
_LICENSE = re.compile(r"(?:[a-z]{1,4}[ -]?)?\d{4,9}")
_CODE = re.compile(r"(?=(?:\D*\d){2})[a-z0-9](?:[a-z0-9/ .-]{0,28}[a-z0-9])?")
_LONGEST_WORD_OF_CODE = 5
_PLATE = re.compile(r"(?=.*\d)(?=.*[a-z])[a-z0-9]{1,7}(?:-[a-z0-9]{1,4}){0,3}")
_ACCOUNT = re.compile(r"\d(?:[ -]?\d){15,17}")
_ZIP = re.compile(r"(?:c\.?p\.? ?)?\d{5}")
_BASE64 = re.compile(r"(?=.*\d|.*=)[a-z0-9+/]{16,}={0,2}")
_LOGIN = re.compile(r"(?:\w{1,12}\\)?(?P<name>[a-z](?:[a-z._-]{1,20}[a-z])?\d{0,3})")
_HOUSE = re.compile(r"(?=\D{0,6}\d)[a-z0-9 .#-]{1,15}")
_CONOCIDO = re.compile(r"dom(?:icilio|\.)? ?conoc(?:ido|\.)?[ ,]*")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 12


def parts(document: Document, start: int, end: int, holds: str) -> Iterator[Part]:
    """Yield what identifies somebody in a value, if it looks as it should.

    :param document: The prepared note.
    :param start: First offset of the value in the working text.
    :param end: Offset after it.
    :param holds: What it should hold; see ``recognizers/fields.yaml``.
    """
    start, end = trimmed(document.text, start, end)
    shape = _SHAPES.get(holds)
    if shape is not None and start < end:
        yield from shape(document.folded[start:end], start)


def empty(folded: str) -> bool:
    """Tell whether a value says that there is none ("s/d", "vacía", "no quiso")."""
    first = re.match(r"[^\w]*([^\W_]*)", folded)
    return first is None or not first[1] or first[1] in _EMPTY


def _age(folded: str, start: int) -> Iterator[Part]:
    before = _BEFORE_AGE.match(folded)
    match = _AGE.match(folded, before.end() if before else 0)
    if match is None or int(re.match(r"\d+", match[0])[0]) > _OLDEST:  # type: ignore[index]
        return
    behind = folded[match.end() :]
    if len(behind) <= _MOST_BEHIND_AGE and not any(map(str.isdigit, behind)):
        yield Part(start + match.start(), start + match.end(), "AGE")


def _date(folded: str, start: int) -> Iterator[Part]:
    for pattern in (_ISO, _COMPACT, _SHORT):
        match = pattern.match(folded)
        if match is not None and _exists(match, pattern is _SHORT):
            yield Part(start, start + match.end(), "DATE_TIME")
            return
    worded = _WORDED.match(folded)
    if worded is not None:
        yield Part(start, start + worded.end(), "DATE_TIME")


def _exists(match: re.Match[str], short: bool) -> bool:
    """Tell whether there is such a day; day and month may have changed places."""
    if short:
        day, month, year = int(match[1]), int(match[3]), int(match[4])
        year += 2000 if year < 100 else 0
    else:
        year, month, day = int(match[1]), int(match[2]), int(match[3] or 1)
    if not 1880 <= year <= 2100:
        return False
    for first, second in ((month, day), (day, month)):
        try:
            date(year, first, second)
        except ValueError:
            continue
        return True
    return False


def _phone(folded: str, start: int) -> Iterator[Part]:
    if "@" in folded:
        yield from _email(folded, start)
    for match in _PHONE.finditer(folded):
        digits = sum(map(str.isdigit, match[0]))
        if _LEAST_PHONE <= digits <= _MOST_PHONE:
            yield Part(start + match.start(), start + match.end(), "PHONE_NUMBER")
        elif digits > _MOST_PHONE:
            # Two numbers ("5555750018^5541112907", "55 6014 7729 / 55 1908 3321").
            for piece in re.finditer(r"[^ ^/](?:[^^/]*[^ ^/])?", match[0]):
                if sum(map(str.isdigit, piece[0])) >= _LEAST_PHONE:
                    first = start + match.start()
                    yield Part(
                        first + piece.start(), first + piece.end(), "PHONE_NUMBER"
                    )


def _login(folded: str, start: int) -> Iterator[Part]:
    """Yield the name of a user, unless it is a program's or everybody's."""
    match = _LOGIN.fullmatch(folded)
    if match is None or empty(folded):
        return
    first = re.split(r"[._\d-]", match["name"])[0]
    if first not in _NOBODY and len(match["name"]) > 1:
        yield Part(start + match.start("name"), start + match.end("name"), "PERSON")


def _email(folded: str, start: int) -> Iterator[Part]:
    for match in _EMAIL.finditer(folded):
        yield Part(start + match.start(), start + match.end(), "EMAIL_ADDRESS")


def _code(folded: str, start: int) -> Iterator[Part]:
    compact = folded.replace(" ", "")
    for pattern, entity in (
        (_CURP, "MX_CURP"),
        (_RFC, "MX_RFC"),
        (_NSS, "MX_NSS"),
        (_ADDED, "MX_NSS"),
    ):
        if pattern.fullmatch(compact):
            yield Part(start, start + len(folded), entity)
            return
    yield from _record(folded, start)


def _id(folded: str, start: int) -> Iterator[Part]:
    """Yield the number of a person that is one whatever it looks like."""
    found = list(_code(folded, start))
    if not found and not empty(folded) and " " not in folded and len(folded) > 2:
        found.append(Part(start, start + len(folded), "MEDICAL_RECORD"))
    yield from found


def _staff_code(folded: str, start: int) -> Iterator[Part]:
    """Yield the number of a professional: a licence has seven or eight digits."""
    if _CEDULA.fullmatch(folded):
        yield Part(start, start + len(folded), "MX_PROFESSIONAL_LICENSE")
    else:
        yield from _code(folded, start)


def _record(folded: str, start: int) -> Iterator[Part]:
    long_word = any(
        len(word) > _LONGEST_WORD_OF_CODE for word in re.findall("[a-z]+", folded)
    )
    enough = len(folded) > 2 and not empty(folded)
    if enough and not long_word and _CODE.fullmatch(folded):
        yield Part(start, start + len(folded), "MEDICAL_RECORD")


def _nss(folded: str, start: int) -> Iterator[Part]:
    match = _NSS.match(folded)
    end = match.end() if match else 0
    added = _ADDED.match(folded, end)
    if match or added:
        yield Part(start, start + (added.end() if added else end), "MX_NSS")


def _whole(pattern: re.Pattern[str], entity: str) -> Callable[..., Iterator[Part]]:
    """Return a shape that a value has as a whole or not."""

    def shape(folded: str, start: int) -> Iterator[Part]:
        if pattern.fullmatch(folded):
            yield Part(start, start + len(folded), entity)

    return shape


def _known_there(folded: str) -> int:
    """Return how long a "domicilio conocido" is that stands before an address."""
    match = _CONOCIDO.match(folded)
    return match.end() if match else 0


def _text(entity: str) -> Callable[..., Iterator[Part]]:
    """Return the shape of a street or of an institution: words, not too many."""

    def shape(folded: str, start: int) -> Iterator[Part]:
        value = folded[_known_there(folded) :]
        few = len(value.split()) <= _MOST_WORDS
        if few and _LETTERS.search(value) and not empty(value):
            end = start + len(folded)
            yield Part(end - len(value), end, entity)

    return shape


_SHAPES: Mapping[str, Callable[[str, int], Iterator[Part]]] = {
    "age": _age,
    "date": _date,
    "login": _login,
    "phone": _phone,
    "email": _email,
    "code": _code,
    "staff code": _staff_code,
    "record": _record,
    "nss": _nss,
    "curp": _whole(_CURP, "MX_CURP"),
    "rfc": _whole(_RFC, "MX_RFC"),
    "id": _id,
    "attachment": _whole(_BASE64, "MEDICAL_RECORD"),
    "ine": _whole(_INE, "MX_INE"),
    "license": _whole(_LICENSE, "MX_PROFESSIONAL_LICENSE"),
    "plate": _whole(_PLATE, "MX_LICENSE_PLATE"),
    "account": _whole(_ACCOUNT, "CREDIT_CARD"),
    "zip": _whole(_ZIP, "ADDRESS"),
    "house": _whole(_HOUSE, "ADDRESS"),
    "street": _text("ADDRESS"),
    "address": _text("ADDRESS"),
}
