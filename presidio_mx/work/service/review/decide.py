"""From what a reviewer asked for to the changes it means; pure functions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from presidio_mx.errors import InputError
from presidio_mx.work.service.review.marks import (
    FLAGS,
    ROLES,
    Change,
    Mark,
    NoteState,
    Status,
)
from presidio_mx.work.service.review.reach import (
    Ask,
    States,
    Texts,
    alike,
    places_to_add,
    trimmed,
)

MOST_COMMENT = 2000


def changes_for(
    ask: Ask, texts: Texts, states: States, theirs: States | None = None
) -> tuple[Change, ...]:
    """Return what a request changes.

    :param ask: What the reviewer asked for.
    :param texts: Text of every note.
    :param states: State of every note.
    :param theirs: State of every note after another reviewer's decisions, for take.
    :return: The changes, none if there is nothing to change.
    :raises InputError: If a note, mark or offset does not exist.
    """
    if ask.note not in states:
        raise InputError("there is no such note in this review")
    if ask.kind in ("done", "reopen"):
        return _finish(ask, states[ask.note])
    if ask.kind == "flag":
        return _flag(ask, states[ask.note])
    if ask.kind == "add":
        return _add(ask, texts, states)
    if ask.kind == "take":
        if theirs is None or ask.note not in theirs:
            raise InputError("there is no such reviewer in this review")
        return tuple(_take(ask, states[ask.note], theirs[ask.note]))
    mark = states[ask.note].marks.get(ask.mark)
    if mark is None:
        raise InputError("there is no such mark in this note")
    if ask.kind == "resize":
        return _resize(ask, texts[ask.note], states[ask.note], mark)
    return tuple(
        Change(note, changed)
        for note, same in alike(ask, mark, texts, states)
        if (changed := _judged(ask, same)) != same
    )


def _judged(ask: Ask, mark: Mark) -> Mark:
    """Return a mark after a decision on what it is."""
    if ask.kind in ("accept", "reject"):
        status: Status = "accepted" if ask.kind == "accept" else "rejected"
        return replace(mark, status=status)
    if ask.kind == "retype":
        _check_entity(ask.entity)
        role = mark.role if ask.entity == mark.entity else ""
        return replace(mark, entity=ask.entity, role=role, status="accepted")
    if ask.kind == "role":
        if ask.role not in ROLES or mark.entity != "PERSON":
            raise InputError("only a person has a role, and there is no such role")
        return replace(mark, role=ask.role, status="accepted")
    raise InputError("there is no such kind of decision")


def _finish(ask: Ask, state: NoteState) -> tuple[Change, ...]:
    """Finish a note: what was not rejected is accepted."""
    finished = ask.kind == "done"
    if state.done == finished:
        return ()
    accepted = [
        Change(ask.note, replace(mark, status="accepted"))
        for mark in state.open
        if finished
    ]
    return (*accepted, Change(ask.note, done=finished))


def _flag(ask: Ask, state: NoteState) -> tuple[Change, ...]:
    """Put a note aside, or say something of it."""
    if ask.flag not in FLAGS or len(ask.comment) > MOST_COMMENT:
        raise InputError(f"a comment has up to {MOST_COMMENT} characters")
    if (state.flag, state.comment) == (ask.flag, ask.comment):
        return ()
    return (Change(ask.note, flag=ask.flag, comment=ask.comment),)


def _add(ask: Ask, texts: Texts, states: States) -> tuple[Change, ...]:
    _check_entity(ask.entity)
    if ask.role not in ROLES:
        raise InputError("there is no such role")
    role = ask.role if ask.entity == "PERSON" else ""
    used = {note: len(state.marks) for note, state in states.items()}
    places = places_to_add(ask, texts, states)
    changes = _replaced(ask.note, states[ask.note], *places[0][1:])
    for note, start, end in places:
        used[note] += 1
        name = f"a{used[note]}"
        mark = Mark(name, start, end, ask.entity, "accepted", role=role)
        changes.append(Change(note, mark))
    return tuple(changes)


def _take(ask: Ask, mine: NoteState, theirs: NoteState) -> Iterator[Change]:
    """Put another reviewer's marks of a place in the stead of one's own."""
    start, end = ask.start, ask.end
    while True:  # a mark that reaches out of the place belongs to it
        inside = [m for m in (*mine.live, *theirs.live) if m.overlaps(start, end)]
        grown = (
            min([start, *(m.start for m in inside)]),
            max([end, *(m.end for m in inside)]),
        )
        if grown == (start, end):
            break
        start, end = grown
    wanted = {
        (m.start, m.end, m.entity): m for m in theirs.live if m.overlaps(start, end)
    }
    for mark in mine.live:
        if mark.overlaps(start, end):
            other = wanted.pop((mark.start, mark.end, mark.entity), None)
            status: Status = "rejected" if other is None else "accepted"
            role = mark.role if other is None else other.role
            yield Change(ask.note, replace(mark, status=status, role=role))
    for number, mark in enumerate(wanted.values(), start=len(mine.marks) + 1):
        yield Change(ask.note, replace(mark, id=f"a{number}", status="accepted"))


def _resize(ask: Ask, text: str, state: NoteState, mark: Mark) -> tuple[Change, ...]:
    start, end = trimmed(text, ask.start, ask.end)
    if (start, end) == (mark.start, mark.end):
        return ()
    changes = _replaced(ask.note, state, start, end, mark.id)
    moved = replace(mark, start=start, end=end, status="accepted")
    return (*changes, Change(ask.note, moved))


def _replaced(
    note: str, state: NoteState, start: int, end: int, itself: str = ""
) -> list[Change]:
    """Reject the live marks that a new range runs over: marks do not overlap."""
    return [
        Change(note, replace(mark, status="rejected"))
        for mark in state.live
        if mark.id != itself and mark.overlaps(start, end)
    ]


def _check_entity(entity: str) -> None:
    if not entity or not entity.replace("_", "").isalnum() or not entity.isascii():
        raise InputError("an entity type has letters, digits and _ only")


def next_note(
    states: States,
    order: Sequence[str],
    after: str = "",
    risks: Mapping[str, float] | None = None,
) -> str | None:
    """Return the most doubtful unfinished note; skipped ones come last.

    :param states: State of every note.
    :param order: Identifiers of the notes in their order.
    :param after: A note to leave out while there is another.
    :param risks: How likely something was left unmarked; a note that is not there has
        the doubt of its most doubtful undecided mark.
    :return: Its identifier, or None if all are finished.
    """
    left = [note for note in order if not states[note].done]
    others = [note for note in left if note != after]

    def doubt(note: str) -> tuple[bool, float]:
        risk = (risks or {}).get(note, states[note].uncertainty)
        return states[note].flag != "skipped", risk

    # max() keeps the first of equals, so ties go by order.
    return max(others or left, key=doubt, default=None)
