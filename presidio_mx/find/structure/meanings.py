"""What keys, headings and positions mean: ``recognizers/fields.yaml``, read once."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.structure.parts import CODED, key_of
from presidio_mx.resources import folder
from presidio_mx.text.folding import fold_key
from presidio_mx.yaml_file import read_yaml

_FILE = "fields.yaml"
_PART = re.compile(r"[a-z]+")
# Where a small letter meets a capital a word begins: "fecNac", "birthDate".
_HUMP = re.compile(r"(?<=[^\W\d_A-ZÁÉÍÓÚÑÜ])(?=[A-ZÁÉÍÓÚÑÜ])")
# A number that stands by itself is a value, and so is what stands behind a colon;
# "tel2" and "nombre_1" are headings.
_VALUE = re.compile(r"(?<![^\W\d])\d|\d{2}|[:=]\s*\w")
_LONGEST = 40
_LONGEST_QUESTION = 200
_MOST_WORDS_OF_KEY = 4
# "F" alone is a sex, "F_nac" a date.
_SHORTEST = 3
_LISTS = (
    "institutions",
    "listing",
    "naming",
    "generic",
    "personal",
    "asking",
    "answering",
    "dwelling",
)

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a key or heading says of its value.

    :param holds: The check that the value must pass, e.g. ``date``.
    :param role: Role of the person named, unless the object around tells it.
    :param owned: Whether it counts only inside an object that tells whose it is.
    """

    holds: str
    role: str | None = None
    owned: bool = False

    @property
    def of_address(self) -> bool:
        """Whether the number of a house may stand behind it."""
        return self.holds in ("street", "house")


_CODED = Meaning(CODED)
HOUSE = Meaning("house")
"""What a bare "numero" holds that stands behind a street."""


@dataclass(frozen=True, slots=True)
class Meanings:
    """All that the file says.

    :param keys: Meanings by key, as :func:`key_of` gives it.
    :param by_words: Meanings by the words of a key, in no order.
    :param short: What abbreviations stand for.
    :param little: Words that say nothing ("de", "num").
    :param telling: Words that say what the value is whatever stands with them; the
        first counts.
    :param owners: Roles by the key of an object.
    :param institutions: Keys of objects whose names are of institutions.
    :param catalogues: Keys of objects and tables whose names are of no person.
    :param listing: Words before the name of a catalogue ("cat_", "tipo de").
    :param naming: Keys that name an entry of a catalogue.
    :param generic: Keys that say nothing of themselves: the object around them does.
    :param personal: What only objects of persons hold, e.g. an age.
    :param asking: Keys whose value is the key of another value.
    :param answering: Keys of these other values.
    :param dwelling: Keys of the number of a house where they stand behind its street.
    :param hl7: What a field holds, by segment and number.
    """

    keys: Mapping[str, Meaning]
    by_words: Mapping[Words, Meaning]
    short: Mapping[str, str]
    little: Words
    telling: tuple[str, ...]
    owners: Mapping[str, str]
    institutions: Words
    catalogues: Words
    listing: Words
    naming: Words
    generic: Words
    personal: Words
    asking: Words
    answering: Words
    dwelling: Words
    hl7: Mapping[str, Mapping[int, Meaning]]

    def of_label(self, label: str) -> Meaning | None:
        """Return the meaning of a key or heading by itself.

        One that is not listed as it stands is looked up by its words ("f_nac"), and
        these without the one that says whose it is ("tel_madre"), and then by a word
        that tells enough ("fecha_ult_visita").

        :param label: As it is written.
        """
        if len(label) > _LONGEST or _VALUE.search(label):
            return None
        meaning = self.keys.get(key_of(label))
        if meaning is not None:
            return meaning
        words = self.words_of(label)
        meaning = self.by_words.get(words)
        if meaning is not None or len(words) < 2:
            return meaning
        for word in sorted(words):
            role = self.owners.get(word)
            found = self.by_words.get(words - {word}) if role else None
            if found is not None:
                return Meaning(found.holds, role, found.owned)
        # Headings of several words may say something else ("celular sin pila"); what a
        # program calls a column, in one word, does not.
        if " " in label:
            return None
        telling = (word for word in self.telling if word in words)
        return self.keys.get(next(telling, ""))

    def of_question(self, question: str) -> Meaning | None:
        """Return the meaning of a question, as that of the longest key in it.

        :param question: "¿Cuál es su número de teléfono?" or a mere key.
        """
        if len(question) > _LONGEST_QUESTION:
            return None
        meaning = self.of_label(question)
        words = _PART.findall(fold_key(question))
        for size in range(_MOST_WORDS_OF_KEY, 0, -1):
            for first in range(len(words) - size + 1):
                if meaning is not None:
                    return meaning
                meaning = self.keys.get("".join(words[first : first + size]))
        return meaning

    def of_path(self, path: Sequence[str], personal: bool) -> Meaning | None:
        """Return the meaning of a key, given the keys of the objects around it.

        :param path: Keys from the outermost to the key itself, as they are written.
        :param personal: Whether its object holds what only those of persons do.
        :return: Its meaning with the role of its owner, if it has one.
        """
        keys = [key_of(part) for part in path]
        key, parent = keys[-1], keys[-2] if len(keys) > 1 else ""
        meaning = self.keys.get(parent + key) or self.of_label(path[-1])
        outer = (k for k in keys[-2::-1] if k in self.owners or k in self.institutions)
        around = next(outer, "")
        role = self.owners.get(around)
        bare = meaning is None or (meaning.holds == "name" and meaning.role is None)
        if bare and key in self.naming and not personal:
            for label in path[-2:-4:-1]:
                if key_of(label) == around:
                    break
                if self.is_catalogue(label):
                    return _CODED
        if meaning is None and key in self.generic:
            meaning = self.keys.get(parent)
        if meaning is None or (meaning.owned and role is None):
            return None
        if meaning.holds in ("name", "code") and around in self.institutions:
            return None
        if meaning.role or role is None:
            return meaning
        return Meaning(meaning.holds, role, meaning.owned)

    def is_catalogue(self, label: str) -> bool:
        """Tell whether an object or table lists things: diagnoses, shifts, drugs.

        :param label: Its key or name, as it is written ("cat_estado_civil").
        """
        if key_of(label) in self.catalogues:
            return True
        parts = _PART.findall(fold_key(_HUMP.sub(" ", label[:_LONGEST])))
        left = [p for p in parts if p not in self.little and p not in self.listing]
        return "".join(left) in self.catalogues or (
            bool(left) and all(part in self.catalogues for part in left)
        )

    def words_of(self, label: str) -> Words:
        """Return the words of a label in full, in no order; digits do not count.

        :param label: A key or heading as it is written.
        """
        parts = _PART.findall(fold_key(_HUMP.sub(" ", label)))
        if len(parts) == 1 and len(parts[0]) < _SHORTEST:
            return frozenset(parts)
        return frozenset(
            self.short.get(part, part) for part in parts if part not in self.little
        )


@dataclass(slots=True)
class Lookup:
    """Meanings for one text: its keys repeat. It goes with the text.

    :param meanings: What they are looked up in.
    """

    meanings: Meanings
    _labels: dict[str, Meaning | None] = field(default_factory=dict)
    _paths: dict[tuple[tuple[str, ...], bool], Meaning | None] = field(
        default_factory=dict
    )

    def label(self, label: str) -> Meaning | None:
        """Return the meaning of a key or heading by itself."""
        if label not in self._labels:
            self._labels[label] = self.meanings.of_label(label)
        return self._labels[label]

    def path(self, path: tuple[str, ...], personal: bool = False) -> Meaning | None:
        """Return the meaning of a key among the keys around it."""
        key = path, personal
        if key not in self._paths:
            self._paths[key] = self.meanings.of_path(path, personal)
        return self._paths[key]


@cache
def load_meanings() -> Meanings:
    """Read the file that ships with the package.

    :raises ConfigurationError: If it is broken.
    """
    path = folder("recognizers") / _FILE
    data = read_yaml(path)
    try:
        listed = list(_keys(data["keys"]))
        lists = {name: frozenset(map(key_of, data[name])) for name in _LISTS}
        catalogues = frozenset(map(key_of, data["catalogues"]))
        by_words: dict[Words, Meaning] = {}
        meanings = Meanings(
            keys={key_of(label): meaning for label, meaning in listed},
            by_words=by_words,
            short={
                word: full for full, every in data["short"].items() for word in every
            },
            little=frozenset(data["little"]),
            telling=tuple(data["telling"]),
            owners={
                key_of(key): role
                for role, keys in data["owners"].items()
                for key in keys
            },
            catalogues=catalogues.union(*({k + "s", k + "es"} for k in catalogues)),
            hl7={name: dict(_positions(held)) for name, held in data["hl7"].items()},
            **lists,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(f"{path}: not as its head says ({error})") from None
    for label, meaning in listed:
        words = meanings.words_of(label)
        # "ext" alone is not what "num ext" is.
        if len(words) > 1 or (words and len(label.split()) == 1):
            by_words.setdefault(words, meaning)
    return meanings


def _keys(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Meaning]]:
    for entry in entries:
        owned = bool(entry.get("owned"))
        meaning = Meaning(entry["holds"], entry.get("role"), owned)
        for key in entry["keys"]:
            yield key, meaning


def _positions(held: Mapping[Any, Any]) -> Iterator[tuple[int, Meaning]]:
    """Yield what the fields of a segment hold, by number."""
    for number, text in held.items():
        if number == CODED:
            yield from ((int(one), _CODED) for one in text)
        else:
            holds, _, role = text.partition(" ")
            yield int(number), Meaning(holds, role or None)
