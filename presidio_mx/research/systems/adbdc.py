"""The ADBDC baseline: de-identification by contextual dictionaries, as published.

The algorithm of a master's thesis (Universidad Michoacana, 2022; 450 IMSS notes): words
without stop words in a positional inverted index, trigger words of each kind of datum,
lists of given names, surnames and municipalities of Michoacán, one kind of datum after
another: names, municipalities, telephones, addresses. Addresses come last and take in
what was found inside them. It finds the patient and relatives alone; staff stay.

The triggers are in ``recognizers/words/adbdc.yaml``. Where the description is silent,
this is our reading of it: names are looked for in the six words behind a trigger (its
own example skips "hipertenso" after "paciente"), up to a title of staff or a trigger of
another kind; a telephone begins at most four words behind its trigger; an address runs
to its colonia however far that is, but not into the next paragraph or the next address,
and a street without a colonia has two words.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.find.finding import Finding
from presidio_mx.find.results import result_of
from presidio_mx.research.systems.inverted_index import (
    IndexedText,
    InvertedIndex,
    Term,
)
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

GIVEN_NAMES = 4_400
SURNAMES = 7_456
STATE = "MN"
_NAME_WINDOW = 6
_PHONE_WINDOW = 4
_STREET_WORDS = 2
_AFTER_COLONIA = 2
_SCORE = 0.85
# An address behind this needs no second trigger.
_SHORT = "dom."

_PHONE = re.compile(r"\d(?:[ \-.,()y]{0,4}\d){6,}")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_ARTICLE = re.compile(r"\b(la|los|las|el)\s+$")
_TRIGGERS = (
    "adbdc_name_trigger",
    "adbdc_city_trigger",
    "adbdc_phone_trigger",
    "adbdc_home",
    "adbdc_street",
)


@cache
def _stop_words() -> frozenset[str]:
    return words("adbdc_stop_word")


def new_index(texts: Iterable[str] = ()) -> InvertedIndex:
    """Return the index of notes that the baseline looks into.

    :param texts: The notes.
    """
    return InvertedIndex(texts, _stop_words())


def triggers() -> list[str]:
    """Return all phrases behind which something is looked for."""
    return [phrase for kind in _TRIGGERS for phrase in listed(kind)]


@cache
def _phrases(kind: str) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    """Return the triggers of a kind with their words, the longest first."""
    terms = new_index().terms
    ordered = sorted(listed(kind), key=len, reverse=True)
    return tuple((trigger, terms(trigger)) for trigger in ordered)


@cache
def _names() -> frozenset[str]:
    """Return as many given names and surnames as the thesis had, commonest first."""

    def commonest(name: str, size: int) -> set[str]:
        ranked = sorted(rows(name), key=lambda row: -int(row["count"] or 0))
        found = (fold_key(row["name"]) for row in ranked)
        return set(list(dict.fromkeys(found))[:size])

    return frozenset(
        commonest("given_names", GIVEN_NAMES) | commonest("surnames", SURNAMES)
    )


@cache
def _municipalities() -> dict[tuple[str, ...], set[str]]:
    """Return the forms of the municipalities, by their words in the index."""
    found: dict[tuple[str, ...], set[str]] = {}
    index = new_index()
    forms = [row["name"] for row in rows("municipalities") if row["state"] == STATE]
    for name in map(fold_key, (*forms, *listed("adbdc_municipality"))):
        terms = tuple(word for word, _ in index.terms(name))
        found.setdefault(terms, set()).add(name)
    return found


class _Note:
    """One note of an index."""

    def __init__(self, index: InvertedIndex, number: int) -> None:
        self.index = index
        self.number = number
        self.note: IndexedText = index.documents[number]
        self.size = len(self.note.words)

    def behind(self, kind: str) -> Iterator[tuple[str, int]]:
        """Yield each trigger of a kind with the position behind it, longest first."""
        found: dict[int, str] = {}
        sizes: dict[str, int] = {}
        for trigger, terms in _phrases(kind):
            sizes[trigger] = len(terms)
            for position in self.index.positions(terms, self.number):
                found.setdefault(position, trigger)
        for position, trigger in sorted(found.items()):
            yield trigger, position + sizes[trigger]

    def begins(self, *kinds: str) -> set[int]:
        """Return where a trigger of some kinds begins."""
        return {
            position
            for kind in kinds
            for _, terms in _phrases(kind)
            for position in self.index.positions(terms, self.number)
        }

    def finding(self, first: int, last: int, entity: str, rule: str) -> Finding:
        """Return a finding from one word to another."""
        start, end = self.note.starts[first], self.note.ends[last]
        return Finding(start, end, entity, _SCORE, rule)


def find_names(note: _Note) -> Iterator[Finding]:
    """Yield the listed names in the words behind a trigger."""
    known = _names()
    here = note.note.words
    stops = note.begins("adbdc_staff", *_TRIGGERS)
    for trigger, first in note.behind("adbdc_name_trigger"):
        index = first
        end = min(first + _NAME_WINDOW, note.size)
        while index < end and index not in stops:
            last = index
            while last < note.size and here[last] in known and last not in stops:
                last += 1
            if last > index:
                yield note.finding(index, last - 1, "PERSON", trigger)
            index = max(last, index + 1)


def find_cities(note: _Note) -> Iterator[Finding]:
    """Yield the municipalities of Michoacán behind a trigger, with their article."""
    known = _municipalities()
    for trigger, first in note.behind("adbdc_city_trigger"):
        for size in (4, 3, 2, 1):
            candidate = note.note.words[first : first + size]
            if candidate in known:
                last = first + len(candidate) - 1
                found = note.finding(first, last, "LOCATION", trigger)
                article = _ARTICLE.search(note.note.folded, 0, found.start)
                whole = article and note.note.folded[article.start() : found.end]
                if article and whole and fold_key(whole) in known[candidate]:
                    found = found._replace(start=article.start())
                yield found
                break


def find_phones(note: _Note) -> Iterator[Finding]:
    """Yield seven digits or more, at most four words behind a trigger."""
    for trigger, first in note.behind("adbdc_phone_trigger"):
        for index in range(first, min(first + _PHONE_WINDOW + 1, note.size)):
            match = _PHONE.match(note.note.folded, note.note.starts[index])
            if match:
                bracket = note.note.folded.endswith("(", 0, match.start())
                start = match.start() - bracket
                yield Finding(start, match.end(), "PHONE_NUMBER", _SCORE, trigger)
                break


def find_addresses(note: _Note) -> Iterator[Finding]:
    """Yield from a trigger to the colonia and the two words behind it."""
    opened = sorted(note.begins("adbdc_home"))
    colonias = [first for _, first in note.behind("adbdc_colonia")]
    streets = {first for _, first in note.behind("adbdc_street")}
    starts = note.note.starts
    ends = [
        bisect_left(starts, gap.start())
        for gap in _PARAGRAPH.finditer(note.note.folded)
    ]
    begun = [(first, first, trigger) for trigger, first in note.behind("adbdc_home")]
    begun += [(first - 1, first, "calle") for first in sorted(streets)]
    for begin, first, trigger in begun:
        # No address reaches the next one or the next paragraph.
        bound = min(_at_least(opened, first, note), _at_least(ends, first + 1, note))
        colonia = _at_least(colonias, first + 1, note)
        if colonia <= bound and colonia < note.size:
            behind = colonia + _AFTER_COLONIA
        elif first in streets:
            behind = first + _STREET_WORDS
        elif first + 1 in streets:
            behind = first + 1 + _STREET_WORDS
        elif trigger == _SHORT:
            behind = first + _STREET_WORDS
        else:
            continue
        behind = min(behind, bound)
        if behind > begin:
            yield note.finding(begin, behind - 1, "ADDRESS", trigger)


def _at_least(positions: Sequence[int], least: int, note: _Note) -> int:
    """Return the first of some positions from a word on, or the end of the note."""
    at = bisect_left(positions, least)
    return positions[at] if at < len(positions) else note.size


def find(text: str) -> list[Finding]:
    """Find all that the baseline finds in a note.

    :param text: The note.
    :return: Findings that do not overlap, in reading order.
    """
    return find_in(new_index([text]), 0)


def find_in(index: InvertedIndex, number: int) -> list[Finding]:
    """Find all that the baseline finds in a note of an index.

    :param index: An index as :func:`new_index` makes it.
    :param number: The note's number.
    :return: Findings that do not overlap, in reading order.
    """
    note = _Note(index, number)
    kept: list[Finding] = []
    for search in (find_names, find_cities, find_phones):
        for finding in sorted(search(note), key=lambda f: (f.start, -f.end)):
            first, last = _touched(kept, finding)
            if first == last:
                kept.insert(first, finding)
    for finding in sorted(find_addresses(note), key=lambda f: (f.start, -f.end)):
        first, last = _touched(kept, finding)
        inside = kept[first:last]
        start = min([finding.start, *(other.start for other in inside)])
        end = max([finding.end, *(other.end for other in inside)])
        kept[first:last] = [finding._replace(start=start, end=end)]
    return kept


def _touched(kept: list[Finding], finding: Finding) -> tuple[int, int]:
    """Return from where to where findings in order, none over another, touch one."""
    first = last = bisect_left(kept, finding)
    while first > 0 and kept[first - 1].overlaps(finding):
        first -= 1
    while last < len(kept) and kept[last].overlaps(finding):
        last += 1
    return first, last


class MxAdbdcRecognizer(EntityRecognizer):
    """Report what the published baseline finds.

    :param supported_language: Language of the notes.
    :param name: Name shown in explanations.
    """

    ENTITIES = ("PERSON", "LOCATION", "PHONE_NUMBER", "ADDRESS")
    name: str

    def __init__(self, supported_language: str = "es", name: str | None = None) -> None:
        """Set the entities."""
        super().__init__(
            supported_entities=list(self.ENTITIES),
            name=name or type(self).__name__,
            supported_language=supported_language,
        )

    def load(self) -> None:
        """Do nothing: lists are read at the first note."""

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find names, municipalities, telephones and addresses, in this order.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Not used.
        :return: Results; an address takes in what was found inside it.
        """
        found = find(text)
        return [
            result_of(f, self) for f in found if not entities or f.entity in entities
        ]
