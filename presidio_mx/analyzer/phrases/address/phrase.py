"""Addresses: one contiguous run of street, number, interior, colonia, postal code.

The parser knows the kinds of components; which words open them is data (the symbols of
``address.yaml``). It goes from component to component and stops where something else
begins: a place, a label, a telephone, the end of the sentence. Every component adds
evidence; a rule's left side adds its own (``prior``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from presidio_mx.analyzer.grammar.phrase import Mark
from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.analyzer.phrases.address.before import (
    after_preposition,
    name_before,
    ordinal_before,
    sided_street,
)
from presidio_mx.analyzer.phrases.address.names import Part
from presidio_mx.analyzer.phrases.address.parts import AddressParts
from presidio_mx.analyzer.phrases.address.patterns import (
    CODE_BEHIND,
    LINK,
    LINK_NAME,
    SEPARATOR,
    SIDES,
)

# What an address needs to be one; a street with a capitalised name reaches it alone.
ENOUGH = 0.8
_MOST_COMPONENTS = 14
# Behind "en", and before a side, a street may stand without its type.
_UNOPENED = SIDES | {"en"}


@dataclass(slots=True)
class AddressPhrase(AddressParts):
    """Put the components of addresses together.

    Options of rules: ``prior``, added to the evidence; ``free``: ``label`` or ``verb``
    where the address may begin with a bare street name, ``area`` where it may be a
    colonia's name alone.
    """

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
            if word in _UNOPENED:
                mark = self._unopened(document, index, word, end)
            else:
                mark = self._opened(document, index, end)
            if mark:
                yield mark
                end = mark.end

    @staticmethod
    def _counted(document: Document, index: int) -> bool:
        """Tell whether streets are counted: "a dos calles de la iglesia"."""
        word = document.words[index - 1]
        return word.isdigit() or word in ("dos", "tres", "cuatro", "cinco", "pocas")

    def _opened(self, document: Document, index: int, limit: int) -> Mark | None:
        """Parse the address whose opening word stands at an index."""
        if document.words[index] == "calles" and index:
            if self._counted(document, index):
                return None
        here = document.starts[index]
        start = ordinal_before(document, here, limit)
        bare = index > 0 and document.words[index - 1].isdigit()
        # "DIR. 2A PRIV." has an ordinal, "Juárez 88 piso 3" a number.
        before = None
        if bare or start == here:
            before = name_before(document, index, limit)
        if before is None:
            mark = self._address(document, here, "", 0.0)
            return Mark(start, mark.end, mark.delta) if mark else None
        mark = self._address(document, here, "behind", 0.4)
        if mark is None:
            return None
        # A street that is named by a date must outweigh the date.
        dated = 0.1 if document.folded[before].isdigit() else 0.0
        return Mark(before, mark.end, mark.delta + dated)

    def _unopened(
        self, document: Document, index: int, word: str, limit: int
    ) -> Mark | None:
        """Parse "en Río Bravo 118, Estrella" and "11 Sur 4503, col. Prados"."""
        if word == "en":
            following = index + 1
            if following >= len(document) or not document.capital(following):
                return None
            if not after_preposition(document, following):
                return None
            return self._address(document, document.starts[following], "verb", 0.0)
        if not index or not document.words[index - 1].isdigit():
            return None
        if document.gap(index - 1) != " " or index + 1 >= len(document):
            return None
        if not document.words[index + 1].isdigit():
            return None
        code = CODE_BEHIND.match(document.folded, document.starts[index + 1])
        if code and "," in document.gap(index):
            # "Insurgentes 118 Ote., 59000"
            before = sided_street(document, index, limit)
            return Mark(before, code.end()) if before is not None else None
        start = document.starts[index - 1]
        digits = len(document.words[index + 1]) > 2
        return self._address(document, start, "verb", 0.2 if digits else 0.0)

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
            self._rancheria,
            self._named_unit,
        ]
        if free == "behind":
            openers.append(self._between)
        else:
            openers.insert(0, self._corner_first)
        for opener in openers:
            part = opener(document, offset)
            if part and part.evidence < ENOUGH and opener == self._road:
                # "Libramiento Noroeste": a street where no kilometre follows.
                street = self._street(document, offset)
                if street and street.evidence > part.evidence:
                    return street
            if part:
                return part
        if free == "area":
            return self._area(document, offset)
        if free in ("label", "verb"):
            return self._bare_street(document, offset, free)
        return None

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
        link = LINK_NAME.match(folded, offset)
        if link and kind in ("number", "corner"):
            part = self._listed_settlement(document, link.end(), 0)
            part = part or self._named_area(document, link.end())
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
        yield self._named_unit
        yield self._section
        yield self._rancheria_behind
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
                yield self._height
            yield self._street_after
            yield self._road_after
            yield self._centre
            yield self._house
            yield self._inside
        if kind != "street":
            yield self._postal_bare
