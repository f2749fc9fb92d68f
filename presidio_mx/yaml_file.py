"""Read YAML: words stay words, no key counts twice, errors name file and line."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.errors import ConfigurationError

_MOST_BYTES = 5_000_000
_MOST_ALIASES = 20
_MOST_LEVELS = 50
_TOO_DEEP = f"more than {_MOST_LEVELS} levels, one inside another"
# Levels are opened by brackets and by columns of a line; fewer do no harm.
_HARMLESS = 500


def read_yaml(path: Path, expected: str = "a mapping") -> dict[str, Any]:
    """Return the mapping that a YAML file holds.

    :param path: A UTF-8 file.
    :param expected: What the file should hold, for the error.
    :return: Its content.
    :raises ConfigurationError: If it is missing, not UTF-8, not YAML or no mapping.
    """
    return parse_yaml(path, read_text(path), expected)


def read_text(path: Path, most: float = _MOST_BYTES) -> str:
    """Return the text of a UTF-8 file, with its mark at the beginning or without.

    :param path: The file.
    :param most: Bytes that it may have.
    :raises ConfigurationError: If it is missing, no file, too large or not UTF-8.
    """
    refuse_special(path)
    try:
        size = path.stat().st_size
        if size > most:
            raise ConfigurationError(
                f"{path}: {size / 1e6:.0f} MB; a file of settings or rules may have "
                f"{most / 1e6:.0f} MB"
            )
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise ConfigurationError(
            f"{path}: {error.strerror or 'cannot be read'}"
        ) from None


def refuse_special(path: Path) -> None:
    """Refuse what would be read for ever: a pipe, a device, or a link to one.

    :param path: What is to be read; need not exist.
    :raises ConfigurationError: If it exists and is no file.
    """
    if path.exists() and not path.is_file():
        raise ConfigurationError(f"{path}: must be a file")


def parse_yaml(
    path: Path, text: str, expected: str = "a mapping", *, words: bool = True
) -> dict[str, Any]:
    """Return the mapping that a YAML text holds.

    :param path: The file it was read from, for errors.
    :param text: The text.
    :param expected: What the file should hold, for the error.
    :param words: Whether "no", "yes" and "on" are words; else they are true or false.
    :raises ConfigurationError: If it is not YAML, or no mapping, or has a key twice, or
        repeats itself by more aliases than a person writes, or has more levels.
    """
    try:
        _refuse_bombs(path, text)
        data = yaml.load(text, Loader=_loader(words))
    except ConfigurationError:  # a ValueError, too
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not valid YAML"
        if "nesting" in problem:
            # libyaml from 0.2.6 on gives up before the levels are counted here.
            raise ConfigurationError(f"{path}: {_TOO_DEEP}") from None
        raise ConfigurationError(f"{path}{where}: {problem}") from None
    except (ValueError, OverflowError, LookupError, AttributeError, TypeError):
        # A date that is none, a number of thousands of digits, a tag that does not fit.
        raise ConfigurationError(
            f"{path}: a date, a number or a value with a tag (!!) cannot be read; put "
            "it in quotes"
        ) from None
    except RecursionError:
        raise ConfigurationError(f"{path}: {_TOO_DEEP}") from None
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: expected {expected}")
    return data


def _refuse_bombs(path: Path, text: str) -> None:
    """Refuse a file that would fill the memory or the stack.

    Ten aliases in ten levels multiply; thousands of levels end the process.

    :param path: The file, for the error.
    :param text: Its text.
    :raises ConfigurationError: If it is one.
    :raises yaml.YAMLError: If it is no YAML.
    """
    brackets = text.count("[") + text.count("{")
    longest = max(map(len, text.splitlines()), default=0)
    if "*" not in text and brackets + longest < _HARMLESS:
        return
    aliases = levels = 0
    for event in yaml.parse(text, Loader=_loader(True)):
        aliases += isinstance(event, yaml.AliasEvent)
        levels += isinstance(event, yaml.CollectionStartEvent)
        levels -= isinstance(event, yaml.CollectionEndEvent)
        if aliases > _MOST_ALIASES:
            raise ConfigurationError(
                f"{path}: more than {_MOST_ALIASES} aliases (*name); write the values "
                "out"
            )
        if levels > _MOST_LEVELS:
            raise ConfigurationError(f"{path}: {_TOO_DEEP}")


@cache
def _loader(words: bool) -> type[yaml.SafeLoader]:
    """Return a safe loader that refuses a key given twice.

    :param words: Whether it reads "no", "si" and "y" as the words they are.
    """
    # libyaml's loader is ten times faster where PyYAML was built with it.
    base: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def whole(self: yaml.SafeLoader) -> yaml.Node | None:
        node: yaml.Node | None = base.get_single_node(self)
        _refuse_twice(self, node)
        return node

    loader: type[yaml.SafeLoader] = type("Loader", (base,), {"get_single_node": whole})
    if words:
        bool_tag = "tag:yaml.org,2002:bool"
        loader.yaml_implicit_resolvers = {
            first: [pair for pair in pairs if pair[0] != bool_tag]
            for first, pairs in base.yaml_implicit_resolvers.items()
        }
        loader.add_implicit_resolver(
            bool_tag, re.compile("^(?:true|false)$"), list("tf")
        )
    return loader


def _refuse_twice(loader: yaml.SafeLoader, root: yaml.Node | None) -> None:
    """Refuse a key that its mapping has already: the last one alone would count.

    :param loader: What makes values of nodes.
    :param root: The whole file.
    :raises yaml.YAMLError: Naming the key and where it stood first.
    """
    waiting = [] if root is None else [root]
    done: set[int] = set()  # what an alias names comes again
    while waiting:
        node = waiting.pop()
        if id(node) in done or isinstance(node, yaml.ScalarNode):
            continue
        done.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
            continue
        lines: dict[Any, int] = {}
        for name, value in node.value:
            waiting.append(value)
            if not isinstance(name, yaml.ScalarNode) or name.tag.endswith(":merge"):
                continue
            key = loader.construct_object(name)
            if key in lines:
                raise yaml.MarkedYAMLError(
                    problem=f"{name.value!r} stands here again, first in line "
                    f"{lines[key]}; write it once",
                    problem_mark=name.start_mark,
                )
            lines[key] = name.start_mark.line + 1
