"""What the page is shown, as plain data."""

from dataclasses import dataclass
from typing import Any

from presidio_mx.replace.engine import AnonymizedText
from presidio_mx.work.service.review.marks import NoteState, mark_fields


@dataclass(frozen=True, slots=True)
class Overview:
    """A note's row in the list.

    :param id: Identifier of the note.
    :param done: Whether it is finished.
    :param open: Marks that nobody has decided on.
    :param total: Marks that are not rejected.
    :param uncertainty: How doubtful the most doubtful undecided mark is.
    :param flag: ``skipped``, ``unsure`` or nothing.
    :param risk: How likely something had been left unmarked; None if it was not told.
    """

    id: str
    done: bool
    open: int
    total: int
    uncertainty: float
    flag: str
    risk: float | None


def note_view(
    note: str,
    text: str,
    state: NoteState,
    conflicts: list[dict[str, Any]],
    output: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return everything the page shows of a note.

    :param note: Identifier of the note.
    :param text: Its text.
    :param state: The note after the decisions.
    :param conflicts: Where the reviewers under adjudication differ.
    :param output: The note as it would be given away; None if it comes later.
    """
    marks = [mark_fields(mark) | {"added": mark.added} for mark in state.in_order]
    return {
        "id": note,
        "text": text,
        "done": state.done,
        "flag": state.flag,
        "comment": state.comment,
        "conflicts": conflicts,
        "marks": marks,
        "output": output,
    }


def output_view(done: AnonymizedText) -> dict[str, Any]:
    """Return a note as it would be given away, and what was replaced.

    :param done: The anonymized note.
    """
    items = [
        {
            "start": item.new_start,
            "end": item.new_end,
            "from": item.start,
            "to": item.end,
            "entity": item.entity_type,
        }
        for item in done.items
    ]
    return {"text": done.text, "items": items}
