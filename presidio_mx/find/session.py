"""One call of an analyzer: the note, what its readers say, what was decided."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from presidio_analyzer import EntityRecognizer
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.find.decide import decide
from presidio_mx.find.finding import Finding, moved_back
from presidio_mx.find.people import with_roles
from presidio_mx.find.preset import Preset
from presidio_mx.find.probability import Calibration
from presidio_mx.find.reading import Evidence, Reading
from presidio_mx.find.sensitivity import Thresholds
from presidio_mx.presidio_compat import storage_of
from presidio_mx.text.document import Document

_NAME = "presidio_mx session"
# By what a decision is kept: rules, readers that spoke, others' findings, thresholds.
_Key = tuple[Preset, tuple[EntityRecognizer, ...], tuple[Finding, ...], Thresholds]


@dataclass(slots=True)
class Session:
    """The work of one call, shared by all recognizers of the suite.

    Every reader reads the note once; each question is decided once.

    :param text: The note.
    :param reported: The decision of which a recognizer reported its share.
    """

    text: str
    _asked: dict[EntityRecognizer, frozenset[str]] = field(default_factory=dict)
    _documents: dict[Preset, Document] = field(default_factory=dict)
    _rules: dict[Preset, tuple[Finding, ...]] = field(default_factory=dict)
    _readings: dict[EntityRecognizer, Reading] = field(default_factory=dict)
    _decided: dict[_Key, list[Finding]] = field(default_factory=dict)
    reported: dict[EntityRecognizer, list[Finding]] = field(default_factory=dict)

    def ask(self, recognizer: EntityRecognizer, entities: list[str]) -> frozenset[str]:
        """Return which of its entities a recognizer is asked for, and remember them.

        :param recognizer: The recognizer.
        :param entities: Entities asked for; empty means all.
        """
        known = frozenset(recognizer.supported_entities)
        self._asked[recognizer] = known & frozenset(entities) if entities else known
        return self._asked[recognizer]

    def asked(self, recognizer: EntityRecognizer) -> frozenset[str]:
        """Return what a recognizer was asked for in this call; all by default.

        :param recognizer: The recognizer.
        """
        known = frozenset(recognizer.supported_entities)
        return self._asked.get(recognizer, known)

    def document(self, preset: Preset) -> Document:
        """Return the note as a preset's rules see it, whether they run or not.

        :param preset: The rules.
        """
        if preset not in self._documents:
            self._documents[preset] = preset.read(self.text)
        return self._documents[preset]

    def reading(self, reader: EntityRecognizer, make: Callable[[], Reading]) -> Reading:
        """Return what a reader says, read at its first look.

        :param reader: The recognizer.
        :param make: Reads the note.
        """
        if reader not in self._readings:
            self._readings[reader] = make()
        return self._readings[reader]

    def rules(self, preset: Preset) -> tuple[Finding, ...]:
        """Return what the rules of a preset find, in offsets of the note.

        :param preset: The rules.
        """
        if preset not in self._rules:
            document = self.document(preset)
            self._rules[preset] = moved_back(preset.find(document), document.source)
        return self._rules[preset]

    def questions(self) -> list[tuple[Preset, Thresholds]]:
        """Return what was decided in this call: rules and the thresholds of each."""
        return list(
            dict.fromkeys((preset, least) for preset, _, _, least in self._decided)
        )

    def preset_named(self, name: str) -> Preset | None:
        """Return the preset of a name whose rules run in this call.

        :param name: Its name; empty for the first there is.
        """
        return next((p for p in self._rules if not name or p.name == name), None)

    def decided(
        self,
        preset: Preset,
        least: Thresholds,
        others: Iterable[Finding] = (),
        calibration: Calibration | None = None,
    ) -> list[Finding]:
        """Return what is marked: rules, readings and others' findings together.

        :param preset: The rules.
        :param least: Probabilities from which on findings stand.
        :param others: What recognizers that are not the suite's found.
        :param calibration: How rules' findings become probabilities, where not as was
            fitted for the rules or the model.
        :return: Findings in offsets of the note, in reading order.
        """
        beside = self._beside(preset)
        foreign = tuple(sorted(others))
        key = (preset, tuple(beside), foreign, least)
        if calibration is not None or key not in self._decided:
            evidence = _evidence(beside.values())
            scale = calibration or calibration_of(preset, beside.values())
            found = [
                *preset.with_form(weighed(self.rules(preset), scale, evidence)),
                *(f for reading in beside.values() for f in reading.findings(least)),
                *foreign,
            ]
            allowed = preset.allowed(self.document(preset))
            whole = preset.cut(self.document(preset), found)
            marked = decide(self.text, whole, least, allowed)
            self._decided[key] = with_roles(self.text, marked, evidence)
        return self._decided[key]

    def share(
        self,
        reader: EntityRecognizer,
        preset: Preset,
        least: Thresholds,
        others: Iterable[Finding],
    ) -> list[Finding]:
        """Return what stands of a reader's findings, of the entities it is asked for.

        :param reader: The recognizer.
        :param preset: The rules beside it.
        :param least: As :meth:`decided` takes it, and so ``others``.
        :param others: Findings of recognizers that are not the suite's.
        """
        wanted = self.asked(reader)
        return [
            finding
            for finding in self.decided(preset, least, others)
            if finding.source == reader.id and finding.entity in wanted
        ]

    def risk(self, least: Thresholds) -> float | None:
        """Return how likely the note keeps something that identifies somebody.

        :param least: Probabilities from which on findings are marked.
        :return: The probability; None where nothing was fitted.
        """
        for preset in self._rules:
            beside = self._beside(preset)
            scale = calibration_of(preset, beside.values())
            evidence = _evidence(beside.values())
            if scale is None or not scale.risk:
                continue
            marked = self.decided(preset, least)
            if evidence is not None:
                left = evidence.left(marked)
            else:
                rules = weighed(self.rules(preset), scale, None)
                left = sum(f.score for f in rules if f.score < least.of(f.entity))
            return scale.risk_of(left, len(self.document(preset)))
        return None

    def _beside(self, preset: Preset) -> dict[EntityRecognizer, Reading]:
        """Return the readings that stand beside the rules of a preset."""
        return {
            reader: reading
            for reader, reading in self._readings.items()
            if reading.preset in ("", preset.name)
        }


def _evidence(readings: Iterable[Reading]) -> Evidence | None:
    """Return what the first model says of single words."""
    return next((r.evidence for r in readings if r.evidence is not None), None)


def calibration_of(preset: Preset, readings: Iterable[Reading]) -> Calibration | None:
    """Return how findings of rules become probabilities, alone or beside a model."""
    for reading in readings:
        if reading.calibration is not None:
            return reading.calibration
    return preset.calibration


def weighed(
    findings: Iterable[Finding], scale: Calibration | None, evidence: Evidence | None
) -> list[Finding]:
    """Return findings of rules with their probabilities; certain ones as they are.

    :param findings: What rules found, in offsets of the note.
    :param scale: How they become probabilities; None leaves the rules' own scores.
    :param evidence: What a model says of the words, if one read the note.
    """
    return [
        finding
        if finding.certain or scale is None
        else finding._replace(
            score=scale.probability(
                finding,
                evidence.highest(finding.start, finding.end) if evidence else 0.0,
            )
        )
        for finding in findings
    ]


def session_of(text: str, nlp_artifacts: NlpArtifacts | None) -> Session:
    """Return the session of a call, begun at the first look.

    It lives with Presidio's artifacts of the call and goes with them.

    :param text: The note.
    :param nlp_artifacts: The artifacts; without them every look begins a session.
    """
    storage = None if nlp_artifacts is None else storage_of(nlp_artifacts)
    if storage is None:
        return Session(text)
    session = storage.get(_NAME)
    if not isinstance(session, Session) or session.text != text:
        session = storage[_NAME] = Session(text)
    return session
