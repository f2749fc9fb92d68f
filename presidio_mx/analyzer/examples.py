"""The examples of rules: what must be marked stands in square brackets."""

import re
from collections.abc import Iterator

from presidio_mx.analyzer.preset import Preset

_BRACKETS = re.compile(r"\[(.+?)\]", re.S)


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
    for group in preset.grammar.groups:
        for compiled in group:
            for example in compiled.rule.match:
                yield compiled.label, example, True
            for example in compiled.rule.no_match:
                yield compiled.label, example, False
