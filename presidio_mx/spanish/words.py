"""The suite's Spanish vocabulary: lists that a clinician can read and correct.

``recognizers/words/*.yaml`` hold one list under each name, in small letters; an entry
``{name}`` stands for the words of another list. Accents are written only where
surrogates copy a word; whoever compares gets it without. A full stop in an entry
matches whether or not it is typed. Names are unique over all files. Rule files use a
list as the symbol ``{name}``; code asks for it here. Grammar stays in code.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from presidio_mx.errors import ConfigurationError
from presidio_mx.resources import folder
from presidio_mx.text.folding import fold_key
from presidio_mx.yaml_file import read_yaml

_REFERENCE = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


@cache
def word_lists() -> Mapping[str, tuple[str, ...]]:
    """Return every list by its name, with the words of the lists it refers to.

    :raises ConfigurationError: If a file is broken, a name stands twice, or a list
        refers to itself or to none.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted((folder("recognizers") / "words").glob("*.yaml")):
        for name, entries in read_yaml(path, "names with lists of words").items():
            if name in found:
                raise ConfigurationError(f"{path}: the name {name!r} stands twice")
            if not isinstance(entries, list) or not entries:
                raise ConfigurationError(f"{path}: {name!r} must be a list of words")
            found[name] = tuple(map(str, entries))
    return MappingProxyType({name: _flat(name, found, ()) for name in found})


def _flat(
    name: str, lists: Mapping[str, tuple[str, ...]], above: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the words of a list, those of the lists it refers to in their place."""
    if name in above or name not in lists:
        raise ConfigurationError(
            f"recognizers/words: {{{name}}} in {above[-1]!r} "
            + ("refers to itself" if name in above else "is no list")
        )
    words: list[str] = []
    for entry in lists[name]:
        inner = _REFERENCE.fullmatch(entry)
        words += _flat(inner[1], lists, (*above, name)) if inner else [entry]
    return tuple(words)


def listed(name: str) -> tuple[str, ...]:
    """Return the words of one list as they are written, in their order.

    :param name: Name of a list, e.g. ``month_name``.
    :raises ConfigurationError: If there is no such list.
    """
    try:
        return word_lists()[name]
    except KeyError:
        raise ConfigurationError(f"recognizers/words has no list {name!r}") from None


def words(*names: str) -> frozenset[str]:
    """Return the words of one list, or of several together, to compare words with.

    :param names: Names of lists, e.g. ``month``.
    :return: Folded words without the full stops of abbreviations.
    :raises ConfigurationError: If there is no such list.
    """
    return frozenset(
        fold_key(word).rstrip(".") for name in names for word in listed(name)
    )


def groups(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the entries of a list of groups, whose words commas part.

    :param name: Name of a list, e.g. ``spelling`` with its entry ``avenida, av``.
    :raises ConfigurationError: If there is no such list.
    """
    return tuple(tuple(entry.split(", ")) for entry in listed(name))


def either(*names: str) -> str:
    """Return a regular expression that matches a word of one list or of several.

    The longest word that fits is taken. Nothing is said of what follows: the pattern
    around it does.

    :param names: Names of lists, e.g. ``side``.
    :return: A group without a name, over folded text.
    :raises ConfigurationError: If there is no such list.
    """
    entries = {fold_key(word) for name in names for word in listed(name)}
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return f"(?:{'|'.join(map(_escaped, ordered))})"


def _escaped(entry: str) -> str:
    return re.escape(entry).replace(r"\.", r"\.?").replace(r"\ ", "[ ]")
