"""Addresses: one contiguous run of street, number, interior, colonia, postal code.

The parser knows the kinds of components; which words open them is data (the symbols of
``address.yaml``). It goes from component to component and stops where something else
begins: a place, a label, a telephone, the end of the sentence. Every component adds
evidence; a rule's left side adds its own (``prior``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.analyzer.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.phrase import Mark
from presidio_mx.analyzer.places import Place, PlaceIndex
from presidio_mx.analyzer.wording import (
    FUNCTION_WORDS,
    WordTable,
    entry_words,
    joined,
)
from presidio_mx.gazetteer import rows

# What an address needs to be one; a street with a capitalised name reaches it alone.
ENOUGH = 0.8
_MOST_COMPONENTS = 14
_PARTICLES = frozenset("de del la las los el".split())

_DIRECTION = (
    r"(?:norte|sur|oriente|poniente|este|oeste|nte|nor|ote|pte|ori|pon|[nso])\.?"
    r"(?![^\W\d_])"
)
_MONTH = (
    "(?:enero|ene|febrero|feb|marzo|mar|abril|abr|mayo|may|junio|jun|julio|jul|"
    "agosto|ago|septiembre|setiembre|sept|sep|octubre|oct|noviembre|nov|diciembre|dic)"
)
# "5 de Mayo", "20 de Nov.", "1o de Mayo"
_DATE_NAME = re.compile(
    rf"\d{{1,2}}(?:[ ]?(?:o|ro|ero)\.?)?\s{{1,2}}de\s{{1,2}}{_MONTH}\.?(?![^\W\d_])"
    r"(?:\s(?:de|del)\s1[789]\d\d(?!\d))?"
)
# "calle 21", "55-A", "3a. Oriente Sur", "16 Norte"
_NUMBER_NAME = re.compile(
    r"\d{1,3}(?:[ ]?-[ ]?[a-z](?![a-z\d])|[a-z](?![a-z\d])|[ ]?(?:ra|da|ta|er|na|va)"
    rf"(?![a-z\d])\.?)?\.?(?:[ ]{{1,2}}(?:bis|{_DIRECTION})){{0,2}}(?![\d/:%])"
)
_END = r"(?![^\W_])"
_DIGITS = (
    r"\d{1,5}(?:[ ]?[-/][ ]?(?:\d{1,4}[a-z]?|[a-z]\d{0,3})|[a-z]{1,3}|"
    r"[ ][a-dfgh](?=[,.;\n]))?" + _END
)
_SIDE = (
    r"(?:[ ]{1,2}(?:bis|altos?|bajos|interior|norte|sur|oriente|poniente|(?:nte|ote|"
    r"pte)\.?)(?![^\W_]))?"
)
# Zero and the letter o, one and the letter l are mixed up by scanners.
_SIGNED = re.compile(
    r"(?:(?:no|num|nro|n)\b\.?o?|numero|#)[ ]{0,2}(?:ext(?:erior)?\b\.?)?"
    rf"[ ]?:?[ ]{{0,2}}#?[ ]?[ol]?{_DIGITS}{_SIDE}"
)
_BARE = re.compile(
    rf"{_DIGITS}{_SIDE}(?!\d|[.,/:]\d|[ ]?(?:%|anos?\b|mg\b|ml\b|kg\b|cm\b|mm\b|hrs?\b|"
    r"h\b|dias?\b|mcg\b|ui\b|meses\b|semanas\b|veces\b|x[ ]?'|lpm\b|pesos\b|minutos\b|"
    r"min\b|metros\b|km\b|kms\b|cuadras\b|hijos\b|personas\b|de[ ](?:[a-z]{3,10})[ ]))"
)
_NO_NUMBER = re.compile(
    r"(?:s[ ]?[/.\\-][ ]?n(?:[o°]\b|um(?:ero)?\b)?\.?|sn|"
    r"sin[ ]{1,2}(?:numero|num\.?|no\.)|domicilio[ ]conocido|conocido)" + _END
)
_CODE = re.compile(
    r"(?:c[ ]?\.?[ ]?p[ ]?\.?|cod(?:igo)?\.?[ ]{1,2}postal)[ ]{0,2}[:.#]?[ ]{0,2}"
    r"[o\d][\dol]{4}" + _END
)
_BARE_CODE = re.compile(r"\d{5}(?=[ ]{0,3}(?:[,.;\n(-]|$|[a-z]))")
_AND = re.compile(r"[ ]{1,2}(?:y|e|con)[ ]{1,2}")
_BETWEEN = re.compile(
    r"(?:(?:en)?tre|e/|entre[ ]las?|entre[ ]calles?)[ ]{1,2}(?:(?:las?[ ])?calles?[ ])?"
    r"(?:de[ ])?(?:la[ ])?"
)
_CROSSING = re.compile(
    r"(?:x|por|entre|e/)[ ]{0,2}\d{1,3}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?"
    r"(?:[ ]{0,2}(?:y|e|con)[ ]{0,2}\d{1,3}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?)?"
    r"(?![^\W_]|[ ]?(?:mg|ml|cm|dias|meses|min|hrs?|veces|ocasion))"
)
_CORNER = re.compile(
    r"(?:(?:en[ ])?(?:la[ ])?esq(?:uina)?\.?)[ ]{1,2}(?:con[ ]|de[ ])?(?:(?:la|el)[ ])?"
)
_STRETCH = re.compile(r"[ ]{0,2},[ ](?:en[ ]el[ ])?tramo[ ](?:carretero[ ])?")
_KILOMETRE = re.compile(
    r"(?:a[ ]la[ ]altura[ ]del?[ ]|en[ ]el[ ])?(?:km|kilometro)s?\.?[ ]{0,2}"
    r"\d{1,4}(?:[ ]?\+[ ]?\d{1,3}|\.\d{1,3})?(?!\d|[.,]\d|[:%/])"
)
_KM_OF = re.compile(r"[ ,]{1,2}(?:de[ ]|por[ ])?(?:(?:la|el)[ ])?")
_CENTRE = re.compile(
    r"(?:zona[ ]{1,2})?centro(?:[ ]historico|[ ]de[ ]la[ ]ciudad)?(?![^\W\d_])"
)
_SECTION = re.compile(
    r"[ ,]{0,3}(?:(?:[1-9](?:a|ra|da|ta|na|va|o|er)?\.?|i{1,3}|iv|v|vi|primera|segunda|"
    r"tercera|cuarta|quinta|sexta)[ ](?:secc?(?:ion)?\.?|etapa|sector|ampliacion)|"
    r"(?:secc?(?:ion)?\.?|etapa|sector)[ ](?:[1-9]\d?|i{1,3}|iv|v|vi|primera|segunda|"
    r"tercera|cuarta|quinta|[a-f]))" + _END
)
_SEPARATOR = re.compile(r"[ \t]{0,3}[,.;:/-]?[ \t]{0,3}(?:\r?\n[ \t]{0,4})?")
_ORDINAL_BEFORE = re.compile(
    r"(?<![^\W_])(?:\d{1,2}[ ]?(?:a|ra|da|ta|na|o|er|do|to)?\.?|primera?|segund[ao]|"
    r"tercera?|cuart[ao]|quint[ao])[ ]{1,2}$"
)
_PROLONGED = re.compile(r"(?<![^\W_])prol(?:ongacion)?\.?[ ]{1,2}(?:de[ ](?:la[ ])?)?$")


@dataclass(frozen=True, slots=True)
class _Part:
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
    _not_name: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Compile the opening words."""
        lists = ("street", "street_weak", "settlement", "settlement_weak", "road")
        for name in lists:
            colon = ":?" if name.startswith("settlement") else "/?"
            self._patterns[name] = compile_pattern(
                f"{{{name}}}\\.?[ \\t]{{0,3}}{colon}[ \\t]{{0,3}}(?:\\n[ ]{{0,2}})?",
                self.symbols,
            )
        value = (
            r"[ ]{0,2}(?:no\b\.?|num\b\.?|#|numero)?[ ]{0,2}"
            r"(?:\d{1,4}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?(?:-\d{1,4})?|"
            r"(?:i{1,3}|iv|vi{0,3}|ix|x)\b|[a-z](?:[ ]?-?[ ]?\d{1,4})?"
            r"(?:-\d{1,3})?)" + _END
        )
        self._patterns["unit"] = compile_pattern(
            r"(?:{unit}\.?" + value + r"|[ml]\.?[ ]{0,2}\d{1,3}(?![^\W_]))",
            self.symbols,
        )
        heads = {
            words[0]
            for name in (*lists, "unit")
            for words in map(entry_words, words_of(name, self.symbols) or ())
        }
        self._heads = frozenset(heads | {"cp", "c", "codigo", "cod", "km", "kilometro"})
        self._stop = frozenset(words_of("stop", self.symbols) or ())
        self._not_name = frozenset(words_of("not_name", self.symbols) or ())

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
        for pattern in (_ORDINAL_BEFORE, _PROLONGED):
            low = max(limit, start - 24)
            match = pattern.search(document.folded[low:start])
            if match:
                start = low + match.start()
        return start

    @staticmethod
    def _street_before(document: Document, start: int, limit: int) -> int:
        """Return where a street without its type begins: "Tajín 512, Col. Narvarte"."""
        low = max(limit, start - 70)
        match = _STREET_BEFORE.search(document.folded[low:start])
        if match is None or not document.text[low + match.start("street")].isupper():
            return start
        first = document.word_at(low + match.start("street"))
        words = document.words_in(
            low + match.start("street"), low + match.end("street")
        )
        casing = document.casing(first)
        for index in words:
            word = document.words[index]
            if word in _PARTICLES or word.isdigit():
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

    def _first(self, document: Document, offset: int, free: str) -> _Part | None:
        openers: list[Callable[[Document, int], _Part | None]] = [
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

    def _next(self, document: Document, end: int, kind: str) -> _Part | None:
        """Return the component that follows one of a kind, after one separator."""
        folded = document.folded
        gap = _SEPARATOR.match(folded, end)
        assert gap is not None
        offset = gap.end()
        if offset >= len(folded) or (offset == end and folded[end].isalpha()):
            return None
        link = _LINK.match(folded, offset)
        if link:
            part = self._settlement(document, link.end())
            if part:
                return part
        hard = "\n" in gap[0] or "." in gap[0] or ";" in gap[0]
        settled = kind == "settlement" and "," in gap[0]
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
    ) -> Iterator[Callable[[Document, int], _Part | None]]:
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

    def _street(self, document: Document, offset: int) -> _Part | None:
        for name, strong in (("street", 0.4), ("street_weak", -0.2)):
            match = self._patterns[name].match(document.folded, offset)
            if not match:
                continue
            named = self._name(document, match.end(), "street")
            if named:
                if strong < 0 and named.evidence < 0.4:
                    strong = -0.4
                return _Part(named.end, strong + named.evidence, "street")
        return None

    def _street_after(self, document: Document, offset: int) -> _Part | None:
        """Parse a street after a colonia or a lot ("Sm 94, Mza 15, calle Cedral")."""
        part = self._street(document, offset)
        return part if part and part.evidence > 0.5 else None

    def _settlement(self, document: Document, offset: int) -> _Part | None:
        for name, strong in (("settlement", 0.4), ("settlement_weak", -0.2)):
            match = self._patterns[name].match(document.folded, offset)
            if not match:
                continue
            named = self._name(document, match.end(), "settlement")
            if named:
                index = document.word_at(offset)
                if index and document.words[index - 1] in _LEADING:
                    strong += 0.4 if "." in match[0] else 0.2
                section = _SECTION.match(document.folded, named.end)
                end = section.end() if section else named.end
                return _Part(end, strong + named.evidence, "settlement")
        return None

    def _road(self, document: Document, offset: int) -> _Part | None:
        """Parse a road with a kilometre, in either order."""
        folded = document.folded
        kilometre = _KILOMETRE.match(folded, offset)
        if kilometre and (offset == 0 or folded[offset - 1] != "/"):
            link = _KM_OF.match(folded, kilometre.end())
            start = link.end() if link else kilometre.end()
            road = self._patterns["road"].match(folded, start)
            if not road:
                return None
            named = self._name(document, road.end(), "road")
            return _Part(named.end if named else road.end(), 1.0)
        road = self._patterns["road"].match(folded, offset)
        if not road:
            return None
        named = self._name(document, road.end(), "road")
        if named is None:
            return None
        return _Part(named.end, max(0.2, named.evidence - 0.2))

    def _unit(self, document: Document, offset: int) -> _Part | None:
        match = self._patterns["unit"].match(document.folded, offset)
        if match is None:
            return None
        lot = document.folded.startswith(("m", "lo", "lt", "sm", "edif"), offset)
        return _Part(match.end(), 0.4 if lot else 0.2)

    def _postal(self, document: Document, offset: int) -> _Part | None:
        match = _CODE.match(document.folded, offset)
        return _Part(match.end(), 0.9) if match else None

    def _signed(self, document: Document, offset: int) -> _Part | None:
        match = _SIGNED.match(document.folded, offset)
        if not match:
            match = _NO_NUMBER.match(document.folded, offset)
        return _Part(match.end(), 0.6, "number") if match else None

    def _number(self, document: Document, offset: int) -> _Part | None:
        match = _BARE.match(document.folded, offset)
        if match and _FIVE_DIGITS.fullmatch(match[0]):
            # A postal code without its letters; behind a gap it stands alone.
            if document.folded[max(0, offset - 3) : offset].isspace() or (
                not _BARE_CODE.match(document.folded, offset)
            ):
                return None
        return _Part(match.end(), 0.4, "number") if match else None

    def _kilometre(self, document: Document, offset: int) -> _Part | None:
        match = _KILOMETRE.match(document.folded, offset)
        if match is None:
            return None
        stretch = _STRETCH.match(document.folded, match.end())
        named = self._name(document, stretch.end(), "road") if stretch else None
        return _Part(named.end if named else match.end(), 0.8)

    def _centre(self, document: Document, offset: int) -> _Part | None:
        match = _CENTRE.match(document.folded, offset)
        return _Part(match.end(), 0.3) if match else None

    def _between(self, document: Document, offset: int) -> _Part | None:
        folded = document.folded
        crossing = _CROSSING.match(folded, offset)
        if crossing and not folded.startswith("entre", offset):
            return _Part(crossing.end(), 0.5)
        match = _BETWEEN.match(folded, offset)
        if match:
            first = self._crossed(document, match.end())
            joint = _AND.match(folded, first) if first else None
            second = self._crossed(document, joint.end()) if joint else None
            return _Part(second, 0.6) if second else None
        match = _CORNER.match(folded, offset)
        second = self._crossed(document, match.end()) if match else None
        return _Part(second, 0.5) if second else None

    def _and_street(self, document: Document, offset: int) -> _Part | None:
        """Parse the other street of a corner: "av. Juárez y 16 de Septiembre"."""
        if not document.folded.startswith(("y ", "e "), offset):
            return None
        index = document.word_at(offset) + 1
        if index >= len(document):
            return None
        start = document.starts[index]
        street = self._street(document, start)
        if street and street.evidence >= 0.4:
            return _Part(street.end, 0.4)
        date = _DATE_NAME.match(document.folded, start)
        return _Part(date.end(), 0.4) if date else None

    def _two_names(self, document: Document, offset: int) -> _Part | None:
        """Parse the crossing streets of "Calle 12 Bravo y Allende #1105"."""
        first = self._crossed(document, offset)
        joint = _AND.match(document.folded, first) if first else None
        second = self._crossed(document, joint.end()) if joint else None
        if second is None or not document.text[offset].isupper():
            return None
        number = self._signed(document, self._separated(document, second))
        return _Part(second, 0.3) if number else None

    def _crossed(self, document: Document, offset: int) -> int | None:
        """Return where the name of a crossing street ends."""
        for name in ("street", "street_weak"):
            match = self._patterns[name].match(document.folded, offset)
            if match:
                named = self._name(document, match.end(), "crossing")
                if named:
                    return named.end
        named = self._name(document, offset, "crossing")
        return named.end if named else None

    def _bare_street(self, document: Document, offset: int, free: str) -> _Part | None:
        """Parse a street without its type, where a label or verb stands before."""
        named = self._name(document, offset, "bare")
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
        return _Part(named.end, 0.2)

    @staticmethod
    def _separated(document: Document, end: int) -> int:
        gap = _SEPARATOR.match(document.folded, end)
        assert gap is not None
        return gap.end()

    def _bare_settlement(self, document: Document, offset: int) -> _Part | None:
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
        if not self._place_behind(document, last) and not _SEPARATED_END.match(
            document.folded, document.ends[last]
        ):
            return None
        return _Part(document.ends[last], 0.4)

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

    def _listed_settlement(self, document: Document, offset: int) -> _Part | None:
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
        return _Part(document.ends[match[0]], 0.3)

    def _unlisted_settlement(self, document: Document, index: int) -> _Part | None:
        """Parse a capitalised run between the number and a postal code or a place."""
        named = self._name(document, document.starts[index], "settlement")
        if named is None or named.evidence < 0.4 or document.words[index].isdigit():
            return None
        last = document.word_at(named.end) - 1
        place = self.places.longest(document, index)
        if (
            place
            and place[0] >= last
            and (place[1].strength > 0 or self._town_of_state(document, *place))
        ):
            return None
        gap = _SEPARATOR.match(document.folded, named.end)
        assert gap is not None
        if _CODE.match(document.folded, gap.end()):
            return _Part(named.end, 0.3)
        return _Part(named.end, 0.3) if self._place_behind(document, last) else None

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

    # ------------------------------------------------------------------ names

    def _name(self, document: Document, offset: int, kind: str) -> _Part | None:
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
        index = self._behind_of(document, index, kind)
        first = document.starts[index]
        if kind == "settlement":
            listed = self.settlements.longest(document, index)
            if listed and document.words[index] not in self._not_name:
                return self._listed(document, index, listed[0])
        last = self._last_word(document, index, kind)
        if last < index:
            return None
        end = self._with_stop(document, last)
        if document.folded[end : end + 1] == '"' and start != offset:
            end += 1
        if kind != "settlement":
            direction = _NAME_SIDE.match(document.folded, end)
            end = direction.end() if direction else end
        return _Part(end, self._name_evidence(document, index, last, first))

    def _listed(self, document: Document, first: int, last: int) -> _Part:
        """Return a listed colonia, with a capitalised run that goes on behind it."""
        grown = self._last_word(document, first, "settlement")
        if document.casing(first) == "mixed" and document.capital(first):
            last = max(last, grown)
        elif grown > last and not self.places.longest(document, last + 1):
            last = grown
        evidence = 0.6 if document.capital(first) else 0.5
        return _Part(document.ends[last], evidence)

    def _numbered(self, document: Document, index: int, kind: str) -> _Part | None:
        start = document.starts[index]
        match = _DATE_NAME.match(document.folded, start)
        if match:
            return _Part(match.end(), 0.6)
        if kind == "settlement":
            return None
        match = _NUMBER_NAME.match(document.folded, start)
        if match is None:
            return None
        if kind == "bare" and not _BARE_NUMBERED.match(document.folded, start):
            return None
        end = match.end()
        if document.folded[end - 1] == "." and "." not in match[0][:-1]:
            end -= match[0][-2].isdigit()
        return _Part(end, 0.2)

    def _behind_of(self, document: Document, index: int, kind: str) -> int:
        """Return the word behind "de", "de la", "del", "los" at the head of a name."""
        for _ in range(3):
            if (
                (
                    document.words[index] in _PARTICLES
                    or (kind == "road" and document.words[index] in _ROAD_PARTICLES)
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
                word in _PARTICLES or (kind == "road" and word in _ROAD_PARTICLES)
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
        return joined(document, index)

    def _may_be_name(
        self, document: Document, here: int, first: int, capital: bool, kind: str
    ) -> bool:
        word, folded = document.words[here], document.folded
        start = document.starts[here]
        if word == "y":
            return (
                capital
                and kind != "crossing"
                and here > first
                and here + 1 < len(document)
                and document.capital(here + 1)
                and not self._patterns["street"].match(
                    folded, document.starts[here + 1]
                )
            )
        if word.isdigit() or (word == "altura" and kind == "road"):
            return False
        if word in FUNCTION_WORDS or (here == first and word in self._not_name):
            return False
        if word in self._stop and not (here == first and capital):
            return False
        if here > first and self._component(folded, start, word):
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

    def _component(self, folded: str, start: int, word: str) -> bool:
        """Tell whether another component begins at a word."""
        if word not in self._heads and word not in (
            "entre",
            "esq",
            "esquina",
            "sn",
            "s",
        ):
            return word in ("no", "num", "numero", "nro")
        return bool(
            self._patterns["settlement"].match(folded, start)
            or self._patterns["unit"].match(folded, start)
            or _CODE.match(folded, start)
            or _NO_NUMBER.match(folded, start)
            or _KILOMETRE.match(folded, start)
            or word in ("entre", "esq", "esquina")
        )

    def _town_behind(self, document: Document, first: int, here: int) -> bool:
        """Tell whether "de" leads on to the town: "col. La Ciénega de Tlalnepantla"."""
        if document.words[here] != "de" or here + 1 >= len(document):
            return False
        match = self.places.longest(document, here + 1)
        if match is None or match[1].strength < 1.0:
            return False
        if self._own_state_behind(document, *match):
            return True
        if document.words[here - 1] in _SETTLEMENT_NOUNS:
            return False
        article = first > 0 and document.words[first - 1] in _PARTICLES
        return any(
            listed is not None and listed[0] == here - 1
            for listed in (
                self.settlements.longest(document, first),
                self.settlements.longest(document, first - article),
            )
        )

    def _town_of_state(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a town's state follows it, a comma between them or not."""
        return document.gap(last).strip() in ("", ",") and self._own_state_behind(
            document, last, place
        )

    def _own_state_behind(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a state that a place lies in follows it."""
        if last + 1 >= len(document) or len(document.gap(last)) > 3:
            return False
        state = self.places.longest(document, last + 1)
        return bool(state and state[1].is_state and place.states & state[1].states)

    def _place_ends(self, document: Document, here: int, last: int, kind: str) -> bool:
        """Tell whether a town, not the name, goes on at a word.

        "COL SANTA CRUZ LEON GTO": a state follows the town, or the address ends there.
        """
        if last != here - 1 or kind == "road":
            # Behind "de" the town is part of the name: "Camino Real de Colima".
            return False
        match = self.places.longest(document, here)
        if match is None:
            return False
        end, place = match
        if place.is_state and place.short:
            return place.strength > 0
        if self._own_state_behind(document, end, place):
            return True
        if kind != "settlement" and document.casing(here) == "mixed":
            return False
        return place.strength >= 1.0 and not joined(document, end)

    @staticmethod
    def _with_stop(document: Document, last: int) -> int:
        """Return the end of a name, the full stop of an abbreviation included."""
        return document.ends[last]

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


_LINK = re.compile(r"(?:de|en)[ ](?:la|el)[ ](?=col|fracc|barrio|unidad|ejido)")
_STREET_BEFORE = re.compile(
    r"(?:^|[\n,;:(.]|(?<![^\W_])(?:en|de|a|con|por|domicilio))[ \t]{0,3}"
    r"(?P<street>(?:[a-z]{2,14}\.?[ ]){1,5}(?:(?:no|num|numero)\b\.?[ ]?|#[ ]?)?"
    r"(?:\d{1,5}(?:[ ]?-[ ]?[a-z0-9]{1,3}|[a-z])?|s/n)"
    r"(?:[ ](?:bis|altos|bajos|ote|pte|nte|norte|sur|oriente|poniente)\.?)?)[ ]{0,2},?[ ]{0,2}$"
)
# "Lomas de Santiaguito" is one name, "La Ciénega de Tlalnepantla" a name and its town.
_SETTLEMENT_NOUNS = frozenset(
    """lomas villas villa jardines jardin bosques bosque hacienda haciendas rincon
    rinconada colinas valle valles puerta puertas prados paseos arcos fuentes ampliacion
    real praderas misiones parques portal portales riberas cumbres balcones""".split()
)
_FIVE_DIGITS = re.compile(r"\d{5}")
_ROAD_PARTICLES = frozenset("a al hacia".split())
_LEADING = frozenset("la en x por de del el al".split())
_NAME_SIDE = re.compile(r"[ ](?:norte|sur|oriente|poniente|nte|ote|pte)\b\.?(?![^\W_])")
_BARE_NUMBERED = re.compile(
    r"\d{1,3}[ ]?(?:a|ra|da|ta|na|va)?\.?[ ](?:norte|sur|oriente|poniente|nte|ote|pte|"
    r"calle|avenida|av\b|privada|priv\b)"
)
_SEPARATED_END = re.compile(r"[ \t]{0,3}(?:$|[\n,.;:(|]|[ ]{2}|tel|cel|c\.?p)")
