"""Read the project's YAML files: words stay words, errors name file and line."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.errors import ConfigurationError


def read_yaml(path: Path, expected: str = "a mapping") -> dict[str, Any]:
    """Return the mapping that a YAML file holds.

    :param path: A UTF-8 file.
    :param expected: What the file should hold, for the error.
    :return: Its content.
    :raises ConfigurationError: If it is missing, not UTF-8, not YAML or no mapping.
    """
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8; save it as UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise ConfigurationError(f"{path}{where}: {problem}") from None
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: expected {expected}")
    return data


@cache
def _loader() -> type[yaml.SafeLoader]:
    """Return a safe loader that reads "no", "si" and "y" as the words they are."""
    # libyaml's loader is ten times faster where PyYAML was built with it.
    base: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    bool_tag = "tag:yaml.org,2002:bool"
    resolvers = {
        first: [pair for pair in pairs if pair[0] != bool_tag]
        for first, pairs in base.yaml_implicit_resolvers.items()
    }
    loader: type[yaml.SafeLoader] = type(
        "WordLoader", (base,), {"yaml_implicit_resolvers": resolvers}
    )
    loader.add_implicit_resolver(bool_tag, re.compile("^(?:true|false)$"), list("tf"))
    return loader
