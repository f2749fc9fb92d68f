"""Parquet files and folders of them; columns that are kept keep their types."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.extras import need
from presidio_mx.text.reading.folders import files_ending
from presidio_mx.work.batch.cells import Cells, Done
from presidio_mx.work.batch.chunk import ROWS, Chunk, Layout
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.files import AppendFile, is_inside

Schema = Any  # pyarrow.Schema
RecordBatch = Any  # pyarrow.RecordBatch
_LENGTH = struct.Struct("<Q")
_GROUP_ROWS = 20_000
_GROUP_BYTES = 64 << 20


def _arrow() -> Any:
    return need("pyarrow.parquet", "Parquet")


class ParquetSource:
    """A Parquet file, or a folder of files with one schema, in the order of paths.

    :param path: The file or folder.
    :raises InputError: If a file cannot be read or has another schema.
    """

    unit: Literal["bytes", "rows"] = "rows"
    skipped = 0

    def __init__(self, path: Path) -> None:
        """Read the schema."""
        pa = _arrow()
        found = files_ending(path, ".parquet") if path.is_dir() else ()
        own = [file for file in found if is_inside(file, path)]
        files = own if path.is_dir() else [path]
        self._files = [file for file in files if not file.name.startswith(("_", "."))]
        rows = 0
        schemas = []
        for file in self._files:
            if path.is_dir() and "=" in file.parent.relative_to(path).as_posix():
                raise InputError(
                    f"{path}: its folders are named after values of a column, which "
                    "would be lost; use presidio_mx.work.batch.spark, or name a folder"
                )
            try:
                with pa.parquet.ParquetFile(file) as opened:
                    rows += opened.metadata.num_rows
                    schemas.append(opened.schema_arrow.remove_metadata())
            except (pa.ArrowInvalid, OSError):
                raise InputError(f"{file}: not a Parquet file") from None
            if not schemas[-1].equals(schemas[0]):
                raise InputError(f"{file}: other columns than {self._files[0].name}")
        if not schemas:
            raise InputError(f"{path}: no .parquet file in this folder")
        # Metadata could hold anything, values of a dropped index included.
        self.schema: Schema = pa.schema(
            [field.remove_metadata() for field in schemas[0]]
        )
        self.columns = tuple(self.schema.names)
        self.total: int | None = rows
        self.counted = rows  # as the files' own footers say
        number = f"{len(self._files)} files, " if len(self._files) > 1 else ""
        self.said: tuple[str, ...] = (f"{path.name}: Parquet, {number}{rows:,} rows",)

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all rows.

        :param columns: What the columns are for.
        :return: Chunks in the order of the files; ``rest`` is a record batch of all
            columns that are not dropped.
        """
        pa = _arrow()
        read = [name for name in self.columns if name not in columns.drop]
        first = 1
        for file in self._files:
            with pa.parquet.ParquetFile(file, pre_buffer=False) as opened:
                batches = opened.iter_batches(batch_size=ROWS, columns=read)
                while (batch := _next_batch(batches, file)) is not None:
                    chunk = chunk_of(columns, batch, first)
                    first = chunk.after + 1
                    yield chunk


def _next_batch(batches: Iterator[RecordBatch], file: Path) -> RecordBatch | None:
    try:
        return next(batches, None)
    except (_arrow().ArrowException, OSError, ValueError):
        raise InputError(
            f"{file}: damaged; what was done is kept: mend it and begin anew by --force"
        ) from None


def chunk_of(columns: Columns, batch: RecordBatch, first: int) -> Chunk:
    """Return the rows of a record batch as a chunk.

    :param columns: What the columns are for.
    :param batch: The rows, without the columns that are dropped.
    :param first: Running number of the first row.
    :return: The chunk; ``rest`` is the batch.
    """

    def values(names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        lists = [batch.column(name).to_pylist() for name in names]
        return zip(*lists, strict=True) if lists else iter([()] * batch.num_rows)

    ids = [None] * batch.num_rows
    if columns.id is not None:
        ids = batch.column(columns.id).to_pylist()
    rows = zip(values(columns.text), values(tuple(columns.known)), ids, strict=True)
    cells = tuple(Cells(*row) for row in rows)
    return Chunk(first, cells, batch, first - 1 + len(cells))


def _is_text(kind: Any) -> bool:
    types = _arrow().types
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        types.is_string(kind) or types.is_large_string(kind) or "string_view" == kind
    )


def output_schema(schema: Schema, columns: Columns, available: Sequence[str]) -> Schema:
    """Return the schema of the output: kept columns as they are, new ones as text.

    :param schema: Schema of the input.
    :param columns: What the columns are for.
    :param available: Columns of the input.
    :return: The schema.
    :raises ConfigurationError: If a column of notes does not hold text.
    """
    pa = _arrow()
    for name in columns.text:
        if not _is_text(schema.field(name).type):
            raise ConfigurationError(
                f"column {name!r} holds {schema.field(name).type}, not text"
            )
    new = set(columns.text)
    new |= set(columns.replaced)
    if columns.id_as == "replace":
        new.add(str(columns.id))
    fields = []
    for name in columns.output(available):
        field = schema.field(name)
        kind = pa.string()
        if name not in new or pa.types.is_large_string(field.type):
            kind = field.type
        nullable = name in new or field.nullable
        fields.append(pa.field(name, kind, nullable))
    return pa.schema(fields)


def output_batch(
    batch: RecordBatch,
    columns: Columns,
    layout: Layout,
    schema: Schema,
    done: Sequence[Done],
) -> RecordBatch:
    """Return the output of a record batch.

    :param batch: The rows as read.
    :param columns: What the columns are for.
    :param layout: How a row is put together.
    :param schema: Schema of the output.
    :param done: What became of the rows.
    :return: The new rows; those that are left out are not among them.
    """
    pa = _arrow()
    new = (*columns.text, *columns.known, columns.id)
    names = [name for name in layout.output if name in new]
    values: dict[str, list[Any]] = {name: [] for name in names}
    places = []
    lists = {name: batch.column(name).to_pylist() for name in names}
    whole = dict.fromkeys(layout.available)
    for place, result in enumerate(done):
        row_values = [lists[name][place] if name in lists else None for name in whole]
        row = layout.row(row_values, result)
        if row is None:
            continue
        places.append(place)
        for name, value in zip(layout.output, row, strict=True):
            if name in values:
                values[name].append(value)
    if len(places) < batch.num_rows:
        batch = batch.take(pa.array(places, pa.int64()))
    arrays = [
        pa.array(values[field.name], field.type)
        if field.name in values
        else batch.column(field.name)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


class ParquetSink:
    """A Parquet file, put together at the end from the batches written so far.

    :param partial: Path while it grows: batches, each with its length before it.
    :param layout: How a row is put together.
    :param columns: What the columns are for.
    :param schema: Schema of the input.
    """

    def __init__(
        self, partial: Path, layout: Layout, columns: Columns, schema: Schema
    ) -> None:
        """Nothing is opened yet."""
        self._file = AppendFile(partial)
        self._layout = layout
        self._columns = columns
        self._schema = output_schema(schema, columns, schema.names)

    def open(self, position: int) -> None:
        """Begin, or go on.

        :param position: Length that is sure to be good.
        """
        self._file.open(position)

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the rows of a chunk.

        :param chunk: The rows as read.
        :param done: What became of them.
        :return: How many rows were written.
        """
        pa = _arrow()
        batch = output_batch(
            chunk.rest, self._columns, self._layout, self._schema, done
        )
        buffer = pa.BufferOutputStream()
        with pa.ipc.new_stream(buffer, self._schema) as stream:
            stream.write_batch(batch)
        data = buffer.getvalue()
        self._file.write(_LENGTH.pack(data.size))
        self._file.write(data)
        return int(batch.num_rows)

    def sync(self) -> int:
        """Put everything on the disk; return the length."""
        return self._file.sync()

    def finish(self) -> Path:
        """Put the Parquet file together, a row group at a time, and return its path."""
        pa = _arrow()
        self._file.close()
        made = self._file.path.with_name(self._file.path.name + ".parquet")
        with pa.parquet.ParquetWriter(made, self._schema, compression="zstd") as writer:
            for batches in self._groups():
                writer.write_table(pa.Table.from_batches(batches, self._schema))
        return made

    def _groups(self) -> Iterator[list[RecordBatch]]:
        pa = _arrow()
        held: list[RecordBatch] = []
        rows = size = 0
        with open(self._file.path, "rb") as file:
            while head := file.read(_LENGTH.size):
                data = file.read(_LENGTH.unpack(head)[0])
                with pa.ipc.open_stream(data) as stream:
                    held.extend(stream)
                rows, size = rows + held[-1].num_rows, size + len(data)
                if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
                    yield held
                    held, rows, size = [], 0, 0
        yield held
