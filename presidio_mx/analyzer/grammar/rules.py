"""The context grammar as data: rules read from YAML, checked, not yet compiled."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from presidio_mx.analyzer.grammar.checks import CHECKS
from presidio_mx.analyzer.grammar.phrase import PHRASE, PHRASES
from presidio_mx.declarations import (
    Declaration,
    declaration,
    declared_entities,
)
from presidio_mx.errors import ConfigurationError, unknown
from presidio_mx.yaml_file import read_yaml

STAGES = ("block", "rule", "heuristic")
ROLES = ("patient", "relative", "staff", "other")
# Behind an entity, the role of what was found there.
SAME = "same"
FILE_KEYS = frozenset(
    "entity entities tag recognizer order about settings symbols rules".split()
)
SETTINGS: Mapping[str, type] = {"weights": dict, "covered_states": list}
ENTITY = re.compile(r"<([A-Z_]+)>")


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the grammar; docs/rules.md says what every key does.

    All patterns are regular expressions over the folded note (lower case, no accents,
    same length), on one line as read, in which ``{symbol}`` stands for a list or sub-pattern.

    :param name: Unique in its file; shown in explanations.
    :param entity: Presidio's entity type that the mark gets.
    :param mark: What is marked: a pattern, or ``<name>`` for a phrase that code parses.
    :param left: What must stand directly before; may begin with ``<ENTITY>``.
    :param right: What must stand directly after; may end with ``<ENTITY>``.
    :param not_left: What must not stand directly before the mark.
    :param not_right: What must not stand directly after the mark.
    :param stage: ``block`` (marks nothing, forbids), ``rule`` or ``heuristic``.
    :param score: Confidence from 0 to 1.
    :param role: Role of a person.
    :param check: Name of a check that raises the score to ``checked_score``.
    :param checked_score: Confidence of what passes the check.
    :param needs: A literal that the folded note must hold, to skip the rule early.
    :param needs_pattern: The same as a pattern, for rules that would search slowly.
    :param options: Options of the phrase.
    :param match: Examples; what must be marked stands in square brackets.
    :param no_match: Examples in which this rule must mark nothing.
    :param source: Law, registry, standard or paper that a format comes from.
    :param file: Where the rule stands.
    """

    name: str
    entity: str
    mark: str
    left: str = ""
    right: str = ""
    not_left: str = ""
    not_right: str = ""
    stage: str = "rule"
    score: float = 0.7
    role: str | None = None
    check: str | None = None
    checked_score: float = 1.0
    needs: str = ""
    needs_pattern: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()
    source: str = ""
    file: str = ""


RULE_KEYS = frozenset(f.name for f in fields(Rule)) - {"file"}
PATTERN_KEYS = frozenset("mark left right not_left not_right needs_pattern".split())
_BREAK = re.compile(r"[ \t]*\n[ \t]*")
_EXAMPLES = frozenset({"match", "no_match"})
_SCORES = frozenset({"score", "checked_score"})
_TEXTS = RULE_KEYS - _EXAMPLES - _SCORES - {"options"}


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules of one recognizer, as read.

    :param entity: Entity type of its rules unless a rule names another.
    :param recognizer: Name of the recognizer class that reports them.
    :param order: Place among the files; smaller runs first.
    :param symbols: Word lists (tuple) and sub-patterns (str) by name.
    :param rules: The rules in order.
    :param settings: Parameters of the entity's class.
    :param path: The file.
    :param entities: All entity types that the recognizer reports.
    """

    entity: str
    recognizer: str
    order: int
    symbols: Mapping[str, tuple[str, ...] | str]
    rules: tuple[Rule, ...]
    settings: Mapping[str, Any]
    path: Path
    entities: tuple[str, ...] = ()


def read_rule_file(path: Path) -> RuleFile:
    """Read and check one YAML file of rules.

    :param path: A file such as ``recognizers/mx/person.yaml``; one without rules may
        hold symbols alone.
    :return: The file's content.
    :raises ConfigurationError: With all that is wrong, naming file, rule and key.
    """
    data = read_yaml(path, "'entity:', 'rules:' ...")
    problems = [
        f"{path}: unknown key {unknown(key, FILE_KEYS)}"
        for key in data
        if key not in FILE_KEYS
    ]
    head = Declaration(path)
    try:
        head = declaration(path, data)
    except ConfigurationError as error:
        problems += error.problems
    else:
        problems += _entity_problems(head, bool(data.get("rules")))
    problems += _symbol_problems(path, data.get("symbols") or {})
    problems += _settings_problems(path, data.get("settings") or {})
    entries = data.get("rules") or []
    if not isinstance(entries, list):
        problems.append(f"{path}: 'rules' must be a list of entries '- name: ...'")
        entries = []
    known = frozenset(head.entities) | frozenset(declared_entities())
    for number, entry in enumerate(entries, start=1):
        problems += _rule_problems(path, number, entry, known)
    names = [e.get("name") for e in entries if isinstance(e, dict)]
    for name in sorted({n for n in names if isinstance(n, str) and names.count(n) > 1}):
        problems.append(f"{path}: two rules are named {name!r}")
    if problems:
        raise ConfigurationError(*problems)
    entity = next(iter(head.entities), "")
    return RuleFile(
        entity=entity,
        recognizer=head.recognizer,
        order=head.order,
        symbols=_symbols(data.get("symbols") or {}),
        rules=tuple(_rule(path, entry, entity) for entry in entries),
        settings=data.get("settings") or {},
        path=path,
        entities=tuple(head.entities),
    )


def _entity_problems(head: Declaration, with_rules: bool) -> Iterator[str]:
    """Yield what is wrong with a file's entities; a new one needs a recognizer."""
    if with_rules and not head.entities:
        yield f"{head.path}: 'entity' is missing, e.g. entity: PERSON"
    for entity in head.entities:
        if not head.recognizer and entity not in declared_entities():
            yield (
                f"{head.path}: unknown entity {unknown(entity, declared_entities())}; "
                "a new one needs 'recognizer', the class that reports it"
            )


def _symbol_problems(path: Path, data: Any) -> Iterator[str]:
    if not isinstance(data, dict):
        yield f"{path}: 'symbols' must map names to lists"
        return
    for name, value in data.items():
        words = isinstance(value, list) and all(
            isinstance(item, str | int) and not isinstance(item, bool) for item in value
        )
        if not (words or isinstance(value, str)):
            yield f"{path}: symbol {name!r} must be a list of words or a pattern"


def _settings_problems(path: Path, data: Any) -> Iterator[str]:
    if not isinstance(data, dict):
        yield f"{path}: 'settings' must map names to values"
        return
    for key, value in data.items():
        if key not in SETTINGS:
            yield f"{path}: unknown setting {unknown(key, SETTINGS)}"
        elif value is not None and not isinstance(value, SETTINGS[key]):
            kind = "a list" if SETTINGS[key] is list else "names with numbers"
            yield f"{path}: setting {key!r} must be {kind}"


def _rule_problems(
    path: Path, number: int, entry: Any, entities: frozenset[str]
) -> Iterator[str]:
    """Yield what is wrong with one entry of ``rules``."""
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
            yield f"unknown key {unknown(key, RULE_KEYS)}"
        elif key in _TEXTS and not isinstance(value, str):
            yield f"{key!r} must be text; put it in '...'"
        elif key in _SCORES and not _is_score(value):
            yield f"{key!r} must be a number above 0, at most 1"
        elif key in _EXAMPLES and not _is_texts(value):
            yield f"{key!r} must be a list of examples, each text in '...'"


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


def _one_line(pattern: str) -> str:
    """Join the lines of a pattern that was written as a block (``|``)."""
    return _BREAK.sub("", pattern)


def _symbols(data: Mapping[str, Any]) -> dict[str, tuple[str, ...] | str]:
    return {
        name: _one_line(value) if isinstance(value, str) else tuple(map(str, value))
        for name, value in data.items()
    }


def _rule(path: Path, entry: Mapping[str, Any], entity: str) -> Rule:
    values = {"entity": entity} | dict(entry)
    for key in _EXAMPLES:
        values[key] = tuple(entry.get(key) or ())
    values |= {key: _one_line(values[key]) for key in PATTERN_KEYS & values.keys()}
    return Rule(**values, file=str(path))
