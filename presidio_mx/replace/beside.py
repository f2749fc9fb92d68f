"""What a note says beside the values found, and would tell them: feasts, demonyms.

"El 15 de septiembre, día del Grito" tells by how much the dates moved, and "paciente
poblano" where Puebla was. Looked for only where dates or places get surrogates.
"""

import re
from collections.abc import Iterator, Sequence

from presidio_mx.entities import kind_of
from presidio_mx.replace.profiles import Profile
from presidio_mx.replace.surrogates.abroad import country_of
from presidio_mx.replace.surrogates.atlas import place_key
from presidio_mx.replace.surrogates.context import Settings
from presidio_mx.replace.surrogates.demonyms import (
    country_of_demonym,
    state_of_demonym,
)
from presidio_mx.replace.surrogates.places import place_state
from presidio_mx.spanish.words import either, words
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

_FEAST = re.compile(rf"\b{either('feast')}\b")
_WORD = re.compile(r"[a-z\u00f1]{5,}")
_DISHES = words("demonym_of_things")
_BEFORE = re.compile(r"([a-z\u00f1]+)\s+$")
_NEAR = 40  # letters between a feast and the date that is told by it


def told_beside(text: str, spans: Sequence[Span], profile: Profile) -> list[Span]:
    """Return the spans, and those of feasts at dates and of the people of states.

    A feast becomes the tag of a date, as the surrogate's day has none; what the people
    of a state are called becomes the word of the state that it becomes.

    :param text: The document.
    :param spans: Its entities in reading order, without overlaps.
    :param profile: Which operator treats which entity.
    """
    found = list(spans)
    folded = fold(text)
    dates, places = profile.spec("DATE_TIME"), profile.spec("LOCATION")
    if dates.operator == "surrogate":
        if Settings.from_params(dates.params).season != "same":
            found += _feasts(folded, spans)
    if places.operator == "surrogate":
        found += _demonyms(text, folded, spans)
    return sorted(found, key=lambda span: span.start)


def _free(start: int, end: int, spans: Sequence[Span]) -> bool:
    return not any(span.start < end and start < span.end for span in spans)


def _feasts(folded: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield feasts that stand near a date with a day."""
    dates = [s for s in spans if kind_of(s.entity_type) == "DATE_TIME"]
    for match in _FEAST.finditer(folded) if dates else ():
        near = any(
            match.start() - _NEAR <= span.end and span.start <= match.end() + _NEAR
            for span in dates
        )
        if near and _free(*match.span(), spans):
            yield Span(*match.span(), "DATE_TIME", None, 1.0)


def _demonyms(text: str, folded: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield what people are called of the states and countries that the note names."""
    named = (
        place_state(part.strip())[1]
        for span in spans
        if kind_of(span.entity_type) == "LOCATION"
        for part in text[span.start : span.end].split(",")
    )
    states = set(named) - {""}
    lands = {
        country_of(place_key(part))
        for span in spans
        if kind_of(span.entity_type) == "LOCATION"
        for part in text[span.start : span.end].split(",")
    } - {""}
    for match in _WORD.finditer(folded) if states or lands else ():
        of_state = state_of_demonym(match.group()) in states
        if not of_state and country_of_demonym(match.group()) not in lands:
            continue
        before = _BEFORE.search(folded, 0, match.start())
        dish = before is not None and before[1] in _DISHES
        if not dish and _free(*match.span(), spans):
            yield Span(*match.span(), "LOCATION", None, 1.0)
