"""Places in a note: municipalities, towns, states and foreign places.

A name counts by its strength (see ``place_gazetteer``), by its letter case, a state
behind it, and what a rule's left side adds; with strong triggers ("originaria de",
"rancho") a name that no list has counts too.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from presidio_mx.analyzer.grammar.phrase import Mark
from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.analyzer.note.wording import (
    FUNCTION_WORDS,
    PARTICLES,
    capital_run,
    joined,
    plain_gap,
)
from presidio_mx.analyzer.phrases.place.gazetteer import SAINT, Place, PlaceIndex
from presidio_mx.analyzer.phrases.place.typos import PlaceTypos

_STATE_GAP = re.compile(
    r"[ \t]{0,2}[,(.]?[ \t]{0,2}(?:(?:en[ \t])?(?:el[ \t])?"
    r"(?:edo\.?|estado|mpio\.?|municipio)[ \t]de[ \t])?"
)
# Words that open the names of small places; a capitalised run with them is one.
_PLACE_NOUNS = frozenset(
    """san santa santo santiago villa villas puerto ciudad nuevo nueva colonia isla
    cerro valle playa laguna bahia canon rincon llano mesa el la los las rancho hacienda
    pueblo ojo agua barra boca cabo costa campo ejido estacion""".split()
)
# Key of the spans that are taken, in a document's memo; no phrase has this id.
_TAKEN = -1
# What a preposition before a capitalised name adds.
_PREPOSITIONS = {"en": 1.0, "desde": 1.0, "hasta": 1.0, "hacia": 1.0, "a": 0.9}
_BEFORE_TOWNS = frozenset("de en a desde hasta hacia por".split())
# "Juchitán de Zaragoza", "Poza Rica de Hidalgo": whom towns are named after.
_HEROES = frozenset(
    """abasolo aldama allende alvarez arista bravo cardenas carranza corregidora
    degollado diaz escobedo figueroa galeana guerrero hidalgo iturbide juarez lerdo
    madero matamoros mendez mina morelos obregon ocampo porfirio rayon rodriguez
    salazar serdan victoria zapata zaragoza""".split()
)
# "Tuxtla Gtz."
_SHORTENED = frozenset("gtz rdz hdz mtz cd".split())
# "la menor", "el rancho": behind an article these are no place's name.
_NO_NAMES = frozenset(
    """menor paciente tenencia rancho rancheria comunidad ciudad localidad colonia calle
    casa misma mismo hospital clinica escuela senora senor familia madre padre hija hijo
    esposa esposo poblacion entidad municipio estado pais capital region zona sierra
    costa playa frontera cabecera mina fabrica empresa brecha carretera""".split()
)
# "en Genolab", "en Biomed": a firm, not a town.
_FIRM_ENDINGS = ("lab", "labs", "med", "farma", "tech", "gen", "scan", "dent")
# What a misspelt name loses in score.
_MISSPELT_DELTA = -0.1
# Triggers from this prior on make up for a lack of capitals.
_STRONG = 4.0
_SMALL_LETTERS = 3.0
# What commas, stops or prepositions on both sides add in a line of capitals.
_SET_OFF = 1.1
# Without any evidence from around it a name must reach this strength.
BARE = 1.5


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


def _covered_by(found: Sequence[Finding]) -> tuple[list[int], list[int]]:
    """Return starts and running maxima of ends of what was found before."""
    spans = sorted(
        (f.start, f.end)
        for f in found
        if not f.block and f.entity in ("ADDRESS", "ORGANIZATION")
    )
    starts, ends, furthest = [], [], -1
    for start, end in spans:
        furthest = max(furthest, end)
        starts.append(start)
        ends.append(furthest)
    return starts, ends


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
        if self._taken(document, offset, found):
            return None
        prior = float(options.get("prior", 1.0))
        if document.casing(index) != "mixed":
            prior = float(options.get("caseless", prior))
        hit = self.hit(document, index) or self._misspelt(document, index)
        if options.get("odd"):
            last = self._noun_run(document, index)
            if last > (hit.last if hit else index):
                return self._mark(document, index, last, None, 0.0)
        if hit and self._taken(document, document.starts[hit.last], found):
            return None
        only_states = options.get("states", False)
        unknown = options.get("unknown", False)
        if hit and not (only_states and not hit.place.is_state):
            strength = self._in_context(document, hit) + prior
            if prior >= _STRONG and not document.capital(index):
                # "municipio de el fuerte" in a note that is otherwise capitalised
                strength += _SMALL_LETTERS
            if hit.place.short and self._rather_word(document, hit):
                return None
            if strength >= 0:
                last = self._extended(document, hit) if unknown else hit.last
                last = self._hero(document, index, last)
                delta = _MISSPELT_DELTA if hit.misspelt else 0.0
                return self._mark(document, index, last, hit.place, delta)
        if unknown and not only_states:
            last = self._unknown(document, index)
            if last >= index:
                return self._mark(document, index, last, None, -0.1)
        if options.get("odd") and self._odd(document, index):
            if document.capital(index) and not document.shouted(index):
                return self._mark(document, index, index, None, -0.1)
        return None

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the places that need no trigger."""
        threshold = float(options.get("threshold", BARE))
        for hit in self.hits(document):
            if self._taken(document, document.starts[hit.first], found):
                continue
            strength = self._in_context(document, hit) + self._neighbours(document, hit)
            if strength >= threshold:
                delta = min(0.22, 0.1 * (strength - threshold))
                last = self._hero(document, hit.first, hit.last)
                yield self._mark(document, hit.first, last, hit.place, delta)
        yield from self._misspelt_before_states(document, found)

    def _misspelt_before_states(
        self, document: Document, found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield misspelt names that a state follows in which the place lies."""
        if self.typos is None:
            return
        end = 0
        for state in self.hits(document):
            before = state.first - 1
            if state.place.is_state and before >= end and not document.flags[before]:
                for first in range(max(end, before - 2), before + 1):
                    hit = self._misspelt(document, first)
                    if hit is None or hit.last != before or not hit.state:
                        continue
                    if self._in_context(document, hit) < BARE:
                        continue
                    if not self._taken(document, document.starts[first], found):
                        yield self._mark(
                            document, first, before, hit.place, _MISSPELT_DELTA
                        )
                    break
            end = state.last + 1

    @staticmethod
    def _taken(document: Document, offset: int, found: list[Finding]) -> bool:
        """Tell whether an offset lies in an address or institution found before.

        They come from earlier files, so they stand in the list when it is first seen.
        """
        memo = document.memo.get(_TAKEN)
        if memo is None or memo[0] is not found:
            memo = document.memo[_TAKEN] = (found, *_covered_by(found))
        _, starts, ends = memo
        before = bisect_right(starts, offset) - 1
        return bool(before >= 0 and ends[before] > offset)

    def hit(self, document: Document, index: int) -> Hit | None:
        """Return the longest place name that begins at a word."""
        match = self.index.longest(document, index)
        if match is None:
            return None
        last, place = match
        return Hit(index, last, place, self._state_follows(document, last, place))

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
        state = self._state_follows(document, last, place)
        return Hit(index, last, place, state, misspelt=True)

    def hits(self, document: Document) -> list[Hit]:
        """Return all place names of a note, longest first come, once a note."""
        memo = document.memo.get(id(self.index))
        if memo is None:
            memo = document.memo[id(self.index)] = []
            index, size = 0, len(document)
            known = self.index.by_first
            while index < size:
                hit = None
                if document.words[index] in known:
                    hit = self.hit(document, index)
                if hit:
                    memo.append(hit)
                    index = hit.last + 1
                else:
                    index += 1
        hits: list[Hit] = memo
        return hits

    def _rather_word(self, document: Document, hit: Hit) -> bool:
        """Tell whether an abbreviation is the word it looks like ("Sin", "ver")."""
        flag = document.flags[hit.first]
        if hit.first != hit.last or not flag & KNOWN:
            return False
        for back in range(1, 6):
            # "TIJUANA BC": the town lies in the state.
            town = self.index.longest(document, max(0, hit.first - back))
            if town and town[0] == hit.first - 1:
                if town[1].states & hit.place.states and not town[1].is_state:
                    return False
        start = document.starts[hit.first]
        before = document.folded[max(0, start - 3) : start].strip()
        if document.casing(hit.first) == "mixed" and not document.capital(hit.first):
            return True
        stop = document.folded[document.ends[hit.first] :][:1]
        return not before.endswith((",", "(")) and stop not in (".", ")", "", "\n")

    def _hero(self, document: Document, first: int, last: int) -> int:
        """Return the last word of what follows as a part of the name.

        "Juchitán" of "Juchitán de Zaragoza", "San Isidro" of "San Isidro Buensuceso".
        """
        after = last + 1
        if (
            after < len(document)
            and document.words[first] in SAINT
            and plain_gap(document.gap(last))
            and document.casing(first) == "mixed"
            and document.capital(after)
            and not document.shouted(after)
            and not document.flags[after] & Flag.GIVEN
            and document.words[after] not in FUNCTION_WORDS
        ):
            match = self.index.longest(document, after)
            if match is None or not match[1].is_state:
                return after if match is None else match[0]
        if self._surname_of_saint(document, first, after):
            return after
        hero = last + 2
        if (
            hero < len(document)
            and document.words[last + 1] in ("de", "del")
            and document.words[hero] in _HEROES
            and plain_gap(document.gap(last))
            and plain_gap(document.gap(last + 1))
            and document.capital(hero)
            and document.gap(hero)[:1] in (",", ".", "\n", "", ";", ")")
        ):
            return hero
        return last

    def _surname_of_saint(self, document: Document, first: int, after: int) -> bool:
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
        state = self.index.longest(document, after + 1)
        return (
            state is not None
            and state[1].is_state
            and self.index.longest(document, after) is None
        )

    def _state_follows(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a state (its own, where that is known) follows a place."""
        if place.is_state and place.short:
            return False
        gap = _STATE_GAP.match(document.folded, document.ends[last])
        if gap is None or last + 1 >= len(document):
            return False
        index = document.word_at(gap.end())
        if index >= len(document) or document.starts[index] != gap.end():
            return False
        match = self.index.longest(document, index)
        if match is None:
            return False
        if not match[1].is_state:
            # "San Pedro Sula, Honduras", "Stockton, California"
            abroad = not place.states and not match[1].states
            return abroad and "," in gap[0] and document.capital(index)
        if place.states & match[1].states:
            return True
        return "," in gap[0] and not match[1].short

    def _in_context(self, document: Document, hit: Hit) -> float:
        """Return a name's strength with its letter case and a state behind it."""
        strength = hit.place.strength
        if hit.state:
            strength += 3.0
        casing = document.casing(hit.first)
        plain = all(
            document.flags[i] & Flag.ORDINARY or document.words[i] in PARTICLES
            for i in range(hit.first, hit.last + 1)
        )
        if casing == "mixed" and not self._capitals(document, hit):
            strength -= 7.0 if plain and not hit.state else 2.0
        elif casing != "mixed" and plain:
            strength -= 0.8 if hit.place.population > 50_000 else 2.0
            if document.words[hit.first] in ("el", "la", "los", "las"):
                # "EL CORTE DE CAÑA", "la estacion": small places' names and words.
                strength -= 0.0 if hit.state or hit.place.population > 50_000 else 1.5
        elif casing != "mixed" and strength < 2.4:
            strength -= 0.4
        return strength

    @staticmethod
    def _capitals(document: Document, hit: Hit) -> bool:
        """Tell whether all words but particles have capitals."""
        return all(
            document.capital(i) or (document.words[i] in PARTICLES and i > hit.first)
            for i in range(hit.first, hit.last + 1)
        )

    def _neighbours(self, document: Document, hit: Hit) -> float:
        """Return what the words beside a name say: are they names too."""
        delta = 0.0
        if hit.state:
            return delta
        before, after = hit.first - 1, hit.last + 1
        if hit.last > hit.first and document.casing(hit.first) == "upper":
            delta += _SET_OFF * self._set_off(document, hit)
        if before >= 0 and plain_gap(document.gap(before)):
            flag = document.flags[before]
            if document.casing(hit.first) == "mixed" and document.capital(hit.first):
                delta += _PREPOSITIONS.get(document.words[before], 0.0)
            if flag & NAME and not flag & KNOWN and document.capital(before):
                delta -= 2.0
        if after < len(document) and plain_gap(document.gap(hit.last)):
            flag = document.flags[after]
            if flag & NAME and not flag & KNOWN and document.capital(after):
                delta -= 1.0
        return delta

    @staticmethod
    def _set_off(document: Document, hit: Hit) -> bool:
        """Tell whether a name of two words stands apart: ", VALLE DE BRAVO,"."""
        if hit.place.population < 20_000 or not hit.first:
            return False
        if document.gap(hit.last)[:1] not in (",", ".", ";", ")", "\n"):
            return False
        before = document.words[hit.first - 1]
        gap = document.gap(hit.first - 1)
        return gap[:1] in (",", "(", ";") or (gap == " " and before in _BEFORE_TOWNS)

    def _extended(self, document: Document, hit: Hit) -> int:
        """Return the last word of a capitalised run that goes on behind a known name.

        "San Juan" of "San Juan Quiahije" is listed, the whole perhaps not.
        """
        here = hit.last + 1
        if (
            hit.state
            or here >= len(document)
            or document.casing(hit.first) != "mixed"
            or not plain_gap(document.gap(hit.last))
            or not document.capital(hit.first)
        ):
            return hit.last
        match = self.index.longest(document, here)
        if not document.capital(here) or (match and match[1].is_state):
            return hit.last
        if document.shouted(here) or document.words[here].isdigit():
            return hit.last
        if document.flags[here] & (Flag.ANCHOR | Flag.MEDICAL):
            return hit.last
        return max(hit.last, capital_run(document, here, 2))

    def _unknown(self, document: Document, index: int) -> int:
        """Return the last word of a place that no list has, or ``index - 1``."""
        if document.casing(index) == "mixed":
            if document.capital(index) and not document.words[index].isdigit():
                return self._unknown_capital(document, index)
            if not self._odd(document, index):
                return index - 1
            return index
        return self._unknown_caseless(document, index)

    def _unknown_capital(self, document: Document, index: int) -> int:
        last = capital_run(document, index, 4)
        for here in range(index + 1, last + 1):
            # A state or another place of its own begins here.
            match = self.index.longest(document, here)
            if match and (match[1].is_state or match[1].strength >= BARE):
                last = here - 1
                break
        while last > index and document.words[last] in PARTICLES:
            last -= 1
        flag = document.flags[index]
        if document.shouted(index):
            return index - 1
        single = last == index
        if single and (len(document.words[index]) < 3 or flag & Flag.MEDICAL):
            return index - 1
        if single and document.words[index] in PARTICLES | FUNCTION_WORDS:
            return index - 1
        return last

    def _noun_run(self, document: Document, index: int) -> int:
        """Return the last word of a run such as "Villa Matamoros", "El Sauz"."""
        if (
            document.words[index] not in _PLACE_NOUNS
            or document.casing(index) != "mixed"
            or not document.capital(index)
            or document.shouted(index)
        ):
            return index - 1
        last = capital_run(document, index, 3)
        for here in range(index + 1, last + 1):
            match = self.index.longest(document, here)
            if match and match[1].is_state:
                return here - 1
        return last

    def _odd(self, document: Document, index: int) -> bool:
        """Tell whether a word is in no list: perhaps a small town's name."""
        flag = document.flags[index] & ~Flag.ANCHOR
        word = document.words[index]
        if flag or len(word) < 5 or word.isdigit() or word.endswith(_FIRM_ENDINGS):
            return False
        return not self._scanned(word)

    def _scanned(self, word: str) -> bool:
        """Tell whether a scanner read i as l in an ordinary word: "FARlNGE"."""
        if not 0 < word.count("l") < 5:
            return False
        options = [("l", "i") if letter == "l" else (letter,) for letter in word]
        flags = self.lexicon.flags
        return any(flags.get("".join(w), 0) & KNOWN for w in product(*options))

    def _unknown_caseless(self, document: Document, index: int) -> int:
        """Return the last word of an unknown place where capitals tell nothing."""
        here, last, size = index, index - 1, len(document)
        article = False
        while here < size and here - index < 4:
            if here > index and not joined(document, here - 1):
                break
            word = document.words[here]
            if here == index and word in ("el", "la", "los", "las", "san", "santa"):
                article = True
            elif word.isdigit() or word in FUNCTION_WORDS:
                break
            elif self._odd(document, here):
                last = here
            elif article and here == index + 1 and word not in _NO_NAMES:
                last = here
            else:
                break
            here += 1
        return last

    def _mark(
        self,
        document: Document,
        first: int,
        last: int,
        place: Place | None,
        delta: float,
    ) -> Mark:
        end = document.ends[last]
        shortened = document.words[last] in _SHORTENED
        if (
            place
            and (place.short or shortened)
            and document.folded[end : end + 1] == "."
        ):
            end += 1
        return Mark(document.starts[first], end, delta)
