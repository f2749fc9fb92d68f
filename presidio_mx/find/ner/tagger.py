"""The base of recognizers that run a trained model over a note."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.note.finding import FOREIGN_RULE, Finding
from presidio_mx.find.note.working_text import WorkingText
from presidio_mx.find.results import foreign_findings, proposal_result
from presidio_mx.find.session import Proposal, Session, session_of
from presidio_mx.find.vote.fusion import Opinion
from presidio_mx.find.vote.weigh import BALANCED, least_probability
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
    :param preset: Name of the preset whose rules the model votes with; empty for the
        rules that run beside it, whichever they are.
    :param sensitivity: From which probability on spans are reported, where the vote
        with rules is calibrated: ``high``, ``balanced``, ``exact`` or a number.
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
        self.least = least_probability(sensitivity, preset)
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

    def propose(self, text: str) -> Proposal:
        """Return what the model says of a note, for the vote with rules.

        :param text: A note as models read it, not blank.
        """
        return self.proposal_of(self.spans(text))

    def source(self, session: Session) -> WorkingText:
        """Return what the model reads of a note.

        :param session: The work on the note.
        """
        return session.source

    def _proposal(self, session: Session) -> Proposal:
        source = self.source(session)
        return self.propose(source.text).back(source)

    def proposal_of(
        self, spans: Iterable[Span], opinion: Opinion | None = None
    ) -> Proposal:
        """Return spans as a proposal: those that are reported and score enough.

        :param spans: What the model marked.
        :param opinion: What it says beside them.
        """
        known = frozenset(self.supported_entities)
        findings = [
            self.finding_of(span)
            for span in spans
            if span.entity_type in known and (span.score or 0.0) >= self.threshold
        ]
        return Proposal(tuple(findings), self.preset, opinion)

    def finding_of(self, span: Span) -> Finding:
        """Return a span as a finding of this recognizer.

        :param span: What the model marked.
        """
        score = min(max(span.score or 0.0, 0.0), 1.0)
        return Finding(
            span.start,
            span.end,
            span.entity_type,
            score,
            FOREIGN_RULE,
            source=self.id,
        )

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find what the model knows.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Presidio's artifacts, where rules learn of proposals.
        :return: Results in reading order.
        """
        session = session_of(text, nlp_artifacts)
        wanted = session.ask(self, entities)
        if not wanted or not text.strip():
            return []
        # Rules vote with all that the model says, whatever is asked for.
        proposal = session.proposal(self, lambda: self._proposal(session))
        return self._results(f for f in proposal.findings if f.entity in wanted)

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
        :param nlp_artifacts: Presidio's artifacts, where the work is shared.
        :param context: Context words of this call.
        :return: This recognizer's share of the settled spans.
        """
        session = session_of(text, nlp_artifacts)
        walk = session.walk_named(self.preset)
        if walk is None:
            return raw_recognizer_results
        foreign = foreign_findings(other_raw_recognizer_results)
        return self._results(session.left_of(self, walk, foreign, self.least))

    def _results(self, findings: Iterable[Finding]) -> list[RecognizerResult]:
        because = f"{self.KIND} model {self.model_hash[:12]}"
        return [proposal_result(finding, self, because) for finding in findings]
