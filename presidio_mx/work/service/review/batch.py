"""The notes of a batch that are to be reviewed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.work.batch.finished import is_finished, read_finished, riskiest_first


@dataclass(frozen=True, repr=False)
class BatchNotes:
    """Notes of a batch, and how they were de-identified.

    :param texts: Text by identifier, the riskiest first.
    :param known: The patients' own data by the text.
    :param how: People, preset, model and sensitivity of the batch.
    """

    texts: Mapping[str, str]
    known: Mapping[str, Mapping[str, list[str]]]
    how: tuple[Any, Any, Any, Any]


def batch_notes(source: Path, riskiest: int | None) -> BatchNotes | None:
    """Read the notes of a batch; return None where the source is no batch's output.

    :param source: What is to be reviewed.
    :param riskiest: How many, those of the highest risk; None for all.
    :raises InputError: If the originals are gone or changed, or there is no text.
    :raises ConfigurationError: If the riskiest of something else are asked for.
    """
    if not is_finished(source):
        if riskiest is not None:
            raise ConfigurationError(
                f"--riskiest: {source} is no output of presidio-mx batch; leave it out"
            )
        return None
    batch = read_finished(source)
    batch.check_input()
    notes = sorted(batch.notes(), key=lambda note: riskiest_first(note.row))[:riskiest]
    if not notes:
        raise InputError(
            f"{source}: holds no note that is read as text; files that keep their form "
            "(Word, HL7 ...) are reviewed in their own programs"
        )
    made = batch.header
    return BatchNotes(
        {note.id: note.text for note in notes},
        {note.text: note.known for note in notes if note.known},
        (made["people"], made["preset"], made["ner"], made["sensitivity"]),
    )
