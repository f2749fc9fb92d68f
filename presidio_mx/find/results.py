"""From findings to Presidio's results and back: what the suite writes into them."""

from collections.abc import Iterable
from copy import copy
from typing import Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult

from presidio_mx.find.finding import OTHER, Finding

ROLE_KEY = "role"
RULE_KEY = "rule"
READER_KEY = "presidio_mx_reader"
_IDENTIFIER = RecognizerResult.RECOGNIZER_IDENTIFIER_KEY


def result_of(
    finding: Finding, recognizer: EntityRecognizer, because: str = ""
) -> RecognizerResult:
    """Return a finding as Presidio's result.

    :param finding: A finding in offsets of the note.
    :param recognizer: The recognizer that reports it.
    :param because: Why, for explanations; by default the rule. Holds nothing of the
        note.
    """
    name: str = recognizer.name  # type: ignore[has-type]
    metadata: dict[str, Any] = {
        RecognizerResult.RECOGNIZER_NAME_KEY: name,
        _IDENTIFIER: recognizer.id,
        # Rules and models read the context; Presidio's enhancer has nothing to add.
        RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY: True,
        READER_KEY: finding.reader,
        RULE_KEY: finding.rule,
    }
    if finding.role:
        metadata[ROLE_KEY] = finding.role
    explanation = AnalysisExplanation(
        recognizer=name,
        original_score=finding.score,
        pattern_name=finding.rule,
        textual_explanation=because or f"rule {finding.rule}",
    )
    return RecognizerResult(
        finding.entity,
        finding.start,
        finding.end,
        finding.score,
        explanation,
        metadata,
    )


def foreign_findings(results: Iterable[RecognizerResult]) -> list[Finding]:
    """Return what recognizers that are not the suite's found.

    :param results: Results of any recognizers.
    :return: Findings with the recognizer's identifier as source.
    """
    return [
        Finding(
            result.start,
            result.end,
            result.entity_type,
            result.score,
            "other recognizer",
            reader=OTHER,
            source=str(_metadata(result).get(_IDENTIFIER, "")),
        )
        for result in results
        if READER_KEY not in _metadata(result)
    ]


def left_of_foreign(
    results: Iterable[RecognizerResult], decided: Iterable[Finding]
) -> list[RecognizerResult]:
    """Return what others' results are left with: what lost an overlap goes.

    :param results: Results of recognizers that are not the suite's.
    :param decided: What is marked, in offsets of the note.
    :return: Copies with the offsets that were decided on.
    """
    kept = [finding for finding in decided if finding.reader == OTHER]
    left = []
    for result in results:
        source = _metadata(result).get(_IDENTIFIER)
        for finding in kept:
            inside = result.start <= finding.start and finding.end <= result.end
            same = (finding.source, finding.entity) == (source, result.entity_type)
            if inside and same:
                narrowed = copy(result)
                narrowed.start, narrowed.end = finding.start, finding.end
                left.append(narrowed)
    return left


def _metadata(result: RecognizerResult) -> dict[str, Any]:
    return result.recognition_metadata or {}
