"""The ADBDC baseline as a recognizer of Presidio."""

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.research.systems.adbdc import find


class MxAdbdcRecognizer(EntityRecognizer):
    """Report what the published baseline finds; see :mod:`.adbdc`.

    :param supported_language: Language of the notes.
    :param name: Name shown in explanations.
    """

    ENTITIES = ("PERSON", "LOCATION", "PHONE_NUMBER", "ADDRESS")
    name: str

    def __init__(self, supported_language: str = "es", name: str | None = None) -> None:
        """Set the entities."""
        super().__init__(
            supported_entities=list(self.ENTITIES),
            name=name or type(self).__name__,
            supported_language=supported_language,
        )

    def load(self) -> None:
        """Do nothing: lists are read at the first note."""

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find names, municipalities, telephones and addresses, in this order.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Not used.
        :return: Results; an address takes in what was found inside it.
        """
        return [
            RecognizerResult(
                f.entity,
                f.start,
                f.end,
                f.score,
                AnalysisExplanation(self.name, f.score, pattern_name=f.rule),
                {
                    RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                    RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                    RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY: True,
                },
            )
            for f in find(text)
            if not entities or f.entity in entities
        ]
