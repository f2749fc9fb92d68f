"""How a name opens: a kind of institution, generic words, a number."""

import re
from dataclasses import dataclass, replace

from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.institution.ending import QUOTED
from presidio_mx.find.phrases.institution.words import PARTICLES, InstitutionWords
from presidio_mx.spanish.word_runs import field_number
from presidio_mx.spanish.words import either
from presidio_mx.text.document import Document

# "no. 80", "#3", ", num 12-a"; no date, no percentage, no code and no count.
_NUMBER = re.compile(
    r"(?:\.(?=[ ]?(?:no|num|#)))?[ \t]{0,2}(?:,[ ]?(?=no|num|nro|n[.°]|#))?"
    r"(?:-[ ]?)?(?:(?:no|num|nro|n)(?![a-z])\.?|#|numero)?[ \t]{0,2}"
    r"(?P<digits>\d{1,4}|[ol]\d{1,2})(?:[ ]?-[ ]?[a-z](?![a-z]))?"
    rf"(?![^\W_]|[.,:/-]\d|[ ]?(?:%|(?:de[ ])?{either('month', 'month_short')}\b|"
    rf"{either('institution_counted')}\b))"
)
# "General", "GRAL. NO. 3", "General de\nZona"
_GENERIC_GAP = re.compile(r"[ \t]{1,2}|[ ]?\n[ ]?|-|/[ ]?")
_SHORT_GAP = re.compile(r"\.[ ]?")
# "Hospital Rural No. 32 IMSS-Bienestar Zacapoaxtla"
PROGRAMME = re.compile(rf"[ ](?:de[ ]l[ ])?{either('institution_programme')}")
# The short name before a number or a name of its own: "(HGR) No. 1".
_SHORT_NAME = re.compile(r'[ ]\([a-z]{2,6}\)(?=[ ]?(?:"|no[.\d ]|num|#|\d))')
# Words longer than these end a sentence with their stop, and are not shortened by it.
_LONGEST_SHORT = 4
_LONGEST_ABBREVIATION = 5
_MOST_GENERIC = 8


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind that a name opens with.

    :param first: Index of its first word.
    :param last: Index of its last word.
    :param end: Offset after it, a full stop included.
    :param abbreviated: Whether it is an abbreviation: "UMF" and not "clínica".
    """

    first: int
    last: int
    end: int
    abbreviated: bool


@dataclass(frozen=True, slots=True)
class Opening:
    """A kind with the generic words and the number behind it.

    :param first: Index of the kind's first word.
    :param last: Index of the last word read so far.
    :param end: Offset after what was read.
    :param numbered: Whether a number follows.
    :param complete: Whether this much is a name: "UMF 80", "Instituto Nacional de
        Cardiología".
    :param weak: Whether the kind is an everyday word too, and the name not complete.
    """

    first: int
    last: int
    end: int
    numbered: bool
    complete: bool
    weak: bool


def read_kind(words: InstitutionWords, document: Document, index: int) -> Kind | None:
    """Return the kind of institution that begins at a word.

    :param words: The words of institutions.
    :param document: The note.
    :param index: Index of the word.
    """
    start = document.starts[index]
    code = words.code.match(document.folded, start)
    match = code or words.head.match(document.folded, start)
    if match is None:
        return None
    last = document.word_at(match.end()) - 1
    return Kind(index, last, match.end(), abbreviated=code is not None)


def read_opening(words: InstitutionWords, document: Document, kind: Kind) -> Opening:
    """Read on behind a kind: generic words and a number.

    :param words: The words of institutions.
    :param document: The note.
    :param kind: The kind.
    """
    first, last, end = kind.first, kind.last, kind.end
    if not kind.abbreviated:
        last = _generic_run(words, document, last)
        end = max(end, document.ends[last])
    complete = _completed(words, document, first, end)
    short = _SHORT_NAME.match(document.folded, end)
    if short:
        end = short.end()
        last = document.word_at(end) - 1
    number = _NUMBER.match(document.folded, end)
    if number and (
        _sentence_ends(document, last, end, number[0])
        or field_number(document.folded, number.start("digits"))
    ):
        number = None
    opening = Opening(first, last, end, number is not None, complete, weak=False)
    if number and document.words[first] not in words.unnumbered:
        end = number.end()
        opening = replace(
            opening, last=document.word_at(end) - 1, end=end, complete=True
        )
    weak = document.words[first] in words.weak and not opening.complete
    return replace(opening, weak=weak)


def quoted_inside(
    words: InstitutionWords, document: Document, kind: Kind
) -> Mark | None:
    """Return what stands in quotation marks where that alone is the name.

    'Residencia de ancianos "Casa Hogar Luz"', 'anexo "Un Nuevo Amanecer"'.
    """
    quoted = QUOTED.match(document.folded, kind.end)
    if quoted is None:
        return None
    start = document.starts[kind.last + 1]
    outside = document.words[kind.last] in words.outside_quotes
    if outside or words.head.match(document.folded, start):
        return Mark(start, quoted.end() - 1)
    return None


def left_out(words: InstitutionWords, document: Document, opening: Opening) -> bool:
    """Tell whether a kind in small letters is no part: "el asilo San Vicente"."""
    first, following = opening.first, opening.last + 1
    return (
        document.words[first] in words.outside_small
        and document.casing(first) == "mixed"
        and not document.capital(first)
        and following < len(document)
        and document.capital(following)
    )


def flows(document: Document, index: int) -> bool:
    """Tell whether a word and the next can be in one name: "SEC. GRAL. NO. 3"."""
    gap, word = document.gap(index), document.words[index]
    if _SHORT_GAP.fullmatch(gap):
        return len(word) <= _LONGEST_SHORT and not word.isdigit()
    return _GENERIC_GAP.fullmatch(gap) is not None


def _generic_run(words: InstitutionWords, document: Document, last: int) -> int:
    """Return the last generic word behind a kind ("General de Zona")."""
    first = last + 1
    for here in range(first, min(first + _MOST_GENERIC, len(document))):
        word = document.words[here]
        if not flows(document, here - 1):
            break
        if "  " in document.gap(here - 1) and word in words.heads:
            # "INSTITUTO NACIONAL DE REHABILITACION  CLINICA DE": two columns.
            break
        if word in words.generic:
            last = here
        elif word not in PARTICLES and word not in ("con", "c", "a"):
            break
    return last


def _completed(
    words: InstitutionWords, document: Document, index: int, end: int
) -> bool:
    """Tell whether generic words alone complete a name that begins at a word.

    "Instituto Nacional de Cardiología": its generic words make the name.
    """
    sure = words.sure.match(document.folded, document.starts[index])
    if sure is None:
        return False
    if end == sure.end():
        return document.capital(index)
    following = document.word_at(sure.end())
    return following < len(document) and document.capital(following)


def _sentence_ends(document: Document, last: int, end: int, number: str) -> bool:
    """Tell whether a bare number begins the next sentence: "CLINICA NORMAL. 2"."""
    return (
        document.folded[end - 1] == "."
        and len(document.words[last]) > _LONGEST_ABBREVIATION
        and number.strip()[:1].isdigit()
    )
