"""Find one patient's own data, however misspelt, shortened or reordered.

The idea is De-ID's and deduce's: whoever has the record knows the patient's name,
relatives, telephone and codes, and what is known can be searched for without guessing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from presidio_mx.analyzer.nlp import LANGUAGE
from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import KNOWN_RULE, Finding
from presidio_mx.analyzer.note.lexicon import KNOWN, Flag
from presidio_mx.analyzer.preset import load_preset
from presidio_mx.analyzer.results import foreign_findings, proposal_result
from presidio_mx.analyzer.session import Proposal, Session, session_of
from presidio_mx.analyzer.site import site_folder
from presidio_mx.errors import ConfigurationError
from presidio_mx.folding import fold_key
from presidio_mx.gazetteer import rows
from presidio_mx.words import words

_PARTICLES = words("particle_known")
_GENERIC = words("address_generic")
_WORD = re.compile(r"[^\W\d_]+|\d+")
# Share of letters that must agree for a code of ten or more characters.
_CODE_RATIO = 80.0
_SHORT_CODE = 8
_ADDRESS_SHARE = 0.5
_ADDRESS_GAP = 4


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the person a note is about.

    :param patient: Name of the patient.
    :param relatives: Names of relatives.
    :param staff: Names of staff.
    :param others: Names of other persons.
    :param phone: Telephone numbers.
    :param address: Addresses.
    :param location: Municipalities or towns.
    :param email: E-mail addresses.
    :param curp: CURP.
    :param rfc: RFC.
    :param nss: Social security number.
    :param record: Record and folio numbers.
    """

    patient: tuple[str, ...] = ()
    relatives: tuple[str, ...] = ()
    staff: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    phone: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    location: tuple[str, ...] = ()
    email: tuple[str, ...] = ()
    curp: tuple[str, ...] = ()
    rfc: tuple[str, ...] = ()
    nss: tuple[str, ...] = ()
    record: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Known":
        """Return what a user gave, checked.

        :param data: Field name to one text or several; empty ones are passed over.
        :return: The data.
        :raises ConfigurationError: If a field is unknown or is not text.
        """
        names = [field.name for field in fields(cls)]
        values: dict[str, tuple[str, ...]] = {}
        for name, value in data.items():
            if name not in names:
                raise ConfigurationError(
                    f"known: unknown field {name!r}; there are {', '.join(names)}"
                )
            texts = [value] if isinstance(value, str) else list(value or ())
            if not all(isinstance(text, str) for text in texts):
                raise ConfigurationError(f"known: {name!r} must be text or texts")
            values[name] = tuple(text for text in texts if text.strip())
        return cls(**values)

    def recognizers(
        self,
        language: str = LANGUAGE,
        preset: str = "mx",
        site: str | None = None,
    ) -> list[EntityRecognizer]:
        """Return the recognizer for these data, for one call's ``ad_hoc_recognizers``.

        :param language: Language code of the call.
        :param preset: Name of the preset whose rules run beside it.
        :param site: Folder with a site's own lists, as for the other recognizers.
        :return: One recognizer; it holds the data and is not to be kept.
        """
        return [MxKnownRecognizer(self, language, preset, site)]


_ROLES = {
    "patient": "patient",
    "relatives": "relative",
    "staff": "staff",
    "others": "other",
}
_CODES = {
    "email": "EMAIL_ADDRESS",
    "curp": "MX_CURP",
    "rfc": "MX_RFC",
    "nss": "MX_NSS",
    "record": "MEDICAL_RECORD",
}


class MxKnownRecognizer(EntityRecognizer):
    """Report a known person's own data with the highest trust.

    :param known: The data.
    :param supported_language: Language of the notes.
    :param preset: Name of the preset whose rules run beside it.
    :param site: Folder with a site's own lists; ``PRESIDIO_MX_SITE`` by default.
    """

    name: str

    def __init__(
        self,
        known: Known,
        supported_language: str = LANGUAGE,
        preset: str = "mx",
        site: str | None = None,
    ) -> None:
        """Hold the data of this person."""
        self._known = known
        self._rules = load_preset(preset, site_folder(site))
        entities = ["PERSON", "PHONE_NUMBER", "ADDRESS", "LOCATION", *_CODES.values()]
        super().__init__(
            supported_entities=entities,
            name="MxKnownRecognizer",
            supported_language=supported_language,
        )

    def load(self) -> None:
        """Do nothing: there is no model."""

    def __repr__(self) -> str:
        """Return a text without the person's data."""
        return "MxKnownRecognizer(hidden)"

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find the known data in a note.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Presidio's artifacts, where rules learn of the findings.
        :return: Results with score 1.
        """
        wanted = frozenset(self.supported_entities)
        if entities:
            wanted &= frozenset(entities)
        session = session_of(text, nlp_artifacts)
        session.wanted[self] = wanted
        proposal = session.proposal(self, lambda: self._propose(session))
        return [self._result(f) for f in proposal.findings if f.entity in wanted]

    def _propose(self, session: Session) -> Proposal:
        document = session.document(self._rules)
        back = document.source.back
        findings = []
        for finding in find_known(document, self._known):
            start, end = back(finding.start, finding.end)
            findings.append(finding._replace(start=start, end=end, source=self.id))
        return Proposal(tuple(findings))

    def _result(self, finding: Finding) -> RecognizerResult:
        return proposal_result(finding, self, f"the patient's own data: {finding.rule}")

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Return what stands of the known data beside the rules, where these run.

        A longer span of the same entity wins; over a partial one the known span is
        widened (``vote.resolve``).
        """
        session = session_of(text, nlp_artifacts)
        walk = session.walk_named(self._rules.name)
        if walk is None:
            return raw_recognizer_results
        wanted = session.wanted.get(self, frozenset(self.supported_entities))
        foreign = foreign_findings(other_raw_recognizer_results)
        return [
            self._result(finding)
            for finding in session.settle(walk, foreign)
            if finding.source == self.id and finding.entity in wanted
        ]


def find_known(document: Document, known: Known) -> Iterator[Finding]:
    """Yield where a note holds known data.

    :param document: The prepared note.
    :param known: The data.
    :return: Findings; they may overlap.
    """
    for field, role in _ROLES.items():
        for name in getattr(known, field):
            for start, end in find_name(document, name):
                yield Finding(start, end, "PERSON", 1.0, f"{KNOWN_RULE}#{field}", role)
    for number in known.phone:
        for start, end in _find_code(document, number, str.isdigit, last=10):
            yield Finding(start, end, "PHONE_NUMBER", 1.0, f"{KNOWN_RULE}#phone")
    for field, entity in _CODES.items():
        for code in getattr(known, field):
            for start, end in _find_code(document, code, str.isalnum):
                yield Finding(start, end, entity, 1.0, f"{KNOWN_RULE}#{field}")
    for address in known.address:
        for start, end in find_address(document, address):
            yield Finding(start, end, "ADDRESS", 1.0, f"{KNOWN_RULE}#address")
    for place in known.location:
        for start, end in find_name(document, place, initials=False):
            yield Finding(start, end, "LOCATION", 1.0, f"{KNOWN_RULE}#location")


def _alike(word: str, target: str) -> bool:
    """Tell whether a word is the target within one edit, two for nine letters."""
    if word == target:
        return True
    longest = max(len(word), len(target))
    if min(len(word), len(target)) < 4 or longest < 5:
        return False
    allowed = 2 if longest >= 9 else 1
    return OSA.distance(word, target, score_cutoff=allowed) <= allowed


def _abbreviations() -> dict[str, list[str]]:
    """Return full folded names with their usual abbreviations."""
    table: dict[str, list[str]] = {}
    for row in rows("name_abbreviations"):
        short = fold_key(row["abbreviation"]).strip(".")
        table.setdefault(fold_key(row["full"]), []).append(short)
    return table


def find_name(
    document: Document, name: str, initials: bool = True
) -> Iterator[tuple[int, int]]:
    """Yield the mentions of a name: parts, typos, abbreviations, order, initials.

    A part that is also an ordinary word counts only beside another part, or with a
    capital in a line of mixed case.

    :param document: The prepared note.
    :param name: The name, in any order.
    :param initials: Whether "J.M.M." or "JMM" counts as well.
    :return: Spans of the working text.
    """
    parts = [p for p in _WORD.findall(fold_key(name)) if p not in _PARTICLES]
    short = _abbreviations()
    targets = [[part, *short.get(part, [])] for part in parts]
    hits = [
        any(_alike(word, form) for forms in targets for form in forms)
        for word in document.words
    ]
    letters = {part[0] for part in parts}
    yield from _runs(document, hits, letters)
    if initials and len(parts) >= 3:
        yield from _initials(document, [part[0] for part in parts])


def _runs(
    document: Document, hits: list[bool], letters: set[str]
) -> Iterator[tuple[int, int]]:
    index, size = 0, len(document)
    while index < size:
        if not hits[index]:
            index += 1
            continue
        first = last = index
        while first > 0 and _is_initial(document, first - 1, letters):
            first -= 1
        here, strong = index + 1, 1
        while here < size and document.gap(here - 1).strip(" .,-\n") == "":
            word = document.words[here]
            if hits[here]:
                last, strong = here, strong + 1
            elif word not in _PARTICLES and not _is_initial(document, here, letters):
                break
            elif len(word) == 1 and document.folded[document.ends[here] :][:1] == ".":
                last = here
            here += 1
        if strong > 1 or first < index or _stands_alone(document, index):
            end = document.ends[last]
            if len(document.words[last]) == 1 and document.folded[end : end + 1] == ".":
                end += 1
            yield document.starts[first], end
        index = last + 1


def _is_initial(document: Document, index: int, letters: set[str]) -> bool:
    """Tell whether a word is an initial of the name, right beside the next word."""
    word = document.words[index]
    return (
        len(word) == 1
        and word in letters
        and document.capital(index)
        and document.gap(index).strip(" ") in ("", ".")
        and document.gap(index) != ""
    )


def _stands_alone(document: Document, index: int) -> bool:
    """Tell whether one part of a name is a mention by itself."""
    if len(document.words[index]) < 3:
        return False
    flag = document.flags[index]
    if not flag & (KNOWN | Flag.EPONYM):
        return True
    return document.casing(index) == "mixed" and document.capital(index)


def _initials(document: Document, letters: list[str]) -> Iterator[tuple[int, int]]:
    """Yield "J.M.M.", "J. M. M." and "JMM" of a name with three parts or more."""
    dotted = r"[. ]{1,2}".join(map(re.escape, letters))
    pattern = re.compile(rf"(?<![^\W_])(?:{dotted}\.?|{''.join(letters)})(?![^\W_])")
    for match in pattern.finditer(document.folded):
        if document.text[match.start()].isupper():
            yield match.span()


def _find_code(
    document: Document, code: str, keep: Any, last: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield where a code stands, with any separators and a slip or two.

    :param document: The prepared note.
    :param code: The code as recorded.
    :param keep: Which characters belong to it, such as ``str.isdigit``.
    :param last: Compare this many characters at its end alone.
    """
    wanted = "".join(filter(keep, fold_key(code)))
    wanted = wanted[-last:] if last else wanted
    if len(wanted) < 4:
        return
    places = [i for i, character in enumerate(document.folded) if keep(character)]
    compact = "".join(document.folded[i] for i in places)
    exact = [match.start() for match in re.finditer(re.escape(wanted), compact)]
    for begin in exact:
        yield _whole(document, places, begin, begin + len(wanted))
    if exact or len(wanted) < _SHORT_CODE:
        return
    near = fuzz.partial_ratio_alignment(wanted, compact, score_cutoff=_CODE_RATIO + 5)
    if near and near.dest_end - near.dest_start >= len(wanted) - 2:
        begin, end = near.dest_start, near.dest_end
        if OSA.normalized_similarity(wanted, compact[begin:end]) * 100 >= _CODE_RATIO:
            yield _whole(document, places, begin, end)


def _whole(
    document: Document, places: list[int], begin: int, end: int
) -> tuple[int, int]:
    """Return the span of the text, widened to whole words."""
    start, stop = places[begin], places[end - 1] + 1
    folded = document.folded
    while start > 0 and folded[start - 1].isalnum():
        start -= 1
    while stop < len(folded) and folded[stop].isalnum():
        stop += 1
    return start, stop


def find_address(document: Document, address: str) -> Iterator[tuple[int, int]]:
    """Yield runs of the note that hold at least half of an address's own words.

    :param document: The prepared note.
    :param address: The address as recorded.
    :return: Spans of the working text.
    """
    wanted = [w for w in _WORD.findall(fold_key(address)) if w not in _GENERIC]
    if not wanted:
        return
    hits = [
        index
        for index, word in enumerate(document.words)
        if any(_alike(word, target) for target in wanted)
    ]
    for group in _groups(hits):
        matched = {
            target
            for index in group
            for target in wanted
            if _alike(document.words[index], target)
        }
        if len(matched) >= max(2, _ADDRESS_SHARE * len(set(wanted))):
            yield document.starts[group[0]], document.ends[group[-1]]


def _groups(hits: Iterable[int]) -> Iterator[list[int]]:
    """Yield hits that stand at most a few words apart."""
    group: list[int] = []
    for index in hits:
        if group and index - group[-1] > _ADDRESS_GAP:
            yield group
            group = []
        group.append(index)
    if group:
        yield group
