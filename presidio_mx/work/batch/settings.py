"""How the rows of a batch are de-identified; the same in this process and in others."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from presidio_mx.find.ner.choose import Ner
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.find.site import operator_folders
from presidio_mx.pipeline import People, analyze_and_anonymize
from presidio_mx.replace.engine import Operators, resolve_operators
from presidio_mx.replace.keys import Key
from presidio_mx.replace.marks import read_marks
from presidio_mx.replace.profiles import Profile
from presidio_mx.text.spans import Span
from presidio_mx.work.batch.columns import Treatment

SECONDS = 60.0


@dataclass(frozen=True)
class Settings:
    """How notes are de-identified; travels to every worker.

    :param operators: Profile's name or path, or entity to OperatorConfig.
    :param key: Secret of surrogates, or None where the profile needs none.
    :param people: ``everyone`` or ``patient_and_relatives``.
    :param preset: ``mx`` or ``es-ES``.
    :param ner: ``none``, ``transformer`` or the path of a model.
    :param site: Folder of a site's own lists and rules.
    :param corpus: Same value, same surrogate in the whole archive.
    :param known: Kinds of the known cells of a row, in order.
    :param known_as: What becomes of the known cells.
    :param id_as: What becomes of the identifier.
    :param longest: Longest text that the output can hold, in characters; 0: any.
    :param seconds: Time limit of a row, in seconds.
    :param originals: Give back what was replaced, for the vault.
    :param sensitivity: From which probability on spans are marked.
    :param marks: Give back the marks of what is put out.
    :param ours: Files of marks of earlier runs; what they know stays as it is.
    :param reviewed: What a review decided, by the place of a note.
    """

    operators: Operators = "tag"
    key: Key | None = field(default=None, repr=False)
    people: People = "everyone"
    preset: str = "mx"
    ner: Ner = "auto"
    site: str | None = None
    corpus: bool = False
    known: tuple[str, ...] = ()
    known_as: Treatment = "drop"
    id_as: Treatment = "drop"
    longest: int = 0
    seconds: float = SECONDS
    originals: bool = False
    sensitivity: str | float = BALANCED
    marks: bool = False
    ours: tuple[str, ...] = ()
    reviewed: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)


def profile_of(settings: Settings) -> Profile:
    """Return the profile of the settings, checked.

    :param settings: The settings.
    :return: The profile.
    :raises ConfigurationError: If it is unknown or wrong.
    """
    return resolve_operators(settings.operators, operator_folders(settings.site))


def warm_up(settings: Settings) -> None:
    """Build the engines of this process, and find out whether the settings work.

    :param settings: The settings.
    :raises ConfigurationError: If a profile, list or argument is wrong.
    """
    if settings.ours and settings.key is not None:
        read_marks(settings.ours, settings.key)
    analyze_and_anonymize(
        "Paciente Tzintia Paz, Tel. 443 100 0000, Morelia, Mich.",
        settings.operators,
        people=settings.people,
        preset=settings.preset,
        ner=settings.ner,
        site=settings.site,
        key=settings.key,
        sensitivity=settings.sensitivity,
    )
