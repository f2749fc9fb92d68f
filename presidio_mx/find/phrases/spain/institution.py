"""Hospitals and other institutions of Spain by their head word and name."""

from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.spain.table import WordTable
from presidio_mx.find.phrases.spain.words import (
    Options,
    capital_run,
    index_at,
    starts_next_part,
)
from presidio_mx.spanish.lexicon import Flag
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

_BLANKS = frozenset({" ", "  "})
_JOINTS = _BLANKS | {"-", " - ", "'", ' "', '" ', '"', " '", "' ", "/", " & "}


# Inside a name: "Hospital Univ. de Soria", "Hospital Ntra. Sra. del Mar".
_ABBREVIATED = words("spain_inner_abbreviation")
_INSIDE = frozenset({"de", "del", "la", "el", "los", "las"})
# Longer runs of capitalised words are a heading.
_MOST_WORDS = 8
# So many characters behind a name tell whether a street number follows.
_NUMBER_WIDTH = 8


@dataclass(frozen=True, slots=True)
class SpainInstitution:
    """A named institution.

    :param heads: How it begins ("hospital", "complejo hospitalario").
    :param generic: Words that tell its kind but not which one it is.
    :param names: Names known, without the generic words.
    :param listed: Institutions known by their whole name.
    :param towns: Places, which end a name that is otherwise generic.
    :param countries: Countries, which are no part of a name.
    :param stops: Words that open another part.
    :param with_town: Whether "de <place>" belongs to a name of its own.
    """

    heads: WordTable
    generic: frozenset[str]
    names: WordTable
    listed: WordTable
    towns: WordTable
    countries: WordTable
    stops: frozenset[str]
    with_town: bool

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse the institution that begins at an offset."""
        index = index_at(document, offset)
        return None if index is None else self._parse(document, index)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield the institutions of the note."""
        until = -1
        heads, listed = self.heads.entries, self.listed.entries
        for index, word in enumerate(document.words):
            if (word not in heads and word not in listed) or (
                document.starts[index] < until
            ):
                continue
            mark = self._parse(document, index)
            if mark:
                until = mark.end
                yield mark

    def _parse(self, document: Document, index: int) -> Mark | None:
        listed = self.listed.end(document, index)
        if listed > index and document.capital(index):
            if document.gap(listed - 1) in _BLANKS:
                listed = self._with_town(document, listed)
            return self._mark(document, index, listed)
        head = self.heads.end(document, index)
        if head == index:
            return None
        # "hospital Saint John", but not "otro hospital de Barcelona".
        if not document.capital(index) and not (
            head < len(document) and document.capital(head)
        ):
            return None
        position = self._after_generic(document, head)
        if not _joins(document, position - 1):
            return self._bare(document, index, position)
        end = self._named(document, position)
        while end == position and document.words[position - 1] in _INSIDE:
            position -= 1
            end = self._named(document, position)
        if end <= position:
            return self._bare(document, index, position)
        if self.with_town and document.gap(end - 1) in _BLANKS:
            end = self._with_town(document, end)
        if self.with_town:
            end = _with_acronym(document, end)
        return self._mark(document, index, end)

    def _after_generic(self, document: Document, position: int) -> int:
        """Return the index after the words that tell the kind only."""
        while position < len(document):
            if self._generic(document, position):
                position += 1
            elif (
                document.words[position] in ("de", "la")
                and position + 1 < len(document)
                and _joins(document, position - 1)
                and self._generic(document, position + 1)
                and self.names.end(document, position) == position
            ):
                position += 2
            else:
                break
        return position

    def _generic(self, document: Document, position: int) -> bool:
        return document.words[position] in self.generic and _joins(
            document, position - 1
        )

    def _with_town(self, document: Document, end: int) -> int:
        """Return the index after "de <place>", where that follows."""
        if end + 1 < len(document) and document.words[end] == "de":
            return max(end, self.towns.end(document, end + 1))
        return end

    def _named(self, document: Document, position: int) -> int:
        """Return the index after the name proper; the position if there is none."""
        if position >= len(document) or not _joins(document, position - 1):
            return position
        listed = self.names.end(document, position)
        if listed > position:
            return listed
        first = position
        while first < len(document) and document.words[first] in _INSIDE:
            first += 1
        if first >= len(document) or starts_next_part(document, first, self.stops):
            return position
        town = self.towns.end(document, first)
        if town > first and document.capital(first) and first > position:
            return town
        run = capital_run(document, first, self.stops, _JOINTS, most=_MOST_WORDS)
        if run == first:
            return position
        return self._cut(document, position, first, run)

    def _cut(self, document: Document, position: int, first: int, run: int) -> int:
        """Return where another part begins inside a run of capitalised words."""
        after = document.folded[document.ends[run - 1] :][:_NUMBER_WIDTH].lstrip(" ,")
        street = after[:1].isdigit() or after[:2] in ("s/", "sn")
        if street and first == position and document.words[first - 1] in self.generic:
            return position
        for i in range(first + 1, run):
            word = document.words[i]
            place = self.towns.end(document, i + 1) > i + 1
            if word == "en" or (word == "de" and place and not self.with_town):
                return i
            if self.countries.end(document, i) > i and word not in _INSIDE:
                return i
            quoted = '"' in document.gap(i - 1)
            known = self.towns.end(document, i) == run and not quoted
            if known and document.words[i - 1] not in _INSIDE | {"y", "san", "santa"}:
                return i
            if street and i > first + 1 and document.flags[i] & Flag.GIVEN:
                return i
        return run

    def _bare(self, document: Document, index: int, position: int) -> Mark | None:
        """Return an institution without a name of its own ("Hospital Comarcal")."""
        end = position
        while end > index + 1 and not document.capital(end - 1):
            end -= 1
        if end < index + 2 or not document.capital(index):
            return None
        return self._mark(document, index, end)

    @staticmethod
    def _mark(document: Document, index: int, end: int) -> Mark:
        stop = document.ends[end - 1]
        start = document.starts[index]
        following = document.folded[stop : stop + 1]
        inside = document.folded[start:stop]
        opening = {'"': '"', "'": "'", ")": "("}.get(following, "")
        if opening and inside.count(opening) % 2 == 1:
            stop += 1
        return Mark(start, stop)


def _with_acronym(document: Document, end: int) -> int:
    """Return the index after an acronym in brackets: "Centro de Estudios (CEX)"."""
    if end < len(document) and document.gap(end - 1) == " (":
        if document.shouted(end) and document.gap(end)[:1] == ")":
            return end + 1
    return end


def _joins(document: Document, index: int) -> bool:
    """Tell whether a name may go on after a word."""
    gap = document.gap(index)
    if gap in _JOINTS:
        return True
    return gap in (". ", ".") and document.words[index] in _ABBREVIATED
