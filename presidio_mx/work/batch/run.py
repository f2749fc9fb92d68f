"""Run a batch: from a source through the workers to a sink, and never lose a row."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NoReturn

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.marks import line_of
from presidio_mx.work.batch.audit import (
    Totals,
    hash_of_input,
    header,
    reconcile,
    row_record,
)
from presidio_mx.work.batch.before import check_apart, check_no_columns, is_finished
from presidio_mx.work.batch.cells import Cells, Done
from presidio_mx.work.batch.chunk import Chunk, Layout, Sink, Source
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import (
    AppendFile,
    json_line,
    partial,
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
    check_work,
    complete_settings,
    fingerprint_of,
    summary_of,
)
from presidio_mx.work.batch.journal import Lock, State
from presidio_mx.work.batch.keep import Keeper
from presidio_mx.work.batch.numbers import digest_of, numbers_of
from presidio_mx.work.batch.placing import place
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.text_files import FolderSource
from presidio_mx.work.batch.workers import Here, Workers, in_order

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
    paths = Paths.of(job)
    if not paths.output.parent.is_dir():
        raise ConfigurationError(f"{paths.output.parent}: no such folder")
    kind = format_of(job.source, job.output)
    check_reading(job.reading, kind)
    check_apart(job, paths)
    try:
        with Lock(paths.lock):
            return _run(job, paths, kind, listener or Silent())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            f"{error.filename or job.output}: {reason}; what was done is kept: mend it "
            "and run the same again with --resume"
        ) from error


def _run(job: Job, paths: Paths, kind: str, hear: Listener) -> Summary:
    finished = is_finished(job, paths)
    source = open_source(job.source, kind, job.reading)
    for sentence in source.said:
        hear.said(sentence)
    columns = job.columns(source.columns)
    if isinstance(source, FolderSource):
        check_no_columns(columns, job.source)
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
    here = _Run(job, paths, source, columns, settings, kind, hear)
    return here.is_complete() if finished else here.go()


class _Run:
    """One run: files open, rows on their way."""

    def __init__(
        self,
        job: Job,
        paths: Paths,
        source: Source,
        columns: Columns,
        settings: Settings,
        kind: str,
        hear: Listener,
    ) -> None:
        self._job, self._paths, self._hear = job, paths, hear
        self._source, self._columns, self._settings = source, columns, settings
        layout = Layout(columns, source.columns, job.on_error)
        self._sink: Sink = open_sink(
            source, job.output, partial(paths.output), layout, columns
        )
        self._side = {
            name: AppendFile(partial(path))
            for name, path in (
                ("errors", paths.errors),
                ("audit", paths.audit),
                ("numbers", paths.numbers),
                ("marks", paths.marks),
            )
            if path is not None
        }
        stdin = str(job.source) == STDIN
        self._input = "" if stdin else hash_of_input(Path(job.source))
        self._header = header(settings, columns, kind)
        self._fingerprint = fingerprint_of(job, self._header, source.columns)
        self._header |= {"fingerprint": self._fingerprint, "input": self._input}
        self._header["date"] = date.today().isoformat()
        if isinstance(source, FolderSource):
            self._header["other_files"] = source.others
            self._header["passed_over"] = source.passed
        self._keeper = None
        if job.vault is not None and settings.key is not None:
            self._keeper = Keeper(job.vault, settings.key, job.source, source)
        self._digest = ""
        self._models: dict[str, str] = {}
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
        job = self._job
        state = self._interrupted()
        if state is None or not state.complete:
            # Only when the workers can work is anything written.
            with closing(self._workers()) as workers:
                self._models = workers.models
                state = state or self._begin()
                if state.models != self._models:
                    self._refuse("models")
                self._open(state)
                self._work(workers, state)
            reconcile(job.source, self._totals, self._source.counted)
            self._complete()
        return place(self._paths)

    def _workers(self) -> Workers | Here:
        if self._job.workers:
            return Workers(self._settings, self._job.workers)
        return Here(self._settings)

    def _interrupted(self) -> State | None:
        """Return the state of the run to resume, if there is one."""
        state = State.load(self._paths.state) if self._job.resume else None
        if state is not None and state.fingerprint != self._fingerprint:
            self._refuse("options, profile, rules, key or versions")
        if state is not None and state.source != self._input:
            self._refuse_input()
        return state

    def _refuse(self, what: str) -> NoReturn:
        raise ConfigurationError(
            f"{self._paths.state}: the interrupted run had other {what}; repeat it as "
            "it was, or begin anew by --force"
        )

    def _refuse_input(self) -> NoReturn:
        raise InputError(
            f"{self._job.source}: not the input that the interrupted run read; "
            "begin anew by --force"
        )

    def _begin(self) -> State:
        """Clear up what an abandoned run left, and begin."""
        for path in self._paths.final:
            remove(partial(path))
        state = State(self._fingerprint, self._input, models=self._models)
        state.save(self._paths.state)
        return state

    def _open(self, state: State) -> None:
        self._sink.open(state.positions.get("output", 0))
        for name, file in self._side.items():
            file.open(state.positions.get(name, 0))
        self._digest = state.digest
        if state.totals:
            self._totals = Totals.of(state.totals)
        self._before = self._totals.seconds
        self._side["audit"].write(
            json_line(
                {**self._header, "models": self._models, "resumed_after": state.rows}
            )
        )

    def _work(self, workers: Workers | Here, state: State) -> None:
        saved = time.monotonic()
        chunks = ((chunk, self._placed(chunk)) for chunk in self._rest_of_input(state))
        for chunk, done in in_order(workers, chunks):
            self._write(chunk, done)
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self._checkpoint()
                saved = time.monotonic()
        self._totals.skipped = self._source.skipped
        self._checkpoint()

    def _rest_of_input(self, state: State) -> Iterator[Chunk]:
        """Yield the chunks that are not done; check those that are."""
        digest, rows, began = "", 0, False
        for chunk in self._source.chunks(self._columns):
            if rows < state.rows:
                digest, rows = self._digest_of(digest, chunk), chunk.after
                continue
            if not began:
                began = True
                self._check_same(state, digest, rows)
                read = chunk.position if rows else 0
                self._hear.began(self._source.total, read, self._source.unit)
            if chunk.cells:
                yield chunk
        if not began:
            self._check_same(state, digest, rows)

    def _placed(self, chunk: Chunk) -> Sequence[Cells]:
        """Return the rows; with their numbers where marks ask for them."""
        if not (self._settings.marks or self._settings.ours):
            return chunk.cells
        return [
            replace(row, place=str(number))
            for number, row in enumerate(chunk.cells, start=chunk.first)
        ]

    def _digest_of(self, before: str, chunk: Chunk) -> str:
        # A stream cannot be hashed before it is read; all of its rows count here.
        return digest_of(before, chunk, whole=not self._input)

    def _check_same(self, state: State, digest: str, rows: int) -> None:
        if (digest, rows) != (state.digest, state.rows):
            self._refuse_input()

    def _place_of(self, number: int, row: Done, failed: int) -> int | None:
        """Return where a row stands in the output; a file is called by its number."""
        if self._job.on_error == "blank":
            return number
        if row.problem:
            return None
        return number if isinstance(self._source, FolderSource) else number - failed

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
                record = {"row": number, "reason": row.problem}
                self._side["errors"].write(json_line(record))
        if "numbers" in self._side:
            self._side["numbers"].write(numbers_of(self._source, chunk))
        if "marks" in self._side and self._settings.key is not None:
            for row in done:
                if row.marks:
                    line = line_of(row.marks, self._settings.key)
                    self._side["marks"].write(line)
        self._totals.add(done, written)
        self._digest = self._digest_of(self._digest, chunk)
        self._hear.went_on(self._totals.rows, chunk.position)

    def _positions(self) -> dict[str, int]:
        side = {name: file.sync() for name, file in self._side.items()}
        return {"output": self._sink.sync(), **side}

    def _save(self, positions: dict[str, int], complete: bool) -> None:
        State(
            fingerprint=self._fingerprint,
            source=self._input,
            models=self._models,
            rows=self._totals.rows,
            digest=self._digest,
            positions=positions,
            totals=self._totals.record(),
            complete=complete,
        ).save(self._paths.state)

    def _checkpoint(self) -> None:
        """Put everything on the disk, then say so in the state."""
        self._totals.seconds = self._before + time.monotonic() - self._began
        self._save(self._positions(), complete=False)

    def _complete(self) -> None:
        """Put the output together; from here on only names change."""
        self._totals.seconds = self._before + time.monotonic() - self._began
        made = self._sink.finish()
        if made.is_file():
            sync_file(made)
        summary = {"kind": "summary", **self._totals.record()}
        self._side["audit"].write(json_line(summary))
        for file in self._side.values():
            file.sync()
            file.close()
        assembled = made != partial(self._paths.output)
        self._save({"assembled": int(assembled)}, complete=True)
