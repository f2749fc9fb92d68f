"""Read tab-separated lists that a data steward can edit."""

from collections.abc import Iterator
from pathlib import Path

from presidio_mx.errors import ConfigurationError


def read_cells(path: Path) -> Iterator[list[str]]:
    """Yield the header of a gazetteer file, then its rows, as cells.

    Lines that start with ``#`` and empty lines are ignored; the first other line
    names the columns. Trailing empty cells may be left out.

    :param path: A UTF-8 file with tab-separated columns.
    :return: One list a row, as long as the header.
    :raises ConfigurationError: If the file is missing, is not UTF-8, or a row has more
        cells than the header.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: no such gazetteer file") from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8"
        ) from None
    columns = 0
    header = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line or line[0] == "#" or line.isspace():
            continue
        cells = list(map(str.strip, line.split("\t")))
        if not columns:
            columns, header = len(cells), ", ".join(cells)
        elif len(cells) > columns:
            raise ConfigurationError(
                f"{path}, line {number}: {len(cells)} cells where the header has "
                f"{columns} ({header}); separate columns with one tab"
            )
        elif len(cells) < columns:
            cells += [""] * (columns - len(cells))
        yield cells
