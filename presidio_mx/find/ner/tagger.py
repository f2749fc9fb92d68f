"""The base of recognizers that run a trained model over a note."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.finding import MODEL, Finding
from presidio_mx.find.reading import Reading, fixed
from presidio_mx.find.results import foreign_findings, result_of
from presidio_mx.find.sensitivity import BALANCED, thresholds_of
from presidio_mx.find.session import session_of
from presidio_mx.text.prepare import prepare
from presidio_mx.text.prepared import Prepared
from presidio_mx.text.spans import Span


class MxTaggerRecognizer(EntityRecognizer):
    """Report the spans that a model marks.

    A subclass loads its model in :meth:`load` and marks notes in :meth:`spans`.

    :param model: Folder of the model, or its file where the model is one.
    :param supported_language: Language of the notes.
    :param supported_entities: Entities to report; by default all the model knows.
    :param threshold: Spans with a lower score are not reported, 0 to 1.
    :param name: Name shown in explanations.
    :param context: Accepted for configuration files; the model reads the context.
    :param preset: Name of the preset that the model stands beside; empty for the rules
        that run beside it, whichever they are.
    :param sensitivity: From which probability on spans are reported: ``high``,
        ``balanced``, ``exact`` or a number; ``balanced,PERSON=high`` for some entities.
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
        preset: str = "",
        sensitivity: str | float = BALANCED,
    ) -> None:
        """Load the model."""
        self.preset = preset
        self.least = thresholds_of(sensitivity)
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

    def read(self, source: Prepared) -> Reading:
        """Return what the model says of a note.

        :param source: The prepared note, not blank.
        """
        return fixed(self.findings_of(self.spans(source.text)), source, self.preset)

    def findings_of(self, spans: Iterable[Span]) -> list[Finding]:
        """Return those spans as findings that are reported and score enough.

        :param spans: What the model marked.
        """
        known = frozenset(self.supported_entities)
        return [
            Finding(
                span.start,
                span.end,
                span.entity_type,
                min(max(span.score or 0.0, 0.0), 1.0),
                self.KIND,
                reader=MODEL,
                source=self.id,
            )
            for span in spans
            if span.entity_type in known and (span.score or 0.0) >= self.threshold
        ]

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find what the model knows.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Presidio's artifacts, where the reading is shared.
        :return: Results in reading order.
        """
        session = session_of(text, nlp_artifacts)
        wanted = session.ask(self, entities)
        if not wanted or not text.strip():
            return []
        # The decision takes all that the model says, whatever is asked for.
        reading = session.reading(self, lambda: self.read(prepare(text)))
        found = reading.findings(self.least)
        return self._results(f for f in found if f.entity in wanted)

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Return this recognizer's share of what was decided, where rules run, too.

        :param text: The note.
        :param raw_recognizer_results: Results of this recognizer.
        :param other_raw_recognizer_results: Results of all others.
        :param nlp_artifacts: Presidio's artifacts, where the work is shared.
        :param context: Context words of this call.
        :return: Its share, or its own results where no rules of the suite run.
        """
        session = session_of(text, nlp_artifacts)
        preset = session.preset_named(self.preset)
        if preset is None:
            return raw_recognizer_results
        foreign = foreign_findings(other_raw_recognizer_results)
        return self._results(session.share(self, preset, self.least, foreign))

    def _results(self, findings: Iterable[Finding]) -> list[RecognizerResult]:
        because = f"{self.KIND} model {self.model_hash[:12]}"
        return [result_of(finding, self, because) for finding in findings]
