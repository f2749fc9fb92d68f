"""Corners in an address: "entre Allende y Mina", "esq. con Hidalgo", "x 12 y 14"."""

from dataclasses import dataclass

from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.numbers import bare_number, signed_number
from presidio_mx.find.phrases.address.opening import Opening, Openings
from presidio_mx.find.phrases.address.part import Part
from presidio_mx.find.phrases.address.patterns import (
    AND,
    AND_NUMBER,
    BETWEEN,
    CORNER,
    CORNER_FIRST,
    CROSSING,
    CROSSING_TYPED,
    DATE_NAME,
    HEIGHT,
    SAID_CROSSING,
    SIDED_NUMBER,
    SIDES,
    behind_separator,
)
from presidio_mx.find.phrases.address.streets import Streets
from presidio_mx.text.document import Document

# Evidence: the more streets are named, the clearer.
_BETWEEN_TWO = 0.6
_CORNER = 0.5
_CROSSING_NUMBERS = 0.5
_TWO_AT_CORNER = 0.9
_TYPED_AT_CORNER = 0.9
_CAPITAL_AT_CORNER = 0.5
_SMALL_AT_CORNER = 0.3
_AND_STREET = 0.4
_TWO_NAMES = 0.3
_HEIGHT = 0.3
# From this evidence on a street behind "y" is one: "y calle Mina", no "y paseo".
_CLEAR_STREET = 0.4

_STREET_TYPES: tuple[Opening, ...] = ("street", "street_weak")


@dataclass(frozen=True, slots=True)
class Corners:
    """Parse the streets that cross or bound the one of an address.

    :param openings: Opening words of components.
    :param names: Parser of names.
    :param streets: Parser of streets.
    """

    openings: Openings
    names: AddressNames
    streets: Streets

    def between(self, document: Document, offset: int) -> Part | None:
        """Parse "entre 5 y 7", "entre Allende y Mina", "esq. con Hidalgo"."""
        folded = document.folded
        crossing = CROSSING.match(folded, offset) or SAID_CROSSING.match(folded, offset)
        if crossing and not folded.startswith("entre", offset):
            return Part(crossing.end(), _CROSSING_NUMBERS)
        match = CROSSING_TYPED.match(folded, offset)
        if match:
            street = self.streets.street(document, match.end())
            return Part(street.end, _CROSSING_NUMBERS) if street else None
        match = BETWEEN.match(folded, offset)
        if match:
            end = self._two_crossed(document, match.end())
            return Part(end, _BETWEEN_TWO, "corner") if end else None
        match = CORNER.match(folded, offset)
        end = self._crossed(document, match.end()) if match else None
        return Part(end, _CORNER) if end else None

    def corner_first(self, document: Document, offset: int) -> Part | None:
        """Parse "esquina de Hidalgo y Serdán", "esquina del callejón Zaragoza"."""
        match = CORNER_FIRST.match(document.folded, offset)
        if match is None:
            return None
        first = self._crossed(document, match.end())
        if first is None:
            return None
        second = self._crossed_behind_and(document, first)
        if second:
            return Part(second, _TWO_AT_CORNER)
        if not match["link"]:
            return None
        opened = document.folded[match.end() : first]
        if any(self.openings.patterns[name].match(opened) for name in _STREET_TYPES):
            return Part(first, _TYPED_AT_CORNER)
        capital = document.capital(document.word_at(match.end()))
        return Part(first, _CAPITAL_AT_CORNER if capital else _SMALL_AT_CORNER)

    def and_street(self, document: Document, offset: int) -> Part | None:
        """Parse the other street of a corner: "av. Juárez y 16 de Septiembre"."""
        if not document.folded.startswith(("y ", "e ", "con "), offset):
            return None
        number = AND_NUMBER.match(document.folded, offset)
        if number and (number["side"] or _is_numbered(document, offset)):
            return Part(number.end(), _AND_STREET)
        index = document.word_at(offset) + 1
        if index >= len(document):
            return None
        start = document.starts[index]
        street = self.streets.street(document, start)
        if street and street.evidence >= _CLEAR_STREET:
            return Part(street.end, _AND_STREET)
        date = DATE_NAME.match(document.folded, start)
        return (
            Part(date.end(), _AND_STREET) if date else self._and_name(document, start)
        )

    def _and_name(self, document: Document, start: int) -> Part | None:
        """Parse "y Rio Hondo 200" behind a street: a number shows that it is one."""
        named = self.names.parse(document, start, "crossing")
        if named is None:
            return None
        behind = behind_separator(document.folded, named.end)
        sure = signed_number(document, behind) or self.openings.unit.match(
            document.folded, behind
        )
        capital = document.capital(document.word_at(start))
        if sure or (capital and bare_number(document, behind)):
            return Part(named.end, _TWO_NAMES)
        return None

    def two_names(self, document: Document, offset: int) -> Part | None:
        """Parse the crossing streets of "Calle 12 Bravo y Allende #1105"."""
        end = self._two_crossed(document, offset)
        if end is None or not document.text[offset].isupper():
            return None
        number = signed_number(document, behind_separator(document.folded, end))
        return Part(end, _TWO_NAMES) if number else None

    def height(self, document: Document, offset: int) -> Part | None:
        """Parse "a la altura de Haciendas del Valle"."""
        match = HEIGHT.match(document.folded, offset)
        if match is None:
            return None
        index = document.word_at(match.end())
        if index >= len(document) or not document.capital(index):
            return None
        end = self._crossed(document, match.end())
        return Part(end, _HEIGHT) if end else None

    def _two_crossed(self, document: Document, offset: int) -> int | None:
        """Return where the second of two crossing streets ends."""
        first = self._crossed(document, offset)
        return self._crossed_behind_and(document, first) if first else None

    def _crossed_behind_and(self, document: Document, end: int) -> int | None:
        """Return where the street ends that "y" joins to one before it."""
        joint = AND.match(document.folded, end)
        return self._crossed(document, joint.end()) if joint else None

    def _crossed(self, document: Document, offset: int) -> int | None:
        """Return where the name of a crossing street ends."""
        sided = SIDED_NUMBER.match(document.folded, offset)
        if sided:
            return sided.end()
        for name in _STREET_TYPES:
            match = self.openings.match(name, document, offset)
            if match:
                named = self.names.parse(document, match.end(), "crossing")
                if named:
                    return named.end
        named = self.names.parse(document, offset, "crossing")
        return named.end if named else None


def _is_numbered(document: Document, offset: int) -> bool:
    """Tell whether the street before is a number: "calle 12 sur y 26"."""
    index = document.word_at(offset) - 1
    while index > 0 and document.words[index] in SIDES:
        index -= 1
    return document.words[index].isdigit()
