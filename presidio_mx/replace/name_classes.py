"""Which names may stand for one another: of one kind, one sex and similar frequency."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from presidio_mx.replace.draw import Draw
from presidio_mx.spanish.name_lists import Listed, NameLists, name_lists, usual_particle
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

# A class of fewer names would be easy to guess; it is joined to a larger one.
SMALLEST_CLASS = 40
# Spellings of no Spanish name: they tell "Savannah" from "Isela".
_FOREIGN = re.compile(r"th|ph|ck|sh|chr|w|k|tt|nn|ss|zz|oo|ee|ff|mm|[aeo]y[^aeo]|dj")
# The same in a word that no list has: k and w alone are also of Maya and Tarahumara.
_FOREIGN_WORD = re.compile(
    r"th|ph|ck|sh|sch|tt|ss|zz|oo|ee|ff|mm|ie[brs]|ei[nst]|ou|eu[rx]|ieu|eau|aux|[dl]ine$"
)
_SPANISH_END = {"F": "a", "M": "o"}
_NAHUA_ENDS = ("hua", "tl", "tzin", "tzi", "tla", "coatl", "tecatl")
# How given names of women end that no list has: "Yusmary", "Yulimar", "Maricris".
_OF_WOMEN = tuple(
    "a ko ui rin mary mari mar lyn lin beth ith iz elle ette ly li ys ix "
    "line lene lande dine".split()
)
_NEVER = words("name_never_written")
_FOR_OTHER_SURNAMES = (2, 2, 3, 3, 4, 4, 5)
_ODD_GIVEN = re.compile(r"(?P<kind>latin|foreign) given (?P<sex>[FMU]) (?P<band>\d)")
_ODD_FROM = {"latin M": 0, "latin F": 2, "latin U": 0, "foreign M": 3, "foreign F": 3}


@dataclass(frozen=True, slots=True)
class Member:
    """A name of a class.

    :param text: Usual spelling.
    :param particle: What usually stands before it ("de la"), or empty.
    """

    text: str
    particle: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """Where a word stands.

    :param group: Name of its class.
    :param index: Place in the class.
    """

    group: str
    index: int


@dataclass(frozen=True)
class NameClasses:
    """All names that surrogates write, and the class of each listed word.

    :param words: Folded word, with its particle where it is another word without, to
        its place.
    :param groups: Class to its members.
    """

    words: Mapping[str, Word]
    groups: Mapping[str, tuple[Member, ...]]

    def group(self, key: str) -> str:
        """Return the class of a folded word, its band left out; empty if unlisted."""
        entry = self.words.get(key)
        return entry.group.rpartition(" ")[0] if entry else ""

    def band(self, kind: str, number: int) -> str:
        """Return the class of a kind and band, or the last of the kind.

        :param kind: E.g. ``surname``.
        :param number: The band; the first has the most frequent names.
        """
        while number and f"{kind} {number}" not in self.groups:
            number -= 1
        return f"{kind} {number}"

    def image(self, key: str, draw: Draw) -> Member | None:
        """Return the member that a listed word's place is moved to.

        :param key: Folded word.
        :param draw: Keyed numbers.
        """
        entry = self.words.get(key)
        if entry is None:
            return None
        members = self.groups[entry.group]
        return members[draw.permute(len(members), entry.index, "name", entry.group)]

    def drawn(self, group: str, key: str, draw: Draw) -> Member:
        """Return a name of a class for a word that is not in it.

        :param group: Name of the class.
        :param key: Folded word, which the name is not.
        :param draw: Keyed numbers.
        """
        members = self.groups[group]
        at = draw.number(len(members), "drawn", group, key)
        last = key.rsplit(" ", 1)[-1]
        while fold_key(members[at].text) == last:
            at = (at + 1) % len(members)
        return members[at]


def guessed_sex(key: str) -> str:
    """Return the sex that a given name of no list looks like.

    :param key: Folded name.
    """
    return "F" if key.endswith(_OF_WOMEN) else "M"


def sounds_foreign(key: str) -> bool:
    """Tell whether a word of no list has a spelling that no Spanish name has.

    :param key: Folded word.
    """
    return not name_lists().knows(key) and _FOREIGN_WORD.search(key) is not None


def class_for(key: str, role: str, sex: str, foreign: bool = False) -> str:
    """Return the class from which a word of a name is drawn that is in none of it.

    :param key: Folded word.
    :param role: ``given``, ``surname`` or ``nickname``.
    :param sex: F or M of who bears it, or empty.
    :param foreign: Some word of the name has a spelling that no Spanish name has.
    :return: Common names for listed words in another role, rare real ones for words
        of no list; of its origin where its spelling tells one.
    """
    classes, names = name_classes(), name_lists()
    if role == "nickname":
        return classes.band(f"nickname {sex or 'M'}", 1)
    if role == "given":
        sex = sex or guessed_sex(key)
        if names.knows(key) or not foreign:
            return classes.band(f"given {sex}", 1 if names.knows(key) else 9)
        return classes.band(f"foreign given {sex}", 2)
    if names.knows(key):
        return classes.band("surname", 1)
    if key.endswith(_NAHUA_ENDS):
        return "nahua surname 0"
    if foreign:
        return classes.band("foreign surname", 2)
    return classes.band("surname", 9)


def rare_class(key: str, sex: str = "") -> str:
    """Return the class that a name of odd spelling or little use is drawn from.

    The lists hold many such ("Fransico", "Velazguez", "Arroliga"): whoever bears one
    gets a name that reads well, as for a word that no list has.

    :param key: Folded word.
    :param sex: F, M or empty, of who bears it.
    :return: Name of a class; empty for any other word.
    """
    entry = name_classes().words.get(key)
    if entry is None:
        return ""
    kind, _, band = entry.group.rpartition(" ")
    if kind == "other surname":
        last = min(int(band), len(_FOR_OTHER_SURNAMES) - 1)
        return name_classes().band("surname", _FOR_OTHER_SURNAMES[last])
    match = _ODD_GIVEN.fullmatch(entry.group)
    if match is None:
        return ""
    if int(match["band"]) < _ODD_FROM.get(f"{match['kind']} {match['sex']}", 0):
        return ""
    own = match["sex"] if match["sex"] != "U" else sex or guessed_sex(key)
    spoken = "given" if match["kind"] == "latin" else "modern given"
    return name_classes().band(f"{spoken} {own}", 2)


def _class_of(key: str, names: NameLists) -> str:
    """Return the class of a listed word, its band left out."""
    use, given = names.use(key), names.given.get(key)
    if use in ("nickname", "epithet"):
        sex, other = names.nicknames[key].sex, names.sex(key)
        return f"{use} {'U' if other and other != sex else sex}"
    if use == "mixed":
        return f"mixed {given.sex if given else 'U'}"
    if use == "surname" or given is None:
        family = names.surnames.get(key)
        if family is None:
            return ""
        if family.kind == "usual":
            return "surname"
        nahua = not family.kind and key.endswith(_NAHUA_ENDS)
        return f"{'nahua' if nahua else family.kind or 'other'} surname"
    return _given_class(key, given, names.generations.get(key, ""))


def _given_class(key: str, given: Listed, age: str) -> str:
    if given.kind == "usual":
        aged = age and given.sex in ("F", "M")
        return f"{age} given {given.sex}" if aged else f"given {given.sex}"
    if given.kind:
        return f"{given.kind} given {given.sex}"
    end = _SPANISH_END.get(given.sex, "")
    spanish = end and key.endswith(end) and not _FOREIGN.search(key)
    return f"{'latin' if spanish else 'foreign'} given {given.sex}"


_Entry = tuple[float, str, Member]


def _with_particles(names: NameLists) -> dict[str, list[_Entry]]:
    """Return the words that usually follow a particle, in classes of their own."""
    found: dict[str, list[_Entry]] = {}
    for word, particles, kind in names.after_particle:
        if kind.endswith("only"):
            continue
        member, key = Member(word, usual_particle(particles, word)), fold_key(word)
        if kind.startswith("surname"):
            key = f"{fold_key(member.particle)} {key}"
        found.setdefault(f"{kind.split()[0]} with particle", []).append(
            (0.0, key, member)
        )
    return found


@cache
def name_classes() -> NameClasses:
    """Return the names of the shipped gazetteers in classes, made once."""
    names = name_lists()
    classes = _with_particles(names)
    taken = {key for members in classes.values() for _, key, _ in members}
    known = names.given.keys() | names.surnames.keys() | names.nicknames.keys()
    for key in sorted(known - taken):
        group = "" if key in _NEVER else _class_of(key, names)
        if not group:
            continue
        given, family = names.given.get(key), names.surnames.get(key)
        shares = [(e.share, e.text) for e in (given, family) if e]
        if group.startswith(("nickname", "epithet")):
            shares = [(sum(s for s, _ in shares), names.nicknames[key].text)]
        rank = sum(share for share, _ in shares)
        if group == "surname":  # the file's order is Mexico's
            rank = -float(names.ranks[key])
        classes.setdefault(group, []).append((rank, key, Member(max(shares)[1])))
    words_: dict[str, Word] = {}
    groups: dict[str, tuple[Member, ...]] = {}
    for kind, members in _without_small(classes).items():
        for band, entries in enumerate(_bands(members)):
            group = f"{kind} {band}"
            groups[group] = tuple(member for _, _, member in entries)
            for index, (_, key, _) in enumerate(entries):
                words_[key] = Word(group, index)
    return NameClasses(words_, groups)


def _without_small(classes: dict[str, list[_Entry]]) -> dict[str, list[_Entry]]:
    """Join classes that are too small to a large one of the same sex."""
    joined: dict[str, list[_Entry]] = {}
    for group, members in classes.items():
        target = group
        if len(members) < SMALLEST_CLASS:
            sex = group[-1] if group[-2:] in (" F", " M") else "M"
            if "nickname" in group or "epithet" in group:
                target = f"nickname {sex}"
            elif "given" in group or "mixed" in group:
                target = f"given {sex}"
            else:
                target = "other surname"
        joined.setdefault(target, []).extend(members)
    return joined


def _bands(members: Sequence[_Entry]) -> list[list[_Entry]]:
    """Cut a class into bands of similar frequency, each twice as long as the last.

    Names of one frequency are in an order by chance: the alphabet would tell initials.
    """

    def order(entry: _Entry) -> tuple[float, bytes]:
        return -entry[0], hashlib.sha256(entry[1].encode()).digest()

    ranked = sorted(members, key=order)
    cut: list[list[_Entry]] = []
    start, width = 0, SMALLEST_CLASS
    while start < len(ranked):
        end = start + width
        if len(ranked) - end < width:
            end = len(ranked)
        cut.append(ranked[start:end])
        start, width = end, width * 2
    return cut


@cache
def written_of_both() -> tuple[str, ...]:
    """Return the names of both sexes that surrogates write."""
    return listed("name_written_of_both")


@cache
def twin_stems() -> tuple[str, ...]:
    """Return what a usual name of men in -o and one of women in -a share."""
    names = name_lists()
    men = sorted(
        key for key in names.given if key.endswith("o") and names.is_usual(key)
    )
    return tuple(
        key[:-1]
        for key in men
        if names.is_given(key)
        and names.sex(key) == "M"
        and names.sex(key[:-1] + "a") == "F"
        and names.is_usual(key[:-1] + "a")
        and names.is_given(key[:-1] + "a")
    )
