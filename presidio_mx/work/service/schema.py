"""Make the suite's recognizers and operators known to Presidio by their names."""

from importlib import import_module
from pathlib import Path

from presidio_analyzer import (
    AnalyzerEngine,
    AnalyzerEngineProvider,
    EntityRecognizer,
)

# Imported for its recognizer classes, which Presidio finds by being imported.
import presidio_mx.find.engine  # noqa: F401
from presidio_mx.declarations import PRESETS
from presidio_mx.errors import ConfigurationError
from presidio_mx.find.ner.choose import KINDS
from presidio_mx.find.recognizer import recognizer_classes
from presidio_mx.presidio_compat import allow_all_parameters, classes_below
from presidio_mx.replace.operators import register_operators_globally

SINGLE = "analyzer.yaml"
SPLIT = ("analyzer-split.yaml", "nlp.yaml", "recognizers.yaml")
"""Names of the files that ``presidio-mx presidio-config`` writes."""


def register() -> None:
    """Make every recognizer and operator of the suite known to Presidio.

    After it, Presidio's own ``AnalyzerEngineProvider`` reads YAML configurations that
    name our recognizers, in one file or several, and an ``AnonymizerEngine`` made
    later has our operators. Calling it again changes nothing.
    """
    allow_parameters()
    register_operators_globally()


def engine_from_config(path: Path | str) -> AnalyzerEngine:
    """Return the analyzer that configuration files describe.

    :param path: An analyzer configuration in one file, or the folder that
        ``presidio-mx presidio-config`` wrote.
    :return: Presidio's engine.
    :raises ConfigurationError: If there is no such file; Presidio itself would go on
        with its default configuration.
    """
    register()
    path = Path(path)
    if path.is_dir():
        top, nlp, registry = (_existing(path / name) for name in SPLIT)
        return AnalyzerEngineProvider(top, nlp, registry).create_engine()
    return AnalyzerEngineProvider(_existing(path)).create_engine()


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise ConfigurationError(f"{path}: no such file")
    return path


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
