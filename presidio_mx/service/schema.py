"""Let the suite's own parameters pass through Presidio's YAML schema."""

from importlib import import_module
from typing import Any

from presidio_analyzer import EntityRecognizer

# Imported for its recognizer classes, which Presidio finds by being imported.
import presidio_mx.analyzer.engine  # noqa: F401
from presidio_mx.analyzer.ner.choose import KINDS

Parameters = dict[str, Any]


def allow_parameters() -> None:
    """Make Presidio hand ``preset`` and ``site`` of a YAML entry to the recognizer.

    Presidio's schema (``input_validation``, newer than 2.2.360) drops what it does not
    know unless a class has a model of its own in ``CONFIG_MODEL_MAP``. Presidio without
    that map passes every parameter on and needs nothing. Unknown parameters are then
    refused by the recognizer's constructor. Calling it again changes nothing.
    """
    for module, _ in KINDS.values():
        import_module(module)
    try:
        from presidio_analyzer.input_validation.yaml_recognizer_models import (
            CONFIG_MODEL_MAP,
            PredefinedRecognizerConfig,
        )
    except ImportError:
        return
    from pydantic import ConfigDict

    class MxRecognizerConfig(PredefinedRecognizerConfig):
        """An entry of one of the suite's recognizers: any parameter passes."""

        model_config = ConfigDict(extra="allow")

        def model_dump(self, *args: Any, **kwargs: Any) -> Parameters:
            """Return what the entry says, without values for what it does not say."""
            kwargs.setdefault("exclude_none", True)
            entry: Parameters = super().model_dump(*args, **kwargs)
            return entry

    for cls in _below(EntityRecognizer):
        if cls.__module__.startswith("presidio_mx."):
            CONFIG_MODEL_MAP.setdefault(cls.__name__, MxRecognizerConfig)


def _below(cls: type) -> set[type]:
    """Return all classes below a class."""
    children: list[type] = cls.__subclasses__()
    return set(children).union(*(_below(child) for child in children))
