"""Find one patient's own data, however misspelt, shortened or reordered.

The idea is De-ID's and deduce's: whoever has the record knows the patient's name,
relatives, telephone and codes, and what is known can be searched for without guessing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.finding import KNOWN, Finding
from presidio_mx.find.known_kinds import kind_of, kinds_listed
from presidio_mx.find.matching import find_address, find_code, find_name
from presidio_mx.find.nlp import LANGUAGE
from presidio_mx.find.preset import load_preset
from presidio_mx.find.reading import Reading, fixed
from presidio_mx.find.results import foreign_findings, result_of
from presidio_mx.find.sensitivity import Thresholds
from presidio_mx.find.session import Session, session_of
from presidio_mx.find.site import site_folder
from presidio_mx.text.document import Document


@dataclass(frozen=True, slots=True, repr=False)
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

        :param data: Field name to one text or several; empty ones are left out. A
            field may also be called by a Spanish word: ``paciente``, ``tel`` ...
        :return: The data.
        :raises ConfigurationError: If a field is unknown or is not text. An unknown
            field is not quoted: who confuses field and value gives a name there.
        """
        if not isinstance(data, Mapping):
            raise ConfigurationError(
                "known= takes a dictionary, of fields such as patient to their text, "
                f"not {type(data).__name__}"
            )
        values: dict[str, tuple[str, ...]] = {}
        for number, (word, value) in enumerate(data.items(), start=1):
            name = kind_of(str(word))
            if name is None:
                raise ConfigurationError(
                    f"known: field number {number} is unknown; there are "
                    f"{kinds_listed()}"
                )
            values[name] = (*values.get(name, ()), *_texts(name, value))
        return cls(**values)

    def __repr__(self) -> str:
        """Return a text without the person's data."""
        return "Known(hidden)"

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


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """Return the texts of a field, one or several, without the empty ones."""
    if value is None:
        return ()
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, Mapping | bytes) or not isinstance(texts, Iterable):
        texts = [texts]
    texts = list(texts)
    if not all(isinstance(text, str) for text in texts):
        raise ConfigurationError(
            f"known: {name} must be text or a list of texts; leave out what is missing "
            "(None, NaN) and write numbers as text"
        )
    return tuple(text for text in texts if text.strip())


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
        session = session_of(text, nlp_artifacts)
        wanted = session.ask(self, entities)
        reading = session.reading(self, lambda: self._read(session))
        return [
            self._result(f)
            for f in reading.findings(Thresholds(0.0))
            if f.entity in wanted
        ]

    def _read(self, session: Session) -> Reading:
        document = session.document(self._rules)
        found = find_known(document, self._known)
        mine = [f._replace(reader=KNOWN, source=self.id) for f in found]
        return fixed(mine, document.source)

    def _result(self, finding: Finding) -> RecognizerResult:
        return result_of(finding, self, f"the patient's own data: {finding.rule}")

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Return what stands of the known data beside the rules, where these run."""
        session = session_of(text, nlp_artifacts)
        questions = [q for q in session.questions() if q[0].name == self._rules.name]
        if not questions:
            return raw_recognizer_results
        foreign = foreign_findings(other_raw_recognizer_results)
        return list(map(self._result, session.share(self, *questions[0], foreign)))


def find_known(document: Document, known: Known) -> Iterator[Finding]:
    """Yield where a note holds known data.

    :param document: The prepared note.
    :param known: The data.
    :return: Findings; they may overlap.
    """
    for field, role in _ROLES.items():
        for name in getattr(known, field):
            for start, end in find_name(document, name):
                yield Finding(start, end, "PERSON", 1.0, f"{KNOWN}#{field}", role)
    for number in known.phone:
        for start, end in find_code(document, number, str.isdigit, last=10):
            yield Finding(start, end, "PHONE_NUMBER", 1.0, f"{KNOWN}#phone")
    for field, entity in _CODES.items():
        for code in getattr(known, field):
            for start, end in find_code(document, code, str.isalnum):
                yield Finding(start, end, entity, 1.0, f"{KNOWN}#{field}")
    for address in known.address:
        for start, end in find_address(document, address):
            yield Finding(start, end, "ADDRESS", 1.0, f"{KNOWN}#address")
    for place in known.location:
        for start, end in find_name(document, place, initials=False):
            yield Finding(start, end, "LOCATION", 1.0, f"{KNOWN}#location")
