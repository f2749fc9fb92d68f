"""Say the program's sentences in Spanish.

Errors and warnings are written in English, where they arise, for whoever uses the
package from Python. The command line says them in the user's language: a sentence is
looked up in ``messages.es.yaml`` by its fixed words.
"""

import locale
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from presidio_mx.yaml_file import read_yaml

CATALOGUE = Path(__file__).with_name("messages.es.yaml")
GAP = "{}"
# A sentence may hold another one, for instance the reason why a file cannot be read.
_DEEPEST = 2


def speaks_spanish() -> bool:
    """Tell whether the user's environment asks for Spanish."""
    for name in ("PRESIDIO_MX_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value.lower().startswith("es")
    return (locale.getlocale()[0] or "").lower().startswith(("es", "spanish"))


def say(english: str, spanish: str) -> str:
    """Return the text in the user's language."""
    return spanish if speaks_spanish() else english


@cache
def catalogue() -> Mapping[str, str]:
    """Return English sentences, ``{}`` for what is filled in, to Spanish ones."""
    return MappingProxyType(read_yaml(CATALOGUE, "sentences and their Spanish"))


def in_spanish(sentence: str, depth: int = 0) -> str:
    """Return a sentence in Spanish; as it is where the catalogue does not have it.

    :param sentence: A sentence of an error or a warning.
    :param depth: How many sentences it stands in.
    """
    for pattern, spanish in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            return spanish.format(*(_inner(part, depth) for part in match.groups()))
    name, colon, rest = sentence.partition(": ")
    return f"{name}{colon}{_inner(rest, depth)}" if colon else sentence


def localized(sentence: str) -> str:
    """Return an English sentence in the user's language."""
    return in_spanish(sentence) if speaks_spanish() else sentence


def _inner(part: str, depth: int) -> str:
    return in_spanish(part, depth + 1) if depth < _DEEPEST else part


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of English sentences; those with more fixed words first."""
    entries = sorted(catalogue().items(), key=lambda entry: -_fixed(entry[0]))
    return tuple((_pattern(english), spanish) for english, spanish in entries)


def _fixed(english: str) -> int:
    return len(english.replace(GAP, ""))


def _pattern(english: str) -> re.Pattern[str]:
    pieces = (re.escape(piece) for piece in english.split(GAP))
    return re.compile("(.*?)".join(pieces), re.DOTALL)
