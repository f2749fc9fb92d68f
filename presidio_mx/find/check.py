"""Validate a site's own lists and rules before anybody relies on them."""

import re
from collections.abc import Iterator
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.examples import example_problems
from presidio_mx.find.grammar.rules import RuleFile
from presidio_mx.find.grammar.validate import PATTERN_KEYS
from presidio_mx.find.preset import load_preset, rule_files
from presidio_mx.find.site import read_site
from presidio_mx.find.site_lists import entity_problems, read_denied

_SYMBOL = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


def check_site(path: Path | str, preset: str = "mx") -> list[str]:
    """Return all that is wrong with a site folder.

    Files, lists and rules must be well formed, symbols used, and the examples of the
    site's rules must hold.

    :param path: The folder.
    :param preset: The preset it adds to.
    :return: One sentence a problem, naming file, line or rule; empty if all is well.
    """
    problems: list[str] = []
    try:
        site = read_site(path)
        compiled = load_preset(preset, str(path))
    except ConfigurationError as error:
        return list(dict.fromkeys([*error.problems, *_denied(Path(path), preset)]))
    shipped = {file.path.name: file for file in rule_files(preset)}
    for file in site.files:
        problems += unused_symbols(file, shipped.get(file.path.name))
        for rule in file.rules:
            problems += example_problems(compiled, rule)
    return problems


def _denied(path: Path, preset: str) -> Iterator[str]:
    """Yield unknown entities of a folder that is wrong elsewhere, too."""
    file = path / "deny.tsv"
    entities = {rule.entity for each in rule_files(preset) for rule in each.rules}
    try:
        named = [entity for _, entity in read_denied(file)]
        yield from entity_problems(file, named, entities)
    except ConfigurationError:
        return  # said already


def unused_symbols(file: RuleFile, shipped: RuleFile | None = None) -> Iterator[str]:
    """Yield the symbols of a file that no pattern of it uses.

    :param file: The rule file.
    :param shipped: The shipped file it adds to, whose symbols it may extend.
    """
    known = set(shipped.symbols) if shipped else set()
    used = used_symbols(file)
    for name in file.symbols:
        if name not in used | known:
            yield (
                f"{file.path}: no rule uses symbol {{{name}}}; write it in a pattern "
                "or leave it out"
            )


def used_symbols(file: RuleFile) -> set[str]:
    """Return the symbols that the patterns of a file use, directly or in a chain.

    :param file: The rule file.
    """
    patterns = [getattr(rule, key) for rule in file.rules for key in PATTERN_KEYS]
    waiting = [name for pattern in patterns for name in _SYMBOL.findall(pattern)]
    used: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in used:
            continue
        used.add(name)
        value = file.symbols.get(name, ())
        for entry in [value] if isinstance(value, str) else value:
            waiting += _SYMBOL.findall(entry)
    return used
