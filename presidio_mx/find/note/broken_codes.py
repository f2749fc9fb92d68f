"""Numbers and codes that a scanner cut: ``CED 2 9O8 8ll``, ``3 0 / O 5 / 1 9``."""

import re
from collections.abc import Iterator

from presidio_mx.find.note.edit import Edit
from presidio_mx.spanish.words import either
from presidio_mx.text.folding import fold

# A column, a line or a part of a sentence ends.
ENDS = r"(?=[ ]?(?:[,;)|\]]|[.:](?!\d))|[ ]{2}|[ ]*(?:\n|\Z))"
_LABEL = (
    r"(?<![^\W_])(?:{})(?:\.?[ ]{{0,3}}(?:n[uo]m?|prof|esp)(?![a-z]))?[ .:#]{{0,5}}"
)
_NUMBER = re.compile(
    _LABEL.format(either("broken_code_label"))
    + r"((?:[a-z]{1,5}[ -]?)?\d{1,8}(?:(?:[ ]|[ ]?[-/][ ]?)\d{1,8}){1,7}(?:-[a-z\d])?)"
    + r"(?![\d/-])"
    + ENDS
)
_REGISTERED = re.compile(
    _LABEL.format("curp|rfc|c[.]u[.]r[.]p|r[.]f[.]c")
    + r"([a-z&]{1,6}(?:[ -]{0,2}[a-z\d]{1,12}){1,6})"
    + ENDS
)
_LEAST, _MOST = 5, 20
_REGISTERED_LENGTHS = frozenset((10, 12, 13, 16, 17, 18))
# Digits with a blank behind each: "l 8 7 7 1 2", "2 7 - 0 8 - 9 6".
_APART = re.compile(r"(?<!\S)\d(?:[ ][\d/.-]){5,}(?![^\W_])")
_BLANKS = re.compile("[ ]+")


def broken_codes(text: str) -> Iterator[Edit]:
    """Yield the blanks inside numbers and codes, in order.

    :param text: A text that came from a scanner, its digits read.
    """
    folded = fold(text)
    spans = [match.span() for match in _APART.finditer(folded)]
    spans += [m.span(1) for m in _NUMBER.finditer(folded) if _LEAST <= _length(m[1])]
    spans += [
        m.span(1)
        for m in _REGISTERED.finditer(folded)
        if _length(m[1]) in _REGISTERED_LENGTHS
    ]
    done = 0
    for start, end in sorted(spans):
        for blank in _BLANKS.finditer(text, max(done, start), end):
            yield Edit(*blank.span())
        done = max(done, end)


def _length(code: str) -> int:
    """Return how many letters and digits a code has; none where it is too long."""
    length = sum(map(str.isalnum, code))
    return length if length <= _MOST else 0
