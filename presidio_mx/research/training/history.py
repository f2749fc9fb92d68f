"""What every trainer keeps of its epochs, and when it is time to stop.

The history is one JSON object a line in ``history.jsonl``. A new line replaces the file
as a whole, so that a run which is killed leaves either the old history or the new one.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from presidio_mx.errors import InputError

FILE = "history.jsonl"


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one pass over the training notes came to.

    :param epoch: Its number, from 1.
    :param steps: Updates of the weights since training began.
    :param seconds: Time this epoch took, in seconds.
    :param loss: Mean loss of training, or the value of the objective.
    :param precision: Of the dev notes, from 0 to 1.
    :param recall: Of the dev notes, from 0 to 1.
    :param f1: Of the dev notes, from 0 to 1.
    """

    epoch: int
    steps: int
    seconds: float
    loss: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class EarlyStopping:
    """Stops when the dev F1 has not risen for some epochs.

    It holds no state: what it says follows from the history, also after a resume.

    :param patience: Epochs without a better one after which to stop; 0 never stops.
    """

    patience: int

    @staticmethod
    def best(history: Sequence[Epoch]) -> Epoch | None:
        """Return the epoch with the highest dev F1, the first of equals.

        :param history: The epochs so far.
        """
        return max(history, key=lambda row: row.f1, default=None)

    def stop(self, history: Sequence[Epoch]) -> bool:
        """Tell whether to stop.

        :param history: The epochs so far.
        """
        best = self.best(history)
        if best is None or self.patience < 1:
            return False
        return history[-1].epoch - best.epoch >= self.patience


def read_history(folder: Path) -> list[Epoch]:
    """Return the epochs of a run.

    :param folder: The folder of the model.
    :return: The epochs in order; none if the run has not come so far.
    :raises InputError: If a line is not an epoch.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    lines = path.read_text("utf-8").splitlines()
    return [_epoch(path, number, line) for number, line in enumerate(lines, start=1)]


def _epoch(path: Path, number: int, line: str) -> Epoch:
    names = {field.name for field in fields(Epoch)}
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        row = None
    if not isinstance(row, dict) or set(row) != names:
        raise InputError(
            f"{path}, line {number}: not an epoch ({', '.join(sorted(names))}); "
            "train into a new folder"
        )
    return Epoch(**row)


def write_history(folder: Path, history: Sequence[Epoch]) -> None:
    """Write the epochs of a run, all or nothing.

    :param folder: The folder of the model; it exists.
    :param history: The epochs in order.
    """
    part = folder / f"{FILE}.part"
    with part.open("w", encoding="utf-8") as file:
        for row in history:
            file.write(json.dumps(asdict(row)) + "\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(folder / FILE)


def add_epoch(folder: Path, row: Epoch) -> list[Epoch]:
    """Add an epoch to the history.

    :param folder: The folder of the model; it exists.
    :param row: The epoch.
    :return: The history with it.
    """
    history = [*read_history(folder), row]
    write_history(folder, history)
    return history
