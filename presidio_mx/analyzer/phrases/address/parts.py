"""Components of an address: streets, numbers, units, colonias, roads, corners."""

import re
from dataclasses import dataclass, field

from presidio_mx.analyzer.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.lexicon import NAME, Flag, Lexicon
from presidio_mx.analyzer.note.wording import WordTable, entry_words
from presidio_mx.analyzer.phrases.address.names import AddressNames, Part
from presidio_mx.analyzer.phrases.address.patterns import (
    AND,
    AND_NUMBER,
    BARE,
    BARE_CODE,
    BETWEEN,
    BUILDING,
    CENTRE,
    CODE,
    CODE_BEHIND,
    CORNER,
    CORNER_FIRST,
    CROSSING,
    DATE_NAME,
    FIVE_DIGITS,
    HEIGHT,
    HOUSE,
    INSIDE,
    KILOMETRE,
    KM_OF,
    LEADING,
    NO_NUMBER,
    RANCHERIA,
    SECTION,
    SECTION_NAME,
    SEPARATED_END,
    SEPARATOR,
    SETTLEMENT_NOUNS,
    SIDED_NUMBER,
    SIDES,
    SIGNED,
    STRETCH,
    UNIT_VALUE,
    WHOLE,
)
from presidio_mx.analyzer.phrases.place.gazetteer import Place, PlaceIndex


@dataclass(slots=True)
class AddressParts:
    """Parse the components of addresses.

    Symbols that the rule file must define: ``street`` and ``street_weak`` (words that
    open a street, and those that do so only with more evidence), ``settlement`` and
    ``settlement_weak`` (colonia, fraccionamiento ...), ``road``, ``unit`` (what stands
    before an interior number), ``stop`` (labels that end an address), ``not_name``
    (words that are never the name of a street or colonia).

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
            colon = ":?" if name.startswith("settlement") else "(?:(?<=c)/)?"
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
        heads |= set("cp c codigo cod km kilometro rancheria rria ria".split())
        self._heads = frozenset(heads.union("en entre esq esquina casi".split(), SIDES))
        self._stop = frozenset(words_of("stop", self.symbols) or ())
        self._names = AddressNames(
            self._patterns,
            frozenset(heads),
            self._stop,
            frozenset(words_of("not_name", self.symbols) or ()),
            self.settlements,
            self.places,
        )

    def _street(self, document: Document, offset: int) -> Part | None:
        for name, strong in (("street", 0.4), ("street_weak", -0.2)):
            match = self._patterns[name].match(document.folded, offset)
            if not match:
                continue
            if self._attached(document, offset, match[0]):
                continue
            if match[0] == "and " and not document.capital(document.word_at(offset)):
                # "Timed Up and Go 31": the abbreviation of "andador" has a stop.
                continue
            named = self._names.parse(document, match.end(), "street")
            if named:
                if strong < 0 and named.evidence < 0.4:
                    strong = -0.4
                if (
                    "." in match[0]
                    and document.words[document.word_at(offset)] in WHOLE
                ):
                    # "sin saber calle. Huele": a sentence ends at the stop.
                    strong -= 0.3
                return Part(named.end, strong + named.evidence, "street")
        return None

    @staticmethod
    def _attached(document: Document, offset: int, opened: str) -> bool:
        """Tell whether an opening word is the end of another: "S.C.", "Epstein-Barr".

        "canal AV Rastelli": so written in a note in small letters, "AV" is no avenue.
        """
        folded = document.folded
        if offset and folded[offset - 1] in "-." and folded[offset - 2].isalpha():
            return True
        index = document.word_at(offset)
        return (
            len(opened.rstrip()) < 4
            and "." not in opened
            and len(document.words[index]) > 1
            and document.shouted(index)
            and document.casing(index) == "mixed"
            and index + 1 < len(document)
            and not document.shouted(index + 1)
        )

    def _street_after(self, document: Document, offset: int) -> Part | None:
        """Parse a street after a colonia or a lot ("Sm 94, Mza 15, calle Cedral")."""
        part = self._street(document, offset)
        if part is None or part.evidence > 0.5:
            return part
        if part.evidence > -0.4:
            # "Ranchería Río Seco 2da sección, cerrada Los Mangos s/n"
            end = self._separated(document, part.end)
            if NO_NUMBER.match(document.folded, end) or self._signed(document, end):
                return part
        return None

    def _settlement(self, document: Document, offset: int) -> Part | None:
        for name, strong in (("settlement", 0.4), ("settlement_weak", -0.2)):
            match = self._patterns[name].match(document.folded, offset)
            if not match or self._attached(document, offset, ""):
                continue
            section = SECTION.match(document.folded, match.end() - 1)
            if section and strong > 0:
                # "Infonavit 2a etapa"
                return Part(section.end(), 0.5, "settlement")
            named = self._names.parse(document, match.end(), "settlement")
            if named:
                index = document.word_at(offset)
                if "." in match[0] and match[0].split(".")[0] in WHOLE:
                    return None
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
        evidence = max(0.2, named.evidence - 0.2)
        if folded.startswith("salida", offset):
            # "por la salida a Quiroga": towards a place.
            before = folded[max(0, offset - 9) : offset]
            if before.endswith(("por la ", "en la ", "sobre la ")):
                evidence += 0.5
        return Part(named.end, evidence)

    def _road_after(self, document: Document, offset: int) -> Part | None:
        """Parse a road after a lot: "tablaje 1822, carretera Mérida-Progreso km 14"."""
        part = self._road(document, offset)
        return part if part and part.evidence > 0.3 else None

    def _unit(self, document: Document, offset: int) -> Part | None:
        match = self._patterns["unit"].match(document.folded, offset)
        if match is None:
            return None
        lot = document.folded.startswith(("m", "lo", "lt", "sm", "edif"), offset)
        return Part(match.end(), 0.4 if lot else 0.2)

    def _named_unit(self, document: Document, offset: int) -> Part | None:
        """Parse a building with a name: "torre Ceiba", "Edificio Tamaulipas"."""
        match = BUILDING.match(document.folded, offset)
        if match is None:
            return None
        index = document.word_at(match.end())
        if index >= len(document) or not document.capital(index):
            return None
        if document.flags[index] & Flag.MEDICAL:
            return None
        named = self._names.parse(document, match.end(), "street")
        return Part(named.end, 0.2, "number") if named else None

    def _rancheria(self, document: Document, offset: int) -> Part | None:
        """Parse a ranchería that has sections: "Ranchería Guineo 2da sección"."""
        match = RANCHERIA.match(document.folded, offset)
        if match is None:
            return None
        named = self._names.parse(document, match.end(), "settlement")
        section = SECTION.match(document.folded, named.end) if named else None
        return Part(section.end(), 1.0, "settlement") if section else None

    def _rancheria_behind(self, document: Document, offset: int) -> Part | None:
        """Parse a ranchería behind a street or kilometre, with sections or without."""
        part = self._rancheria(document, offset)
        match = None if part else RANCHERIA.match(document.folded, offset)
        if match is None:
            return part
        named = self._names.parse(document, match.end(), "settlement")
        return Part(named.end, 0.3, "settlement") if named else None

    def _named_area(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia that no list has: "calle Lago 88 en la Ventura Puente,"."""
        index = document.word_at(offset)
        if index >= len(document) or not document.capital(index):
            return None
        named = self._names.parse(document, offset, "settlement")
        if named is None or named.evidence < 0.4:
            return None
        if not SEPARATED_END.match(document.folded, named.end):
            return None
        return Part(named.end, 0.3, "settlement")

    def _inside(self, document: Document, offset: int) -> Part | None:
        """Parse "agencia" and "paraje", which are towns' where they stand alone."""
        match = INSIDE.match(document.folded, offset)
        if match is None:
            return None
        named = self._names.parse(document, match.end(), "street")
        return Part(named.end, 0.3, "settlement") if named else None

    def _section(self, document: Document, offset: int) -> Part | None:
        match = SECTION.match(document.folded, offset)
        if match is None:
            return None
        named = SECTION_NAME.match(document.folded, match.end())
        if named and document.capital(document.word_at(named.end())):
            name = self._names.parse(document, named.end(), "settlement")
            if name:
                return Part(name.end, 0.3, "settlement")
        return Part(match.end(), 0.3, "settlement")

    def _area(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia without "col." behind "por el rumbo de"."""
        index = document.word_at(offset)
        if not document.capital(index) or document.casing(index) != "mixed":
            return None
        noun = self._noun_settlement(document, index)
        if noun:
            return Part(noun.end, 0.6, "settlement")
        match = self.settlements.longest(document, index)
        if match is None or document.words[index] in self._stop:
            return None
        place = self.places.longest(document, index)
        if place and place[0] >= match[0] and place[1].strength > 0:
            return None
        return Part(document.ends[match[0]], 0.6, "settlement")

    def _height(self, document: Document, offset: int) -> Part | None:
        """Parse "a la altura de Haciendas del Valle"."""
        match = HEIGHT.match(document.folded, offset)
        if match is None:
            return None
        index = document.word_at(match.end())
        if index >= len(document) or not document.capital(index):
            return None
        end = self._crossed(document, match.end())
        return Part(end, 0.3) if end else None

    def _house(self, document: Document, offset: int) -> Part | None:
        match = HOUSE.match(document.folded, offset)
        return Part(match.end(), 0.3) if match else None

    def _postal_bare(self, document: Document, offset: int) -> Part | None:
        if document.folded[offset - 2 : offset] != ", ":
            return None
        match = CODE_BEHIND.match(document.folded, offset)
        return Part(match.end(), 0.3) if match else None

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
            return Part(second, 0.6, "corner") if second else None
        match = CORNER.match(folded, offset)
        second = self._crossed(document, match.end()) if match else None
        return Part(second, 0.5) if second else None

    def _corner_first(self, document: Document, offset: int) -> Part | None:
        """Parse "esquina de Hidalgo y Serdán", "esquina del callejón Zaragoza"."""
        match = CORNER_FIRST.match(document.folded, offset)
        if match is None:
            return None
        first = self._crossed(document, match.end())
        if first is None:
            return None
        opened = document.folded[match.end() : first]
        typed = any(
            self._patterns[name].match(opened) for name in ("street", "street_weak")
        )
        joint = AND.match(document.folded, first)
        second = self._crossed(document, joint.end()) if joint else None
        if second:
            return Part(second, 0.9)
        capital = document.capital(document.word_at(match.end()))
        return Part(first, 0.9 if typed else 0.5 if capital else 0.3)

    def _and_street(self, document: Document, offset: int) -> Part | None:
        """Parse the other street of a corner: "av. Juárez y 16 de Septiembre"."""
        if not document.folded.startswith(("y ", "e ", "con "), offset):
            return None
        number = AND_NUMBER.match(document.folded, offset)
        if number and (number["side"] or self._is_numbered(document, offset)):
            return Part(number.end(), 0.4)
        index = document.word_at(offset) + 1
        if index >= len(document):
            return None
        start = document.starts[index]
        street = self._street(document, start)
        if street and street.evidence >= 0.4:
            return Part(street.end, 0.4)
        date = DATE_NAME.match(document.folded, start)
        return Part(date.end(), 0.4) if date else None

    @staticmethod
    def _is_numbered(document: Document, offset: int) -> bool:
        """Tell whether the street before is a number: "calle 12 sur y 26"."""
        index = document.word_at(offset) - 1
        while index > 0 and document.words[index] in SIDES:
            index -= 1
        return document.words[index].isdigit()

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
        sided = SIDED_NUMBER.match(document.folded, offset)
        if sided:
            return sided.end()
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
        noun = self._noun_settlement(document, index)
        if noun:
            return noun
        date = DATE_NAME.match(document.folded, offset)
        if date and self._place_behind(document, document.word_at(date.end()) - 1):
            return Part(date.end(), 0.4)
        match = self.settlements.longest(document, index)
        if match is None:
            return self._unlisted_settlement(document, index)
        last = match[0]
        if document.words[index] in self._stop:
            return None
        if document.casing(index) == "mixed" and document.capital(index):
            named = self._names.parse(document, document.starts[index], "settlement")
            last = document.word_at(named.end) - 1 if named else last
        place = self.places.longest(document, index)
        if place and place[0] >= last and not self._rather_colonia(document, *place):
            return None
        if not self._place_behind(document, last) and not SEPARATED_END.match(
            document.folded, document.ends[last]
        ):
            return None
        return Part(document.ends[last], 0.4)

    def _noun_settlement(self, document: Document, index: int) -> Part | None:
        """Parse a name that opens like a colonia's: "Lomas de Casa Blanca"."""
        if document.words[index] not in SETTLEMENT_NOUNS or not document.capital(index):
            return None
        named = self._names.parse(document, document.starts[index], "settlement")
        if named is None or named.end == document.ends[index]:
            return None
        place = self.places.longest(document, index)
        if place and document.ends[place[0]] >= named.end and place[1].strength > 0:
            return None
        section = SECTION.match(document.folded, named.end)
        return Part(section.end() if section else named.end, 0.4, "settlement")

    def _rather_colonia(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a name that is a place's too is the colonia's before a place."""
        if place.is_state:
            return False
        following = (
            self.places.longest(document, last + 1)
            if (last + 1 < len(document) and self._place_behind(document, last))
            else None
        )
        if following is None:
            return False
        state = following[1]
        if place.strength >= 1.0:
            # "La Cañada, El Marqués, Qro.": a town and its state follow.
            return not state.is_state and self._names.own_state_behind(
                document, following[0], state
            )
        return not (state.is_state and place.states & state.states)

    def _listed_settlement(
        self, document: Document, offset: int, least: int = 1
    ) -> Part | None:
        """Parse a listed colonia of two words or more behind a number."""
        index = document.word_at(offset)
        match = None
        if index < len(document) and document.starts[index] == offset:
            match = self.settlements.longest(document, index)
        if match is None or not document.capital(index):
            return None
        if match[0] < index + least:
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
        if CODE.match(document.folded, gap.end()) or (
            "," in gap[0] and CODE_BEHIND.match(document.folded, gap.end())
        ):
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
