"""Read the notes of a training, and make its folder ready."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from presidio_mx.errors import InputError
from presidio_mx.find.ner.model_folder import MANIFEST
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note


def read_notes(
    paths: Iterable[Path], form: str, scheme: Scheme
) -> tuple[list[Note], list[str]]:
    """Read the notes of several folders or files as one corpus.

    :param paths: Folders or files; ids get their path, since many have a ``001``.
    :param form: Their format.
    :param scheme: How to name types.
    :return: The notes, and a sentence for each problem.
    :raises InputError: If no note could be read.
    """
    notes: list[Note] = []
    problems: list[str] = []
    for path in paths:
        corpus = read_corpus(path, form, scheme)
        problems += [str(problem) for problem in corpus.problems]
        notes += [replace(note, id=f"{path}/{note.id}") for note in corpus.notes]
    if not notes:
        raise InputError(
            "no note could be read to learn from"
            + (f"; {problems[0]}" if problems else "")
        )
    return notes, problems


def require_apart(train: Sequence[Note], dev: Sequence[Note]) -> None:
    """Make sure that no note is learnt from and measured on.

    :param train: Notes to learn from.
    :param dev: Notes to measure on.
    :raises InputError: If a text is in both.
    """
    known = {note.text: note.id for note in train}
    for note in dev:
        if note.text in known:
            raise InputError(
                f"{note.id} is also a note to train on ({known[note.text]}); "
                "scores on it would mean nothing"
            )


def ready_folder(folder: Path, resume: bool) -> bool:
    """Make the folder of a model.

    :param folder: Where the model goes.
    :param resume: Whether a run in it may go on.
    :return: Whether the folder holds a model whose training ended.
    :raises InputError: If it holds something and is not to be resumed.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not resume:
        raise InputError(
            f"{folder} is not empty; go on with --resume or name a new folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / MANIFEST).is_file()
