"""How far a place name goes on behind the words that a list has.

"San Juan" of "San Juan Quiahije" and "Juchitán" of "Juchitán de Zaragoza" are listed,
the whole perhaps not.
"""

from presidio_mx.find.phrases.place.bare_strength import SAINT
from presidio_mx.find.phrases.place.gazetteer import PlaceIndex
from presidio_mx.find.phrases.place.hit import Hit
from presidio_mx.spanish.lexicon import Flag
from presidio_mx.spanish.word_runs import (
    FUNCTION_WORDS,
    PARTICLES,
    capital_run,
    plain_gap,
)
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.document import Document

_HEROES = words("hero")
# "Motul de Carrillo Puerto"
_FULL_HEROES = tuple(tuple(entry.split()) for entry in listed("hero_in_full"))
# Words that may go on behind a listed name.
_MOST_WORDS = 2


def with_capitals(index: PlaceIndex, document: Document, hit: Hit) -> int:
    """Return the last word of a capitalised run that goes on behind a known name.

    :param index: Names of places.
    :param document: The note.
    :param hit: The name.
    :return: Index of the last word.
    """
    here = hit.last + 1
    if (
        hit.state
        or here >= len(document)
        or document.casing(hit.first) != "mixed"
        or not plain_gap(document.gap(hit.last))
        or not document.capital(hit.first)
        or not document.capital(here)
    ):
        return hit.last
    match = index.longest(document, here)
    if match and match[1].is_state:
        return hit.last
    if document.shouted(here) or document.words[here].isdigit():
        return hit.last
    if document.flags[here] & (Flag.ANCHOR | Flag.MEDICAL):
        return hit.last
    return max(hit.last, capital_run(document, here, _MOST_WORDS))


def with_surname(index: PlaceIndex, document: Document, first: int, last: int) -> int:
    """Return the last word of a name with the surname that belongs to it.

    "Juchitán de Zaragoza", "San Isidro Buensuceso".

    :param index: Names of places.
    :param document: The note.
    :param first: Index of the name's first word.
    :param last: Index of its last word so far.
    :return: Index of the last word.
    """
    after = last + 1
    if _may_go_on(document, first, after):
        match = index.longest(document, after)
        if match is None or not match[1].is_state:
            return after if match is None else match[0]
    if _in_capitals_before_state(index, document, first, after):
        return after
    return _hero(document, after) or last


def _may_go_on(document: Document, first: int, after: int) -> bool:
    """Tell whether a capitalised word goes with a saint: "San Isidro Buensuceso"."""
    return (
        after < len(document)
        and document.words[first] in SAINT
        and plain_gap(document.gap(after - 1))
        and document.casing(first) == "mixed"
        and document.capital(after)
        and not document.shouted(after)
        and not document.flags[after] & Flag.GIVEN
        and document.words[after] not in FUNCTION_WORDS
    )


def _in_capitals_before_state(
    index: PlaceIndex, document: Document, first: int, after: int
) -> bool:
    """Tell whether a word in capitals goes with a saint before a state.

    "SAN ISIDRO BUENSUCESO, TLAX."
    """
    if (
        after + 1 >= len(document)
        or document.casing(first) != "upper"
        or document.words[first] not in SAINT
        or document.gap(after - 1) != " "
        or not document.gap(after).startswith(",")
        or document.words[after] in FUNCTION_WORDS | PARTICLES
        or document.words[after].isdigit()
    ):
        return False
    state = index.longest(document, after + 1)
    return (
        state is not None
        and state[1].is_state
        and index.longest(document, after) is None
    )


def _hero(document: Document, of: int) -> int:
    """Return the last word of "de" and whom a town is named after, or 0."""
    if of + 1 >= len(document) or document.words[of] not in ("de", "del"):
        return 0
    if not plain_gap(document.gap(of - 1)) or not plain_gap(document.gap(of)):
        return 0
    for entry in _FULL_HEROES:
        last = of + len(entry)
        if tuple(document.words[of + 1 : last + 1]) == entry:
            return last if document.capital(last) else 0
    hero = of + 1
    ends = document.gap(hero)[:1] in (",", ".", "\n", "", ";", ")")
    listed = document.words[hero] in _HEROES
    return hero if listed and ends and document.capital(hero) else 0
