"""De-identify the notes of a Spark frame, on as many machines as Spark has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.extras import need
from presidio_mx.find.ner.choose import Ner
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.pipeline import People
from presidio_mx.replace.engine import Operators
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.chunk import Layout
from presidio_mx.work.batch.columns import Columns, Treatment, known_kinds
from presidio_mx.work.batch.frame import Names, known_columns, names_of
from presidio_mx.work.batch.job import complete_settings
from presidio_mx.work.batch.parquet_files import (
    RecordBatch,
    chunk_of,
    output_batch,
    output_schema,
)
from presidio_mx.work.batch.settings import SECONDS, Settings, warm_up
from presidio_mx.work.batch.work import process


@dataclass(frozen=True)
class _Plan:
    """What travels to the executors.

    :param columns: What the columns are for.
    :param available: Columns of the frame that are read.
    :param settings: How the rows are de-identified.
    :param error: Column that says why a row failed.
    :param counts: Column with the count of every entity; None for no such column.
    """

    columns: Columns
    available: tuple[str, ...]
    settings: Settings
    error: str
    counts: str | None


def deidentify(
    df: Any,
    *,
    text: Names = (),
    known: Mapping[str, Names] | None = None,
    id: str | None = None,
    keep: Names = (),
    drop: Names = (),
    shift: Names = (),
    generalize: Mapping[str, str | int] | None = None,
    known_as: Treatment = "drop",
    id_as: Treatment = "drop",
    operators: Operators = "tag",
    key: Key | str | bytes | None = None,
    corpus: bool = False,
    people: People = "everyone",
    preset: str = "mx",
    ner: Ner = "auto",
    site: Path | str | None = None,
    sensitivity: str | float = BALANCED,
    timeout: float = SECONDS,
    error: str = "error",
    counts: str | None = None,
) -> Any:
    """De-identify the notes of a Spark frame.

    The frame must declare every column. A row that fails keeps its place: its notes
    become a marked blank, and the column ``error`` says why. Engines are built once in
    each Python process of an executor. Surrogates depend on the key and the row alone,
    so that they are the same on every executor; so are those of a local batch where
    each row has the name of its patient.

    :param df: A ``pyspark.sql.DataFrame``.
    :param text: Columns with notes; this and all up to ``sensitivity`` is as
        :func:`presidio_mx.batch.deidentify` takes it. The key travels to the executors
        with the task, so encrypt Spark's connections; a site's folder must stand at
        this path on every executor.
    :param known: Kind of known data to its columns.
    :param id: Column with the patient's identifier.
    :param keep: Columns that pass through unchanged.
    :param drop: Columns that are left out.
    :param shift: Columns with dates.
    :param generalize: Column to how it says less.
    :param known_as: What becomes of the known columns.
    :param id_as: What becomes of the identifier.
    :param operators: Profile or operators.
    :param key: Secret of surrogates.
    :param corpus: Same value, same surrogate everywhere.
    :param people: Whose names are replaced.
    :param preset: Rule set.
    :param ner: Model.
    :param site: Folder of a site's own lists.
    :param sensitivity: From which probability on spans are marked.
    :param timeout: Seconds that a row may take; one that takes longer fails.
    :param error: Name of the column that says why a row failed, or is null.
    :param counts: Name of a column ``map<string,int>`` with the count of every entity,
        for an audit; None for no such column.
    :return: A new frame, computed when it is used.
    :raises ConfigurationError: If an option is wrong or a column is not declared.
    :raises InputError: If it is no frame of Spark.
    """
    need("pyspark", "Spark", "spark")
    if not hasattr(df, "mapInArrow"):
        kind = f"{type(df).__module__.partition('.')[0]}.{type(df).__name__}"
        raise InputError(
            f"{kind} is no DataFrame of Spark; presidio_mx.work.batch.deidentify takes "
            "those of pandas and polars, and paths"
        )
    columns = Columns(
        text=names_of(text),
        known=known_kinds(known_columns(known), names_of(shift), generalize),
        id=id,
        keep=names_of(keep),
        drop=names_of(drop),
        known_as=known_as,
        id_as=id_as,
    )
    columns.check(df.columns, "the frame")
    settings = Settings(
        operators=operators,
        key=None if key is None else Key.from_value(key),
        people=people,
        preset=preset,
        ner=ner,
        site=None if site is None else str(site),
        corpus=corpus,
        seconds=timeout,
        sensitivity=sensitivity,
    )
    read = tuple(name for name in df.columns if name not in columns.drop)
    dotted = [name for name in read if "." in name or "`" in name]
    if dotted:
        raise ConfigurationError(
            f"the frame: Spark cannot hand on a column named {dotted[0]!r}; rename it "
            "by withColumnRenamed, without dots and backticks"
        )
    there = {name.lower() for name in read}  # Spark does not tell a from A
    for added in (error, counts):
        if added is not None and added.lower() in there:
            raise ConfigurationError(
                f"the frame has a column {added!r} already; name another one with "
                "error= or counts="
            )
    if counts is not None and counts.lower() == error.lower():
        raise ConfigurationError(
            f"error= and counts= both name a column {counts!r}; give them two names"
        )
    plan = _Plan(columns, read, complete_settings(settings, columns, 0), error, counts)
    chosen = df.select(*(f"`{name.replace('`', '``')}`" for name in read))
    return chosen.mapInArrow(partial(_map, plan), _spark_schema(chosen.schema, plan))


def _spark_schema(schema: Any, plan: _Plan) -> Any:
    """Return the Spark schema of the output."""
    types = need("pyspark.sql.types", "Spark", "spark").sql.types
    columns = plan.columns
    new = set(columns.text)
    new |= set(columns.replaced)
    if columns.id_as == "replace":
        new.add(str(columns.id))
    for name in columns.text:
        if not isinstance(schema[name].dataType, types.StringType):
            kind = schema[name].dataType.simpleString()
            raise ConfigurationError(f"column {name!r} holds {kind}, not text")
    text = types.StringType()
    fields = [
        types.StructField(name, text, True) if name in new else schema[name]
        for name in columns.output(plan.available)
    ]
    fields.append(types.StructField(plan.error, text, True))
    if plan.counts is not None:
        kind = types.MapType(text, types.IntegerType(), False)
        fields.append(types.StructField(plan.counts, kind, False))
    return types.StructType(fields)


def _map(plan: _Plan, batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
    """De-identify the batches of a partition, in a Python process of an executor."""
    warm_up(plan.settings)  # wrong settings stop the job, they are no row's fault
    layout = Layout(plan.columns, plan.available, "blank")
    for batch in batches:
        cells = chunk_of(plan.columns, batch, 1).cells
        done = [process(plan.settings, row) for row in cells]
        schema = output_schema(batch.schema, plan.columns, plan.available)
        made = output_batch(batch, plan.columns, layout, schema, done)
        yield _with_report(made, plan, done)


def _with_report(batch: RecordBatch, plan: _Plan, done: list[Done]) -> RecordBatch:
    pa = need("pyarrow", "Spark", "spark")
    problems = pa.array([row.problem or None for row in done], pa.string())
    arrays, names = [*batch.columns, problems], [*batch.schema.names, plan.error]
    if plan.counts is not None:
        pairs = [list(row.entities.items()) for row in done]
        arrays.append(pa.array(pairs, pa.map_(pa.string(), pa.int32())))
        names.append(plan.counts)
    return pa.RecordBatch.from_arrays(arrays, names=names)
