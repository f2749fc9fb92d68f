"""Words that open the components of an address: "calle", "col.", "km", "depto."."""

import re
from dataclasses import dataclass
from typing import Literal

from presidio_mx.find.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.find.phrases.address.patterns import SIDES, UNIT_VALUE
from presidio_mx.spanish.lexicon import KNOWN, Flag
from presidio_mx.spanish.word_runs import entry_words
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

Opening = Literal["street", "street_weak", "settlement", "settlement_weak", "road"]
_OPENINGS: tuple[Opening, ...] = (
    "street",
    "street_weak",
    "settlement",
    "settlement_weak",
    "road",
)
# Behind an opening word: its stop, blanks, the end of a line.
_STREET_SIGN = "(?:(?<=c)/)?"
_SETTLEMENT_SIGN = ":?"
# "m. 3", "L 12": manzana and lote.
_LOT = r"[ml]\.?[ ]{0,2}\d{1,3}(?![^\W_])"
# Opening words shorter than this are easily parts of something else.
_CLEAR_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Openings:
    """The opening words of a rule file, compiled.

    Symbols that the file must define: ``street`` and ``street_weak`` (words that open a
    street, and those that do so only with more evidence), ``settlement`` and
    ``settlement_weak`` (colonia, fraccionamiento ...), ``road``, ``unit`` (what stands
    before an interior number), ``stop`` (labels that end an address), ``not_name``
    (words that are never the name of a street or colonia).

    :param patterns: Opening words of streets, settlements and roads.
    :param unit: Opening word of a unit with its value.
    :param heads: First words of all of them.
    :param search_heads: Those at which an address is looked for.
    :param stop: Labels that end an address.
    :param not_name: Words that are never the first of a name.
    """

    patterns: dict[Opening, re.Pattern[str]]
    unit: re.Pattern[str]
    heads: frozenset[str]
    search_heads: frozenset[str]
    stop: frozenset[str]
    not_name: frozenset[str]

    @classmethod
    def of(cls, symbols: Symbols) -> "Openings":
        """Compile the opening words.

        :param symbols: Symbols of the rule file.
        :return: The openings.
        :raises ConfigurationError: If a symbol is missing.
        """
        heads = _first_words((*_OPENINGS, "unit"), symbols) | words("component_head")
        return cls(
            patterns={name: _opening(name, symbols) for name in _OPENINGS},
            unit=compile_pattern(rf"(?:{{unit}}\.?{UNIT_VALUE}|{_LOT})", symbols),
            heads=heads,
            search_heads=heads | words("corner", "corner_opening") | SIDES | {"en"},
            stop=frozenset(words_of("stop", symbols) or ()),
            not_name=frozenset(words_of("not_name", symbols) or ()),
        )

    def match(
        self, opening: Opening, document: Document, offset: int
    ) -> re.Match[str] | None:
        """Match one kind of opening word at an offset."""
        return self.patterns[opening].match(document.folded, offset)

    def opens_street(self, document: Document, index: int) -> bool:
        """Tell whether a word opens a street."""
        return bool(self.match("street", document, document.starts[index]))


def _opening(name: Opening, symbols: Symbols) -> re.Pattern[str]:
    sign = _SETTLEMENT_SIGN if name.startswith("settlement") else _STREET_SIGN
    return compile_pattern(
        f"{{{name}}}(?:\\.|(?<=av)[ ]\\.(?=[ ]))?[ \\t]{{0,3}}{sign}"
        "[ \\t]{0,3}(?:\\n[ ]{0,2})?",
        symbols,
    )


def _first_words(names: tuple[str, ...], symbols: Symbols) -> frozenset[str]:
    return frozenset(
        run[0]
        for name in names
        for run in map(entry_words, words_of(name, symbols) or ())
    )


def is_attached(document: Document, offset: int, opened: str = "") -> bool:
    """Tell whether an opening word is the end of another: "S.C.", "Epstein-Barr".

    "canal AV Rastelli": so written in a note in small letters, "AV" is no avenue.

    :param document: The note.
    :param offset: Where the opening word begins.
    :param opened: The opening word with what follows it; left out, it counts as short.
    :return: Whether it opens nothing.
    """
    folded = document.folded
    if offset and folded[offset - 1] in "-." and folded[offset - 2].isalpha():
        return True
    index = document.word_at(offset)
    return (
        len(opened.rstrip()) < _CLEAR_LENGTH
        and "." not in opened
        and len(document.words[index]) > 1
        and document.shouted(index)
        and document.casing(index) == "mixed"
        and index + 1 < len(document)
        and not document.shouted(index + 1)
    )


def is_surname(document: Document, offset: int) -> bool:
    """Tell whether an opening word is a person's surname: "Francisco Calzada Vega".

    :param document: The note.
    :param offset: Where the opening word begins.
    """
    index = document.word_at(offset)
    before, following = index - 1, index + 1
    if before < 0 or following >= len(document):
        return False
    given = document.flags[before] & Flag.GIVEN and not document.flags[before] & KNOWN
    number = following + 1 < len(document) and document.words[following + 1].isdigit()
    return (
        bool(given)
        and bool(document.flags[index] & document.flags[following] & Flag.SURNAME)
        and document.gap(before) == document.gap(index) == " "
        and document.capital(before)
        and document.capital(index)
        and document.capital(following)
        and not number
    )
