"""The notes of a batch that are to be reviewed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.pipeline import Examined, examine
from presidio_mx.work.batch.finished import is_finished, read_finished, riskiest_first
from presidio_mx.work.documents.deidentify import examine_opened
from presidio_mx.work.documents.read import open_document


@dataclass(frozen=True, repr=False)
class BatchNotes:
    """Notes of a batch, and how they were de-identified.

    :param texts: Text by identifier, the riskiest first.
    :param known: The patients' own data by the text.
    :param files: Files that keep their form (Word, HL7 …), by the text.
    :param encoding: Encoding of the files, if the user said it.
    :param how: People, preset, model and sensitivity of the batch.
    """

    texts: Mapping[str, str]
    known: Mapping[str, Mapping[str, list[str]]]
    files: Mapping[str, Path]
    encoding: str | None
    how: tuple[Any, Any, Any, Any]

    def examine(self, text: str, site: Path | None) -> Examined:
        """Find what identifies somebody in a note, as the batch did.

        :param text: A note of the batch.
        :param site: Folder with a site's own lists and rules.
        """
        people, preset, ner, sensitivity = self.how
        how: dict[str, Any] = {
            "people": people,
            "preset": preset,
            "ner": ner,
            "sensitivity": sensitivity,
            "site": site,
        }
        if text in self.files:
            opened = open_document(self.files[text], self.encoding)
            return examine_opened(opened, **how)
        return examine(text, known=self.known.get(text), **how)


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
        raise InputError(f"{source}: holds no note that did not fail")
    made = batch.header
    return BatchNotes(
        {note.id: note.text for note in notes},
        {note.text: note.known for note in notes if note.known},
        {note.text: note.file for note in notes if note.file},
        batch.reading.encoding,
        (made["people"], made["preset"], made["ner"], made["sensitivity"]),
    )
