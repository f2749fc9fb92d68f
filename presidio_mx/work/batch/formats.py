"""Which reader and writer go with a file."""

from dataclasses import dataclass
from pathlib import Path

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.text.reading.encoding import named_encoding
from presidio_mx.text.reading.folders import files_ending
from presidio_mx.work.batch.chunk import Layout, Sink, Source
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.csv_files import CsvSink, CsvSource, output_encoding
from presidio_mx.work.batch.excel_files import LONGEST, ExcelSink, ExcelSource
from presidio_mx.work.batch.inputs import Input
from presidio_mx.work.batch.jsonl_files import JsonlSink, JsonlSource
from presidio_mx.work.batch.parquet_files import ParquetSink, ParquetSource
from presidio_mx.work.batch.text_files import FolderSink, FolderSource

STDIN = "-"
_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".xlsx": "excel",
}


@dataclass(frozen=True)
class Reading:
    """How an input is to be read and its output written, where a user says it.

    :param encoding: Name of an encoding.
    :param delimiter: What parts columns.
    :param sheet: Sheet of a workbook, by its name or number.
    :param output_encoding: Name of the encoding of a CSV output, or ``input``.
    """

    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    output_encoding: str | None = None


def check_reading(reading: Reading, kind: str) -> None:
    """Refuse what a user said about an input and its format does not have.

    :param reading: What the user said.
    :param kind: The format.
    :raises ConfigurationError: Naming the option.
    """
    for name, value, kinds in (
        ("--encoding", reading.encoding, ("csv", "jsonl", "text")),
        ("--delimiter", reading.delimiter, ("csv",)),
        ("--sheet", reading.sheet, ("excel",)),
        ("--output-encoding", reading.output_encoding, ("csv",)),
    ):
        if value is not None and kind not in kinds:
            raise ConfigurationError(
                f"{name}: without meaning for an input of format {kind}; leave it out"
            )
    if reading.delimiter is not None and (
        len(reading.delimiter) != 1 or reading.delimiter in '"\r\n\\'
    ):
        raise ConfigurationError(
            "--delimiter: must be one character, such as ';' or tab, and no quote"
        )


def format_of(path: str | Path, output: Path) -> str:
    """Return the format of an input: csv, jsonl, parquet, excel or text.

    :param path: A file, a folder, or ``-``, which is in the format of the output.
    :param output: The output.
    :return: Its name.
    :raises InputError: If there is no such file, or nothing to read in a folder.
    :raises ConfigurationError: If the format of input and output differ.
    """
    if str(path) == STDIN:
        kind = _SUFFIXES.get(output.suffix.lower(), "")
        if kind not in ("csv", "jsonl"):
            raise ConfigurationError(
                f"{output}: standard input is read in the format of the output, which "
                "must end in .csv, .tsv or .jsonl"
            )
        return kind
    kind = kind_of_input(Path(path))
    target = _SUFFIXES.get(output.suffix.lower(), "text")
    if target != kind:
        endings = [ending for ending, name in _SUFFIXES.items() if name == kind]
        raise ConfigurationError(
            f"{output}: the output has the format of the input; "
            + (f"name it with {' or '.join(endings)}" if endings else "name a folder")
        )
    return kind


def kind_of_input(place: Path) -> str:
    """Return the format of a file or folder: csv, jsonl, parquet, excel or text.

    :param place: A file or folder.
    :raises InputError: If there is no such file, or nothing to read in a folder.
    :raises ConfigurationError: If the format is unknown.
    """
    if place.is_dir():
        kind = "text"
        if files_ending(place, ".parquet"):
            if files_ending(place, ".txt"):
                raise InputError(f"{place}: has both .txt and .parquet files")
            kind = "parquet"
    elif not place.exists():
        raise InputError(f"{place}: no such file or folder")
    else:
        kind = _SUFFIXES.get(place.suffix.lower(), "")
    if not kind:
        raise ConfigurationError(
            f"{place}: unknown kind of file; there are folders of .txt or .parquet, "
            f"and {', '.join(_SUFFIXES)}"
        )
    return kind


def open_source(path: str | Path, kind: str, reading: Reading) -> Source:
    """Open an input and read its columns.

    :param path: A file, a folder, or ``-``.
    :param kind: Its format.
    :param reading: What the user said about it.
    :return: The source.
    :raises InputError: If it cannot be read.
    """
    place = Path(path)
    encoding = None if reading.encoding is None else named_encoding(reading.encoding)
    if kind == "text":
        return FolderSource(place, encoding)
    if kind == "parquet":
        return ParquetSource(place)
    if kind == "excel":
        return ExcelSource(place, reading.sheet)
    data = Input(None if str(path) == STDIN else place)
    if kind == "jsonl":
        return JsonlSource(data, encoding)
    return CsvSource(data, encoding, reading.delimiter)


def open_sink(
    source: Source,
    output: Path,
    partial: Path,
    layout: Layout,
    columns: Columns,
    reading: Reading,
) -> Sink:
    """Return what writes the output of a source.

    :param source: The source.
    :param output: The final path.
    :param partial: Path while it grows.
    :param layout: How a row is put together.
    :param columns: What the columns are for.
    :param reading: What the user said about it.
    :return: The sink, not yet opened.
    """
    if isinstance(source, FolderSource):
        return FolderSink(partial, layout, source.names)
    if isinstance(source, ParquetSource):
        return ParquetSink(partial, layout, columns, source.schema)
    if isinstance(source, ExcelSource):
        return ExcelSink(partial, layout)
    if isinstance(source, CsvSource):
        tab = output.suffix.lower() == ".tsv"
        delimiter = "\t" if tab else source.dialect.delimiter
        encoding = output_encoding(source.encoding, reading.output_encoding)
        return CsvSink(partial, layout, delimiter, encoding)
    return JsonlSink(partial, layout)


def longest_text(kind: str) -> int:
    """Return how many characters a cell of a format holds; 0 for any number."""
    return LONGEST if kind == "excel" else 0
