"""A listed place where it stands in a note: the state behind it, the town before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.spanish.lexicon import KNOWN
from presidio_mx.spanish.words import either
from presidio_mx.text.document import Document

# A town may stand so many words before the abbreviation of its state.
_MOST_WORDS_OF_TOWN = 5
_STATE_OF_MEXICO = "MC"
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
