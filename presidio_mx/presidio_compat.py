"""What the suite relies on in Presidio beyond its documented interface.

Each piece names its assumption; ``tests/test_presidio_compat.py`` tests every one
against the installed Presidio, and ``pyproject.toml`` admits tested versions alone.
"""

from collections.abc import MutableMapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine
from spacy.tokens import Doc, Span

Storage = MutableMapping[Any, Any]

# Presidio's default for regular expressions (DOTALL, MULTILINE, IGNORECASE). A registry
# section without it gets a stock set of recognizers added (2.2.360 to 2.2.366).
REGEX_FLAGS = 26

_MAP = "presidio_analyzer.input_validation.yaml_recognizer_models"


class LazyArtifacts(NlpArtifacts):
    """Presidio's artifacts, made by an engine at the first look.

    The suite's recognizers read the note themselves; only stock recognizers and
    context words need tokens, and a note without those should not pay for them.
    Assumption: artifacts have the attributes below and no others, and Presidio makes
    new ones for each call.

    :param text: The note.
    :param engine: The engine; its ``eager`` makes the artifacts.
    :param language: Language of the note.
    """

    def __init__(self, text: str, engine: NlpEngine, language: str) -> None:
        """Remember the note; nothing is computed yet, so the parent's waits, too."""
        self._text = text
        self.nlp_engine = engine
        self.language = language
        self.entities: list[Span] = []
        self.scores: list[float] = []
        self.storage: Storage = {}

    @cached_property
    def _made(self) -> NlpArtifacts:
        engine: Any = self.nlp_engine
        made: NlpArtifacts = engine.eager(self._text, self.language)
        return made

    @property
    def tokens(self) -> Doc:  # type: ignore[override]
        """The tokenised note."""
        return self._made.tokens

    @property
    def tokens_indices(self) -> list[int]:  # type: ignore[override]
        """Offsets of the tokens."""
        return self._made.tokens_indices

    @property
    def lemmas(self) -> list[str]:  # type: ignore[override]
        """Lemmas of the tokens."""
        return self._made.lemmas

    @property
    def keywords(self) -> list[str]:  # type: ignore[override]
        """Lemmas that are neither stop words nor punctuation."""
        return self._made.keywords


def storage_of(artifacts: NlpArtifacts) -> Storage | None:
    """Return where a call's own data may be kept, so that it goes with the call.

    Assumption: tokens of spaCy engines are a ``Doc``, whose ``user_data`` spaCy offers
    for this.

    :param artifacts: Artifacts of one call.
    :return: A mapping, or None where the engine offers none.
    """
    if isinstance(artifacts, LazyArtifacts):
        return artifacts.storage
    tokens = artifacts.tokens
    return tokens.user_data if isinstance(tokens, Doc) else None


def allow_all_parameters(names: Sequence[str]) -> None:
    """Let every parameter of a YAML entry reach recognizers of these names.

    Assumption: Presidio's schema (newer than 2.2.360) drops unknown parameters unless a
    class has a model of its own in ``CONFIG_MODEL_MAP``, and passes on what the model's
    ``model_dump`` returns. Presidio without that map passes every parameter on.

    :param names: Names of recognizer classes.
    """
    try:
        models = import_module(_MAP)
    except ImportError:
        return
    from pydantic import ConfigDict

    base: Any = models.PredefinedRecognizerConfig

    class MxRecognizerConfig(base):  # type: ignore[misc]
        """An entry of one of the suite's recognizers: any parameter passes."""

        model_config = ConfigDict(extra="allow")

        def model_dump(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
            """Return what the entry says, without values for what it does not say."""
            kwargs.setdefault("exclude_none", True)
            entry: dict[str, Any] = super().model_dump(*args, **kwargs)
            return entry

    for name in names:
        models.CONFIG_MODEL_MAP.setdefault(name, MxRecognizerConfig)


def classes_below(cls: type) -> set[type]:
    """Return all classes below a class, as Presidio finds recognizers by name.

    :param cls: A class.
    """
    children: list[type] = cls.__subclasses__()
    return set(children).union(*(classes_below(child) for child in children))


def add_operators_globally(operators: Sequence[type[Any]]) -> None:
    """Make operators known to anonymizer engines that are made later.

    Assumption: ``operators_factory.ANONYMIZERS`` is the list new engines read.

    :param operators: Operator classes; those that are there already are left out.
    """
    from presidio_anonymizer.operators import operators_factory

    known = operators_factory.ANONYMIZERS
    known.extend(operator for operator in operators if operator not in known)
