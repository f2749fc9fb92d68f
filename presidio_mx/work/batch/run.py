"""Run a batch: from a source through the workers to a sink, and never lose a row."""

import csv
import io
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from datetime import date
from os.path import relpath
from pathlib import Path
from typing import Any, NoReturn

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.marks import line_of
from presidio_mx.replace.patient import Patient
from presidio_mx.work.batch.audit import Totals, header, reconcile, row_record
from presidio_mx.work.batch.cells import Cells, Done, as_text
from presidio_mx.work.batch.chunk import Chunk, Layout, Sink, Source
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import (
    AppendFile,
    digest_of,
    json_line,
    remove,
    sync_file,
)
from presidio_mx.work.batch.formats import (
    STDIN,
    check_reading,
    format_of,
    longest_text,
    open_sink,
    open_source,
)
from presidio_mx.work.batch.job import (
    Job,
    Listener,
    Paths,
    Silent,
    Summary,
    check_apart,
    check_replaceable,
    check_work,
    complete_settings,
    fingerprint_of,
    is_finished,
    summary_of,
)
from presidio_mx.work.batch.keep import Keeper
from presidio_mx.work.batch.people import gathered, gathers, with_people
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.text_files import COLUMN, FolderSource
from presidio_mx.work.batch.workers import Here, Workers, in_order
from presidio_mx.work.batch.workspace import OUTPUT, State, Workspace

CHECKPOINT_SECONDS = 2.0


def run(job: Job, listener: Listener | None = None) -> Summary:
    """De-identify a file, folder or stream.

    :param job: What to do.
    :param listener: Who wants to know how it goes on.
    :return: What was done.
    :raises ConfigurationError: If an option is wrong, a column is not declared, the
        output exists, or a key is needed; nothing was written then.
    :raises InputError: If the input cannot be read, the disk is full or the output's
        folder cannot be written; the run can be resumed.
    """
    check_work(job.workers, job.on_error)
    if job.resume and job.force:
        raise ConfigurationError(
            "resume and force together: the first goes on, the second begins anew; "
            "give one of them"
        )
    if not str(job.source) or not job.output.name:
        raise ConfigurationError(
            "INPUT must not be empty, and OUTPUT must name a file or folder, not '.'"
        )
    paths = Paths.of(job)
    if not paths.output.parent.is_dir():
        raise ConfigurationError(f"{paths.output.parent}: no such folder")
    kind = format_of(job.source, job.output)
    check_reading(job.reading, kind)
    check_apart(job, paths)
    try:
        with Workspace(paths.output) as workspace:
            return _run(job, paths, workspace, kind, listener or Silent())
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(
            f"{error.filename or job.output}: {reason}; what was done is kept: mend it "
            "and run the same again with --resume"
        ) from error


def _run(
    job: Job, paths: Paths, workspace: Workspace, kind: str, hear: Listener
) -> Summary:
    finished = is_finished(job, paths, workspace)
    source = open_source(job.source, kind, job.reading)
    for sentence in source.said:
        hear.said(sentence)
    columns = job.columns(source.columns)
    if isinstance(source, FolderSource):
        source.names.numbered = job.numbered
        named = [name for name in columns.declared if name != COLUMN]
        if named:
            raise ConfigurationError(
                f"{job.source}: a folder of notes has no columns; leave "
                f"{', '.join(named)} out, or put notes and identifiers into a table"
            )
    columns.check(source.columns, str(job.source))
    if job.numbers and columns.id is None and not isinstance(source, FolderSource):
        raise ConfigurationError(
            "--numbers: the number of a row of a table is its place; name the "
            "identifier's column with --id to have it written"
        )
    wanted = replace(
        job.settings, originals=job.vault is not None, marks=job.marks is not None
    )
    settings = complete_settings(wanted, columns, longest_text(kind))
    here = _Run(job, paths, workspace, source, columns, settings, kind, hear)
    return here.is_complete() if finished else here.go()


class _Run:
    """One run: files open, rows on their way."""

    def __init__(
        self,
        job: Job,
        paths: Paths,
        workspace: Workspace,
        source: Source,
        columns: Columns,
        settings: Settings,
        kind: str,
        hear: Listener,
    ) -> None:
        self._job, self._paths, self._hear = job, paths, hear
        self._source, self._columns, self._settings = source, columns, settings
        self._place, self._kind = workspace, kind
        self._folder = source if isinstance(source, FolderSource) else None
        layout = Layout(columns, source.columns, job.on_error)
        self._sink: Sink = open_sink(
            source, job.output, workspace.path(OUTPUT), layout, columns, job.reading
        )
        self._side = {name: AppendFile(workspace.path(name)) for name in paths.side}
        stdin = str(job.source) == STDIN
        self._input = "" if stdin else digest_of(Path(job.source), own=True)
        self._header = header(settings, columns, kind)
        self._fingerprint = fingerprint_of(job, self._header, source.columns)
        self._header |= {"fingerprint": self._fingerprint, "input": self._input}
        self._header["reading"] = asdict(job.reading)
        self._header |= {"on_error": job.on_error, "numbered": job.numbered}
        self._header["date"] = date.today().isoformat()
        if not stdin:
            self._header["source"] = relpath(job.source, paths.output.parent)
        if self._folder is not None:
            self._header["other_files"] = self._folder.others
            self._header["passed_over"] = self._folder.passed
        self._keeper = None
        if job.vault is not None and settings.key is not None:
            self._keeper = Keeper(job.vault, settings.key, job.source, source)
        self._state = State(self._fingerprint, self._input, replace=job.force)
        self._totals = Totals()
        self._began = time.monotonic()
        self._before = 0.0

    def is_complete(self) -> Summary:
        """Say so, if the run that is complete is the one that was asked for."""
        run = {"fingerprint": self._fingerprint, "input": self._input}
        summary = summary_of(self._paths, run)
        self._hear.said(f"{self._job.output}: complete already; nothing to resume")
        return summary

    def go(self) -> Summary:
        state = self._interrupted()
        if state is None or not state.made:
            # Only when the workers can work is anything written.
            with closing(self._workers()) as workers:
                if state is None:
                    self._begin(workers.models)
                elif state.models != workers.models:
                    self._refuse("models")
                else:
                    self._state = state
                self._open()
                self._work(workers)
            reconcile(self._job.source, self._totals, self._source.counted)
            self._complete()
        else:
            self._state = state
        return self._move()

    def _workers(self) -> Workers | Here:
        if self._job.workers:
            return Workers(self._settings, self._job.workers)
        return Here(self._settings)

    def _interrupted(self) -> State | None:
        """Return the state of the run to resume, if there is one."""
        state = self._place.load() if self._job.resume else None
        if state is not None and state.fingerprint != self._fingerprint:
            self._refuse("options, profile, rules, key or versions")
        if state is not None and state.source != self._input:
            self._refuse_input()
        return state

    def _refuse(self, what: str) -> NoReturn:
        raise ConfigurationError(
            f"{self._place.folder}: the interrupted run had other {what}; repeat it as "
            "it was, or begin anew by --force"
        )

    def _refuse_input(self) -> NoReturn:
        raise InputError(
            f"{self._job.source}: not the input that the interrupted run read; "
            "begin anew by --force"
        )

    def _begin(self, models: dict[str, str]) -> None:
        """Clear up what an abandoned run left, and begin."""
        self._place.clear()
        self._state.models = models
        self._place.save(self._state)

    def _open(self) -> None:
        state = self._state
        self._sink.open(state.positions.get(OUTPUT, 0))
        for name, file in self._side.items():
            file.open(state.positions.get(name, 0))
        if state.totals:
            self._totals = Totals.of(state.totals)
        self._before = self._totals.seconds
        began = {"models": state.models, "resumed_after": state.rows}
        self._side["audit"].write(json_line({**self._header, **began}))

    def _people(self, workers: Workers | Here) -> Mapping[str, Patient]:
        """Return who is named in the rows of each patient, where a run may look."""
        job = self._job
        may_look = str(job.source) != STDIN and self._columns.id is not None
        if not (may_look and gathers(self._settings)):
            return {}

        def rows() -> Iterator[Sequence[Cells]]:
            source = open_source(job.source, self._kind, job.reading)
            return (chunk.cells for chunk in source.chunks(self._columns))

        return gathered(workers, rows)

    def _work(self, workers: Workers | Here) -> None:
        people = self._people(workers)
        saved = time.monotonic()
        chunks = (
            (chunk, with_people(self._placed(chunk), people))
            for chunk in self._rest_of_input()
        )
        for chunk, done in in_order(workers, chunks):
            self._write(chunk, done)
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self._checkpoint()
                saved = time.monotonic()
        self._totals.skipped = self._source.skipped
        self._checkpoint()

    def _rest_of_input(self) -> Iterator[Chunk]:
        """Yield the chunks that are not done; check those that are."""
        digest, rows, began = "", 0, False
        done, wanted = self._state.rows, self._state.digest
        for chunk in self._source.chunks(self._columns):
            if rows < done:
                digest, rows = chunk.digest(digest, self._input), chunk.after
                continue
            if not began:
                began = True
                self._check_same(digest == wanted and rows == done)
                read = chunk.position if rows else 0
                self._hear.began(self._source.total, read, self._source.unit)
            if chunk.cells:
                yield chunk
        if not began:
            self._check_same(digest == wanted and rows == done)

    def _check_same(self, same: bool) -> None:
        if not same:
            self._refuse_input()

    def _placed(self, chunk: Chunk) -> Sequence[Cells]:
        """Return the rows; with their numbers where marks or a review ask for them."""
        settings = self._settings
        if not (settings.marks or settings.ours or settings.reviewed):
            return chunk.cells
        return [
            replace(row, place=str(number))
            for number, row in enumerate(chunk.cells, start=chunk.first)
        ]

    def _place_of(self, number: int, row: Done, failed: int) -> int | None:
        """Return where a row stands in the output; a file is known by its number."""
        if self._job.on_error == "blank":
            return number
        if row.problem:
            return None
        return number if self._folder is not None else number - failed

    def _write(self, chunk: Chunk, done: Sequence[Done]) -> None:
        if self._keeper is not None:
            self._keeper.keep(chunk, done)
        written = self._sink.write(chunk, done)
        if self._job.on_error == "blank":
            written -= sum(bool(row.problem) for row in done)
        failed = self._totals.failed
        for number, row in enumerate(done, start=chunk.first):
            failed += bool(row.problem)
            place = self._place_of(number, row, failed)
            self._side["audit"].write(json_line(row_record(number, row, place)))
            if row.problem:
                self._side["errors"].write(json_line(self._error(number, row)))
        if "numbers" in self._side:
            self._side["numbers"].write(self._numbers(chunk))
        if "marks" in self._side and self._settings.key is not None:
            for row in done:
                if row.marks:
                    line = line_of(row.marks, self._settings.key)
                    self._side["marks"].write(line)
        self._totals.add(done, written)
        self._state.digest = chunk.digest(self._state.digest, self._input)
        self._hear.went_on(self._totals.rows, chunk.position)

    def _error(self, number: int, row: Done) -> dict[str, Any]:
        record: dict[str, Any] = {"row": number}
        if self._folder is not None and not self._folder.names.numbered:
            record["file"] = self._folder.names.own[number - 1]
        return record | {"reason": self._job.words(row.problem)}

    def _numbers(self, chunk: Chunk) -> bytes:
        """Return lines of CSV: the number, and the file's name or the identifier."""
        names: Sequence[Any] = [row.id for row in chunk.cells]
        if self._folder is not None:
            names = chunk.rest
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\r\n")
        if chunk.first == 1:
            writer.writerow(["number", "name"])
        for number, name in enumerate(names, start=chunk.first):
            writer.writerow([number, as_text(name)])
        return text.getvalue().encode("utf-8", "surrogatepass")

    def _checkpoint(self) -> None:
        """Put everything on the disk, then say so in the state."""
        state, totals = self._state, self._totals
        totals.seconds = self._before + time.monotonic() - self._began
        state.positions = {name: file.sync() for name, file in self._side.items()}
        state.positions[OUTPUT] = self._sink.sync()
        state.rows, state.totals = totals.rows, totals.record()
        self._place.save(state)

    def _complete(self) -> None:
        """Put the output together; from here on only names change."""
        totals = self._totals
        totals.seconds = self._before + time.monotonic() - self._began
        made = self._sink.finish()
        if made.is_file():
            sync_file(made)
        summary = {"kind": "summary", **totals.record(), "output": digest_of(made)}
        self._side["audit"].write(json_line(summary))
        for file in self._side.values():
            file.sync()
            file.close()
        self._state.totals, self._state.made = totals.record(), made.name
        self._place.save(self._state)

    def _move(self) -> Summary:
        """Move everything into place; may be repeated after any interruption."""
        state, place, paths = self._state, self._place, self._paths
        totals = Totals.of(state.totals)
        if state.replace and place.path(state.made).exists():
            check_replaceable(paths)
            if not totals.failed:
                remove(paths.errors)
        if not totals.failed:
            remove(place.path("errors"))
        place.share("errors", "audit", state.made)
        # The output first: an older one is known by the audit that is still there.
        for name, target in {state.made: paths.output, **paths.side}.items():
            place.put(name, target, state.replace)
        place.clear()
        errors = paths.errors if totals.failed else None
        return Summary(paths.output, errors, paths.audit, totals)
