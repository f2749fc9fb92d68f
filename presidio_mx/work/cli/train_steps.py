"""The steps of a training from the command line: read, train, measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.research.evaluation.bootstrap import ROUNDS, SEED
from presidio_mx.research.evaluation.run import Evaluation, evaluate
from presidio_mx.research.evaluation.tables import show
from presidio_mx.research.training.data import read_notes, ready_folder, require_apart
from presidio_mx.research.training.history import Epoch
from presidio_mx.schemes import Scheme, in_scheme
from presidio_mx.text.spans import Note, Span
from presidio_mx.work.cli.corpus import EXIT_PARTLY
from presidio_mx.work.cli.text import say, tell, tell_problems

OnEpoch = Callable[[Epoch], None]


@dataclass(frozen=True, slots=True)
class Corpora:
    """The notes of a training.

    :param train: Notes to learn from.
    :param dev: Notes that choose the epoch.
    :param scheme: How their types are named.
    :param problems: What of the corpora was skipped; told already.
    """

    train: list[Note]
    dev: list[Note]
    scheme: Scheme
    problems: Sequence[str] = ()


def read_corpora(train: list[Path], dev: Path, form: str, scheme: str) -> Corpora:
    """Read the notes of a training; problems are told, and the others are taken.

    :param train: Corpora to learn from.
    :param dev: Corpus that chooses the epoch.
    :param form: Format of all.
    :param scheme: How to name types.
    :return: The notes.
    :raises InputError: If there are none, or a note is in both parts.
    :raises ConfigurationError: If format or scheme is unknown.
    """
    named = cast(Scheme, scheme)
    # An unknown scheme is refused before anything is read.
    in_scheme(Note("", ""), named)
    notes, problems = read_notes(train, form, named)
    apart, more = read_notes([dev], form, named)
    tell_problems(problems + more)
    require_apart(notes, apart)
    return Corpora(notes, apart, named, problems + more)


def train_shown(
    run: Callable[[OnEpoch], object], folder: Path, epochs: int, resume: bool
) -> None:
    """Train under a progress bar, unless the folder holds the finished model.

    :param run: Trains, and calls what it is given after each epoch.
    :param folder: Folder of the model.
    :param epochs: Maximum number of epochs.
    :param resume: Whether a run in the folder may go on.
    :raises InputError: If the folder is taken.
    """
    if ready_folder(folder, resume):
        tell(say(f"{folder}: already trained", f"{folder}: ya está entrenado"))
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(say("preparing", "preparando"), total=epochs)

        def show(row: Epoch) -> None:
            figures = f"loss {row.loss:.3f}  dev F1 {100 * row.f1:.2f}"
            progress.update(task, completed=row.epoch, description=figures)

        run(show)


def marked(recognizer: MxTaggerRecognizer, note: Note) -> Note:
    """Return a note with what a recognizer finds.

    :param recognizer: The recognizer.
    :param note: The note; its spans are not looked at.
    """
    found = recognizer.analyze(note.text, []) if note.text.strip() else []
    return note.with_spans(
        tuple(Span(r.start, r.end, r.entity_type, score=float(r.score)) for r in found)
    )


def measure(recognizer: MxTaggerRecognizer, corpora: Corpora) -> Evaluation:
    """Score a trained model on the dev notes and show the table.

    :param recognizer: The recognizer with the model.
    :param corpora: The notes.
    :return: The scores.
    """
    predicted = [marked(recognizer, note) for note in corpora.dev]
    found = evaluate(corpora.dev, predicted, corpora.scheme, ROUNDS, SEED)
    show(found)
    return found


def finish(recognizer: MxTaggerRecognizer, corpora: Corpora) -> None:
    """Score a trained model, and end with 3 if something of the corpora was skipped.

    :param recognizer: The recognizer with the model.
    :param corpora: The notes.
    :raises typer.Exit: If so.
    """
    measure(recognizer, corpora)
    if corpora.problems:
        raise typer.Exit(EXIT_PARTLY)
