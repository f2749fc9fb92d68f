"""Letters and digits that a scanner took for one another: ``HlDALGO``, ``2O24``.

Undone once, for names, dates, phones, ages, codes and addresses alike, and only in a
note that shows several of them: elsewhere "O2" is oxygen and "B12" a vitamin.
"""

import re
from collections.abc import Iterator
from itertools import islice

from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.scan_numbers import (
    AS_DIGITS,
    OXYGEN,
    slips_in_numbers,
)

_UPPER = "A-ZÁÉÍÓÚÑÜ"
_LOWER = "a-záéíóúñü"
# What nobody types: a small l or a zero among capitals or at their end, O or l among
# digits, at a number's begin or end ("8O", "O44", "l5O"), 0 or 1 inside a word of small
# letters, 0 at its end.
_SIGN = re.compile(
    rf"(?<![{_LOWER}])[{_UPPER}](?:[{_UPPER}][l0](?=[{_UPPER}])|[l0](?=[{_UPPER}]{{3}}))"
    rf"|\d[OlI](?=\d)|[{_LOWER}]{{2}}[016](?=[{_LOWER}]{{1,2}})|(?<![\w])[lO]\d[/\-]"
    rf"|(?<![^\W_])(?:\d{{1,3}}O{{1,2}}|l\d{{2,3}}|l[lO]|[{_LOWER}]{{4,}}0"
    rf"|[{_UPPER}]{{3,}}[0l])(?![^\W_])"
    rf"|(?<![^\W_])(?:O\d{{3}}|O\.(?=\d)|[lO](?=\d\.\d)|[{_UPPER}]0(?=[{_LOWER}]{{2}}))"
)
_LEAST_SIGNS = 3
_TOKEN = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?=[^\d]*\d)[\dlIOo]{2,}")
# What forms call a number that stands behind it, at times without a blank.
LABELS = (
    "fecha|folio|edad|expediente|exp|curp|rfc|nss|afil|tel|cel|egreso|ingreso|social"
    "|expedicion|nacimiento|nac|hora|registro|cuenta|cedula|ced|matricula|apartir"
    "|recibo|alta|visita|cita"
)
_LABELLED = re.compile(
    rf"(?P<label>{LABELS})(?P<number>[\dlIO]*\d[\dlIO]*)(?P<unit>[A-Za-z]?)", re.I
)
_INSIDE_NUMBER = re.compile(r"(?<=\d)[lIOo]+(?=\d)")
_CAPITALS = re.compile(rf"[{_UPPER}l01]*[{_UPPER}][{_UPPER}l01]*")
_LEAST_CAPITALS = 2
# Digits that stand for a capital: between letters, or a zero that ends a word. "H1N1"
# has too few letters for a word.
_IN_CAPITALS = re.compile(
    rf"l|(?<=[{_UPPER}l])0(?=[{_UPPER}l])|(?<=[{_UPPER}l]{{2}})1(?=[{_UPPER}l]{{2}})"
    rf"|(?<=[{_UPPER}l]{{2}})0$|^0(?=[{_UPPER}l]{{3}})|(?<=^[{_UPPER}])1(?=[{_UPPER}]{{3}})"
    rf"|(?<=[{_UPPER}]{{3}})1(?=[{_UPPER}]$)|(?<=[{_UPPER}][BCDLMNRTV])1(?=0$)"
    rf"|(?<=[{_UPPER}][BCDLMNRTV]1)0$"
)
_LETTERS_FOR = {"l": "I", "1": "I", "0": "O"}
_ROMAN = re.compile("[XVI]+l+")
_WORD = re.compile(
    rf"[{_UPPER}l01]?[{_LOWER}016I]*[{_LOWER}]{{2}}[{_LOWER}016I]*|[CTDctd]e[I1]"
    rf"|[{_UPPER}]?[{_LOWER}]11[{_LOWER}]|[{_UPPER}](?:[{_LOWER}][01]|0[{_LOWER}])"
)
_IN_WORD = re.compile(
    rf"(?<=[{_LOWER}])[016](?=[{_LOWER}])|(?<=[{_LOWER}])1(?=1[{_LOWER}])"
    rf"|(?<=[{_LOWER}]1)1(?=[{_LOWER}])|(?<=[{_LOWER}]{{3}}t)1$|(?<=[{_LOWER}]{{3}})0$|^0(?=[{_LOWER}]{{3}})"
    rf"|(?<=^[{_UPPER}])(?:0(?=[{_LOWER}])|1(?=[{_LOWER}]{{2}}))|(?<=^[{_UPPER}][{_LOWER}])0$"
    rf"|(?<=^[{_UPPER}][{_LOWER}]{{2}})0$|(?<=[{_LOWER}]{{2}}[bcfgp])1(?=0$)|(?<=[bcfgp]1)0$"
    rf"|(?<=[{_LOWER}{_UPPER}][aeiouáéíóú])1$|(?<=^[CTDctd]e)[1I]$|(?<=[{_LOWER}])I(?=[{_LOWER}])"
)
_SMALL_FOR = {"0": "o", "1": "l", "6": "ó", "I": "l"}
# No word begins so; a capital I does.
_CAPITAL_I = re.compile(rf"l(?=[bcdfgjkmnpqrstvxyz][{_LOWER}]{{2}})")
# "Sl LVA"
_HALF_WORD = re.compile(rf"(?<=[{_UPPER}])(?<![^\W_][{_UPPER}])l(?=[ ][{_UPPER}]{{2}})")
# A letter in each box of a form: "|E|V|A|". HL7 has such fields, too.
_BOXES = re.compile(r"(?<=\|)[^\W_](?:\|[^\W_]|\|[ ](?=\|[^\W_])){4,}(?=\|)")
# The same in brackets: "[E][V][A]".
_BRACKETS = re.compile(
    r"(?:\[[^\W_]\]){3,}|(?:\[[\dlIO]\]){2}(?:[ ](?:\[[\dlIO]\]){2,4})*"
)
_HL7 = re.compile(r"[A-Z][A-Z0-9]{2}\|")


def scanned(text: str) -> bool:
    """Tell whether a text came from a scanner.

    :param text: The text.
    """
    signs = sum(1 for _ in islice(_SIGN.finditer(text), _LEAST_SIGNS))
    return signs >= _LEAST_SIGNS


def scan_slips(text: str, sure: bool = False) -> Iterator[Edit]:
    """Yield what a scanner took for something else, one character each.

    :param text: The text.
    :param sure: Whether it came from a scanner, whatever it looks like.
    """
    if not (sure or scanned(text)):
        return
    edits = {
        edit.start: edit
        for edit in [
            *(Edit(*m.span(), "I") for m in _HALF_WORD.finditer(text)),
            *slips_in_numbers(text),
        ]
    }
    for match in _TOKEN.finditer(text):
        token = match[0]
        for place, letter in enumerate(_read(token)):
            if letter != token[place]:
                start = match.start() + place
                edits[start] = Edit(start, start + 1, letter)
    yield from (edits[start] for start in sorted(edits))


def boxes(text: str) -> Iterator[Edit]:
    """Yield the lines between the boxes of a form, one letter in each.

    :param text: The text.
    """
    yield from sorted([*_in_brackets(text), *_between_bars(text)])


def _in_brackets(text: str) -> Iterator[Edit]:
    for match in _BRACKETS.finditer(text) if "][" in text else ():
        for bracket in re.finditer(r"[][]", match[0]):
            place = match.start() + bracket.start()
            yield Edit(place, place + 1)


def _between_bars(text: str) -> Iterator[Edit]:
    for match in _BOXES.finditer(text) if "|" in text else ():
        line = text.rfind("\n", 0, match.start()) + 1
        if _HL7.match(text, line):
            continue
        for place in range(match.start() + 1, match.end(), 2):
            yield Edit(place, place + 1)


def _read(token: str) -> str:
    """Return a word, number or code as it was before it was scanned."""
    if token.isalpha() and "l" not in token and "I" not in token:
        return token
    if _NUMBER.fullmatch(token):
        return token if token == OXYGEN else token.translate(AS_DIGITS)
    glued = _LABELLED.fullmatch(token)
    if glued is not None:
        return glued["label"] + glued["number"].translate(AS_DIGITS) + glued["unit"]
    if _ROMAN.fullmatch(token):
        return token.replace("l", "I")
    capitals = sum(map(str.isupper, token))
    if capitals >= _LEAST_CAPITALS and _CAPITALS.fullmatch(token):
        return _IN_CAPITALS.sub(lambda slip: _LETTERS_FOR[slip[0]], token)
    if _WORD.fullmatch(token):
        token = _IN_WORD.sub(_small, token)
        return "I" + token[1:] if _CAPITAL_I.match(token) else token
    return _INSIDE_NUMBER.sub(lambda slip: slip[0].translate(AS_DIGITS), token)


def _small(slip: re.Match[str]) -> str:
    return "O" if slip[0] == "0" and not slip.start() else _SMALL_FOR[slip[0]]
