"""Train a CRF with CRFsuite (Okazaki 2007) on labelled notes.

python-crfsuite is used without sklearn-crfsuite, which wraps it: this needs neither
scikit-learn nor a pickle, and the dev notes are scored after each iteration.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

from presidio_mx.errors import InputError
from presidio_mx.extras import need
from presidio_mx.find.ner.model_folder import Manifest, write_manifest
from presidio_mx.research.evaluation.counts import Counts
from presidio_mx.research.systems.bio import OUTSIDE, labelled
from presidio_mx.research.systems.crf import KIND, MODEL_FILE, RUN
from presidio_mx.research.systems.word_features import WINDOW, features, load_gazetteers
from presidio_mx.research.training.history import EarlyStopping, Epoch, write_history
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note

_TRAIN, _DEV = 0, 1
OnEpoch = Callable[[Epoch], None]


@dataclass(frozen=True, slots=True)
class CrfRecipe:
    """How a CRF is trained.

    :param epochs: Most iterations of L-BFGS (OWL-QN).
    :param patience: Iterations without a better dev F1 after which to stop; 0: never.
    :param l1: Weight of the L1 norm, which makes the model small.
    :param l2: Weight of the L2 norm.
    :param minimum: Features that occur less often are left out: the model gets much
        smaller, and words that stand in one place only stay out of its file.
    """

    epochs: int = 150
    patience: int = 30
    l1: float = 0.1
    l2: float = 0.05
    minimum: int = 2


class _Enough(Exception):  # noqa: N818
    """Raised where CRFsuite reports an iteration, to end its training."""


def train_crf(
    train: Sequence[Note],
    dev: Sequence[Note],
    folder: Path,
    scheme: Scheme,
    recipe: CrfRecipe,
    on_epoch: OnEpoch = lambda row: None,
) -> list[Epoch]:
    """Train a CRF and write its folder.

    L-BFGS gives the same weights each time, so the model of the best iteration is had
    by training again up to it. For the same reason a run that was interrupted begins
    anew and comes to the same model. The scores of the history count labels of words,
    ``O`` left out; a seed is not needed.

    :param train: Notes to learn from.
    :param dev: Notes that choose the iteration.
    :param folder: An existing folder.
    :param scheme: How the types of the notes are named.
    :param recipe: Parameters.
    :param on_epoch: Called after each iteration.
    :return: The history.
    :raises InputError: If the training notes have no spans.
    """
    labels = sorted({name for note in train for name in _labels(note)})
    if len(labels) < 2:
        raise InputError("the training notes have no spans to learn from")
    history: list[Epoch] = []
    stopping = EarlyStopping(recipe.patience)

    def record(row: Epoch) -> None:
        history.append(row)
        write_history(folder, history)
        on_epoch(row)
        if stopping.stop(history):
            raise _Enough

    path = folder / MODEL_FILE
    instances = chain(_instances(train, _TRAIN), _instances(dev, _DEV))
    trainer = _trainer(recipe, instances)
    _fit(trainer, path, recipe.epochs, record)
    best = stopping.best(history)
    if best is not None and (best is not history[-1] or not path.exists()):
        _fit(trainer, path, best.epoch, lambda row: None)
    write_manifest(
        folder,
        Manifest(
            KIND,
            scheme,
            tuple(labels),
            asdict(recipe)
            | {
                "best_epoch": best.epoch if best else recipe.epochs,
                "window": WINDOW,
                "run": RUN,
                "notes": len(train),
            },
        ),
    )
    return history


def _labels(note: Note) -> set[str]:
    return {name for run in labelled(note, RUN) for name in run.labels}


Instance = tuple[list[list[str]], tuple[str, ...], int]


def _instances(notes: Iterable[Note], group: int) -> Iterable[Instance]:
    lists = load_gazetteers()
    for note in notes:
        for run in labelled(note, RUN):
            yield features(note.text, run.pieces, lists), run.labels, group


def _trainer(recipe: CrfRecipe, instances: Iterable[Instance]) -> Any:
    trainer = need("pycrfsuite", "a CRF", KIND).Trainer()
    for name in dir(trainer):
        if name.startswith("on_"):
            # By default each event is printed.
            setattr(trainer, name, lambda *_: None)
    for rows, labels, group in instances:
        trainer.append(rows, labels, group)
    trainer.set_params(
        {
            "c1": recipe.l1,
            "c2": recipe.l2,
            "feature.minfreq": recipe.minimum,
            "feature.possible_transitions": True,
        }
    )
    return trainer


def _fit(trainer: Any, path: Path, iterations: int, record: OnEpoch) -> None:
    """Train up to an iteration; the file takes its name when it is whole."""
    part = path.with_name(path.name + ".part")
    path.unlink(missing_ok=True)
    trainer.set("max_iterations", iterations)
    begun = monotonic()

    def on_iteration(log: str, info: dict[str, Any]) -> None:
        nonlocal begun
        now = monotonic()
        counts = _counts(info["scores"])
        record(
            Epoch(
                epoch=info["num"],
                steps=info["num"],
                seconds=round(now - begun, 3),
                loss=info["loss"],
                precision=counts.precision,
                recall=counts.recall,
                f1=counts.f1,
            )
        )
        begun = now

    trainer.on_iteration = on_iteration
    try:
        trainer.train(str(part), _DEV)
    except _Enough:
        part.unlink(missing_ok=True)
    else:
        part.replace(path)


def _counts(scores: dict[str, Any]) -> Counts:
    """Add up CRFsuite's counts of the labels that mark something."""
    found = Counts()
    for label, row in scores.items():
        if label != OUTSIDE:
            found += Counts(row.match, row.model - row.match, row.ref - row.match)
    return found
