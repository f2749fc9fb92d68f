"""Compile rules: expand their symbols, find out how their places are found."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from presidio_mx.analyzer.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.phrase import Phrase
from presidio_mx.analyzer.rules import Rule
from presidio_mx.errors import ConfigurationError
from presidio_mx.folding import fold_key

Check = Callable[[str], bool]

_FIRST_SYMBOL = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_FIRST_WORD = re.compile(r"[a-z]{2,}(?=$|\\b|\{|\s|\\s|\\\.)")
_FIRST_ENTITY = re.compile(r"<([A-Z_]+)>")
_LAST_ENTITY = re.compile(r"<([A-Z_]+)>$")
_PHRASE = re.compile(r"<([a-z_]+)>")
_LINE_START = "(?m)^"
_DIGIT_STARTS = (r"\d", "[0-9", r"(?:\d", "[1-9")


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule with its expressions, and how its places are found.

    :param anchor: ``word``, ``number``, ``line``, ``entity``, ``phrase`` or ``scan``.
    :param anchor_words: First words of the rule, for ``word``.
    :param anchor_entity: Entity that must end where ``left`` goes on, for ``entity``.
    :param first: What stands first in ``left`` (a list of triggers), for ``word``.
    :param label: Name of the rule with its file, for explanations.
    """

    rule: Rule
    anchor: str
    anchor_words: frozenset[str] = frozenset()
    anchor_entity: str = ""
    first: re.Pattern[str] | None = None
    left: re.Pattern[str] | None = None
    mark: re.Pattern[str] | None = None
    phrase: Phrase | None = None
    right: re.Pattern[str] | None = None
    right_entity: str = ""
    not_left: re.Pattern[str] | None = None
    not_right: re.Pattern[str] | None = None
    check: Check | None = None

    needs: re.Pattern[str] | None = None
    label: str = ""


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

    phrase_name = _PHRASE.fullmatch(rule.mark)
    if phrase_name and phrase_name[1] not in phrases:
        raise ConfigurationError(
            f"unknown phrase <{phrase_name[1]}>; known: {', '.join(sorted(phrases))}"
        )
    if rule.check and rule.check not in checks:
        raise ConfigurationError(
            f"unknown check {rule.check!r}; known: {', '.join(sorted(checks))}"
        )
    right_entity = _LAST_ENTITY.search(rule.right)
    right = rule.right[: right_entity.start()] if right_entity else rule.right
    lead = rule.left or ("" if phrase_name else rule.mark)
    anchor, words, entity, rest = _anchor(lead, symbols)
    first = left = None
    if rule.left:
        left = optional(rest)
        if anchor == "word":
            first = compile_pattern(lead[: len(lead) - len(rest)], symbols)
    return CompiledRule(
        rule=rule,
        anchor="phrase" if phrase_name and not rule.left else anchor,
        anchor_words=words,
        anchor_entity=entity,
        first=first,
        left=left,
        mark=None if phrase_name else compile_pattern(rule.mark, symbols),
        phrase=phrases[phrase_name[1]] if phrase_name else None,
        right=optional(right),
        right_entity=right_entity[1] if right_entity else "",
        not_left=optional(f"(?:{rule.not_left})$") if rule.not_left else None,
        not_right=optional(rule.not_right),
        check=checks[rule.check] if rule.check else None,
        needs=optional(rule.needs_pattern),
        label=f"{Path(rule.file).name}#{rule.name}",
    )


def _anchor(lead: str, symbols: Symbols) -> tuple[str, frozenset[str], str, str]:
    """Return how a pattern is found: (anchor, words, entity, rest of the pattern)."""
    entity = _FIRST_ENTITY.match(lead)
    if entity:
        return "entity", frozenset(), entity[1], lead[entity.end() :]
    symbol = _FIRST_SYMBOL.match(lead)
    if symbol and lead[symbol.end() : symbol.end() + 1] not in ("?", "*"):
        entries = words_of(symbol[1], symbols)
        if entries is not None:
            words = frozenset(_first_word(entry) for entry in entries)
            return "word", words, "", lead[symbol.end() :]
    word = _FIRST_WORD.match(lead)
    if word:
        return "word", frozenset([word[0]]), "", lead[word.end() :]
    if lead.startswith(_LINE_START):
        return "line", frozenset(), "", lead[len(_LINE_START) :]
    if lead.startswith(_DIGIT_STARTS):
        return "number", frozenset(), "", lead
    return "scan", frozenset(), "", lead


def _first_word(entry: str) -> str:
    match = re.match(r"[^\W\d_]+|\d+", fold_key(entry))
    if match is None:
        raise ConfigurationError(f"trigger {entry!r} does not begin with a word")
    return match[0]
