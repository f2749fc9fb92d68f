"""The names that lists know: given names, surnames, nicknames, abbreviations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import log

from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

PARTICLES = words("surrogate_name_kept")
BOTH_SEXES = words("name_of_both")
# The list calls them names of both sexes; in Mexico they are of one.
_WOMENS, _MENS = words("name_of_women"), words("name_of_men")
_MONTHS = words("month")
_NEVER, _SHORT = words("name_never_written"), words("name_written_short")
# A word counts as given name and surname alike if neither use is this much commoner.
_MIXED_RATIO = 5.0
_RARE = 1e-4
# Share of all uses that a word has which a list lacks.
_UNSEEN = 1e-6
_MOST_LEAN = 6.0
# How given names and surnames end that no list has.
_GIVEN_ENDS = ("ino", "ina", "io", "ia", "berto", "berta", "lyn", "mary", "isa", "cia")
_SURNAME_ENDS = (
    "ez",
    "oz",
    "hua",
    "tl",
    "tzin",
    "tla",
    "coatl",
    "tecatl",
    "enko",
    "son",
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A word of a list.

    :param text: Usual spelling.
    :param share: Share of all uses in its list.
    :param sex: F, M or U of a given name or nickname.
    :param kind: ``usual``, ``modern``, ``maya`` ...; empty if Mexico hardly has it.
    """

    text: str
    share: float
    sex: str = ""
    kind: str = ""


@dataclass(frozen=True)
class NameLists:
    """All name words, by their folded forms.

    :param given: Given names.
    :param surnames: Surnames.
    :param nicknames: Nicknames and epithets of one word.
    :param called: Nickname to the folded given names it stands for.
    :param short: Abbreviation to the full word.
    :param abbreviations: Full word to its abbreviations, plainest first.
    :param generations: Given names that tell when their bearers were born.
    :param after_particle: Word to particles it follows and what it is with them:
        ``given``, ``surname``, or ``given only`` where it is another word without.
    :param phrases: Words with their particle that are other words without it.
    :param ranks: Surname to its rank in Mexico.
    """

    given: Mapping[str, Listed]
    surnames: Mapping[str, Listed]
    nicknames: Mapping[str, Listed]
    called: Mapping[str, tuple[str, ...]]
    short: Mapping[str, str]
    abbreviations: Mapping[str, tuple[str, ...]]
    generations: Mapping[str, str]
    after_particle: tuple[tuple[str, str, str], ...]
    phrases: frozenset[str]
    ranks: Mapping[str, int]
    _uses: Mapping[str, str] = field(init=False, repr=False)
    _leans: Mapping[str, float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Work out once what each listed word is."""
        known = self.given.keys() | self.surnames.keys() | self.nicknames.keys()
        object.__setattr__(self, "_uses", {key: self._use(key) for key in known})
        object.__setattr__(self, "_leans", {key: self._lean(key) for key in known})

    def knows(self, key: str) -> bool:
        """Tell whether any list has a folded word."""
        return key in self._uses or key in self.phrases

    def sex(self, key: str) -> str:
        """Return F, M or U of a given name; empty if no list has it."""
        entry = self.given.get(key)
        return entry.sex if entry else ""

    def is_usual(self, key: str) -> bool:
        """Tell whether a word is a given name of Mexican use, a surname or not."""
        entry = self.given.get(key)
        return entry is not None and bool(entry.kind)

    def use(self, key: str) -> str:
        """Return what a word is above all.

        :param key: Folded word.
        :return: ``given``, ``surname``, ``mixed``, ``nickname``, ``epithet``; empty
            for a word of no list.
        """
        return self._uses.get(key, "")

    def _use(self, key: str) -> str:
        given, family = self.given.get(key), self.surnames.get(key)
        as_given = given.share if given else 0.0
        as_surname = family.share if family else 0.0
        nickname = self.nicknames.get(key) if key not in _MONTHS else None
        rare = as_given + as_surname < _RARE
        if nickname and (rare or key.endswith(("ita", "ito"))):
            return nickname.kind
        if given is None and family is None:
            return ""
        near = as_given and as_surname
        near = near and 1 / _MIXED_RATIO < as_given / as_surname < _MIXED_RATIO
        usual = family is not None and family.kind == "usual"
        if near and given and given.kind == "usual" and usual:
            return "mixed"
        both = given is not None and given.sex == "U"
        if as_given > as_surname and not (both and usual):
            return "given"
        return "surname"

    def is_given(self, key: str) -> bool:
        """Tell whether a word is above all a given name."""
        return self.use(key) == "given"

    def is_nickname(self, key: str) -> bool:
        """Tell whether a word is a nickname: ``maxi``; ``carmen`` is a name itself."""
        if self.use(key) in ("nickname", "epithet"):
            return True
        return key in self.called and not self.is_usual(key)

    def lean(self, key: str) -> float:
        """Return how much likelier a word is a given name than a surname.

        :param key: Folded word.
        :return: Logarithm of the odds, from -6 to 6.
        """
        known = self._leans.get(key)
        if known is not None:
            return known
        if key.endswith(_SURNAME_ENDS):
            return -1.5
        return 1.0 if key.endswith(_GIVEN_ENDS) else 0.0

    def _lean(self, key: str) -> float:
        given, family = self.given.get(key), self.surnames.get(key)
        if self.use(key) in ("nickname", "epithet"):
            return 1.5
        if given is None and family is None:  # a month that is a nickname, too
            return -2.0
        as_given = given.share if given else 0.0
        as_surname = family.share if family else 0.0
        if given and given.kind == "usual":
            as_given *= 3
        if family and family.kind == "usual":
            as_surname *= 3
        odds = log((as_given + _UNSEEN) / (as_surname + _UNSEEN))
        return max(-_MOST_LEAN, min(_MOST_LEAN, odds))


def _counted(name: str, kinds: Mapping[str, str]) -> dict[str, Listed]:
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
    return {
        key: Listed(word, count / total, _sex_of(key, sex), kinds.get(key, ""))
        for key, (word, count, sex) in best.items()
        if key not in PARTICLES
    }


def _sex_of(key: str, given: str) -> str:
    if key in BOTH_SEXES:
        return "U"
    if key in _WOMENS:
        return "F"
    return "M" if key in _MENS else given or "U"


def _table(file: str) -> list[dict[str, str]]:
    return list(read_table(folder("operators") / file))


def _kinds(file: str) -> dict[str, str]:
    return {fold_key(row["name"]): row["kind"] for row in _table(file)}


def _plainness(form: str) -> tuple[bool, int]:
    """Rank abbreviations: of up to four letters first ("Rmz."), then by length."""
    letters = fold_key(form).rstrip(".")
    return len(letters) > 4, -len(letters)


def _particle_words() -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (row["word"], row["particle"], row["kind"])
        for row in _table("particle_words.tsv")
    )


def _phrases(found: tuple[tuple[str, str, str], ...]) -> frozenset[str]:
    """Return the words that are others with their particle: "de la cruz"."""
    phrases = set()
    for word, particles, kind in found:
        if kind.endswith("only"):
            phrases |= {f"{p} {fold_key(word)}" for p in particles.split(", ")}
        elif kind.startswith("surname"):
            phrases.add(f"{fold_key(usual_particle(particles, word))} {fold_key(word)}")
    return frozenset(phrases)


def usual_particle(given: str, word: str) -> str:
    """Return the particle of a word: "las" of "los, las" for "Nieves".

    :param given: One particle, or several by commas.
    :param word: The word behind it.
    """
    if "," not in given:
        return given
    women = fold_key(word).endswith(("as", "mercedes", "nieves"))
    return "de las" if women else "de los"


@cache
def name_lists() -> NameLists:
    """Return the names of the shipped gazetteers, read once."""
    surname_kinds = _kinds("surname_kinds.tsv")
    short: dict[str, str] = {}
    shortened: dict[str, list[str]] = {}
    for row in rows("name_abbreviations"):
        key, full = fold_key(row["abbreviation"]).rstrip("."), fold_key(row["full"])
        if len(key) > 1:
            short.setdefault(key, full)
            if key in _SHORT and key not in _NEVER:
                shortened.setdefault(full, []).append(row["abbreviation"])
    nicknames: dict[str, Listed] = {}
    called: dict[str, tuple[str, ...]] = {}
    for row in rows("nicknames"):
        key = fold_key(row["name"])
        called[key] = tuple(fold_key(row["given"]).replace(";", " ").split())
        if " " not in key and key not in PARTICLES:
            kind = "nickname" if row["given"] else "epithet"
            nicknames[key] = Listed(row["name"], 0.0, row["sex"] or "U", kind)
    ages = {"until 1955": "old", "since 1990": "young"}
    after = _particle_words()
    return NameLists(
        given=_counted("given_names", _kinds("given_name_kinds.tsv")),
        surnames=_counted("surnames", surname_kinds),
        nicknames=nicknames,
        called=called,
        short=short,
        abbreviations={
            full: tuple(sorted(forms, key=_plainness))
            for full, forms in shortened.items()
        },
        generations={
            fold_key(row["name"]): ages[row["generation"]]
            for row in _table("given_name_generations.tsv")
        },
        after_particle=after,
        phrases=_phrases(after),
        ranks={key: place for place, key in enumerate(surname_kinds)},
    )
