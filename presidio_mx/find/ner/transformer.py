"""The transformer: a small model that ships with the suite and needs no torch."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.ner.onnx_model import default_threads, load_model
from presidio_mx.find.ner.pieces import Pieces
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.find.ner.viterbi import Floats, LabelSet, trimmed, word_spans
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.working_text import WorkingText
from presidio_mx.find.session import Proposal, Session
from presidio_mx.find.vote.calibration import CALIBRATION_FILE, read_calibration
from presidio_mx.find.vote.evidence import Evidence
from presidio_mx.find.vote.fusion import FILE, Fusion, Opinion, read_fusion
from presidio_mx.find.vote.weigh import BALANCED
from presidio_mx.text.spans import Span

MODELS = Path(str(files("presidio_mx"))) / "models"
SHIPPED, LARGE = MODELS / "mx-small", MODELS / "mx-large"
TRANSFORMER, TRANSFORMER_LARGE = "transformer", "transformer-large"
SHIPPED_MODELS = {TRANSFORMER: SHIPPED, TRANSFORMER_LARGE: LARGE}
"""Words for the models that ship with the package, and their folders."""

# The logarithm of how many times more probable nothing may be than a faint span.
_FAINT = 5.0


def transformer_available(model: Path = SHIPPED) -> bool:
    """Tell whether the shipped model can run: its files and its extra are there.

    :param model: Folder of the model.
    """
    from importlib.util import find_spec

    there = (model / "model.onnx").is_file()
    return there and all(find_spec(name) for name in ("onnxruntime", "tokenizers"))


def marked(text: str, pieces: Pieces, rows: Floats, labels: LabelSet) -> list[Span]:
    """Decode the spans of a note.

    :param text: The note.
    :param pieces: The note in pieces.
    :param rows: Log-probabilities, shape (words, labels).
    :param labels: What the columns are.
    :return: Spans in reading order, scored by their mean probability.
    """
    found = []
    for span in word_spans(rows, labels):
        first, last = int(pieces.starts[span.first]), int(pieces.ends[span.last])
        start, end = trimmed(text, first, last)
        if start < end:
            found.append(Span(start, end, span.kind, score=span.score))
    return found


def spans_in_note(
    source: WorkingText, pieces: Pieces, rows: Floats, labels: LabelSet
) -> list[Span]:
    """Decode the spans of a note that was read as models read it.

    :param source: What was read, and the way back to the note.
    :param pieces: The same in pieces.
    :param rows: Log-probabilities, shape (words, labels).
    :param labels: What the columns are.
    :return: Spans in offsets of the note.
    """
    found = []
    for span in marked(source.text, pieces, rows, labels):
        start, end = source.back(span.start, span.end)
        found.append(replace(span, start=start, end=end))
    return found


class MxTransformerRecognizer(MxTaggerRecognizer):
    """Entities that a transformer marks, fused with the rules where these run too.

    Long notes are read in windows that overlap; labels are decoded so that they make
    valid spans (Viterbi), and spans keep to whole words. The same note always gives the
    same result.

    :param model: Folder of a model, or ``transformer-large`` for the larger of those
        that ship with the package; the smaller by default.
    :param supported_language: Language of the notes.
    :param supported_entities: Entities to report; all that the model knows by default.
    :param preset: Which head of the model: ``mx`` or ``es-ES``.
    :param threshold: Spans with a lower score are not reported, 0 to 1.
    :param threads: Threads of onnxruntime; ``OMP_NUM_THREADS`` or all cores by default.
    :param batch_size: Windows run at once.
    :param window: Pieces in a window; 0 for the model's own.
    :param overlap: Pieces that windows share; negative for the model's own.
    :param fused: Whether scores are weighed for the vote with rules; else they are
        plain probabilities.
    :param sensitivity: As :class:`MxTaggerRecognizer` takes it.
    :param name: Name shown in explanations.
    :param context: Accepted for configuration files; the model reads the context.
    :raises ConfigurationError: If the model is missing, broken or lacks the head.
    :raises MissingExtraError: If the extra ``transformer`` is not installed.
    """

    KIND = "transformer"

    def __init__(
        self,
        model: Path | str | None = None,
        supported_language: str = "es",
        supported_entities: list[str] | None = None,
        preset: str = "mx",
        threshold: float = 0.0,
        threads: int | None = None,
        batch_size: int = 8,
        window: int = 0,
        overlap: int = -1,
        fused: bool = True,
        sensitivity: str | float = BALANCED,
        name: str | None = None,
        context: list[str] | None = None,
    ) -> None:
        """Load the model; the same model is loaded once a process."""
        if batch_size < 1 or 0 < window < 16 or 0 < window < 2 * overlap:
            raise ConfigurationError(
                "batch_size is at least 1, window 16, and overlap half of it at most"
            )
        self.head = preset
        self.threads = default_threads() if threads is None else threads
        self.batch_size = batch_size
        self.window, self.overlap = window, overlap
        self.fused = fused
        super().__init__(
            SHIPPED_MODELS.get(str(model or TRANSFORMER)) or str(model),
            supported_language,
            supported_entities,
            threshold,
            name,
            context,
            preset,
            sensitivity,
        )

    def load(self) -> None:
        """Load the model."""
        self.classifier = load_model(self.model.resolve(), self.threads)
        heads = self.classifier.card.heads
        if self.head not in heads and len(heads) == 1:
            self.head = next(iter(heads))
        if self.head not in heads:
            raise ConfigurationError(
                f"the model in {self.model} was not trained for the preset "
                f"{self.head!r}; it was for {', '.join(heads)}"
            )
        self.labels = heads[self.head]
        self.entities_of_model = list(self.labels.types)
        self.model_hash = self.classifier.model_hash
        self.fusion = (
            read_fusion(self.model / FILE, self.head) if self.fused else Fusion()
        )
        self.calibration = (
            read_calibration(self.model / CALIBRATION_FILE, self.head)
            if self.fused
            else None
        )

    def source(self, session: Session) -> WorkingText:
        """Return a note as it was when the model learnt: with its words whole.

        :param session: The work on the note.
        """
        return session.readable

    def propose(self, text: str) -> Proposal:
        """Return what the model says of a note, weighed for the vote with rules.

        :param text: A note that is not blank.
        """
        pieces, rows = self.read(text)
        spans = self._marked(text, pieces, rows)
        if not self.fused:
            return self.proposal_of(spans)
        kept = [span for span in map(self._weighed, spans) if span is not None]
        evidence = Evidence.of(pieces.starts, pieces.ends, self.labels.types, rows)
        seen = self._seen(text, pieces, rows)
        opinion = Opinion(evidence, self.fusion, self.id, self.calibration, seen)
        return self.proposal_of(kept, opinion)

    def _seen(self, text: str, pieces: Pieces, rows: Floats) -> tuple[Finding, ...]:
        """Return what is marked or might be, where nothing is made less probable."""
        softened = rows.copy()
        softened[:, 0] -= _FAINT
        known = frozenset(self.supported_entities)
        return tuple(
            self.finding_of(span)
            for span in marked(text, pieces, softened, self.labels)
            if span.entity_type in known
        )

    def _weighed(self, span: Span) -> Span | None:
        """Return a span with its score among rules; None below its type's threshold."""
        weight = self.fusion.of(span.entity_type)
        probability = span.score or 0.0
        if probability < weight.threshold:
            return None
        return replace(span, score=probability * weight.scale)

    def spans(self, text: str) -> Sequence[Span]:
        """Return what the model marks, with plain probabilities.

        :param text: A note that is not blank.
        """
        return self._marked(text, *self.read(text))

    def read(self, text: str) -> tuple[Pieces, Floats]:
        """Run the model over a note.

        :param text: The note.
        :return: Its pieces, and log-probabilities of shape (words, labels).
        """
        pieces = self.classifier.cut(text)
        rows = self.classifier.log_probabilities(
            pieces, self.head, self.batch_size, self.window, self.overlap
        )
        return pieces, rows

    def _marked(self, text: str, pieces: Pieces, rows: Floats) -> list[Span]:
        return marked(text, pieces, rows, self.labels)
