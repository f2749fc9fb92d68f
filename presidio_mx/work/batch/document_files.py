"""Files of a folder that keep their form: Word, HL7, JSON, XML. A row each."""

import hashlib
import time
from collections import Counter
from dataclasses import dataclass

from presidio_mx.errors import InputError
from presidio_mx.replace.keys import Scope
from presidio_mx.work.batch.cells import Done
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.documents.deidentify import deidentify_opened
from presidio_mx.work.documents.endings import KINDS
from presidio_mx.work.documents.read import open_data

# Endings of files that keep their form.
KEPT = frozenset(end for end, kind in KINDS.items() if not kind.as_text)


@dataclass(frozen=True, repr=False)
class FileNote:
    """A file in the place of a note.

    :param data: Its bytes.
    :param suffix: Ending of its name.
    :param encoding: Its encoding, if the user said it.
    """

    data: bytes
    suffix: str
    encoding: str | None = None

    def __str__(self) -> str:
        """Return a digest, by which a run that goes on knows the file again."""
        return hashlib.sha256(self.data).hexdigest()


def deidentify_note(
    settings: Settings, note: FileNote, scope: Scope, place: str
) -> Done:
    """De-identify a file.

    :param settings: How.
    :param note: The file.
    :param scope: Where the same value keeps its surrogate.
    :param place: Its place in the run, by which a review knows it.
    :return: What became of it: its new bytes, and the count of what they lack.
    :raises InputError: If it cannot be read, or its originals are to be kept.
    """
    if settings.originals:
        raise InputError(
            f"the vault restores plain text alone; take the {note.suffix} files out of "
            "the folder, or run it without --vault"
        )
    begin = time.perf_counter()
    new = deidentify_opened(
        open_data(note.data, note.suffix, "the file", note.encoding),
        settings.operators,
        people=settings.people,
        preset=settings.preset,
        ner=settings.ner,
        site=settings.site,
        sensitivity=settings.sensitivity,
        key=settings.key,
        scope=scope,
        reviewed=settings.reviewed.get(place),
    )
    return Done(
        texts=("",),
        entities=Counter(item.entity_type for item in new.items),
        operators=Counter(item.operator for item in new.items),
        seconds=time.perf_counter() - begin,
        risk=new.risk,
        file=new.data,
        suffix=new.suffix,
        left_out={what.value[0]: lost.count for what, lost in new.left_out.items()},
    )
