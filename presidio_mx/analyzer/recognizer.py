"""The base of the suite's recognizers: ordinary Presidio recognizers, shared work."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any, ClassVar

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.analyzer.grammar.rules import RuleFile
from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.analyzer.preset import Preset, load_preset
from presidio_mx.analyzer.results import foreign_findings, rule_result
from presidio_mx.analyzer.session import session_of
from presidio_mx.analyzer.site import site_folder
from presidio_mx.errors import ConfigurationError


class MxRecognizer(EntityRecognizer):
    """Report the entities of one rule file of a preset.

    All recognizers of a preset share one scan of the note, kept in the session of the
    call; without Presidio's artifacts each recognizer scans for itself.

    :param supported_language: Language of the notes.
    :param supported_entity: Entity to report; the class's own by default.
    :param name: Name shown in explanations.
    :param context: Accepted for configuration files; rules carry their own context.
    :param preset: Name of the rule set.
    :param site: Folder with a site's own lists and rules; ``PRESIDIO_MX_SITE`` by
        default, the one setting a stock server can pass without its own files.
    """

    COUNTRY_CODE: ClassVar[str | None] = "mx"
    ENTITIES: ClassVar[tuple[str, ...]] = ()
    name: str

    def __init__(
        self,
        supported_language: str = "es",
        supported_entity: str | None = None,
        supported_entities: list[str] | None = None,
        name: str | None = None,
        context: list[str] | None = None,
        preset: str = "mx",
        site: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Load the preset; presets are loaded once a process."""
        self.preset: Preset = load_preset(preset, site_folder(site))
        chosen = [supported_entity] if supported_entity else supported_entities
        super().__init__(
            supported_entities=chosen or list(self.ENTITIES),
            name=name or type(self).__name__,
            supported_language=supported_language,
            context=context,
            **kwargs,
        )

    def load(self) -> None:
        """Do nothing: the preset is loaded by the constructor."""

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find this recognizer's entities.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Presidio's artifacts, where the scan is shared.
        :return: Settled results in reading order.
        """
        wanted = frozenset(self.supported_entities)
        if entities:
            wanted &= frozenset(entities)
        session = session_of(text, nlp_artifacts)
        session.wanted[self] = wanted
        return self._share(session.settle(session.walk(self.preset)), wanted)

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Settle this recognizer's spans with what other recognizers found.

        Rules may refer to others' findings, and overlaps are settled by score as among
        rules. Where others found nothing since the rules ran, that run stands.

        :param text: The note.
        :param raw_recognizer_results: Results of this recognizer.
        :param other_raw_recognizer_results: Results of all others.
        :param nlp_artifacts: Presidio's artifacts, where the work is shared.
        :param context: Context words of this call.
        :return: This recognizer's share of the settled spans.
        """
        session = session_of(text, nlp_artifacts)
        wanted = session.wanted.get(self, frozenset(self.supported_entities))
        walk = session.walk(self.preset)
        foreign = foreign_findings(other_raw_recognizer_results)
        return self._share(session.settle(walk, foreign), wanted)

    def _share(
        self, settled: Iterable[Finding], wanted: frozenset[str]
    ) -> list[RecognizerResult]:
        """Return the settled findings of rules that this recognizer reports."""
        return [
            rule_result(finding, self)
            for finding in settled
            if finding.entity in wanted and not finding.proposed
        ]


class MxPersonRecognizer(MxRecognizer):
    """Names of persons, with the role of each; rules in ``person.yaml``."""

    ENTITIES = ("PERSON",)


class MxPhoneRecognizer(MxRecognizer):
    """Telephone and fax numbers; rules in ``phone.yaml``."""

    ENTITIES = ("PHONE_NUMBER",)


class MxAddressRecognizer(MxRecognizer):
    """Street addresses, colonias and postal codes; rules in ``address.yaml``."""

    ENTITIES = ("ADDRESS",)


class MxLocationRecognizer(MxRecognizer):
    """Municipalities, towns, states, countries; rules in ``location.yaml``."""

    ENTITIES = ("LOCATION",)


class MxDateRecognizer(MxRecognizer):
    """Calendar dates; rules in ``date.yaml``."""

    ENTITIES = ("DATE_TIME",)


class MxAgeRecognizer(MxRecognizer):
    """Ages of persons; rules in ``age.yaml``."""

    ENTITIES = ("AGE",)


class MxCurpRecognizer(MxRecognizer):
    """CURP, the population registry code; rules in ``curp.yaml``."""

    ENTITIES = ("MX_CURP",)


class MxRfcRecognizer(MxRecognizer):
    """RFC, the tax code; rules in ``rfc.yaml``."""

    ENTITIES = ("MX_RFC",)


class MxNssRecognizer(MxRecognizer):
    """NSS, the social security number, with its agregado; rules in ``nss.yaml``."""

    ENTITIES = ("MX_NSS",)


class MxIneRecognizer(MxRecognizer):
    """The voter's key; rules in ``ine.yaml``."""

    ENTITIES = ("MX_INE",)


class MxRecordRecognizer(MxRecognizer):
    """Record, folio, policy and employee numbers; rules in ``record.yaml``."""

    ENTITIES = ("MEDICAL_RECORD",)


class MxLicenseRecognizer(MxRecognizer):
    """Professional licences (cédula profesional); rules in ``license.yaml``."""

    ENTITIES = ("MX_PROFESSIONAL_LICENSE",)


class MxOnlineRecognizer(MxRecognizer):
    """E-mail, web and IP addresses and handles; rules in ``online.yaml``."""

    ENTITIES = ("EMAIL_ADDRESS", "URL", "IP_ADDRESS")


class MxAccountRecognizer(MxRecognizer):
    """Bank cards and CLABE numbers; rules in ``account.yaml``."""

    ENTITIES = ("CREDIT_CARD", "MX_CLABE")


class MxPlateRecognizer(MxRecognizer):
    """Vehicle plates; rules in ``plate.yaml``."""

    ENTITIES = ("MX_LICENSE_PLATE",)


class MxOrganizationRecognizer(MxRecognizer):
    """Named hospitals, clinics, schools, employers; rules in ``organization.yaml``."""

    ENTITIES = ("ORGANIZATION",)


def entities_of(file: RuleFile) -> tuple[str, ...]:
    """Return the entities that the recognizer of a rule file reports.

    :param file: A rule file.
    :return: Entity types.
    """
    return _known()[file.recognizer].ENTITIES


def recognizer_classes(preset: str) -> list[type[MxRecognizer]]:
    """Return the recognizer classes that the rule files of a preset name, in order.

    :param preset: Name of the preset.
    :return: Classes, each once.
    :raises ConfigurationError: If a file names a class that does not exist.
    """
    known = _known()
    chosen: dict[str, type[MxRecognizer]] = {}
    for file in load_preset(preset).files:
        if not file.recognizer:
            continue
        if file.recognizer not in known:
            raise ConfigurationError(
                f"{file.path}: unknown recognizer {file.recognizer!r}; there are "
                f"{', '.join(sorted(known))}"
            )
        chosen[file.recognizer] = known[file.recognizer]
    return list(chosen.values())


def _known() -> dict[str, type[MxRecognizer]]:
    """Return the recognizer classes by name, those of other presets included."""
    import_module("presidio_mx.analyzer.recognizers_es")
    return {cls.__name__: cls for cls in _subclasses(MxRecognizer)}


def _subclasses(cls: type[MxRecognizer]) -> list[type[MxRecognizer]]:
    found: list[type[MxRecognizer]] = []
    for child in cls.__subclasses__():
        found += [child, *_subclasses(child)]
    return found
