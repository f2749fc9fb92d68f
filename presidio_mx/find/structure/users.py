"""Names of users that systems make of a person's: ``mlopezr``, ``enf_ylomeli``."""

import re
from collections.abc import Iterator

from presidio_mx.find.finding import FIELDS, Finding
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.spanish.words import either
from presidio_mx.text.document import Document
from presidio_mx.text.folding import fold

# An initial, a surname, at times the initial of the second and a number; no part of an
# address in the web or of a path.
_USER = re.compile(
    r"(?<![\w@./-])[a-z](?P<parted>[._]?)(?P<name>[a-z]{4,15})(?P<number>\d{0,2})"
    r"(?![\w@-]|\.[a-z])"
)
# What somebody does and a name: "enf_lorena", "dr.renteria", "enf_lcolli".
_BY_FUNCTION = re.compile(
    rf"(?<![\w@./-])(?:{either('login_function')})[._](?P<name>[^\W\d_]{{3,15}})\d{{0,2}}"
    r"(?![\w@-]|\.[a-z])"
)
_SHORTEST = 6
# A shorter surname with a letter behind it is too often a word that no list has.
_SHORTEST_WITH_LETTER = 7
_SCORE = 0.86
_RULE = f"{FIELDS}#user"


def user_findings(document: Document, lexicon: Lexicon) -> Iterator[Finding]:
    """Yield the names of users in a note, in whatever text they stand.

    :param document: The prepared note.
    :param lexicon: What is known of words.
    """
    for match in _USER.finditer(document.text):
        name, marked = match["name"], bool(match["parted"] or match["number"])
        if not lexicon.flag(match[0].rstrip("0123456789")) and (
            (_is_surname(name, lexicon) and (marked or len(name) >= _SHORTEST))
            or (len(name) > _SHORTEST_WITH_LETTER and _is_surname(name[:-1], lexicon))
        ):
            yield Finding(*match.span(), "PERSON", _SCORE, _RULE, role="staff")
    for match in _BY_FUNCTION.finditer(document.text):
        name = fold(match["name"])
        flag = lexicon.flag(name)
        if _is_surname(name[1:], lexicon) or (flag & NAME and not flag & KNOWN):
            yield Finding(*match.span(), "PERSON", _SCORE, _RULE, role="staff")


def _is_surname(word: str, lexicon: Lexicon) -> bool:
    flag = lexicon.flag(word)
    return bool(flag & Flag.SURNAME) and not flag & KNOWN
