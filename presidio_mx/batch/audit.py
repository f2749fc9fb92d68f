"""What a run leaves behind: counts and hashes, nothing of any note."""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from presidio_mx.batch.columns import Columns
from presidio_mx.batch.work import Done, Settings, profile_of
from presidio_mx.resources import folder

_PACKAGES = ("presidio-mx", "presidio-analyzer", "presidio-anonymizer", "faker")
_RULES = ("recognizers", "gazetteers")
_DIGITS = 16


@dataclass
class Totals:
    """Sums over all rows.

    :param rows: Rows of the input.
    :param failed: Rows that failed.
    :param notes: Notes that were de-identified.
    :param entities: Count by entity.
    :param operators: Count by operator.
    :param seconds: Time of the runs, interrupted ones included, as far as they count.
    """

    rows: int = 0
    failed: int = 0
    notes: int = 0
    entities: dict[str, int] = field(default_factory=dict)
    operators: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, done: Sequence[Done]) -> None:
        """Count the rows of a chunk.

        :param done: What became of them.
        """
        for row in done:
            self.rows += 1
            self.failed += bool(row.problem)
            self.notes += sum(text is not None for text in row.texts)
            _count(self.entities, row.entities)
            _count(self.operators, row.operators)

    def record(self) -> dict[str, Any]:
        """Return the sums as JSON can hold them."""
        return asdict(self)


def _count(sums: dict[str, int], more: Mapping[str, int]) -> None:
    for name, number in more.items():
        sums[name] = sums.get(name, 0) + number


def versions() -> dict[str, str]:
    """Return the versions of the packages that decide the output."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def hash_of(value: Any) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a value written as JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def hash_of_folders(folders: Sequence[Path]) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of all files of some folders.

    :param folders: The folders; names and content of the files in them count.
    :return: The digits.
    """
    digest = hashlib.sha256()
    for place in folders:
        for path in sorted(_data_files(place)):
            name = path.relative_to(place).as_posix()
            data = path.read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode())
            digest.update(data)
    return digest.hexdigest()[:_DIGITS]


def _data_files(place: Path) -> Iterator[Path]:
    for path in place.rglob("*"):
        if path.suffix in (".yaml", ".tsv", ".txt") and path.is_file():
            yield path


def hashes(settings: Settings) -> dict[str, str]:
    """Return hashes of all that decides the output beside the notes.

    :param settings: How the rows are de-identified.
    :return: Hashes of profile, rules, site and key; the last is keyed, so that nobody
        can find the key by it.
    """
    profile = profile_of(settings)
    specs = {**profile.operators, "DEFAULT": profile.default}
    sites = [] if settings.site is None else [Path(settings.site)]
    return {
        "profile": hash_of(
            {name: (spec.operator, dict(spec.params)) for name, spec in specs.items()}
        ),
        "rules": hash_of_folders([folder(name) for name in _RULES]),
        "site": hash_of_folders(sites) if sites else "",
        "key": settings.key.derive("batch key check").hex()[:_DIGITS]
        if settings.key
        else "",
    }


def header(settings: Settings, columns: Columns, kind: str) -> dict[str, Any]:
    """Return the first record of an audit file.

    :param settings: How the rows are de-identified.
    :param columns: What the columns are for.
    :param kind: Format of input and output.
    :return: Versions, hashes and options.
    """
    operators = settings.operators
    return {
        "kind": "run",
        "format": kind,
        "versions": versions(),
        "hashes": hashes(settings),
        "profile": str(operators) if isinstance(operators, str | Path) else "custom",
        "people": settings.people,
        "preset": settings.preset,
        "ner": settings.ner,
        "scope": "corpus"
        if settings.corpus
        else ("patient" if columns.id is not None else "document"),
        "columns": {
            "text": list(columns.text),
            "known": dict(columns.known),
            "known_as": columns.known_as,
            "id": columns.id,
            "id_as": columns.id_as,
            "keep": list(columns.keep),
            "drop": list(columns.drop),
        },
    }


def row_record(number: int, done: Done) -> dict[str, Any]:
    """Return the audit record of a row.

    :param number: Its running number.
    :param done: What became of it.
    :return: Counts and seconds.
    """
    record: dict[str, Any] = {"row": number, "seconds": round(done.seconds, 5)}
    if done.problem:
        return record | {"failed": True}
    return record | {"entities": done.entities, "operators": done.operators}
