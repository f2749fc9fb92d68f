"""The suite's recognizers: ordinary Presidio recognizers that share their work.

Each rule file declares a recognizer; its class is made here from what the file says, so
that ``from presidio_mx.find.recognizer import MxPersonRecognizer`` works for every
file. A recognizer that needs code is written here under the name its file gives.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.declarations import PRESETS, Declaration, declarations
from presidio_mx.find.finding import Finding
from presidio_mx.find.preset import Preset, load_preset
from presidio_mx.find.results import foreign_findings, result_of
from presidio_mx.find.sensitivity import BALANCED, thresholds_of
from presidio_mx.find.session import session_of
from presidio_mx.find.site import site_folder


class MxRecognizer(EntityRecognizer):
    """Report the entities of one rule file of a preset.

    All recognizers of a preset share one scan of the note, kept in the session of the
    call; without Presidio's artifacts each recognizer scans for itself.

    :param supported_language: Language of the notes.
    :param supported_entity: Entity to report; the class's own by default.
    :param name: Name shown in explanations.
    :param context: Accepted for configuration files; rules carry their own context.
    :param preset: Name of the rule set; the class's own by default.
    :param site: Folder with a site's own lists and rules; ``PRESIDIO_MX_SITE`` by
        default, the one setting a stock server can pass without its own files.
    :param sensitivity: From which probability on spans are reported: ``high``,
        ``balanced``, ``exact`` or a number; ``balanced,PERSON=high`` for some entities.
    """

    COUNTRY_CODE: ClassVar[str | None] = "mx"
    PRESET: ClassVar[str] = "mx"
    ENTITIES: ClassVar[tuple[str, ...]] = ()
    name: str

    def __init__(
        self,
        supported_language: str = "es",
        supported_entity: str | None = None,
        supported_entities: list[str] | None = None,
        name: str | None = None,
        context: list[str] | None = None,
        preset: str | None = None,
        site: str | None = None,
        sensitivity: str | float = BALANCED,
        **kwargs: Any,
    ) -> None:
        """Load the preset; presets are loaded once a process."""
        chosen_preset = preset or self.PRESET
        self.least = thresholds_of(sensitivity)
        self.preset: Preset = load_preset(chosen_preset, site_folder(site))
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
        :return: Results in reading order.
        """
        session = session_of(text, nlp_artifacts)
        wanted = session.ask(self, entities)
        session.rules(self.preset)
        decided = session.decided(self.preset, self.least)
        session.reported[self] = decided
        return self._share(decided, wanted)

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Return this recognizer's share of what all recognizers found together.

        :param text: The note.
        :param raw_recognizer_results: Results of this recognizer.
        :param other_raw_recognizer_results: Results of all others.
        :param nlp_artifacts: Presidio's artifacts, where the work is shared.
        :param context: Context words of this call.
        :return: This recognizer's share of what was decided.
        """
        session = session_of(text, nlp_artifacts)
        foreign = foreign_findings(other_raw_recognizer_results)
        decided = session.decided(self.preset, self.least, foreign)
        if decided is session.reported.get(self):
            return raw_recognizer_results
        return self._share(decided, session.asked(self))

    def _share(
        self, decided: Iterable[Finding], wanted: frozenset[str]
    ) -> list[RecognizerResult]:
        """Return the findings of rules, lists and fields that this one reports."""
        return [
            result_of(finding, self)
            for finding in decided
            if finding.entity in wanted and not finding.source
        ]


def __getattr__(name: str) -> Any:
    """Return the recognizer class that a rule file declares, made at its first use."""
    if name.startswith("Mx"):
        for preset in PRESETS:
            if name in _declared(preset):
                return _declared(preset)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _declared(preset: str) -> Mapping[str, type[MxRecognizer]]:
    """Return the classes of a preset by name; a class written here goes first."""
    return {
        head.recognizer: globals().get(head.recognizer) or _made(preset, head)
        for head in declarations(preset)
    }


def _made(preset: str, head: Declaration) -> type[MxRecognizer]:
    """Make the class of a rule file whose entities need no code."""
    entities = tuple(head.entities)
    content = {
        "__module__": __name__,
        "__doc__": f"{head.about} Rules in ``{preset}/{head.path.name}``.",
        "COUNTRY_CODE": preset.rsplit("-", maxsplit=1)[-1].lower(),
        "PRESET": preset,
        "ENTITIES": entities,
    }
    return type(head.recognizer, (MxRecognizer,), content)


def recognizer_classes(preset: str) -> list[type[MxRecognizer]]:
    """Return the recognizer classes that the rule files of a preset declare, in order.

    Presidio finds them by name once they were made, as it finds any class.

    :param preset: Name of the preset.
    :return: Classes, each once.
    :raises ConfigurationError: If there is no such preset or a file is broken.
    """
    return list(_declared(preset).values())
