"""What a batch run is told to do, where it writes, and what it refuses beforehand."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, Protocol, get_args

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.ner.choose import resolved
from presidio_mx.find.sensitivity import thresholds_of
from presidio_mx.pipeline import check_people
from presidio_mx.replace.keys import find_key
from presidio_mx.time_limit import check_limit
from presidio_mx.work.batch.audit import Totals, hash_of, read_audit
from presidio_mx.work.batch.chunk import OnError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import beside, digest_of
from presidio_mx.work.batch.formats import STDIN, Reading
from presidio_mx.work.batch.settings import Settings, profile_of
from presidio_mx.work.batch.workspace import SIDE, Workspace, exists

_PROFILE_ENDINGS = (".yaml", ".yml")
# How each file of a run begins that --force may replace; an empty one holds nothing.
_BEGINNINGS = {
    "numbers": b"number,name",
    "marks": b'{"key": "',
    "errors": b'{"row": ',
    "audit": b'{"kind": "run"',
}


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
    :param reading: What the user said about the input and the output.
    :param workers: Number of processes; 0 works in this one.
    :param on_error: What becomes of a row that failed: ``blank`` or ``skip``.
    :param resume: Resume an interrupted run.
    :param force: Replace an existing output.
    :param numbers: Where to write which number stands for which file or identifier;
        files of a folder are then named by their numbers.
    :param vault: Where to keep the originals; None keeps them nowhere.
    :param marks: Where to write marks of what is put out, if at all.
    :param key_file: Where the key was read from, so that nothing is written there.
    :param words: Puts the reason why a row failed into the user's language.
    :param hide_names: Name files by their numbers, and write those nowhere.
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
    words: Callable[[str], str] = str
    hide_names: bool = False

    @property
    def numbered(self) -> bool:
        """Whether files of a folder are named by their numbers."""
        return self.hide_names or self.numbers is not None


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
    def side(self) -> dict[str, Path]:
        """The files beside the output by what they are."""
        found = {name: getattr(self, name) for name in SIDE}
        return {name: path for name, path in found.items() if path is not None}

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


class _Place(NamedTuple):
    """A file or folder of a run: what it is to the run, and whether it is written."""

    name: str
    path: Path
    written: bool = False


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


def check_apart(job: Job, paths: Paths) -> None:
    """Refuse a run two of whose files are the same: one would be lost.

    :param job: What to do.
    :param paths: Where.
    :raises ConfigurationError: If two of its files are the same, or one lies in a
        folder that the run reads or replaces, or has no folder to be put into.
    """
    for one, other in combinations(_places(job, paths), 2):
        if (one.written or other.written) and _meet(one.path, other.path):
            if (one.name, other.name) == ("INPUT", "OUTPUT"):
                raise ConfigurationError(
                    f"{job.output}: input and output must be apart from one another"
                )
            raise ConfigurationError(
                f"{other.path}: {one.name} and {other.name} must be apart from one "
                "another; choose another name"
            )
    for asked in (job.numbers, job.marks):
        if asked is not None and not asked.parent.is_dir():
            raise ConfigurationError(f"{asked.parent}: no such folder")


def _places(job: Job, paths: Paths) -> Iterator[_Place]:
    settings = job.settings
    if str(job.source) != STDIN:
        yield _Place("INPUT", Path(job.source))
    yield _Place("OUTPUT", paths.output, True)
    if job.key_file is not None:
        yield _Place("--key-file", job.key_file)
    for marks in settings.ours:
        yield _Place("--ours", Path(marks))
    if settings.site is not None:
        yield _Place("--site", Path(settings.site))
    profile = settings.operators
    if isinstance(profile, str | Path) and str(profile).endswith(_PROFILE_ENDINGS):
        yield _Place("--operators", Path(profile))
    for path in (paths.errors, paths.audit, Workspace(paths.output).folder):
        yield _Place("a file beside OUTPUT", path, True)
    for name, asked in (
        ("--numbers", job.numbers),
        ("--marks", job.marks),
        ("--vault", job.vault),
    ):
        if asked is not None:
            yield _Place(name, asked, True)


def _meet(one: Path, other: Path) -> bool:
    """Tell whether two paths are the same, or one lies in the other."""
    if one.exists() and other.exists() and one.samefile(other):
        return True
    first, second = one.resolve(), other.resolve()
    return first == second or first in second.parents or second in first.parents


def is_finished(job: Job, paths: Paths, workspace: Workspace) -> bool:
    """Tell whether the run that is to be resumed is complete.

    :param job: What to do.
    :param paths: Where.
    :param workspace: Where an interrupted run is.
    :return: False if there is something to do.
    :raises ConfigurationError: If something is there that would be overwritten.
    """
    if workspace.interrupted and not (job.resume or job.force):
        raise ConfigurationError(
            f"{workspace.folder}: an interrupted run is there; go on with it by "
            "--resume, or begin anew by --force"
        )
    if job.force:
        check_replaceable(paths)
    if job.force or workspace.interrupted:
        return False
    there = [p for p in (*paths.side.values(), paths.output) if p.exists()]
    if job.resume and paths.output in there and paths.audit in there:
        return True
    if there:
        raise exists(there[-1])
    return False


def check_replaceable(paths: Paths) -> None:
    """Replace nothing that a run did not write.

    :param paths: Where an earlier run wrote.
    :raises ConfigurationError: If something there is not an earlier run's.
    """
    for name, path in paths.side.items():
        if path.exists() and not _begins(path, _BEGINNINGS[name]):
            raise ConfigurationError(
                f"{path}: was not written by a run, so that it is not replaced; choose "
                "another name"
            )
    if paths.output.is_dir():
        _, last = read_audit(paths.audit)
        if last.get("output") != digest_of(paths.output):
            raise ConfigurationError(
                f"{paths.output}: holds more than the notes of a run, or was changed "
                "since, so that it is not replaced; choose another name"
            )


def _begins(path: Path, begin: bytes) -> bool:
    """Tell whether a file is empty or begins like one that a run writes."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(len(begin)) in (b"", begin)


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
    thresholds_of(settings.sensitivity)
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
    kept += [digest_of(Path(path)) for path in job.settings.ours]
    reading = repr(job.reading)
    return hash_of([header, job.on_error, kept, available, reading, job.output.suffix])


def summary_of(paths: Paths, run: Mapping[str, Any]) -> Summary:
    """Return the summary of a run that is complete.

    :param paths: Where it is.
    :param run: What the audit says of a run with the options of this one.
    :return: Its summary.
    :raises ConfigurationError: If it had other options or another input.
    """
    first, last = read_audit(paths.audit)
    if any(first.get(name) != value for name, value in run.items()):
        raise ConfigurationError(
            f"{paths.output}: is complete, and was made with another input or other "
            "options, profile, rules, key or versions; choose another name, or --force "
            "to replace"
        )
    if last.get("kind") != "summary":
        raise ConfigurationError(
            f"{paths.audit}: not the audit of a complete run; --force begins anew"
        )
    errors = paths.errors if paths.errors.exists() else None
    return Summary(paths.output, errors, paths.audit, Totals.of(last))
