"""From findings to Presidio's results and back: what the suite writes into them."""

from collections.abc import Iterable
from copy import copy
from typing import Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult

from presidio_mx.find.note.finding import FOREIGN_RULE, Finding

ROLE_KEY = "role"
RULE_KEY = "rule"
PROPOSED_KEY = "presidio_mx_proposal"
_IDENTIFIER = RecognizerResult.RECOGNIZER_IDENTIFIER_KEY


def rule_result(finding: Finding, recognizer: EntityRecognizer) -> RecognizerResult:
    """Return what a rule found as Presidio's result.

    :param finding: A finding in offsets of the note.
    :param recognizer: The recognizer that reports it.
    """
    return _result(
        finding, recognizer, f"rule {finding.rule}", {RULE_KEY: finding.rule}
    )


def proposal_result(
    finding: Finding, recognizer: EntityRecognizer, because: str
) -> RecognizerResult:
    """Return what a model or known data marked as Presidio's result.

    :param finding: A finding in offsets of the note.
    :param recognizer: The recognizer that proposed it.
    :param because: Why, for explanations; holds nothing of the note.
    """
    return _result(finding, recognizer, because, {PROPOSED_KEY: True})


def _result(
    finding: Finding,
    recognizer: EntityRecognizer,
    because: str,
    more: dict[str, Any],
) -> RecognizerResult:
    name: str = recognizer.name  # type: ignore[has-type]
    metadata: dict[str, Any] = {
        RecognizerResult.RECOGNIZER_NAME_KEY: name,
        _IDENTIFIER: recognizer.id,
        # Rules and models read the context; Presidio's enhancer has nothing to add.
        RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY: True,
        **more,
    }
    if finding.role:
        metadata[ROLE_KEY] = finding.role
    explanation = AnalysisExplanation(
        recognizer=name,
        original_score=finding.score,
        pattern_name=finding.rule,
        textual_explanation=because,
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
            FOREIGN_RULE,
            source=str(_metadata(result).get(_IDENTIFIER, "")),
        )
        for result in results
        if is_foreign(result)
    ]


def is_foreign(result: RecognizerResult) -> bool:
    """Tell whether a recognizer that is not the suite's made a result."""
    metadata = _metadata(result)
    return RULE_KEY not in metadata and PROPOSED_KEY not in metadata


def left_of_foreign(
    results: Iterable[RecognizerResult], settled: Iterable[Finding]
) -> list[RecognizerResult]:
    """Return what others' results are left with: what lost an overlap goes.

    :param results: Results of recognizers that are not the suite's.
    :param settled: What stands, in offsets of the note.
    :return: Copies with the offsets that were settled on.
    """
    kept = [finding for finding in settled if finding.proposed]
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
