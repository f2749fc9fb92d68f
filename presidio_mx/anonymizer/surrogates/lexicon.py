"""The names of the gazetteers, in classes whose members may stand for one another."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from presidio_mx.anonymizer.surrogates.draw import Draw
from presidio_mx.folding import fold_key
from presidio_mx.gazetteer import read_table, rows
from presidio_mx.resources import folder

PARTICLES = frozenset(
    "de d del la las los y e i el da das do dos di van von mac vda viuda san jr "
    "hijo hija ii iii iv sr sra srta dr dra don dona lic ing mtro mtra profr profra "
    "enf fray sor".split()
)
_FIRST_BAND = 40
# In a class smaller than this a surrogate would be easy to guess.
_SMALLEST_CLASS = 8
# A word counts as given name and surname alike if neither use is this much commoner.
_MIXED_RATIO = 5.0


@dataclass(frozen=True)
class Word:
    """A word of a list.

    :param text: Usual spelling.
    :param group: Name of its class.
    :param index: Place in the class.
    """

    text: str
    group: str
    index: int


@dataclass(frozen=True)
class Lexicon:
    """All name words.

    :param words: Folded word to its entry.
    :param groups: Class to the spellings of its members.
    :param short: Folded abbreviation to the folded full word.
    :param abbreviations: Folded full word to its usual abbreviation.
    :param nicknames: Folded nickname to the folded given names it stands for.
    :param sexes: Folded given name to F, M or U.
    """

    words: Mapping[str, Word]
    groups: Mapping[str, tuple[str, ...]]
    short: Mapping[str, str]
    abbreviations: Mapping[str, str]
    nicknames: Mapping[str, tuple[str, ...]]
    sexes: Mapping[str, str]

    def image(self, word: str, draw: Draw) -> str | None:
        """Return the surrogate of a word of the lists in its usual spelling.

        :param word: Folded word.
        :param draw: Keyed numbers.
        :return: The surrogate; None if no list has the word.
        """
        entry = self.words.get(word)
        if entry is None:
            return None
        members = self.groups[entry.group]
        return members[draw.permute(len(members), entry.index, "name", entry.group)]


def _counted(name: str) -> dict[str, tuple[str, float, str]]:
    """Return folded word: (spelling, share of all uses, sex) of a list."""
    best: dict[str, tuple[str, float, str]] = {}
    for row in rows(name):
        word = row["name"].split()[-1]
        if len(row["name"].split()) > 1 and fold_key(row["name"].split()[0]) not in (
            PARTICLES
        ):
            continue
        key = fold_key(word)
        count = float(row.get("count") or 1)
        if len(key) > 1 and (key not in best or count > best[key][1]):
            best[key] = (word, count, row.get("sex", ""))
    total = sum(count for _, count, _ in best.values()) or 1.0
    return {k: (w, count / total, sex) for k, (w, count, sex) in best.items()}


def _particle_words() -> dict[str, str]:
    """Return folded word: the particle it usually follows, and its kind."""
    table = read_table(folder("operators") / "particle_words.tsv")
    return {fold_key(r["word"]): f"{r['kind']} after {r['particle']}" for r in table}


def _classify() -> dict[str, list[tuple[float, str]]]:
    given, surnames = _counted("given_names"), _counted("surnames")
    nicknames: dict[str, tuple[str, str]] = {
        fold_key(row["name"]): (row["name"], row["sex"])
        for row in rows("nicknames")
        if " " not in row["name"]
    }
    particle_words = _particle_words()
    classes: dict[str, list[tuple[float, str]]] = {}
    for key in sorted(given.keys() | surnames.keys() | nicknames.keys()):
        if key in PARTICLES:
            continue
        spelling, as_given, sex = given.get(key, ("", 0.0, ""))
        family, as_surname, _ = surnames.get(key, ("", 0.0, ""))
        if key in particle_words:
            group = particle_words[key]
        elif key in nicknames and as_given + as_surname < 1e-4:
            spelling, sex = nicknames[key]
            group = f"nickname {sex or 'U'}"
        elif (
            as_given
            and as_surname
            and (1 / _MIXED_RATIO < as_given / as_surname < _MIXED_RATIO)
        ):
            group = f"mixed {sex or 'U'}"
        else:
            group = f"given {sex or 'U'}" if as_given > as_surname else "surname"
        best = spelling if as_given >= as_surname and spelling else family or spelling
        classes.setdefault(group, []).append((as_given + as_surname, best))
    return _without_small(classes)


def _without_small(
    classes: dict[str, list[tuple[float, str]]],
) -> dict[str, list[tuple[float, str]]]:
    """Join classes that are too small to a large one of the same sex."""
    joined: dict[str, list[tuple[float, str]]] = {}
    for group, members in classes.items():
        sex = group[-1] if group[-2:] in (" F", " M") else ""
        target = group
        if len(members) < _SMALLEST_CLASS:
            target = f"given {sex}" if sex else "surname"
        joined.setdefault(target, []).extend(members)
    return joined


def _bands(group: str, members: list[tuple[float, str]]) -> dict[str, tuple[str, ...]]:
    """Cut a class into bands of similar frequency, each twice as long as the last."""
    ranked = [word for _, word in sorted(members, key=lambda m: (-m[0], m[1]))]
    bands: dict[str, tuple[str, ...]] = {}
    start, width = 0, _FIRST_BAND
    while start < len(ranked):
        end = start + width
        if len(ranked) - end < width:
            end = len(ranked)
        bands[f"{group} {len(bands)}"] = tuple(ranked[start:end])
        start, width = end, width * 2
    return bands


@cache
def lexicon() -> Lexicon:
    """Return the names of the shipped gazetteers in classes.

    :return: The lexicon, read once.
    """
    groups: dict[str, tuple[str, ...]] = {}
    for group, members in _classify().items():
        groups |= _bands(group, members)
    words = {
        fold_key(spelling): Word(spelling, group, index)
        for group, members in groups.items()
        for index, spelling in enumerate(members)
    }
    short: dict[str, str] = {}
    abbreviations: dict[str, str] = {}
    for row in rows("name_abbreviations"):
        key, full = fold_key(row["abbreviation"]).rstrip("."), fold_key(row["full"])
        if len(key) > 1:
            short.setdefault(key, full)
            abbreviations.setdefault(full, row["abbreviation"])
    nicknames: dict[str, tuple[str, ...]] = {}
    for row in rows("nicknames"):
        names = tuple(fold_key(row["given"]).replace(";", " ").split())
        nicknames[fold_key(row["name"])] = names
    sexes = {fold_key(row["name"]): row["sex"] for row in rows("given_names")}
    return Lexicon(
        words=MappingProxyType(words),
        groups=MappingProxyType(groups),
        short=MappingProxyType(short),
        abbreviations=MappingProxyType(abbreviations),
        nicknames=MappingProxyType(nicknames),
        sexes=MappingProxyType(sexes),
    )
