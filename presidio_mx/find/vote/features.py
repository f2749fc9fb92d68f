"""Evidence on a finding: what it is weighed by, in numbers."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME
from presidio_mx.find.vote.evidence import Evidence, Sight
from presidio_mx.find.vote.initials import initials_of
from presidio_mx.find.vote.leftovers import LEFTOVER_RULE
from presidio_mx.schemes import SPAIN_PREFIX

# Types with weights of their own; all others share some.
GROUPS = ("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS")
# The labels of notes of Spain that are weighed with them.
_GROUP_OF_LABEL = {
    f"{SPAIN_PREFIX}{label}": group
    for group, labels in {
        "PERSON": ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"),
        "LOCATION": ("TERRITORIO", "PAIS"),
        "ORGANIZATION": ("HOSPITAL", "INSTITUCION", "CENTRO_SALUD"),
        "ADDRESS": ("CALLE",),
    }.items()
    for label in labels
}
OTHER = "other"
FEATURES = (
    "one",
    "rule",
    "rule_sure",
    "proposed",
    "named_elsewhere",
    "left_over",
    "named",
    "known",
    "name_or_word",
    "one_word",
    "initials",
    "small_letters",
    "casing_tells_nothing",
    "capitals",
    "model_anything",
    "model_least",
    "model_same",
    "model_on_initials",
)
# Nothing is surer than this: a logarithm must stay finite.
_SUREST = 0.998
_SURE_NAME = 0.9
_SHORTEST_NAME = 3
_MOST_INITIALS = 4


def logit(probability: float) -> float:
    """Return the logarithm of the odds, bounded.

    :param probability: 0 to 1.
    """
    bounded = min(max(probability, 1 - _SUREST), _SUREST)
    return math.log(bounded / (1 - bounded))


def group_of(entity: str) -> str:
    """Return the group of types that an entity is weighed with."""
    return entity if entity in GROUPS else _GROUP_OF_LABEL.get(entity, OTHER)


def sure_names(
    document: Document, findings: Iterable[Finding], evidence: Evidence | None
) -> frozenset[str]:
    """Return the words of full names that are beyond doubt.

    :param document: The prepared note.
    :param findings: Settled findings, in offsets of the note.
    :param evidence: What a model says of the note, if one read it.
    """
    names: set[str] = set()
    for finding in findings:
        if group_of(finding.entity) != "PERSON":
            continue
        words = _long_words(document, finding)
        sight = evidence and evidence.sight(finding.start, finding.end, finding.entity)
        sure = sight.least if sight else finding.score
        if len(words) > 1 and sure >= _SURE_NAME:
            names.update(words)
            names.update(initials_of(document, _inside(document, finding)))
    return frozenset(names)


def _inside(document: Document, finding: Finding) -> range:
    there = document.source.there
    return document.words_in(there(finding.start), there(finding.end))


def _long_words(document: Document, finding: Finding) -> list[str]:
    inside = _inside(document, finding)
    words = (document.words[i] for i in inside if not document.flags[i] & KNOWN)
    return [word for word in words if len(word) >= _SHORTEST_NAME]


def features(
    document: Document,
    finding: Finding,
    sight: Sight | None,
    names: frozenset[str],
) -> list[float]:
    """Return the evidence on a finding, in the order of :data:`FEATURES`.

    How often its rule is right is left at 0.

    :param document: The prepared note.
    :param finding: A settled finding, in offsets of the note.
    :param sight: What a model says of its words, if one read the note.
    :param names: Words of names that are beyond doubt in this note.
    """
    there = document.source.there
    start, end = there(finding.start), there(finding.end)
    words = document.words_in(start, end) or range(0)
    flags = [document.flags[i] for i in words]
    capitals = any(document.capital(i) for i in words)
    mixed = not words or document.casing(words[0]) == "mixed"
    written = document.text[start:end]
    person = group_of(finding.entity) == "PERSON"
    model = [0.0, 0.0, 0.0]
    if sight is not None:
        model = [logit(p) for p in (sight.anything, sight.least, sight.same)]
    # A model seldom knows initials from the abbreviations around them.
    initials = person and _are_initials(written, flags)
    return [
        1.0,
        0.0,
        0.0,
        float(finding.proposed),
        float(person and _all_in(document, finding, names)),
        float(finding.rule == LEFTOVER_RULE),
        _share(bool(f & NAME) and not f & KNOWN for f in flags),
        _share(bool(f & KNOWN) and not f & NAME for f in flags),
        _share(bool(f & KNOWN) and bool(f & NAME) for f in flags),
        float(len(words) == 1),
        float(initials),
        float(mixed and not capitals),
        float(not mixed),
        float(mixed and written.isupper()),
        *model,
        model[0] * initials,
    ]


def _are_initials(written: str, flags: Sequence[int]) -> bool:
    """Tell whether a span has a few letters and no name among them."""
    letters = sum(map(str.isalpha, written))
    return letters <= _MOST_INITIALS and not any(f & NAME for f in flags)


def _all_in(document: Document, finding: Finding, names: frozenset[str]) -> bool:
    words = _long_words(document, finding)
    if not words:
        # Initials: "AZ" for Aarón Zertuche.
        words = [document.words[i] for i in _inside(document, finding)][:2]
    return bool(words) and names.issuperset(words)


def _share(answers: Any) -> float:
    told = list(answers)
    return sum(told) / len(told) if told else 0.0
