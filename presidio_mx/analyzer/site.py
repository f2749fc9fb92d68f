"""A site's own knowledge: lists, rules and settings that add to the shipped ones.

A site folder holds any of these::

    site.yaml             covered_states: [MN, GT]; settings of this hospital
    staff.txt             names of the staff, one a line
    places.txt            local places, one a line
    allow.txt             what is never marked, one a line
    deny.tsv              text <tab> entity: what is always marked
    recognizers/*.yaml    rules and triggers; a file with a shipped name adds to it
    gazetteers/*.tsv      rows for the shipped gazetteer of the same name
    operators/*.yaml      profiles
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.analyzer.grammar.rules import Rule, RuleFile, read_rule_file
from presidio_mx.analyzer.matching import Roster
from presidio_mx.errors import ConfigurationError
from presidio_mx.folding import fold_key
from presidio_mx.gazetteer import read_cells, read_table
from presidio_mx.resources import folder
from presidio_mx.words import word_lists, words

VARIABLE = "PRESIDIO_MX_SITE"
"""Environment variable with the site folder of this machine."""

Stamp = tuple[tuple[str, int, int], ...]

_SETTINGS = {"covered_states", "about"}
_KNOWN = {"site.yaml", "staff.txt", "places.txt", "allow.txt", "deny.tsv"}
_KNOWN |= {"recognizers", "gazetteers", "operators", "README.md", "README.txt"}
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
    :raises ConfigurationError: Naming file, line or rule, and reason.
    """
    base = Path(path)
    if not base.is_dir():
        raise ConfigurationError(f"{base}: no such site folder")
    for entry in sorted(base.iterdir()):
        if entry.name not in _KNOWN and not entry.name.startswith("."):
            raise ConfigurationError(
                f"{entry}: unknown file; a site folder holds "
                f"{', '.join(sorted(_KNOWN))}"
            )
    _check_gazetteers(base / "gazetteers")
    deny = base / "deny.tsv"
    settings = _settings(base / "site.yaml")
    return Site(
        path=base,
        covered_states=_states(base / "site.yaml", settings),
        staff=_lines(base / "staff.txt"),
        places=_lines(base / "places.txt"),
        allow=_lines(base / "allow.txt"),
        deny=_denied(deny) if deny.is_file() else (),
        files=tuple(
            read_rule_file(file) for file in sorted(base.glob("recognizers/*.yaml"))
        ),
    )


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise ConfigurationError(f"{path}{where}: not valid YAML in UTF-8") from None
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: expected 'covered_states: [...]'")
    for key in data:
        if key not in _SETTINGS:
            raise ConfigurationError(
                f"{path}: unknown setting {key!r}; known: "
                f"{', '.join(sorted(_SETTINGS))}"
            )
    return data


def _states(path: Path, settings: dict[str, Any]) -> tuple[str, ...]:
    codes = {row["code"] for row in read_table(folder("gazetteers") / "states.tsv")}
    chosen = tuple(str(code) for code in settings.get("covered_states") or ())
    for code in chosen:
        if code not in codes:
            raise ConfigurationError(
                f"{path}: unknown state {code!r} in covered_states; use CURP codes: "
                f"{', '.join(sorted(codes))}"
            )
    return chosen


def _lines(path: Path) -> tuple[str, ...]:
    """Return the entries of a list file; ``#`` begins a comment line."""
    if not path.is_file():
        return ()
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8; save it as UTF-8") from None
    entries = []
    for number, line in enumerate(lines, start=1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if not fold_key(entry)[:1].isalnum():
            raise ConfigurationError(
                f"{path}, line {number}: an entry must begin with a letter or digit"
            )
        entries.append(entry)
    return tuple(entries)


def _denied(path: Path) -> tuple[tuple[str, str], ...]:
    pairs = []
    header = next(read_cells(path), [])
    if sorted(header) != ["entity", "text"]:
        raise ConfigurationError(
            f"{path}: the columns must be text and entity, named in its first line"
        )
    for number, row in enumerate(read_table(path), start=1):
        if not row["text"] or not row["entity"]:
            raise ConfigurationError(f"{path}, entry {number}: text and entity needed")
        pairs.append((row["text"], row["entity"]))
    return tuple(pairs)


def _check_gazetteers(path: Path) -> None:
    shipped = {file.name for file in folder("gazetteers").glob("*.tsv")}
    for file in sorted(path.glob("*")):
        if file.name not in shipped:
            raise ConfigurationError(
                f"{file}: no shipped gazetteer has this name; there are "
                f"{', '.join(sorted(shipped))}"
            )
        header = next(read_table(folder("gazetteers") / file.name)).keys()
        for row in read_table(file):
            if row.keys() != header:
                raise ConfigurationError(
                    f"{file}: the columns must be {', '.join(header)}"
                )
            break


def with_site(shipped: Sequence[RuleFile], site: Site) -> tuple[RuleFile, ...]:
    """Return the shipped rule files with a site's files and lists added.

    A site file with the name of a shipped one adds rules behind its rules and words to
    its lists; another file stands for itself.

    :param shipped: Rule files of a preset.
    :param site: The site.
    :return: All rule files in order.
    :raises ConfigurationError: If a site file changes a pattern into a list.
    """
    own = {file.path.name: file for file in site.files}
    merged = [
        _merge(file, own.pop(file.path.name)) if file.path.name in own else file
        for file in shipped
    ]
    entities = {rule.entity for file in shipped for rule in file.rules}
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
            file = str(site.path / "lists")
            rules.append(
                Rule(f"{name}_{entity}", entity, mark, score=1.0, file=file, **more)
            )

    for entity in entities:
        add("allow", site.allow, entity, stage="block")
    add("places", site.places, _first(_PLACES, entities))
    for entity in sorted({entity for _, entity in site.deny}):
        if entity not in entities:
            raise ConfigurationError(
                f"{site.path / 'deny.tsv'}: unknown entity {entity!r}; there are "
                f"{', '.join(entities)}"
            )
        texts = [text for text, denied in site.deny if denied == entity]
        add(f"deny_{entity.lower()}", texts, entity)
    return RuleFile(
        entity="SITE",
        recognizer="",
        order=_ORDER,
        symbols=symbols,
        rules=tuple(rules),
        settings={},
        path=site.path / "lists",
    )


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
