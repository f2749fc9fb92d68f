"""What a batch run is told to do, and what a complete one says."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, get_args

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.decide import least_probability
from presidio_mx.find.ner.choose import resolved
from presidio_mx.pipeline import check_people
from presidio_mx.replace.keys import find_key
from presidio_mx.time_limit import check_limit
from presidio_mx.work.batch.audit import Totals, hash_of, hash_of_input
from presidio_mx.work.batch.chunk import OnError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import beside
from presidio_mx.work.batch.formats import Reading
from presidio_mx.work.batch.settings import Settings, profile_of


class Listener(Protocol):
    """Who wants to know how a run goes on."""

    def said(self, sentence: str) -> None:
        """Hear a sentence for the user."""
        ...

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        """Hear that work begins.

        :param total: Of the input, in its unit; None if it is not known.
        :param done: Of it, done by the interrupted run.
        :param unit: The unit: ``rows`` or ``bytes``.
        """
        ...

    def went_on(self, rows: int, position: int) -> None:
        """Hear how many rows are done, and how far the input was read for them."""
        ...


class Silent:
    """Hear nothing."""

    def said(self, sentence: str) -> None:
        """Ignore it."""

    def began(self, total: int | None, done: int, unit: str = "rows") -> None:
        """Ignore it."""

    def went_on(self, rows: int, position: int) -> None:
        """Ignore it."""


@dataclass(frozen=True)
class Job:
    """What to do.

    :param source: File, folder, or ``-`` for standard input.
    :param output: File or folder; its companions are named after it.
    :param columns: Makes the declaration out of the input's columns.
    :param settings: How the rows are de-identified.
    :param reading: What the user said about the input.
    :param workers: Number of processes; 0 works in this one.
    :param on_error: What becomes of a row that failed: ``blank`` or ``skip``.
    :param resume: Resume an interrupted run.
    :param force: Replace an existing output.
    :param numbers: Where to write which number stands for which file or identifier.
    :param vault: Where to keep the originals; None keeps them nowhere.
    :param marks: Where to write marks of what is put out, if at all.
    :param key_file: Where the key was read from, so that nothing is written there.
    """

    source: str | Path
    output: Path
    columns: Callable[[Sequence[str]], Columns]
    settings: Settings = field(default_factory=Settings)
    reading: Reading = field(default_factory=Reading)
    workers: int = 1
    on_error: OnError = "blank"
    resume: bool = False
    force: bool = False
    numbers: Path | None = None
    vault: Path | None = None
    marks: Path | None = None
    key_file: Path | None = None


@dataclass(frozen=True)
class Paths:
    """Where everything is written.

    :param output: The output.
    :param errors: Rows that failed.
    :param audit: The audit record.
    :param numbers: What the numbers stand for, if asked for.
    :param marks: Marks of what is put out, if asked for.
    """

    output: Path
    errors: Path
    audit: Path
    numbers: Path | None
    marks: Path | None

    @property
    def state(self) -> Path:
        """The state of an interrupted run."""
        return self.output.with_name(self.output.name + ".state")

    @property
    def lock(self) -> Path:
        """The lock of a run."""
        return self.output.with_name(self.output.name + ".lock")

    @property
    def final(self) -> list[Path]:
        """What is there at the end; the output last."""
        asked = [path for path in (self.numbers, self.marks) if path is not None]
        return [*asked, self.errors, self.audit, self.output]

    @classmethod
    def of(cls, job: Job) -> "Paths":
        """Return the paths of a job."""
        output = job.output
        errors, audit = beside(output, "errors.jsonl"), beside(output, "audit.jsonl")
        return cls(output, errors, audit, job.numbers, job.marks)


@dataclass(frozen=True)
class Summary:
    """What a run did.

    :param output: The output.
    :param errors: File with the rows that failed; None if there is none.
    :param audit: The audit file.
    :param totals: Sums.
    """

    output: Path
    errors: Path | None
    audit: Path
    totals: Totals


def check_work(workers: int, on_error: str) -> None:
    """Refuse what no run can work with.

    :param workers: Number of processes; 0 works in this one.
    :param on_error: What becomes of a row that failed.
    :raises ConfigurationError: If there is no such number or way.
    """
    if not isinstance(workers, int) or workers < 0:
        raise ConfigurationError(
            f"workers {workers!r}: must be a whole number, 0 (in this process) or more"
        )
    if on_error not in get_args(OnError):
        raise ConfigurationError(f"on_error {on_error!r}: must be blank or skip")


def complete_settings(settings: Settings, columns: Columns, longest: int) -> Settings:
    """Return the settings with the columns' share, the model, and a key if needed.

    :param settings: How the rows are de-identified.
    :param columns: What the columns are for.
    :param longest: Longest text that the output can hold; 0: any.
    :return: The settings that the workers get.
    :raises ConfigurationError: If a key is needed and there is none, or time limit,
        sensitivity or people are none.
    """
    check_limit(settings.seconds)
    least_probability(settings.sensitivity)
    check_people(settings.people)
    profile = profile_of(settings)
    key = settings.key
    keyed = profile.needs_key() or columns.id_as == "replace" or settings.originals
    keyed |= settings.marks or bool(settings.ours)
    if key is None and keyed:
        key = find_key(required=True)
    return replace(
        settings,
        key=key,
        # Said here what it means, so that every worker means the same.
        ner=resolved(settings.ner, settings.preset),
        known=tuple(columns.known.values()),
        known_as=columns.known_as,
        id_as=columns.id_as,
        longest=longest,
    )


def fingerprint_of(
    job: Job, header: Mapping[str, Any], available: Sequence[str]
) -> str:
    """Return a hash of everything but the input that decides the output.

    :param job: What to do; how many workers do it does not matter.
    :param header: Versions, hashes and options, as the audit tells them.
    :param available: Columns of the input.
    :return: The hash.
    """
    kept: list[bool | str] = [
        job.numbers is not None,
        job.vault is not None,
        job.marks is not None,
    ]
    kept += [hash_of_input(Path(path)) for path in job.settings.ours]
    reading = repr(job.reading)
    return hash_of([header, job.on_error, kept, available, reading, job.output.suffix])


def summary_of(paths: Paths, run: Mapping[str, Any]) -> Summary:
    """Return the summary of a run that is complete.

    :param paths: Where it is.
    :param run: What the audit says of a run with the options of this one.
    :return: Its summary.
    :raises ConfigurationError: If it had other options or another input.
    """
    last: dict[str, Any] = {}
    first: dict[str, Any] = {}
    with open(paths.audit, "rb") as file:
        for line in file:
            last = _record(line)
            first = first or last
    if any(first.get(name) != value for name, value in run.items()):
        raise ConfigurationError(
            f"{paths.output}: is complete, and was made with another input or other "
            "options, profile, rules, key or versions; choose another name, or --force "
            "to replace"
        )
    if last.pop("kind", "") != "summary":
        raise ConfigurationError(
            f"{paths.audit}: not the audit of a complete run; --force begins anew"
        )
    errors = paths.errors if paths.errors.exists() else None
    return Summary(paths.output, errors, paths.audit, Totals.of(last))


def _record(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
