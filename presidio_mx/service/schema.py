"""Make the suite's recognizers known to Presidio's YAML configuration."""

from importlib import import_module

from presidio_analyzer import EntityRecognizer

# Imported for its recognizer classes, which Presidio finds by being imported.
import presidio_mx.analyzer.engine  # noqa: F401
from presidio_mx.analyzer.ner.choose import KINDS
from presidio_mx.analyzer.recognizer import recognizer_classes
from presidio_mx.declarations import PRESETS
from presidio_mx.presidio_compat import allow_all_parameters, classes_below


def allow_parameters() -> None:
    """Make Presidio hand ``preset`` and ``site`` of a YAML entry to the recognizer.

    Unknown parameters are then refused by the recognizer's constructor. Calling it
    again changes nothing.
    """
    for preset in PRESETS:
        recognizer_classes(preset)  # makes the classes that Presidio looks for
    for module, _ in KINDS.values():
        import_module(module)
    allow_all_parameters(
        [
            cls.__name__
            for cls in classes_below(EntityRecognizer)
            if cls.__module__.startswith("presidio_mx.")
        ]
    )
