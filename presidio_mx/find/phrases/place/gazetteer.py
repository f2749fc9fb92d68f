"""The place names of the gazetteers, each with its strength as a bare name.

The strength is roughly the log-odds that the bare name means the place: a large
population raises it; a name that is also a given name, a surname, an ordinary word or
a person (Lázaro Cárdenas) lowers it, after the filters of Sánchez-León (2019). What
stands around a name in a note adds its own evidence there.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag, Lexicon, load_lexicon
from presidio_mx.spanish.word_runs import PARTICLES, WordTable, entry_words
from presidio_mx.spanish.words import groups, words
from presidio_mx.text.folding import fold_key

# Without any evidence from around it a name must reach this strength.
BARE = 1.5
# A name with a word that no list has is as good as sure, unless it is that short; one
# word of fewer than four letters is anything.
_ODD, _ODD_SHORT, _TOO_SHORT, _SHORT = 2.5, 1.6, -1.0, 4
# A name of known words gains for each power of ten of its population, and loses for
# what they mean elsewhere: a saint or a person, a saint or a city, names, words ...
_BY_SIZE, _SAINT_OF_PERSON, _SAINT_OR_CITY = 0.45, 0.9, 0.5
_PERSONAL_NAMES, _KNOWN_WORDS = 1.2, 1.0
# ... one word by its weight as a name and as an ordinary word.
_BY_NAME, _BY_WORD, _EPONYM_OR_DRUG = 2.8, 3.0, 1.0
# "Benito Juárez", streets and schools too, begin with a given name of this weight.
_PERSON, _COMMON_GIVEN = -1.0, 0.2
# Municipalities are named more often than towns; their short forms lose again; towns
# elsewhere than in the covered states lose, and those abroad, after which tests and
# dyes are named.
_MUNICIPALITY, _WITHOUT_OF, _SAINT_WITHOUT_OF, _WITHOUT_SAINT = 0.3, 0.3, 0.6, 0.5
_NOT_COVERED, _FOREIGN_TOWN = 1.5, -1.5
# Abbreviations of states: long ones that are no words, and others.
_SURE_ABBREVIATION, _UNSURE_ABBREVIATION, _SURE_LENGTH = 1.6, -1.5, 4
# Inhabitants that stand for those of states, countries and foreign towns.
_STATE_SIZE, _COUNTRY_SIZE, _FOREIGN_TOWN_SIZE = 3_000_000, 300_000, 60_000
# A name needs a word of three letters, a head of five or tail of six to stand for it.
_SHORTEST, _SHORTEST_HEAD, _SHORTEST_TAIL, _MOST_WORDS_OF_SAINT = 3, 5, 6, 3
# Its towns and provinces are looked for in notes of Spain alone.
_SPAIN = "ES"

# First words that towns share with persons, and those of cities.
SAINT = words("saint")
_SAINT_OF_PERSONS, _CITY_WORDS = words("saint_of_person"), words("city_word")
# Words that notes abbreviate, with their abbreviations.
_SHORT_SPELLINGS = {
    word: short
    for name in ("place_spelling", "saint_spelling")
    for word, *short in groups(name)
}


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


def _bare_strength(lexicon: Lexicon, name: tuple[str, ...], population: int) -> float:
    """Return the log-odds that a bare name of folded words means a place."""
    by_size = _BY_SIZE * math.log10(population + 10)
    if len(name) == 1:
        return _strength_of_word(lexicon, name[0], by_size)
    content = [word for word in name if word not in PARTICLES] or list(name)
    flags = [lexicon.flags.get(word, 0) for word in content]
    if not all(flag & (NAME | KNOWN) for flag in flags):
        return _ODD
    if name[0] in SAINT or name[0] in _CITY_WORDS:
        person = name[0] in _SAINT_OF_PERSONS
        return by_size - (_SAINT_OF_PERSON if person else _SAINT_OR_CITY)
    if all(flag & NAME and not flag & Flag.ORDINARY for flag in flags):
        person = lexicon.given.get(content[0], 0.0) > _COMMON_GIVEN
        return _PERSON if person else by_size - _PERSONAL_NAMES
    return by_size - _KNOWN_WORDS


def _strength_of_word(lexicon: Lexicon, word: str, by_size: float) -> float:
    flag = lexicon.flags.get(word, 0)
    if len(word) < _SHORT:
        return _TOO_SHORT
    if not flag & (NAME | KNOWN | Flag.EPONYM):
        return _ODD if len(word) > _SHORT else _ODD_SHORT
    named = max(lexicon.given.get(word, 0.0), lexicon.surname.get(word, 0.0))
    strength = by_size - _BY_NAME * named
    strength -= _BY_WORD * lexicon.ordinary.get(word, 0.0)
    return strength - (_EPONYM_OR_DRUG if flag & (Flag.EPONYM | Flag.DRUG) else 0.0)


@dataclass(slots=True)
class _Names:
    """Collects the names of the states that a deployment covers, and of others."""

    lexicon: Lexicon
    covered: frozenset[str]
    places: dict[tuple[str, ...], Place] = field(default_factory=dict)

    def add(self, name: str, state: str, population: int, extra: float = 0.0) -> None:
        """Add a town, with what it gains or loses in strength."""
        key = entry_words(name)
        if not key or max(map(len, key)) < _SHORTEST:
            return
        strength = _bare_strength(self.lexicon, key, population) + extra
        if self.covered and state and state not in self.covered:
            strength -= _NOT_COVERED
        states = frozenset([state] if state else [])
        self.put(key, Place(states, False, False, population, strength))

    def put(self, key: tuple[str, ...], place: Place) -> None:
        """Add a place to those of its name."""
        old = self.places.get(key)
        if old is not None:
            place = Place(
                old.states | place.states,
                old.is_state or place.is_state,
                old.short and place.short,
                max(old.population, place.population),
                max(old.strength, place.strength),
            )
        self.places[key] = place

    def add_municipality(self, name: str, state: str, population: int) -> None:
        """Add a municipality and the shorter forms that are sure enough."""
        self.add(name, state, population, _MUNICIPALITY)
        for short, loss in _short_forms(name):
            if self.lexicon.flags.get(fold_key(short), 0) & KNOWN:
                continue
            bare = _bare_strength(self.lexicon, entry_words(short), population)
            if " " in short or bare > loss:
                self.add(short, state, population, -loss)

    def add_state(self, code: str, name: str, abbreviations: list[str]) -> None:
        """Add a state and its abbreviations, which may be places' names, too."""
        states, key = frozenset([code]), entry_words(name)
        strength = _bare_strength(self.lexicon, key, _STATE_SIZE)
        self.put(key, Place(states, True, False, _STATE_SIZE, strength))
        for key in filter(None, map(entry_words, abbreviations)):
            old = self.places.get(key)
            if old is not None:
                place = Place(states, True, old.short, 0, old.strength)
            else:
                letters = "".join(key)
                flag = self.lexicon.flags.get(letters, 0)
                sure = len(letters) >= _SURE_LENGTH and not flag & (NAME | KNOWN)
                strength = _SURE_ABBREVIATION if sure else _UNSURE_ABBREVIATION
                place = Place(states, True, True, _STATE_SIZE, strength)
            self.put(key, place)


def _short_forms(name: str) -> Iterator[tuple[str, float]]:
    """Yield (shorter form of a municipality's name, what it loses in strength)."""
    if name.startswith("Heroica "):
        name = name.removeprefix("Heroica ").removeprefix("Ciudad de ")
        yield name, 0.0
    head, _, tail = name.partition(" de ")
    if tail and len(head) >= _SHORTEST_HEAD and " " not in head:
        yield head, _WITHOUT_OF
    elif tail and head.split()[0].casefold() in SAINT:
        yield head, _SAINT_WITHOUT_OF
    run = (head if tail else name).split()
    if 1 < len(run) <= _MOST_WORDS_OF_SAINT and run[0].casefold() in SAINT:
        if len(run[-1]) >= _SHORTEST_TAIL:
            yield run[-1], _WITHOUT_SAINT


def _spellings(key: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield other spellings of a name: "cd" for "ciudad", "sta" for "santa"."""
    for position, word in enumerate(key[:-1]):
        for short in _SHORT_SPELLINGS.get(word, ()):
            yield (*key[:position], short, *key[position + 1 :])


@kept
def load_places(
    covered_states: frozenset[str] = frozenset(),
    folders: tuple[Path, ...] = (),
) -> PlaceIndex:
    """Build the index of all place names.

    :param covered_states: CURP codes of the states that a deployment covers; towns and
        municipalities of others then need context. Empty: all of Mexico.
    :param folders: Folders of a site's own that may add rows.
    :return: An index that callers must not change.
    :raises ConfigurationError: If a gazetteer is broken.
    """
    names = _Names(load_lexicon(folders), covered_states)
    for row in rows("municipalities", folders):
        names.add_municipality(row["name"], row["state"], int(row["population"] or 0))
    for row in rows("towns", folders):
        names.add(row["name"], row["state"], int(row["population"] or 0))
    for row in rows("foreign_places", folders):
        kind = row["kind"]
        if row["country"] == _SPAIN and kind != "country":
            continue
        size = _COUNTRY_SIZE if kind == "country" else _FOREIGN_TOWN_SIZE
        town = kind not in ("country", "state")
        names.add(row["name"], "", size, _FOREIGN_TOWN if town else 0.0)
    for row in rows("states", folders):
        names.add_state(row["code"], row["name"], row["abbreviations"].split(";"))
    index: PlaceIndex = WordTable()
    for key, place in names.places.items():
        for spelling in (key, *_spellings(key)):
            if spelling == key or spelling not in names.places:
                index.add(spelling, place)
    index.sort()
    return index
