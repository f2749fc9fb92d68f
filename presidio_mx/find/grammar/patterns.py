"""Turn the patterns of rules, with their symbols, into regular expressions."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

from presidio_mx.errors import ConfigurationError
from presidio_mx.spanish.variants import variants
from presidio_mx.text.folding import fold_key

Symbols = Mapping[str, tuple[str, ...] | str]

# Lists whose entries are matched in their usual spellings: see variants.py.
VARIANT_PREFIX = "any_"
_SYMBOL = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_DEPTH = 8
_LONG = 2000


def alternation(entries: Iterable[str], loose: bool = False) -> str:
    """Return a regular expression that matches any of the entries, longest first.

    The expression is a trie, so that matching costs the length of the word and not the
    number of entries. A blank in an entry matches any white space of up to three
    characters, and a full stop matches whether or not it is typed.

    :param entries: Words or phrases; they are folded.
    :param loose: Whether a blank also matches hyphen, slash, comma and full stop.
    :return: A group without a name, closed by "no letter or digit of the kind may
        follow".
    """
    return _alternation(tuple(entries), loose)


@lru_cache(maxsize=1024)
def _alternation(entries: tuple[str, ...], loose: bool) -> str:
    trie: dict[str, dict[str, object]] = {}
    for entry in entries:
        node = trie
        for unit in _units(fold_key(entry), loose):
            node = node.setdefault(unit, {})  # type: ignore[assignment]
        node[""] = {}
    return f"(?:{_trie_pattern(trie)})(?![^\\W\\d_])(?<!\\d(?=\\d))"


def _units(key: str, loose: bool) -> list[str]:
    blank = r"[\s.,/#-]{1,4}" if loose else r"\s{1,3}"
    units = []
    for character in key:
        if character == " ":
            units.append(blank)
        elif character == ".":
            units.append(r"\.?")
        else:
            units.append(re.escape(character))
    return units


def _trie_pattern(node: Mapping[str, object]) -> str:
    branches = []
    for unit, child in node.items():
        if unit:
            assert isinstance(child, dict)
            branches.append(unit + _trie_pattern(child))
    if not branches:
        return ""
    # An optional full stop tried first would hide the longer entry behind it.
    branches.sort(key=lambda branch: branch.startswith(r"\.?"))
    body = branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
    if "" in node:
        return f"(?:{body})?"
    return body


def words_of(name: str, symbols: Symbols) -> tuple[str, ...] | None:
    """Return the entries of a list symbol, lists it names included.

    Entries of a list whose name begins with ``any_`` stand for their usual spellings.

    :param name: A symbol.
    :param symbols: All symbols in reach.
    :return: The entries, or ``None`` for a symbol that is a pattern.
    :raises ConfigurationError: If a symbol is unknown or names itself.
    """
    return _words_of(name, symbols, _DEPTH)


def _words_of(name: str, symbols: Symbols, depth: int) -> tuple[str, ...] | None:
    value = _symbol(name, symbols)
    if isinstance(value, str):
        return None
    if depth == 0:
        raise ConfigurationError(f"symbol {{{name}}} names itself")
    entries: list[str] = []
    for entry in value:
        inner = _SYMBOL.fullmatch(entry)
        if inner:
            more = _words_of(inner[1], symbols, depth - 1)
            if more is None:
                raise ConfigurationError(
                    f"symbol {{{name}}} is a list and names {entry}, which is a pattern"
                )
            entries.extend(more)
        elif name.startswith(VARIANT_PREFIX):
            entries.extend(variants(entry))
        else:
            entries.append(entry)
    return tuple(entries)


def _symbol(name: str, symbols: Symbols) -> tuple[str, ...] | str:
    try:
        return symbols[name]
    except KeyError:
        near = get_close_matches(name, symbols, n=1)
        guess = f"; did you mean {{{near[0]}}}?" if near else ""
        raise ConfigurationError(f"unknown symbol {{{name}}}{guess}") from None


def expand(pattern: str, symbols: Symbols) -> str:
    """Replace every ``{symbol}`` of a pattern by what it stands for.

    :param pattern: A pattern of a rule.
    :param symbols: All symbols in reach.
    :return: A regular expression.
    :raises ConfigurationError: If a symbol is unknown or names itself.
    """
    return _expand(pattern, symbols, _DEPTH)


def _expand(pattern: str, symbols: Symbols, depth: int) -> str:
    def replace(match: re.Match[str]) -> str:
        name = match[1]
        value = _symbol(name, symbols)
        if depth == 0:
            raise ConfigurationError(f"symbol {{{name}}} names itself")
        if isinstance(value, str):
            return f"(?:{_expand(value, symbols, depth - 1)})"
        words = _words_of(name, symbols, depth)
        assert words is not None
        return alternation(words, loose=name.startswith(VARIANT_PREFIX))

    return _SYMBOL.sub(replace, pattern)


class LongList:
    """A list too long for one expression: one is made for the words that are met.

    :param entries: Its entries, as :func:`words_of` returns them.
    :param loose: As :func:`alternation` takes it.
    """

    groupindex: Mapping[str, int] = {}

    def __init__(self, entries: Iterable[str], loose: bool) -> None:
        """Sort the entries by their first two words."""
        self._loose = loose
        self._entries: dict[str, dict[str, list[str]]] = {}
        self._made: dict[tuple[str, str], re.Pattern[str]] = {}
        for entry in entries:
            first, second = (*_WORD.findall(fold_key(entry))[:2], "", "")[:2]
            self._entries.setdefault(first, {}).setdefault(second, []).append(entry)

    def match(self, text: str, start: int) -> re.Match[str] | None:
        """Match at an offset, where a word begins, as a pattern does."""
        words = [m[0] for m in islice(_WORD.finditer(text, start), 2)]
        first, second = (*words, "", "")[:2]
        found = self._entries.get(first)
        if found is None:
            return None
        if second not in found:
            second = ""
        key = first, second
        if key not in self._made:
            entries = found.get("", []) + (found.get(second, []) if second else [])
            self._made[key] = re.compile(alternation(entries, self._loose))
        return self._made[key].match(text, start)


def long_list(pattern: str, symbols: Symbols) -> tuple[str, ...]:
    """Return the entries, if a pattern is one list and has very many of them.

    :param pattern: A pattern of a rule.
    :param symbols: All symbols in reach.
    """
    symbol = _SYMBOL.fullmatch(pattern)
    value = symbols.get(symbol[1], "") if symbol else ""
    if symbol is None or isinstance(value, str) or len(value) < _LONG:
        return ()
    return words_of(symbol[1], symbols) or ()


def compile_pattern(pattern: str, symbols: Symbols) -> re.Pattern[str]:
    """Expand and compile a pattern.

    :param pattern: A pattern of a rule.
    :param symbols: All symbols in reach.
    :return: The compiled expression.
    :raises ConfigurationError: If the pattern is not a regular expression.
    """
    expression = expand(pattern, symbols)
    try:
        return re.compile(expression)
    except (re.error, OverflowError) as error:
        raise ConfigurationError(f"pattern {pattern!r}: {error}") from None
    except RecursionError:
        raise ConfigurationError(
            "a pattern has too many groups, one inside another; write fewer"
        ) from None
