"""Read gazetteers: tab-separated lists that a data steward can edit."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.resources import folder


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a gazetteer file.

    Lines that start with ``#`` and empty lines are passed over; the first other line
    names the columns. Trailing empty cells may be left out.

    :param path: A UTF-8 file with tab-separated columns.
    :return: One dictionary a row, every column of the header present.
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
    header: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if not header:
            header = cells
            continue
        if len(cells) > len(header):
            raise ConfigurationError(
                f"{path}, line {number}: {len(cells)} cells where the header has "
                f"{len(header)} ({', '.join(header)}); separate columns with one tab"
            )
        yield dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=True))


def rows(name: str, extra_folders: Sequence[Path] = ()) -> Iterator[dict[str, str]]:
    """Yield the rows of a shipped gazetteer, then those of the same file elsewhere.

    :param name: File name without ending, e.g. ``given_names``.
    :param extra_folders: Folders of a site's own that may add to the list.
    :return: Rows as :func:`read_table` yields them.
    :raises ConfigurationError: If there is no such gazetteer or a file is broken.
    """
    yield from read_table(folder("gazetteers") / f"{name}.tsv")
    for extra in extra_folders:
        path = extra / f"{name}.tsv"
        if path.is_file():
            yield from read_table(path)
