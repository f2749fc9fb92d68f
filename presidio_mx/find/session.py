"""One call of an analyzer: the note, what was proposed, what the rules made of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from presidio_analyzer import EntityRecognizer
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding, moved_back
from presidio_mx.find.note.prepare import from_scanner, readable
from presidio_mx.find.note.working_text import WorkingText, working_text
from presidio_mx.find.preset import Preset, structure_in
from presidio_mx.find.structure.cut import cut
from presidio_mx.find.structure.find import never_marked
from presidio_mx.find.structure.parts import Structure, united
from presidio_mx.find.vote.broken import whole_again
from presidio_mx.find.vote.fusion import Opinion, without_doubtful
from presidio_mx.find.vote.weigh import Scale, scale_of, weighed
from presidio_mx.presidio_compat import storage_of

_NAME = "presidio_mx session"

_Voted = tuple[Preset, tuple[EntityRecognizer, ...], tuple[Finding, ...]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model or a list of known data says of a note, before the rules run.

    :param findings: Spans in offsets of the note, with their proposer's id as source.
    :param preset: Name of the preset whose rules it votes with; empty for all.
    :param opinion: What a model says beside its spans.
    """

    findings: tuple[Finding, ...]
    preset: str = ""
    opinion: Opinion | None = None

    def back(self, source: WorkingText) -> "Proposal":
        """Return what was said of a working text in offsets of the note.

        :param source: The working text.
        """
        if source.offsets is None:
            return self
        opinion = None if self.opinion is None else self.opinion.back(source)
        found = moved_back(self.findings, source)
        return replace(self, findings=found, opinion=opinion)


@dataclass(slots=True)
class Walk:
    """What the rules of one preset make of a note, once for all their recognizers.

    :param preset: The rules.
    :param document: The note, prepared for them.
    """

    preset: Preset
    document: Document
    _settled: dict[tuple[Finding, ...], Sequence[Finding]] = field(default_factory=dict)

    def settled(self, given: tuple[Finding, ...]) -> Sequence[Finding]:
        """Return what stands after the rules ran beside what others found, and blocks.

        The rules run anew only where others found something else than at the last run.

        :param given: What others found, in offsets of the note, sorted.
        :return: Settled findings in offsets of the note.
        """
        if given not in self._settled:
            self._settled[given] = self.preset.settle_all(self.document, given)
        return self._settled[given]


@dataclass(slots=True)
class Session:
    """The work of one call, shared by all recognizers of the suite.

    Models and known data propose first, where the engine lists them first; the rules
    then run once. In any other order, or where recognizers that are not ours found
    something, they run a second time over the same document.

    :param text: The note.
    """

    text: str
    _asked: dict[EntityRecognizer, frozenset[str]] = field(default_factory=dict)
    _source: WorkingText | None = None
    _readable: WorkingText | None = None
    _documents: dict[Preset, Document] = field(default_factory=dict)
    _proposals: dict[EntityRecognizer, Proposal] = field(default_factory=dict)
    _walks: dict[Preset, Walk] = field(default_factory=dict)
    # What stands, by preset, by who proposed and by what others found.
    _settled: dict[_Voted, list[Finding]] = field(default_factory=dict)
    # What of it is probable enough: every recognizer of the call asks for it.
    _standing: dict[tuple[_Voted, float], list[Finding]] = field(default_factory=dict)

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

    @property
    def source(self) -> WorkingText:
        """The text that rules are prepared from."""
        if self._source is None:
            self._source = working_text(self.text)
        return self._source

    @property
    def readable(self) -> WorkingText:
        """The text that models read: the same under every preset and site."""
        if self._readable is None:
            self._readable = readable(self.source)
        return self._readable

    def document(self, preset: Preset) -> Document:
        """Return the note as a preset's rules see it, whether they run or not.

        :param preset: The rules.
        """
        if preset not in self._documents:
            self._documents[preset] = preset.prepare(self.source)
        return self._documents[preset]

    def walk(self, preset: Preset) -> Walk:
        """Return the walk of a preset's rules, begun at the first look.

        :param preset: The rules.
        """
        if preset not in self._walks:
            self._walks[preset] = Walk(preset, self.document(preset))
        return self._walks[preset]

    def walk_named(self, preset: str) -> Walk | None:
        """Return the walk of the preset of a name, if its rules run in this call.

        :param preset: Name of the preset; empty for the first there is.
        """
        for known, walk in self._walks.items():
            if not preset or known.name == preset:
                return walk
        return None

    def walks(self) -> tuple[Walk, ...]:
        """Return the walks of all presets whose rules run in this call."""
        return tuple(self._walks.values())

    def proposal(
        self, proposer: EntityRecognizer, make: Callable[[], Proposal]
    ) -> Proposal:
        """Return what a recognizer proposes, made at its first look.

        :param proposer: The recognizer.
        :param make: Makes the proposal.
        """
        if proposer not in self._proposals:
            self._proposals[proposer] = make()
        return self._proposals[proposer]

    def settle(self, walk: Walk, foreign: Iterable[Finding] = ()) -> list[Finding]:
        """Return the settled findings of a preset: rules, proposals, others, weighed.

        :param walk: The preset's walk.
        :param foreign: What recognizers that are not ours found.
        :return: Findings in offsets of the note; what a proposal is left with has its
            proposer as source.
        """
        key = self._voted(walk, foreign)
        if key not in self._settled:
            voting = self._voting(walk)
            given = [f for proposal in voting.values() for f in proposal.findings]
            opinions = _opinions(voting.values())
            settled = walk.settled(_in_order([*given, *key[2]]))
            kept = without_doubtful(settled, opinions)
            found = weighed(walk.preset, walk.document, self.text, kept, opinions)
            broken = walk.document.once(from_scanner)
            found = whole_again(self.text, found) if broken else found
            self._settled[key] = _cut(self.text, found, walk)
        return self._settled[key]

    def scale(self, walk: Walk) -> Scale | None:
        """Return what weighs the findings of a preset; None where nothing was fitted.

        :param walk: The preset's walk.
        """
        return scale_of(walk.preset, _opinions(self._voting(walk).values()))

    def standing(
        self, walk: Walk, least: float, foreign: Iterable[Finding] = ()
    ) -> list[Finding]:
        """Return the settled findings that are probable enough.

        :param walk: The preset's walk.
        :param least: Probability from which on a finding stands, where it has one.
        :param foreign: What recognizers that are not ours found.
        """
        key = (self._voted(walk, foreign), least)
        if key not in self._standing:
            scale = self.scale(walk)
            self._standing[key] = [
                finding
                for finding in self.settle(walk, foreign)
                if scale is None or finding.score >= least or not scale.weighs(finding)
            ]
        return self._standing[key]

    def risk(self, least: float) -> float | None:
        """Return how likely the note keeps something that identifies somebody.

        :param least: Probability from which on findings are marked.
        :return: The probability; None where nothing was fitted.
        """
        for walk in self.walks():
            scale = self.scale(walk)
            if scale is not None:
                found = self.settle(walk)
                return scale.risk(walk.document, found, least)
        return None

    def _voted(self, walk: Walk, foreign: Iterable[Finding]) -> _Voted:
        """Return by what the findings of a preset are kept."""
        return (walk.preset, tuple(self._voting(walk)), _in_order(foreign))

    def _voting(self, walk: Walk) -> dict[EntityRecognizer, Proposal]:
        """Return the proposals that vote with the rules of a preset."""
        return {
            proposer: proposal
            for proposer, proposal in self._proposals.items()
            if proposal.preset in ("", walk.preset.name)
        }

    def left_of(
        self,
        proposer: EntityRecognizer,
        walk: Walk,
        foreign: Iterable[Finding],
        least: float = 0.0,
    ) -> list[Finding]:
        """Return what a proposer is left with, of the entities it was asked for.

        :param proposer: The recognizer.
        :param walk: The walk of the rules it votes with.
        :param foreign: What recognizers that are not ours found.
        :param least: As :meth:`standing` takes it.
        """
        wanted = self.asked(proposer)
        return [
            finding
            for finding in self.standing(walk, least, foreign)
            if finding.source == proposer.id and finding.entity in wanted
        ]


def _cut(text: str, found: Iterable[Finding], walk: Walk) -> list[Finding]:
    """Return findings that end where structure does, and hold nothing coded."""
    parts = walk.document.once(structure_in)
    if walk.preset.meanings is None or parts == Structure():
        return list(found)
    never = never_marked(walk.document, parts)
    return cut(text, found, united([*parts.boundaries, *never]), parts.whole)


def _opinions(proposals: Iterable[Proposal]) -> list[Opinion]:
    return [one.opinion for one in proposals if one.opinion is not None]


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (*f[:5], f.source)))


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
