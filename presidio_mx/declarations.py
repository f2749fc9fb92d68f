"""What a rule file says of itself before its rules: entities, tags, recognizer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.resources import folder
from presidio_mx.yaml_file import parse_yaml, read_text

PRESETS = ("mx", "es-ES")
"""Rule sets of this package."""
PUBLISHED = ("ADBDC", "ADAP", "hc-ribeirao")
"""Published systems that run alone, as their authors ran them."""
SYMBOLS_FILE = "symbols.yaml"
LAST = 500
# What follows is long, and nobody who asks for a tag needs it.
_BODY = re.compile(r"^(?:settings|symbols|rules):", re.M)


@dataclass(frozen=True, slots=True)
class Declaration:
    """The head of a rule file.

    :param path: The file.
    :param entities: Entity types that its rules find, each with the word inside its
        tag; the first is the entity of rules that name none.
    :param recognizer: Name of the recognizer class that reports them.
    :param order: Place among the files; smaller runs first.
    :param about: What is found, in a few words.
    """

    path: Path
    entities: Mapping[str, str] = field(default_factory=dict)
    recognizer: str = ""
    order: int = LAST
    about: str = ""


def unknown_preset(preset: str) -> ConfigurationError:
    """Return the refusal of a preset that does not exist.

    :param preset: What the user wrote.
    """
    return ConfigurationError(
        f"unknown preset {preset!r}; presets are {', '.join((*PRESETS, *PUBLISHED))}"
    )


def declaration(path: Path, data: Mapping[str, Any]) -> Declaration:
    """Read the head of a rule file.

    :param path: The file, for errors.
    :param data: Its content.
    :raises ConfigurationError: If a value is of the wrong kind.
    """
    for key in ("recognizer", "about"):
        if not isinstance(data.get(key, ""), str):
            raise ConfigurationError(f"{path}: {key!r} must be one line of text")
    order = data.get("order", LAST)
    if not isinstance(order, int) or isinstance(order, bool):
        raise ConfigurationError(f"{path}: 'order' must be a whole number, e.g. 80")
    return Declaration(
        path=path,
        entities=_entities(path, data),
        recognizer=data.get("recognizer", ""),
        order=order,
        about=data.get("about", ""),
    )


def _entities(path: Path, data: Mapping[str, Any]) -> dict[str, str]:
    """Return the entities with their tags; an entity without a tag is its own."""
    if "entity" in data and "entities" in data:
        raise ConfigurationError(f"{path}: give 'entity' or 'entities', not both")
    several = data.get("entities")
    if several is None:
        several = {data["entity"]: data.get("tag")} if "entity" in data else {}
    elif "tag" in data:
        raise ConfigurationError(
            f"{path}: with 'entities', each has its own tag: entities: {{URL: URL}}"
        )
    if isinstance(several, list):
        several = dict.fromkeys(several)
    if not isinstance(several, dict) or not all(
        isinstance(entity, str) and (tag is None or isinstance(tag, str))
        for entity, tag in several.items()
    ):
        raise ConfigurationError(
            f"{path}: 'entity' and 'tag' must be words, e.g. entity: PERSON"
        )
    return {entity: tag or entity for entity, tag in several.items()}


@cache
def declarations(preset: str) -> tuple[Declaration, ...]:
    """Return the heads of a preset's shipped rule files, in the order they run.

    :param preset: Name of the preset; only the heads of its files are read.
    :raises ConfigurationError: If there is no such preset or a file is broken.
    """
    if preset not in PRESETS:
        raise unknown_preset(preset)
    heads = [
        declaration(path, parse_yaml(path, _BODY.split(read_text(path), 1)[0]))
        for path in sorted((folder("recognizers") / preset).glob("*.yaml"))
        if path.name != SYMBOLS_FILE
    ]
    return tuple(sorted(heads, key=lambda head: (head.order, head.path.name)))


@cache
def declared_entities(preset: str | None = None) -> Mapping[str, str]:
    """Return the entities that shipped rules find, with the words inside their tags.

    :param preset: Name of a preset; all presets by default.
    """
    return {
        entity: tag
        for name in ([preset] if preset else PRESETS)
        for head in declarations(name)
        for entity, tag in head.entities.items()
    }
