"""Notes as somebody speaks them: no signs, or signs and numbers in words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from presidio_mx.research.corpora.synthesis_case import Value
from presidio_mx.spanish.dates import MONTHS
from presidio_mx.spanish.numbers import write_number

_SPOKEN = {
    ",": (" coma",),
    ".": (" punto", " punto y seguido"),
    ":": (" dos puntos", ""),
    ";": (" punto y coma",),
    "(": (" abre paréntesis ", " entre paréntesis "),
    ")": (" cierra paréntesis", ""),
    "\n": (" punto y aparte ", " nueva línea ", "\n"),
}
_SIGN = re.compile(r"[,.:;()](?!\d)|\n")
_MUTE = re.compile(r"[,.:;()\"¿?¡!—](?!\d)|[ ]-[ ]")
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d\d)")
_NUMBER = re.compile(r"(?<![\w./-])\d{1,2}(?![\w/%-]|[.,]\d)")
_DIGITS = re.compile(r"\d+")
_DIGIT_CODES = frozenset(("PHONE_NUMBER", "MX_NSS", "MX_PROFESSIONAL_LICENSE"))
_MAIL = {"@": " arroba ", ".": " punto ", "_": " guion bajo ", "-": " guion "}
_MAIL_SIGN = re.compile("[@._-]")


def dictated(pieces: Sequence[Value], random: Random) -> list[Value]:
    """Return a note as it was spoken and written down without care.

    :param pieces: Pieces of the note.
    :param random: Source of chance.
    :return: The pieces; numbers under a mark may have become words.
    """
    signs = random.random() < 0.5
    words = random.random() < 0.7
    lower = random.random() < 0.8
    made = []
    for piece in pieces:
        text = piece.text
        if words:
            text = _in_words(piece, random)
        if not piece.entity_type:
            text = _with_signs(text, random) if signs else _MUTE.sub(" ", text)
        elif piece.entity_type == "PERSON":
            text = text.replace(",", "")
        made.append(replace(piece, text=text.lower() if lower else text))
    return made


def _with_signs(text: str, random: Random) -> str:
    return _SIGN.sub(lambda m: random.choice(_SPOKEN[m[0]]) + " ", text)


def _in_words(piece: Value, random: Random) -> str:
    """Return a piece with its numbers spoken, as far as its type is spoken so."""
    kind, text = piece.entity_type, piece.text
    if kind == "DATE_TIME" and (match := _DATE.fullmatch(text)):
        return _spoken_date(match, random)
    if kind in ("", "AGE", "DATE_TIME", "ADDRESS"):
        return _NUMBER.sub(lambda m: _spoken(m[0]), text)
    if kind in _DIGIT_CODES and random.random() < 0.6:
        return _spoken_digits(text, random)
    if kind == "EMAIL_ADDRESS":
        return _MAIL_SIGN.sub(lambda m: _MAIL[m[0]], text)
    return text


def _spoken(digits: str) -> str:
    if digits.startswith("0") and len(digits) > 1:
        return f"cero {write_number(int(digits))}"
    return write_number(int(digits))


def _spoken_date(match: re.Match[str], random: Random) -> str:
    day, month, year = (int(group) for group in match.groups())
    if not (1 <= day <= 31 and 1 <= month <= 12) or 100 <= year < 1900 or year > 2099:
        return match[0]
    named = random.random() < 0.7
    between = random.choice((" de ", " del ")) if named else " del "
    middle = MONTHS[month - 1] if named else write_number(month)
    first = " de " if named else " del "
    return f"{write_number(day)}{first}{middle}{between}{write_number(year)}"


def _spoken_digits(text: str, random: Random) -> str:
    """Speak a long number one by one, or in pairs and single digits."""
    pairs = random.random() < 0.5

    def speak(match: re.Match[str]) -> str:
        digits = match[0]
        step = 2 if pairs and len(digits) % 2 == 0 else 1
        parts = [digits[at : at + step] for at in range(0, len(digits), step)]
        return " ".join(map(_spoken, parts))

    return re.sub(r"[\s().-]+", " ", _DIGITS.sub(speak, text)).strip()
