"""What keys, headings and positions mean: ``recognizers/fields.yaml``, read once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.fields.field import Field, key_of
from presidio_mx.find.fields.wording import KeyWords, Words
from presidio_mx.resources import folder
from presidio_mx.yaml_file import read_yaml

_FILE = "fields.yaml"
# What a column holds that identifies nobody, and tells that a line is a heading.
OTHER = "other"
# Keys that say nothing of themselves: the object around them does.
_GENERIC = frozenset({"value", "valor", "numero", "text", "texto"})


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

    def of_value(self, start: int, end: int, role: str = "patient") -> list[Field]:
        """Return the value of a key or a column as a field, if it identifies somebody.

        :param start: First offset of the value.
        :param end: Offset after it.
        :param role: Whose it is where the key does not say.
        """
        if self.holds == OTHER:
            return []
        return [Field(start, end, self.holds, self.role or role)]


@dataclass(frozen=True, slots=True)
class Meanings:
    """All that the file says.

    :param keys: Meanings by key, as :func:`key_of` gives it.
    :param by_words: Meanings by the words of a key, in no order.
    :param words: Takes keys apart.
    :param owners: Roles by the key of an object.
    :param nobody: Keys of objects whose names are of no person.
    :param hl7: What a field holds, by segment and number, with the role behind it.
    """

    keys: Mapping[str, Meaning]
    by_words: Mapping[Words, Meaning]
    words: KeyWords
    owners: Mapping[str, str]
    nobody: frozenset[str]
    hl7: Mapping[str, Mapping[int, Meaning]]

    def of_label(self, label: str) -> Meaning | None:
        """Return the meaning of a key or heading by itself.

        One that is not listed as it stands is looked up by its words ("f_nac"), and
        these without the one that says whose it is ("tel_madre"), and then by a word
        that tells enough ("fecha_ult_visita").

        :param label: As it is written.
        """
        meaning = self.keys.get(key_of(label))
        return meaning or self._by_words(label)

    def _by_words(self, label: str) -> Meaning | None:
        words = self.words.of(label)
        meaning = self.by_words.get(words)
        if meaning is not None or len(words) < 2:
            return meaning
        for word in sorted(words):
            role = self.owners.get(word)
            found = self.by_words.get(words - {word}) if role else None
            if found is not None:
                return Meaning(found.holds, role, found.owned)
        return self.keys.get(self.words.telling_in(label, words))

    def of_key(self, path: list[str]) -> Meaning | None:
        """Return the meaning of a key, given the keys of the objects around it.

        :param path: Keys from the outermost to the key itself, as they are written.
        :return: Its meaning with the role of its owner, if it has one.
        """
        label, path = path[-1], [key_of(part) for part in path]
        key = path[-1]
        parent = path[-2] if len(path) > 1 else ""
        meaning = self.keys.get(parent + key) or self.of_label(label)
        if meaning is None and key in _GENERIC:
            meaning = self.keys.get(parent)
        if meaning is None:
            return None
        around = next(
            (k for k in reversed(path[:-1]) if k in self.owners or k in self.nobody), ""
        )
        role = self.owners.get(around)
        if meaning.owned and role is None:
            return None
        if meaning.holds == "name" and around in self.nobody:
            return None
        if meaning.role or role is None:
            return meaning
        return Meaning(meaning.holds, role, meaning.owned)


@cache
def load_meanings() -> Meanings:
    """Read the file that ships with the package.

    :raises ConfigurationError: If it is broken.
    """
    path = folder("recognizers") / _FILE
    data = read_yaml(path)
    try:
        words = KeyWords(
            {short: full for full, shorts in data["short"].items() for short in shorts},
            frozenset(data["little"]),
            tuple(data["telling"]),
        )
        listed = list(_keys(data["keys"]))
        return Meanings(
            keys={key_of(label): meaning for label, meaning in listed},
            by_words=_by_words(listed, words),
            words=words,
            owners={
                key_of(key): role
                for role, keys in data["owners"].items()
                for key in keys
            },
            nobody=frozenset(map(key_of, data["nobody"])),
            hl7={
                segment: {int(n): _position(holds) for n, holds in fields.items()}
                for segment, fields in data["hl7"].items()
            },
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(f"{path}: not as its head says ({error})") from None


def _keys(entries: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, Meaning]]:
    for entry in entries:
        owned = bool(entry.get("owned"))
        meaning = Meaning(entry["holds"], entry.get("role"), owned)
        for key in entry["keys"]:
            yield key, meaning


def _by_words(
    listed: Iterable[tuple[str, Meaning]], words: KeyWords
) -> dict[Words, Meaning]:
    """Return meanings by the words of keys; of two with the same, the first."""
    made: dict[Words, Meaning] = {}
    for label, meaning in listed:
        found = words.of(label)
        # "ext" alone is not what "num ext" is.
        if len(found) > 1 or (found and len(label.split()) == 1):
            made.setdefault(found, meaning)
    return made


def _position(text: str) -> Meaning:
    holds, _, role = text.partition(" ")
    return Meaning(holds, role or None)
