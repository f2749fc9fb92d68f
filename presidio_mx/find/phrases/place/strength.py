"""How sure a place name is where it stands: letter case, neighbours, a state behind.

The gazetteer gives a name its strength without context, roughly log-odds; what stands
around it is added. Zero is even odds.
"""

from presidio_mx.find.phrases.place.hit import Hit
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import PARTICLES, plain_gap
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# A state behind a town that lies in it.
_STATE_BEHIND = 3.0
# Small letters in a note with capitals; ordinary words without a state are no name.
_SMALL_LETTERS = -2.0
_SMALL_ORDINARY_WORDS = -7.0
# Where capitals tell nothing: ordinary words, of a large place and of a small one; with
# an article before them; and names that are not sure by themselves.
_CASELESS_LARGE = -0.8
_CASELESS_SMALL = -2.0
_CASELESS_ARTICLE = -1.5
_CASELESS_UNSURE = -0.4
_SURE = 2.4
_LARGE = 50_000
# What a preposition before a capitalised name adds.
_PREPOSITIONS = {"en": 1.0, "desde": 1.0, "hasta": 1.0, "hacia": 1.0, "a": 0.9}
# A personal name beside it: rather a person.
_NAME_BEFORE = -2.0
_NAME_BEHIND = -1.0
# "Pedro Guerrero Hidalgo": states that are surnames behind a given name.
_STATE_IN_NAME = -6.0
# Commas, stops or prepositions on both sides, in a line of capitals, of a town that is
# not small.
_SET_OFF = 1.1
_TOWN = 20_000

# "en UCI": an acronym of hospitals that is a hamlet's name too.
_ACRONYM = -4.0
_LONGEST_ACRONYM = 4

_ARTICLES = words("article")
_NOT_PLACES = words("not_place")
_INSIDE = words("place_inside")
_BEFORE_TOWNS = words("before_town")


def strength_in_context(document: Document, hit: Hit) -> float:
    """Return a name's strength with its letter case and a state behind it.

    :param document: The note.
    :param hit: The name.
    """
    strength = hit.place.strength + (_STATE_BEHIND if hit.state else 0.0)
    if _is_acronym(document, hit):
        strength += _ACRONYM
    if document.casing(hit.first) == "mixed":
        if _has_capitals(document, hit):
            return strength
        no_name = _is_ordinary(document, hit) and not hit.state
        return strength + (_SMALL_ORDINARY_WORDS if no_name else _SMALL_LETTERS)
    large = hit.place.population > _LARGE
    if _is_ordinary(document, hit):
        strength += _CASELESS_LARGE if large else _CASELESS_SMALL
        article = document.words[hit.first] in _ARTICLES
        if article and not hit.state and not large:
            # "EL CORTE DE CAÑA", "la estacion": small places' names and words.
            strength += _CASELESS_ARTICLE
    elif strength < _SURE:
        strength += _CASELESS_UNSURE
    return strength


def _is_acronym(document: Document, hit: Hit) -> bool:
    """Tell whether a short name of one word is typed as a clinical acronym is."""
    return (
        hit.first == hit.last
        and not hit.place.is_state
        and len(document.words[hit.first]) <= _LONGEST_ACRONYM
        and bool(document.flags[hit.first] & Flag.MEDICAL)
    )


def is_said_of_places(document: Document, hit: Hit) -> bool:
    """Tell whether words say what a place is, not which: "la ciudad", "Centro de Día".

    :param document: The note.
    :param hit: The name that a list has.
    """
    if hit.first == hit.last and document.words[hit.first] in _INSIDE:
        return _goes_on(document, hit.last)
    return (
        hit.last == hit.first + 1
        and document.words[hit.first] in _ARTICLES
        and document.words[hit.last] in _NOT_PLACES
        and not document.capital(hit.last)
        and document.casing(hit.first) == "mixed"
    )


def _goes_on(document: Document, last: int) -> bool:
    """Tell whether a longer name goes on behind a word: "Centro de Coordinación"."""
    behind = last + 1
    return (
        behind < len(document)
        and plain_gap(document.gap(last))
        and (document.capital(behind) or document.words[behind] in PARTICLES)
    )


def _is_ordinary(document: Document, hit: Hit) -> bool:
    """Tell whether all words are ordinary ones or particles."""
    return all(
        document.flags[i] & Flag.ORDINARY or document.words[i] in PARTICLES
        for i in range(hit.first, hit.last + 1)
    )


def _has_capitals(document: Document, hit: Hit) -> bool:
    """Tell whether all words but particles have capitals."""
    return all(
        document.capital(i) or (document.words[i] in PARTICLES and i > hit.first)
        for i in range(hit.first, hit.last + 1)
    )


def strength_of_neighbours(document: Document, hit: Hit) -> float:
    """Return what the words beside a name say: are they names too.

    :param document: The note.
    :param hit: The name.
    :return: What to add to its strength; nothing where its state follows.
    """
    if hit.state:
        return _STATE_IN_NAME if _is_surname(document, hit) else 0.0
    delta = 0.0
    casing = document.casing(hit.first)
    if casing == "upper" and hit.last > hit.first and _is_set_off(document, hit):
        delta += _SET_OFF
    before, after = hit.first - 1, hit.last + 1
    if before >= 0 and plain_gap(document.gap(before)):
        if casing == "mixed" and document.capital(hit.first):
            delta += _PREPOSITIONS.get(document.words[before], 0.0)
        if _is_personal(document, before):
            delta += _NAME_BEFORE
    if after < len(document) and plain_gap(document.gap(hit.last)):
        if _is_personal(document, after):
            delta += _NAME_BEHIND
    return delta


def _is_surname(document: Document, hit: Hit) -> bool:
    """Tell whether a surname stands between a given name and a state."""
    before, after = hit.first - 1, hit.last + 1
    return (
        before >= 0
        and after < len(document)
        and hit.first == hit.last
        and plain_gap(document.gap(before))
        and plain_gap(document.gap(hit.last))
        and bool(document.flags[before] & Flag.GIVEN)
        and _is_personal(document, before)
        and bool(document.flags[hit.first] & Flag.SURNAME)
        and bool(document.flags[after] & Flag.SURNAME)
    )


def _is_personal(document: Document, index: int) -> bool:
    """Tell whether a word is a personal name and nothing else."""
    flag = document.flags[index]
    return bool(flag & NAME) and not flag & KNOWN and document.capital(index)


def _is_set_off(document: Document, hit: Hit) -> bool:
    """Tell whether a name of two words stands apart: ", VALLE DE BRAVO,"."""
    if hit.place.population < _TOWN or not hit.first:
        return False
    if document.gap(hit.last)[:1] not in (",", ".", ";", ")", "\n"):
        return False
    before = document.words[hit.first - 1]
    gap = document.gap(hit.first - 1)
    return gap[:1] in (",", "(", ";") or (gap == " " and before in _BEFORE_TOWNS)
