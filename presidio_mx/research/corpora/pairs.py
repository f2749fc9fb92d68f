"""Pair the files of two folders by their names."""

from dataclasses import dataclass
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.research.corpora.formats import Broken, read_text
from presidio_mx.text.reading.folders import files_ending


@dataclass(frozen=True, slots=True)
class Pair:
    """A note and what became of it.

    :param id: Path below both folders, without ending.
    :param original: The note.
    :param copy: The de-identified or rewritten text.
    """

    id: str
    original: str
    copy: str


def read_texts(folder: Path) -> tuple[dict[str, str], list[str]]:
    """Read all ``.txt`` files of a folder and its sub-folders.

    :param folder: The folder.
    :return: Texts by id, and a sentence for each file that could not be read.
    :raises InputError: If there are none.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    texts: dict[str, str] = {}
    problems: list[str] = []
    for file in files_ending(folder, ".txt"):
        name = file.relative_to(folder).with_suffix("").as_posix()
        if name in texts:
            problems.append(f"{file}: another note has this name; rename one")
            continue
        try:
            texts[name] = read_text(file)
        except (Broken, OSError) as error:
            problems.append(f"{file}: {getattr(error, 'reason', 'cannot be read')}")
    if not texts and not problems:
        raise InputError(f"{folder}: no .txt files in this folder")
    return texts, problems


def read_pairs(originals: Path, copies: Path) -> tuple[list[Pair], list[str]]:
    """Read two folders of texts.

    :param originals: Folder of notes.
    :param copies: Folder of what became of them, same names.
    :return: The pairs, and a sentence for each file without its other half.
    :raises InputError: If a folder has no texts.
    """
    left, problems = read_texts(originals)
    right, more = read_texts(copies)
    problems += more
    problems += [f"{name}: no copy in {copies}" for name in left if name not in right]
    problems += [
        f"{name}: no note in {originals}" for name in right if name not in left
    ]
    return [Pair(n, left[n], right[n]) for n in left if n in right], problems
