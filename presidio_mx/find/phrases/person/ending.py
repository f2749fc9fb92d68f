"""How names end: in a word that is ordinary elsewhere, in initials."""

import re

from presidio_mx.find.phrases.person.weights import TITLED, TRIGGERED
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# What a name ends before: "Ana Patrón, 60", "Héctor Cal (hijo)", the end of a line.
_ENDS = re.compile(r"[,.;:)\n|/\t]|[ ]?[(—–]|[ ]{2,}|[ ][-/·|]|\Z")
# A word that also opens fields ends a name before these alone.
_SURE_ENDS = re.compile(r"[,;)]")
# Both a surname and a forename stand before.
_FULL = 2
_SHORTEST = 4
_INITIALS = re.compile(r"[a-zñ]\.[a-zñ]\.(?:[a-zñ]\.)?(?![^\W_])")
# Letters of professions and hours, not of names.
_NO_INITIALS = frozenset(
    "t.s. m.c. c.p. a.c. s.a. m.e. c.d. l.e. t.r. r.n. m.d. a.m. p.m. e.u.".split()
)
# A short form of two letters: Chávez, Chan.
TWO_LETTERS = "ch"
_SEX = frozenset("mfhx")
_NO_LETTER = "yeaou"


def closes(document: Document, last: int, index: int, prior: float, parts: int) -> bool:
    """Tell whether an ordinary word ends a name: "Ana Patrón, 60".

    :param document: The note.
    :param last: Index of the last word of the name.
    :param index: Index of the word.
    :param prior: What stands before the name says.
    :param parts: How many words the name has.
    """
    flag, before = document.flags[index], document.flags[last]
    if prior < TRIGGERED and parts < _FULL:
        return False
    eponym = flag & Flag.EPONYM and before & Flag.GIVEN and not before & Flag.EPONYM
    if not (flag & Flag.ORDINARY or eponym) or flag & Flag.MEDICAL:
        return False
    if flag & Flag.ANCHOR and (
        parts < _FULL or not _SURE_ENDS.match(document.gap(index))
    ):
        return False
    return (
        document.gap(last) == " "
        and bool(before & NAME)
        and casing(document, index) == "mixed"
        and document.capital(index)
        and not document.shouted(index)
        and not document.shouted(last)
        and _ended(document, index)
    )


def _ended(document: Document, index: int) -> bool:
    """Tell whether what follows a word is no more of a name."""
    gap = document.gap(index)
    if gap == " ":
        return index + 1 < len(document) and not document.capital(index + 1)
    return bool(_ENDS.match(gap))


def initials(
    document: Document, last: int, index: int, prior: float, parts: int
) -> int:
    """Return the last of the initials that end a name, or 0: "Gelmy T.C.", "YEPES R".

    :param document: The note.
    :param last: Index of the last word of the name.
    :param index: Index of the word.
    :param prior: What stands before the name says.
    :param parts: How many words the name has.
    """
    if document.gap(last) != " " or not document.capital(index):
        return 0
    start = document.starts[index]
    match = _INITIALS.match(document.folded, start)
    if match and match[0] not in _NO_INITIALS:
        given = document.flags[last] & Flag.GIVEN or not document.flags[last]
        return index + match[0].count(".") - 1 if given else 0
    word = document.words[index]
    stopped = document.folded[document.ends[index] : document.ends[index] + 1] == "."
    if word == TWO_LETTERS:
        return index if stopped else 0
    if len(word) != 1 or not word.isalpha() or word in _NO_LETTER or stopped:
        return 0
    sure = prior >= TITLED or (
        parts >= _FULL and word not in _SEX and not document.flags[last] & KNOWN
    )
    ends = document.ends[index] == len(document.text) or (
        document.gap(index)[:1] in (" ", "\t", "\n", ",")
    )
    return index if sure and ends and casing(document, index) == "upper" else 0
