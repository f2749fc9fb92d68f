"""Further mentions of the people found: no word of a replaced name stays elsewhere.

The analyzer looks for a found name wherever it can judge; this looks at what was left:
words of other recognizers' names, of names in blocks, in words grown together. A word
that is another word of Spanish or of medicine, too, is left alone unless it is written
with a capital where none is due.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from presidio_mx.entities import kind_of
from presidio_mx.replace.surrogates.lexicon import PARTICLES
from presidio_mx.replace.surrogates.nicknames import is_short_for
from presidio_mx.replace.surrogates.ordinary import ordinary_words
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Span

# Names found with less trust name nobody elsewhere.
_TRUSTED, _SURE = 0.6, 0.8
_SHORTEST = 4
_WORD = re.compile(r"[^\W\d_]+")
# A word as people glue them: "SraTzintzun", "Tzintzun2".
_GLUED = re.compile(r"[A-ZÁÉÍÓÚÑ]?[a-záéíóúüñ]+|[A-ZÁÉÍÓÚÜÑ]+(?![a-záéíóúüñ])")
_SENTENCE = re.compile(r"(?:^|[.:;!?\n\t|•*-])\s*$")


def further_mentions(
    text: str, spans: Sequence[Span], spared: Sequence[tuple[int, int]] = ()
) -> list[Span]:
    """Return the spans, and the words of their names that stand outside of them.

    :param text: The document.
    :param spans: Its entities in reading order, without overlaps.
    :param spared: Where none is looked for, in reading order, apart from one another.
    :return: All spans in reading order; the further ones have the role and score of
        the name they are of.
    """
    named = _named(text, spans)
    if not named:
        return list(spans)
    found = list(spans)
    position = 0
    before: Span | None = None
    for span in (*spans, None):
        end = span.start if span else len(text)
        rest = list(_behind(text, before, end, named)) if before else []
        found += rest
        position = rest[-1].end if rest else position
        found += _mentions(text, position, end, named)
        position, before = span.end if span else end, span
    given = set(spans)
    kept = [f for f in found if f in given or not _overlaps(f, spared)]
    return sorted(kept, key=lambda span: span.start)


def _overlaps(span: Span, others: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(others, span.start, key=lambda other: other[1])
    return place < len(others) and others[place][0] < span.end


def _named(text: str, spans: Sequence[Span]) -> dict[str, Span]:
    """Return the folded words of names found with trust."""
    named: dict[str, Span] = {}
    for span in spans:
        score = 1.0 if span.score is None else span.score
        if kind_of(span.entity_type) != "PERSON" or score < _TRUSTED:
            continue
        for word in _WORD.findall(text[span.start : span.end]):
            key = fold_key(word)
            if len(key) < _SHORTEST or key in PARTICLES:
                continue
            held = named.get(key)
            if held is None or (held.score or 0.0) < score:
                named[key] = span
    return named


def _behind(
    text: str, before: Span, end: int, named: Mapping[str, Span]
) -> Iterator[Span]:
    """Yield the rest of a name: "modesto" of "trini modesto", an ordinary word, too."""
    match = _WORD.search(text, before.end, end)
    if match is None or kind_of(before.entity_type) != "PERSON":
        return
    word, gap = fold(match.group()), text[before.end : match.start()]
    first = _WORD.findall(fold(text[before.start : before.end]))[-1:]
    if word not in named or not gap or gap.strip(" ") or not first or word in first:
        return
    for name in named.values():  # of the people called so, the one of this nickname
        whole = _WORD.findall(fold(text[name.start : name.end]))
        if word in whole and any(
            w in first or is_short_for(first[0], w) for w in whole
        ):
            yield Span(*match.span(), name.entity_type, name.role, name.score)
            return


def _mentions(
    text: str, start: int, end: int, named: Mapping[str, Span]
) -> Iterator[Span]:
    """Yield the words of names between two places."""
    for match in _WORD.finditer(text, start, end):
        pieces = [match.span()]
        if fold(match.group()) not in named:
            pieces = [m.span() for m in _GLUED.finditer(text, *match.span())]
        for first, last in pieces:
            name = named.get(fold(text[first:last]))
            if name is not None and _is_name(text, first, last, name):
                yield Span(first, last, name.entity_type, name.role, name.score)


def _is_name(text: str, start: int, end: int, name: Span) -> bool:
    """Tell whether a word that is in a name is one here, too."""
    word = text[start:end]
    if fold(word) not in ordinary_words():
        return True
    score = 1.0 if name.score is None else name.score
    capital = word[0].isupper() and word[1:].islower()
    return score >= _SURE and capital and not _SENTENCE.search(text, 0, start)
