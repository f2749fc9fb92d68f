"""Names of institutions where capitals tell nothing: small letters, or all capitals."""

from presidio_mx.find.phrases.institution.ending import tail
from presidio_mx.find.phrases.institution.table import Lists
from presidio_mx.find.phrases.institution.words import PARTICLES, SAINTS
from presidio_mx.find.phrases.place.gazetteer import Place
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import FUNCTION_WORDS, joined, plain_gap
from presidio_mx.text.document import Document

# How sure a place must be to be the institution's name: log-odds, see gazetteer.py.
_TOWN_AT_END = 1.0
_TOWN_OF_WEAK_KIND = 1.0
_TOWN_BEHIND_PARTICLE = -1.2
_TOWN = 0.5
_TOWN_OF_SAINT = 0.0
_MOST_WORDS = 4
_ENDING_WORDS = FUNCTION_WORDS - PARTICLES
_SHORTEST_UNKNOWN = 4
_SHORTEST_NAME = 3


def caseless_name(
    lists: Lists,
    document: Document,
    first: int,
    place: tuple[int, Place] | None,
    weak: bool,
    particle: bool,
) -> int | None:
    """Return where a name ends in a line whose capitals tell nothing.

    :param lists: What words and places are known.
    :param document: The note.
    :param first: Index of the name's first word.
    :param place: (Last word, place) of the place that begins there.
    :param weak: Whether the kind before it is an everyday word too.
    :param particle: Whether a particle stands before it.
    :return: Offset after the name; ``None`` where there is none.
    """
    town = None if weak else town_at_end(lists, document, first)
    if town:
        return town
    enough = (
        _TOWN_OF_WEAK_KIND if weak else _TOWN_BEHIND_PARTICLE if particle else _TOWN
    )
    if place and place[1].strength > enough:
        return tail(lists, document, _with_saint(lists, document, place[0]))
    last, here = first - 1, first
    while here < len(document) and here - first < _MOST_WORDS:
        if here > first and not joined(document, here - 1):
            break
        word = document.words[here]
        between = word in PARTICLES and here > first
        if not between and document.gap(here) != "'":
            if not _belongs(lists, document, first, here, weak):
                break
            last = here
        here += 1
    return document.ends[last] if last >= first else None


def _belongs(
    lists: Lists, document: Document, first: int, here: int, weak: bool
) -> bool:
    """Tell whether a word is one of a name whose capitals tell nothing."""
    word, flag = document.words[here], document.flags[here] & ~Flag.ANCHOR
    if word in lists.words.virtues and (
        here > first or not weak or _surname_behind(document, here)
    ):
        return True
    if word.isdigit() or word in lists.words.field or word in FUNCTION_WORDS:
        return False
    if word in SAINTS:
        return True
    if len(word) < _SHORTEST_NAME or (flag and not flag & NAME):
        return False
    return not flag & KNOWN or here > first or _full_name(document, here)


def _surname_behind(document: Document, here: int) -> bool:
    """Tell whether a surname alone follows: "PRIMARIA HERMANOS ALDAMA"."""
    following = here + 1
    if following >= len(document) or document.gap(here) != " ":
        return False
    return document.flags[following] & (KNOWN | NAME) == Flag.SURNAME


def _full_name(document: Document, here: int) -> bool:
    """Tell whether a word that is a name too begins one: "ANGEL FLORES"."""
    following = here + 1
    return (
        following < len(document)
        and document.casing(here) == "upper"
        and bool(document.flags[here] & Flag.GIVEN)
        and bool(document.flags[following] & NAME)
        and document.gap(here) == " "
    )


def _with_saint(lists: Lists, document: Document, last: int) -> int:
    """Return the end with what follows "de": "SAN VICENTE DE PAUL"."""
    name = last + 2
    if (
        name < len(document)
        and document.words[last + 1] == "de"
        and document.gap(last) == document.gap(last + 1) == " "
    ):
        place = lists.place_from(document, name)
        if place and place[1].strength > _TOWN_OF_SAINT:
            return document.ends[place[0]]
        if document.flags[name] & Flag.GIVEN:
            return document.ends[name]
    return document.ends[last]


def town_at_end(lists: Lists, document: Document, first: int) -> int | None:
    """Return the end of a name in small letters whose town follows "de"."""
    for here in range(first, min(first + _MOST_WORDS, len(document) - 2)):
        word = document.words[here]
        if word.isdigit() or word in _ENDING_WORDS:
            return None
        if word in lists.words.field or not plain_gap(document.gap(here)):
            return None
        if document.words[here + 1] == "de" and plain_gap(document.gap(here + 1)):
            place = lists.place_from(document, here + 2)
            if place and place[1].strength > _TOWN_AT_END:
                return document.ends[place[0]]
    return None


def small_name(document: Document, first: int) -> int | None:
    """Return where a name in small letters ends: one or two words no list has."""
    if document.words[first].isdigit() or not _unknown(document, first):
        return None
    following = first + 1
    if following < len(document) and joined(document, first):
        if _unknown(document, following):
            return document.ends[following]
    return document.ends[first]


def _unknown(document: Document, index: int) -> bool:
    """Tell whether a word is long enough to be told from ordinary ones, and is none."""
    known = document.flags[index] & KNOWN
    return not known and len(document.words[index]) >= _SHORTEST_UNKNOWN
