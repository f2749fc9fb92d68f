"""Compile rules: expand their symbols, find out how their places are found."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.errors import ConfigurationError, unknown
from presidio_mx.find.grammar.heads import Heads, heads_of
from presidio_mx.find.grammar.lint import pattern_problems
from presidio_mx.find.grammar.patterns import (
    VARIANT_PREFIX,
    LongList,
    Symbols,
    compile_pattern,
    expand,
    long_list,
    words_of,
)
from presidio_mx.find.grammar.phrase import PHRASE, Phrase
from presidio_mx.find.grammar.rules import Rule
from presidio_mx.find.grammar.validate import ENTITY, PATTERN_KEYS
from presidio_mx.resources import folder
from presidio_mx.text.folding import fold, fold_key

Check = Callable[[str], bool]
_Words = dict[str, frozenset[str]]

_FIRST_SYMBOL = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_FIRST_WORD = re.compile(r"[a-z]{2,}(?=$|\\b|\{|\s|\\s|\\\.)")
_FIRST_ENTITY = re.compile(r"<([A-Z_]+)>")
_LAST_ENTITY = re.compile(r"<([A-Z_]+)>$")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_BRACKET = re.compile(r"[][]")
_LINE_START = "(?m)^"
_DIGIT_STARTS = (r"\d", "[0-9", r"(?:\d", "[1-9")


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule with its expressions, and how its places are found.

    :param anchor: ``word``, ``number``, ``line``, ``entity``, ``phrase`` or ``scan``.
    :param anchor_words: First words of the rule, for ``word``, each with the second
        words that must follow it; none where a trigger is that one word.
    :param anchor_entity: Entity that must end where ``left`` goes on, for ``entity``.
    :param heads: For ``scan``, how what is searched for begins, or else what the note
        must have; none where nothing is known of either.
    :param begun: Whether what is searched for stands nowhere but at heads.
    :param left: What stands left of the mark; behind the entity, for ``entity``.
    :param misspelt: For ``word``, what a misspelt trigger must mean and what stands
        between it and the mark; expressions, for few are ever needed.
    :param mark_group: Group of ``mark`` that is marked; 0 is all of it.
    :param need: The text and the pattern that a note must have; empty for any.
    :param label: Name of the rule with its file, for explanations.
    """

    rule: Rule
    anchor: str
    anchor_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    anchor_entity: str = ""
    heads: Heads = frozenset()
    begun: bool = False
    left: re.Pattern[str] | None = None
    misspelt: tuple[str, str] | None = None
    mark: re.Pattern[str] | LongList | None = None
    mark_group: str | int = 0
    phrase: Phrase | None = None
    right: re.Pattern[str] | None = None
    right_entity: str = ""
    not_left: re.Pattern[str] | None = None
    not_right: re.Pattern[str] | None = None
    check: Check | None = None
    need: tuple[str, re.Pattern[str] | None] = ("", None)
    label: str = ""


def compile_rules(
    rules: Iterable[Rule],
    symbols: Symbols,
    phrases: Mapping[str, Phrase],
    checks: Mapping[str, Check],
) -> list[CompiledRule]:
    """Compile the rules of a file.

    :param rules: The rules as read; those that are not shipped are looked at closely.
    :param symbols: Symbols in their reach.
    :param phrases: Phrases by name.
    :param checks: Checks by name.
    :return: The compiled rules.
    :raises ConfigurationError: With all that is wrong, naming file, rule and reason.
    """
    compiled: list[CompiledRule] = []
    problems: list[str] = []
    shipped = str(folder("recognizers"))
    for rule in rules:
        try:
            compiled.append(compile_rule(rule, symbols, phrases, checks))
        except ConfigurationError as error:
            problems += error.problems
            continue
        if not rule.file.startswith(shipped):
            label = f"{rule.file}: rule {rule.name}"
            problems += (f"{label}: {p}" for p in compiled_problems(rule, symbols))
    if problems:
        raise ConfigurationError(*problems)
    return compiled


def compiled_problems(rule: Rule, symbols: Symbols) -> Iterable[str]:
    """Yield why a rule that compiles may hang on a note or never find anything.

    :param rule: The rule.
    :param symbols: Symbols in its reach.
    """
    patterns = {key: getattr(rule, key) for key in sorted(PATTERN_KEYS)}
    for key, pattern in patterns.items():
        plain = ENTITY.sub("", "" if PHRASE.fullmatch(pattern) else pattern)
        symbol = _FIRST_SYMBOL.fullmatch(plain)
        if symbol and not isinstance(symbols[symbol[1]], str):
            continue  # one list; its entries are read from left to right
        for problem in pattern_problems(expand(plain, symbols)):
            yield f"{key!r}: {problem}"
    if rule.needs != fold(rule.needs):
        yield f"'needs' must be written as notes are compared: {fold(rule.needs)!r}"
    elif rule.needs and not _needed(rule, symbols):
        yield (
            f"'needs' is {rule.needs!r}, which no pattern of the rule and not every "
            "example in 'match' has; the rule would miss what it describes"
        )


def _needed(rule: Rule, symbols: Symbols) -> bool:
    """Tell whether what a rule needs stands in its patterns or all its examples."""
    for pattern in (rule.left, rule.mark, rule.right):
        plain = expand(ENTITY.sub("", pattern), symbols)
        if rule.needs in plain.replace("[ ]", " ").replace("\\", ""):
            return True
    return bool(rule.match) and all(
        rule.needs in fold(_BRACKET.sub("", text)) for text in rule.match
    )


def compile_rule(
    rule: Rule,
    symbols: Symbols,
    phrases: Mapping[str, Phrase],
    checks: Mapping[str, Check],
) -> CompiledRule:
    """Compile one rule.

    :param rule: The rule as read.
    :param symbols: Symbols in its reach.
    :param phrases: Phrases by name.
    :param checks: Checks by name.
    :return: The compiled rule.
    :raises ConfigurationError: Naming file, rule and reason.
    """
    try:
        return _compile(rule, symbols, phrases, checks)
    except ConfigurationError as error:
        raise ConfigurationError(f"{rule.file}: rule {rule.name}: {error}") from None


def _compile(
    rule: Rule,
    symbols: Symbols,
    phrases: Mapping[str, Phrase],
    checks: Mapping[str, Check],
) -> CompiledRule:
    def optional(pattern: str) -> re.Pattern[str] | None:
        return compile_pattern(pattern, symbols) if pattern else None

    phrase_name = PHRASE.fullmatch(rule.mark)
    if phrase_name and phrase_name[1] not in phrases:
        # It exists, but this file lacks the symbols that it is made of.
        raise ConfigurationError(f"here no phrase {unknown(phrase_name[1], phrases)}")
    if rule.check and rule.check not in checks:
        raise ConfigurationError(f"unknown check {unknown(rule.check, checks)}")
    right_entity = _LAST_ENTITY.search(rule.right)
    right = rule.right[: right_entity.start()] if right_entity else rule.right
    lead = rule.left or ("" if phrase_name else rule.mark)
    entries = () if rule.left else long_list(rule.mark, symbols)
    anchor, words, entity, rest = (
        ("word", _first_words(entries), "", "") if entries else _anchor(lead, symbols)
    )
    left = misspelt = None
    if rule.left and anchor == "word":
        trigger = lead[: len(lead) - len(rest)]
        # Atomic: the rest has no say in which trigger stands there.
        left = compile_pattern(f"(?>{trigger}){rest}", symbols)
        misspelt = (expand(trigger, symbols), expand(rest, symbols))
    elif rule.left:
        left = optional(rest)
    mark: re.Pattern[str] | LongList | None = None
    if entries:
        mark = LongList(entries, rule.mark.startswith("{" + VARIANT_PREFIX))
    elif not phrase_name:
        mark = compile_pattern(rule.mark, symbols)
    if phrase_name and not rule.left:
        anchor = "phrase"
    searched = left or (mark if isinstance(mark, re.Pattern) else None)
    needs = optional(rule.needs_pattern)
    heads: Heads = frozenset()
    begun = False
    if searched and anchor == "scan":
        heads = heads_of(searched.pattern)
        begun = bool(heads)
        if needs and not begun:
            heads = heads_of(needs.pattern)
    return CompiledRule(
        rule=rule,
        anchor=anchor,
        anchor_words=words,
        anchor_entity=entity,
        heads=heads,
        begun=begun,
        left=left,
        misspelt=misspelt,
        mark=mark,
        mark_group="mark" if mark and "mark" in mark.groupindex else 0,
        phrase=phrases[phrase_name[1]] if phrase_name else None,
        right=optional(right),
        right_entity=right_entity[1] if right_entity else "",
        not_left=optional(f"(?:{rule.not_left})$") if rule.not_left else None,
        not_right=optional(rule.not_right),
        check=checks[rule.check] if rule.check else None,
        need=(rule.needs, needs),
        label=f"{Path(rule.file).name}#{rule.name}",
    )


def _anchor(lead: str, symbols: Symbols) -> tuple[str, _Words, str, str]:
    """Return how a pattern is found: (anchor, words, entity, rest of the pattern)."""
    entity = _FIRST_ENTITY.match(lead)
    if entity:
        return "entity", {}, entity[1], lead[entity.end() :]
    symbol = _FIRST_SYMBOL.match(lead)
    if symbol and lead[symbol.end() : symbol.end() + 1] not in ("?", "*"):
        entries = words_of(symbol[1], symbols)
        if entries is not None:
            return "word", _first_words(entries), "", lead[symbol.end() :]
    word = _FIRST_WORD.match(lead)
    if word:
        return "word", {word[0]: frozenset()}, "", lead[word.end() :]
    if lead.startswith(_LINE_START):
        return "line", {}, "", lead[len(_LINE_START) :]
    if lead.startswith(_DIGIT_STARTS):
        return "number", {}, "", lead
    return "scan", {}, "", lead


def _first_words(entries: Iterable[str]) -> _Words:
    """Return the first words of triggers with the second words that must follow.

    "no contesta" is looked for only where "contesta" stands behind "no".
    """
    seconds: dict[str, set[str]] = {}
    for entry in entries:
        words = _WORD.findall(fold_key(entry))
        if not words or not fold_key(entry).startswith(words[0]):
            raise ConfigurationError(f"trigger {entry!r} does not begin with a word")
        seconds.setdefault(words[0], set()).add(words[1] if len(words) > 1 else "")
    return {
        word: frozenset() if "" in following else frozenset(following)
        for word, following in seconds.items()
    }
