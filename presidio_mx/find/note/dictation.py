"""Punctuation that was dictated as words: ``coma``, ``punto y aparte``, ``dos puntos``.

Undone once, for rules and models alike, and only in a note that has several: elsewhere
a coma is a state, and a point is where it hurts.
"""

import re
from collections.abc import Iterator
from itertools import islice

from presidio_mx.find.note.edit import Edit
from presidio_mx.spanish.words import either
from presidio_mx.text.folding import fold

_LEAST = 4
# A comma parts the fields of a note, and within a field nothing that belongs together.
_SIGNS = {"coma": ";", "dos": ":", "punto": "."}
# "en coma", "a punto de", "el punto doloroso", "retirar dos puntos" are no signs.
_SPOKEN = re.compile(
    r"(?<=[^\W_])[ ](?:"
    r"(?<! en )(?<! de )(?<! un )(?<! el )"
    r"coma(?![ ](?:diab|hip|indu|prof|vigil|met|etíl))"
    r"|(?<! los )(?<! de )(?<! con )(?<! por )(?<! en )dos[ ]puntos(?![ ]de\b)"
    r"|(?<! en )(?<! a )(?<! al )(?<! el )(?<! un )(?<! se )(?<! te )(?<! su )"
    r"punto(?:[ ]y[ ](?:aparte|seguido|coma)|[ ]final)?"
    r"(?![ ](?:de|com|mx|org|net|edu|gob|es|me|doloros[oa]|crítico|focal|g)\b)"
    r")(?=[ ]|$|\n)",
    re.I,
)
# What a program writes where it understood a command: "«coma»", "[punto y aparte]".
_COMMANDS = {
    "coma": ",",
    "punto y coma": ";",
    "punto": ".",
    "punto y seguido": ".",
    "punto y aparte": ".\n",
    "punto final": ".",
    "dos puntos": ":",
    "guion": "-",
    "diagonal": "/",
    "abre parentesis": " (",
    "cierra parentesis": ")",
    "nuevo parrafo": "\n",
    "nueva linea": "\n",
    "siguiente": "\n",
    "siguiente campo": "\n",
}
_COMMAND = re.compile(r"[ ]?[«\[(<]([^\W\d_]{4,9}(?: [^\W\d_]{1,10}){0,2})[»\])>]")
_LEAST_COMMANDS = 3
_NUMBER = either("spoken_number")
_AFTER_NUMBER = re.compile(rf"(?<![^\W_]){_NUMBER}$", re.I)
_BEFORE_NUMBER = re.compile(rf"[ ]{_NUMBER}(?![^\W_])", re.I)
_LONGEST_NUMBER = 13
# A label and the number up to here; the age behind a number is none of its groups.
_PHONE_WIDTH = 90
_PHONE = re.compile(
    rf"(?:tel[eé]?f?|tel[eé]fono|cel|celular|whats\w*|fax|ll[aá]m\w*|marc\w*)"
    rf"(?:[ ](?:es|son|el|al|de|su|del|la|que|dej\w+))*"
    rf"(?:[ ,](?:{_NUMBER}|y|coma))+$",
    re.I,
)
_THEN_AGE = re.compile(rf"(?:[ ](?:{_NUMBER}|y))+[ ]a[nñ]os", re.I)
# A point near "arroba" is part of an address.
_AT = re.compile(r"(?:[^\W_]+[ ]){0,7}arroba(?:[ ][^\W_]+){1,7}", re.I)


def commands(text: str) -> Iterator[Edit]:
    """Yield the signs that a program wrote as commands in brackets.

    :param text: The text.
    """
    found = [m for m in _COMMAND.finditer(text) if fold(m[1]) in _COMMANDS]
    if len(found) >= _LEAST_COMMANDS:
        for match in found:
            yield Edit(*match.span(), _COMMANDS[fold(match[1])])


def spoken_signs(text: str) -> Iterator[Edit]:
    """Yield the signs that were dictated, with the sign that each stands for.

    :param text: The text.
    """
    if "coma" not in text and "punto" not in text:
        return
    if sum(1 for _ in islice(_SPOKEN.finditer(text), _LEAST)) < _LEAST:
        return
    addresses = [match.span() for match in _AT.finditer(text)]
    for match in _SPOKEN.finditer(text):
        word = match[0].split()[0].lower()
        if word == "punto" and match[0].count(" ") == 1:
            start, end = match.span()
            before = text[max(0, start - _LONGEST_NUMBER) : start]
            if _AFTER_NUMBER.search(before) and _BEFORE_NUMBER.match(text, end):
                continue
            if any(first < start < last for first, last in addresses):
                continue
        sign = _SIGNS[word]
        if word == "coma" and _in_a_phone(text, *match.span()):
            sign = ","
        yield Edit(*match.span(), sign)


def _in_a_phone(text: str, start: int, end: int) -> bool:
    """Tell whether a comma stands between two groups of a phone number."""
    before = text[max(0, start - _PHONE_WIDTH) : start]
    return (
        _AFTER_NUMBER.search(before) is not None
        and _PHONE.search(before) is not None
        and _BEFORE_NUMBER.match(text, end) is not None
        and _THEN_AGE.match(text, end) is None
    )
