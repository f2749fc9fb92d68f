"""What opens like an institution and is none: findings, scales, names of persons.

"Tórax: normal Abdomen:", "clínica de isquemia", "Esc. Norton 14", "Rosa Hogar Díaz".
"""

import re

from presidio_mx.find.phrases.institution.kind import Kind, Opening
from presidio_mx.find.phrases.institution.words import PARTICLES, InstitutionWords
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.words import words
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# The rest of a label: "[normal Tórax]:", "[Hogar Estado] civil:".
_LABEL_BEHIND = re.compile(r"(?:[ ][a-z]{2,12}){0,2}[ ]?:(?!\d)")
_ADJECTIVES = words("institution_adjective")
_BEFORE_SCHOOL = words("institution_before_school")
_STAYS = words("institution_stay")
_BEHIND_STAY = words("institution_behind_stay")
_SCALES = words("institution_scale")
_SYMPTOMS = words("institution_symptom")


def is_none(words: InstitutionWords, document: Document, kind: Kind) -> bool:
    """Tell whether a kind opens no institution where it stands.

    :param words: The words of institutions.
    :param document: The note.
    :param kind: The kind.
    """
    word = document.words[kind.first]
    if word in _ADJECTIVES and not _said_of_school(document, kind.first):
        return True
    if word in _STAYS and kind.last + 1 < len(document):
        if document.words[kind.last + 1] in _BEHIND_STAY:
            return True
    return _is_name(words, document, kind)


def _said_of_school(document: Document, index: int) -> bool:
    """Tell whether "normal" is a school: "la normal", "Normal Superior"."""
    if index and document.words[index - 1] in _BEFORE_SCHOOL:
        return document.gap(index - 1) == " "
    return (
        document.casing(index) == "mixed"
        and document.capital(index)
        and not document.sentence_start(index)
    )


def _is_name(words: InstitutionWords, document: Document, kind: Kind) -> bool:
    """Tell whether a kind stands inside a person's name: "Julio César Robles"."""
    index = kind.first
    flag, mixed = document.flags[index], document.casing(index) == "mixed"
    if kind.abbreviated:
        if not flag & Flag.GIVEN or index != kind.last:
            return False
        if mixed and not document.shouted(index):
            return True
        if not mixed and _clear_name_behind(document, index):
            return True
    elif (
        document.words[index] not in words.weak
        or document.words[index] in words.schools
    ):
        return False
    before, following = index - 1, kind.last + 1
    return (
        before >= 0
        and following < len(document)
        and document.gap(before) == document.gap(kind.last) == " "
        and bool(document.flags[before] & Flag.GIVEN)
        and bool(document.flags[following] & NAME)
        and (not mixed or all(map(document.capital, (before, index, following))))
    )


def _clear_name_behind(document: Document, index: int) -> bool:
    """Tell whether a name that is nothing else follows: "cesar orozco gil"."""
    if index + 1 >= len(document) or document.gap(index) != " ":
        return False
    flag = document.flags[index + 1]
    return bool(flag & NAME) and not flag & KNOWN


def is_finding(document: Document, opening: Opening, end: int) -> bool:
    """Tell whether kind and own name are a label, a scale or a symptom.

    :param document: The note.
    :param opening: Kind and generic words.
    :param end: Offset after the name of its own.
    """
    kind = document.words[opening.first]
    own = [
        here
        for here in document.words_in(document.ends[opening.last], end)
        if document.words[here] not in PARTICLES and not document.words[here].isdigit()
    ]
    if opening.numbered or not own:
        return False
    flags = [document.flags[here] for here in own]
    if kind in _SCALES and len(own) == 1 and flags[0] & Flag.EPONYM:
        return True
    if opening.weak and _LABEL_BEHIND.match(document.folded, end):
        return True
    small = not document.capital(opening.first)
    medical = all(flag & KNOWN and not flag & NAME for flag in flags) and any(
        flag & (Flag.MEDICAL | Flag.DRUG) for flag in flags
    )
    if kind in _SYMPTOMS:
        return (small and medical) or _is_symptom(document, opening, own[0])
    return opening.weak and small and medical


def _is_symptom(document: Document, opening: Opening, first: int) -> bool:
    """Tell whether "clínica" means signs and symptoms: "clínica de isquemía"."""
    if document.flags[first] & (NAME | Flag.PLACE):
        return False
    of = document.words[opening.last + 1] == "de" and first == opening.last + 2
    if casing(document, first) != "mixed":
        return of and casing(document, first) == "lower"
    before = document.words[opening.first - 1] if opening.first else ""
    return not document.capital(first) and (of or before not in ("en", "a", "desde"))
