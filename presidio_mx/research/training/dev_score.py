"""Score a model on dev notes, without rules."""

from dataclasses import dataclass

from presidio_mx.find.ner.transformer import spans_of
from presidio_mx.find.ner.viterbi import LabelSet
from presidio_mx.research.training.teacher import Reader
from presidio_mx.text.prepare import prepare
from presidio_mx.text.spans import Note, Span


@dataclass(frozen=True, slots=True)
class DevScore:
    """Exact typed counts on the dev notes of one head.

    :param head: The head.
    :param hit: Spans found exactly.
    :param found: Spans found.
    :param gold: Spans there are.
    """

    head: str
    hit: int
    found: int
    gold: int

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.hit / max(1, self.found + self.gold)


def predicted(reader: Reader, note: Note, head: str, labels: LabelSet) -> Note:
    """Mark a note with a model alone, where its words are more likely than not.

    :param reader: The model.
    :param note: A note; its spans are not looked at.
    :param head: Which head.
    :param labels: The head's labels.
    :return: The note with predicted spans.
    """
    source = prepare(note.text)
    spans = spans_of(source.text, reader.read(source.text, head), labels)
    return note.with_spans(
        tuple(
            Span(*source.back(s.start, s.end), s.entity_type, score=s.score)
            for s in spans
        )
    )


def dev_score(
    reader: Reader, notes: list[Note], head: str, labels: LabelSet
) -> DevScore:
    """Count what a model finds on dev notes.

    :param reader: The model.
    :param notes: Notes in the head's types.
    :param head: The head.
    :param labels: The head's labels.
    :return: The counts.
    """
    hit = found = gold = 0
    for note in notes:
        there = {(s.start, s.end, s.entity_type) for s in note.spans}
        marked = predicted(reader, note, head, labels).spans
        made = {(s.start, s.end, s.entity_type) for s in marked}
        hit += len(there & made)
        found += len(made)
        gold += len(there)
    return DevScore(head, hit, found, gold)
