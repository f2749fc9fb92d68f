"""From notes to words with labels, and back.

Labels follow words as they are cut without knowing the spans, since at work nobody
knows them: a word that a span touches belongs to it. So that little is touched in part,
words are also cut where letters meet digits and where a capital follows a small letter
("tel4431234567", "SraMaría").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from presidio_mx.text.spans import Note, Span
from presidio_mx.text.tokens import Piece, sentences, tokens

OUTSIDE = "O"
_LETTER = r"[^\W\d_]"
_BORDER = re.compile(
    rf"(?<={_LETTER})(?=[\d_])|(?<=\d)(?={_LETTER}|_)|(?<=_)(?=[^\W_])"
    r"|(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])"
)
# What an entity that goes on has last, and what it goes on with.
_UNFINISHED, _CONTINUING = ("B", "I"), ("I", "E")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A run of words with a label each.

    :param pieces: Start and end of each word in the note.
    :param labels: ``O``, or a sign, a hyphen and a type, such as ``B-PERSON``.
    """

    pieces: tuple[Piece, ...]
    labels: tuple[str, ...]


def words(text: str) -> list[Piece]:
    """Return the offsets of words and signs.

    :param text: Any text.
    :return: Start and end of each, in order.
    """
    return tokens(text, (match.start() for match in _BORDER.finditer(text)))


def runs(text: str, limit: int) -> list[list[Piece]]:
    """Return the words of a text in runs that end where sentences end.

    :param text: Any text.
    :param limit: Most words of a run; longer sentences are cut.
    :return: Runs of words, none of them empty.
    """
    found: list[list[Piece]] = []
    run: list[Piece] = []
    pieces = words(text)
    at = 0
    for _, end in sentences(text):
        first = at
        while at < len(pieces) and pieces[at][0] < end:
            at += 1
        sentence = pieces[first:at]
        if run and len(run) + len(sentence) > limit:
            found.append(run)
            run = []
        run = run + sentence
        while len(run) > limit:
            found.append(run[:limit])
            run = run[limit:]
    if run:
        found.append(run)
    return found


def flat(spans: Sequence[Span]) -> list[Span]:
    """Return spans of which none overlaps another: what begins first, the longest.

    :param spans: Spans in the order of a note.
    """
    kept: list[Span] = []
    for span in spans:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def labelled(note: Note, limit: int, bioes: bool = False) -> list[Labelled]:
    """Return the words of a note with their labels.

    :param note: The note; of spans that overlap the first counts.
    :param limit: Most words of a run.
    :param bioes: BIOES instead of BIO.
    :return: Runs of words.
    """
    return labelled_runs(note, runs(note.text, limit), bioes)


def labelled_runs(
    note: Note, pieces: Sequence[Sequence[Piece]], bioes: bool = False
) -> list[Labelled]:
    """Return words that were cut in some other way with their labels.

    :param note: The note; of spans that overlap the first counts.
    :param pieces: Runs of words, none of them empty.
    :param bioes: BIOES instead of BIO.
    :return: Runs of words.
    """
    spans = flat(note.spans)
    return [_label(run, spans, bioes) for run in pieces]


def _label(run: Sequence[Piece], spans: list[Span], bioes: bool) -> Labelled:
    owners = [_owner(piece, spans) for piece in run]
    labels = []
    for i, owner in enumerate(owners):
        if owner is None:
            labels.append(OUTSIDE)
            continue
        first = i == 0 or owners[i - 1] is not owner
        last = i + 1 == len(run) or owners[i + 1] is not owner
        sign = "B" if first else "I"
        if bioes and last:
            sign = "S" if first else "E"
        labels.append(f"{sign}-{owner.entity_type}")
    return Labelled(tuple(run), tuple(labels))


def _owner(piece: Piece, spans: list[Span]) -> Span | None:
    start, end = piece
    for span in spans:
        if span.start >= end:
            return None
        if start < span.end:
            return span
    return None


def label_set(types: Sequence[str], bioes: bool = False) -> tuple[str, ...]:
    """Return all labels of some types, ``O`` first.

    :param types: Entity types.
    :param bioes: BIOES instead of BIO.
    """
    signs = "BIES" if bioes else "BI"
    return (OUTSIDE, *(f"{sign}-{name}" for name in types for sign in signs))


def may_follow(before: str | None, after: str | None) -> bool:
    """Tell whether a BIOES label may follow another.

    :param before: A label; None for the beginning.
    :param after: A label; None for the end.
    """
    sign, _, kind = (before or OUTSIDE).partition("-")
    next_sign, _, next_kind = (after or OUTSIDE).partition("-")
    if sign in _UNFINISHED:
        return next_sign in _CONTINUING and next_kind == kind
    return next_sign not in _CONTINUING


def spans_of(
    pieces: Sequence[Piece], labels: Sequence[str], scores: Sequence[float] = ()
) -> list[Span]:
    """Return the spans that labels mark.

    A label that continues nothing begins a span: nothing that was found is lost.

    :param pieces: Start and end of each word.
    :param labels: A label for each word, BIO or BIOES.
    :param scores: A score for each word; a span gets their mean.
    :return: Spans in order.
    """
    groups: list[list[int]] = []
    open_type = ""
    for i, label in enumerate(labels):
        sign, _, kind = label.partition("-")
        if sign in ("I", "E") and kind == open_type:
            groups[-1].append(i)
        elif kind:
            groups.append([i])
        open_type = kind if sign in ("B", "I") else ""
    return [
        Span(
            pieces[group[0]][0],
            pieces[group[-1]][1],
            labels[group[0]].partition("-")[2],
            score=sum(scores[i] for i in group) / len(group) if scores else None,
        )
        for group in groups
    ]
