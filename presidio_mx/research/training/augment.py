"""Make other notes of a marked note: other people, other habits of typing."""

import re
from dataclasses import replace
from random import Random
from types import SimpleNamespace

from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.research.corpora.synthesis_case import Value
from presidio_mx.research.corpora.synthesis_noise import NOISES, add_noise, slip
from presidio_mx.research.training.styles import STYLES, note_of, pieces_of, styled
from presidio_mx.text.spans import Note, Span

_ODD_NAMES = "odd names"
_NAMES = frozenset(("PERSON", "LOCATION", "ADDRESS", "ORGANIZATION"))
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


def without_overlaps(note: Note) -> Note:
    """Keep the first, longest of overlapping spans.

    :param note: A marked note.
    :return: The note with spans that do not overlap.
    """
    kept: list[Span] = []
    for span in note.spans:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return note.with_spans(tuple(kept))


def swapped(note: Note, random: Random) -> Note:
    """Replace everything marked by surrogates.

    :param note: A note in native types.
    :param random: Source of the surrogates' key.
    :return: A note about other people; marks move along.
    """
    results = [
        SimpleNamespace(
            entity_type=span.entity_type,
            start=span.start,
            end=span.end,
            score=1.0,
            recognition_metadata={"role": span.role} if span.role else {},
        )
        for span in note.spans
    ]
    key = Key.from_value(random.randbytes(16))
    done = anonymize(note.text, results, "surrogate", key=key)
    spans = [
        Span(item.new_start, item.new_end, item.entity_type, role=item.role)
        for item in done.items
        if item.new_end > item.new_start
    ]
    return Note(note.id, done.text, tuple(spans))


def noisy(note: Note, random: Random) -> Note:
    """Type a note the way a hurried person does.

    :param note: A note whose spans do not overlap.
    :param random: Source of chance.
    :return: The note in capitals, without accents, with slips or abbreviations, or
        with names that stand in no list.
    """
    pieces = pieces_of(note)
    for kind in random.sample((*NOISES, _ODD_NAMES), random.choice((1, 1, 2))):
        if kind == _ODD_NAMES:
            pieces = [_odd(piece, random) for piece in pieces]
        else:
            pieces = add_noise(pieces, kind, random)
    return note_of(note.id, pieces)


def _odd(piece: Value, random: Random) -> Value:
    """Misspell every word of a name, so that what stands around it must tell."""
    if piece.entity_type not in _NAMES:
        return piece
    text = _LONG_WORD.sub(lambda m: slip(m.group(), random), piece.text)
    return replace(piece, text=text)


def varied(
    note: Note, swap: float, noise: float, random: Random, style: float = 0.0
) -> Note:
    """Return a note as it is, or another made of it.

    :param note: A marked note.
    :param swap: Chance of surrogates.
    :param noise: Chance of noise.
    :param style: Chance of another look, one of :data:`.styles.STYLES`.
    :param random: Source of chance.
    :return: A note whose spans do not overlap.
    """
    note = without_overlaps(note)
    if random.random() < swap:
        note = without_overlaps(swapped(note, random))
    if random.random() < noise:
        note = noisy(note, random)
    if random.random() < style:
        note = styled(note, random.choice(tuple(STYLES)), random)
    return note


def renamed(note: Note, names: dict[str, str]) -> Note:
    """Give spans the types of a head; those it does not know lose their mark.

    :param note: A marked note.
    :param names: Type in the corpus to type of the head.
    :return: The note for this head.
    """
    return note.with_spans(
        tuple(
            replace(span, entity_type=names[span.entity_type])
            for span in note.spans
            if span.entity_type in names
        )
    )
