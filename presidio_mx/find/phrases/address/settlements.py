"""Colonias, fraccionamientos, rancherías and their sections, by their opening word."""

from dataclasses import dataclass

from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.opening import (
    Opening,
    Openings,
    is_attached,
)
from presidio_mx.find.phrases.address.part import Part
from presidio_mx.find.phrases.address.patterns import (
    CENTRE,
    INSIDE,
    RANCHERIA,
    SECTION,
    SECTION_NAME,
)
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Evidence of an opening word: "colonia" opens a settlement only, "zona" other things.
_OPENINGS: tuple[tuple[Opening, float], ...] = (
    ("settlement", 0.4),
    ("settlement_weak", -0.2),
)
# "en la col. Obrera": what stands before a settlement, an abbreviation above all.
_LED_IN_ABBREVIATION = 0.4
_LED_IN = 0.2
# "Infonavit 2a etapa": a section in the place of a name.
_ONLY_SECTION = 0.5
_RANCHERIA_WITH_SECTION = 1.0
# Behind a street or number any of these goes on the address.
_BEHIND = 0.3

_IN_FULL = words("opening_in_full")
_LEADING = words("before_settlement")


def section_end(document: Document, end: int) -> int:
    """Return where the section behind a settlement's name ends.

    :param document: The note.
    :param end: Where the name ends.
    :return: Where the section ends; ``end`` where there is none.
    """
    section = SECTION.match(document.folded, end)
    return section.end() if section else end


def centre(document: Document, offset: int) -> Part | None:
    """Parse "Centro", "zona centro", "centro histórico"."""
    match = CENTRE.match(document.folded, offset)
    return Part(match.end(), _BEHIND) if match else None


@dataclass(frozen=True, slots=True)
class Settlements:
    """Parse settlements that an opening word tells.

    :param openings: Opening words of components.
    :param names: Parser of names.
    """

    openings: Openings
    names: AddressNames

    def settlement(self, document: Document, offset: int) -> Part | None:
        """Parse a colonia or the like from its type to its section."""
        for opening, evidence in _OPENINGS:
            match = self.openings.match(opening, document, offset)
            if not match or is_attached(document, offset):
                continue
            section = SECTION.match(document.folded, match.end() - 1)
            if section and opening == "settlement":
                return Part(section.end(), _ONLY_SECTION, "settlement")
            named = self.names.parse(document, match.end(), "settlement")
            if named is None:
                continue
            if "." in match[0] and match[0].split(".")[0] in _IN_FULL:
                # "vive en la colonia. Refiere": a sentence ends at the stop.
                return None
            index = document.word_at(offset)
            if index and document.words[index - 1] in _LEADING:
                evidence += _LED_IN_ABBREVIATION if "." in match[0] else _LED_IN
            end = section_end(document, named.end)
            return Part(end, evidence + named.evidence, "settlement")
        return None

    def rancheria(self, document: Document, offset: int) -> Part | None:
        """Parse a ranchería that has sections: "Ranchería Guineo 2da sección"."""
        end = self._rancheria_end(document, offset)
        section = SECTION.match(document.folded, end) if end else None
        if section is None:
            return None
        return Part(section.end(), _RANCHERIA_WITH_SECTION, "settlement")

    def rancheria_behind(self, document: Document, offset: int) -> Part | None:
        """Parse a ranchería behind a street or kilometre, with sections or without."""
        part = self.rancheria(document, offset)
        if part:
            return part
        end = self._rancheria_end(document, offset)
        return Part(end, _BEHIND, "settlement") if end else None

    def _rancheria_end(self, document: Document, offset: int) -> int | None:
        match = RANCHERIA.match(document.folded, offset)
        if match is None:
            return None
        named = self.names.parse(document, match.end(), "settlement")
        return named.end if named else None

    def inner_settlement(self, document: Document, offset: int) -> Part | None:
        """Parse "agencia" and "paraje", which are towns' where they stand alone."""
        match = INSIDE.match(document.folded, offset)
        if match is None:
            return None
        named = self.names.parse(document, match.end(), "street")
        return Part(named.end, _BEHIND, "settlement") if named else None

    def section(self, document: Document, offset: int) -> Part | None:
        """Parse a section of its own, named or not: "2a sección Las Palmas"."""
        match = SECTION.match(document.folded, offset)
        if match is None:
            return None
        named = SECTION_NAME.match(document.folded, match.end())
        if named and document.capital(document.word_at(named.end())):
            name = self.names.parse(document, named.end(), "settlement")
            if name:
                return Part(name.end, _BEHIND, "settlement")
        return Part(match.end(), _BEHIND, "settlement")
