"""Streets and roads in an address."""

from dataclasses import dataclass

from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.numbers import signed_number
from presidio_mx.find.phrases.address.opening import (
    Opening,
    Openings,
    is_attached,
    is_surname,
)
from presidio_mx.find.phrases.address.part import Part
from presidio_mx.find.phrases.address.patterns import (
    ALSO_CALLED,
    KILOMETRE,
    KM_OF,
    NO_NUMBER,
    behind_separator,
)
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Evidence of an opening word: "calle" opens a street only, "paseo" many a sentence.
_OPENINGS: tuple[tuple[Opening, float], ...] = (
    ("street", 0.4),
    ("street_weak", -0.2),
)
# "privada" before a name that says little itself.
_WEAK_BEFORE_WEAK = -0.4
# A name from this evidence on says much: a capital, a date, a numbered side.
_CLEAR_NAME = 0.4
# "sin saber calle. Huele": a sentence ends at the stop.
_STOP_BEHIND_WHOLE_WORD = -0.3
_IN_FULL = words("opening_in_full")

# Behind a colonia or lot a street counts from the first on by itself, from the second
# on where it has a number.
_STREET_AFTER = 0.5
_STREET_AFTER_WITH_NUMBER = -0.4

# A road with its kilometre is an address by itself, one without needs more.
_ROAD_WITH_KILOMETRE = 1.0
_ROAD_LEAST = 0.2
_ROAD_LOSS = 0.2
_ROAD_AFTER_LOT = 0.3
# "por la salida a Quiroga": towards a place.
_EXIT = 0.5
_BEFORE_EXIT = ("por la ", "en la ", "sobre la ")
_BEFORE_EXIT_WIDTH = max(map(len, _BEFORE_EXIT))


@dataclass(frozen=True, slots=True)
class Streets:
    """Parse streets and roads with their types.

    :param openings: Opening words of components.
    :param names: Parser of names.
    """

    openings: Openings
    names: AddressNames

    def street(self, document: Document, offset: int) -> Part | None:
        """Parse a street from its type to the end of its name."""
        for opening, evidence in _OPENINGS:
            match = self.openings.match(opening, document, offset)
            if not match or is_attached(document, offset, match[0]):
                continue
            if is_surname(document, offset):
                continue
            index = document.word_at(offset)
            if match[0] == "and " and not document.capital(index):
                # "Timed Up and Go 31": the abbreviation of "andador" has a stop.
                continue
            named = self.names.parse(document, match.end(), "street")
            if named is None:
                continue
            if opening == "street_weak" and named.evidence < _CLEAR_NAME:
                evidence = _WEAK_BEFORE_WEAK
            if "." in match[0] and document.words[index] in _IN_FULL:
                evidence += _STOP_BEHIND_WHOLE_WORD
            return Part(named.end, evidence + named.evidence, "street")
        return None

    def also_called(self, document: Document, offset: int) -> Part | None:
        """Parse how else a street is called: "calle 23 (Av. Principal)"."""
        match = ALSO_CALLED.match(document.folded, offset)
        if match and self.openings.match("street", document, match.start("name")):
            return Part(match.end(), 0.0, "street")
        return None

    def street_after(self, document: Document, offset: int) -> Part | None:
        """Parse a street after a colonia or a lot ("Sm 94, Mza 15, calle Cedral")."""
        part = self.street(document, offset)
        if part is None or part.evidence > _STREET_AFTER:
            return part
        if part.evidence > _STREET_AFTER_WITH_NUMBER:
            # "Ranchería Río Seco 2da sección, cerrada Los Mangos s/n"
            end = behind_separator(document.folded, part.end)
            if NO_NUMBER.match(document.folded, end) or signed_number(document, end):
                return part
        return None

    def road(self, document: Document, offset: int) -> Part | None:
        """Parse a road, with a kilometre before it or without."""
        folded = document.folded
        kilometre = KILOMETRE.match(folded, offset)
        if kilometre and (offset == 0 or folded[offset - 1] != "/"):
            return self._road_of_kilometre(document, kilometre.end())
        road = self.openings.match("road", document, offset)
        if not road:
            return None
        named = self.names.parse(document, road.end(), "road")
        if named is None:
            return None
        evidence = max(_ROAD_LEAST, named.evidence - _ROAD_LOSS)
        before = folded[max(0, offset - _BEFORE_EXIT_WIDTH) : offset]
        if folded.startswith("salida", offset) and before.endswith(_BEFORE_EXIT):
            evidence += _EXIT
        return Part(named.end, evidence)

    def _road_of_kilometre(self, document: Document, end: int) -> Part | None:
        """Parse the road behind its kilometre: "km 5 de la carretera a Quiroga"."""
        link = KM_OF.match(document.folded, end)
        start = link.end() if link else end
        road = self.openings.match("road", document, start)
        if not road:
            return None
        named = self.names.parse(document, road.end(), "road")
        return Part(named.end if named else road.end(), _ROAD_WITH_KILOMETRE)

    def road_after(self, document: Document, offset: int) -> Part | None:
        """Parse a road after a lot: "tablaje 1822, carretera Mérida-Progreso km 14"."""
        part = self.road(document, offset)
        return part if part and part.evidence > _ROAD_AFTER_LOT else None
