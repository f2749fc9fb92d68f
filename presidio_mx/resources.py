"""Find the data folders that ship with the package."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from presidio_mx.errors import ConfigurationError

FOLDERS = ("recognizers", "operators", "gazetteers")


@cache
def folder(name: str) -> Path:
    """Return the path of a shipped data folder.

    Installed, it is ``presidio_mx/data/<name>``; in a checkout (editable install)
    it is the folder of that name beside ``pyproject.toml``.

    :param name: ``recognizers``, ``operators`` or ``gazetteers``.
    :return: An existing folder.
    :raises ConfigurationError: If there is no such folder.
    """
    if name not in FOLDERS:
        raise ConfigurationError(
            f"unknown data folder {name!r}; the folders are {', '.join(FOLDERS)}"
        )
    package = Path(str(files("presidio_mx")))
    shipped = package / "data" / name
    if shipped.is_dir():
        return shipped
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    raise ConfigurationError(
        f"the data folder {name!r} is missing; reinstall presidio-mx"
    )
