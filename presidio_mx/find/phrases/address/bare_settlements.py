"""Colonias without an opening word: "Tajín 512, Narvarte", "por el rumbo de Obrera".

A name alone is no colonia. It is one where a list has it, where it opens as names of
colonias do ("Lomas de ..."), or where a postal code or a town follows; and it is none
where it is rather a town of its own.
"""

from dataclasses import dataclass

from presidio_mx.find.phrases.address.name_end import own_state_behind
from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.part import Part
from presidio_mx.find.phrases.address.patterns import (
    CODE,
    CODE_BEHIND,
    DATE_NAME,
    SEPARATED_END,
    SEPARATOR,
    SETTLEMENT_NOUNS,
)
from presidio_mx.find.phrases.address.settlements import section_end
from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.spanish.word_runs import WordTable
from presidio_mx.text.document import Document

# Evidence of a colonia behind "por el rumbo de", which needs hardly more.
_AREA = 0.6
# Of one behind a comma, known by its list, first word or date; and of one behind a
# number or link, or that no list has.
_BEHIND_COMMA = 0.4
_BEHIND_NUMBER = 0.3
# A name from this evidence on is capitalised or more.
_CLEAR_NAME = 0.4
# A place from this strength on is a town wherever it stands.
_SURE_PLACE = 1.0


@dataclass(frozen=True, slots=True)
class BareSettlements:
    """Parse colonias that no opening word tells.

    :param names: Parser of names.
    :param listed: Names of colonias.
    :param places: Names of places.
    :param stop: Labels that end an address.
    """

    names: AddressNames
    listed: WordTable[int]
    places: PlaceIndex
    stop: frozenset[str]

    def area(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia without "col." behind "por el rumbo de"."""
        index = document.word_at(offset)
        if not document.capital(index) or document.casing(index) != "mixed":
            return None
        noun = self._by_noun(document, index)
        if noun:
            return Part(noun.end, _AREA, "settlement")
        match = self.listed.longest(document, index)
        if match is None or document.words[index] in self.stop:
            return None
        if self._is_place(document, index, match[0]):
            return None
        return Part(document.ends[match[0]], _AREA, "settlement")

    def named_area(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia that no list has: "calle Lago 88 en la Ventura Puente,"."""
        index = document.word_at(offset)
        if index >= len(document) or not document.capital(index):
            return None
        named = self.names.parse(document, offset, "settlement")
        if named is None or named.evidence < _CLEAR_NAME:
            return None
        if not SEPARATED_END.match(document.folded, named.end):
            return None
        return Part(named.end, _BEHIND_NUMBER, "settlement")

    def listed_settlement(
        self, document: Document, offset: int, more_words: int = 1
    ) -> Part | None:
        """Parse a listed colonia behind a number: "calle 10 #45 Las Arboledas".

        :param document: The note.
        :param offset: Where it must begin.
        :param more_words: Least number of words behind its first.
        :return: The colonia.
        """
        index = document.word_at(offset)
        match = None
        if index < len(document) and document.starts[index] == offset:
            match = self.listed.longest(document, index)
        if match is None or not document.capital(index):
            return None
        if match[0] < index + more_words:
            return None
        if self._is_place(document, index, match[0]):
            return None
        return Part(document.ends[match[0]], _BEHIND_NUMBER)

    def behind_comma(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia without "col.", in the list, before a place or an end."""
        index = document.word_at(offset)
        if index >= len(document) or document.starts[index] != offset:
            return None
        noun = self._by_noun(document, index)
        if noun:
            return noun
        date = DATE_NAME.match(document.folded, offset)
        if date and self._place_behind(document, document.word_at(date.end()) - 1):
            return Part(date.end(), _BEHIND_COMMA)
        match = self.listed.longest(document, index)
        if match is None:
            return self._unlisted(document, index)
        if document.words[index] in self.stop:
            return None
        return self._by_list(document, index, match[0])

    def _by_list(self, document: Document, index: int, last: int) -> Part | None:
        """Parse a colonia of the list, unless it is rather a town."""
        if document.casing(index) == "mixed" and document.capital(index):
            named = self.names.parse(document, document.starts[index], "settlement")
            last = document.word_at(named.end) - 1 if named else last
        place = self.places.longest(document, index)
        if place and place[0] >= last and not self._rather_colonia(document, *place):
            return None
        if not self._place_behind(document, last) and not SEPARATED_END.match(
            document.folded, document.ends[last]
        ):
            return None
        return Part(document.ends[last], _BEHIND_COMMA)

    def _by_noun(self, document: Document, index: int) -> Part | None:
        """Parse a name that opens like a colonia's: "Lomas de Casa Blanca"."""
        if document.words[index] not in SETTLEMENT_NOUNS or not document.capital(index):
            return None
        named = self.names.parse(document, document.starts[index], "settlement")
        if named is None or named.end == document.ends[index]:
            return None
        place = self.places.longest(document, index)
        if place and document.ends[place[0]] >= named.end and place[1].strength > 0:
            return None
        end = section_end(document, named.end)
        return Part(end, _BEHIND_COMMA, "settlement")

    def _unlisted(self, document: Document, index: int) -> Part | None:
        """Parse a capitalised run between the number and a postal code or a place."""
        named = self.names.parse(document, document.starts[index], "settlement")
        if named is None or document.words[index].isdigit():
            return None
        last = document.word_at(named.end) - 1
        closed = self.names.ends.is_closed(document, last)
        if named.evidence < (0 if closed else _CLEAR_NAME):
            return None
        place = self.places.longest(document, index)
        if place and place[0] >= last:
            if place[1].strength > 0 or self._town_of_state(document, *place):
                return None
        gap = SEPARATOR.match(document.folded, named.end)
        assert gap is not None
        coded = CODE.match(document.folded, gap.end()) or (
            "," in gap[0] and CODE_BEHIND.match(document.folded, gap.end())
        )
        if coded or closed or self._place_behind(document, last):
            return Part(named.end, _BEHIND_NUMBER)
        return None

    def _is_place(self, document: Document, index: int, last: int) -> bool:
        """Tell whether a listed colonia is rather the name of a place."""
        place = self.places.longest(document, index)
        return place is not None and place[0] >= last and place[1].strength > 0

    def _rather_colonia(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a name that is a place's too is the colonia's before a place."""
        if place.is_state:
            return False
        if last + 1 >= len(document) or not self._place_behind(document, last):
            return False
        following = self.places.longest(document, last + 1)
        if following is None:
            return False
        town_end, town = following
        if place.strength >= _SURE_PLACE:
            # "La Cañada, El Marqués, Qro.": a town and its state follow.
            return not town.is_state and own_state_behind(
                self.places, document, town_end, town
            )
        return not (town.is_state and place.states & town.states)

    def _town_of_state(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether a town's state follows it, a comma between them or not."""
        joined = document.gap(last).strip() in ("", ",")
        return joined and own_state_behind(self.places, document, last, place)

    def _place_behind(self, document: Document, last: int) -> bool:
        """Tell whether a comma and a place stand behind a word, on the same line."""
        gap = document.gap(last)
        if gap.strip(" \t") not in (",", "") or "\n" in gap:
            return False
        if last + 1 >= len(document):
            return False
        match = self.places.longest(document, last + 1)
        return match is not None and match[1].strength > 0
