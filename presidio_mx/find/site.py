"""A site's own knowledge: lists, rules and settings that add to the shipped ones.

A site folder holds any of these::

    site.yaml             covered_states: [MN, GT]; settings of this hospital
    staff.txt             names of the staff, one a line
    places.txt            local places, one a line
    allow.txt             what is never marked, one a line; /…/ is a pattern
    deny.tsv              text <tab> entity: what is always marked
    recognizers/*.yaml    rules and triggers; a file with a shipped name adds to it
    gazetteers/*.tsv      rows for the shipped gazetteer of the same name
    operators/*.yaml      profiles
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.grammar.rules import Rule, RuleFile, read_rule_file
from presidio_mx.find.matching import Roster
from presidio_mx.find.site_lists import (
    entity_problems,
    gazetteer_problems,
    part_problems,
    pattern_of,
    read_denied,
    read_lines,
    read_list,
)
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.spanish.variants import variants
from presidio_mx.spanish.words import word_lists, words
from presidio_mx.yaml_file import read_yaml

VARIABLE = "PRESIDIO_MX_SITE"
"""Environment variable with the site folder of this machine."""

Stamp = tuple[tuple[str, int, int], ...]
_Part = TypeVar("_Part")

_SETTINGS = {"covered_states", "about"}
_KNOWN = {"site.yaml", "staff.txt", "places.txt", "allow.txt", "deny.tsv"}
_FOLDERS = {"recognizers", "gazetteers", "operators"}
_KNOWN |= _FOLDERS | {"README.md", "README.txt"}
LISTS = "lists"
"""What the rules of a site's lists are labelled with."""
_ORDER = 5
# What entries of staff.txt and places.txt are, in Mexican notes or in notes of Spain.
_STAFF = ("PERSON", "ES_NOMBRE_PERSONAL_SANITARIO")
_PLACES = ("LOCATION", "ES_TERRITORIO")


@dataclass(frozen=True, slots=True)
class Site:
    """What a site folder holds, read and checked.

    :param path: The folder.
    :param covered_states: CURP codes of the states whose places count everywhere;
        empty means all of Mexico.
    :param staff: Names of the staff.
    :param places: Local places.
    :param allow: Texts that are never marked.
    :param deny: Pairs of text and entity that are always marked.
    :param files: Rule files of the site.
    """

    path: Path
    covered_states: tuple[str, ...] = ()
    staff: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[tuple[str, str], ...] = ()
    files: tuple[RuleFile, ...] = ()

    @property
    def gazetteers(self) -> Path:
        """Folder with rows for shipped gazetteers; need not exist."""
        return self.path / "gazetteers"


def site_folder(site: Path | str | None = None) -> str | None:
    """Return the site folder in force.

    :param site: What the caller names; else ``PRESIDIO_MX_SITE`` says, the one setting
        that a stock server can pass without files of its own.
    :return: The folder as text, or None where there is none.
    """
    return str(site or "") or os.environ.get(VARIABLE) or None


def site_stamp(site: str | None) -> Stamp:
    """Return what tells one state of a site folder from another.

    A folder that somebody edited while a process runs is read anew by whoever asks for
    its rules next.

    :param site: The folder.
    :return: Name, time of change (nanoseconds) and size (bytes) of each file.
    """
    if site is None:
        return ()
    files = sorted(path for path in Path(site).rglob("*") if path.is_file())
    states = ((str(path), path.stat()) for path in files)
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in states)


def operator_folders(site: Path | str | None = None) -> tuple[Path, ...]:
    """Return the folders of a site's own profiles, for the anonymizer.

    :param site: As :func:`site_folder` takes it.
    """
    chosen = site_folder(site)
    return () if chosen is None else (Path(chosen) / "operators",)


def read_site(path: Path | str) -> Site:
    """Read and check a site folder.

    :param path: The folder.
    :return: Its content.
    :raises ConfigurationError: Naming each file, line or rule that is wrong, and why.
    """
    base = Path(path)
    if not base.is_dir():
        raise ConfigurationError(f"{base}: no such site folder")
    problems = [
        f"{entry}: unknown file; a site folder holds {', '.join(sorted(_KNOWN))}"
        for entry in sorted(base.iterdir())
        if entry.name not in _KNOWN and not entry.name.startswith(".")
    ]
    problems += part_problems(base, _FOLDERS)
    problems += gazetteer_problems(base / "gazetteers")

    def part(read: Callable[[Path], tuple[_Part, ...]], name: str) -> tuple[_Part, ...]:
        try:
            return read(base / name)
        except ConfigurationError as error:
            problems.extend(error.problems)
            return ()

    site = Site(
        path=base,
        covered_states=part(_states, "site.yaml"),
        staff=part(read_lines, "staff.txt"),
        places=part(read_lines, "places.txt"),
        allow=part(partial(read_lines, patterns=True), "allow.txt"),
        deny=part(read_denied, "deny.tsv"),
        files=tuple(
            file
            for path in sorted(base.glob("recognizers/*.yaml"))
            for file in part(_rule_file, f"recognizers/{path.name}")
        ),
    )
    if problems:
        raise ConfigurationError(*dict.fromkeys(problems))
    return site


def _rule_file(path: Path) -> tuple[RuleFile, ...]:
    return (read_rule_file(path),)


def _states(path: Path) -> tuple[str, ...]:
    """Return the states that the settings name, after a look at all settings."""
    settings = read_yaml(path, "'covered_states: [...]'") if read_list(path) else {}
    known = ", ".join(sorted(_SETTINGS))
    problems = [
        f"{path}: unknown setting {key!r}; known: {known}"
        for key in settings
        if key not in _SETTINGS
    ]
    codes = {row["code"] for row in read_table(folder("gazetteers") / "states.tsv")}
    chosen = settings.get("covered_states") or []
    if not isinstance(chosen, list):
        problems.append(f"{path}: covered_states takes a list: [MN, GT]")
        chosen = []
    problems += (
        f"{path}: unknown state {code!r} in covered_states; use CURP codes: "
        f"{', '.join(sorted(codes))}"
        for code in map(str, chosen)
        if code not in codes
    )
    if problems:
        raise ConfigurationError(*problems)
    return tuple(map(str, chosen))


def with_site(shipped: Sequence[RuleFile], site: Site) -> tuple[RuleFile, ...]:
    """Return the shipped rule files with a site's files and lists added.

    A site file with the name of a shipped one adds rules behind its rules and words to
    its lists; another file stands for itself.

    :param shipped: Rule files of a preset.
    :param site: The site.
    :return: All rule files in order.
    :raises ConfigurationError: If a site file changes a pattern into a list, or names
        an entity that the preset does not report.
    """
    entities = {rule.entity for file in shipped for rule in file.rules}
    problems = [
        problem
        for file in site.files
        for problem in entity_problems(
            file.path, [rule.entity for rule in file.rules], entities
        )
    ]
    if problems:
        raise ConfigurationError(*problems)
    own = {file.path.name: file for file in site.files}
    merged = [
        _merge(file, own.pop(file.path.name)) if file.path.name in own else file
        for file in shipped
    ]
    lists = _lists_file(site, sorted(entities))
    files = [*merged, *own.values(), lists]
    return tuple(sorted(files, key=lambda file: (file.order, file.path.name)))


def _merge(shipped: RuleFile, own: RuleFile) -> RuleFile:
    symbols: dict[str, tuple[str, ...] | str] = dict(shipped.symbols)
    for name, value in own.symbols.items():
        # Words are added to a list that all files share, too.
        old = symbols.get(name, word_lists().get(name))
        if isinstance(old, tuple) and isinstance(value, tuple):
            symbols[name] = (*old, *value)
        elif old is None or (isinstance(old, str) and isinstance(value, str)):
            symbols[name] = value
        else:
            raise ConfigurationError(
                f"{own.path}: symbol {name!r} is a list in one file and a pattern in "
                "the other; keep what the shipped file has"
            )
    return replace(
        shipped,
        symbols=symbols,
        rules=(*shipped.rules, *own.rules),
        settings={**shipped.settings, **own.settings},
    )


def _lists_file(site: Site, entities: Sequence[str]) -> RuleFile:
    """Return the lists of a site as a rule file, so that the grammar runs them.

    :param site: The site.
    :param entities: What the recognizers of the preset report; nothing else competes.
    """
    rules: list[Rule] = []
    symbols: dict[str, tuple[str, ...] | str] = {}

    def add(name: str, entries: Sequence[str], entity: str, **more: Any) -> None:
        if entries:
            # "any_": the entries are found in their usual spellings.
            symbols[f"any_{name}"] = tuple(entries)
            mark = "{any_" + name + "}"
            file = str(site.path / LISTS)
            rules.append(
                Rule(f"{name}_{entity}", entity, mark, score=1.0, file=file, **more)
            )

    add("places", site.places, _first(_PLACES, entities))
    denied = sorted({entity for _, entity in site.deny})
    problems = [*entity_problems(site.path / "deny.tsv", denied, entities)]
    if problems:
        raise ConfigurationError(*problems)
    for entity in denied:
        texts = [text for text, denied in site.deny if denied == entity]
        add(f"deny_{entity.lower()}", texts, entity)
    return RuleFile(
        entity="SITE",
        recognizer="",
        order=_ORDER,
        symbols=symbols,
        rules=tuple(rules),
        settings={},
        path=site.path / LISTS,
    )


def allow_pattern(site: Site) -> re.Pattern[str] | None:
    """Return what matches a text that a site never has marked, in folded text.

    :param site: The site.
    :return: A pattern; None where the site allows nothing.
    """
    patterns = [pattern_of(entry) for entry in site.allow if pattern_of(entry)]
    texts = [entry for entry in site.allow if not pattern_of(entry)]
    spelt = {spelling for entry in texts for spelling in variants(entry)}
    if not (spelt or patterns):
        return None
    ordered = sorted(spelt, key=lambda entry: (-len(entry), entry))
    entries = "|".join(
        [
            *(f"(?:{pattern})" for pattern in patterns),
            *(re.escape(e).replace(r"\ ", r"[ /,.-]{1,3}") for e in ordered),
        ]
    )
    return re.compile(rf"(?<![^\W_])(?:{entries})(?![^\W_])")


def staff_roster(site: Site, files: Iterable[RuleFile]) -> tuple[Roster, str] | None:
    """Return a site's list of staff, with the entity that a preset gives its names.

    :param site: The site.
    :param files: The rule files of the preset.
    """
    if not site.staff:
        return None
    entities = sorted({rule.entity for file in files for rule in file.rules})
    return Roster.of(site.staff, words("title_proposed")), _first(_STAFF, entities)


def _first(names: Iterable[str], entities: Sequence[str]) -> str:
    return next(name for name in names if name in entities)
