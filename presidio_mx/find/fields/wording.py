"""The words of a key: ``F_Nac``, ``fecNac`` and ``Fecha de nac.`` are one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from presidio_mx.text.folding import fold_key

_PART = re.compile(r"[a-z]+")
# Where a small letter meets a capital a word begins: "fecNac", "birthDate".
_HUMP = re.compile(r"(?<=[^\W\d_A-ZÁÉÍÓÚÑÜ])(?=[A-ZÁÉÍÓÚÑÜ])")
# A number that stands by itself is a value, and so is what stands behind a colon;
# "tel2" and "nombre_1" are headings.
_VALUE = re.compile(r"(?<![^\W\d])\d|\d{2}|[:=]\s*\w")
_LONGEST = 40
# "F" alone is a sex, "F_nac" a date.
_SHORTEST = 3

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class KeyWords:
    """Takes keys and headings apart.

    :param short: What abbreviations stand for.
    :param little: Words that say nothing ("de", "num").
    :param telling: Words that say what the value is whatever stands beside
        them; the first counts.
    """

    short: Mapping[str, str]
    little: frozenset[str]
    telling: tuple[str, ...]

    def of(self, label: str) -> Words:
        """Return the words of a label in full, in no order; digits do not count.

        :param label: A key or heading as it is written.
        """
        if len(label) > _LONGEST or _VALUE.search(label):
            return frozenset()
        parts = _PART.findall(fold_key(_HUMP.sub(" ", label)))
        if len(parts) == 1 and len(parts[0]) < _SHORTEST:
            return frozenset(parts)
        return frozenset(
            self.short.get(part, part) for part in parts if part not in self.little
        )

    def telling_in(self, label: str, words: Words) -> str:
        """Return the word of a key that tells enough, or nothing.

        Headings of several words may say something else ("celular sin pila"); what a
        program calls a column, in one word, does not.

        :param label: As it is written.
        :param words: Its words.
        """
        if " " in label:
            return ""
        return next((word for word in self.telling if word in words), "")
