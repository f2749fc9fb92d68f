"""Read gazetteers: tab-separated lists that a data steward can edit."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, wraps
from inspect import signature
from pathlib import Path
from typing import ParamSpec, TypeVar

from presidio_mx.resources import folder
from presidio_mx.tsv_file import read_cells as read_cells

P = ParamSpec("P")
T = TypeVar("T")


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a gazetteer file by the names of their columns.

    :param path: A file as :func:`presidio_mx.tsv_file.read_cells` reads it.
    :return: One dictionary a row, every column of the header present.
    :raises ConfigurationError: As :func:`presidio_mx.tsv_file.read_cells`.
    """
    header: list[str] | None = None
    for cells in read_cells(path):
        if header is None:
            header = cells
        else:
            yield dict(zip(header, cells, strict=True))


def rows(name: str, extra_folders: Sequence[Path] = ()) -> Iterator[dict[str, str]]:
    """Yield the rows of a shipped gazetteer, then those of the same file elsewhere.

    :param name: File name without ending, e.g. ``given_names``.
    :param extra_folders: Folders of a site's own that may add to the list.
    :return: Rows as :func:`read_table` yields them.
    :raises ConfigurationError: If there is no such gazetteer or a file is broken.
    """
    for path in paths(name, extra_folders):
        yield from read_table(path)


def paths(name: str, extra_folders: Sequence[Path] = ()) -> list[Path]:
    """Return the files of a gazetteer: the shipped one, then those of a site's own.

    :param name: File name without ending.
    :param extra_folders: Folders that may hold a file of that name.
    :return: Paths; all but the first exist.
    """
    own = [extra / f"{name}.tsv" for extra in extra_folders]
    shipped = folder("gazetteers") / f"{name}.tsv"
    return [shipped, *(path for path in own if path.is_file())]


def kept(make: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function makes of gazetteers until a file of a site changes.

    :param make: A function whose parameter ``folders`` names a site's own folders.
    """
    parameters = signature(make)

    @lru_cache(maxsize=8)
    def made(state: object, *args: P.args, **kwargs: P.kwargs) -> T:
        return make(*args, **kwargs)

    @wraps(make)
    def load(*args: P.args, **kwargs: P.kwargs) -> T:
        folders = parameters.bind(*args, **kwargs).arguments.get("folders", ())
        return made(_state(folders), *args, **kwargs)  # type: ignore[arg-type]

    return load


def _state(folders: Sequence[Path]) -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change and size of each gazetteer of some folders."""
    files = [file for place in folders for file in sorted(place.glob("*.tsv"))]
    states = ((str(file), file.stat()) for file in files)
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in states)
