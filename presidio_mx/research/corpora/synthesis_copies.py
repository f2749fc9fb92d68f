"""Copies of marked notes in which other people stand: keyed surrogates, marks kept."""

from collections.abc import Iterable, Iterator

from presidio_mx.replace.engine import Operators, anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.schemes import in_scheme
from presidio_mx.text.spans import Note, Span


def surrogate_copies(
    notes: Iterable[Note], copies: int, key: Key, operators: Operators = "surrogate"
) -> Iterator[Note]:
    """Yield each note in several versions, about other people each time.

    A copy is drawn in a scope of its own, so that nothing but its clinical words ties
    it to the note or to the other copies. Spans that overlap are settled as they are
    before a note is de-identified.

    :param notes: Notes with gold spans.
    :param copies: How many versions of each.
    :param key: The secret they depend on.
    :param operators: A profile of surrogates.
    :return: The copies with their spans; ids are those of the notes and a number.
    """
    for note in notes:
        marked = in_scheme(note, "native")
        for number in range(1, copies + 1):
            yield surrogate_copy(marked, f"{note.id}-{number}", key, operators)


def surrogate_copy(note: Note, name: str, key: Key, operators: Operators) -> Note:
    """Return one version of a note.

    :param note: A note with gold spans in our types.
    :param name: Id of the copy; another one, other people.
    :param key: The secret it depends on.
    :param operators: A profile of surrogates.
    :return: The copy with its spans.
    """
    done = anonymize(
        note.text, note.spans, operators, key=key, scope=f"document:{name}"
    )
    spans = tuple(
        Span(item.new_start, item.new_end, item.entity_type, role=item.role or None)
        for item in done.items
        if item.new_start < item.new_end
    )
    return Note(name, done.text, spans)
