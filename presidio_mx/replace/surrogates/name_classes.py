"""Which names may stand for one another: of one kind, one sex and similar frequency."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

PARTICLES = words("surrogate_name_kept")
# A class of fewer names would be easy to guess; it is joined to a larger one.
SMALLEST_CLASS = 40
# A word counts as given name and surname alike if neither use is this much commoner.
_MIXED_RATIO = 5.0
_RARE = 1e-4
# The list calls them names of both sexes; in Mexico they are of one.
_WOMENS, _MENS = words("name_of_women"), words("name_of_men")
_BOTH = words("name_of_both")
_NEVER = words("name_never_written")
# Spellings of no Spanish name: they tell "Savannah" from "Isela".
_FOREIGN = re.compile(r"th|ph|ck|sh|chr|w|k|tt|nn|ss|zz|oo|ee|ff|mm|[aeo]y[^aeo]|dj")
# The same in a word that no list has: k and w alone are also of Maya and Tarahumara.
FOREIGN = re.compile(
    r"th|ph|ck|sh|sch|tt|ss|zz|oo|ee|ff|mm|ie[brs]|ei[nst]|ou|eu[rx]|ieu|eau|aux|[dl]ine$"
)
_SPANISH_END = {"F": "a", "M": "o"}
NAHUA_ENDS = ("hua", "tl", "tzin", "tzi", "tla", "coatl", "tecatl")
# Surnames of Zongolica and the Huasteca; a given name ends so only where lists have it.
NAHUA_SURNAME_ENDS = ("hua", "tla", "coatl", "tecatl")
# How given names of women end that no list has: "Yusmary", "Yulimar", "Maricris".
_OF_WOMEN = tuple(
    "a ko ui rin mary mari mar lyn lin beth ith iz elle ette ly li ys ix "
    "line lene lande dine".split()
)
_LAS = ("as", "mercedes", "nieves")


@dataclass(frozen=True)
class Member:
    """A name of a class.

    :param text: Usual spelling.
    :param particle: What usually stands before it ("de la"), or empty.
    """

    text: str
    particle: str = ""


@dataclass(frozen=True)
class _Entry:
    frequency: float
    member: Member
    key: str


Classes = dict[str, list[_Entry]]


def _counted(name: str) -> dict[str, tuple[str, float, str]]:
    """Return folded word: (spelling, share of all uses, sex) of a list."""
    best: dict[str, tuple[str, float, str]] = {}
    for row in rows(name):
        parts = row["name"].split()
        if len(parts) > 1 and fold_key(parts[0]) not in PARTICLES:
            continue
        key = fold_key(parts[-1])
        count = float(row.get("count") or 1)
        if len(key) > 1 and (key not in best or count > best[key][1]):
            best[key] = (parts[-1], count, row.get("sex", ""))
    total = sum(count for _, count, _ in best.values()) or 1.0
    return {k: (w, count / total, sex) for k, (w, count, sex) in best.items()}


def _kinds(file: str) -> dict[str, str]:
    table = read_table(folder("operators") / file)
    return {fold_key(row["name"]): row["kind"] for row in table}


def usual_given_names() -> frozenset[str]:
    """Return the given names of Mexican use, folded; some are surnames, too."""
    return frozenset(_kinds("given_name_kinds.tsv"))


def sex_of(key: str, listed: str) -> str:
    """Return the sex of a given name in Mexico.

    :param key: Folded name.
    :param listed: What the list of given names says: F, M, U or nothing.
    :return: F, M or U.
    """
    if key in _BOTH:
        return "U"
    if key in _WOMENS:
        return "F"
    return "M" if key in _MENS else listed or "U"


def guessed_sex(key: str) -> str:
    """Return the sex that a given name of no list looks like.

    :param key: Folded name.
    """
    return "F" if key.endswith(_OF_WOMEN) else "M"


def _particle(given: str, word: str) -> str:
    """Return the particle of a word: "las" of "los, las" for "Nieves"."""
    if "," not in given:
        return given
    return "de las" if fold_key(word).endswith(_LAS) else "de los"


def _after_particles() -> tuple[Classes, dict[str, str]]:
    """Return the words that usually follow a particle, and the phrases.

    A word that is something else on its own ("Rosa", "Jesús") is meant only after its
    particle: such a phrase takes its surrogate from the class it is given. Surnames are
    something else without theirs: "Cruz" and "De la Cruz".
    """
    classes: Classes = {}
    phrases: dict[str, str] = {}
    for row in read_table(folder("operators") / "particle_words.tsv"):
        key = fold_key(row["word"])
        group = f"{row['kind'].split()[0]} with particle"
        if row["kind"].endswith("only"):
            for particle in row["particle"].split(", "):
                phrases[f"{particle} {key}"] = f"{group} 0"
            continue
        member = Member(row["word"], _particle(row["particle"], row["word"]))
        if group.startswith("surname"):
            key = f"{fold_key(member.particle)} {key}"
        classes.setdefault(group, []).append(_Entry(0.0, member, key))
    return classes, phrases


def _generations() -> dict[str, str]:
    """Return folded given names that tell when their bearers were born: old, young."""
    table = read_table(folder("operators") / "given_name_generations.tsv")
    words_ = {"until 1955": "old", "since 1990": "young"}
    return {fold_key(row["name"]): words_[row["generation"]] for row in table}


def _given_class(key: str, kind: str, sex: str, age: str = "") -> str:
    if kind == "usual" and sex in ("F", "M") and age:
        return f"{age} given {sex}"
    if kind == "usual":
        return f"given {sex}"
    if kind:
        return f"{kind} given {sex}"
    end = _SPANISH_END.get(sex, "")
    spanish = end and key.endswith(end) and not _FOREIGN.search(key)
    return f"{'latin' if spanish else 'foreign'} given {sex}"


def _nicknames() -> dict[str, tuple[str, str, str]]:
    """Return folded nickname: (spelling, sex, class): of a name, or of looks."""
    return {
        fold_key(row["name"]): (
            row["name"],
            row["sex"] or "U",
            "nickname" if row["given"] else "epithet",
        )
        for row in rows("nicknames")
        if " " not in row["name"]
    }


def classify() -> tuple[Classes, dict[str, str]]:
    """Return every class with its names, and the class of each phrase.

    :return: Class to names; folded phrase ("de la cruz") to class.
    """
    given, surnames, nicknames = (
        _counted("given_names"),
        _counted("surnames"),
        _nicknames(),
    )
    given_kinds, surname_kinds = (
        _kinds("given_name_kinds.tsv"),
        _kinds("surname_kinds.tsv"),
    )
    ages = _generations()
    places = {key: place for place, key in enumerate(surname_kinds)}
    classes, phrases = _after_particles()
    taken = {entry.key for members in classes.values() for entry in members}
    for key in sorted(given.keys() | surnames.keys() | nicknames.keys()):
        if key in PARTICLES or key in taken or key in _NEVER:
            continue
        spelling, as_given, sex = given.get(key, ("", 0.0, ""))
        family, as_surname, _ = surnames.get(key, ("", 0.0, ""))
        sex = sex_of(key, sex)
        kind, family_kind = given_kinds.get(key, ""), surname_kinds.get(key, "")
        frequency = as_given + as_surname
        near = (as_given and as_surname) and (
            1 / _MIXED_RATIO < as_given / as_surname < _MIXED_RATIO
        )
        if key in nicknames and (frequency < _RARE or key.endswith(("ita", "ito"))):
            spelling, sex, group = nicknames[key]
            family = spelling
            group = f"{group} {sex}"
        elif near and kind == family_kind == "usual":
            group = f"mixed {sex}"
        elif as_given > as_surname and not (sex == "U" and family_kind == "usual"):
            group = _given_class(key, kind, sex, ages.get(key, ""))
        else:
            group = _surname_class(key, family_kind)
            if family_kind == "usual":  # the file's order is Mexico's
                frequency = -float(places[key])
        best = spelling if as_given >= as_surname and spelling else family or spelling
        classes.setdefault(group, []).append(_Entry(frequency, Member(best), key))
    return _without_small(classes), phrases


def _surname_class(key: str, kind: str) -> str:
    if kind == "usual":
        return "surname"
    nahua = not kind and key.endswith(NAHUA_ENDS)
    return f"{'nahua' if nahua else kind or 'other'} surname"


def _without_small(classes: Classes) -> Classes:
    """Join classes that are too small to a large one of the same sex."""
    joined: Classes = {}
    for group, members in classes.items():
        target = group
        if len(members) < SMALLEST_CLASS:
            given = any(word in group for word in ("given", "mixed", "nick", "epithet"))
            sex = group[-1] if group[-2:] in (" F", " M") else "M"
            target = f"given {sex}" if given else "other surname"
            if "nickname" in group or "epithet" in group:
                target = f"nickname {sex}"
        joined.setdefault(target, []).extend(members)
    return joined


def _shuffled(key: str) -> bytes:
    """Order names of one frequency by chance: the alphabet would tell initials."""
    return hashlib.sha256(key.encode()).digest()


def bands(group: str, members: list[_Entry]) -> Mapping[str, tuple[_Entry, ...]]:
    """Cut a class into bands of similar frequency, each twice as long as the last.

    :param group: Name of the class.
    :param members: Its names.
    :return: Name of the band to its names; none has fewer than 40 if the class has not.
    """
    ranked = sorted(members, key=lambda m: (-m.frequency, _shuffled(m.key)))
    cut: dict[str, tuple[_Entry, ...]] = {}
    start, width = 0, SMALLEST_CLASS
    while start < len(ranked):
        end = start + width
        if len(ranked) - end < width:
            end = len(ranked)
        cut[f"{group} {len(cut)}"] = tuple(ranked[start:end])
        start, width = end, width * 2
    return cut
