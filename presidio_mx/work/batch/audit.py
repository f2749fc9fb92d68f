"""What a run leaves behind: counts and hashes, nothing of any note."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from presidio_mx.errors import InputError
from presidio_mx.made_by import DIGITS, hash_of_folders, rules_hash, versions
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.settings import Settings, profile_of


@dataclass
class Totals:
    """Sums over all rows; read = written + failed + skipped.

    :param rows: Rows of the input.
    :param written: Rows that were de-identified and written.
    :param failed: Rows that failed; they stand as blanks in the output, or not at all.
    :param skipped: Records of the input that are empty, and no rows.
    :param notes: Notes that were de-identified.
    :param entities: Count by entity.
    :param operators: Count by operator.
    :param mended: Count of rows by what was mended in the letters of their notes.
    :param left_out: Count of files by what the new ones lack, e.g. comments.
    :param emptied: Cells that could not be generalised and are empty in the output.
    :param seconds: Time of the runs, interrupted ones included, as far as they count.
    """

    rows: int = 0
    written: int = 0
    failed: int = 0
    skipped: int = 0
    notes: int = 0
    entities: dict[str, int] = field(default_factory=dict)
    operators: dict[str, int] = field(default_factory=dict)
    mended: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    emptied: int = 0
    seconds: float = 0.0

    @property
    def read(self) -> int:
        """Records of the input."""
        return self.rows + self.skipped

    def add(self, done: Sequence[Done], written: int) -> None:
        """Count the rows of a chunk.

        :param done: What became of them.
        :param written: How many of them were written, those that failed not counted.
        """
        self.written += written
        for row in done:
            self.rows += 1
            self.failed += bool(row.problem)
            self.notes += sum(text is not None for text in row.texts)
            _count(self.entities, row.entities)
            _count(self.operators, row.operators)
            _count(self.mended, dict.fromkeys(row.mended, 1))
            _count(self.left_out, dict.fromkeys(row.left_out, 1))
            self.emptied += row.emptied

    def record(self) -> dict[str, Any]:
        """Return the sums as JSON can hold them."""
        return {"read": self.read, **asdict(self)}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Totals":
        """Return the sums that :meth:`record` wrote."""
        names = {each.name for each in fields(cls)}
        return cls(**{name: sum for name, sum in record.items() if name in names})


def reconcile(source: str | Path, totals: Totals, counted: int) -> None:
    """Stop if a record got lost between the input and the output.

    :param source: The input.
    :param totals: What became of its records.
    :param counted: How many it has, by a count of its own.
    :raises InputError: With the numbers.
    """
    if counted == totals.read == totals.written + totals.failed + totals.skipped:
        return
    raise InputError(
        f"{source}: has {counted:,} records, of which {totals.written:,} were written, "
        f"{totals.failed:,} failed and {totals.skipped:,} are empty; the counts must "
        "agree, so that nothing was put into place"
    )


def _count(sums: dict[str, int], more: Mapping[str, int]) -> None:
    for name, number in more.items():
        sums[name] = sums.get(name, 0) + number


def hash_of(value: Any) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a value written as JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def read_audit(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the first and the last record of an audit file.

    :param path: The file.
    :return: Of a complete run its ``run`` and its ``summary``; empty records where
        there is no such file or it is none.
    """
    first = last = b""
    try:
        with open(path, "rb") as file:
            for last in file:
                first = first or last
    except FileNotFoundError:
        pass
    return _record(first), _record(last)


def _record(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


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
        "rules": rules_hash(),
        "site": hash_of_folders(sites) if sites else "",
        "key": settings.key.derive("batch key check").hex()[:DIGITS]
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
        "sensitivity": settings.sensitivity,
        "ner": settings.ner,
        "timeout": settings.seconds,
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


def row_record(number: int, done: Done, place: int | None) -> dict[str, Any]:
    """Return the audit record of a row.

    :param number: Its running number in the input.
    :param done: What became of it.
    :param place: Its running number in the output; None if it is left out.
    :return: Counts and seconds.
    """
    record: dict[str, Any] = {"row": number, "output": place}
    record["seconds"] = round(done.seconds, 5)
    if done.problem:
        return record | {"failed": True}
    if done.mended:
        record["mended"] = list(done.mended)
    if done.left_out:
        record["left_out"] = dict(done.left_out)
    if done.risk is not None:
        record["risk"] = round(done.risk, 4)
    return record | {"entities": done.entities, "operators": done.operators}
