"""Numbers in an address: of houses, units, kilometres, and postal codes."""

from dataclasses import dataclass

from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.opening import Openings
from presidio_mx.find.phrases.address.part import Part
from presidio_mx.find.phrases.address.patterns import (
    BARE,
    BARE_CODE,
    BUILDING,
    CODE,
    CODE_BEHIND,
    FIVE_DIGITS,
    FLOOR,
    HOUSE,
    KILOMETRE,
    LEFT_OPEN,
    NO_NUMBER,
    SAID_BARE,
    SAID_CODE,
    SAID_SIGNED,
    SAID_WORDS,
    SECOND_NUMBER,
    SIDES,
    SIGNED,
    STRETCH,
)
from presidio_mx.spanish.lexicon import Flag
from presidio_mx.spanish.word_runs import field_number
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.document import Document

# Evidence: what a form writes out says more than digits alone.
_POSTAL_CODE = 0.9
_KILOMETRE = 0.8
_SIGNED_NUMBER = 0.6
_BARE_NUMBER = 0.4
# "44 pte.", "315 altos"
_SIDED_NUMBER = 0.6
_SIDED = SIDES | words("number_suffix")
_LOT = 0.4
_UNIT = 0.2
_SURE_UNIT = 0.9
_BARE_POSTAL_CODE = 0.3
_HOUSE = 0.3

# Blanks as wide as this before five digits: another column.
_COLUMN = 3

_SIGNED = (SIGNED, NO_NUMBER, SAID_SIGNED)
_LOT_PREFIXES = listed("lot_prefix")
_SURE_UNITS = listed("sure_unit")


def signed_number(document: Document, offset: int) -> Part | None:
    """Parse a number with its sign, or that there is none: "núm. 12", "#4", "s/n"."""
    match = next(
        filter(None, (p.match(document.folded, offset) for p in _SIGNED)), None
    )
    return Part(match.end(), _SIGNED_NUMBER, "number") if match else None


def bare_number(document: Document, offset: int) -> Part | None:
    """Parse a house number without a sign: "calle Hidalgo 88-B"."""
    folded = document.folded
    match = BARE.match(folded, offset) or SAID_BARE.match(folded, offset)
    if match is None or field_number(folded, offset):
        return None
    if FIVE_DIGITS.fullmatch(match[0]):
        # A postal code without its letters; behind a gap it stands alone.
        column = folded[max(0, offset - _COLUMN) : offset].isspace()
        if column or not BARE_CODE.match(folded, offset):
            return None
    sided = match[0].rstrip(".").rsplit(" ", 1)[-1] in _SIDED
    return Part(match.end(), _SIDED_NUMBER if sided else _BARE_NUMBER, "number")


def postal_code(document: Document, offset: int) -> Part | None:
    """Parse a postal code with its letters: "C.P. 58000"."""
    folded = document.folded
    match = CODE.match(folded, offset) or SAID_CODE.match(folded, offset)
    return Part(match.end(), _POSTAL_CODE) if match else None


def bare_postal_code(document: Document, offset: int) -> Part | None:
    """Parse a postal code behind a comma: "col. Hidalgo, 70610, Salina Cruz"."""
    if document.folded[offset - 2 : offset] != ", ":
        return None
    match = CODE_BEHIND.match(document.folded, offset)
    return Part(match.end(), _BARE_POSTAL_CODE) if match else None


def left_open(document: Document, offset: int) -> Part | None:
    """Parse a field that was left open: "Sin Colonia", "S/C"."""
    match = LEFT_OPEN.match(document.folded, offset)
    return Part(match.end(), 0.0) if match else None


def second_number(document: Document, offset: int) -> Part | None:
    """Parse the second of two numbers: "local D1 y D2"."""
    match = SECOND_NUMBER.match(document.folded, offset)
    return Part(match.end(), 0.0, "number") if match else None


def floor(document: Document, offset: int) -> Part | None:
    """Parse "planta baja", "segundo piso"."""
    match = FLOOR.match(document.folded, offset)
    return Part(match.end(), 0.0) if match else None


def described_house(document: Document, offset: int) -> Part | None:
    """Parse "casa amarilla sin número"."""
    match = HOUSE.match(document.folded, offset)
    return Part(match.end(), _HOUSE) if match else None


@dataclass(frozen=True, slots=True)
class AddressNumbers:
    """Parse the numbers that have opening words or names beside them.

    :param openings: Opening words of components.
    :param names: Parser of names.
    """

    openings: Openings
    names: AddressNames

    def unit(self, document: Document, offset: int) -> Part | None:
        """Parse a unit: "int. 3", "Mz 4", "depto B-2"."""
        match = self.openings.unit.match(document.folded, offset)
        if match is None:
            return None
        if match[0].split()[-1] in SAID_WORDS:
            # "piso dos": so are wards called, too.
            return Part(match.end(), 0.0)
        if document.folded.startswith(_SURE_UNITS, offset):
            return Part(match.end(), _SURE_UNIT)
        lot = document.folded.startswith(_LOT_PREFIXES, offset)
        return Part(match.end(), _LOT if lot else _UNIT)

    def building(self, document: Document, offset: int) -> Part | None:
        """Parse a building with a name: "torre Ceiba", "Edificio Tamaulipas"."""
        match = BUILDING.match(document.folded, offset)
        if match is None:
            return None
        index = document.word_at(match.end())
        if index >= len(document) or not document.capital(index):
            return None
        if document.flags[index] & Flag.MEDICAL:
            return None
        named = self.names.parse(document, match.end(), "street")
        return Part(named.end, _UNIT, "number") if named else None

    def kilometre(self, document: Document, offset: int) -> Part | None:
        """Parse a kilometre, with the stretch of the road that it lies on."""
        match = KILOMETRE.match(document.folded, offset)
        if match is None:
            return None
        stretch = STRETCH.match(document.folded, match.end())
        named = self.names.parse(document, stretch.end(), "road") if stretch else None
        return Part(named.end if named else match.end(), _KILOMETRE)
