"""What was found stands elsewhere, too: names, and what tells dates and states.

The analyzer looks for a found name wherever it can judge; this looks at what was left:
words of other recognizers' names, words grown together. A word that is another word of
Spanish or of medicine, too, is left alone unless it is written with a capital where
none is due.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from presidio_mx.entities import kind_of
from presidio_mx.replace.calendar import calendar_spans
from presidio_mx.replace.context import Settings
from presidio_mx.replace.profiles import Profile
from presidio_mx.spanish.institutions import state_markers
from presidio_mx.spanish.name_likeness import is_short_for
from presidio_mx.spanish.name_lists import PARTICLES
from presidio_mx.spanish.ordinary import ordinary_words
from presidio_mx.spanish.places import atlas, country_of, demonyms
from presidio_mx.spanish.words import words
from presidio_mx.spanish.writing import place_key
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Span

# Names found with less trust name nobody elsewhere.
_TRUSTED, _SURE = 0.6, 0.8
_SHORTEST = 4
_WORD = re.compile(r"[^\W\d_]+")
# A word as people glue them: "SraTzintzun", "Tzintzun2".
_GLUED = re.compile(r"[A-ZÁÉÍÓÚÑ]?[a-záéíóúüñ]+|[A-ZÁÉÍÓÚÜÑ]+(?![a-záéíóúüñ])")
_SENTENCE = re.compile(r"(?:^|[.:;!?\n\t|•*-])\s*$")
_BEFORE = re.compile(r"([a-z\u00f1]+)\s+$")
_DISHES = words("demonym_of_things")
# "SIN-77", "OAX/0231": letters of a state before a number.
_LETTERS = re.compile(r"(?<![\w/.-])([A-Z]{3,4})(?=[-/]\d{2})")


def further_spans(
    text: str,
    spans: Sequence[Span],
    profile: Profile,
    spared: Sequence[tuple[int, int]] = (),
) -> list[Span]:
    """Return the spans, and what else tells what they hold.

    :param text: The document.
    :param spans: Its entities in reading order, without overlaps.
    :param profile: Which operator treats which entity: dates and states are told by
        what stands beside them only where they get surrogates.
    :param spared: Where none is looked for, in reading order, apart from one another.
    """
    found = further_mentions(text, spans)
    dates, places = profile.spec("DATE_TIME"), profile.spec("LOCATION")
    if dates.operator == "surrogate":
        settings = Settings.from_params(dates.params)
        found = calendar_spans(text, found, settings.season)
    if places.operator == "surrogate":
        if Settings.from_params(places.params).places != "same_state":
            found += _state_spans(text, found)
    given = set(spans)
    kept = [f for f in found if f in given or not _overlaps(f, spared)]
    return sorted(kept, key=lambda span: span.start)


def _state_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return demonyms, acronyms and letters of states outside of what was found."""
    new: list[Span] = []
    lands = {
        country_of(place_key(part)).lower()
        for span in spans
        if kind_of(span.entity_type) == "LOCATION"
        for part in text[span.start : span.end].split(",")
    } - {""}
    forms, markers, folded = demonyms()[0], state_markers(), fold(text)
    for match in _WORD.finditer(folded):
        key = match.group()
        area = forms[key][0] if key in forms else ""
        if area and (area.isupper() or area in lands):
            before = _BEFORE.search(folded, 0, match.start())
            if before is None or before[1] not in _DISHES:
                new.append(Span(*match.span(), "LOCATION", None, 1.0))
        elif key in markers and sum(map(str.isupper, text[slice(*match.span())])) > 2:
            new.append(Span(*match.span(), "ORGANIZATION", None, 1.0))
    for match in _LETTERS.finditer(text):
        if fold_key(match[1]) in atlas().state_letters:
            new.append(Span(*match.span(), "LOCATION", None, 1.0))
    return [span for span in new if not any(map(span.overlaps, spans))]


def further_mentions(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans, and the words of their names that stand outside of them.

    :param text: The document.
    :param spans: Its entities in reading order, without overlaps.
    :return: All spans in reading order; the further ones have the role and score of
        the name they are of.
    """
    known = _known(text, spans)
    if not known:
        return list(spans)
    found, folded = list(spans), fold(text)
    position = 0
    before: Span | None = None
    for span in (*spans, None):
        end = span.start if span else len(text)
        rest = list(_behind(text, before, end, known)) if before else []
        found += rest
        position = rest[-1].end if rest else position
        found += _mentions(text, folded, position, end, known)
        position, before = span.end if span else end, span
    return sorted(found, key=lambda span: span.start)


def _overlaps(span: Span, others: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(others, span.start, key=lambda other: other[1])
    return place < len(others) and others[place][0] < span.end


def _known(text: str, spans: Sequence[Span]) -> dict[str, Span]:
    """Return the folded words of names found with trust."""
    known: dict[str, Span] = {}
    for span in spans:
        score = 1.0 if span.score is None else span.score
        if kind_of(span.entity_type) != "PERSON" or score < _TRUSTED:
            continue
        for word in _WORD.findall(text[span.start : span.end]):
            key = fold_key(word)
            if len(key) < _SHORTEST or key in PARTICLES:
                continue
            held = known.get(key)
            if held is None or (held.score or 0.0) < score:
                known[key] = span
    return known


def _behind(
    text: str, before: Span, end: int, known: Mapping[str, Span]
) -> Iterator[Span]:
    """Yield the rest of a name: "modesto" of "trini modesto", an ordinary word, too."""
    match = _WORD.search(text, before.end, end)
    if match is None or kind_of(before.entity_type) != "PERSON":
        return
    word, gap = fold(match.group()), text[before.end : match.start()]
    first = _WORD.findall(fold(text[before.start : before.end]))[-1:]
    if word not in known or not gap or gap.strip(" ") or not first or word in first:
        return
    for name in known.values():  # of the people called so, the one of this nickname
        whole = _WORD.findall(fold(text[name.start : name.end]))
        if word in whole and any(
            w in first or is_short_for(first[0], w) for w in whole
        ):
            yield Span(*match.span(), name.entity_type, name.role, name.score)
            return


def _mentions(
    text: str, folded: str, start: int, end: int, known: Mapping[str, Span]
) -> Iterator[Span]:
    """Yield the words of names between two places."""
    for match in _WORD.finditer(text, start, end):
        pieces, word = [match.span()], match.group()
        mixed = not (word.islower() or word.isupper() or word.istitle())
        if mixed and folded[slice(*match.span())] not in known:
            pieces = [m.span() for m in _GLUED.finditer(text, *match.span())]
        for first, last in pieces:
            name = known.get(folded[first:last])
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
