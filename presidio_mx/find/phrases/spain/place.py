"""Places in notes of Spain: towns, provinces, countries; and makers of products."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.spain.listed import Listed
from presidio_mx.find.phrases.spain.table import WordTable
from presidio_mx.find.phrases.spain.words import (
    ABBREVIATION,
    BLANKS,
    NAME_JOINTS,
    PARTICLES,
    Options,
    capital_run,
    foot_of,
    index_at,
    mark_of,
)
from presidio_mx.spanish.lexicon import KNOWN
from presidio_mx.text.document import Document

# Longer runs of capitalised words are several parts.
_MOST_WORDS_OF_TOWN = 6
_MOST_WORDS_OF_MAKER = 5
# "Johnson & Johnson"
_MAKER_JOINTS = NAME_JOINTS | {" & "}
# A place that no list has gives way to anything else of the same score.
_UNLISTED_DELTA = -0.02
# The form of a firm behind its name; the last full stop may end the sentence.
_FORM = re.compile(r",?[ ]?s\.?[ ]?[al](?![a-z])(?:\.[ ]?u(?![a-z]))?")


@dataclass(frozen=True, slots=True)
class SpainTown:
    """A town, province or region.

    :param towns: The places known.
    :param countries: The countries, which are no towns.
    :param stops: Words that no place contains.
    """

    towns: WordTable
    countries: WordTable
    stops: frozenset[str]

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a place.

        Option ``unknown: true`` also takes capitalised words that no list has;
        ``foot`` names the rule in whose foot the place must stand.
        """
        if "foot" in options and offset < foot_of(document, options["foot"], found):
            return None
        index = index_at(document, offset)
        if index is None or not document.capital(index):
            return None
        end = self.towns.end(document, index)
        if end > index and not _goes_on(document, end):
            return _abbreviated(document, index, end)
        if not options.get("unknown"):
            return mark_of(document, index, end)
        if len(document.words[index]) < ABBREVIATION - 1:
            return None
        if self.countries.end(document, index) > index:
            return None
        run = capital_run(document, index, self.stops, most=_MOST_WORDS_OF_TOWN)
        run = max(self._cut(document, index, run), end)
        if end == index and run == index + 1 and self._ordinary(document, index):
            return None
        return mark_of(document, index, run, _UNLISTED_DELTA)

    @staticmethod
    def _ordinary(document: Document, index: int) -> bool:
        """Tell whether a word is an ordinary one, not led in by a postal code."""
        coded = index > 0 and document.words[index - 1].isdigit()
        return bool(document.flags[index] & KNOWN) and not coded

    def _cut(self, document: Document, index: int, end: int) -> int:
        """Return where a second place begins, as in "Soto del Barco Asturias"."""
        for i in range(index + 1, end):
            before = document.words[i - 1]
            if before in PARTICLES or document.gap(i - 1) not in BLANKS:
                continue
            country = self.countries.end(document, i) > i
            if country or self.towns.end(document, i) == end:
                return i
        return end

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield nothing: a place needs something that stands before it."""
        return ()


def _abbreviated(document: Document, index: int, end: int) -> Mark:
    """Return the mark with the last full stop of an abbreviation ("U.S.A.")."""
    start, stop = document.starts[index], document.ends[end - 1]
    if "." in document.folded[start:stop] and document.folded[stop : stop + 1] == ".":
        stop += 1
    return Mark(start, stop)


def _goes_on(document: Document, index: int) -> bool:
    """Tell whether a name goes on after a listed place ("Pozuelo" + "del Rey")."""
    if index >= len(document) or document.gap(index - 1) not in BLANKS:
        return False
    return document.words[index] in ("de", "del") and index + 1 < len(document)


@dataclass(frozen=True, slots=True)
class SpainCountry(Listed):
    """A country, anywhere in the note.

    :param countries: The countries.
    """

    countries: WordTable

    def firsts(self) -> Container[str]:
        """Return the words that begin a country."""
        return self.countries.entries

    def mark(self, document: Document, index: int, options: Options) -> Mark | None:
        """Parse a country."""
        end = self.countries.end(document, index)
        if end == index or not document.capital(index):
            return None
        return _abbreviated(document, index, end)


@dataclass(frozen=True, slots=True)
class SpainProper:
    """A capitalised name that is no place, such as a maker after its product.

    :param towns: Places, which are something else.
    :param countries: Countries, which are something else.
    """

    towns: WordTable
    countries: WordTable

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a run of capitalised words.

        Option ``mixed: true`` refuses words in capitals, such as abbreviations.
        """
        index = index_at(document, offset)
        if index is None or len(document.words[index]) < ABBREVIATION:
            return None
        if self.towns.end(document, index) > index:
            return None
        if self.countries.end(document, index) > index:
            return None
        end = capital_run(
            document, index, frozenset(), _MAKER_JOINTS, _MOST_WORDS_OF_MAKER
        )
        if options.get("mixed") and any(map(document.shouted, range(index, end))):
            return None
        return mark_of(document, index, end)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield nothing: a name needs something that stands before it."""
        return ()


@dataclass(frozen=True, slots=True)
class SpainListed(Listed):
    """An entry of a list, anywhere in the note, with a capital.

    Option ``form``: true takes those alone behind which the form of a firm stands
    ("S.A."), together with it.

    :param table: The list.
    """

    table: WordTable

    def firsts(self) -> Container[str]:
        """Return the words that begin an entry."""
        return self.table.entries

    def mark(self, document: Document, index: int, options: Options) -> Mark | None:
        """Parse an entry."""
        if not document.capital(index):
            return None
        mark = mark_of(document, index, self.table.end(document, index))
        if mark is None or not options.get("form"):
            return mark
        form = _FORM.match(document.folded, mark.end)
        return form and mark._replace(end=form.end())
