"""Names inside addresses: of streets, crossings, roads and colonias."""

from dataclasses import dataclass
from pathlib import Path

from presidio_mx.find.phrases.address.name_end import NameEnd, is_particle
from presidio_mx.find.phrases.address.part import NameKind, Part
from presidio_mx.find.phrases.address.patterns import (
    BARE_NUMBERED,
    COUNTED_NAME,
    DATE_NAME,
    NAME_SIDE,
    NAMELESS,
    NUMBER_NAME,
    ORDINAL_NAME,
    SAID_DATE,
    SAID_NAME,
    SHORT_SIDES,
    SIDED_NUMBER,
    SIDES,
    YEAR_NAME,
)
from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import WordTable, entry_words, joined
from presidio_mx.text.document import Document

# Evidence that a name gives: a date or a capital says most.
_DATE = 0.6
_NAMELESS = 0.6
_CAPITAL = 0.6
_LISTED = 0.6
_LISTED_IN_SMALL_LETTERS = 0.5
_ORDINAL = 0.4
_NUMBER_WITH_SIDE = 0.4
_NUMBER = 0.2
_MEDICAL = -0.4
# In small letters, or in a note without them: whether any word is more than a word.
_ODD_WORD = 0.2
_ORDINARY_WORD = 0.0
_ODD_WORD_CASELESS = 0.4
_ORDINARY_WORD_CASELESS = 0.1

# "calle de la", "camino a la": at most so many particles lead a name in.
_MOST_PARTICLES = 3


@kept
def load_settlements(folders: tuple[Path, ...] = ()) -> WordTable[int]:
    """Build the table of colonias, fraccionamientos and barrios.

    :param folders: Folders of a site's own that may add rows.
    :return: Names with the number of municipalities that have one.
    :raises ConfigurationError: If the gazetteer is broken.
    """
    table: WordTable[int] = WordTable()
    for row in rows("colonias", folders):
        words = entry_words(row["name"])
        if words:
            table.add(words, int(row["count"] or 1))
    table.sort()
    return table


@dataclass(frozen=True, slots=True)
class AddressNames:
    """Parse the name of a street or colonia, which may be any words at all.

    :param ends: Tells where a name ends, whatever its words.
    """

    ends: NameEnd

    def parse(self, document: Document, offset: int, kind: NameKind) -> Part | None:
        """Parse the name of a street, road or settlement.

        :param document: The note.
        :param offset: Where it must begin.
        :param kind: What it names.
        :return: Its end and what it adds to the evidence.
        """
        index = document.word_at(offset)
        if index >= len(document):
            return None
        start = document.starts[index]
        if start != offset and document.folded[offset:start] not in ('"', "'"):
            return None
        if document.words[index].isdigit():
            return _numbered(document, index, kind)
        sided = SIDED_NUMBER.match(document.folded, start)
        if sided and kind == "bare":
            return Part(sided.end(), _NUMBER_WITH_SIDE)
        if kind != "settlement" and not document.capital(index):
            said = SAID_DATE.match(document.folded, start)
            said = said or SAID_NAME.match(document.folded, start)
            if said:
                return Part(said.end(), _DATE if " de " in said[0] else _NUMBER)
        nameless = NAMELESS.match(document.folded, start)
        if nameless and kind != "settlement":
            return Part(nameless.end(), _NAMELESS)
        index = _behind_particles(document, index, kind)
        if kind == "settlement":
            listed = self.ends.settlements.longest(document, index)
            if listed and document.words[index] not in self.ends.openings.not_name:
                return self._listed(document, index, listed[0])
        last = self.ends.last_word(document, index, kind)
        if last < index:
            return None
        end = _with_stop(document, last)
        if document.folded[end : end + 1] == '"' and start != offset:
            end += 1
        if kind != "settlement":
            for pattern in (NAME_SIDE, YEAR_NAME, NAME_SIDE):
                more = pattern.match(document.folded, end)
                end = more.end() if more else end
        return Part(end, _evidence(document, index, last))

    def _listed(self, document: Document, first: int, last: int) -> Part:
        """Return a listed colonia, with a capitalised run that goes on behind it."""
        grown = self.ends.last_word(document, first, "settlement")
        if document.casing(first) == "mixed" and document.capital(first):
            last = max(last, grown)
        elif grown > last and self.ends.is_closed(document, grown):
            # "col. electricistas locales, Toluca"
            last = grown
        elif grown > last and not self.ends.places.longest(document, last + 1):
            ordinary = _is_ordinary(document, last + 1, grown)
            if document.casing(first) == "upper" or not ordinary:
                last = grown
        capital = document.capital(first)
        evidence = _LISTED if capital else _LISTED_IN_SMALL_LETTERS
        return Part(document.ends[last], evidence)


def _numbered(document: Document, index: int, kind: NameKind) -> Part | None:
    """Parse a name that begins with a number: "5 de Mayo", "barrio 2do", "calle 21"."""
    start = document.starts[index]
    match = DATE_NAME.match(document.folded, start)
    if match:
        return Part(match.end(), _DATE)
    if kind == "settlement":
        match = ORDINAL_NAME.match(document.folded, start)
        if match:
            return Part(match.end(), _ORDINAL)
        match = COUNTED_NAME.match(document.folded, start)
        return Part(match.end(), _NUMBER) if match else None
    match = NUMBER_NAME.match(document.folded, start)
    if match is None:
        return None
    if kind == "bare" and not BARE_NUMBERED.match(document.folded, start):
        return None
    end = match.end()
    if document.folded[end - 1] == "." and "." not in match[0][:-1]:
        # "calle 21.": the stop is the sentence's, not an ordinal's.
        end -= match[0][-2].isdigit()
    sided = document.words[document.word_at(end) - 1] in SIDES
    return Part(end, _NUMBER_WITH_SIDE if sided else _NUMBER)


def _behind_particles(document: Document, index: int, kind: NameKind) -> int:
    """Return the word behind "de", "de la", "del", "los" at the head of a name."""
    for _ in range(_MOST_PARTICLES):
        if (
            is_particle(document.words[index], kind)
            and index + 1 < len(document)
            and joined(document, index)
        ):
            index += 1
    return index


def _with_stop(document: Document, last: int) -> int:
    """Return the end of a name, the full stop of an abbreviation included."""
    end = document.ends[last]
    short = document.words[last] in SHORT_SIDES
    return end + (short and document.gap(last).startswith("."))


def _is_ordinary(document: Document, first: int, last: int) -> bool:
    """Tell whether all words are ordinary ones and no names."""
    flags = document.flags[first : last + 1]
    return all(flag & KNOWN and not flag & NAME for flag in flags)


def _evidence(document: Document, first: int, last: int) -> float:
    """Return what the letter case and the words of a name say."""
    casing = document.casing(first)
    if casing == "mixed" and document.capital(first):
        return _CAPITAL
    words, flags = document.words, document.flags
    if any(
        flags[here] & (Flag.MEDICAL | Flag.DRUG)
        and not flags[here] & NAME
        and len(words[here]) > 1
        for here in range(first, last + 1)
    ):
        return _MEDICAL
    ordinary = _is_ordinary(document, first, last)
    if casing == "mixed":
        return _ORDINARY_WORD if ordinary else _ODD_WORD
    return _ORDINARY_WORD_CASELESS if ordinary else _ODD_WORD_CASELESS
