"""The files of a folder by their ending."""

from pathlib import Path

from presidio_mx.errors import InputError


def files_ending(folder: Path, ending: str) -> list[Path]:
    """Return the files of a folder and its sub-folders that have an ending.

    Old systems write ``NOTA.TXT``, so case does not matter.

    :param folder: The folder; without one there are no files.
    :param ending: The ending in lower case, with its dot.
    :return: The files, sorted by path.
    """
    return sorted(
        path
        for path in folder.rglob("*")
        if path.name.lower().endswith(ending) and not path.is_dir()
    )


def notes_in(folder: Path) -> list[Path]:
    """Return the notes (``.txt``) of a folder and its sub-folders.

    :param folder: The folder.
    :return: The files, sorted by path; one at least.
    :raises InputError: If there are none.
    """
    files = files_ending(folder, ".txt")
    if not files:
        raise InputError(f"{folder}: no .txt notes in this folder")
    return files
