"""The context grammar as data: rules read from YAML, checked, not yet compiled."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from presidio_mx.declarations import Declaration, declaration, declared_entities
from presidio_mx.errors import ConfigurationError, unknown
from presidio_mx.find.grammar.validate import (
    EXAMPLE_KEYS,
    FILE_KEYS,
    PATTERN_KEYS,
    entity_problems,
    one_line,
    rule_problems,
    settings_problems,
    symbol_problems,
)
from presidio_mx.yaml_file import read_yaml


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the grammar; docs/rules.md says what every key does.

    All patterns are regular expressions over the folded note (lower case, no accents,
    same length), joined to one line, in which ``{symbol}`` stands for a list or
    sub-pattern.

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
        problems += entity_problems(head, "rules" in data)
    problems += symbol_problems(path, data.get("symbols") or {})
    problems += settings_problems(path, data.get("settings") or {})
    entries = data.get("rules") or []
    if not isinstance(entries, list):
        problems.append(f"{path}: 'rules' must be a list of entries '- name: ...'")
        entries = []
    known = frozenset(head.entities) | frozenset(declared_entities())
    for number, entry in enumerate(entries, start=1):
        problems += rule_problems(path, number, entry, known)
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


def _symbols(data: Mapping[str, Any]) -> dict[str, tuple[str, ...] | str]:
    return {
        name: one_line(value) if isinstance(value, str) else tuple(map(str, value))
        for name, value in data.items()
    }


def _rule(path: Path, entry: Mapping[str, Any], entity: str) -> Rule:
    values = {"entity": entity} | dict(entry)
    for key in EXAMPLE_KEYS:
        values[key] = tuple(entry.get(key) or ())
    values |= {key: one_line(values[key]) for key in PATTERN_KEYS & values.keys()}
    return Rule(**values, file=str(path))
