"""Addresses: one contiguous run of street, number, interior, colonia, postal code.

The parser knows the kinds of components; which words open them is data (the symbols of
``address.yaml``). It goes from component to component and stops where something else
begins: a place, a label, a telephone, the end of the sentence. Every component adds
evidence; a rule's left side adds its own (``prior``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from presidio_mx.analyzer.address_names import PARTICLES, AddressNames, Part
from presidio_mx.analyzer.address_patterns import (
    AND,
    BARE,
    BARE_CODE,
    BETWEEN,
    CENTRE,
    CODE,
    CORNER,
    CROSSING,
    DATE_NAME,
    FIVE_DIGITS,
    KILOMETRE,
    KM_OF,
    LEADING,
    LINK,
    NO_NUMBER,
    ORDINAL_BEFORE,
    PROLONGED,
    SECTION,
    SEPARATED_END,
    SEPARATOR,
    SIGNED,
    STREET_BEFORE,
    STRETCH,
    UNIT_VALUE,
)
from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.lexicon import NAME, Flag, Lexicon
from presidio_mx.analyzer.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.phrase import Mark
from presidio_mx.analyzer.place_gazetteer import Place, PlaceIndex
from presidio_mx.analyzer.wording import FUNCTION_WORDS, WordTable, entry_words

# What an address needs to be one; a street with a capitalised name reaches it alone.
ENOUGH = 0.8
_MOST_COMPONENTS = 14


@dataclass(slots=True)
class AddressPhrase:
    """Parse addresses.

    Symbols that the rule file must define: ``street`` and ``street_weak`` (words that
    open a street, and those that do so only with more evidence), ``settlement`` and
    ``settlement_weak`` (colonia, fraccionamiento ...), ``road``, ``unit`` (what stands
    before an interior number), ``stop`` (labels that end an address), ``not_name``
    (words that are never the name of a street or colonia).

    Options of rules: ``prior``, added to the evidence; ``free``, ``label`` or ``verb``
    where the address may begin with a bare street name.

    :param symbols: Symbols of the rule file.
    :param settlements: Names of colonias.
    :param places: Names of places.
    :param lexicon: What is known of words.
    """

    symbols: Symbols
    settlements: WordTable[int]
    places: PlaceIndex
    lexicon: Lexicon
    _heads: frozenset[str] = frozenset()
    _patterns: dict[str, re.Pattern[str]] = field(default_factory=dict)
    _stop: frozenset[str] = frozenset()
    _names: AddressNames = field(init=False)

    def __post_init__(self) -> None:
        """Compile the opening words."""
        lists = ("street", "street_weak", "settlement", "settlement_weak", "road")
        for name in lists:
            colon = ":?" if name.startswith("settlement") else "/?"
            self._patterns[name] = compile_pattern(
                f"{{{name}}}\\.?[ \\t]{{0,3}}{colon}[ \\t]{{0,3}}(?:\\n[ ]{{0,2}})?",
                self.symbols,
            )
        self._patterns["unit"] = compile_pattern(
            r"(?:{unit}\.?" + UNIT_VALUE + r"|[ml]\.?[ ]{0,2}\d{1,3}(?![^\W_]))",
            self.symbols,
        )
        heads = {
            words[0]
            for name in (*lists, "unit")
            for words in map(entry_words, words_of(name, self.symbols) or ())
        }
        self._heads = frozenset(heads | {"cp", "c", "codigo", "cod", "km", "kilometro"})
        self._stop = frozenset(words_of("stop", self.symbols) or ())
        self._names = AddressNames(
            self._patterns,
            self._heads,
            self._stop,
            frozenset(words_of("not_name", self.symbols) or ()),
            self.settlements,
            self.places,
        )

    # ------------------------------------------------------------------ the phrase

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the address that begins at an offset."""
        free = str(options.get("free", ""))
        prior = float(options.get("prior", 0.4))
        return self._address(document, offset, free, prior)

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the addresses that begin with a word such as "calle" or "col."."""
        heads, starts = self._heads, document.starts
        end = 0
        for index, word in enumerate(document.words):
            if word not in heads or starts[index] < end:
                continue
            start = self._earlier(document, starts[index], end)
            mark = self._address(document, starts[index], "", 0.0)
            if mark:
                if start == starts[index]:
                    start = self._street_before(document, start, end)
                yield Mark(start, mark.end, mark.delta)
                end = mark.end

    @staticmethod
    def _earlier(document: Document, start: int, limit: int) -> int:
        """Return where an ordinal before the street's word begins ("2a. Cerrada")."""
        for pattern in (ORDINAL_BEFORE, PROLONGED):
            low = max(limit, start - 24)
            match = pattern.search(document.folded[low:start])
            if match:
                start = low + match.start()
        return start

    @staticmethod
    def _street_before(document: Document, start: int, limit: int) -> int:
        """Return where a street without its type begins: "Tajín 512, Col. Narvarte"."""
        low = max(limit, start - 70)
        match = STREET_BEFORE.search(document.folded[low:start])
        if match is None or not document.text[low + match.start("street")].isupper():
            return start
        first = document.word_at(low + match.start("street"))
        words = document.words_in(
            low + match.start("street"), low + match.end("street")
        )
        casing = document.casing(first)
        for index in words:
            word = document.words[index]
            if word in PARTICLES or word.isdigit():
                continue
            if word in FUNCTION_WORDS or document.flags[index] & Flag.MEDICAL:
                return start
            if casing == "mixed" and not document.capital(index):
                return start
        return low + match.start("street")

    def _address(
        self, document: Document, offset: int, free: str, prior: float
    ) -> Mark | None:
        first = self._first(document, offset, free)
        if first is None:
            return None
        end, evidence, kind = first.end, first.evidence + prior, first.kind
        for _ in range(_MOST_COMPONENTS):
            part = self._next(document, end, kind)
            if part is None:
                break
            end, evidence, kind = part.end, evidence + part.evidence, part.kind
        if evidence < ENOUGH:
            return None
        return Mark(offset, end, min(0.1, 0.05 * (evidence - ENOUGH)))

    def _first(self, document: Document, offset: int, free: str) -> Part | None:
        openers: list[Callable[[Document, int], Part | None]] = [
            self._postal,
            self._road,
            self._street,
            self._settlement,
            self._unit,
        ]
        for opener in openers:
            part = opener(document, offset)
            if part:
                return part
        return self._bare_street(document, offset, free) if free else None

    def _next(self, document: Document, end: int, kind: str) -> Part | None:
        """Return the component that follows one of a kind, after one separator."""
        folded = document.folded
        gap = SEPARATOR.match(folded, end)
        assert gap is not None
        offset = gap.end()
        if offset >= len(folded) or (offset == end and folded[end].isalpha()):
            return None
        link = LINK.match(folded, offset)
        if link:
            part = self._settlement(document, link.end())
            if part:
                return part
        hard = "\n" in gap[0] or "." in gap[0] or ";" in gap[0]
        settled = kind == "number" or (kind == "settlement" and "," in gap[0])
        for follower in self._followers(hard, settled, kind):
            part = follower(document, offset)
            if part:
                return part
        if kind == "street" and gap[0].strip(" ") == "\n":
            # The number stands on the next line.
            number = self._number(document, offset)
            if number and folded[number.end : number.end + 1] in (",", "\n", ""):
                return number
        if "\n" in gap[0] and "," not in gap[0]:
            return None
        if "," in gap[0]:
            return self._bare_settlement(document, offset)
        if gap[0] == " " and kind == "number":
            # "calle 10 #45 Las Arboledas"
            return self._listed_settlement(document, offset)
        return None

    def _followers(
        self, hard: bool, settled: bool, kind: str
    ) -> Iterator[Callable[[Document, int], Part | None]]:
        """Yield the components that may follow, those with an opening word first."""
        yield self._signed
        yield self._unit
        yield self._between
        yield self._settlement
        yield self._postal
        if not hard and not settled:
            yield self._number
        if not hard:
            yield self._kilometre
            yield self._and_street
            if kind == "street":
                yield self._two_names
            yield self._street_after
            yield self._centre

    # ------------------------------------------------------------------ components

    def _street(self, document: Document, offset: int) -> Part | None:
        for name, strong in (("street", 0.4), ("street_weak", -0.2)):
            match = self._patterns[name].match(document.folded, offset)
            if not match:
                continue
            named = self._names.parse(document, match.end(), "street")
            if named:
                if strong < 0 and named.evidence < 0.4:
                    strong = -0.4
                return Part(named.end, strong + named.evidence, "street")
        return None

    def _street_after(self, document: Document, offset: int) -> Part | None:
        """Parse a street after a colonia or a lot ("Sm 94, Mza 15, calle Cedral")."""
        part = self._street(document, offset)
        return part if part and part.evidence > 0.5 else None

    def _settlement(self, document: Document, offset: int) -> Part | None:
        for name, strong in (("settlement", 0.4), ("settlement_weak", -0.2)):
            match = self._patterns[name].match(document.folded, offset)
            if not match:
                continue
            named = self._names.parse(document, match.end(), "settlement")
            if named:
                index = document.word_at(offset)
                if index and document.words[index - 1] in LEADING:
                    strong += 0.4 if "." in match[0] else 0.2
                section = SECTION.match(document.folded, named.end)
                end = section.end() if section else named.end
                return Part(end, strong + named.evidence, "settlement")
        return None

    def _road(self, document: Document, offset: int) -> Part | None:
        """Parse a road with a kilometre, in either order."""
        folded = document.folded
        kilometre = KILOMETRE.match(folded, offset)
        if kilometre and (offset == 0 or folded[offset - 1] != "/"):
            link = KM_OF.match(folded, kilometre.end())
            start = link.end() if link else kilometre.end()
            road = self._patterns["road"].match(folded, start)
            if not road:
                return None
            named = self._names.parse(document, road.end(), "road")
            return Part(named.end if named else road.end(), 1.0)
        road = self._patterns["road"].match(folded, offset)
        if not road:
            return None
        named = self._names.parse(document, road.end(), "road")
        if named is None:
            return None
        return Part(named.end, max(0.2, named.evidence - 0.2))

    def _unit(self, document: Document, offset: int) -> Part | None:
        match = self._patterns["unit"].match(document.folded, offset)
        if match is None:
            return None
        lot = document.folded.startswith(("m", "lo", "lt", "sm", "edif"), offset)
        return Part(match.end(), 0.4 if lot else 0.2)

    def _postal(self, document: Document, offset: int) -> Part | None:
        match = CODE.match(document.folded, offset)
        return Part(match.end(), 0.9) if match else None

    def _signed(self, document: Document, offset: int) -> Part | None:
        match = SIGNED.match(document.folded, offset)
        if not match:
            match = NO_NUMBER.match(document.folded, offset)
        return Part(match.end(), 0.6, "number") if match else None

    def _number(self, document: Document, offset: int) -> Part | None:
        match = BARE.match(document.folded, offset)
        if match and FIVE_DIGITS.fullmatch(match[0]):
            # A postal code without its letters; behind a gap it stands alone.
            if document.folded[max(0, offset - 3) : offset].isspace() or (
                not BARE_CODE.match(document.folded, offset)
            ):
                return None
        return Part(match.end(), 0.4, "number") if match else None

    def _kilometre(self, document: Document, offset: int) -> Part | None:
        match = KILOMETRE.match(document.folded, offset)
        if match is None:
            return None
        stretch = STRETCH.match(document.folded, match.end())
        named = self._names.parse(document, stretch.end(), "road") if stretch else None
        return Part(named.end if named else match.end(), 0.8)

    def _centre(self, document: Document, offset: int) -> Part | None:
        match = CENTRE.match(document.folded, offset)
        return Part(match.end(), 0.3) if match else None

    def _between(self, document: Document, offset: int) -> Part | None:
        folded = document.folded
        crossing = CROSSING.match(folded, offset)
        if crossing and not folded.startswith("entre", offset):
            return Part(crossing.end(), 0.5)
        match = BETWEEN.match(folded, offset)
        if match:
            first = self._crossed(document, match.end())
            joint = AND.match(folded, first) if first else None
            second = self._crossed(document, joint.end()) if joint else None
            return Part(second, 0.6) if second else None
        match = CORNER.match(folded, offset)
        second = self._crossed(document, match.end()) if match else None
        return Part(second, 0.5) if second else None

    def _and_street(self, document: Document, offset: int) -> Part | None:
        """Parse the other street of a corner: "av. Juárez y 16 de Septiembre"."""
        if not document.folded.startswith(("y ", "e "), offset):
            return None
        index = document.word_at(offset) + 1
        if index >= len(document):
            return None
        start = document.starts[index]
        street = self._street(document, start)
        if street and street.evidence >= 0.4:
            return Part(street.end, 0.4)
        date = DATE_NAME.match(document.folded, start)
        return Part(date.end(), 0.4) if date else None

    def _two_names(self, document: Document, offset: int) -> Part | None:
        """Parse the crossing streets of "Calle 12 Bravo y Allende #1105"."""
        first = self._crossed(document, offset)
        joint = AND.match(document.folded, first) if first else None
        second = self._crossed(document, joint.end()) if joint else None
        if second is None or not document.text[offset].isupper():
            return None
        number = self._signed(document, self._separated(document, second))
        return Part(second, 0.3) if number else None

    def _crossed(self, document: Document, offset: int) -> int | None:
        """Return where the name of a crossing street ends."""
        for name in ("street", "street_weak"):
            match = self._patterns[name].match(document.folded, offset)
            if match:
                named = self._names.parse(document, match.end(), "crossing")
                if named:
                    return named.end
        named = self._names.parse(document, offset, "crossing")
        return named.end if named else None

    def _bare_street(self, document: Document, offset: int, free: str) -> Part | None:
        """Parse a street without its type, where a label or verb stands before."""
        named = self._names.parse(document, offset, "bare")
        if named is None:
            return self._bare_settlement(document, offset) if free == "label" else None
        index = document.word_at(offset)
        flag = document.flags[index]
        if flag & Flag.MEDICAL and not flag & NAME:
            return None
        if document.casing(index) == "mixed" and not document.capital(index):
            if free == "verb" or not document.words[index].isdigit():
                if named.evidence < 0.1:
                    return None
        if free == "verb" and named.evidence < 0.4:
            return None
        if not any(
            follower(document, self._separated(document, named.end))
            for follower in (
                self._signed,
                self._number,
                self._unit,
                self._settlement,
                self._between,
                self._postal,
            )
        ):
            return None
        return Part(named.end, 0.2)

    @staticmethod
    def _separated(document: Document, end: int) -> int:
        gap = SEPARATOR.match(document.folded, end)
        assert gap is not None
        return gap.end()

    def _bare_settlement(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia without "col.", in the list, before a place or an end."""
        index = document.word_at(offset)
        if index >= len(document) or document.starts[index] != offset:
            return None
        match = self.settlements.longest(document, index)
        if match is None:
            return self._unlisted_settlement(document, index)
        last = match[0]
        if document.words[index] in self._stop:
            return None
        place = self.places.longest(document, index)
        if place and place[0] >= last and not self._rather_colonia(document, *place):
            return None
        if not self._place_behind(document, last) and not SEPARATED_END.match(
            document.folded, document.ends[last]
        ):
            return None
        return Part(document.ends[last], 0.4)

    def _rather_colonia(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a name that is a place's too is the colonia's before a place."""
        if place.strength >= 1.0 or place.is_state:
            return False
        following = (
            self.places.longest(document, last + 1)
            if (last + 1 < len(document) and self._place_behind(document, last))
            else None
        )
        if following is None:
            return False
        state = following[1]
        return not (state.is_state and place.states & state.states)

    def _listed_settlement(self, document: Document, offset: int) -> Part | None:
        """Parse a listed colonia of two words or more behind a number."""
        index = document.word_at(offset)
        match = None
        if index < len(document) and document.starts[index] == offset:
            match = self.settlements.longest(document, index)
        if match is None or match[0] == index or not document.capital(index):
            return None
        place = self.places.longest(document, index)
        if place and place[0] >= match[0] and place[1].strength > 0:
            return None
        return Part(document.ends[match[0]], 0.3)

    def _unlisted_settlement(self, document: Document, index: int) -> Part | None:
        """Parse a capitalised run between the number and a postal code or a place."""
        named = self._names.parse(document, document.starts[index], "settlement")
        if named is None or named.evidence < 0.4 or document.words[index].isdigit():
            return None
        last = document.word_at(named.end) - 1
        place = self.places.longest(document, index)
        if (
            place
            and place[0] >= last
            and (place[1].strength > 0 or self._names.town_of_state(document, *place))
        ):
            return None
        gap = SEPARATOR.match(document.folded, named.end)
        assert gap is not None
        if CODE.match(document.folded, gap.end()):
            return Part(named.end, 0.3)
        return Part(named.end, 0.3) if self._place_behind(document, last) else None

    def _place_behind(self, document: Document, last: int) -> bool:
        """Tell whether a comma and a place stand behind a word."""
        if document.gap(last).strip(" \t") not in (",", "") or "\n" in document.gap(
            last
        ):
            return False
        index = last + 1
        if index >= len(document):
            return False
        match = self.places.longest(document, index)
        return match is not None and match[1].strength > 0
