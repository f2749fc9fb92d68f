"""Find known words in a note: names, codes and addresses, however they are written.

Used for a patient's own data and for a site's list of staff.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.typos import TypoIndex
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document
from presidio_mx.text.folding import fold_key

_MEASURES = words("measure_short")
_LINK = r"[ ]{0,2}(?:de[ ]|[:=<>≤≥][ ]?)?"
# A number of three digits at most; one with a unit of age is of a person.
_VALUE = re.compile(
    _LINK + r"\d{1,3}(?:[.,]\d{1,3})?(?:/\d{1,3})?"
    r"(?![\d/]|[.,-]\d|[ ]{0,2}(?:a[nñ]os?|a|meses|mes|m|dias?|d|sem[a-z]*)(?![a-z]))"
)
_OF_TEN = re.compile(_LINK + r"\d{1,2}/10(?![\d/])")


def is_measure(document: Document, start: int, end: int) -> bool:
    """Tell whether a word is a scale or test whose value stands behind it: "TFG 42".

    "EVA 7/10": "EVA" is also Eva, and the initials of Elena Vargas Ávila. Capitals tell
    it from a name; where all is in capitals, or nothing is, the name of a scale that is
    also a person's needs a value of ten.

    :param document: The note.
    :param start: Where the word begins, in offsets of the working text.
    :param end: Where it ends.
    """
    if document.folded[start:end] not in _MEASURES:
        return False
    if _OF_TEN.match(document.folded, end):
        return True
    for index in document.words_in(start, end):
        told = document.shouted(index) and document.casing(index) == "mixed"
        if not told and document.flags[index] & NAME:
            return False
    return bool(_VALUE.match(document.folded, end))


_PARTICLES = words("particle_known")
_GENERIC = words("address_generic")
_WORD = re.compile(r"[^\W\d_]+|\d+")
# Share of letters that must agree for a code of ten or more characters.
_CODE_RATIO = 80.0
_SHORT_CODE = 8
_ADDRESS_SHARE = 0.5
_ADDRESS_GAP = 4
# A name of a list has more letters than this where it stands ("J. M.").
_SHORTEST_NAME = 4


def _alike(word: str, target: str) -> bool:
    """Tell whether a word is the target within one edit, two for nine letters."""
    if word == target:
        return True
    longest = max(len(word), len(target))
    if min(len(word), len(target)) < 4 or longest < 5:
        return False
    allowed = 2 if longest >= 9 else 1
    return OSA.distance(word, target, score_cutoff=allowed) <= allowed


@cache
def _abbreviations() -> dict[str, list[str]]:
    """Return full folded names with their usual abbreviations."""
    table: dict[str, list[str]] = {}
    for row in rows("name_abbreviations"):
        short = fold_key(row["abbreviation"]).strip(".")
        table.setdefault(fold_key(row["full"]), []).append(short)
    return table


def find_name(
    document: Document, name: str, initials: bool = True
) -> Iterator[tuple[int, int]]:
    """Yield the mentions of a name: parts, typos, abbreviations, order, initials.

    A part that is also an ordinary word counts only beside another part, or with a
    capital in a line of mixed case; one that is a scale with its value ("EVA 7/10")
    does not.

    :param document: The prepared note.
    :param name: The name, in any order.
    :param initials: Whether "J.M.M." or "JMM" counts as well.
    :return: Spans of the working text.
    """
    parts = name_words(name)
    short = _abbreviations()
    targets = [[part, *short.get(part, [])] for part in parts]
    hits = [
        any(_alike(word, form) for forms in targets for form in forms)
        for word in document.words
    ]
    letters = [part[0] for part in parts]
    found = _runs(document, hits, set(letters))
    if initials and len(parts) >= 3:
        found = chain(found, _initials(document, letters))
    yield from (span for span in found if not is_measure(document, *span))


def _runs(
    document: Document, hits: list[bool], letters: set[str]
) -> Iterator[tuple[int, int]]:
    index, size = 0, len(document)
    while index < size:
        if not hits[index]:
            index += 1
            continue
        first = last = index
        while first > 0 and _is_initial(document, first - 1, letters):
            first -= 1
        here, strong = index + 1, 1
        while here < size and document.gap(here - 1).strip(" .,-\n") == "":
            word = document.words[here]
            if hits[here]:
                last, strong = here, strong + 1
            elif word not in _PARTICLES and not _is_initial(document, here, letters):
                break
            elif len(word) == 1 and document.folded[document.ends[here] :][:1] == ".":
                last = here
            here += 1
        if strong > 1 or first < index or _stands_alone(document, index):
            end = document.ends[last]
            if len(document.words[last]) == 1 and document.folded[end : end + 1] == ".":
                end += 1
            yield document.starts[first], end
        index = last + 1


def _is_initial(document: Document, index: int, letters: set[str]) -> bool:
    """Tell whether a word is an initial of the name, right beside the next word."""
    word = document.words[index]
    return (
        len(word) == 1
        and word in letters
        and document.capital(index)
        and document.gap(index).strip(" ") in ("", ".")
        and document.gap(index) != ""
    )


def _stands_alone(document: Document, index: int) -> bool:
    """Tell whether one part of a name is a mention by itself."""
    if len(document.words[index]) < 3:
        return False
    flag = document.flags[index]
    if not flag & (KNOWN | Flag.EPONYM):
        return True
    return document.casing(index) == "mixed" and document.capital(index)


def _initials(document: Document, letters: list[str]) -> Iterator[tuple[int, int]]:
    """Yield "J.M.M.", "J. M. M." and "JMM" of a name with three parts or more."""
    dotted = r"[. ]{1,2}".join(map(re.escape, letters))
    pattern = re.compile(rf"(?<![^\W_])(?:{dotted}\.?|{''.join(letters)})(?![^\W_])")
    for match in pattern.finditer(document.folded):
        if document.text[match.start()].isupper():
            yield match.span()


def find_code(
    document: Document, code: str, keep: Callable[[str], bool], last: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield where a code stands, with any separators and a slip or two.

    :param document: The prepared note.
    :param code: The code as recorded.
    :param keep: Which characters belong to it, such as ``str.isdigit``.
    :param last: Compare this many characters at its end alone.
    """
    wanted = "".join(filter(keep, fold_key(code)))
    wanted = wanted[-last:] if last else wanted
    if len(wanted) < 4:
        return
    places = [i for i, character in enumerate(document.folded) if keep(character)]
    compact = "".join(document.folded[i] for i in places)
    exact = [match.start() for match in re.finditer(re.escape(wanted), compact)]
    for begin in exact:
        yield _whole(document, places, begin, begin + len(wanted))
    if exact or len(wanted) < _SHORT_CODE:
        return
    near = fuzz.partial_ratio_alignment(wanted, compact, score_cutoff=_CODE_RATIO + 5)
    if near and near.dest_end - near.dest_start >= len(wanted) - 2:
        begin, end = near.dest_start, near.dest_end
        if OSA.normalized_similarity(wanted, compact[begin:end]) * 100 >= _CODE_RATIO:
            yield _whole(document, places, begin, end)


def _whole(
    document: Document, places: list[int], begin: int, end: int
) -> tuple[int, int]:
    """Return the span of the text, widened to whole words."""
    start, stop = places[begin], places[end - 1] + 1
    folded = document.folded
    while start > 0 and folded[start - 1].isalnum():
        start -= 1
    while stop < len(folded) and folded[stop].isalnum():
        stop += 1
    return start, stop


def find_address(document: Document, address: str) -> Iterator[tuple[int, int]]:
    """Yield runs of the note that hold at least half of an address's own words.

    :param document: The prepared note.
    :param address: The address as recorded.
    :return: Spans of the working text.
    """
    wanted = [w for w in _WORD.findall(fold_key(address)) if w not in _GENERIC]
    if not wanted:
        return
    hits = [
        index
        for index, word in enumerate(document.words)
        if any(_alike(word, target) for target in wanted)
    ]
    for group in _groups(hits):
        matched = {
            target
            for index in group
            for target in wanted
            if _alike(document.words[index], target)
        }
        if len(matched) >= max(2, _ADDRESS_SHARE * len(set(wanted))):
            yield document.starts[group[0]], document.ends[group[-1]]


def _groups(hits: Iterable[int]) -> Iterator[list[int]]:
    """Yield hits that stand at most a few words apart."""
    group: list[int] = []
    for index in hits:
        if group and index - group[-1] > _ADDRESS_GAP:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


@dataclass(frozen=True, slots=True)
class Roster:
    """Names of a list, each found where two of its words or more stand together.

    One word alone is no mention: half a hospital is called García.

    :param names: The names, without titles.
    """

    names: tuple[str, ...]
    _by_word: dict[str, frozenset[str]] = field(default_factory=dict)
    _typos: TypoIndex = field(default_factory=lambda: TypoIndex.of(()))

    @classmethod
    def of(cls, entries: Iterable[str], titles: frozenset[str]) -> "Roster":
        """Return the roster of a list.

        :param entries: Names as somebody typed them, titles perhaps before them.
        :param titles: Folded titles, which are no part of a name.
        """
        names = tuple(_without_titles(entry, titles) for entry in entries)
        by_word: dict[str, set[str]] = {}
        for name in names:
            for word in name_words(name):
                for form in (word, *_abbreviations().get(word, ())):
                    by_word.setdefault(form, set()).add(name)
        index = {word: frozenset(found) for word, found in by_word.items()}
        return cls(names, index, TypoIndex.of(index))

    def find(self, document: Document) -> Iterator[tuple[int, int]]:
        """Yield where names of the list stand.

        :param document: The prepared note.
        :return: Spans of the working text.
        """
        seen: set[str] = set()
        for word, flag in zip(document.words, document.flags, strict=True):
            meant = word
            if word not in self._by_word:
                meant = "" if flag else self._typos.trigger(word)
            seen |= self._by_word.get(meant, frozenset())
        for name in sorted(seen):
            for start, end in find_name(document, name):
                letters = sum(map(str.isalpha, document.folded[start:end]))
                if len(document.words_in(start, end)) > 1 and letters > _SHORTEST_NAME:
                    yield start, end


def name_words(name: str) -> list[str]:
    """Return the folded words of a name without its particles.

    :param name: The name, in any order.
    """
    return [part for part in _WORD.findall(fold_key(name)) if part not in _PARTICLES]


def _without_titles(entry: str, titles: frozenset[str]) -> str:
    """Return a name without the titles before it ("Dra. Peña")."""
    parts = entry.split()
    while len(parts) > 1 and fold_key(parts[0]).strip(".:") in titles:
        parts.pop(0)
    return " ".join(parts)
