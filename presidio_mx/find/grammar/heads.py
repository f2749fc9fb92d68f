"""How the text that a pattern matches may begin, to be looked up and not searched for.

One pass over a note looks up every three characters of it; a rule is then tried at the
few places where it may begin. A search would try it at every character.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, product
from re import _constants as kind  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Heads = frozenset[str]

# Characters of a head.
_SIZE = 3
# A pattern with more heads may begin at any word, and is searched for.
_MOST = 700
_REPEATS = (kind.MAX_REPEAT, kind.MIN_REPEAT, kind.POSSESSIVE_REPEAT)
_ZERO_WIDTH = (kind.AT, kind.ASSERT, kind.ASSERT_NOT)
_DIGIT = re.compile(r"\d")
# All digits are one in a head, all white space of a folded note is this.
_ANY_DIGIT, _BLANKS = "0", " \t\r\n"
_EMPTY: Heads = frozenset(("",))


def heads_of(expression: str) -> Heads:
    """Return the three characters with which all that a pattern matches begins.

    :param expression: A regular expression without symbols, which compiles.
    :return: The heads, each digit as 0; none if there are too many, or if what the
        pattern matches may be shorter.
    """
    parsed = _parser.parse(expression)
    heads = None if parsed.state.flags & re.IGNORECASE else _sequence(parsed)
    known = heads is not None and all(len(head) == _SIZE for head in heads)
    return heads if heads and known else frozenset()


def places_of_heads(
    folded: str, rules: Mapping[str, Sequence[int]]
) -> dict[int, list[list[int]]]:
    """Return where rules may begin in a note.

    :param folded: The folded note.
    :param rules: Numbers of rules by their heads.
    :return: By the number of a rule, the offsets of each of its heads, ascending.
    """
    shape = _DIGIT.sub(_ANY_DIGIT, folded)
    # Most heads are of no rule: no line of Python runs for them.
    heads = list(map("".join, zip(shape, shape[1:], shape[2:], strict=False)))
    offsets: dict[str, list[int]] = {}
    for at in compress(range(len(heads)), map(rules.__contains__, heads)):
        offsets.setdefault(heads[at], []).append(at)
    places: dict[int, list[list[int]]] = {}
    for head, found in offsets.items():
        for number in rules[head]:
            places.setdefault(number, []).append(found)
    return places


def matches_at(
    pattern: re.Pattern[str], folded: str, places: Sequence[list[int]]
) -> Iterator[re.Match[str]]:
    """Yield what ``finditer`` would, where all places a match may begin are known.

    :param pattern: The pattern.
    :param folded: The folded note.
    :param places: The places of each head, ascending.
    """
    last = 0
    for place in sorted(chain.from_iterable(places)) if places[1:] else places[0]:
        if place >= last:
            match = pattern.match(folded, place)
            if match:
                last = match.end()
                yield match


def _sequence(items: Iterable[Any]) -> Heads | None:
    """Return the beginnings of what parts match one after the other; None: any."""
    heads = _EMPTY
    for code, value in items:
        if all(len(head) == _SIZE for head in heads):
            break
        more = _part(code, value)
        if more is None:
            return None
        heads = _joined(heads, more)
        if len(heads) > _MOST:
            return None
    return heads


def _joined(heads: Heads, more: Heads) -> Heads:
    return frozenset((a + b)[:_SIZE] for a, b in product(heads, more))


def _part(code: Any, value: Any) -> Heads | None:
    """Return the beginnings of what one part of a pattern matches."""
    if code is kind.LITERAL:
        return frozenset((_shape(chr(value)),))
    if code is kind.IN:
        return _class(value)
    if code is kind.SUBPATTERN:
        return None if value[1] & re.IGNORECASE else _sequence(value[-1])
    if code is kind.ATOMIC_GROUP:
        return _sequence(value)
    if code is kind.BRANCH:
        return _union(map(_sequence, value[1]))
    if code in _ZERO_WIDTH:
        return _EMPTY
    if code in _REPEATS:
        return _repeated(*value)
    return None


def _repeated(least: int, most: int, items: Any) -> Heads | None:
    once = _sequence(items)
    if once is None:
        return None
    heads, found = _EMPTY, set(_EMPTY if least == 0 else ())
    for times in range(1, min(most, _SIZE) + 1):
        heads = _joined(heads, once)
        if len(heads) > _MOST:
            return None
        if times >= least or times == _SIZE:
            found |= heads
    return frozenset(found)


def _union(branches: Iterable[Heads | None]) -> Heads | None:
    found: set[str] = set()
    for branch in branches:
        if branch is None:
            return None
        found |= branch
    return frozenset(found)


def _class(members: Any) -> Heads | None:
    """Return the characters of a class; None if they cannot be counted."""
    found: set[str] = set()
    for code, value in members:
        if code is kind.LITERAL:
            found.add(_shape(chr(value)))
        elif code is kind.RANGE and value[1] - value[0] < _MOST:
            found.update(map(_shape, map(chr, range(value[0], value[1] + 1))))
        elif code is kind.CATEGORY and value is kind.CATEGORY_DIGIT:
            found.add(_ANY_DIGIT)
        elif code is kind.CATEGORY and value is kind.CATEGORY_SPACE:
            found.update(_BLANKS)
        else:
            return None
    return frozenset(found)


def _shape(character: str) -> str:
    return _ANY_DIGIT if character.isdecimal() else character
