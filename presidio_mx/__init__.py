"""De-identify clinical notes in Mexican Spanish with Presidio.

``analyze_and_anonymize(text)`` does everything; ``build_analyzer``,
``build_anonymizer``, ``register_recognizers`` and ``register_operators`` give the parts
to those who build their own. Names are imported at first use, so that
``import presidio_mx`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from presidio_mx.chat import hidden_chat
    from presidio_mx.conversation import hidden
    from presidio_mx.errors import (
        ConfigurationError,
        InputError,
        MissingExtraError,
        PresidioMxError,
    )
    from presidio_mx.find.engine import build_analyzer, register_recognizers
    from presidio_mx.find.ner.choose import RulesAloneWarning
    from presidio_mx.made_by import provenance
    from presidio_mx.marked import display
    from presidio_mx.pipeline import analyze, analyze_and_anonymize
    from presidio_mx.replace.engine import AnonymizedText
    from presidio_mx.replace.operators import build_anonymizer, register_operators
    from presidio_mx.work.service.schema import engine_from_config, register

__version__ = "0.3.0"

_HOMES = {
    "analyze": "presidio_mx.pipeline",
    "analyze_and_anonymize": "presidio_mx.pipeline",
    "AnonymizedText": "presidio_mx.replace.engine",
    "build_analyzer": "presidio_mx.find.engine",
    "register_recognizers": "presidio_mx.find.engine",
    "build_anonymizer": "presidio_mx.replace.operators",
    "register_operators": "presidio_mx.replace.operators",
    "register": "presidio_mx.work.service.schema",
    "engine_from_config": "presidio_mx.work.service.schema",
    "display": "presidio_mx.marked",
    "hidden": "presidio_mx.conversation",
    "hidden_chat": "presidio_mx.chat",
    "provenance": "presidio_mx.made_by",
    "RulesAloneWarning": "presidio_mx.find.ner.choose",
    "PresidioMxError": "presidio_mx.errors",
    "ConfigurationError": "presidio_mx.errors",
    "InputError": "presidio_mx.errors",
    "MissingExtraError": "presidio_mx.errors",
}

__all__ = [
    "AnonymizedText",
    "ConfigurationError",
    "InputError",
    "MissingExtraError",
    "PresidioMxError",
    "RulesAloneWarning",
    "analyze",
    "analyze_and_anonymize",
    "build_analyzer",
    "build_anonymizer",
    "display",
    "engine_from_config",
    "hidden",
    "hidden_chat",
    "provenance",
    "register",
    "register_operators",
    "register_recognizers",
]


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names before their first use, too."""
    return sorted({*globals(), *__all__})


def load(**overrides: Any) -> Any:
    """Return the blank Spanish pipeline; called by ``spacy.load("presidio_mx")``.

    A Presidio configuration that names the model ``presidio_mx`` calls this before its
    recognizers are looked up, which makes the suite's classes known to Presidio.

    :param overrides: What spaCy passes to a model package.
    :return: A spaCy pipeline without a model.
    """
    import_module("presidio_mx.work.service.schema").allow_parameters()
    return import_module("presidio_mx.find.nlp").load(**overrides)
