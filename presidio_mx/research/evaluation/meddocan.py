"""The scores of the MEDDOCAN shared task (Marimon et al., IberLEF 2019).

Rules as published and as its evaluation script counts: sub-task 1 compares (type,
start, end), sub-task 2 strict (start, end). Sub-task 2 merged joins neighbouring spans
with no letter or digit between them on both sides; hits are the strict hits and the
equal joined spans, and a strict extra or miss that lies inside a hit is forgiven. The
leak is the number of sub-task 1 misses for each sentence; the task split sentences with
FreeLing, here it is done by rule: close to the published leak, but not the same.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from presidio_mx.research.evaluation.counts import Counts, count_sets
from presidio_mx.text.spans import Note
from presidio_mx.text.tokens import sentences

Piece = tuple[int, int]

# Lines of the form at the head of a case, and the line that begins its foot.
_FIELD = re.compile(
    r"\ufeff?[ \t]*(?:Datos|NHC|N\.?[SU]S|NASS|NUHSA|CIPA?|Nombre|Apellidos?|Domicilio"
    r"|Direcci[oó]n|Localidad|Ciudad|Provincia|C\.?P|Fecha|Pa[ií]s|Edad|Sexo|M[eé]dic[oa]s?"
    r"|N[ºo°]|Episodio|Servicio|Especialidad|Unidad|Centro|Hospital|Tel[eé]fono|Paciente\s*:"
    r"|DNI|NIF|NIE|[ÁA]rea|Secci[oó]n|Procedencia|Profesi|Correo)",
    re.IGNORECASE,
)
_FOOT = re.compile(
    r"^[ \t]*(?:Remitido por|Re?sponsable (?:cl[ií]nico|m[eé]dico)|Emitido por)",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_FIELD = 200


@dataclass(frozen=True)
class MeddocanScores:
    """All scores of the task.

    :param entities: Sub-task 1, micro average.
    :param entities_by_type: Sub-task 1, each label.
    :param strict: Sub-task 2, strict.
    :param merged: Sub-task 2, merged.
    :param leak: Misses of sub-task 1 for each sentence.
    :param body: Sub-task 1 in the body of the cases alone, without form and foot.
    :param body_strict: Sub-task 2 strict in the body alone.
    """

    entities: Counts
    strict: Counts
    merged: Counts
    leak: float
    body: Counts
    body_strict: Counts
    entities_by_type: dict[str, Counts] = field(default_factory=dict)


def _typed(note: Note) -> set[tuple[str, int, int]]:
    return {(s.entity_type, s.start, s.end) for s in note.spans}


def _plain(note: Note) -> set[Piece]:
    return {(s.start, s.end) for s in note.spans}


def entity_counts(gold: Note, predicted: Note) -> Counts:
    """Count a note by sub-task 1.

    :param gold: The note with gold spans, named by MEDDOCAN's labels.
    :param predicted: The same note with predicted spans.
    :return: Hits, extras, misses.
    """
    return count_sets(_typed(gold), _typed(predicted))


def strict_counts(gold: Note, predicted: Note) -> Counts:
    """Count a note by sub-task 2, strict.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans.
    :return: Hits, extras, misses.
    """
    return count_sets(_plain(gold), _plain(predicted))


def merged_spans(note: Note) -> set[Piece]:
    """Join spans with no letter or digit between them.

    As in the task's script, a joined span ends where its last part ends, even if an
    earlier part that holds it ends later.

    :param note: A note.
    :return: The joined spans.
    """
    joined: list[Piece] = []
    for start, end in sorted(_plain(note)):
        if joined and not any(c.isalnum() for c in note.text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return set(joined)


def merged_counts(gold: Note, predicted: Note) -> Counts:
    """Count a note by sub-task 2, merged.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans.
    :return: Hits, extras, misses.
    """
    ours, theirs = _plain(gold), _plain(predicted)
    hits = (ours & theirs) | (merged_spans(gold) & merged_spans(predicted))

    def outside(pieces: set[Piece]) -> int:
        return sum(not any(a <= s and e <= b for a, b in hits) for s, e in pieces)

    return Counts(len(hits), outside(theirs - ours), outside(ours - theirs))


def body(text: str) -> Piece:
    """Return where the body of a case begins and ends.

    The head is the run of form lines ("Nombre: …", "NHC: …") at the top; the foot
    begins with the last "Remitido por:" or "Responsable clínico:".

    :param text: The case.
    :return: Start and end.
    """
    start = position = 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        if _FIELD.match(line) and len(line) < _LONGEST_FIELD:
            start = position
        elif line.strip():
            break
    feet = [match.start() for match in _FOOT.finditer(text, start)]
    return start, feet[-1] if feet else len(text)


def _within(note: Note, piece: Piece) -> Note:
    start, end = piece
    return note.with_spans(tuple(s for s in note.spans if start <= s.start < end))


def meddocan_scores(pairs: Iterable[tuple[Note, Note]]) -> MeddocanScores:
    """Score a corpus by the rules of the task.

    :param pairs: Each note with gold spans, and with predicted spans; spans named by
        MEDDOCAN's labels.
    :return: The scores.
    """
    totals: dict[str, Counts] = defaultdict(Counts)
    by_type: dict[str, Counts] = defaultdict(Counts)
    split = 0
    for gold, predicted in pairs:
        totals["entities"] += entity_counts(gold, predicted)
        totals["strict"] += strict_counts(gold, predicted)
        totals["merged"] += merged_counts(gold, predicted)
        part = body(gold.text)
        inner = (_within(gold, part), _within(predicted, part))
        totals["body"] += entity_counts(*inner)
        totals["body_strict"] += strict_counts(*inner)
        split += len(sentences(gold.text))
        for name, counts in counts_by_type(gold, predicted).items():
            by_type[name] += counts
    return MeddocanScores(
        entities=totals["entities"],
        strict=totals["strict"],
        merged=totals["merged"],
        leak=totals["entities"].fn / split if split else 0.0,
        body=totals["body"],
        body_strict=totals["body_strict"],
        entities_by_type=dict(sorted(by_type.items())),
    )


def counts_by_type(gold: Note, predicted: Note) -> dict[str, Counts]:
    """Count exact matches of type, start and end for each type.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans.
    :return: Counts by type.
    """
    ours, theirs = _typed(gold), _typed(predicted)
    names = {name for name, _, _ in ours | theirs}
    return {
        name: count_sets(
            {span for span in ours if span[0] == name},
            {span for span in theirs if span[0] == name},
        )
        for name in names
    }
