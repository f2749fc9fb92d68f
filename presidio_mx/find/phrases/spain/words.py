"""Phrases of the ``es-ES`` preset: names of staff and places that run into one another.

The foot of a Spanish case ("Remitido por: Dr. A B Servicio de Urología Hospital C Calle
D, 5 28001 Madrid (España)") has no reliable punctuation, so a phrase ends where a word
begins that opens the next part.
"""

import re
from collections.abc import Mapping
from typing import Any

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.patterns import Symbols, words_of
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.found import FoundBefore
from presidio_mx.spanish.lexicon import Flag
from presidio_mx.spanish.words import either, words
from presidio_mx.text.document import Document
from presidio_mx.text.folding import fold_key

Options = Mapping[str, Any]

PARTICLES = words("particle_spain")
_INSIDE = words("particle")
BLANKS = frozenset({" ", "  ", "   ", "\u00a0"})
_BEFORE_NUMBER = BLANKS | {", ", ",", "/", "\\", " - ", "-"}
NAME_JOINTS = BLANKS | {"-", " - ", "'", "- ", " -"}
# Words up to this length may be abbreviations, whose full stop ends no name.
ABBREVIATION = 3
# Longer runs of capitalised words are a heading, not a name.
_MOST_WORDS = 9
# A house number stands at most so many words behind the type of its street.
_MOST_WORDS_OF_STREET = 7
# Labels over a foot whose name was not recognised.
_FOOT = re.compile(either("spain_foot") + ":")


def word_set(name: str, symbols: Symbols) -> frozenset[str]:
    """Return the entries of a list symbol; empty if the file has no such list.

    :param name: A list symbol.
    :param symbols: The symbols of the rule file.
    :return: Folded entries.
    """
    if name not in symbols:
        return frozenset()
    return frozenset(map(fold_key, words_of(name, symbols) or ()))


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
        if inside and document.gap(index - 1) in BLANKS:
            return False
        # "Otero Carrera. Hospital", "Eva Estrada Gil": a surname, since no number
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
    for i in range(index, min(index + _MOST_WORDS_OF_STREET, len(document) - 1)):
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
    ends = document.once(FoundBefore).once(_last_ends, found)
    return ends[rule] if rule in ends else document.once(_behind_labels)


def _last_ends(found: list[Finding]) -> dict[str, int]:
    """Return where the last finding of each rule ends."""
    ends: dict[str, int] = {}
    for finding in found:
        ends[finding.rule] = max(finding.end, ends.get(finding.rule, 0))
    return ends


def _behind_labels(document: Document) -> int:
    """Return where the last label of a foot ends, else the end of the note."""
    ends = (match.end() for match in _FOOT.finditer(document.folded))
    return max(ends, default=len(document.text))


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
    joints: frozenset[str] = NAME_JOINTS,
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
        elif word not in PARTICLES or position == index:
            break
        short = len(word) <= ABBREVIATION and gap in (". ", ".")
        if gap not in joints and not short:
            break
        position += 1
    return end


def _joined(document: Document, position: int, index: int) -> bool:
    """Tell whether a small word belongs to the one before: "Abu-saleh", "M.a"."""
    if position == index:
        return False
    before = document.gap(position - 1)
    if before == "-":
        return True
    return before == "." and document.words[position - 1 : position + 1] == ["m", "a"]


def mark_of(
    document: Document, start: int, end: int, delta: float = 0.0
) -> Mark | None:
    """Return the mark of a run of words."""
    if end <= start:
        return None
    return Mark(document.starts[start], document.ends[end - 1], delta)
