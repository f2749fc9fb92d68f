"""The names of the gazetteers, in classes whose members may stand for one another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from presidio_mx.anonymizer.surrogates.draw import Draw
from presidio_mx.folding import fold_key
from presidio_mx.gazetteer import read_table, rows
from presidio_mx.resources import folder
from presidio_mx.words import words

PARTICLES = words("surrogate_name_kept")
_FIRST_BAND = 40
# In a class smaller than this a surrogate would be easy to guess.
_SMALLEST_CLASS = 8
# A word counts as given name and surname alike if neither use is this much commoner.
_MIXED_RATIO = 5.0
# The list calls them names of both sexes; in Mexico they are women's.
_WOMENS = words("name_of_women")


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

    :param words: Folded word to its entry; "de la rosa" for a word that is another
        one without its particle.
    :param groups: Class to the spellings of its members.
    :param short: Folded abbreviation to the folded full word.
    :param abbreviations: Folded full word to its abbreviations, plainest first.
    :param nicknames: Folded nickname to the folded given names it stands for.
    :param sexes: Folded given name to F, M or U.
    """

    words: Mapping[str, Word]
    groups: Mapping[str, tuple[str, ...]]
    short: Mapping[str, str]
    abbreviations: Mapping[str, Sequence[str]]
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


def _use(given: Mapping[str, tuple[str, float, str]]) -> dict[str, str]:
    """Return folded given name: its class by use, in Mexico or elsewhere."""
    table = read_table(folder("operators") / "given_name_kinds.tsv")
    known = {fold_key(row["name"]): row["kind"] for row in table}
    names = {"usual": "given", "modern": "modern given", "": "foreign given"}
    return {key: names[known.get(key, "")] for key in given}


def _after_particles() -> Iterator[tuple[str, str, str]]:
    """Yield key, class and spelling of words that particles go with.

    A word that is something else on its own ("Rosa", "Jesús", "Paz") is meant only
    after its particle: its key has the particle.
    """
    for row in read_table(folder("operators") / "particle_words.tsv"):
        particle = row["particle"].split(",")[0]
        alone = row["kind"].endswith("only")
        kind = f"{row['kind']} after {row['particle']}"
        if row["kind"] == "surname only":
            kind = f"surname after {row['particle']}"
        key = fold_key(row["word"])
        yield (f"{particle} {key}" if alone else key), kind, row["word"]


def _classify() -> dict[str, list[tuple[float, str, str]]]:
    given, surnames = _counted("given_names"), _counted("surnames")
    nicknames: dict[str, tuple[str, str]] = {
        fold_key(row["name"]): (row["name"], row["sex"])
        for row in rows("nicknames")
        if " " not in row["name"]
    }
    use = _use(given)
    classes: dict[str, list[tuple[float, str, str]]] = {}
    particle_keys = set()
    for key, group, word in _after_particles():
        particle_keys.add(key)
        classes.setdefault(group, []).append((0.0, word, key))
    for key in sorted(given.keys() | surnames.keys() | nicknames.keys()):
        if key in PARTICLES or key in particle_keys:
            continue
        spelling, as_given, sex = given.get(key, ("", 0.0, ""))
        family, as_surname, _ = surnames.get(key, ("", 0.0, ""))
        sex = "F" if key in _WOMENS else sex
        kind = use.get(key, "given")
        if key in nicknames and (as_given + as_surname < 1e-4 or _is_short(key)):
            spelling, sex = nicknames[key]
            group = f"nickname {sex or 'U'}"
        elif (
            kind != "foreign given"
            and as_given
            and as_surname
            and (1 / _MIXED_RATIO < as_given / as_surname < _MIXED_RATIO)
        ):
            group = f"mixed {sex or 'U'}"
        else:
            group = f"{kind} {sex or 'U'}" if as_given > as_surname else "surname"
        best = spelling if as_given >= as_surname and spelling else family or spelling
        classes.setdefault(group, []).append((as_given + as_surname, best, key))
    return _without_small(classes)


def _is_short(key: str) -> bool:
    """Tell whether a name is a diminutive: "Conchita"."""
    return key.endswith(("ita", "ito"))


def _without_small(
    classes: dict[str, list[tuple[float, str, str]]],
) -> dict[str, list[tuple[float, str, str]]]:
    """Join classes that are too small to a large one of the same sex."""
    joined: dict[str, list[tuple[float, str, str]]] = {}
    for group, members in classes.items():
        sex = group[-1] if group[-2:] in (" F", " M") else ""
        target = group
        if len(members) < _SMALLEST_CLASS:
            target = f"given {sex}" if sex else "surname"
        joined.setdefault(target, []).extend(members)
    return joined


def _bands(
    group: str, members: list[tuple[float, str, str]]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Cut a class into bands of similar frequency, each twice as long as the last."""
    ordered = sorted(members, key=lambda m: (-m[0], m[1]))
    ranked = [(word, key) for _, word, key in ordered]
    bands: dict[str, tuple[tuple[str, str], ...]] = {}
    start, width = 0, _FIRST_BAND
    while start < len(ranked):
        end = start + width
        if len(ranked) - end < width:
            end = len(ranked)
        bands[f"{group} {len(bands)}"] = tuple(ranked[start:end])
        start, width = end, width * 2
    return bands


def _plainness(form: str) -> tuple[bool, int]:
    """Rank abbreviations: of up to four letters first ("Rmz."), then by length."""
    letters = fold_key(form).rstrip(".")
    return len(letters) > 4, -len(letters)


@cache
def lexicon() -> Lexicon:
    """Return the names of the shipped gazetteers in classes.

    :return: The lexicon, read once.
    """
    bands: dict[str, tuple[tuple[str, str], ...]] = {}
    for group, members in _classify().items():
        bands |= _bands(group, members)
    words = {
        key: Word(spelling, group, index)
        for group, members in bands.items()
        for index, (spelling, key) in enumerate(members)
    }
    groups = {g: tuple(word for word, _ in members) for g, members in bands.items()}
    short: dict[str, str] = {}
    shortened: dict[str, list[str]] = {}
    for row in rows("name_abbreviations"):
        key, full = fold_key(row["abbreviation"]).rstrip("."), fold_key(row["full"])
        if len(key) > 1:
            short.setdefault(key, full)
            shortened.setdefault(full, []).append(row["abbreviation"])
    nicknames: dict[str, tuple[str, ...]] = {}
    for row in rows("nicknames"):
        names = tuple(fold_key(row["given"]).replace(";", " ").split())
        nicknames[fold_key(row["name"])] = names
    sexes = {fold_key(row["name"]): row["sex"] for row in rows("given_names")}
    return Lexicon(
        words=MappingProxyType(words),
        groups=MappingProxyType(groups),
        short=MappingProxyType(short),
        abbreviations=MappingProxyType(
            {
                full: tuple(sorted(forms, key=_plainness))
                for full, forms in shortened.items()
            }
        ),
        nicknames=MappingProxyType(nicknames),
        sexes=MappingProxyType(sexes),
    )
