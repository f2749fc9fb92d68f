"""Addresses: one contiguous run of street, number, interior, colonia, postal code.

The parser knows the kinds of components; which words open them is data (the symbols of
``address.yaml``). It goes from component to component and stops where something else
begins: a place, a label, a telephone, the end of the sentence. Every component adds
evidence; a rule's left side adds its own (``prior``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.patterns import Symbols
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.address.bare_settlements import BareSettlements
from presidio_mx.find.phrases.address.before import (
    after_preposition,
    name_before,
    name_of_side,
    ordinal_before,
    sided_street,
)
from presidio_mx.find.phrases.address.chain import AddressChain, Lead
from presidio_mx.find.phrases.address.corners import Corners
from presidio_mx.find.phrases.address.name_end import NameEnd
from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.numbers import AddressNumbers
from presidio_mx.find.phrases.address.opening import Openings
from presidio_mx.find.phrases.address.patterns import CODE_BEHIND, SIDES
from presidio_mx.find.phrases.address.settlements import Settlements
from presidio_mx.find.phrases.address.streets import Streets
from presidio_mx.find.phrases.place.gazetteer import PlaceIndex
from presidio_mx.spanish.word_runs import WordTable
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Evidence of a rule's left side, unless the rule says otherwise.
_PRIOR = 0.4
# A name and its number before the opening word: "Tajín 512, col. Narvarte".
_NAME_BEFORE = 0.4
# "11 Sur 4503": three digits or more are a house number rather than a dose.
_LONG_NUMBER = 0.2
_LONG_NUMBER_DIGITS = 3
# A street that is named by a date must outweigh the date.
_DATED_DELTA = 0.1
_FEW = words("few")


@dataclass(frozen=True, slots=True)
class AddressPhrase:
    """Find addresses, at an offset or by their opening words.

    Options of rules: ``prior``, added to the evidence; ``free``: ``label`` or ``verb``
    where the address may begin with a bare street name, ``area`` where it may be a
    colonia's name alone.

    :param openings: Opening words of components.
    :param chain: Parser of the components.
    """

    openings: Openings
    chain: AddressChain

    @classmethod
    def of(
        cls, symbols: Symbols, settlements: WordTable[int], places: PlaceIndex
    ) -> "AddressPhrase":
        """Put the parsers of the components together.

        :param symbols: Symbols of the rule file; see :class:`Openings` for those that
            it must define.
        :param settlements: Names of colonias.
        :param places: Names of places.
        """
        openings = Openings.of(symbols)
        names = AddressNames(NameEnd(openings, settlements, places))
        streets = Streets(openings, names)
        chain = AddressChain(
            names=names,
            streets=streets,
            corners=Corners(openings, names, streets),
            numbers=AddressNumbers(openings, names),
            settlements=Settlements(openings, names),
            bare_settlements=BareSettlements(names, settlements, places, openings.stop),
        )
        return cls(openings, chain)

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the address that begins at an offset."""
        lead: Lead = options.get("free", "")
        prior = float(options.get("prior", _PRIOR))
        return self.chain.parse(document, offset, lead, prior)

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the addresses that begin with a word such as "calle" or "col."."""
        heads, starts = self.openings.search_heads, document.starts
        end = 0
        for index, word in enumerate(document.words):
            if word not in heads or starts[index] < end:
                continue
            if word == "en":
                mark = self._behind_en(document, index)
            elif word in SIDES:
                mark = self._before_side(document, index, end)
            else:
                mark = self._opened(document, index, end)
            if mark:
                yield mark
                end = mark.end

    def _opened(self, document: Document, index: int, limit: int) -> Mark | None:
        """Parse the address whose opening word stands at an index."""
        if document.words[index] == "calles" and _is_counted(document, index):
            return None
        here = document.starts[index]
        start = ordinal_before(document, here, limit)
        numbered = index > 0 and document.words[index - 1].isdigit()
        # "DIR. 2A PRIV." has an ordinal, "Juárez 88 piso 3" a number.
        before = None
        if numbered or start == here:
            before = name_before(document, index, limit)
        if before is None:
            mark = self.chain.parse(document, here, "", 0.0)
            return Mark(start, mark.end, mark.delta) if mark else None
        mark = self.chain.parse(document, here, "behind", _NAME_BEFORE)
        if mark is None:
            return None
        dated = _DATED_DELTA if document.folded[before].isdigit() else 0.0
        return Mark(before, mark.end, mark.delta + dated)

    def _behind_en(self, document: Document, index: int) -> Mark | None:
        """Parse a street without its type behind "en": "en Río Bravo 118, Estrella"."""
        following = index + 1
        if following >= len(document) or not document.capital(following):
            return None
        if not after_preposition(document, following):
            return None
        return self.chain.parse(document, document.starts[following], "verb", 0.0)

    def _before_side(self, document: Document, index: int, limit: int) -> Mark | None:
        """Parse a street by its side: "11 Sur 4503", "Insurgentes 118 Ote., 59000"."""
        if not index or not document.words[index - 1].isdigit():
            # "Sur 125-A 9, Col. los Cipreses"
            mark = self.chain.parse(document, document.starts[index], "verb", 0.0)
            before = name_of_side(document, index, limit) if mark else None
            return mark if before is None or not mark else mark._replace(start=before)
        if document.gap(index - 1) != " " or index + 1 >= len(document):
            return None
        number = document.words[index + 1]
        if not number.isdigit():
            return None
        code = CODE_BEHIND.match(document.folded, document.starts[index + 1])
        if code and "," in document.gap(index):
            before = sided_street(document, index, limit)
            return Mark(before, code.end()) if before is not None else None
        prior = _LONG_NUMBER if len(number) >= _LONG_NUMBER_DIGITS else 0.0
        return self.chain.parse(document, document.starts[index - 1], "verb", prior)


def _is_counted(document: Document, index: int) -> bool:
    """Tell whether streets are counted: "a dos calles de la iglesia"."""
    if not index:
        return False
    word = document.words[index - 1]
    return word.isdigit() or word in _FEW
