"""The examples of rules: what must be marked stands in square brackets."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from presidio_mx.find.grammar.compile import CompiledRule
from presidio_mx.find.grammar.rules import Rule
from presidio_mx.find.grammar.scan import Grammar
from presidio_mx.find.preset import Preset

_BRACKETS = re.compile(r"\[(.+?)\]", re.S)
_GUARDS = ("not_left", "not_right")


def bracketed(example: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of an example without brackets, and the spans they marked.

    :param example: For instance ``Tel. [443 312 4567]``.
    :return: Text and spans.
    """
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    position = size = 0
    for match in _BRACKETS.finditer(example):
        pieces.append(example[position : match.start()])
        size += match.start() - position
        spans.append((size, size + len(match[1])))
        pieces.append(match[1])
        size += len(match[1])
        position = match.end()
    pieces.append(example[position:])
    return "".join(pieces), spans


def examples_of(preset: Preset) -> Iterator[tuple[str, str, bool]]:
    """Yield (rule label, example, whether it must match) of every rule."""
    for compiled in preset.grammar.rules():
        for example in compiled.rule.match:
            yield compiled.label, example, True
        for example in compiled.rule.no_match:
            yield compiled.label, example, False


def example_problems(preset: Preset, rule: Rule) -> list[str]:
    """Return which examples of a rule do not hold.

    Each is read with the rules that run before, settled as in any note.

    :param preset: The preset that the rule was compiled into.
    :param rule: The rule.
    :return: One sentence a problem.
    """
    label = f"{Path(rule.file).name}#{rule.name}"
    problems = []
    for example in rule.match:
        text, spans = bracketed(example)
        found = preset.rule_findings(text, label)
        if [(f.start, f.end) for f in found] != spans:
            problems.append(
                f"{rule.file}: rule {rule.name}: example {example!r} is not matched "
                "as its brackets say"
            )
    for example in rule.no_match:
        if preset.rule_findings(example, label):
            problems.append(
                f"{rule.file}: rule {rule.name}: example {example!r} must not match"
            )
    return problems


def unguarded(preset: Preset) -> list[tuple[str, str]]:
    """Return the guards that no example needs: without them all examples hold.

    :param preset: A preset.
    :return: Pairs of a rule's label and ``not_left`` or ``not_right``.
    """
    return [
        (compiled.label, key)
        for compiled in preset.grammar.rules()
        for key in _GUARDS
        if getattr(compiled, key) and not _guards(preset, compiled, key)
    ]


def _guards(preset: Preset, compiled: CompiledRule, key: str) -> bool:
    """Tell whether some example of a rule fails without one of its guards."""
    dropped = replace(compiled, **{key: None})  # type: ignore[arg-type]
    grammar = Grammar(
        groups=[
            tuple(dropped if one is compiled else one for one in group)
            for group in preset.grammar.groups
        ],
        typos=preset.grammar.typos,
    )
    without = replace(preset, grammar=grammar)
    return bool(example_problems(without, compiled.rule))
