"""The suite's Spanish vocabulary: lists that a clinician can read and correct.

``recognizers/words/*.yaml`` hold one list under each name, folded (lower case, no
accents), without full stops. Names are unique over all files. Rule files use a list as
the symbol ``{name}``; code asks for it here. Grammar stays in code, words do not.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from presidio_mx.errors import ConfigurationError
from presidio_mx.resources import folder
from presidio_mx.yaml_file import read_yaml


@cache
def word_lists() -> Mapping[str, tuple[str, ...]]:
    """Return every list by its name.

    :raises ConfigurationError: If a file is broken or a name stands twice.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted((folder("recognizers") / "words").glob("*.yaml")):
        for name, entries in read_yaml(path, "names with lists of words").items():
            if name in found:
                raise ConfigurationError(f"{path}: the name {name!r} stands twice")
            if not isinstance(entries, list) or not entries:
                raise ConfigurationError(f"{path}: {name!r} must be a list of words")
            found[name] = tuple(map(str, entries))
    return MappingProxyType(found)


def words(*names: str) -> frozenset[str]:
    """Return the words of one list, or of several together.

    :param names: Names of lists, e.g. ``months``.
    :raises ConfigurationError: If there is no such list.
    """
    lists = word_lists()
    unknown = [name for name in names if name not in lists]
    if unknown:
        raise ConfigurationError(f"recognizers/words has no list {unknown[0]!r}")
    return frozenset(word for name in names for word in lists[name])
