"""The place names of the gazetteers, each with its strength as a bare name.

See ``bare_strength`` for what makes a name strong. What stands around it in a note (a
state after it, a trigger before it) adds its own evidence there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.find.phrases.place.bare_strength import SAINT, bare_strength
from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Lexicon, load_lexicon
from presidio_mx.spanish.word_runs import WordTable, entry_words
from presidio_mx.spanish.words import groups
from presidio_mx.text.folding import fold_key

# Municipalities are named more often than towns; their short forms lose again.
_MUNICIPALITY = 0.3
_WITHOUT_OF = 0.3
_SAINT_WITHOUT_OF = 0.6
_WITHOUT_SAINT = 0.5
# Elsewhere than in the covered states; and abroad, where tests, scales and dyes have
# their names from.
_NOT_COVERED = 1.5
_FOREIGN_TOWN = -1.5
# Its towns and provinces are looked for in notes of Spain alone.
_SPAIN = "ES"
# "México" is the country, the city or the state.
_MEXICO = -0.5
# Abbreviations of states: long ones that are no words, and others.
_SURE_ABBREVIATION = 1.6
_UNSURE_ABBREVIATION = -1.5
_SURE_LENGTH = 4
# Inhabitants that stand for those of states, countries and foreign towns.
_STATE_SIZE = 3_000_000
_COUNTRY_SIZE = 300_000
_FOREIGN_TOWN_SIZE = 60_000
# A name needs a word of three letters, a head of five or tail of six to stand for it.
_SHORTEST = 3
_SHORTEST_HEAD = 5
_SHORTEST_TAIL = 6
_MOST_WORDS_OF_SAINT = 3


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


# Words that notes abbreviate, with their abbreviations.
_SHORT_SPELLINGS = {
    word: short
    for name in ("place_spelling", "saint_spelling")
    for word, *short in groups(name)
}


@dataclass(slots=True)
class _Names:
    """Collects names, the most populous place of each first.

    :param lexicon: What is known of words.
    :param covered: CURP codes of the states that a deployment covers; empty for all.
    :param places: The names so far, as folded words.
    """

    lexicon: Lexicon
    covered: frozenset[str]
    places: dict[tuple[str, ...], Place] = field(default_factory=dict)

    def add(self, name: str, state: str, population: int, extra: float = 0.0) -> None:
        """Add a town, with what it gains or loses in strength."""
        key = entry_words(name)
        if not key or max(map(len, key)) < _SHORTEST:
            return
        strength = bare_strength(self.lexicon, key, population) + extra
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
    _add_municipalities(names, folders)
    for row in rows("towns", folders):
        names.add(row["name"], row["state"], int(row["population"] or 0))
    _add_foreign(names, folders)
    _add_states(names, folders)
    index: PlaceIndex = WordTable()
    for key, place in list(names.places.items()):
        for spelling in (key, *_spellings(key)):
            if spelling == key or spelling not in names.places:
                index.add(spelling, place)
    index.sort()
    return index


def _add_municipalities(names: _Names, folders: tuple[Path, ...]) -> None:
    for row in rows("municipalities", folders):
        population = int(row["population"] or 0)
        names.add(row["name"], row["state"], population, _MUNICIPALITY)
        for short, loss in _short_forms(row["name"]):
            if names.lexicon.flags.get(fold_key(short), 0) & KNOWN:
                continue
            key = entry_words(short)
            sure = bare_strength(names.lexicon, key, population) - loss > 0
            if " " in short or sure:
                names.add(short, row["state"], population, -loss)


def _add_foreign(names: _Names, folders: tuple[Path, ...]) -> None:
    for row in rows("foreign_places", folders):
        kind = row["kind"]
        if row["country"] == _SPAIN and kind != "country":
            continue
        size = _COUNTRY_SIZE if kind == "country" else _FOREIGN_TOWN_SIZE
        town = kind not in ("country", "state")
        names.add(row["name"], "", size, _FOREIGN_TOWN if town else 0.0)


def _add_states(names: _Names, folders: tuple[Path, ...]) -> None:
    for row in rows("states", folders):
        code = frozenset([row["code"]])
        key = entry_words(row["name"])
        strength = bare_strength(names.lexicon, key, _STATE_SIZE)
        if key == ("mexico",):
            strength = _MEXICO
        names.put(key, Place(code, True, False, _STATE_SIZE, strength))
        for short in row["abbreviations"].split(";"):
            key = entry_words(short)
            if key:
                names.put(key, _abbreviation(names, key, code))


def _abbreviation(names: _Names, key: tuple[str, ...], code: frozenset[str]) -> Place:
    """Return a state by its abbreviation, which may be a place's name, too."""
    old = names.places.get(key)
    if old is not None:
        return Place(code, True, old.short, 0, old.strength)
    letters = "".join(key)
    flag = names.lexicon.flags.get(letters, 0)
    sure = len(letters) >= _SURE_LENGTH and not flag & (NAME | KNOWN)
    strength = _SURE_ABBREVIATION if sure else _UNSURE_ABBREVIATION
    return Place(code, True, True, _STATE_SIZE, strength)
