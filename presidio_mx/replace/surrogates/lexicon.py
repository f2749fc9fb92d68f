"""The names of the gazetteers, in classes whose members may stand for one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from presidio_mx.replace.surrogates.draw import Draw
from presidio_mx.replace.surrogates.name_classes import (
    FOREIGN,
    NAHUA_ENDS,
    PARTICLES,
    Member,
    bands,
    classify,
    sex_of,
    usual_given_names,
)
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

__all__ = ["PARTICLES", "Lexicon", "Word", "lexicon"]
_NEVER, _SHORT = words("name_never_written"), words("name_written_short")


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
    :param groups: Class to its members.
    :param phrases: Folded word with its particle, where it is another word without
        ("de la cruz"), to the class its surrogate comes from.
    :param short: Folded abbreviation to the folded full word.
    :param abbreviations: Folded full word to its abbreviations, plainest first.
    :param nicknames: Folded nickname to the folded given names it stands for.
    :param sexes: Folded given name to F, M or U.
    :param usual: Folded given names of Mexican use, surnames or not.
    """

    words: Mapping[str, Word]
    groups: Mapping[str, tuple[Member, ...]]
    phrases: Mapping[str, str]
    short: Mapping[str, str]
    abbreviations: Mapping[str, Sequence[str]]
    nicknames: Mapping[str, tuple[str, ...]]
    sexes: Mapping[str, str]
    usual: frozenset[str]

    def image(self, word: str, draw: Draw) -> Member | None:
        """Return the surrogate of a word of the lists.

        :param word: Folded word.
        :param draw: Keyed numbers.
        :return: The surrogate; None if no list has the word.
        """
        entry = self.words.get(word)
        if entry is None:
            return (
                self.drawn(self.phrases[word], word, draw)
                if (word in self.phrases)
                else None
            )
        members = self.groups[entry.group]
        return members[draw.permute(len(members), entry.index, "name", entry.group)]

    def is_given(self, word: str) -> bool:
        """Tell whether a folded word is above all a given name."""
        entry = self.words.get(word)
        return entry is not None and "given" in entry.group

    def drawn(self, group: str, word: str, draw: Draw, attempt: int = 0) -> Member:
        """Return a name of a class for a word that is not in it.

        :param group: Name of the class.
        :param word: Folded word, which the name is not.
        :param draw: Keyed numbers.
        :param attempt: Another number gives another name.
        :return: The name.
        """
        members = self.groups[group]
        last = word.rsplit(" ", 1)[-1]
        at = draw.number(len(members), "drawn", group, word, attempt)
        while fold_key(members[at].text) == last:
            at = (at + 1) % len(members)
        return members[at]

    def rare(self, word: str, sex: str = "") -> str:
        """Return the class of rare real names for a word that no list has.

        :param word: Folded word.
        :param sex: F or M for a given name; empty for a surname.
        :return: Name of a class.
        """
        if not sex and word.endswith(NAHUA_ENDS):
            return "nahua surname 0"
        kind = f"given {sex}" if sex else "surname"
        if FOREIGN.search(word):
            return f"foreign {kind} 2"
        number = 0
        while f"{kind} {number + 1}" in self.groups:
            number += 1
        return f"{kind} {number}"


def _plainness(form: str) -> tuple[bool, int]:
    """Rank abbreviations: of up to four letters first ("Rmz."), then by length."""
    letters = fold_key(form).rstrip(".")
    return len(letters) > 4, -len(letters)


@cache
def lexicon() -> Lexicon:
    """Return the names of the shipped gazetteers in classes.

    :return: The lexicon, read once.
    """
    classes, phrases = classify()
    groups = {
        name: entries
        for group, members in classes.items()
        for name, entries in bands(group, members).items()
    }
    words = {
        entry.key: Word(entry.member.text, group, index)
        for group, entries in groups.items()
        for index, entry in enumerate(entries)
    }
    short: dict[str, str] = {}
    shortened: dict[str, list[str]] = {}
    for row in rows("name_abbreviations"):
        key, full = fold_key(row["abbreviation"]).rstrip("."), fold_key(row["full"])
        if len(key) > 1:
            short.setdefault(key, full)
            if key in _SHORT and key not in _NEVER:
                shortened.setdefault(full, []).append(row["abbreviation"])
    nicknames: dict[str, tuple[str, ...]] = {}
    for row in rows("nicknames"):
        names = tuple(fold_key(row["given"]).replace(";", " ").split())
        nicknames[fold_key(row["name"])] = names
    sexes = {
        fold_key(row["name"]): sex_of(fold_key(row["name"]), row["sex"])
        for row in rows("given_names")
    }
    return Lexicon(
        words=MappingProxyType(words),
        groups=MappingProxyType(
            {
                group: tuple(e.member for e in entries)
                for group, entries in groups.items()
            }
        ),
        phrases=MappingProxyType(phrases),
        short=MappingProxyType(short),
        abbreviations=MappingProxyType(
            {
                full: tuple(sorted(forms, key=_plainness))
                for full, forms in shortened.items()
            }
        ),
        nicknames=MappingProxyType(nicknames),
        sexes=MappingProxyType(sexes),
        usual=usual_given_names(),
    )
