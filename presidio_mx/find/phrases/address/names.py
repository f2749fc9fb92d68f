"""Names inside addresses: of streets, crossings, roads and colonias.

A name is a run of joined words. It goes on until a word that never stands in one, until
another component of the address begins, or until the town behind it does.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from presidio_mx.find.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.find.phrases.address.components import Component
from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import FUNCTION_WORDS, WordTable, entry_words, joined
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Names that are no run of words, by the kinds that may bear them, with what they say.
_FIXED = (
    ("street bare crossing road settlement", "a_date", 0.6),
    ("bare crossing", "a_sided", 0.4),
    ("bare", "a_number_bare", 0.4),
    ("street crossing road", "a_number", 0.2),
    ("street crossing road", "a_said_name", 0.2),
    ("settlement", "a_counted", 0.4),
)
PARTICLES, SIDES = words("particle_street"), words("side")
SETTLEMENT_NOUNS = words("settlement_noun")
_ROAD_PARTICLES = words("particle_road")
_SAID_WORDS = words("spoken_number") | {"mil"}
# They begin the next component, whatever follows.
_NEXT = words("corner_opening", "no_number", "number_label", "kilometre")
# Most words behind the first: capitals hold a name together, small letters soon are
# something else; particles may make it longer by some.
_MOST_CAPITALISED, _MOST_SMALL, _MOST_BETWEEN = 6, 4, 3
# A place this strong is a town wherever it stands; a state stands close behind one.
_SURE_PLACE = 1.0
_STATE_GAP = 3


class Named(NamedTuple):
    """A name, up to an offset, and what it says for an address."""

    end: int
    evidence: float


@kept
def load_settlements(folders: tuple[Path, ...] = ()) -> WordTable[int]:
    """Build the table of names of colonias, fraccionamientos and barrios.

    :param folders: Folders of a site's own that may add rows.
    :raises ConfigurationError: If the gazetteer is broken.
    """
    table: WordTable[int] = WordTable()
    for row in rows("colonias", folders):
        key = entry_words(row["name"])
        if key:
            table.add(key, 1)
    table.sort()
    return table


class AddressNames:
    """Parse the name of a street or colonia, which may be any words at all.

    :param symbols: Symbols of the rule file: ``stop`` (labels that end an address) and
        ``not_name`` (words that are never the first of a name) among them.
    :param components: Components of addresses by their first words.
    :param settlements: Names of colonias.
    :param places: Names of places.
    """

    def __init__(
        self,
        symbols: Symbols,
        components: Mapping[str, tuple[Component, ...]],
        settlements: WordTable[int],
        places: PlaceIndex,
    ) -> None:
        """Compile the patterns."""

        def pattern(text: str) -> re.Pattern[str]:
            return compile_pattern(text, symbols)

        self.settlements, self.places = settlements, places
        self.stop = frozenset(words_of("stop", symbols) or ())
        self._not_name = frozenset(words_of("not_name", symbols) or ())
        self._street = pattern(r"(?:{street}|{street_weak})\.?[ ]{1,2}")
        self._tail = pattern("{a_tail}")
        self._fixed = [(k.split(), pattern(f"{{{name}}}"), e) for k, name, e in _FIXED]
        self.section = pattern("{a_section}")
        # What ends a name inside it: opening words of other components.
        self._openers = {
            word: [
                (row.kind == "street", row.steps[0])
                for row in found
                if row.kind in ("street", "settlement", "unit", "code")
                and row.first
                and row.evidence > 0
                and isinstance(row.steps[0], re.Pattern)
            ]
            for word, found in components.items()
        }

    def parse(self, document: Document, offset: int, kind: str) -> Named | None:
        """Parse a name.

        :param document: The note.
        :param offset: Where it must begin.
        :param kind: What it names: ``street``, ``bare`` (a street without its type),
            ``crossing``, ``road`` or ``settlement``.
        """
        folded = document.folded
        opened = self._street.match(folded, offset) if kind == "crossing" else None
        offset = opened.end() if opened else offset
        index = document.word_at(offset)
        if index >= len(document) or document.starts[index] != offset:
            return None
        word = document.words[index]
        said = word in _SAID_WORDS and not document.capital(index)
        if word.isdigit() or said or word in SIDES or word == "sin":
            fixed = self._no_run(document, index, kind)
            if fixed or word.isdigit():
                return fixed
        particles = _ROAD_PARTICLES if kind == "road" else PARTICLES
        first = index
        while first < index + _MOST_BETWEEN and document.words[first] in particles:
            if first + 1 >= len(document) or not joined(document, first):
                break
            first += 1
        last = self._last_word(document, first, kind)
        listed = self.settlements.longest(document, first)
        if kind != "settlement" or document.words[first] in self._not_name:
            listed = None
        if listed:
            last = self._grown(document, first, listed[0], last)
        if last < first:
            return None
        end = document.ends[last]
        tail = self._tail.match(folded, end) if kind != "settlement" else None
        end = tail.end() if tail else end
        return Named(end, 0.5 if listed else _evidence(document, first, last))

    def _grown(self, document: Document, first: int, last: int, run: int) -> int:
        """Return the last word of a listed colonia and of what goes on behind it."""
        if run <= last or (
            document.casing(first) == "mixed" and document.capital(first)
        ):
            return max(run, last)
        town = self.places.longest(document, last + 1)
        flags = document.flags[last + 1 : run + 1]
        ordinary = all(flag & KNOWN and not flag & NAME for flag in flags)
        small = document.casing(first) != "upper"
        return last if town or (small and ordinary) else run

    def _no_run(self, document: Document, index: int, kind: str) -> Named | None:
        """Parse a date, a number or another name that is no run of words."""
        for kinds, pattern, evidence in self._fixed:
            if kind in kinds:
                match = pattern.match(document.folded, document.starts[index])
                if match:
                    last = document.word_at(match.end()) - 1
                    sided = last > index and document.words[last] in SIDES
                    return Named(match.end(), 0.4 if sided else evidence)
        return None

    def _last_word(self, document: Document, first: int, kind: str) -> int:
        """Return the last word of the name that begins at a word, or the one before."""
        capitalised = document.casing(first) == "mixed" and document.capital(first)
        most = _MOST_CAPITALISED if capitalised else _MOST_SMALL
        particles = _ROAD_PARTICLES if kind == "road" else PARTICLES
        last, words = first - 1, document.words
        for here in range(first, min(first + most + _MOST_BETWEEN, len(words))):
            inside = here > first
            if inside and not _goes_on(document, here - 1, kind):
                break
            if inside and words[here] in particles:
                continue
            if not self._belongs(document, first, here, kind, capitalised):
                break
            if inside and last == here - 1 and self._town(document, here, kind):
                break
            last = here
            if here - first >= most:
                break
        return last

    def _belongs(
        self, document: Document, first: int, here: int, kind: str, capitalised: bool
    ) -> bool:
        """Tell whether a word may be one of a name."""
        word, inside, capital = (
            document.words[here],
            here > first,
            document.capital(here),
        )
        if inside and self._next_begins(document, here, kind, capitalised):
            return False
        if _is_initial(document, here) and (inside or not capitalised):
            return True
        if inside and document.gap(here - 1) == "'":
            # "Callejón Guelavi'a"
            return True
        if word == "y" and capitalised and inside and kind != "crossing":
            # "Niños Héroes y Patria", not two streets that cross
            following = here + 1
            return (
                following < len(document)
                and document.capital(following)
                and not self._street.match(document.folded, document.starts[following])
            )
        if word.isdigit() or word in FUNCTION_WORDS:
            return False
        if inside:
            if word in self.stop:
                return False
        elif word in self._not_name:
            return False
        elif word in self.stop and not capitalised:
            # "COL. ALTA VISTA"
            if kind != "settlement" or not _goes_on(document, here, kind):
                return False
        if len(word) == 1 and document.gap(here)[:1] not in (".", " "):
            return False
        if capitalised or len(word) == 1:
            return capitalised and capital
        mixed = document.casing(here) == "mixed"
        return not (mixed and capital) or not inside or kind == "road"

    def _next_begins(
        self, document: Document, here: int, kind: str, capitalised: bool
    ) -> bool:
        """Tell whether another component begins at a word inside a name."""
        word, colonia = document.words[here], kind == "settlement"
        if word in _NEXT:
            return True
        if word in _SAID_WORDS and not (capitalised and document.capital(here)):
            return True
        if colonia and self.section.match(document.folded, document.ends[here - 1]):
            return True
        of = document.words[here - 1] in PARTICLES
        return any(
            pattern.match(document.folded, document.starts[here])
            for street, pattern in self._openers.get(word, ())
            if not street or (colonia and not of)
        )

    def _town(self, document: Document, here: int, kind: str) -> bool:
        """Tell whether a town, not the name, goes on: "COL SANTA CRUZ LEON GTO"."""
        match = self.places.longest(document, here) if kind != "road" else None
        if match is None or document.words[here - 1] in SETTLEMENT_NOUNS:
            return False
        if self.own_state_behind(document, *match):
            return True
        if kind != "settlement" and document.casing(here) == "mixed":
            return False
        return match[1].strength >= _SURE_PLACE and not joined(document, match[0])

    def own_state_behind(self, document: Document, last: int, place: Place) -> bool:
        """Tell whether the state that a place lies in follows its last word."""
        if last + 1 >= len(document) or len(document.gap(last)) > _STATE_GAP:
            return False
        state = self.places.longest(document, last + 1)
        return bool(state and state[1].is_state and place.states & state[1].states)


def _goes_on(document: Document, index: int, kind: str) -> bool:
    """Tell whether a name may go on behind a word."""
    gap = document.gap(index)
    if kind == "road" and gap in (" - ", "- ", " -"):
        return True
    if _is_initial(document, index):
        return gap in (". ", ".")
    return joined(document, index)


def _is_initial(document: Document, index: int) -> bool:
    """Tell whether a word is an initial before a name: "Carlos A. Carrillo"."""
    word, following = document.words[index], index + 1
    if len(word) > 1 or word.isdigit() or following >= len(document):
        return False
    alike = document.capital(index) == document.capital(following)
    return alike and document.gap(index).startswith(".")


def _evidence(document: Document, first: int, last: int) -> float:
    """Return what the letter case and the words of a name say."""
    mixed = document.casing(first) == "mixed"
    if mixed and document.capital(first):
        return 0.6
    inside = range(first, last + 1)
    flags = [document.flags[n] for n in inside if len(document.words[n]) > 1]
    if any(f & (Flag.MEDICAL | Flag.DRUG) and not f & NAME for f in flags):
        return -0.4
    if all(f & KNOWN and not f & NAME for f in flags):
        return 0.0 if mixed else 0.1
    return 0.2 if mixed else 0.4
