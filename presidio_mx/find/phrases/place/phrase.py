"""Places in a note: the longest name of the gazetteers, and how sure it is there.

A name counts by its strength, by its letter case, a state behind it, the words beside
it, and what a rule's left side adds; behind strong triggers ("originaria de", "rancho")
a name that no list has counts too. Zero is even odds.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.found import Cover, FoundBefore
from presidio_mx.find.phrases.place.gazetteer import BARE, SAINT, Place, PlaceIndex
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import (
    FUNCTION_WORDS,
    PARTICLES,
    capital_run,
    joined,
    plain_gap,
)
from presidio_mx.spanish.words import either, listed, words
from presidio_mx.text.document import Document

# What a rule's left side adds unless the rule says otherwise, and from which prior on
# triggers make up for a lack of capitals.
_PRIOR, _STRONG, _STRONG_SMALL = 1.0, 4.0, 3.0
# A state behind a town that lies in it; one between a given name and a surname.
_STATE_BEHIND, _STATE_IN_NAME = 3.0, -6.0
# Small letters in a note with capitals; ordinary words without a state are no name.
_SMALL, _SMALL_ORDINARY = -2.0, -7.0
# Where capitals tell nothing: ordinary words, of a large place and of a small one; with
# an article before them; and names that are not sure by themselves.
_CASELESS_LARGE, _CASELESS_SMALL, _CASELESS_ARTICLE = -0.8, -2.0, -1.5
_CASELESS_UNSURE, _SURE, _LARGE = -0.4, 2.4, 50_000
# "la ciudad": what a place is, not which. "en UCI": an acronym of hospitals that is a
# hamlet's name too.
_COMMON_NOUN, _ACRONYM, _LONGEST_ACRONYM = -9.0, -4.0, 4
# What a preposition before a capitalised name adds; a personal name beside it says that
# it is rather a person.
_PREPOSITIONS = {"en": 1.0, "desde": 1.0, "hasta": 1.0, "hacia": 1.0, "a": 0.9}
_NAME_BEFORE, _NAME_BEHIND = -2.0, -1.0
# What the score loses for a name that no list has, and gains without trigger for
# strength beyond the threshold.
_UNLISTED_DELTA, _DELTA, _MOST_DELTA = -0.1, 0.1, 0.22
# Most words of a name that no list has; shorter words are none by themselves.
_MOST_UNLISTED, _SHORTEST, _SHORTEST_ODD = 4, 3, 5

_NOT_IN = ("ADDRESS", "ORGANIZATION")
_SHORTENED, _FIRM_ENDINGS = words("hero_short"), listed("firm_ending")
_ARTICLES, _INSIDE = words("article"), words("place_inside")
# "Villa Matamoros", "Mesa Sur": a capitalised run behind one is a small place.
_NOUNS, _NOT_PLACES = words("place_noun"), words("not_place")
# "Morelia, Mich.", "Jiquilpan (Edo. de Michoacán)"
_STATE_GAP = re.compile(
    r"[ \t]{0,2}[,(.]?[ \t]{0,2}(?:(?:en[ \t])?(?:el[ \t])?"
    rf"{either('state_word')}[ \t]de[ \t])?"
)


class Hit(NamedTuple):
    """A place name in a note.

    :param first: Index of its first word.
    :param last: Index of its last word.
    :param place: The place.
    :param state: Whether a state follows that it lies in.
    """

    first: int
    last: int
    place: Place
    state: bool


@dataclass(slots=True, eq=False)
class PlacePhrase:
    """Parse names of places.

    Options of rules: ``prior``, what the left side adds to a name's strength
    (``caseless`` takes its place where capitals tell nothing);
    ``odd``, whether a capitalised word that no list at all has is taken;
    ``unknown``, whether a capitalised run (or, where capitals tell nothing, a word that
    no list has) is taken though no gazetteer has it; ``states``, whether only states
    count; ``threshold``, the strength that a bare name must reach.

    :param index: Place names.
    """

    index: PlaceIndex

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the place that begins at an offset."""
        index = document.word_at(offset)
        if index >= len(document) or document.starts[index] != offset:
            return None
        cover = _cover(document, found)
        hit = self._hit(document, index)
        if cover.holds(offset) or (hit and cover.holds(document.starts[hit.last])):
            return None
        states, unknown = options.get("states"), options.get("unknown")
        if hit and (hit.place.is_state or not states):
            prior = float(options.get("prior", _PRIOR))
            if document.casing(index) != "mixed":
                prior = float(options.get("caseless", prior))
            if prior >= _STRONG and not document.capital(index):
                # "municipio de el fuerte" in a note that is otherwise capitalised
                prior += _STRONG_SMALL
            if not states and _is_rather_word(document, hit):
                return None
            if _strength(document, hit) + prior >= 0:
                return self._mark(document, hit, bool(unknown))
        if states:
            return None
        last = index - 1
        if unknown:
            last = self._unlisted(document, index)
        elif options.get("odd") and _is_title_case(document, index):
            if _is_odd(document, index):
                last = index
            elif document.words[index] in _NOUNS and document.gap(index) == " ":
                last = self._capitalised(document, index, index + 1)
                last = last if last > index else index - 1
        if last < index:
            return None
        return Mark(document.starts[index], document.ends[last], _UNLISTED_DELTA)

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the places that need no trigger."""
        threshold = float(options.get("threshold", BARE))
        cover = _cover(document, found)
        for hit in document.once(self._hits):
            if cover.holds(document.starts[hit.first]):
                continue
            strength = _strength(document, hit) + _strength_beside(document, hit)
            if strength >= threshold:
                delta = min(_MOST_DELTA, _DELTA * (strength - threshold))
                yield self._mark(document, hit)._replace(delta=delta)

    def _hit(self, document: Document, first: int) -> Hit | None:
        """Return the longest listed name that begins at a word."""
        match = self.index.longest(document, first)
        if match is None:
            return None
        return Hit(first, *match, self._state_follows(document, *match))

    def _hits(self, document: Document) -> list[Hit]:
        """Return all place names of a note, the longest at each place."""
        hits: list[Hit] = []
        known, free = self.index.by_first, 0
        for index, word in enumerate(document.words):
            if word in known and index >= free:
                hit = self._hit(document, index)
                if hit:
                    hits.append(hit)
                    free = hit.last + 1
        return hits

    def _state_follows(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a state (its own, where that is known) follows a place."""
        gap = _STATE_GAP.match(document.folded, document.ends[last])
        if gap is None:
            return False
        following = document.word_at(gap.end())
        if following >= len(document) or document.starts[following] != gap.end():
            return False
        match = self.index.longest(document, following)
        if match is None or (place.is_state and place.short):
            return False
        state, comma = match[1], "," in gap[0]
        if not state.is_state:
            # "San Pedro Sula, Honduras", "Stockton, California"
            abroad = not place.states and not state.states
            return abroad and comma and document.capital(following)
        return bool(place.states & state.states) or (comma and not state.short)

    def _mark(self, document: Document, hit: Hit, unknown: bool = False) -> Mark:
        """Return the span of a name, with the full stop of an abbreviation at its end.

        Behind a saint it may go on: "San Isidro Buensuceso".
        """
        last = hit.last
        if not hit.state and unknown:
            last = max(last, self._capitalised(document, hit.first, last + 1))
        if not hit.state and last == hit.last and document.words[hit.first] in SAINT:
            last += self._goes_on(document, last + 1)
        end = document.ends[last]
        short = hit.place.short or document.words[last] in _SHORTENED
        end += short and document.folded.startswith(".", end)
        return Mark(document.starts[hit.first], end)

    def _goes_on(self, document: Document, index: int) -> bool:
        """Tell whether a capitalised word behind a saint is part of a town's name."""
        if index >= len(document) or not plain_gap(document.gap(index - 1)):
            return False
        if not _is_title_case(document, index) or document.flags[index] & Flag.GIVEN:
            return False
        match = self.index.longest(document, index)
        state = match is not None and match[1].is_state
        return not state and document.words[index] not in FUNCTION_WORDS

    def _unlisted(self, document: Document, index: int) -> int:
        """Return the last word of a place that no list has, or ``index - 1``."""
        if document.casing(index) != "mixed":
            return _caseless(document, index)
        if not document.capital(index):
            return index if _is_odd(document, index) else index - 1
        word, flag = document.words[index], document.flags[index]
        if document.shouted(index) or word in _INSIDE:
            return index - 1
        last = self._capitalised(document, index, index + 1)
        short = len(word) < _SHORTEST or flag & Flag.MEDICAL
        alone = not short and word not in PARTICLES | FUNCTION_WORDS
        return last if last > index or alone else index - 1

    def _capitalised(self, document: Document, index: int, behind: int) -> int:
        """Return the last word of a capitalised run, up to another place of its own."""
        if document.casing(index) != "mixed":
            return index - 1
        last = capital_run(document, index, _MOST_UNLISTED)
        for here in range(behind, last + 1):
            match = self.index.longest(document, here)
            place = match and (match[1].is_state or match[1].strength >= BARE)
            if place or document.flags[here] & (Flag.ANCHOR | Flag.MEDICAL):
                last = here - 1
                break
        while last > index and document.words[last] in PARTICLES:
            last -= 1
        return last


def _caseless(document: Document, index: int) -> int:
    """Return the last word of an unlisted place where capitals tell nothing."""
    last = index if document.words[index] in _ARTICLES else index - 1
    for here in range(last + 1, min(index + _MOST_UNLISTED, len(document))):
        if here > index and not joined(document, here - 1):
            break
        if document.words[here] in FUNCTION_WORDS or not _is_odd(document, here):
            break
        last = here
    return last if document.words[last] not in _ARTICLES else index - 1


def _is_title_case(document: Document, index: int) -> bool:
    mixed = document.casing(index) == "mixed" and document.capital(index)
    return mixed and not document.shouted(index)


def _is_odd(document: Document, index: int) -> bool:
    """Tell whether a word is in no list: perhaps a small town's name."""
    flag, word = document.flags[index] & ~Flag.ANCHOR, document.words[index]
    if flag or len(word) < _SHORTEST_ODD or word.isdigit():
        return False
    return not document.shouted_inside(index) and not word.endswith(_FIRM_ENDINGS)


def _is_rather_word(document: Document, hit: Hit) -> bool:
    """Tell whether a state's abbreviation is the word it looks like ("Sin", "ver")."""
    first, known = hit.first, document.flags[hit.first] & KNOWN
    if not hit.place.short or first != hit.last or not known:
        return False
    if document.casing(first) == "mixed" and not document.capital(first):
        return True
    before = document.gap(first - 1).strip() if first else ""
    stop = document.gap(first)[:1]
    return before not in (",", "(") and stop not in (".", ")", "", "\n")


def _strength(document: Document, hit: Hit) -> float:
    """Return a name's strength with its letter case and a state behind it."""
    strength = hit.place.strength + (_STATE_BEHIND if hit.state else 0.0)
    if not hit.state and _is_common_noun(document, hit):
        return strength + _COMMON_NOUN
    inside = range(hit.first, hit.last + 1)
    words, flags = document.words, document.flags
    if hit.first == hit.last and len(words[hit.first]) <= _LONGEST_ACRONYM:
        if flags[hit.first] & Flag.MEDICAL and not hit.place.is_state:
            strength += _ACRONYM
    ordinary = all(flags[i] & Flag.ORDINARY or words[i] in PARTICLES for i in inside)
    if document.casing(hit.first) == "mixed":
        if all(
            document.capital(i) or (words[i] in PARTICLES and i > hit.first)
            for i in inside
        ):
            return strength
        return strength + (_SMALL_ORDINARY if ordinary and not hit.state else _SMALL)
    if not ordinary:
        return strength + (_CASELESS_UNSURE if strength < _SURE else 0.0)
    if hit.place.population > _LARGE:
        return strength + _CASELESS_LARGE
    # "EL CORTE DE CAÑA", "la estacion": small places' names and words.
    article = words[hit.first] in _ARTICLES and not hit.state
    return strength + _CASELESS_SMALL + (_CASELESS_ARTICLE if article else 0.0)


def _is_common_noun(document: Document, hit: Hit) -> bool:
    """Tell whether words say what a place is, not which: "la ciudad", "el rancho"."""
    first, last = hit.first, hit.last
    article = last == first + 1 and document.words[first] in _ARTICLES
    small = document.casing(first) == "mixed" and not document.capital(last)
    return article and small and document.words[last] in _NOT_PLACES


def _strength_beside(document: Document, hit: Hit) -> float:
    """Return what the words beside a name add: prepositions, names of persons."""
    first, last = hit.first, hit.last
    before = first - 1 if first and plain_gap(document.gap(first - 1)) else -1
    behind = last + 1 if plain_gap(document.gap(last)) else -1
    if hit.state:
        # "Pedro Guerrero Hidalgo": states that are surnames.
        surname = first == last and document.flags[first] & Flag.SURNAME
        given = _is_personal(document, before, Flag.GIVEN)
        named = behind >= 0 and document.flags[behind] & Flag.SURNAME
        return _STATE_IN_NAME if surname and given and named else 0.0
    delta = 0.0
    if before >= 0 and document.casing(first) == "mixed" and document.capital(first):
        delta += _PREPOSITIONS.get(document.words[before], 0.0)
    delta += _NAME_BEFORE if _is_personal(document, before) else 0.0
    return delta + (_NAME_BEHIND if _is_personal(document, behind) else 0.0)


def _is_personal(document: Document, index: int, kind: int = NAME) -> bool:
    """Tell whether a word is a personal name and nothing else."""
    flag = document.flags[index] if index >= 0 else 0
    return bool(flag & kind) and not flag & KNOWN and document.capital(index)


def _cover(document: Document, found: list[Finding]) -> Cover:
    """Return what addresses and institutions that were found before cover."""
    return document.once(FoundBefore).once(_addresses_and_institutions, found)


def _addresses_and_institutions(found: list[Finding]) -> Cover:
    return Cover.of(found, _NOT_IN)
