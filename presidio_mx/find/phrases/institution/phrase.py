"""Institutions: hospitals, clinics, schools, shelters, firms, by their words.

A name opens with a kind of institution ("hospital", "UMF", "secundaria"), goes on with
generic words ("general", "de zona", "técnica") and needs something of its own: a
number, a name in capitals or in quotation marks, a town. "El hospital general" has none
and is no institution's name. Which words open and which are generic is data
(``recognizers/words/institution.yaml``).

==============  ==========================================================
``words``       the lists, by the part that words play in a name
``table``       known institutions, and all that is looked things up in
``kind``        how a name opens: kind, generic words, number
``own_name``    the name of its own, by what it looks like
``capitals``    a capitalised name
``caseless``    a name where capitals tell nothing
``doubt``       what opens like an institution and is none
``honoured``    a person whom an institution is named after
``ending``      what follows and belongs to it: town, branch, legal form
``firm``        firms, where somebody works or by their legal form
==============  ==========================================================
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.patterns import Symbols
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.institution.capitals import capital_name
from presidio_mx.find.phrases.institution.doubt import is_finding, is_none
from presidio_mx.find.phrases.institution.ending import (
    legal_form_behind,
    tail,
    with_branch,
    with_legal_form,
    with_plant,
)
from presidio_mx.find.phrases.institution.firm import (
    employer,
    firm_before,
    trade_firm,
)
from presidio_mx.find.phrases.institution.honoured import with_honoured
from presidio_mx.find.phrases.institution.kind import (
    PROGRAMME,
    Kind,
    Opening,
    left_out,
    quoted_inside,
    read_kind,
    read_opening,
)
from presidio_mx.find.phrases.institution.own_name import own_name
from presidio_mx.find.phrases.institution.table import EMPLOYER, Lists, distinct
from presidio_mx.find.phrases.institution.words import InstitutionWords
from presidio_mx.find.phrases.place.gazetteer import PlaceIndex
from presidio_mx.spanish.lexicon import KNOWN, NAME
from presidio_mx.spanish.word_runs import WordTable
from presidio_mx.spanish.words import either, words
from presidio_mx.text.document import Document

# "INC-289114" is a code, not the institute.
_CODE_BEHIND = re.compile(r"-\d")
# "el 20 de Noviembre", "CMN 20 de Noviembre": the hospital.
_CALLED = re.compile(rf"(?<![a-z]){either('institution_of_date')}[ ]{{1,2}}$")
_CALLED_WIDTH = 12
# A hospital's acronym has them; the hormone that is called so is feminine.
_HOSPITAL_ARTICLES = ("el", "del", "al")
# Kinds that another kind follows: "UMAE Hospital de Traumatología".
_DOUBLED = words("institution_doubled")


@dataclass(slots=True)
class InstitutionPhrase:
    """Parse names of institutions.

    Options of rules: ``employer``, where any capitalised run is a firm's name;
    ``strict``, where plain words in capitals are none; ``listed``, where only a listed
    firm is one that is no word, name or place.

    :param symbols: Symbols of the rule file; see :class:`InstitutionWords`.
    :param institutions: Known institutions.
    :param places: Names of places.
    """

    symbols: Symbols
    institutions: WordTable[str]
    places: PlaceIndex
    _lists: Lists = field(init=False)

    def __post_init__(self) -> None:
        """Compile the opening words."""
        words = InstitutionWords.of(self.symbols)
        self._lists = Lists(words, self.institutions, self.places)

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the institution that begins at an offset."""
        index = document.word_at(offset)
        if index >= len(document):
            return None
        quoted = document.folded[offset : document.starts[index]] == '"'
        if document.starts[index] != offset and not quoted:
            return None
        if document.words[index] in self._lists.words.heads:
            mark = self._named(document, index)
            if mark:
                return mark
        works = bool(options.get("employer"))
        listed = self.institutions.longest(document, index)
        if options.get("listed"):
            if listed is None or not distinct(document, index, listed[0]):
                return None
        if listed:
            return self._listed_firm(document, index, listed[0], works)
        if not works:
            return None
        return trade_firm(self._lists, document, index) or employer(
            self._lists, document, index, bool(options.get("strict"))
        )

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield institutions by their opening words, and listed ones."""
        heads, listed = self._lists.words.heads, self.institutions.by_first
        end = 0
        for index, word in enumerate(document.words):
            if word not in heads and word not in listed and word != "s":
                continue
            if document.starts[index] < end:
                continue
            if word == "s" and index:
                mark = firm_before(document, index, end)
            else:
                mark = self._named(document, index) if word in heads else None
                mark = mark or self._listed(document, index)
            if mark:
                end = mark.end
                yield mark

    def _listed_firm(
        self, document: Document, index: int, last: int, works: bool
    ) -> Mark:
        """Return a listed name with what belongs to it where somebody works."""
        if document.casing(index) == "mixed" and document.capital(index):
            last = max(last, capital_name(self._lists, document, index))
        end = with_legal_form(document, document.ends[last])
        if works:
            end = with_plant(self._lists, document, last, end)
        return Mark(document.starts[index], end)

    def _listed(self, document: Document, index: int) -> Mark | None:
        """Return a listed institution; employers need a context and are left to it."""
        match = self.institutions.longest(document, index)
        if match is None or match[1] == EMPLOYER:
            return None
        last, words = match[0], self._lists.words
        if last == index:
            # A single word must look like an acronym or a proper name.
            if document.words[index] in words.heads:
                return None
            if document.words[index] in words.not_alone:
                return None
            if not document.capital(index):
                return None
            article = index and document.words[index - 1] in _HOSPITAL_ARTICLES
            if document.flags[index] & NAME or (
                document.flags[index] & KNOWN and not article
            ):
                # "HCG negativa", "enviado del HCG"
                return None
        if _CODE_BEHIND.match(document.folded, document.ends[last]):
            return None
        start = document.starts[index]
        before = document.folded[max(0, start - _CALLED_WIDTH) : start]
        if document.words[index].isdigit() and not _CALLED.search(before):
            # "calle 20 de Noviembre" is no hospital.
            return None
        return Mark(start, tail(self._lists, document, document.ends[last]))

    def _named(self, document: Document, index: int) -> Mark | None:
        """Return the institution that opens with a kind at a word."""
        kind = read_kind(self._lists.words, document, index)
        if kind is None or is_none(self._lists.words, document, kind):
            return None
        inner = quoted_inside(self._lists.words, document, kind) or self._doubled(
            document, kind
        )
        if inner:
            return inner
        start = document.starts[index]
        if kind.abbreviated:
            programme = PROGRAMME.match(document.folded, kind.end)
            if programme:
                return Mark(start, tail(self._lists, document, programme.end()))
        opening = read_opening(self._lists.words, document, kind)
        own = own_name(self._lists, document, opening, self._named)
        if own is None and not opening.complete:
            return self._branch_alone(document, kind, opening)
        if own is not None and is_finding(document, opening, own):
            return None
        if own is not None and left_out(self._lists.words, document, opening):
            start = document.starts[opening.last + 1]
        end = opening.end if own is None else own
        if not opening.numbered and (
            document.words[index] not in self._lists.words.schools
        ):
            end = with_honoured(document, end)
        end = with_branch(self._lists, document, end)
        return Mark(start, with_legal_form(document, end))

    def _doubled(self, document: Document, kind: Kind) -> Mark | None:
        """Return "UMAE Hospital de Traumatología", "UNEME CAPASITS Tepic"."""
        index, following = kind.first, kind.first + 1
        if document.words[index] not in _DOUBLED or (
            following >= len(document)
            or document.starts[following] < kind.end
            or document.gap(index) != " "
            or document.words[following] in _DOUBLED
        ):
            return None
        inner = self._named(document, following)
        return Mark(document.starts[index], inner.end) if inner else None

    def _branch_alone(
        self, document: Document, kind: Kind, opening: Opening
    ) -> Mark | None:
        """Return a kind with its branch or legal form, where it has no other name."""
        start = document.starts[kind.first]
        if kind.abbreviated:
            end = with_branch(self._lists, document, opening.end)
            return Mark(start, end) if end > opening.end else None
        form = legal_form_behind(document, kind.first)
        return Mark(start, form) if form else None
