"""Find everything that is wrong with a rule file, in the words of whoever wrote it."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from presidio_mx.declarations import Declaration, declared_entities
from presidio_mx.errors import unknown
from presidio_mx.find.grammar.checks import CHECKS
from presidio_mx.find.grammar.lint import pattern_problems
from presidio_mx.find.grammar.phrase import PHRASE, PHRASES
from presidio_mx.resources import folder

STAGES = ("block", "rule", "heuristic")
ROLES = ("patient", "relative", "staff", "other")
# Behind an entity, the role of what was found there.
SAME = "same"
FILE_KEYS = frozenset(
    "entity entities tag recognizer order about settings symbols rules".split()
)
SETTINGS: Mapping[str, type] = {"weights": dict, "covered_states": list}

PATTERN_KEYS = frozenset("mark left right not_left not_right needs_pattern".split())
TEXT_KEYS = PATTERN_KEYS | frozenset(
    "name stage entity role check needs source".split()
)
SCORE_KEYS = frozenset({"score", "checked_score"})
EXAMPLE_KEYS = frozenset({"match", "no_match"})
RULE_KEYS = TEXT_KEYS | SCORE_KEYS | EXAMPLE_KEYS | {"options"}

ENTITY = re.compile(r"<([A-Z_]+)>")
_BREAK = re.compile(r"[ \t]*\n[ \t]*")


def one_line(pattern: str) -> str:
    """Join the lines of a pattern that was written as a block (``|``)."""
    return _BREAK.sub("", pattern)


def entity_problems(head: Declaration, with_rules: bool) -> Iterator[str]:
    """Yield what is wrong with a file's entities; a new one needs a recognizer.

    :param head: What the file declares.
    :param with_rules: Whether it has rules, which need an entity.
    """
    if with_rules and not head.entities:
        yield f"{head.path}: 'entity' is missing, e.g. entity: PERSON"
    for entity in head.entities:
        if not head.recognizer and entity not in declared_entities():
            yield (
                f"{head.path}: unknown entity {unknown(entity, declared_entities())}; "
                "a new one needs 'recognizer', the class that reports it"
            )


def symbol_problems(path: Path, data: Any) -> Iterator[str]:
    """Yield what is wrong with the symbols of a file.

    :param path: The file.
    :param data: Its ``symbols``.
    """
    if not isinstance(data, dict):
        yield f"{path}: 'symbols' must map names to lists"
        return
    for name, value in data.items():
        words = isinstance(value, list) and all(
            isinstance(item, str | int) and not isinstance(item, bool) for item in value
        )
        if not (words or isinstance(value, str)):
            yield f"{path}: symbol {name!r} must be a list of words or a pattern"
        elif isinstance(value, str) and not _shipped(path):
            for problem in pattern_problems(one_line(value)):
                yield f"{path}: symbol {name!r}: {problem}"


def _shipped(path: Path) -> bool:
    """Tell whether a file is the suite's own, whose patterns tests look at."""
    return path.is_relative_to(folder("recognizers"))


def settings_problems(path: Path, data: Any) -> Iterator[str]:
    """Yield what is wrong with the settings of a file.

    :param path: The file.
    :param data: Its ``settings``.
    """
    if not isinstance(data, dict):
        yield f"{path}: 'settings' must map names to values"
        return
    for key, value in data.items():
        if key not in SETTINGS:
            yield f"{path}: unknown setting {unknown(key, SETTINGS)}"
        elif value is not None and not isinstance(value, SETTINGS[key]):
            kind = "a list" if SETTINGS[key] is list else "names with numbers"
            yield f"{path}: setting {key!r} must be {kind}"


def rule_problems(
    path: Path, number: int, entry: Any, entities: frozenset[str]
) -> Iterator[str]:
    """Yield what is wrong with one entry of ``rules``.

    :param path: The file.
    :param number: Place of the entry, from 1, for one without a name.
    :param entry: What stands there.
    :param entities: The entities there are.
    """
    name = entry.get("name") if isinstance(entry, dict) else None
    label = f"{path}: rule {name or number}"
    if not isinstance(entry, dict) or not isinstance(name, str) or not name:
        yield f"{label} has no 'name'"
        return
    for problem in _key_problems(entry):
        yield f"{label}: {problem}"
    for problem in _value_problems(entry, entities):
        yield f"{label}: {problem}"
    if isinstance(entry.get("mark"), str):
        for problem in _option_problems(entry):
            yield f"{label}: {problem}"


def _key_problems(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield unknown keys, and values of the wrong kind."""
    if "mark" not in entry:
        yield "'mark' is missing: what is marked, a pattern or a phrase like <name>"
    for key, value in entry.items():
        if key not in RULE_KEYS:
            yield f"unknown key {unknown(key, RULE_KEYS)}{_perhaps_option(key)}"
        elif key in TEXT_KEYS and not isinstance(value, str):
            yield f"{key!r} must be text; put it in '...'"
        elif key in SCORE_KEYS and not _is_score(value):
            yield f"{key!r} must be a number above 0, at most 1"
        elif key in EXAMPLE_KEYS and not _is_texts(value):
            yield f"{key!r} must be a list of examples, each text in '...'"


def _perhaps_option(key: Any) -> str:
    """Return a hint for a key that looks like an option of a phrase."""
    options = {option for known in PHRASES.values() for option in known}
    near = get_close_matches(str(key), sorted(options), n=1)
    return f"; {near[0]!r} is an option: options: {{{near[0]}: ...}}" if near else ""


def _is_score(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 < value <= 1


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _value_problems(
    entry: Mapping[str, Any], entities: frozenset[str]
) -> Iterator[str]:
    """Yield values that are none of those there are."""
    left, right = str(entry.get("left", "")), str(entry.get("right", ""))
    anchor = ENTITY.match(left)
    roles = (*ROLES, SAME) if anchor else ROLES
    allowed = (("stage", STAGES), ("role", roles), ("check", CHECKS))
    for key, names in allowed:
        if isinstance(entry.get(key), str) and entry[key] not in names:
            yield f"unknown {key} {unknown(entry[key], names)}"
    named = [entry["entity"]] if isinstance(entry.get("entity"), str) else []
    for entity in named + ENTITY.findall(left) + ENTITY.findall(right):
        if entity not in entities:
            yield f"unknown entity {unknown(entity, entities)}"
    if any(match.start() for match in ENTITY.finditer(left)):
        yield "an <ENTITY> may stand in 'left' only at its beginning"
    if any(match.end() < len(right) for match in ENTITY.finditer(right)):
        yield "an <ENTITY> may stand in 'right' only at its end"
    if "checked_score" in entry and "check" not in entry:
        yield "'checked_score' has no effect without 'check'"
    if entry.get("role") and entry.get("stage") == "block":
        yield "'role' has no effect in a rule that blocks"


def _option_problems(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield options that the phrase named in ``mark`` does not take."""
    options = entry.get("options", {})
    if not isinstance(options, dict):
        yield "'options' must map names to values, e.g. {prior: 1.5}"
        return
    phrase = PHRASE.fullmatch(entry["mark"])
    if phrase is None:
        if options:
            yield f"'options' are for phrases like <name>; mark is {entry['mark']!r}"
        return
    if phrase[1] not in PHRASES:
        yield f"unknown phrase {unknown(phrase[1], PHRASES)}"
        return
    known = PHRASES[phrase[1]]
    for key, value in options.items():
        if key not in known and known:
            yield f"<{phrase[1]}> has no option {unknown(key, known)}"
        elif key not in known:
            yield f"<{phrase[1]}> takes no options, but {key!r} is given"
        elif not known[key].takes(value):
            yield f"option {key!r} must be {known[key].wanted}, not {value!r}"
    for key, option in known.items():
        if option.required and key not in options:
            yield f"<{phrase[1]}> needs the option {key!r}"
