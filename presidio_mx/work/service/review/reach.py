"""What a decision reaches: the same text in a note, or in all notes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from presidio_mx.errors import InputError
from presidio_mx.text.folding import fold
from presidio_mx.work.service.review.marks import Flag, Mark, NoteState

Reach = Literal["here", "note", "all"]
States = Mapping[str, NoteState]


class Texts(dict[str, str]):
    """Texts by identifier; their folded forms are made once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Take the texts over."""
        super().__init__(texts)
        self._folded: dict[str, str] = {}

    def folded(self, note: str) -> str:
        """Return a note's text without case and accents, of equal length.

        :param note: Identifier of the note.
        """
        if note not in self._folded:
            self._folded[note] = fold(self[note])
        return self._folded[note]


@dataclass(frozen=True, slots=True)
class Ask:
    """What the reviewer asked for.

    :param kind: accept, reject, retype, role, resize, add, take, done, reopen or flag.
    :param note: Identifier of the note.
    :param mark: Identifier of the mark, for what changes one.
    :param entity: Entity type, for retype and add.
    :param start: First offset, for resize, add and take.
    :param end: Offset after the last character, for resize, add and take.
    :param reach: This mark alone, everywhere in this note, or in all notes.
    :param role: Role of a person, for role.
    :param flag: ``skipped``, ``unsure`` or nothing, for flag.
    :param comment: What the reviewer says of the note, for flag.
    :param other: The reviewer whose marks are taken, for take.
    """

    kind: str
    note: str
    mark: str = ""
    entity: str = ""
    start: int = -1
    end: int = -1
    reach: Reach = "here"
    role: str = ""
    flag: Flag = ""
    comment: str = ""
    other: str = ""


def alike(
    ask: Ask, mark: Mark, texts: Texts, states: States
) -> Iterator[tuple[str, Mark]]:
    """Yield the marks within reach with the same entity and the same text.

    :param ask: What the reviewer asked for; its reach counts.
    :param mark: The mark of its note that is decided on.
    :param texts: Text of every note.
    :param states: State of every note.
    """
    if ask.reach == "here":
        yield ask.note, mark
        return
    wanted = texts.folded(ask.note)[mark.start : mark.end]
    for note in [ask.note] if ask.reach == "note" else states:
        folded = texts.folded(note)
        if wanted not in folded:
            continue
        for other in states[note].in_order:
            same = folded[other.start : other.end] == wanted
            if same and other.entity == mark.entity:
                yield note, other


def places_to_add(ask: Ask, texts: Texts, states: States) -> list[tuple[str, int, int]]:
    """Return the free places within reach that read like a selected one, itself first.

    :param ask: What the reviewer asked for: note, start, end and reach.
    :param texts: Text of every note.
    :param states: State of every note.
    :raises InputError: If the range does not lie in the note.
    """
    start, end = trimmed(texts[ask.note], ask.start, ask.end)
    found = [(ask.note, start, end)]
    if ask.reach == "here":
        return found
    wanted = texts.folded(ask.note)[start:end]
    for note in [ask.note] if ask.reach == "note" else states:
        for first, last in occurrences(texts.folded(note), wanted):
            itself = note == ask.note and first < end and start < last
            taken = any(mark.overlaps(first, last) for mark in states[note].live)
            if not itself and not taken:
                found.append((note, first, last))
    return found


def occurrences(folded: str, needle: str) -> Iterator[tuple[int, int]]:
    """Find a text as whole words.

    :param folded: Folded text to search.
    :param needle: What to find, folded, too.
    :return: Offsets of every occurrence.
    """
    at = folded.find(needle)
    while at >= 0:
        end = at + len(needle)
        before, after = folded[at - 1 : at], folded[end : end + 1]
        inner = (before.isalnum() and needle[0].isalnum()) or (
            after.isalnum() and needle[-1].isalnum()
        )
        if not inner:
            yield at, end
        at = folded.find(needle, at + 1)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a range without the blanks around it.

    :param text: Text of the note.
    :param start: First offset.
    :param end: Offset after the last character.
    :raises InputError: If it does not lie in the text or holds only blanks.
    """
    if not 0 <= start < end <= len(text):
        raise InputError("the selected range does not lie in the note")
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise InputError("only blanks are selected")
    return start, end


def reached(ask: Ask, texts: Texts, states: States) -> dict[str, Any]:
    """Return how far a decision on a mark, or on what is selected, would reach.

    :param ask: The note, and a mark or a range.
    :param texts: Text of every note.
    :param states: State of every note.
    :return: Fields ``note`` and ``all``, each with the number of places and notes.
    :raises InputError: If there is no such note or range.
    """
    if ask.note not in states:
        raise InputError("there is no such note in this review")
    mark = states[ask.note].marks.get(ask.mark)
    found = {}
    wide: tuple[Reach, ...] = ("note", "all")
    for reach in wide:
        asked = replace(ask, reach=reach)
        if mark is None:
            notes = [place[0] for place in places_to_add(asked, texts, states)]
        else:
            notes = [note for note, _ in alike(asked, mark, texts, states)]
        found[str(reach)] = {"places": len(notes), "notes": len(set(notes))}
    return found
