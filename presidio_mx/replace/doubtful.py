"""Which findings get a tag in place of a surrogate: they are probably none.

A surrogate would silently change what a note says: a lab value, a dose, a colour of
triage. Numbers and single words need more trust than whole names.
"""

import re
from collections.abc import Mapping, Sequence

from presidio_mx.entities import kind_of
from presidio_mx.replace.profiles import OperatorSpec
from presidio_mx.replace.surrogates.context import Settings
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Span

# What a finding needs beyond the threshold. Of 120 notes of train_s to train_aa all
# five addresses between 0.5 and 0.75 were scales and findings ("FAST 7c. PPS 40"), and
# more than half of the names below 0.6 were none; numbers alone may be measurements.
_NUMBERS_MORE = 0.15
_MORE = {"ADDRESS": 0.25, "PERSON": 0.1, "MEDICAL_RECORD": 0.15, "ORGANIZATION": 0.1}
# And of one word alone. In 793 notes 26 of 60 single words that were no names lay
# below 0.75, and 32 of 1,500 that were; below 0.6, 14 of 30 places that were none, and
# 7 of 889 that were.
_WORD_MORE = {"PERSON": 0.25, "LOCATION": 0.1}
_NEAR = 16
# "Tradol gotas 10-10-10", "8.04 am", "tz=America/Hermosillo".
_DOSES = re.compile(r"\d{1,2}(?:[-–/]\d{1,2}){2,3}")
_GIVEN = re.compile(
    r"\b(?:gotas|gts|mg|ui|u|tabs?|tabletas?|caps?|capsulas?|ml|insulina|glargina|"
    r"nph|unidades|esquema)\.?,?\s*$"
)
_HOUR = re.compile(r"(?:[01]?\d|2[0-3])[.:][0-5]\d")
_OF_HOUR = re.compile(r"\s?(?:[ap]\.?\s?m\b|hrs?\b|horas\b)")
_ZONE = re.compile(r"\b(?:America|Europe|US|Etc|Mexico)/[A-Z][A-Za-z_]+")


def doubtful_values(
    text: str,
    spans: Sequence[Span],
    values: Mapping[tuple[str, str], OperatorSpec],
) -> set[tuple[str, str]]:
    """Return the values that are probably none: a surrogate would be a wrong lab value.

    :param text: The document.
    :param spans: Its entities.
    :param values: Each entity type and text with its operator.
    :return: Entity types and texts.
    """
    scores: dict[tuple[str, str], float] = {}
    refused: dict[tuple[str, str], bool] = {}
    for span in spans:
        key = (span.entity_type, text[span.start : span.end])
        score = 1.0 if span.score is None else span.score
        scores[key] = max(score, scores.get(key, 0.0))
        refused[key] = refused.get(key, True) and _is_refused(text, span)
    sure = _sure_words(scores)
    doubtful = set()
    for (entity, value), spec in values.items():
        if spec.operator != "surrogate" or kind_of(entity) == "AGE":
            continue
        least = Settings.from_params(spec.params).tag_below
        if least:
            least += _more(kind_of(entity), value, sure)
        if least and (scores[entity, value] < least or refused[entity, value]):
            doubtful.add((entity, value))
    return doubtful


def hours(text: str, spans: Sequence[Span]) -> set[tuple[str, str]]:
    """Return the hours of the day among the dates, which move with no day.

    :param text: The document.
    :param spans: Its entities.
    :return: Entity types and texts, as "8.04" of "8.04 am".
    """
    found: dict[tuple[str, str], bool] = {}
    for span in spans:
        if kind_of(span.entity_type) != "DATE_TIME":
            continue
        value = text[span.start : span.end]
        behind = fold(text[span.end : span.end + _NEAR])
        here = _HOUR.fullmatch(value) is not None and _OF_HOUR.match(behind) is not None
        key = (span.entity_type, value)
        found[key] = found.get(key, True) and here
    return {key for key, hour in found.items() if hour}


def _sure_words(scores: Mapping[tuple[str, str], float]) -> set[str]:
    """Return the folded words of the names of several words that are trusted."""
    least = 0.5 + _WORD_MORE["PERSON"]
    return {
        word.strip(".,")
        for (entity, value), score in scores.items()
        if kind_of(entity) == "PERSON" and score >= least and " " in value
        for word in fold_key(value).split()
    }


def _more(kind: str, value: str, sure: set[str]) -> float:
    """Return what a value needs beyond the threshold."""
    if not any(c.isalpha() for c in value):
        return _NUMBERS_MORE
    alone = len(value.split()) == 1 and fold_key(value) not in sure
    return _WORD_MORE.get(kind, _MORE.get(kind, 0.0)) if alone else _MORE.get(kind, 0.0)


def _is_refused(text: str, span: Span) -> bool:
    """Tell whether what stands around a value says that it is none of its type."""
    kind, value = kind_of(span.entity_type), text[span.start : span.end]
    before = text[max(0, span.start - _NEAR) : span.start]
    if kind == "DATE_TIME" and _DOSES.fullmatch(value):
        return _GIVEN.search(fold(before)) is not None
    if kind != "LOCATION":
        return False
    near = max(0, span.start - _NEAR)
    return any(
        near + zone.start() <= span.start and span.end <= near + zone.end()
        for zone in _ZONE.finditer(text[near : span.end + 2 * _NEAR])
    )
