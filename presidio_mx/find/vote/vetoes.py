"""What a model may not mark, by what its words are.

A medicine is no person, whatever stands before it; "UTIP" and "unidad de agudos" are
wards of any hospital; a number of a record has a digit, or says one.
"""

import re

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import SHAPED, Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag
from presidio_mx.find.note.measures import in_answers
from presidio_mx.spanish.words import words

_NAMED = ("PERSON", "LOCATION", "ORGANIZATION")
_NO_PERSON = ("LOCATION", "ORGANIZATION", "ADDRESS")
_NAME_OR_PLACE = NAME | Flag.PLACE
# A mixture of medicines, some of them misspelt: "Melfalán Predisona Talidomida".
_SEVERAL = 2
# Shorter words are letters, states and syllables of other languages as well.
_SHORTEST_TERM = 5
_WARDS = words("ward_short", "ward_word")
_WARD_HEADS = words("ward_short", "ward_head")
_SEGMENT = 3
_FIRMS = words("firm_of_medical_word")
# Kinds of institutions and what stands in their names and makes none.
_KINDS = words("institution_kind", "institution_generic", "institution_weak")
GENERIC = frozenset(
    part for kind in _KINDS for part in kind.replace(".", " ").split()
) | words("particle", "ward_word")
_NUMBERS = tuple(words("number_start"))
_LETTERS = words("spoken_letter", "spoken_mark")
# They may be said in words alone, with no number in them.
_NO_NUMBER = frozenset(("EMAIL_ADDRESS", "URL"))
# From this score on a model may name what others call the same ("el Hospital Civil").
_SURE = 0.84
_NAME_BEHIND = re.compile(r"[ ]{0,2}[\"“«(]?[A-ZÁÉÍÓÚÑ\d]")
_TITLES = words("title_proposed", "title_letter")
_MEASURES = words("measure_short")
# As mail programs write the day before a date: "Tue, 12 Mar 2024".
_ENGLISH_DAYS = words("english_day")
_DATE_BEHIND = re.compile(r",?[ ]\d{1,2}[ ]")

Words = list[int]


def forbidden(document: Document, finding: Finding, words_of_it: Words) -> bool:
    """Tell whether the words of a proposal cannot be what a model takes them for.

    :param document: The note.
    :param finding: The proposal, in offsets of the working text.
    :param words_of_it: Indices of its words.
    """
    if not words_of_it:
        return False
    entity = finding.entity
    if entity in _NAMED and (
        _medicine(document, entity, words_of_it)
        or _ward(document, words_of_it)
        or _segment(document, words_of_it)
        or _english_day(document, words_of_it)
    ):
        return True
    if in_answers(document, finding.start, finding.end):
        return True
    doubtful = finding.score < _SURE
    if entity in _NO_PERSON and doubtful and _eponym(document, words_of_it):
        return True
    if entity == "ORGANIZATION":
        return doubtful and _any_institution(document, words_of_it)
    if entity == "ADDRESS":
        return _officer(document, words_of_it)
    return entity in SHAPED - _NO_NUMBER and _only_words(document, words_of_it)


def _medicine(document: Document, entity: str, indices: Words) -> bool:
    """Tell whether medicines are named, or medical words alone instead of a name."""
    kind = Flag.DRUG | Flag.MEDICAL if entity == "PERSON" else Flag.DRUG
    terms = {
        i: document.flags[i]
        for i in indices
        if len(document.words[i]) >= _SHORTEST_TERM
        and not document.flags[i] & _NAME_OR_PLACE
    }
    drugs = sum(bool(flag & Flag.DRUG) for flag in terms.values())
    return drugs >= _SEVERAL or all(
        terms.get(i, 0) & kind and document.words[i] not in _FIRMS for i in indices
    )


def _ward(document: Document, indices: Words) -> bool:
    """Tell whether a ward is named that every hospital has."""
    said = [document.words[i] for i in indices]
    return said[0] in _WARD_HEADS and all(
        word in _WARDS or word in _WARD_HEADS for word in said
    )


def _eponym(document: Document, indices: Words) -> bool:
    """Tell whether a scale or sign is named, with its points: "Edimburgo 15".

    Other values may follow: "Bishop 7, Na 138".
    """
    first = indices[0]
    if document.casing(first) == "lower" or document.words[first].isdigit():
        return False
    return document.words[first] not in _MEASURES and all(
        document.words[i].isdigit()
        or document.words[i] in _MEASURES
        or (document.flags[i] & Flag.EPONYM and not document.flags[i] & _NAME_OR_PLACE)
        for i in indices
    )


def _english_day(document: Document, indices: Words) -> bool:
    """Tell whether a day of the week stands before a date."""
    last = indices[0]
    return (
        len(indices) == 1
        and document.words[last] in _ENGLISH_DAYS
        and bool(_DATE_BEHIND.match(document.folded, document.ends[last]))
    )


def _segment(document: Document, indices: Words) -> bool:
    r"""Tell whether a message's next segment begins: "PATRICIO\nAIL|1"."""
    first = indices[0]
    return (
        len(indices) == 1
        and len(document.words[first]) == _SEGMENT
        and document.folded.startswith("|", document.ends[first])
        and document.folded.endswith("\n", 0, document.starts[first])
    )


def _any_institution(document: Document, indices: Words) -> bool:
    """Tell whether a kind is said in small letters and no name follows."""
    if document.casing(indices[0]) != "mixed":
        return False
    if any(document.capital(i) for i in indices):
        return False
    if not all(document.words[i] in GENERIC for i in indices):
        return False
    return not _NAME_BEHIND.match(document.text, document.ends[indices[-1]])


def _officer(document: Document, indices: Words) -> bool:
    """Tell whether a title stands before, and no number follows."""
    before = indices[0] - 1
    return (
        before >= 0
        and document.words[before] in _TITLES
        and document.gap(before) in (" ", ". ")
        and not any(document.words[i].isdigit() for i in indices)
    )


def _only_words(document: Document, indices: Words) -> bool:
    """Tell whether a code is ordinary words that say no number and no letter."""
    said = [document.words[i] for i in indices]
    known = all(
        document.flags[i] & KNOWN and document.words[i].isalpha() for i in indices
    )
    return (
        known
        and any(len(word) >= _SHORTEST_TERM for word in said)
        and not any(word.startswith(_NUMBERS) or word in _LETTERS for word in said)
    )
