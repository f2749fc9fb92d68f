"""How sure a place name is where it stands: letter case, neighbours, a state behind.

The gazetteer gives a name its strength without context, roughly log-odds; what stands
around it is added. Zero is even odds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag
from presidio_mx.analyzer.note.wording import PARTICLES, plain_gap
from presidio_mx.analyzer.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.words import either, words

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
# A town may stand so many words before the abbreviation of its state.
_MOST_WORDS_OF_TOWN = 5

# "en UCI": an acronym of hospitals that is a hamlet's name too.
_ACRONYM = -4.0
_LONGEST_ACRONYM = 4

_STATE_OF_MEXICO = "MC"
_ARTICLES = words("article")
_NOT_PLACES = words("not_place")
_INSIDE = words("place_inside")
_BEFORE_TOWNS = words("before_town")
# "Morelia, Mich.", "Jiquilpan (Edo. de Michoacán)"
_STATE_GAP = re.compile(
    r"[ \t]{0,2}[,(.]?[ \t]{0,2}(?:(?:en[ \t])?(?:el[ \t])?"
    rf"{either('state_word')}[ \t]de[ \t])?"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A place name in a note.

    :param first: Index of its first word.
    :param last: Index of its last word.
    :param place: The place.
    :param state: Whether a state follows that it lies in.
    :param misspelt: Whether a word of it is spelt with a slip.
    """

    first: int
    last: int
    place: Place
    state: bool
    misspelt: bool = False


def listed_hit(index: PlaceIndex, document: Document, first: int) -> Hit | None:
    """Return the longest place name that begins at a word.

    :param index: Names of places.
    :param document: The note.
    :param first: Index of the word.
    """
    match = index.longest(document, first)
    if match is None:
        return None
    last, place = match
    return Hit(first, last, place, state_follows(index, document, last, place))


def state_follows(
    index: PlaceIndex, document: Document, last: int, place: Place
) -> bool:
    """Tell whether a state (its own, where that is known) follows a place.

    :param index: Names of places.
    :param document: The note.
    :param last: Index of the place's last word.
    :param place: The place.
    """
    if place.is_state and place.short:
        return False
    gap = _STATE_GAP.match(document.folded, document.ends[last])
    if gap is None or last + 1 >= len(document):
        return False
    following = document.word_at(gap.end())
    if following >= len(document) or document.starts[following] != gap.end():
        return False
    match = index.longest(document, following)
    if match is None:
        return False
    state = match[1]
    if not state.is_state:
        # "San Pedro Sula, Honduras", "Stockton, California"
        abroad = not place.states and not state.states
        return abroad and "," in gap[0] and document.capital(following)
    if place.states & state.states:
        return True
    return "," in gap[0] and not state.short


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


def _towns_before(index: PlaceIndex, document: Document, first: int) -> Iterator[Place]:
    """Yield the towns, not states, that end before a word, the shortest name first.

    :param index: Names of places.
    :param document: The note.
    :param first: Index of the word.
    """
    for back in range(1, min(_MOST_WORDS_OF_TOWN, first) + 1):
        town = index.longest(document, first - back)
        if town and town[0] == first - 1 and not town[1].is_state:
            yield town[1]


def is_state_of_mexico(index: PlaceIndex, document: Document, first: int) -> bool:
    """Tell whether "México" is the state: "Toluca, México"; it is the country else.

    :param index: Names of places.
    :param document: The note.
    :param first: Index of the word.
    """
    if document.words[first] != "mexico" or not first:
        return False
    if document.gap(first - 1).strip() not in (",", "(", "-"):
        return False
    towns = _towns_before(index, document, first)
    return any(_STATE_OF_MEXICO in town.states for town in towns)


def is_rather_word(index: PlaceIndex, document: Document, hit: Hit) -> bool:
    """Tell whether an abbreviation is the word it looks like ("Sin", "ver").

    :param index: Names of places.
    :param document: The note.
    :param hit: The abbreviation of a state.
    """
    if hit.first != hit.last or not document.flags[hit.first] & KNOWN:
        return False
    towns = _towns_before(index, document, hit.first)
    if any(town.states & hit.place.states for town in towns):
        # "TIJUANA BC": the town lies in the state.
        return False
    if document.casing(hit.first) == "mixed" and not document.capital(hit.first):
        return True
    start = document.starts[hit.first]
    before = document.folded[max(0, start - 3) : start].strip()
    stop = document.folded[document.ends[hit.first] :][:1]
    return not before.endswith((",", "(")) and stop not in (".", ")", "", "\n")
