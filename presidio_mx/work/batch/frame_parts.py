"""What frames of pandas and polars are made of."""

from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.work.batch.chunk import Layout


def column_names(frame: Any) -> list[str]:
    """Return the names of a frame's columns, all that it holds.

    :param frame: A frame of pandas or polars.
    :raises ConfigurationError: If names are no text, or the frame of pandas has an
        index that says something: it would pass through undeclared.
    """
    odd = [name for name in frame.columns if not isinstance(name, str)]
    if odd:
        raise ConfigurationError(
            f"the frame: its columns must be named by text, not by "
            f"{type(odd[0]).__name__}; write frame.columns = frame.columns.map(str)"
        )
    index = getattr(frame, "index", None)
    if index is not None and _says_something(index):
        raise ConfigurationError(
            "the frame: its index would pass through as it is; make a column of it by "
            "frame.reset_index() and declare that, or drop it by "
            "frame.reset_index(drop=True)"
        )
    return list(frame.columns)


def _says_something(index: Any) -> bool:
    """Tell whether an index is more than the rows' numbers."""
    if not len(index):
        return False
    return index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu"


def values_of(frame: Any, name: str, library: str) -> list[Any]:
    """Return the values of a column; what is missing is None.

    :param frame: The frame.
    :param name: Name of the column.
    :param library: ``pandas`` or ``polars``.
    """
    if library == "polars":
        values: list[Any] = frame[name].to_list()
        return values
    missing = frame[name].isna().tolist()
    return [
        None if gone else value
        for value, gone in zip(frame[name].tolist(), missing, strict=True)
    ]


def make_pandas(
    frame: Any, layout: Layout, new: dict[str, list[Any]], skipped: list[bool]
) -> Any:
    """Return a frame of pandas with new columns.

    :param frame: The frame given.
    :param layout: Columns of the output.
    :param new: Values by column.
    :param skipped: Which rows are left out.
    """
    pandas = need("pandas", "Frames of pandas")
    made = frame[list(layout.output)].copy()
    for name, values in new.items():
        kind = frame[name].dtype
        text = pandas.api.types.is_string_dtype(kind)
        # Told its type, a series of objects is not made one of strings, which cannot
        # hold the halves of characters that notes may have.
        made[name] = pandas.Series(
            values, index=made.index, dtype=kind if text else object
        )
    return made.iloc[[place for place, gone in enumerate(skipped) if not gone]]


def make_polars(
    frame: Any, layout: Layout, new: dict[str, list[Any]], skipped: list[bool]
) -> Any:
    """Return a frame of polars with new columns.

    :param frame: The frame given.
    :param layout: Columns of the output.
    :param new: Values by column.
    :param skipped: Which rows are left out.
    """
    polars = need("polars", "Frames of polars")
    series = [
        polars.Series(name, values, dtype=polars.String) for name, values in new.items()
    ]
    made = frame.select(list(layout.output)).with_columns(series)
    return made.filter(polars.Series([not gone for gone in skipped], dtype=bool))
