"""The lists of a site's folder; an entry that could not work is refused."""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.grammar.lint import pattern_problems
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_cells, read_table
from presidio_mx.text.folding import fold_key
from presidio_mx.yaml_file import read_text

# Controls and what only steers the display: notes are read without them.
_UNSEEN = ("Cc", "Cf")
# Letters and digits of an entry: each "M" of a note is nobody's place.
_FEWEST = 2
_COLUMNS = ["entity", "text"]


def read_list(path: Path) -> str:
    """Return the text of a list, however long; empty where there is none.

    :param path: The file.
    :raises ConfigurationError: If it is no file, not UTF-8 or cannot be read.
    """
    return read_text(path, math.inf) if path.exists() else ""


def read_lines(path: Path, patterns: bool = False) -> tuple[str, ...]:
    """Return the entries of a list file; ``#`` begins a comment line.

    :param path: The file; need not exist.
    :param patterns: Whether an entry between slashes is a regular expression.
    :raises ConfigurationError: Naming every line that could not be found in a note.
    """
    entries, problems = [], []
    for number, line in enumerate(read_list(path).splitlines(), start=1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        expression = pattern_of(entry) if patterns else ""
        problem = _unfit(expression) if expression else entry_problem(entry)
        if problem:
            problems.append(f"{path}, line {number}: {problem}")
        entries.append(entry)
    if problems:
        raise ConfigurationError(*problems)
    return tuple(entries)


def entry_problem(entry: str) -> str:
    """Return why an entry cannot be one; empty if it can.

    :param entry: An entry of a list.
    """
    if any(unicodedata.category(char) in _UNSEEN for char in entry):
        return "an invisible character in an entry; type the entry anew"
    key = fold_key(entry)
    if not key[:1].isalnum():
        return "an entry must begin with a letter or digit"
    if sum(map(str.isalnum, key)) < _FEWEST:
        return "an entry of one letter or digit would be found everywhere; write more"
    return ""


def pattern_of(entry: str) -> str:
    """Return the regular expression that stands between two slashes, or nothing.

    :param entry: An entry of a list.
    """
    slashes = len(entry) > 2 and entry[0] == entry[-1] == "/"
    return entry[1:-1] if slashes else ""


def _unfit(expression: str) -> str:
    """Return why a regular expression cannot stand in a list; empty if it can."""
    for problem in pattern_problems(expression):
        return problem
    compiled = re.compile(expression)
    if compiled.groups or compiled.flags != re.UNICODE:
        return "a group is written (?:…) here, without a name and without flags"
    if compiled.match(""):
        return "this pattern matches an empty text; let it have a letter or digit"
    return ""


def read_denied(path: Path) -> tuple[tuple[str, str], ...]:
    """Return the pairs of text and entity of ``deny.tsv``.

    :param path: The file; need not exist.
    :raises ConfigurationError: Naming every entry that is wrong.
    """
    if not read_list(path):
        return ()
    header = next(read_cells(path), [])
    if sorted(header) != _COLUMNS:
        raise ConfigurationError(
            f"{path}: the columns must be text and entity, named in its first line"
        )
    pairs, problems = [], []
    for number, row in enumerate(read_table(path), start=1):
        problem = entry_problem(row["text"] or "-")
        if not row["text"] or not row["entity"]:
            problem = "text and entity needed"
        if problem:
            problems.append(f"{path}, entry {number}: {problem}")
        pairs.append((row["text"], row["entity"]))
    if problems:
        raise ConfigurationError(*problems)
    return tuple(pairs)


def entity_problems(
    path: Path, named: Iterable[str], entities: Iterable[str]
) -> Iterator[str]:
    """Yield the entities of a site's file that no recognizer of the preset reports.

    What such an entry or rule finds would be dropped, and nobody would notice.

    :param path: The file.
    :param named: The entities that it names.
    :param entities: What the recognizers report.
    """
    known = sorted(entities)
    for entity in sorted(set(named).difference(known)):
        yield f"{path}: unknown entity {entity!r}; there are {', '.join(known)}"


def gazetteer_problems(place: Path) -> Iterator[str]:
    """Yield what is wrong with a site's rows for shipped gazetteers.

    :param place: The folder of its files; need not exist.
    """
    if not place.exists():
        return
    if not place.is_dir():
        yield f"{place}: must be a folder"
        return
    shipped = {file.name for file in folder("gazetteers").glob("*.tsv")}
    for file in sorted(place.glob("*")):
        if file.name not in shipped:
            yield (
                f"{file}: no shipped gazetteer has this name; there are "
                f"{', '.join(sorted(shipped))}"
            )
            continue
        try:
            yield from _row_problems(file)
        except ConfigurationError as error:
            yield from error.problems


def _row_problems(file: Path) -> Iterator[str]:
    """Yield rows of which the program could make nothing."""
    model = next(read_table(folder("gazetteers") / file.name))
    numbers = [name for name, value in model.items() if _number(value)]
    read_list(file)
    if sorted(next(read_cells(file), model)) != sorted(model):
        yield f"{file}: the columns must be {', '.join(model)}"
        return
    for place, row in enumerate(read_table(file), start=1):
        if not row[next(iter(model))]:
            yield f"{file}, entry {place}: its first cell is empty"
        for name in numbers:
            if row[name] and not _number(row[name]):
                yield f"{file}, entry {place}: {name} must be a number"


def _number(value: str) -> bool:
    return value.isdecimal() and value.isascii()


def part_problems(base: Path, folders: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a site's folder that are a folder, or a file, by mistake.

    :param base: The site's folder.
    :param folders: Names of those parts that must be folders.
    """
    for part in sorted(base.iterdir()):
        wanted = part.name in folders
        right = part.is_dir() if wanted else part.is_file()
        if part.name.startswith(".") or right:
            continue
        yield f"{part}: must be a {'folder' if wanted else 'file'}"
