"""Run a batch: from a source through the workers to a sink, and never lose a row."""

import csv
import hashlib
import io
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

from presidio_mx.batch.audit import Totals, hash_of, header, row_record
from presidio_mx.batch.chunk import Chunk, Layout, Sink, Source
from presidio_mx.batch.columns import Columns
from presidio_mx.batch.formats import format_of, longest_text, open_sink, open_source
from presidio_mx.batch.job import (
    Job,
    Listener,
    Paths,
    Silent,
    Summary,
    check_apart,
    complete_settings,
    finished_before,
)
from presidio_mx.batch.journal import (
    AppendFile,
    Lock,
    State,
    json_line,
    partial,
    sync_folder,
)
from presidio_mx.batch.text_files import FolderSource
from presidio_mx.batch.work import Done, Settings, as_text
from presidio_mx.batch.workers import Here, Workers, in_order
from presidio_mx.errors import ConfigurationError, InputError

CHECKPOINT_SECONDS = 2.0


def run(job: Job, listener: Listener | None = None) -> Summary:
    """De-identify a file, folder or stream.

    :param job: What to do.
    :param listener: Who wants to know how it goes on.
    :return: What was done.
    :raises ConfigurationError: If an option is wrong, a column is not declared, the
        output exists, or a key is needed; nothing was written then.
    :raises InputError: If the input cannot be read or the disk is full; the run can be
        resumed.
    """
    hear = listener or Silent()
    paths = Paths.of(job)
    if not paths.output.parent.is_dir():
        raise ConfigurationError(f"{paths.output.parent}: no such folder")
    kind = format_of(job.source, job.output)
    check_apart(job)
    finished = finished_before(job, paths)
    if finished is not None:
        hear.said(f"{job.output}: complete already; nothing to resume")
        return finished
    source = open_source(job.source, kind, job.reading)
    for sentence in source.said:
        hear.said(sentence)
    columns = job.columns(source.columns)
    columns.check(source.columns, str(job.source))
    if job.numbers and columns.id is None and not isinstance(source, FolderSource):
        raise ConfigurationError(
            "--numbers: the number of a row of a table is its place; name the "
            "identifier's column with --id to have it written"
        )
    settings = complete_settings(job.settings, columns, longest_text(kind))
    with Lock(paths.lock):
        try:
            return _Run(job, paths, source, columns, settings, kind, hear).go()
        except OSError as error:
            raise InputError(
                f"{job.output}: {error.strerror or type(error).__name__}; what was "
                "done is kept: mend it and run the same again with --resume"
            ) from error


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
        self._header = header(settings, columns, kind)
        self._side = {
            name: AppendFile(partial(path), private=name == "numbers")
            for name, path in (
                ("errors", paths.errors),
                ("audit", paths.audit),
                ("numbers", paths.numbers),
            )
            if path is not None
        }
        # Hashes of options and rules, so that no run goes on under others.
        self._fingerprint = hash_of(
            [self._header, job.on_error, job.numbers is not None, source.columns]
        )
        self._digest = ""
        self._models: dict[str, str] = {}
        self._totals = Totals()
        self._began = time.monotonic()
        self._before = 0.0

    def go(self) -> Summary:
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
            self._complete()
        return self._place()

    def _workers(self) -> Workers | Here:
        job = self._job
        if job.workers:
            return Workers(self._settings, job.workers, job.seconds)
        return Here(self._settings)

    def _interrupted(self) -> State | None:
        """Return the state of the run to resume, if there is one."""
        state = State.load(self._paths.state) if self._job.resume else None
        if state is not None and state.fingerprint != self._fingerprint:
            self._refuse("options, profile, rules, key or versions")
        return state

    def _refuse(self, what: str) -> NoReturn:
        raise ConfigurationError(
            f"{self._paths.state}: the interrupted run had other {what}; repeat it as "
            "it was, or begin anew by --force"
        )

    def _begin(self) -> State:
        """Clear up what an abandoned run left, and begin."""
        for path in self._paths.final:
            _remove(partial(path))
        state = State(self._fingerprint, models=self._models)
        state.save(self._paths.state)
        return state

    def _open(self, state: State) -> None:
        self._sink.open(state.positions.get("output", 0))
        for name, file in self._side.items():
            file.open(state.positions.get(name, 0))
        self._digest = state.digest
        if state.totals:
            self._totals = Totals(**state.totals)
        self._before = self._totals.seconds
        self._side["audit"].write(
            json_line(
                {**self._header, "models": self._models, "resumed_after": state.rows}
            )
        )

    def _work(self, workers: Workers | Here, state: State) -> None:
        saved = time.monotonic()
        chunks = ((chunk, chunk.cells) for chunk in self._rest_of_input(state))
        for chunk, done in in_order(workers, chunks):
            self._write(chunk, done)
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self._checkpoint()
                saved = time.monotonic()
        self._checkpoint()

    def _rest_of_input(self, state: State) -> Iterator[Chunk]:
        """Yield the chunks that are not done; check those that are."""
        digest, rows, began = "", 0, False
        for chunk in self._source.chunks(self._columns):
            if rows < state.rows:
                digest, rows = _digest(digest, chunk), chunk.after
                continue
            if not began:
                began = True
                self._check_same(state, digest, rows)
                self._hear.began(self._source.total, chunk.position if rows else 0)
            if chunk.cells:
                yield chunk
        if not began:
            self._check_same(state, digest, rows)

    def _check_same(self, state: State, digest: str, rows: int) -> None:
        if (digest, rows) != (state.digest, state.rows):
            raise InputError(
                f"{self._job.source}: not the input that the interrupted run read; "
                "begin anew by --force"
            )

    def _write(self, chunk: Chunk, done: Sequence[Done]) -> None:
        self._sink.write(chunk, done)
        for number, row in enumerate(done, start=chunk.first):
            self._side["audit"].write(json_line(row_record(number, row)))
            if row.problem:
                record = {"row": number, "reason": row.problem}
                self._side["errors"].write(json_line(record))
        if "numbers" in self._side:
            self._side["numbers"].write(_numbers(self._source, chunk))
        self._totals.add(done)
        self._digest = _digest(self._digest, chunk)
        self._hear.went_on(self._totals.rows, chunk.position)

    def _positions(self) -> dict[str, int]:
        side = {name: file.sync() for name, file in self._side.items()}
        return {"output": self._sink.sync(), **side}

    def _save(self, positions: dict[str, int], complete: bool) -> None:
        State(
            fingerprint=self._fingerprint,
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
            _sync_file(made)
        summary = {"kind": "summary", **self._totals.record()}
        self._side["audit"].write(json_line(summary))
        for file in self._side.values():
            file.sync()
            file.close()
        assembled = made != partial(self._paths.output)
        self._save({"assembled": int(assembled)}, complete=True)

    def _place(self) -> Summary:
        """Move everything into place; may be repeated after any interruption."""
        state = State.load(self._paths.state)
        assert state is not None and state.complete
        totals = Totals(**state.totals)
        paths = self._paths
        if not totals.failed:
            _remove(partial(paths.errors))
            _remove(paths.errors)
        for path in (paths.numbers, paths.errors, paths.audit):
            if path is not None:
                _move(partial(path), path)
        grown = partial(paths.output)
        made = grown
        if state.positions["assembled"]:
            made = grown.with_name(grown.name + paths.output.suffix)
        _move(made, paths.output)
        if made != grown:
            _remove(grown)
        sync_folder(paths.output.parent)
        paths.state.unlink(missing_ok=True)
        sync_folder(paths.output.parent)
        errors = paths.errors if totals.failed else None
        return Summary(paths.output, errors, paths.audit, totals)


def _digest(before: str, chunk: Chunk) -> str:
    """Return a digest of all cells so far; it says whether an input is the same."""
    digest = hashlib.blake2b(before.encode(), digest_size=16)
    for row in chunk.cells:
        for value in (*row.texts, *row.known, row.id):
            data = as_text(value).encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data))
            digest.update(data)
    return digest.hexdigest()


def _numbers(source: Source, chunk: Chunk) -> bytes:
    """Return the lines that say what the numbers of a chunk stand for."""
    names: Sequence[Any] = [row.id for row in chunk.cells]
    if isinstance(source, FolderSource):
        names = chunk.rest
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if chunk.first == 1:
        writer.writerow(["number", "name"])
    for number, name in enumerate(names, start=chunk.first):
        writer.writerow([number, as_text(name)])
    return text.getvalue().encode("utf-8", "surrogatepass")


def _sync_file(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _move(source: Path, target: Path) -> None:
    """Move what is ready into its place; an old folder makes room for a moment."""
    old = target.with_name(target.name + ".old")
    if source.exists():
        if target.is_dir():
            _remove(old)
            target.rename(old)
        source.replace(target)
    _remove(old)
