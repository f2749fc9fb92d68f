"""What is checked before a batch run writes: no file is two things at once."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.document_files import SUFFIXES
from presidio_mx.work.batch.files import partial
from presidio_mx.work.batch.formats import STDIN
from presidio_mx.work.batch.job import Job, Paths
from presidio_mx.work.batch.text_files import COLUMN

_PROFILE_ENDINGS = (".yaml", ".yml")
# How each file of a run begins that --force may replace; an empty one holds nothing.
_NUMBERS, _MARKS = b"number,name", b'{"key": "'
_ERRORS, _AUDIT = b'{"row": ', b'{"kind": "run"'


class _Place(NamedTuple):
    """A file or folder of a run.

    :param name: What it is to the run.
    :param path: Where it is.
    :param written: Whether the run writes there.
    """

    name: str
    path: Path
    written: bool = False


def check_no_columns(columns: Columns, folder: Path | str) -> None:
    """Refuse columns for a folder, whose notes have none.

    :param columns: What was said of columns.
    :param folder: The folder.
    :raises ConfigurationError: If one was named.
    """
    named = [name for name in columns.declared if name != COLUMN]
    if named:
        raise ConfigurationError(
            f"{folder}: a folder of notes has no columns; leave {', '.join(named)} "
            "out, or put notes and identifiers into a table"
        )


def check_apart(job: Job, paths: Paths) -> None:
    """Refuse a run whose files are not apart: one would be lost.

    :param job: What to do.
    :param paths: Where.
    :raises ConfigurationError: If two of its files are the same, or one lies in a
        folder that the run reads or replaces.
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
    own = (paths.errors, paths.audit, paths.state, paths.lock)
    grown = (partial(path) for path in paths.final)
    for path in (*own, *grown):
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


def is_finished(job: Job, paths: Paths) -> bool:
    """Tell whether the run that is to be resumed is complete.

    :param job: What to do.
    :param paths: Where.
    :return: False if there is something to do.
    :raises ConfigurationError: If something is there that would be overwritten.
    """
    interrupted = paths.state.exists()
    if interrupted and not (job.resume or job.force):
        raise ConfigurationError(
            f"{paths.state}: an interrupted run is there; go on with it by --resume, "
            "or begin anew by --force"
        )
    if interrupted or job.force:
        _check_replaceable(paths)
        return False
    there = [path for path in paths.final if path.exists()]
    if job.resume and paths.output in there and paths.audit in there:
        return True
    if there:
        raise ConfigurationError(
            f"{there[-1]}: exists already; choose another name, or --force to replace"
        )
    return False


def _check_replaceable(paths: Paths) -> None:
    """Replace nothing that a run did not write."""
    if paths.output.is_dir():
        for entry in paths.output.iterdir():
            if entry.suffix not in SUFFIXES or not entry.stem.isdecimal():
                raise ConfigurationError(
                    f"{paths.output}: holds more than the notes of a run, so that it "
                    "is not replaced; choose another name"
                )
    for path, begin in (
        (paths.numbers, _NUMBERS),
        (paths.marks, _MARKS),
        (paths.errors, _ERRORS),
        (paths.audit, _AUDIT),
    ):
        if path is not None and path.exists() and not _begins(path, begin):
            raise ConfigurationError(
                f"{path}: was not written by a run, so that it is not replaced; choose "
                "another name"
            )


def _begins(path: Path, begin: bytes) -> bool:
    """Tell whether a file is empty or begins like one that a run writes."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(len(begin)) in (b"", begin)
