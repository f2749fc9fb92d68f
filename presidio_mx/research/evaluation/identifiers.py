"""Measure a de-identifier: is every identifier covered, and how much else.

All figures of a note are sums, so that notes can be resampled.
"""

from collections import Counter
from dataclasses import dataclass

from presidio_mx.research.evaluation.counts import Counts, Share, count_sets
from presidio_mx.research.evaluation.matching import keys, match
from presidio_mx.research.evaluation.meddocan import counts_by_type
from presidio_mx.text.spans import Note, Span
from presidio_mx.text.tokens import tokens


@dataclass(frozen=True)
class NoteScores:
    """The figures of one note.

    :param covered: Gold spans whose every letter and digit lies in some predicted span
        of whatever type, of all gold spans.
    :param by_type: The same for each type.
    :param by_role: The same for each role of persons.
    :param clean: Whether no gold span is left open, as a share of one note.
    :param characters: Predicted letters and digits that are gold, of all predicted.
    :param exact: Type, start and end agree.
    :param exact_by_type: The same for each type.
    :param partial: SemEval-2013 partial matching: an equal span counts 1, one that
        overlaps a half, whatever the type.
    :param typed_overlap: SemEval-2013 type matching: a span that overlaps and has the
        right type counts 1.
    :param tokens: Words inside spans, whatever the type.
    :param typed_tokens: Words inside spans of the right type.
    """

    covered: Share
    by_type: dict[str, Share]
    by_role: dict[str, Share]
    clean: Share
    characters: Share
    exact: Counts
    exact_by_type: dict[str, Counts]
    partial: Counts
    typed_overlap: Counts
    tokens: Counts
    typed_tokens: Counts


def is_covered(note: Note, span: Span, hidden: set[int]) -> bool:
    """Tell whether every letter and digit of a span is hidden.

    :param note: The note.
    :param span: A gold span.
    :param hidden: Offsets inside predicted spans.
    :return: Whether nothing of it can be read.
    """
    return all(
        i in hidden or not note.text[i].isalnum() for i in range(span.start, span.end)
    )


def offsets(note: Note) -> set[int]:
    """Return the offsets of all characters inside spans.

    :param note: A note.
    :return: The offsets.
    """
    return {i for span in note.spans for i in range(span.start, span.end)}


def note_scores(gold: Note, predicted: Note) -> NoteScores:
    """Score one note.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans, types of the same scheme.
    :return: Its figures.
    """
    hidden = offsets(predicted)
    marked = offsets(gold)
    by_type: Counter[str] = Counter()
    by_role: Counter[str] = Counter()
    for span in gold.spans:
        if is_covered(gold, span, hidden):
            by_type[span.entity_type] += 1
            by_role[span.role or ""] += 1
    of_type = Counter(span.entity_type for span in gold.spans)
    of_role = Counter(span.role for span in gold.spans if span.role)
    written = {i for i in hidden if gold.text[i].isalnum()}
    found = by_type.total()
    exact_by_type = counts_by_type(gold, predicted)
    partial, typed_overlap = overlap_counts(gold, predicted)
    words, typed_words = _token_counts(gold, predicted)
    return NoteScores(
        covered=Share(found, len(gold.spans)),
        by_type={name: Share(by_type[name], n) for name, n in of_type.items()},
        by_role={role: Share(by_role[role], n) for role, n in of_role.items()},
        clean=Share(int(found == len(gold.spans)), 1),
        characters=Share(len(written & marked), len(written)),
        exact=sum(exact_by_type.values(), Counts()),
        exact_by_type=exact_by_type,
        partial=partial,
        typed_overlap=typed_overlap,
        tokens=words,
        typed_tokens=typed_words,
    )


def overlap_counts(gold: Note, predicted: Note) -> tuple[Counts, Counts]:
    """Count partial matches (Segura-Bedmar et al., SemEval-2013 task 9.1).

    Each predicted span is matched with one gold span at most: the equal one, else one
    of the same type, else the one that overlaps most.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans.
    :return: Counts of partial matching, and of type matching.
    """
    ours, theirs = keys(gold), keys(predicted)
    pairs = match(ours, theirs)
    partial = sum(1.0 if ours[i][:2] == theirs[j][:2] else 0.5 for i, j in pairs)
    same_type = sum(ours[i][2] == theirs[j][2] for i, j in pairs)
    return (
        Counts(partial, len(theirs) - partial, len(ours) - partial),
        Counts(same_type, len(theirs) - same_type, len(ours) - same_type),
    )


def _token_counts(gold: Note, predicted: Note) -> tuple[Counts, Counts]:
    words = [(s, e) for s, e in tokens(gold.text) if gold.text[s].isalnum()]
    ours = _token_types(gold, words)
    theirs = _token_types(predicted, words)
    return (
        count_sets({i for i, _ in ours}, {i for i, _ in theirs}),
        count_sets(ours, theirs),
    )


def _token_types(note: Note, words: list[tuple[int, int]]) -> set[tuple[int, str]]:
    """Return the words that touch a span, each with the type of the first such span."""
    found: dict[int, str] = {}
    for span in note.spans:
        for i, (start, end) in enumerate(words):
            if start < span.end and span.start < end:
                found.setdefault(i, span.entity_type)
    return set(found.items())
