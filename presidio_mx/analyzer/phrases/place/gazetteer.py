"""The place names of the gazetteers, and how sure each is.

Every name has a strength, roughly the log-odds that it means the place where it stands
without context. A large population raises it; a name that is also a given name, a
surname, an ordinary word or a person (Lázaro Cárdenas) lowers it, after the filters of
Sánchez-León (2019). What stands around the name (a state after it, a trigger before it)
adds its own evidence.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag, Lexicon, load_lexicon
from presidio_mx.analyzer.note.wording import PARTICLES, WordTable, entry_words
from presidio_mx.folding import fold_key
from presidio_mx.gazetteer import rows

# Spelt short in notes: the word and its usual abbreviations.
_SHORT_FORMS = {
    "ciudad": ("cd",),
    "santa": ("sta",),
    "santo": ("sto",),
    "san": ("sn",),
    "general": ("gral",),
    "doctor": ("dr",),
    "guadalupe": ("gpe",),
    "francisco": ("fco",),
    "maria": ("ma",),
}
SAINT = frozenset(["san", "santa", "santo", "santiago", "villa", "sn", "sta", "sto"])


@dataclass(frozen=True, slots=True)
class Place:
    """A name of one or several places.

    :param states: CURP codes of the states it lies in; empty for foreign places.
    :param is_state: Whether it names a state or abbreviates one.
    :param short: Whether it is an abbreviation, whose full stop belongs to it.
    :param population: Inhabitants of the largest place of that name.
    :param strength: Log-odds that the bare name means the place.
    """

    states: frozenset[str]
    is_state: bool
    short: bool
    population: int
    strength: float


PlaceIndex = WordTable[Place]


@dataclass(slots=True)
class _Names:
    """Collects names, the most populous place of each first."""

    lexicon: Lexicon
    covered: frozenset[str]
    places: dict[tuple[str, ...], Place] = field(default_factory=dict)

    def add(self, name: str, state: str, population: int, extra: float = 0.0) -> None:
        words = entry_words(name)
        if not words or max(map(len, words)) < 3:
            return
        strength = self.strength(words, population) + extra
        if self.covered and state and state not in self.covered:
            strength -= 1.5
        self.put(
            words,
            Place(
                frozenset([state] if state else []), False, False, population, strength
            ),
        )

    def put(self, words: tuple[str, ...], place: Place) -> None:
        old = self.places.get(words)
        if old is not None:
            best = max(old, place, key=lambda p: p.strength)
            place = Place(
                old.states | place.states,
                old.is_state or place.is_state,
                old.short and place.short,
                max(old.population, place.population),
                best.strength,
            )
        self.places[words] = place

    def strength(self, words: tuple[str, ...], population: int) -> float:
        """Return the log-odds that a bare name means a place.

        :param words: Its folded words.
        :param population: Inhabitants.
        """
        size = math.log10(population + 10)
        content = [word for word in words if word not in PARTICLES] or list(words)
        if len(content) == 1 and len(words) == 1:
            return self._single(words[0], size)
        flags = [self.lexicon.flags.get(word, 0) for word in content]
        known = [bool(flag & (NAME | KNOWN)) for flag in flags]
        if not all(known):
            return 2.5
        saint = words[0] in SAINT
        if saint or words[0] in ("ciudad", "cd", "puerto"):
            return 0.45 * size - (0.9 if words[0] in ("san", "santa") else 0.5)
        if all(flag & NAME and not flag & Flag.ORDINARY for flag in flags):
            if self.lexicon.given.get(content[0], 0.0) > 0.2:
                # "Lázaro Cárdenas", "Benito Juárez": persons, streets, schools too.
                return -1.0
            return 0.45 * size - 1.2
        return 0.45 * size - 1.0

    def _single(self, word: str, size: float) -> float:
        lexicon = self.lexicon
        flag = lexicon.flags.get(word, 0)
        if len(word) < 4:
            return -1.0
        if not flag & (NAME | KNOWN | Flag.EPONYM):
            return 2.5 if len(word) > 4 else 1.6
        named = max(lexicon.given.get(word, 0.0), lexicon.surname.get(word, 0.0))
        common = lexicon.ordinary.get(word, 0.0)
        strength = 0.45 * size - 2.8 * named - 3.0 * common
        if flag & (Flag.EPONYM | Flag.DRUG):
            strength -= 1.0
        return strength


def _short_forms(name: str) -> Iterator[tuple[str, float]]:
    """Yield (shorter form of a municipality's name, what it loses in strength)."""
    if name.startswith("Heroica "):
        name = name.removeprefix("Heroica ").removeprefix("Ciudad de ")
        yield name, 0.0
    head, _, tail = name.partition(" de ")
    if tail and len(head) >= 5 and " " not in head:
        yield head, 0.3
    elif tail and head.split()[0].casefold() in SAINT:
        yield head, 0.6
    words = (head if tail else name).split()
    if 1 < len(words) < 4 and words[0].casefold() in SAINT and len(words[-1]) >= 6:
        yield words[-1], 0.5


def _spellings(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield other spellings of a name: "cd" for "ciudad", "sta" for "santa"."""
    for position, word in enumerate(words[:-1]):
        for short in _SHORT_FORMS.get(word, ()):
            yield (*words[:position], short, *words[position + 1 :])


@lru_cache(maxsize=8)
def load_places(
    covered_states: frozenset[str] = frozenset(),
    left_out: frozenset[str] = frozenset(["ES"]),
    folders: tuple[Path, ...] = (),
) -> PlaceIndex:
    """Build the index of all place names.

    :param covered_states: CURP codes of the states that a deployment covers; towns and
        municipalities of others then need context. Empty: all of Mexico.
    :param left_out: Countries whose towns and provinces are left out.
    :param folders: Folders of a site's own that may add rows.
    :return: An index that callers must not change.
    :raises ConfigurationError: If a gazetteer is broken.
    """
    lexicon = load_lexicon(folders)
    names = _Names(lexicon, covered_states)
    for row in rows("municipalities", folders):
        population = int(row["population"] or 0)
        names.add(row["name"], row["state"], population, 0.3)
        for short, loss in _short_forms(row["name"]):
            flag = lexicon.flags.get(fold_key(short), 0)
            single = names.strength(entry_words(short), population) - loss
            if not flag & KNOWN and (" " in short or single > 0):
                names.add(short, row["state"], population, -loss)
    for row in rows("towns", folders):
        names.add(row["name"], row["state"], int(row["population"] or 0))
    for row in rows("foreign_places", folders):
        if row["country"] in left_out and row["kind"] != "country":
            continue
        # A foreign city needs context: tests, scales and dyes bear their names.
        country = row["kind"] == "country"
        names.add(
            row["name"],
            "",
            300_000 if country else 60_000,
            0.0 if country or row["kind"] == "state" else -1.5,
        )
    _add_states(names, folders)
    index: PlaceIndex = WordTable()
    for words, place in list(names.places.items()):
        for spelling in (words, *_spellings(words)):
            if spelling == words or spelling not in names.places:
                index.add(spelling, place)
    index.sort()
    return index


def _add_states(names: _Names, folders: tuple[Path, ...]) -> None:
    for row in rows("states", folders):
        code = frozenset([row["code"]])
        words = entry_words(row["name"])
        strength = names.strength(words, 3_000_000)
        if words == ("mexico",):
            strength = -0.5
        names.put(words, Place(code, True, False, 3_000_000, strength))
        for short in row["abbreviations"].split(";"):
            words = entry_words(short)
            if not words:
                continue
            letters = "".join(words)
            flag = names.lexicon.flags.get(letters, 0)
            sure = len(letters) >= 4 and not flag & (NAME | KNOWN)
            place = Place(code, True, True, 3_000_000, 1.6 if sure else -1.5)
            if words not in names.places:
                names.put(words, place)
            else:
                old = names.places[words]
                names.put(words, Place(code, True, old.short, 0, old.strength))
