"""Where rules may apply in a note, and whether the note has what they need."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from presidio_mx.find.grammar.compile import CompiledRule
from presidio_mx.find.grammar.heads import matches_at

# The text and the pattern that a note must have for a rule.
Need = tuple[str, re.Pattern[str] | None]


class Places(NamedTuple):
    """Where the rules whose beginnings are known may apply in a note.

    :param words: Indices of words by the number of the rule.
    :param meant: By index of a misspelt word, the trigger that it was meant to be.
    :param heads: Offsets of each of its heads by the number of the rule.
    :param met: Whether the note has what rules need, once that was asked.
    """

    words: dict[int, list[int]]
    meant: dict[int, str]
    heads: dict[int, list[list[int]]]
    met: dict[Need, bool]


# Numbers of rules by what they need: what several rules need is looked for once.
Needs = dict[Need, list[int]]


def having(rules: Needs, folded: str) -> list[int]:
    """Return the numbers of the rules whose needs a note meets."""
    return [
        number
        for need, numbers in rules.items()
        if meets(folded, need)
        for number in numbers
    ]


def meets(folded: str, need: Need) -> bool:
    """Tell whether a note has what a rule needs."""
    literal, pattern = need
    return (not literal or literal in folded) and (
        pattern is None or pattern.search(folded) is not None
    )


def found_by(
    compiled: CompiledRule, folded: str, places: Places, number: int
) -> Iterable[re.Match[str]]:
    """Return where what a rule searches for stands, if the note has what it needs.

    Where only few places come into question, what is rarely found is tried first.
    """
    searched = compiled.left or compiled.mark
    assert isinstance(searched, re.Pattern)
    if not compiled.heads:
        return searched.finditer(folded)
    matches: Sequence[re.Match[str]] = ()
    if compiled.begun:
        matches = list(matches_at(searched, folded, places.heads[number]))
        if not matches:
            return ()
    need = compiled.need
    if need not in places.met:
        places.met[need] = meets(folded, need)
    if not places.met[need]:
        return ()
    return matches or searched.finditer(folded)
