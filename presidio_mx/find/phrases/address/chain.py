"""The run of components that makes an address: which may begin it, which may follow.

Every component adds evidence; the run ends where none follows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.address.bare_settlements import BareSettlements
from presidio_mx.find.phrases.address.corners import Corners
from presidio_mx.find.phrases.address.names import AddressNames
from presidio_mx.find.phrases.address.numbers import (
    AddressNumbers,
    bare_number,
    bare_postal_code,
    described_house,
    floor,
    left_open,
    postal_code,
    second_number,
    signed_number,
)
from presidio_mx.find.phrases.address.part import (
    ENOUGH,
    Part,
    PartKind,
    PartParser,
)
from presidio_mx.find.phrases.address.patterns import (
    LINK,
    LINK_NAME,
    LINK_UNIT,
    SEPARATOR,
    behind_separator,
)
from presidio_mx.find.phrases.address.settlements import Settlements, centre
from presidio_mx.find.phrases.address.streets import Streets
from presidio_mx.spanish.lexicon import NAME, Flag
from presidio_mx.text.document import Document

# What stands before an address says what it may begin with: a label or a verb allows a
# street without its type, "area" a colonia's name, "behind" a corner (the street stands
# before the opening word), "" opening words alone.
Lead = Literal["", "label", "verb", "area", "behind"]

# Longer runs are lists of addresses, or hostile text.
_MOST_COMPONENTS = 14
# Score of what is more than enough evidence, by unit of evidence and at most.
_DELTA = 0.05
_MOST_DELTA = 0.1
# Evidence of a street without its type; what its name must say itself behind a verb,
# and where it stands in small letters.
_BARE_STREET = 0.2
_NAME_BEHIND_VERB = 0.4
_NAME_IN_SMALL_LETTERS = 0.1


@dataclass(frozen=True, slots=True)
class AddressChain:
    """Parse a run of components.

    :param names: Parser of names.
    :param streets: Parser of streets and roads.
    :param corners: Parser of crossing streets.
    :param numbers: Parser of units and kilometres.
    :param settlements: Parser of settlements by their opening words.
    :param bare_settlements: Parser of settlements without.
    """

    names: AddressNames
    streets: Streets
    corners: Corners
    numbers: AddressNumbers
    settlements: Settlements
    bare_settlements: BareSettlements

    def parse(
        self, document: Document, offset: int, lead: Lead, prior: float
    ) -> Mark | None:
        """Parse the address that begins at an offset.

        :param document: The note.
        :param offset: Where it must begin.
        :param lead: What it may begin with.
        :param prior: Evidence of what stands before it.
        :return: The mark, where there is enough evidence.
        """
        part = self._first(document, offset, lead)
        if part is None:
            return None
        evidence = part.evidence + prior
        for _ in range(_MOST_COMPONENTS):
            following = self._next(document, part.end, part.kind)
            if following is None:
                break
            part = following
            evidence += part.evidence
        if evidence < ENOUGH:
            return None
        return Mark(offset, part.end, min(_MOST_DELTA, _DELTA * (evidence - ENOUGH)))

    def _first(self, document: Document, offset: int, lead: Lead) -> Part | None:
        """Parse the first component."""
        for opener in self._openers(lead):
            part = opener(document, offset)
            if part is None:
                continue
            if opener == self.streets.road and part.evidence < ENOUGH:
                # "Libramiento Noroeste": a street where no kilometre follows.
                street = self.streets.street(document, offset)
                if street and street.evidence > part.evidence:
                    return street
            return part
        if lead == "area":
            return self.bare_settlements.area(document, offset)
        if lead in ("label", "verb"):
            return self._bare_street(document, offset, lead)
        return None

    def _openers(self, lead: Lead) -> Iterator[PartParser]:
        """Yield the components that may begin an address."""
        if lead != "behind":
            yield self.corners.corner_first
        yield postal_code
        yield self.streets.road
        yield self.streets.street
        yield self.settlements.settlement
        yield self.numbers.unit
        yield self.settlements.rancheria
        yield self.numbers.building
        if lead:
            yield self.corners.between
        if lead in ("label", "verb"):
            yield self.numbers.kilometre

    def _bare_street(self, document: Document, offset: int, lead: Lead) -> Part | None:
        """Parse a street without its type, where a label or verb stands before."""
        named = self.names.parse(document, offset, "bare")
        if named is None:
            if lead == "label":
                return self.bare_settlements.behind_comma(document, offset)
            return None
        if not _may_be_bare(document, offset, lead, named.evidence):
            return None
        behind = behind_separator(document.folded, named.end)
        if not any(follows(document, behind) for follows in self._behind_bare()):
            return None
        return Part(named.end, _BARE_STREET)

    def _behind_bare(self) -> Iterator[PartParser]:
        """Yield the components that show that a name before them is a street's."""
        yield signed_number
        yield bare_number
        yield self.numbers.unit
        yield self.settlements.settlement
        yield self.corners.between
        yield postal_code

    def _next(self, document: Document, end: int, kind: PartKind) -> Part | None:
        """Return the component that follows one of a kind, parsed once a note.

        Runs that begin at neighbouring words share most of their components.
        """
        known = document.once(self._followed)
        key = end, kind
        if key not in known:
            known[key] = self._parse_next(document, end, kind)
        return known[key]

    def _followed(self, document: Document) -> dict[tuple[int, PartKind], Part | None]:
        """Return the place for what follows components of a note, by end and kind."""
        return {}

    def _parse_next(self, document: Document, end: int, kind: PartKind) -> Part | None:
        """Parse the component that follows one of a kind, after one separator."""
        folded = document.folded
        match = SEPARATOR.match(folded, end)
        assert match is not None
        gap, offset = match[0], match.end()
        if offset >= len(folded) or (offset == end and folded[end].isalpha()):
            return None
        part = self._linked(document, offset, kind)
        if part:
            return part
        for follower in self._followers(gap, kind):
            part = follower(document, offset)
            if part:
                return part
        return self._without_opening(document, offset, gap, kind)

    def _linked(self, document: Document, offset: int, kind: PartKind) -> Part | None:
        """Parse "de la colonia Obrera", and "de la Obrera" behind a number."""
        link = LINK.match(document.folded, offset)
        part = self.settlements.settlement(document, link.end()) if link else None
        if part:
            return part
        link = LINK_UNIT.match(document.folded, offset)
        part = self.numbers.unit(document, link.end()) if link else None
        if part:
            return part
        link = LINK_NAME.match(document.folded, offset)
        if link is None or kind not in ("number", "corner"):
            return None
        bare = self.bare_settlements
        return bare.listed_settlement(document, link.end(), 0) or bare.named_area(
            document, link.end()
        )

    def _followers(self, gap: str, kind: PartKind) -> Iterator[PartParser]:
        """Yield the components that may follow, those with an opening word first."""
        hard = any(sign in gap for sign in "\n.;")
        settled = kind == "number" or (kind == "settlement" and "," in gap)
        yield signed_number
        yield self.numbers.unit
        yield self.numbers.building
        yield self.settlements.section
        yield self.settlements.rancheria_behind
        yield self.corners.between
        yield self.settlements.settlement
        yield postal_code
        yield left_open
        if not hard and not settled:
            yield bare_number
        if not hard:
            yield self.numbers.kilometre
            yield self.corners.and_street
            if kind in ("number", ""):
                yield second_number
                yield floor
            if kind == "street":
                yield self.streets.also_called
                yield self.corners.two_names
                yield self.corners.height
            yield self.streets.street_after
            yield self.streets.road_after
            yield centre
            yield described_house
            yield self.settlements.inner_settlement
        if kind != "street":
            yield bare_postal_code

    def _without_opening(
        self, document: Document, offset: int, gap: str, kind: PartKind
    ) -> Part | None:
        """Parse a number on the next line, or a colonia that nothing opens."""
        if kind == "street" and gap.strip(" ") == "\n":
            number = bare_number(document, offset)
            end = number.end if number else offset
            if number and document.folded[end : end + 1] in (",", "\n", ""):
                return number
        if "," in gap:
            return self.bare_settlements.behind_comma(document, offset)
        if gap == " " and kind == "number":
            # "calle 10 #45 Las Arboledas"
            return self.bare_settlements.listed_settlement(document, offset)
        return None


def _may_be_bare(document: Document, offset: int, lead: Lead, evidence: float) -> bool:
    """Tell whether a name may be a street's though no type stands before it."""
    index = document.word_at(offset)
    flag = document.flags[index]
    if flag & Flag.MEDICAL and not flag & NAME:
        return False
    if document.casing(index) == "mixed" and not document.capital(index):
        number = document.words[index].isdigit()
        if (lead == "verb" or not number) and evidence < _NAME_IN_SMALL_LETTERS:
            return False
    return lead != "verb" or evidence >= _NAME_BEHIND_VERB
