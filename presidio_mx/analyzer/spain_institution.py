"""Hospitals and other institutions of Spain by their head word and name."""

from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.phrase import Mark
from presidio_mx.analyzer.spain_phrases import (
    Options,
    capital_run,
    index_at,
    starts_next_part,
)
from presidio_mx.analyzer.spain_table import WordTable

_JOINTS = frozenset(
    {" ", "  ", "-", " - ", "'", ' "', '" ', '"', " '", "' ", "/", " & ", ' ("', " (", ") "}
)
_QUOTES = "\"')"


@dataclass(frozen=True, slots=True)
class SpainInstitution:
    """A named institution.

    :param heads: First words ("hospital", "clinica").
    :param generic: Words that tell its kind but not which one it is.
    :param names: Names known, without the generic words.
    :param towns: Places, which end a name that is otherwise generic.
    :param stops: Words that open another part.
    """

    heads: frozenset[str]
    generic: frozenset[str]
    names: WordTable
    towns: WordTable
    stops: frozenset[str]

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse the institution that begins at an offset, whatever its first word."""
        index = index_at(document, offset)
        return None if index is None else self._parse(document, index)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield the institutions that begin with a head word."""
        until = -1
        for index, word in enumerate(document.words):
            if word not in self.heads or document.starts[index] < until:
                continue
            mark = self._parse(document, index)
            if mark:
                until = mark.end
                yield mark

    def _parse(self, document: Document, index: int) -> Mark | None:
        position = self._after_generic(document, index + 1)
        if document.gap(position - 1)[:1] in (".", ",", "\n", ";", ":"):
            return self._bare(document, index, position)
        end = self._named(document, position)
        if end == position and document.words[position - 1] in ("de", "del", "la"):
            while document.words[position - 1] in ("de", "del", "la", "el", "los"):
                position -= 1
                end = max(end if end < position else position, self._named(
                    document, position
                ))
        if end <= position:
            return self._bare(document, index, position)
        return self._mark(document, index, end)

    def _after_generic(self, document: Document, position: int) -> int:
        """Return the index after the words that tell the kind only."""
        while position < len(document):
            if self._generic(document, position):
                position += 1
            elif (
                document.words[position] in ("de", "la")
                and position + 1 < len(document)
                and document.gap(position - 1) in _JOINTS
                and self._generic(document, position + 1)
                and not self.names.end(document, position) > position
            ):
                position += 2
            else:
                break
        return position

    def _generic(self, document: Document, position: int) -> bool:
        gap = document.gap(position - 1)
        return document.words[position] in self.generic and gap in _JOINTS

    def _named(self, document: Document, position: int) -> int:
        """Return the index after the name proper; the position if there is none."""
        if position >= len(document) or document.gap(position - 1) not in _JOINTS:
            return position
        listed = self.names.end(document, position)
        if listed > position:
            return listed
        first = position
        if document.words[first] in ("de", "del", "la"):
            first += 1
        if first < len(document) and starts_next_part(document, first, self.stops):
            return position
        town = self.towns.end(document, first)
        if town > first and document.capital(first):
            return town
        run = capital_run(document, first, self.stops, _JOINTS, most=8)
        if first == position and self._is_street(document, position, run):
            return position
        # Another institution's place: "Hospital San Roque de Córdoba" ends before "de".
        for i in range(first + 1, run):
            if document.words[i] in ("de", "en") and self.towns.end(document, i + 1) == run:
                return i
        return run if run > first else position

    @staticmethod
    def _is_street(document: Document, position: int, end: int) -> bool:
        """Tell whether words after a generic hospital are a street: "Sol, 3"."""
        before = document.words[position - 1]
        if before not in ("universitario", "clinico", "general", "provincial"):
            return False
        after = document.folded[document.ends[end - 1] :][:8].lstrip(" ,")
        return after[:1].isdigit() or after[:2] in ("s/", "sn")

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
