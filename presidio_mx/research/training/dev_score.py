"""Score a token classifier on dev notes, without rules."""

from dataclasses import dataclass

from presidio_mx.find.ner.onnx_model import TokenClassifier
from presidio_mx.find.ner.transformer import spans_in_note
from presidio_mx.find.note.prepare import readable
from presidio_mx.text.spans import Note


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


def predicted(
    model: TokenClassifier, note: Note, head: str, batch_size: int = 8
) -> Note:
    """Mark a note with a model alone.

    :param model: The model, of whatever session.
    :param note: A note; its spans are not looked at.
    :param head: Which head.
    :param batch_size: Windows run at once.
    :return: The note with predicted spans.
    """
    source = readable(note.text)
    pieces = model.cut(source.text)
    rows = model.log_probabilities(pieces, head, batch_size)
    spans = spans_in_note(source, pieces, rows, model.card.heads[head])
    return note.with_spans(tuple(spans))


def dev_score(model: TokenClassifier, notes: list[Note], head: str) -> DevScore:
    """Count what a model finds on dev notes.

    :param model: The model.
    :param notes: Notes in the head's types.
    :param head: The head.
    :return: The counts.
    """
    hit = found = gold = 0
    for note in notes:
        there = {(s.start, s.end, s.entity_type) for s in note.spans}
        made = {
            (s.start, s.end, s.entity_type) for s in predicted(model, note, head).spans
        }
        hit += len(there & made)
        found += len(made)
        gold += len(there)
    return DevScore(head, hit, found, gold)
