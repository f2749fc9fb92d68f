"""The transformer: a small model that ships with the suite and needs no torch."""

import math
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.finding import Finding, moved_back, trimmed
from presidio_mx.find.ner.onnx_model import Reply, default_threads, load_model
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.find.ner.viterbi import LabelSet, word_spans
from presidio_mx.find.probability import CALIBRATION_FILE, read_calibration
from presidio_mx.find.reading import Evidence, Reading
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.text.prepared import Prepared
from presidio_mx.text.spans import Span

MODELS = Path(str(files("presidio_mx"))) / "models"
SHIPPED = MODELS / "mx-small"
TRANSFORMER = "transformer"
"""Words for the models that ship with the package, and their folders."""
_HOUR, _MINUTES = re.compile(r"[ ,]+\d{1,2}$"), re.compile(r":[0-5]\d\b")


def transformer_available() -> bool:
    """Tell whether the shipped model can run: its files and its extra are there."""
    from importlib.util import find_spec

    there = (SHIPPED / "model.onnx").is_file()
    return there and all(find_spec(name) for name in ("onnxruntime", "tokenizers"))


def bias_of(least: float) -> float:
    """Return what to take off the log-odds of "outside" for a threshold.

    A word is then marked where something identifying stands there with at least that
    probability.

    :param least: The probability, from 0 to below 1.
    """
    bounded = max(least, 1e-4)
    return math.log((1 - bounded) / bounded)


def before_hour(text: str, start: int, end: int) -> int:
    """Return where a date ends that took the hour behind it: "21-nov 12" of "12:40".

    :param text: The text.
    :param start: First offset of the date.
    :param end: Offset after its last character.
    """
    hour = _HOUR.search(text, start, end) if _MINUTES.match(text, end) else None
    return hour.start() if hour and hour.start() > start else end


def spans_of(
    text: str, reply: Reply, labels: LabelSet, least: float = 0.5
) -> list[Span]:
    """Decode the spans of a text.

    :param text: The text that was read.
    :param reply: What the model says.
    :param labels: What its columns are.
    :param least: Probability from which on words are marked.
    :return: Spans in reading order, scored by the mean probability of their words that
        something identifying stands there.
    """
    rows = reply.rows.copy()
    rows[:, 0] -= bias_of(least)
    starts, ends = reply.tokens.starts, reply.tokens.ends
    found = []
    for span in word_spans(rows, reply.rows, labels):
        start, end = trimmed(text, int(starts[span.first]), int(ends[span.last]))
        if span.kind == "DATE_TIME":
            end = before_hour(text, start, end)
        if start < end:
            found.append(Span(start, end, span.kind, score=max(span.score, least)))
    return found


class MxTransformerRecognizer(MxTaggerRecognizer):
    """Entities that the shipped model marks, alone or beside the rules.

    Labels are decoded so that they make valid spans (Viterbi), and spans keep to whole
    words. The same note always gives the same result, whatever its neighbours.

    :param model: Folder of a model; the shipped one by default.
    :param supported_language: Language of the notes.
    :param supported_entities: Entities to report; all that the model knows by default.
    :param preset: Which head of the model: ``mx`` or ``es-ES``.
    :param threshold: Spans with a lower score are not reported, 0 to 1.
    :param threads: Threads of onnxruntime; ``OMP_NUM_THREADS`` or all cores by default.
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
        sensitivity: str | float = BALANCED,
        name: str | None = None,
        context: list[str] | None = None,
    ) -> None:
        """Load the model; the same model is loaded once a process."""
        self.head = preset
        self.threads = default_threads() if threads is None else threads
        super().__init__(
            SHIPPED if model in (None, "", TRANSFORMER) else str(model),
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
        self.calibration = read_calibration(self.model / CALIBRATION_FILE, self.head)

    def spans(self, text: str) -> Sequence[Span]:
        """Return what the model marks of a prepared text at this sensitivity.

        :param text: A text that is not blank.
        """
        reply = self.classifier.read(text, self.head)
        return spans_of(text, reply, self.labels, self.least.least)

    def read(self, source: Prepared) -> Reading:
        """Return what the model says of a note, at any sensitivity.

        :param source: The prepared note, not blank.
        """
        reply = self.classifier.read(source.text, self.head)
        tokens = reply.tokens
        evidence = Evidence.of(tokens.starts, tokens.ends, reply.rows, reply.roles)

        def find(least: float) -> list[Finding]:
            spans = spans_of(source.text, reply, self.labels, least)
            return list(moved_back(self.findings_of(spans), source))

        return Reading(find, self.preset, evidence.back(source), self.calibration)
