"""What is known of single words: one look-up a word, built once from the gazetteers."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from presidio_mx.errors import ConfigurationError
from presidio_mx.spanish.gazetteer import kept, paths, read_cells, rows
from presidio_mx.spanish.typos import TypoIndex
from presidio_mx.spanish.words import listed
from presidio_mx.text.folding import fold_key


class Flag:
    """What a folded word can be; a word without a flag (0) is out of vocabulary.

    Plain integers, since ``enum`` arithmetic would cost more than the look-up.
    """

    GIVEN: Final = 1
    SURNAME: Final = 2
    NICKNAME: Final = 4
    ABBREVIATED: Final = 8
    ORDINARY: Final = 16
    MEDICAL: Final = 32
    EPONYM: Final = 64
    DRUG: Final = 128
    PLACE: Final = 256
    ANCHOR: Final = 512


# No list holds every "-ectomía" and every "-génico"; names and towns do not end so.
_CLINICAL_ENDINGS = listed("clinical_ending")
_SHORTEST_CLINICAL = 9
_SHORTEST_TYPO = 6
_SHORTEST_PART = 4
_SHORTEST_PLACE = 6
_COMMON = 0.5
# Weight of "Fco." and the like among given names.
_ABBREVIATED = 0.4

NAME = Flag.GIVEN | Flag.SURNAME | Flag.NICKNAME | Flag.ABBREVIATED
KNOWN = Flag.ORDINARY | Flag.MEDICAL | Flag.DRUG


@dataclass(slots=True)
class Lexicon:
    """Word knowledge for one set of lists.

    :param flags: Folded word to what it can be.
    :param given: Folded given name to its weight, 0 (rare) to 1 (commonest).
    :param surname: Folded surname to its weight, 0 to 1.
    :param ordinary: Folded word to its commonness as an ordinary word, 0 to 1.
    :param sex: Folded given name to ``F``, ``M`` or ``U``.
    :param names: Finds the common name that a misspelt word was meant to be.
    :param places: Folded names of municipalities and states that are one word.
    """

    flags: dict[str, int] = field(default_factory=dict)
    given: dict[str, float] = field(default_factory=dict)
    surname: dict[str, float] = field(default_factory=dict)
    ordinary: dict[str, float] = field(default_factory=dict)
    sex: dict[str, str] = field(default_factory=dict)
    names: TypoIndex = field(default_factory=lambda: TypoIndex.of(()))
    places: frozenset[str] = frozenset()

    def flag(self, word: str) -> int:
        """Return what a word can be; one that no list has may look clinical.

        :param word: The folded word.
        """
        flag = self.flags.get(word)
        return self._unlisted(word) if flag is None else flag

    def flags_of(self, words: Sequence[str]) -> list[int]:
        """Return what each of many words can be, as :meth:`flag` does."""
        return [
            self._unlisted(word) if flag is None else flag
            for word, flag in zip(words, map(self.flags.get, words), strict=True)
        ]

    def _unlisted(self, word: str) -> int:
        clinical = len(word) >= _SHORTEST_CLINICAL and word.endswith(_CLINICAL_ENDINGS)
        return Flag.MEDICAL if clinical and not self.names.trigger(word) else 0

    def add(self, words: Iterable[str], flag: int) -> None:
        """Give words a flag."""
        for word in words:
            self.flags[word] = self.flags.get(word, 0) | flag


def _single_words(name: str, column: str, folders: Sequence[Path]) -> set[str]:
    keys = (fold_key(row[column]) for row in rows(name, folders))
    return {key.rstrip(".") for key in keys if key and " " not in key}


def _weights(name: str, column: str, folders: Sequence[Path]) -> dict[str, float]:
    """Return entries with the logarithm of their count, scaled to 0 .. 1."""
    counts: dict[str, int] = {}
    for row in rows(name, folders):
        key = fold_key(row[column])
        counts[key] = counts.get(key, 0) + int(row.get("count") or 1)
    top = math.log1p(max(counts.values(), default=1))
    return {key: math.log1p(count) / top for key, count in counts.items()}


def _lexicon_rows(folders: Sequence[Path]) -> Iterator[list[str]]:
    """Yield word, weight, kind as cells: the list is the longest by far."""
    for path in paths("lexicon", folders):
        table = read_cells(path)
        if next(table, None) not in (None, ["word", "weight", "kind"]):
            raise ConfigurationError(f"{path}: the columns must be word, weight, kind")
        yield from table


def _ordinary(folders: Sequence[Path]) -> tuple[dict[str, float], set[str]]:
    ordinary: dict[str, float] = {}
    medical: set[str] = set()
    for word, count, kind in _lexicon_rows(folders):
        key, weight = fold_key(word), int(count or 0) / 100
        if weight > ordinary.get(key, -1.0):
            ordinary[key] = weight
        if kind == "m":
            medical.add(key)
    for row in rows("medical_terms", folders):
        for word in fold_key(row["term"]).replace(".", " ").split():
            medical.add(word)
    return ordinary, medical


def _words_of_drugs(folders: Sequence[Path]) -> set[str]:
    """Return the words of medicines whose names have several.

    "Alka Seltzer" would be a person's name, were its words not known.
    """
    names = (fold_key(row["name"]) for row in rows("drugs", folders))
    words = (name.replace("-", " ").split() for name in names)
    several = (entry for entry in words if len(entry) > 1)
    return {
        word
        for entry in several
        for word in entry
        if len(word) >= _SHORTEST_PART and word.isalpha()
    }


@kept
def load_lexicon(folders: tuple[Path, ...] = ()) -> Lexicon:
    """Build the lexicon from the shipped gazetteers and a site's own.

    :param folders: Folders with further rows, in files of the same names.
    :return: A lexicon that callers must not change.
    :raises ConfigurationError: If a gazetteer is broken.
    """
    lexicon = Lexicon()
    lexicon.given = _weights("given_names", "name", folders)
    for name, weight in _weights("surnames", "name", folders).items():
        # Of "de la Rosa" the last word is the name.
        last = name.rsplit(" ", 1)[-1]
        lexicon.surname[last] = max(weight, lexicon.surname.get(last, 0.0))
    for row in rows("given_names", folders):
        lexicon.sex[fold_key(row["name"])] = row["sex"]
    for row in rows("name_abbreviations", folders):
        if row["kind"] == "given":
            key = fold_key(row["abbreviation"]).rstrip(".")
            lexicon.given.setdefault(key, _ABBREVIATED)
    lexicon.ordinary, medical = _ordinary(folders)
    groups: Mapping[int, Iterable[str]] = {
        Flag.GIVEN: _single_words("given_names", "name", folders),
        Flag.SURNAME: lexicon.surname,
        Flag.NICKNAME: _single_words("nicknames", "name", folders),
        Flag.ABBREVIATED: _single_words("name_abbreviations", "abbreviation", folders),
        Flag.ORDINARY: lexicon.ordinary,
        Flag.MEDICAL: medical,
        Flag.EPONYM: _single_words("eponyms", "name", folders),
        Flag.DRUG: _single_words("drugs", "name", folders),
    }
    for flag, words in groups.items():
        lexicon.add(words, flag)
    new = _words_of_drugs(folders) - lexicon.flags.keys()
    lexicon.add(new, Flag.DRUG)
    lexicon.add(_diminutives(lexicon), Flag.NICKNAME)
    lexicon.places = frozenset(
        word
        for name in ("municipalities", "states", "towns")
        for word in _single_words(name, "name", folders)
        if len(word) >= _SHORTEST_PLACE
    )
    lexicon.names = TypoIndex.of(_common_names(lexicon), shortest=_SHORTEST_TYPO)
    return lexicon


def _diminutives(lexicon: Lexicon) -> set[str]:
    """Return "luisito", "rosita" and the like of common given names.

    Words with a sense of their own ("angelito") are left out.
    """
    found: set[str] = set()
    for name, weight in lexicon.given.items():
        if weight < _COMMON or len(name) < 3 or not name.isalpha():
            continue
        stem = name[:-1] if name[-1] in "aeo" else name
        endings = {"F": ("ita",), "M": ("ito",)}.get(lexicon.sex.get(name, ""), ())
        found.update(stem + ending for ending in endings or ("ito", "ita"))
    return {word for word in found if word not in lexicon.ordinary}


def _common_names(lexicon: Lexicon) -> set[str]:
    """Return the names that are common enough for a typo to be told from a word."""
    names = {**lexicon.surname, **lexicon.given}
    return {
        name
        for name, weight in names.items()
        if weight >= _COMMON and name not in lexicon.ordinary and name.isalpha()
    }
