"""Recover gold spans from a note and its copy de-identified by hand.

The copy reads "Paciente hipertenso {NOMBRE} es considerado remiso". The Michoacán
thesis (2022) looked for a window of words before and after each tag; here the whole
copy is aligned with the whole original at the least cost (``alignment_costs``), a tag
standing for one or more tokens. White space does not count, and slips of the pen cost
little. A tag whose place is not certain is reported; what fits in two ways is never
guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from presidio_mx.research.corpora.alignment_costs import (
    EMPTY,
    Matrix,
    Token,
    backward_costs,
    forward_costs,
    tag_costs,
)
from presidio_mx.text.spans import Note, Span

# {NOMBRE}, <NOMBRE>, [NOMBRE], {NOMBRE_1}; capitals only.
TAG = re.compile(r"[{<\[]([A-ZÁÉÍÓÚÑ]{2}[A-ZÁÉÍÓÚÑ_]*?)(?:_?\d+)?[}>\]]")
# The other copies of the thesis keep the datum between two marks:
# {inicioNombre}Rosa Paz{finNombre}.
_MARKED = re.compile(
    r"\{inicio([a-záéíóúñ]{2,20})\}(.*?)\{fin\1\}", re.IGNORECASE | re.DOTALL
)
_HALF = re.compile(r"\{(?:inicio|fin)[a-záéíóúñ]{2,20}\}", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
# Above this share of words that differ, the copy is not one of this original.
_STRANGER = 0.4
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class TagProblem:
    """A tag that could not be placed, or whose edges are doubtful.

    :param line: Line of the copy, from 1; 0 for the whole copy.
    :param tag: The tag's name; empty for the whole copy.
    :param reason: What is wrong.
    :param placed: Whether a span was made all the same, to be looked at.
    """

    line: int
    tag: str
    reason: str
    placed: bool = False

    def __str__(self) -> str:
        """Return line, tag and reason as one sentence."""
        subject = f"line {self.line}, {{{self.tag}}}: " if self.tag else ""
        return subject + self.reason


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the copy tells of the original.

    :param note: The original with the recovered spans, typed by the tags.
    :param problems: Tags not placed, or to be looked at.
    """

    note: Note
    problems: tuple[TagProblem, ...]


def align(identifier: str, original: str, copy: str) -> Alignment:
    """Align a note with its de-identified copy.

    :param identifier: Id of the note.
    :param original: The note as it was.
    :param copy: The note with tags in place of what identified someone, or with marks
        such as ``{inicioNombre}`` and ``{finNombre}`` around it.
    :return: The spans and the problems.
    """
    if _HALF.search(copy):
        between = _between_marks(identifier, original, copy)
        if between is not None:
            return between
        # Words beside the marks were changed, too: the whole is aligned.
        copy = _MARKED.sub(lambda match: "{" + match[1].upper() + "}", copy)
    left = _tokens(original)
    right = list(_copy_tokens(copy))
    if not any(token.tag for token in right):
        return Alignment(Note(identifier, original), _untagged(left, right))
    ahead = forward_costs(left, right)
    behind = backward_costs(left, right)
    if _strange(int(ahead[-1, -1]), left, right):
        reason = "the copy differs too much from the original; nothing was recovered"
        return Alignment(Note(identifier, original), (TagProblem(0, "", reason),))
    spans: list[Span] = []
    problems: list[TagProblem] = []
    for found in _groups(left, right, ahead, behind):
        line = copy.count("\n", 0, right[found.index].start) + 1
        span = _span(original, left, found)
        if span is not None:
            spans.append(span)
        if found.reason:
            placed = span is not None
            problems.append(TagProblem(line, found.tag, found.reason, placed))
    return Alignment(Note(identifier, original, tuple(spans)), tuple(problems))


def _between_marks(identifier: str, original: str, copy: str) -> Alignment | None:
    """Return the spans between marks; nothing if other words differ."""
    pieces: list[str] = []
    inside: list[tuple[int, int, str]] = []
    length = position = 0
    for match in _MARKED.finditer(copy):
        pieces += [copy[position : match.start()], match[2]]
        length += match.start() - position
        inside.append((length, length + len(match[2]), match[1].upper()))
        length += len(match[2])
        position = match.end()
    plain = "".join(pieces) + copy[position:]
    if _HALF.search(plain):
        reason = "a mark is without its other half; nothing was recovered"
        return Alignment(Note(identifier, original), (TagProblem(0, "", reason),))
    left, right = _tokens(original), _tokens(plain)
    if [token.text for token in left] != [token.text for token in right]:
        return None
    spans = []
    for start, end, tag in inside:
        within = [
            one
            for one, other in zip(left, right, strict=True)
            if other.start < end and start < other.end
        ]
        if within:
            spans.append(Span(within[0].start, within[-1].end, tag))
    return Alignment(Note(identifier, original, tuple(spans)), ())


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tag, or a run of equal tags, stands in the original's tokens."""

    index: int
    tag: str
    first: int
    last: int
    reason: str = ""


def _tokens(text: str) -> list[Token]:
    return [Token(m.start(), m.end(), m[0]) for m in _WORD.finditer(text)]


def _copy_tokens(copy: str) -> Iterator[Token]:
    position = 0
    for match in TAG.finditer(copy):
        yield from _shifted(copy, position, match.start())
        yield Token(match.start(), match.end(), "", match[1])
        position = match.end()
    yield from _shifted(copy, position, len(copy))


def _shifted(text: str, start: int, end: int) -> Iterator[Token]:
    for match in _WORD.finditer(text, start, end):
        yield Token(match.start(), match.end(), match[0])


def _untagged(left: list[Token], right: list[Token]) -> tuple[TagProblem, ...]:
    if [t.text for t in left] == [t.text for t in right]:
        return ()
    return (TagProblem(0, "", "the copy has no tags but differs from the original"),)


def _strange(cost: int, left: list[Token], right: list[Token]) -> bool:
    words = max(1, min(len(left), sum(not token.tag for token in right)))
    return cost / 1000 > max(3.0, _STRANGER * words)


def _groups(
    left: list[Token], right: list[Token], ahead: Matrix, behind: Matrix
) -> Iterator[_Place]:
    """Yield the place of each tag; equal tags that touch may have to share one."""
    position = 0
    for tag, run in groupby(right, key=lambda token: token.tag):
        indices = range(position, position + len(list(run)))
        position = indices.stop
        if not tag:
            continue
        places = [_place(left, right, ahead, behind, index) for index in indices]
        if len(places) > 1 and any(place.first < 0 for place in places):
            yield _shared(left, right, ahead, behind, indices)
        else:
            yield from places


def _place(
    left: list[Token], right: list[Token], ahead: Matrix, behind: Matrix, index: int
) -> _Place:
    tag = right[index].tag
    total = int(ahead[-1, -1])
    cost = tag_costs(left, tag)
    starts = ahead[:, index] - cost
    ends = behind[:, index + 1] + cost
    if np.any(ahead[:, index] + behind[:, index + 1] + EMPTY == total):
        return _Place(index, tag, -1, -1, "nothing in the original stands for it")
    pairs = _optimal_pairs(starts, ends, total)
    if len(pairs) != 1:
        return _Place(index, tag, -1, -1, "it fits in more than one way")
    first, last = pairs[0]
    return _Place(index, tag, first, last, _doubt(left, right, index, index, *pairs[0]))


def _shared(
    left: list[Token],
    right: list[Token],
    ahead: Matrix,
    behind: Matrix,
    indices: range,
) -> _Place:
    """Give a run of equal tags one place, if it has but one."""
    index, tag = indices.start, right[indices.start].tag
    total = int(ahead[-1, -1])
    cost = tag_costs(left, tag)
    pairs = _optimal_pairs(
        ahead[:, index] - cost, behind[:, indices.stop] + cost, total, len(indices)
    )
    if len(pairs) != 1:
        return _Place(index, tag, -1, -1, "it fits in more than one way")
    first, last = pairs[0]
    reason = f"{len(indices)} equal tags share {last - first} words; kept as one span"
    return _Place(index, tag, first, last, reason)


def _optimal_pairs(
    starts: Matrix, ends: Matrix, total: int, least: int = 1
) -> list[tuple[int, int]]:
    """Return up to two (first, last) token borders that an optimal alignment has."""
    best_end = np.minimum.accumulate(ends[::-1])[::-1]
    found: list[tuple[int, int]] = []
    for first in np.flatnonzero(starts[:-least] + best_end[least:] == total)[:2]:
        fitting = np.flatnonzero(ends[first + least :] == total - starts[first])
        found += [(int(first), int(first + least + offset)) for offset in fitting[:2]]
    return found[:2]


def _doubt(
    left: Sequence[Token],
    right: Sequence[Token],
    begin: int,
    end: int,
    first: int,
    last: int,
) -> str:
    """Say why a place, though the best, should be looked at."""
    if last - first > _LONGEST:
        return f"it stands for {last - first} words; check it"
    before = begin == 0 or right[begin - 1].tag or first == 0
    after = end + 1 == len(right) or right[end + 1].tag or last == len(left)
    same_before = before or left[first - 1].key == right[begin - 1].key
    same_after = after or left[last].key == right[end + 1].key
    open_start = begin == 0 and first > 0
    open_end = end + 1 == len(right) and last < len(left)
    if same_before and same_after and not open_start and not open_end:
        return ""
    return "the text beside it was changed; check its edges"


def _span(original: str, left: list[Token], found: _Place) -> Span | None:
    if found.first < 0:
        return None
    start, end = left[found.first].start, left[found.last - 1].end
    while start < end and original[start] in ",;: ":
        start += 1
    while start < end and original[end - 1] in ",;: ":
        end -= 1
    return Span(start, end, found.tag) if start < end else None
