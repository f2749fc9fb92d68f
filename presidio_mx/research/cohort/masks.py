"""What the study masked beside identifiers: gender, religion, durations.

A GLiNER model with ``recognizers/models/gliner-hc-ribeirao.yaml`` finds them itself;
beside any other detector these words do.
"""

import re
from collections.abc import Collection, Sequence
from functools import cache

from presidio_mx.errors import ConfigurationError
from presidio_mx.spanish.words import either
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Span

MASKS = {"gender": "GENDER", "religion": "RELIGION", "duration": "DURATION"}
_WORDS = {"gender": "cohort_gender", "religion": "cohort_religion"}
_SCORE = 0.6


@cache
def _pattern(name: str) -> re.Pattern[str]:
    if name == "duration":
        unit = either("cohort_duration_unit")
        spelt = either("cohort_number")
        number = rf"(?:\d{{1,3}}(?:[.,]\d)?|{spelt}(?: y {spelt})?)"
        # "3 a 5 días", "dos o tres semanas", "10-12 horas"
        more = rf"(?: {{0,2}}(?:-|a|o|u|y) {{0,2}}{number})?"
        return re.compile(rf"(?<![\w.,]){number}{more} {{0,2}}{unit}(?!\w)")
    return re.compile(rf"\b{either(_WORDS[name])}(?!\w)")


def masked(text: str, names: Collection[str], taken: Sequence[Span]) -> list[Span]:
    """Return what a study wants masked, apart from what was found already.

    :param text: The note.
    :param names: Of ``gender``, ``religion`` and ``duration``.
    :param taken: What was found: an age is no duration.
    :return: Spans of the entities GENDER, RELIGION and DURATION.
    :raises ConfigurationError: If there is no such mask.
    """
    folded = fold(text)
    found: list[Span] = []
    for name in names:
        if name not in MASKS:
            raise ConfigurationError(f"unknown mask {name!r}; use {', '.join(MASKS)}")
        for match in _pattern(name).finditer(folded):
            start, end = match.span()
            if not any(start < s.end and s.start < end for s in (*taken, *found)):
                found.append(Span(start, end, MASKS[name], None, _SCORE))
    return found
