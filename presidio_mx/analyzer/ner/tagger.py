"""The base of recognizers that run a trained model over a note."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.analyzer.note.finding import FOREIGN_RULE, Finding
from presidio_mx.analyzer.session import ROLE_KEY, foreign_findings, shared
from presidio_mx.errors import ConfigurationError
from presidio_mx.spans import Span


class MxTaggerRecognizer(EntityRecognizer):
    """Report the spans that a model marks.

    A subclass loads its model in :meth:`load` and marks notes in :meth:`spans`.

    :param model: Folder of the model, or its file where the model is one.
    :param supported_language: Language of the notes.
    :param supported_entities: Entities to report; by default all the model knows.
    :param threshold: Spans with a lower score are not reported, 0 to 1.
    :param name: Name shown in explanations.
    :param context: Accepted for configuration files; the model reads the context.
    :raises ConfigurationError: If the model is not there or not of this kind.
    :raises MissingExtraError: If what runs it is not installed.
    """

    KIND: ClassVar[str] = ""
    name: str
    model_hash: str
    entities_of_model: list[str]

    def __init__(
        self,
        model: Path | str,
        supported_language: str = "es",
        supported_entities: list[str] | None = None,
        threshold: float = 0.0,
        name: str | None = None,
        context: list[str] | None = None,
    ) -> None:
        """Load the model."""
        self.model = Path(model)
        if not self.model.exists():
            raise ConfigurationError(f"{model}: no such model; give the path of one")
        if not 0 <= threshold <= 1:
            raise ConfigurationError(f"threshold {threshold} is not between 0 and 1")
        self.threshold = threshold
        super().__init__(
            # Presidio loads in its constructor and logs the entities before that.
            supported_entities=supported_entities or [],
            name=name or type(self).__name__,
            supported_language=supported_language,
            context=context,
        )
        self.supported_entities = supported_entities or self.entities_of_model

    def spans(self, text: str) -> Sequence[Span]:
        """Return what the model marks, with Presidio's entity types and scores.

        :param text: A note that is not blank.
        """
        raise NotImplementedError

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find what the model knows.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Not needed.
        :return: Results in reading order.
        """
        wanted = set(self.supported_entities)
        if entities:
            wanted &= set(entities)
        if not wanted or not text.strip():
            return []
        return [
            self._result(span)
            for span in self.spans(text)
            if span.entity_type in wanted and (span.score or 0.0) >= self.threshold
        ]

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Keep what prevails against the suite's rules, where these run too.

        :param text: The note.
        :param raw_recognizer_results: Results of this recognizer.
        :param other_raw_recognizer_results: Results of all others.
        :param nlp_artifacts: Presidio's artifacts, where the rules' work is shared.
        :param context: Context words of this call.
        :return: This recognizer's share of the settled spans.
        """
        work = shared(nlp_artifacts)
        if work.preset is None:
            return raw_recognizer_results
        given = foreign_findings(raw_recognizer_results, other_raw_recognizer_results)
        settled = [
            finding
            for finding in work.settle(work.preset, text, given)
            if finding.rule == FOREIGN_RULE
        ]
        found = _share(raw_recognizer_results, settled)
        _give_roles(found, other_raw_recognizer_results)
        return found

    def _result(self, span: Span) -> RecognizerResult:
        score = min(max(span.score or 0.0, 0.0), 1.0)
        metadata: dict[str, Any] = {
            RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
            RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
        }
        return RecognizerResult(
            entity_type=span.entity_type,
            start=span.start,
            end=span.end,
            score=score,
            analysis_explanation=AnalysisExplanation(
                recognizer=self.name,
                original_score=score,
                textual_explanation=f"{self.KIND} model {self.model_hash[:12]}",
            ),
            recognition_metadata=metadata,
        )


def _share(
    results: list[RecognizerResult], settled: list[Finding]
) -> list[RecognizerResult]:
    """Return a recognizer's results with the offsets that were settled on."""
    found = []
    for result in results:
        for finding in settled:
            inside = result.start <= finding.start and finding.end <= result.end
            if inside and finding.entity == result.entity_type:
                result.start, result.end = finding.start, finding.end
                found.append(result)
                break
    return found


def _give_roles(found: list[RecognizerResult], others: list[RecognizerResult]) -> None:
    """Give persons the role that a rule saw in an overlapping span."""
    known = [r for r in others if (r.recognition_metadata or {}).get(ROLE_KEY)]
    for result in found:
        for other in known:
            same = other.entity_type == result.entity_type
            if same and other.start < result.end and result.start < other.end:
                result.recognition_metadata[ROLE_KEY] = other.recognition_metadata[
                    ROLE_KEY
                ]
                break
