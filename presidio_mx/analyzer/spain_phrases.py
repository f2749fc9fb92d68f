"""Phrases of the ``es-ES`` preset: names of staff and places that run into one another.

The foot of a Spanish case ("Remitido por: Dr. A B Servicio de Urología Hospital C Calle
D, 5 28001 Madrid (España)") has no reliable punctuation, so a phrase ends where a word
begins that opens the next part.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.analyzer.patterns import Symbols, words_of
from presidio_mx.analyzer.phrase import Mark
from presidio_mx.analyzer.spain_table import WordTable

Options = Mapping[str, Any]

_PARTICLES = frozenset(
    "de del la las los el y i e d da do das dos di von van der san santa of and"
    " els les en l".split()
)
_INSIDE = frozenset({"de", "del", "la", "las", "los"})
_BLANKS = frozenset({" ", "  ", "   ", "\u00a0"})
_BEFORE_NUMBER = _BLANKS | {", ", ",", "/", "\\", " - ", "-"}
_NAME_JOINTS = _BLANKS | {"-", " - ", "'", "- ", " -"}
_ABBREVIATION = 3
_MOST_WORDS = 9
# Labels over a foot whose name was not recognised.
_FOOT = re.compile(r"(?:remitid|enviad|emitid)[oa] por:|responsable clinic[oa]:")


def word_set(name: str, symbols: Symbols) -> frozenset[str]:
    """Return the first words of a list symbol; empty if the file has no such list.

    :param name: A list symbol.
    :param symbols: The symbols of the rule file.
    :return: Folded words.
    """
    if name not in symbols:
        return frozenset()
    return frozenset(words_of(name, symbols) or ())


def starts_next_part(document: Document, index: int, stops: frozenset[str]) -> bool:
    """Tell whether a word opens another part: "Servicio", "C/", "E-mail".

    :param document: The note.
    :param index: Index of a word.
    :param stops: Words that open another part.
    :return: Whether a name must end before it.
    """
    word = document.words[index]
    gap = document.gap(index)
    if word in stops:
        # "Ana del Barrio", "Plaza del Hospital": part of the name.
        inside = index > 0 and document.words[index - 1] in _INSIDE
        if inside and document.gap(index - 1) in _BLANKS:
            return False
        # "Silva Carrera. Hospital", "Manuel Estrada Gil": a surname, since no number
        # follows as it would after the type of a street.
        surname = document.flags[index] & Flag.SURNAME
        return not surname or _number_ahead(document, index)
    if word == "e":
        return gap.startswith("-") and document.words[index + 1 : index + 2] == ["mail"]
    if gap.startswith("@"):
        return True
    if word == "c" and gap == ". " and index > 0:
        # "C. Mayor 5" is a street, "C. Lara" an initial.
        return _number_ahead(document, index + 1)
    return word == "c" and gap.startswith(("/", "\\", "./"))


def _number_ahead(document: Document, index: int) -> bool:
    """Tell whether a house number follows within the same run of words."""
    for i in range(index, min(index + 7, len(document) - 1)):
        if document.gap(i) not in _BEFORE_NUMBER:
            return False
        word = document.words[i + 1]
        if word[0].isdigit() or (word == "s" and document.gap(i + 1)[:1] == "/"):
            return True
    return False


def index_at(document: Document, offset: int) -> int | None:
    """Return the index of the word that begins exactly at an offset."""
    index = document.word_at(offset)
    if index < len(document) and document.starts[index] == offset:
        return index
    return None


def foot_of(document: Document, rule: str, found: list[Finding]) -> int:
    """Return where the foot begins: where a rule found its last name, else a label.

    :param document: The note.
    :param rule: File and name of the rule.
    :param found: What was found before.
    :return: An offset; the end of the note if it has no foot.
    """
    key = hash(rule)
    if key not in document.memo:
        ends = [f.end for f in found if f.rule == rule]
        ends = ends or [m.end() for m in _FOOT.finditer(document.folded)]
        document.memo[key] = max(ends, default=len(document.text))
    foot: int = document.memo[key]
    return foot


def covered_words(document: Document, found: list[Finding]) -> set[int]:
    """Return the words that belong to what was found before.

    :param document: The note.
    :param found: What was found before.
    :return: Indices of words.
    """
    return {
        index
        for f in found
        if not f.block
        for index in document.words_in(f.start, f.end)
    }


def capital_run(
    document: Document,
    index: int,
    stops: frozenset[str],
    joints: frozenset[str] = _NAME_JOINTS,
    most: int = _MOST_WORDS,
) -> int:
    """Return the index after a run of capitalised words with particles inside.

    :param document: The note.
    :param index: Where the run begins.
    :param stops: Words that end it.
    :param joints: What may stand between its words.
    :param most: Number of words at most.
    :return: Index after its last capitalised word; ``index`` if there is none.
    """
    end = position = index
    last = min(len(document), index + most)
    while position < last:
        word = document.words[position]
        if starts_next_part(document, position, stops):
            break
        gap = document.gap(position)
        if document.capital(position) or _joined(document, position, index):
            end = position + 1
        elif word not in _PARTICLES or position == index:
            break
        short = len(word) <= _ABBREVIATION and gap in (". ", ".")
        if gap not in joints and not short:
            break
        position += 1
    return end


def _joined(document: Document, position: int, index: int) -> bool:
    """Tell whether a small word belongs to the one before: "Aboul-hosn", "M.a"."""
    if position == index:
        return False
    before = document.gap(position - 1)
    if before == "-":
        return True
    return before == "." and document.words[position - 1 : position + 1] == ["m", "a"]


def _mark(document: Document, start: int, end: int, delta: float = 0.0) -> Mark | None:
    """Return the mark of a run of words."""
    if end <= start:
        return None
    return Mark(document.starts[start], document.ends[end - 1], delta)


@dataclass(frozen=True, slots=True)
class SpainName:
    """The name of a person after a label or title.

    :param lexicon: What is known of words.
    :param stops: Words that no name contains.
    """

    lexicon: Lexicon
    stops: frozenset[str]

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a name; see :class:`~presidio_mx.analyzer.phrase.Phrase`.

        Option ``known: true`` asks for a listed name among the first two words.
        """
        index = index_at(document, offset)
        if index is None:
            return None
        end = capital_run(document, index, self.stops)
        if options.get("known") and not any(
            flag & NAME for flag in document.flags[index : min(end, index + 2)]
        ):
            return None
        known = any(flag & NAME for flag in document.flags[index:end])
        if not known and end - index < 2:
            return None
        return _mark(document, index, end)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield later mentions of the names already found for ``options: of``."""
        indices = [
            i
            for f in found
            if f.entity == options["of"] and not f.block
            for i in document.words_in(f.start, f.end)
            if len(document.words[i]) > 2
        ]
        names = {document.words[i] for i in indices}
        given = {document.words[i] for i in indices if document.flags[i] & Flag.GIVEN}
        taken = covered_words(document, found) if given else set()
        for index, word in enumerate(document.words if given else ()):
            if word not in given or index in taken or not document.capital(index):
                continue
            start = document.starts[index]
            end = index + 1
            while end < len(document) and document.gap(end - 1) in _BLANKS:
                if document.words[end] not in names or not document.capital(end):
                    break
                end += 1
            yield Mark(start, document.ends[end - 1])


@dataclass(frozen=True, slots=True)
class SpainRelative:
    """A kinship word with the names that follow it: "sus padres Ana y Juan".

    :param kin: Kinship words.
    :param stops: Words that no name contains.
    """

    kin: frozenset[str]
    stops: frozenset[str]

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a kinship word and names."""
        index = index_at(document, offset)
        return None if index is None else self._mark(document, index)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield every kinship word that names follow."""
        for index, word in enumerate(document.words):
            if word in self.kin:
                mark = self._mark(document, index)
                if mark:
                    yield mark

    def _mark(self, document: Document, index: int) -> Mark | None:
        first = index + 1
        if document.gap(index) not in _BLANKS or first >= len(document):
            return None
        if not document.flags[first] & NAME or not document.capital(first):
            return None
        return _mark(document, index, capital_run(document, first, self.stops))


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
            return _mark(document, index, end)
        if not options.get("unknown"):
            return _mark(document, index, end)
        if self.countries.end(document, index) > index:
            return None
        run = capital_run(document, index, self.stops, most=6)
        run = max(self._cut(document, index, run), end)
        if end == index and run == index + 1 and self._ordinary(document, index):
            return None
        return _mark(document, index, run, -0.02)

    @staticmethod
    def _ordinary(document: Document, index: int) -> bool:
        """Tell whether a word is an ordinary one, not led in by a postal code."""
        coded = index > 0 and document.words[index - 1].isdigit()
        return bool(document.flags[index] & KNOWN) and not coded

    def _cut(self, document: Document, index: int, end: int) -> int:
        """Return where a second place begins, as in "Soto del Barco Asturias"."""
        for i in range(index + 1, end):
            before = document.words[i - 1]
            if before in _PARTICLES or document.gap(i - 1) not in _BLANKS:
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


def _goes_on(document: Document, index: int) -> bool:
    """Tell whether a name goes on after a listed place ("Pozuelo" + "del Rey")."""
    if index >= len(document) or document.gap(index - 1) not in _BLANKS:
        return False
    return document.words[index] in ("de", "del") and index + 1 < len(document)


@dataclass(frozen=True, slots=True)
class SpainCountry:
    """A country, anywhere in the note.

    :param countries: The countries.
    """

    countries: WordTable

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a country."""
        index = index_at(document, offset)
        return None if index is None else self._mark(document, index)

    def _mark(self, document: Document, index: int) -> Mark | None:
        end = self.countries.end(document, index)
        if end == index or not document.capital(index):
            return None
        stop = document.ends[end - 1]
        # The full stop of an abbreviation belongs to it: "EE. UU.", "U.S.A.".
        before = document.folded[document.starts[index] : stop]
        if "." in before and document.folded[stop : stop + 1] == ".":
            stop += 1
        return Mark(document.starts[index], stop)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield every country."""
        entries = self.countries.entries
        for index, word in enumerate(document.words):
            if word in entries:
                mark = self._mark(document, index)
                if mark:
                    yield mark


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
        if index is None or len(document.words[index]) < _ABBREVIATION:
            return None
        if self.towns.end(document, index) > index:
            return None
        if self.countries.end(document, index) > index:
            return None
        end = capital_run(document, index, frozenset(), _NAME_JOINTS | {" & "}, 5)
        if options.get("mixed") and any(map(document.shouted, range(index, end))):
            return None
        return _mark(document, index, end)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield nothing: a name needs something that stands before it."""
        return ()


@dataclass(frozen=True, slots=True)
class SpainListed:
    """An entry of a list, anywhere in the note, with a capital.

    :param table: The list.
    """

    table: WordTable

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse an entry."""
        index = index_at(document, offset)
        if index is None or not document.capital(index):
            return None
        return _mark(document, index, self.table.end(document, index))

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield every entry."""
        entries = self.table.entries
        for index, word in enumerate(document.words):
            if word in entries and document.capital(index):
                mark = _mark(document, index, self.table.end(document, index))
                if mark:
                    yield mark
