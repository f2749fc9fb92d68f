"""Places in a note: municipalities, towns, states and foreign places.

A name counts by its strength (see ``bare_strength``), by its letter case, a state
behind it, and what a rule's left side adds; with strong triggers ("originaria de",
"rancho") a name that no list has counts too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.found import Cover, FoundBefore
from presidio_mx.find.phrases.place.bare_strength import BARE
from presidio_mx.find.phrases.place.extent import with_capitals, with_surname
from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.find.phrases.place.hit import (
    Hit,
    is_rather_word,
    is_state_of_mexico,
    listed_hit,
    state_follows,
)
from presidio_mx.find.phrases.place.strength import (
    is_said_of_places,
    strength_in_context,
    strength_of_neighbours,
)
from presidio_mx.find.phrases.place.typos import PlaceTypos
from presidio_mx.find.phrases.place.unlisted import UnlistedPlaces
from presidio_mx.spanish.lexicon import Lexicon
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# What a rule's left side adds unless the rule says otherwise.
_PRIOR = 1.0
# Triggers from this prior on make up for a lack of capitals.
_STRONG = 4.0
_SMALL_LETTERS = 3.0
# What the score loses for a misspelt name, and for one that no list has.
_MISSPELT_DELTA = -0.1
_UNLISTED_DELTA = -0.1
# What the score of a name without trigger gains by strength beyond the threshold.
_DELTA = 0.1
_MOST_DELTA = 0.22
# A misspelt name before its state has two words at most behind the first.
_MOST_WORDS_BEHIND = 2

_SHORTENED = words("hero_short")
_NOT_IN = ("ADDRESS", "ORGANIZATION")


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of a rule, as :class:`PlacePhrase` names them."""

    prior: float
    odd: bool
    unknown: bool
    states: bool

    @classmethod
    def of(cls, options: Mapping[str, Any], casing: str) -> "_Options":
        prior = float(options.get("prior", _PRIOR))
        if casing != "mixed":
            prior = float(options.get("caseless", prior))
        return cls(
            prior,
            bool(options.get("odd")),
            bool(options.get("unknown")),
            bool(options.get("states")),
        )


@dataclass(slots=True)
class PlacePhrase:
    """Parse names of places.

    Options of rules: ``prior``, what the left side adds to a name's strength
    (``caseless`` takes its place where capitals tell nothing);
    ``odd``, whether a capitalised word that no list at all has is taken;
    ``unknown``, whether a capitalised run (or, where capitals tell nothing, a word that
    no list has) is taken though no gazetteer has it; ``states``, whether only states
    count; ``threshold``, the strength that a bare name must reach.

    :param index: Place names.
    :param lexicon: What is known of words.
    :param typos: Finds misspelt names where context speaks for a place.
    """

    index: PlaceIndex
    lexicon: Lexicon
    typos: PlaceTypos | None = None
    _unlisted: UnlistedPlaces = field(init=False)

    def __post_init__(self) -> None:
        """Make the parser of names that no list has."""
        self._unlisted = UnlistedPlaces(self.index, self.lexicon)

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
        if cover.holds(offset):
            return None
        wanted = _Options.of(options, document.casing(index))
        hit = listed_hit(self.index, document, index)
        if hit is None and is_state_of_mexico(self.index, document, index):
            return _mark(document, index, index)
        hit = hit or self._misspelt(document, index)
        if wanted.odd:
            last = self._unlisted.behind_noun(document, index)
            if last > (hit.last if hit else index):
                return _mark(document, index, last)
        if hit and cover.holds(document.starts[hit.last]):
            return None
        if hit and (hit.place.is_state or not wanted.states):
            if hit.place.short and is_rather_word(self.index, document, hit):
                return None
            mark = self._known(document, hit, wanted)
            if mark:
                return mark
        return self._unknown(document, index, wanted)

    def _known(self, document: Document, hit: Hit, wanted: _Options) -> Mark | None:
        """Return a listed name, where it is strong enough behind a trigger."""
        if not hit.state and is_said_of_places(document, hit):
            return None
        strength = strength_in_context(document, hit) + wanted.prior
        if wanted.prior >= _STRONG and not document.capital(hit.first):
            # "municipio de el fuerte" in a note that is otherwise capitalised
            strength += _SMALL_LETTERS
        if strength < 0:
            return None
        last = hit.last
        if wanted.unknown:
            last = with_capitals(self.index, document, hit)
        last = with_surname(self.index, document, hit.first, last)
        delta = _MISSPELT_DELTA if hit.misspelt else 0.0
        return _mark(document, hit.first, last, hit.place, delta)

    def _unknown(self, document: Document, index: int, wanted: _Options) -> Mark | None:
        """Return a name that no list has, where the rule wants one."""
        unlisted = self._unlisted
        if wanted.unknown and not wanted.states:
            last = unlisted.last_word(document, index)
            if last >= index:
                return _mark(document, index, last, delta=_UNLISTED_DELTA)
        if wanted.odd and unlisted.is_odd(document, index):
            if document.capital(index) and not document.shouted(index):
                return _mark(document, index, index, delta=_UNLISTED_DELTA)
        return None

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the places that need no trigger."""
        threshold = float(options.get("threshold", BARE))
        cover = _cover(document, found)
        for hit in document.once(self._hits):
            if cover.holds(document.starts[hit.first]):
                continue
            if not hit.state and is_said_of_places(document, hit):
                continue
            strength = strength_in_context(document, hit)
            strength += strength_of_neighbours(document, hit)
            if strength >= threshold:
                delta = min(_MOST_DELTA, _DELTA * (strength - threshold))
                last = with_surname(self.index, document, hit.first, hit.last)
                yield _mark(document, hit.first, last, hit.place, delta)
        if self.typos:
            yield from self._misspelt_before_states(document, cover)

    def _misspelt_before_states(
        self, document: Document, cover: Cover
    ) -> Iterable[Mark]:
        """Yield misspelt names that a state follows in which the place lies."""
        end = 0
        for state in document.once(self._hits):
            before = state.first - 1
            if state.place.is_state and before >= end and not document.flags[before]:
                hit = self._misspelt_up_to(document, before, end)
                if hit and not cover.holds(document.starts[hit.first]):
                    yield _mark(document, hit.first, before, hit.place, _MISSPELT_DELTA)
            end = state.last + 1

    def _misspelt_up_to(self, document: Document, last: int, limit: int) -> Hit | None:
        """Return the longest sure misspelt name that ends at a word."""
        for first in range(max(limit, last - _MOST_WORDS_BEHIND), last + 1):
            hit = self._misspelt(document, first)
            if hit is None or hit.last != last or not hit.state:
                continue
            if strength_in_context(document, hit) >= BARE:
                return hit
        return None

    def _misspelt(self, document: Document, index: int) -> Hit | None:
        """Return the misspelt place name that begins at a word where none else does."""
        if self.typos is None:
            return None
        if not document.capital(index) and document.casing(index) == "mixed":
            return None
        match = self.typos.longest(document, index, self.lexicon)
        if match is None:
            return None
        last, place = match
        state = state_follows(self.index, document, last, place)
        return Hit(index, last, place, state, misspelt=True)

    def _hits(self, document: Document) -> list[Hit]:
        """Return all place names of a note, the longest at each place."""
        hits: list[Hit] = []
        known, free = self.index.by_first, 0
        for index, word in enumerate(document.words):
            if index < free or word not in known:
                continue
            hit = listed_hit(self.index, document, index)
            if hit:
                hits.append(hit)
                free = hit.last + 1
        return hits


def _cover(document: Document, found: list[Finding]) -> Cover:
    """Return what addresses and institutions that were found before cover."""
    return document.once(FoundBefore).once(_addresses_and_institutions, found)


def _addresses_and_institutions(found: list[Finding]) -> Cover:
    return Cover.of(found, _NOT_IN)


def _mark(
    document: Document,
    first: int,
    last: int,
    place: Place | None = None,
    delta: float = 0.0,
) -> Mark:
    """Return the mark of a name, with the full stop of an abbreviation at its end."""
    end = document.ends[last]
    short = place and (place.short or document.words[last] in _SHORTENED)
    if short and document.folded[end : end + 1] == ".":
        end += 1
    return Mark(document.starts[first], end, delta)
