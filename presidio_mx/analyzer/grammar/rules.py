"""The context grammar as data: rules read from YAML, checked, not yet compiled."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.yaml_file import read_yaml

STAGES = ("block", "rule", "heuristic")
_RULE_KEYS = {
    "name",
    "stage",
    "left",
    "mark",
    "right",
    "not_left",
    "not_right",
    "entity",
    "role",
    "score",
    "check",
    "checked_score",
    "needs",
    "needs_pattern",
    "options",
    "match",
    "no_match",
    "source",
}
_FILE_KEYS = {"entity", "recognizer", "order", "about", "symbols", "rules", "settings"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the grammar.

    All patterns are regular expressions over the folded note (lower case, no accents,
    same length) in which ``{symbol}`` stands for a list or sub-pattern.

    :param name: Unique in its file; shown in explanations.
    :param entity: Presidio's entity type that the mark gets.
    :param mark: What is marked: a pattern, or ``<name>`` for a phrase that code parses.
    :param left: What must stand directly before; may begin with ``<ENTITY>``.
    :param right: What must stand directly after.
    :param not_left: What must not stand directly before the mark.
    :param not_right: What must not stand directly after the mark.
    :param stage: ``block`` (marks nothing, forbids), ``rule`` or ``heuristic``.
    :param score: Confidence from 0 to 1.
    :param role: Role of a person.
    :param check: Name of a check that raises the score to ``checked_score``.
    :param needs: A literal that the folded note must hold, to skip the rule early.
    :param needs_pattern: The same as a pattern, for rules that would search slowly.
    :param options: Options of the phrase.
    :param match: Examples; what must be marked stands in square brackets.
    :param no_match: Examples in which this rule must mark nothing.
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
    file: str = ""


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules of one entity, as read.

    :param entity: Entity type of its rules unless a rule names another.
    :param recognizer: Name of the recognizer class that reports them.
    :param order: Place among the files; smaller runs first.
    :param symbols: Word lists (tuple) and sub-patterns (str) by name.
    :param rules: The rules in order.
    :param settings: Parameters of the entity's class.
    :param path: The file.
    """

    entity: str
    recognizer: str
    order: int
    symbols: Mapping[str, tuple[str, ...] | str]
    rules: tuple[Rule, ...]
    settings: Mapping[str, Any]
    path: Path


def read_rule_file(path: Path) -> RuleFile:
    """Read and check one YAML file of rules.

    :param path: A file such as ``recognizers/person.yaml``.
    :return: The file's content.
    :raises ConfigurationError: Naming file, rule and reason.
    """
    data = read_yaml(path, "'entity:', 'rules:' ...")
    unknown = sorted(set(data) - _FILE_KEYS)
    if unknown:
        raise ConfigurationError(
            f"{path}: unknown key {unknown[0]!r}; known: "
            f"{', '.join(sorted(_FILE_KEYS))}"
        )
    entity = data.get("entity")
    if not isinstance(entity, str):
        raise ConfigurationError(f"{path}: 'entity' is missing, e.g. entity: PERSON")
    rules: list[Rule] = []
    for number, entry in enumerate(data.get("rules") or [], start=1):
        rules.append(_rule(path, number, entry, entity))
    names = [rule.name for rule in rules]
    for name in names:
        if names.count(name) > 1:
            raise ConfigurationError(f"{path}: two rules are named {name!r}")
    return RuleFile(
        entity=entity,
        recognizer=str(data.get("recognizer") or ""),
        order=int(data.get("order") or 500),
        symbols=_symbols(path, data.get("symbols") or {}),
        rules=tuple(rules),
        settings=data.get("settings") or {},
        path=path,
    )


def _symbols(path: Path, data: Any) -> dict[str, tuple[str, ...] | str]:
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: 'symbols' must map names to lists")
    symbols: dict[str, tuple[str, ...] | str] = {}
    for name, value in data.items():
        if isinstance(value, str):
            symbols[name] = value
        elif isinstance(value, list) and all(
            isinstance(item, str | int) and not isinstance(item, bool) for item in value
        ):
            symbols[name] = tuple(str(item) for item in value)
        else:
            raise ConfigurationError(
                f"{path}: symbol {name!r} must be a list of words or a pattern"
            )
    return symbols


def _rule(path: Path, number: int, entry: Any, entity: str) -> Rule:
    name = entry.get("name") if isinstance(entry, dict) else None
    label = f"{path}: rule {name or number}"
    if not isinstance(entry, dict) or not isinstance(name, str):
        raise ConfigurationError(f"{label} has no 'name'")
    unknown = sorted(set(entry) - _RULE_KEYS)
    if unknown:
        raise ConfigurationError(
            f"{label}: unknown key {unknown[0]!r}; known: "
            f"{', '.join(sorted(_RULE_KEYS))}"
        )
    if not isinstance(entry.get("mark"), str):
        raise ConfigurationError(f"{label}: 'mark' is missing")
    if entry.get("stage", "rule") not in STAGES:
        raise ConfigurationError(f"{label}: 'stage' is one of {', '.join(STAGES)}")
    for key in ("score", "checked_score"):
        value = entry.get(key, 0.5)
        if not isinstance(value, int | float) or not 0 < value <= 1:
            raise ConfigurationError(f"{label}: {key!r} must lie between 0 and 1")
    values = {key: entry[key] for key in entry if key not in ("source",)}
    values["match"] = tuple(entry.get("match") or ())
    values["no_match"] = tuple(entry.get("no_match") or ())
    return Rule(**({"entity": entity} | values), file=str(path))
