"""Names inside addresses: of streets, crossings, roads and colonias."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag
from presidio_mx.analyzer.note.wording import (
    ABBREVIATED,
    FUNCTION_WORDS,
    WordTable,
    entry_words,
    joined,
)
from presidio_mx.analyzer.phrases.address.patterns import (
    BARE_NUMBERED,
    CODE,
    DATE_NAME,
    KILOMETRE,
    NAME_SIDE,
    NAMELESS,
    NO_NUMBER,
    NUMBER_NAME,
    ORDINAL_NAME,
    ROAD_PARTICLES,
    SECTION,
    SETTLEMENT_NOUNS,
    SHORT_SIDES,
    SIDES,
    YEAR_NAME,
)
from presidio_mx.analyzer.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.gazetteer import rows

# "dl" and "d" stand for "del" and "de" in hurried notes.
PARTICLES = frozenset("de del la las los el dl d".split())
_SECTION_WORDS = frozenset(
    """i ii iii iv v vi primera segunda tercera cuarta quinta sexta septima octava
    novena seccion secc sec etapa sector""".split()
)


@dataclass(frozen=True, slots=True)
class Part:
    """A component: where it ends, what it adds to the evidence, and its kind."""

    end: int
    evidence: float
    kind: str = ""


@lru_cache(maxsize=8)
def load_settlements(folders: tuple[Path, ...] = ()) -> WordTable[int]:
    """Build the table of colonias, fraccionamientos and barrios.

    :param folders: Folders of a site's own that may add rows.
    :return: Names with the number of municipalities that have one.
    :raises ConfigurationError: If the gazetteer is broken.
    """
    table: WordTable[int] = WordTable()
    for row in rows("colonias", folders):
        words = entry_words(row["name"])
        if words:
            table.add(words, int(row["count"] or 1))
    table.sort()
    return table


@dataclass(frozen=True, slots=True)
class AddressNames:
    """Delimit the name of a street or colonia, which may be any words at all.

    :param patterns: Compiled opening words of components.
    :param heads: First words of those.
    :param stop: Labels that end an address.
    :param not_name: Words that are never the first of a name.
    :param settlements: Names of colonias.
    :param places: Names of places.
    """

    patterns: Mapping[str, re.Pattern[str]]
    heads: frozenset[str]
    stop: frozenset[str]
    not_name: frozenset[str]
    settlements: WordTable[int]
    places: PlaceIndex

    def parse(self, document: Document, offset: int, kind: str) -> Part | None:
        """Parse the name of a street, road or settlement.

        :param document: The note.
        :param offset: Where it must begin.
        :param kind: ``street``, ``bare``, ``crossing``, ``road`` or ``settlement``.
        :return: Its end and what it adds to the evidence.
        """
        index = document.word_at(offset)
        if index >= len(document):
            return None
        start = document.starts[index]
        if start != offset and document.folded[offset:start] not in ('"', "'"):
            return None
        if document.words[index].isdigit():
            return self._numbered(document, index, kind)
        nameless = NAMELESS.match(document.folded, start)
        if nameless and kind != "settlement":
            return Part(nameless.end(), 0.6)
        index = self._behind_of(document, index, kind)
        first = document.starts[index]
        if kind == "settlement":
            listed = self.settlements.longest(document, index)
            if listed and document.words[index] not in self.not_name:
                return self._listed(document, index, listed[0])
        last = self._last_word(document, index, kind)
        if last < index:
            return None
        end = self._with_stop(document, last)
        if document.folded[end : end + 1] == '"' and start != offset:
            end += 1
        if kind != "settlement":
            direction = NAME_SIDE.match(document.folded, end)
            end = direction.end() if direction else end
            year = YEAR_NAME.match(document.folded, end)
            end = year.end() if year else end
        return Part(end, self._name_evidence(document, index, last, first))

    def _listed(self, document: Document, first: int, last: int) -> Part:
        """Return a listed colonia, with a capitalised run that goes on behind it."""
        grown = self._last_word(document, first, "settlement")
        if document.casing(first) == "mixed" and document.capital(first):
            last = max(last, grown)
        elif grown > last and not self.places.longest(document, last + 1):
            flags = document.flags[last + 1 : grown + 1]
            ordinary = all(f & KNOWN and not f & NAME for f in flags)
            if document.casing(first) == "upper" or not ordinary:
                last = grown
        evidence = 0.6 if document.capital(first) else 0.5
        return Part(document.ends[last], evidence)

    def _numbered(self, document: Document, index: int, kind: str) -> Part | None:
        start = document.starts[index]
        match = DATE_NAME.match(document.folded, start)
        if match:
            return Part(match.end(), 0.6)
        if kind == "settlement":
            # "barrio 2do"
            match = ORDINAL_NAME.match(document.folded, start)
            return Part(match.end(), 0.4) if match else None
        match = NUMBER_NAME.match(document.folded, start)
        if match is None:
            return None
        if kind == "bare" and not BARE_NUMBERED.match(document.folded, start):
            return None
        end = match.end()
        if document.folded[end - 1] == "." and "." not in match[0][:-1]:
            end -= match[0][-2].isdigit()
        sided = document.words[document.word_at(end) - 1] in SIDES
        return Part(end, 0.4 if sided else 0.2)

    def _behind_of(self, document: Document, index: int, kind: str) -> int:
        """Return the word behind "de", "de la", "del", "los" at the head of a name."""
        for _ in range(3):
            if (
                (
                    document.words[index] in PARTICLES
                    or (kind == "road" and document.words[index] in ROAD_PARTICLES)
                )
                and index + 1 < len(document)
                and joined(document, index)
            ):
                index += 1
        return index

    def _last_word(self, document: Document, first: int, kind: str) -> int:
        mixed = document.casing(first) == "mixed"
        capital = mixed and document.capital(first)
        most = 6 if capital else 4
        last, here, size = first - 1, first, len(document)
        while here < size and here - first < most + 3:
            if here > first and not self._goes_on(document, here - 1, kind):
                break
            word = document.words[here]
            if here > first and (
                word in PARTICLES or (kind == "road" and word in ROAD_PARTICLES)
            ):
                if kind == "settlement" and self._town_behind(document, first, here):
                    break
                here += 1
                continue
            if not self._may_be_name(document, here, first, capital, kind):
                break
            if here > first and self._place_ends(document, here, last, kind):
                break
            last = here
            if here - first >= most:
                break
            here += 1
        return last

    def _goes_on(self, document: Document, index: int, kind: str) -> bool:
        gap = document.gap(index)
        if kind == "road" and gap in (" - ", "- ", " -"):
            return True
        if self._initial(document, index):
            # "Carlos A. Carrillo": whatever other word the letter may be.
            return document.gap(index) in (". ", ".")
        return joined(document, index)

    @staticmethod
    def _initial(document: Document, index: int) -> bool:
        """Tell whether a word is an initial before a capitalised name."""
        return (
            len(document.words[index]) == 1
            and document.casing(index) == "mixed"
            and document.capital(index)
            and document.gap(index).startswith(".")
            and index + 1 < len(document)
            and document.capital(index + 1)
            and not document.words[index].isdigit()
        )

    def _may_be_name(
        self, document: Document, here: int, first: int, capital: bool, kind: str
    ) -> bool:
        word, folded = document.words[here], document.folded
        start = document.starts[here]
        if here > first and capital and self._initial(document, here):
            return True
        if word == "y":
            return (
                capital
                and kind != "crossing"
                and here > first
                and here + 1 < len(document)
                and document.capital(here + 1)
                and not self.patterns["street"].match(folded, document.starts[here + 1])
            )
        if word.isdigit() or (word == "altura" and kind == "road"):
            return False
        if here > first and document.gap(here - 1) == "'":
            # "Callejón Guelavi'a"
            return True
        if kind == "settlement" and here > first and word in _SECTION_WORDS:
            if SECTION.match(folded, document.ends[here - 1]):
                return False
        if word in FUNCTION_WORDS or (here == first and word in self.not_name):
            return False
        if word in self.stop and not (here == first and capital):
            # "COL. ALTA VISTA"
            if (
                here > first
                or kind != "settlement"
                or not self._goes_on(document, here, kind)
            ):
                return False
        if here > first and self._component(folded, start, word):
            return False
        if kind == "settlement" and here > first and self._street(document, here):
            return False
        if len(word) == 1:
            return (
                capital
                and folded[document.ends[here] : document.ends[here] + 1]
                in (
                    ".",
                    " ",
                )
                and document.capital(here)
            )
        if capital and not document.capital(here):
            return False
        if not capital and document.casing(here) == "mixed" and document.capital(here):
            return here == first or kind == "road"
        return True

    def _street(self, document: Document, here: int) -> bool:
        """Tell whether a street begins behind a colonia: "Fracc. Sol Priv. Ruiz 25"."""
        return document.words[here - 1] not in PARTICLES and bool(
            self.patterns["street"].match(document.folded, document.starts[here])
        )

    def _component(self, folded: str, start: int, word: str) -> bool:
        """Tell whether another component begins at a word."""
        if word not in self.heads and word not in (
            "entre",
            "esq",
            "esquina",
            "sn",
            "s",
        ):
            return word in ("no", "num", "numero", "nro")
        return bool(
            self.patterns["settlement"].match(folded, start)
            or self.patterns["unit"].match(folded, start)
            or CODE.match(folded, start)
            or NO_NUMBER.match(folded, start)
            or KILOMETRE.match(folded, start)
            or word in ("entre", "esq", "esquina")
        )

    def _town_behind(self, document: Document, first: int, here: int) -> bool:
        """Tell whether "de" leads on to the town: "col. La Ciénega de Tlalnepantla"."""
        if document.words[here] != "de" or here + 1 >= len(document):
            return False
        match = self.places.longest(document, here + 1)
        if match is None or match[1].strength < 1.0:
            return False
        if self.own_state_behind(document, *match):
            return True
        if document.words[here - 1] in SETTLEMENT_NOUNS:
            return False
        article = first > 0 and document.words[first - 1] in PARTICLES
        return any(
            listed is not None and listed[0] == here - 1
            for listed in (
                self.settlements.longest(document, first),
                self.settlements.longest(document, first - article),
            )
        )

    def town_of_state(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a town's state follows it, a comma between them or not."""
        return document.gap(last).strip() in ("", ",") and self.own_state_behind(
            document, last, place
        )

    def own_state_behind(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a state that a place lies in follows it."""
        if last + 1 >= len(document) or len(document.gap(last)) > 3:
            return False
        state = self.places.longest(document, last + 1)
        return bool(state and state[1].is_state and place.states & state[1].states)

    def _place_ends(self, document: Document, here: int, last: int, kind: str) -> bool:
        """Tell whether a town, not the name, goes on at a word.

        "COL SANTA CRUZ LEON GTO": a state follows the town, or the address ends there.
        """
        if document.words[here - 1] in ABBREVIATED | SETTLEMENT_NOUNS:
            return False
        if last != here - 1 or kind == "road":
            # Behind "de" the town is part of the name: "Camino Real de Colima".
            return False
        match = self.places.longest(document, here)
        if match is None:
            return False
        end, place = match
        if place.is_state and place.short:
            return place.strength > 0
        if self.own_state_behind(document, end, place):
            return True
        if kind != "settlement" and document.casing(here) == "mixed":
            return False
        return place.strength >= 1.0 and not joined(document, end)

    @staticmethod
    def _with_stop(document: Document, last: int) -> int:
        """Return the end of a name, the full stop of an abbreviation included."""
        end = document.ends[last]
        short = document.words[last] in SHORT_SIDES
        return end + (short and document.gap(last).startswith("."))

    def _name_evidence(
        self, document: Document, first: int, last: int, start: int
    ) -> float:
        """Return what the letter case and the words of a name say."""
        casing = document.casing(first)
        if casing == "mixed" and document.capital(first):
            return 0.6
        flags = document.flags[first : last + 1]
        ordinary = all(f & KNOWN and not f & NAME for f in flags)
        medical = any(f & (Flag.MEDICAL | Flag.DRUG) and not f & NAME for f in flags)
        if medical:
            return -0.4
        if casing == "mixed":
            return 0.0 if ordinary else 0.2
        return 0.1 if ordinary else 0.4
