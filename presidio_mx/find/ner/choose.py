"""Which model goes with the rules, by the word or path that a user gives."""

import json
import os
import warnings
from importlib import import_module
from pathlib import Path

from presidio_analyzer import EntityRecognizer

from presidio_mx.errors import ConfigurationError, install_line
from presidio_mx.find.decide import BALANCED
from presidio_mx.find.ner.transformer import (
    SHIPPED,
    SHIPPED_MODELS,
    TRANSFORMER,
    MxTransformerRecognizer,
    transformer_available,
)
from presidio_mx.find.nlp import LANGUAGE
from presidio_mx.yaml_file import read_yaml

ADBDC = "ADBDC"
"""Name of the published baseline, which has no model."""

AUTO, NONE = "auto", "none"
VARIABLE = "PRESIDIO_MX_NER"
"""Environment variable with what ``auto`` means on this machine."""

MANIFEST = "presidio_mx.json"
KINDS = {
    "transformer": ("presidio_mx.find.ner.transformer", "MxTransformerRecognizer"),
    "crf": ("presidio_mx.research.systems.crf", "MxCrfRecognizer"),
    "bilstm-crf": (
        "presidio_mx.research.systems.bilstm_crf.recognizer",
        "MxBiLstmCrfRecognizer",
    ),
    "gliner": ("presidio_mx.find.ner.gliner", "MxGlinerRecognizer"),
    "flair": ("presidio_mx.research.systems.flair", "MxFlairRecognizer"),
    "hf": ("presidio_mx.find.ner.huggingface", "MxHuggingFaceRecognizer"),
}
"""Kind of model, as its folder says, to the module and class that run it."""


class RulesAloneWarning(UserWarning):
    """The shipped model cannot run, so that the rules work alone."""


def resolved(ner: str, preset: str = "mx") -> str:
    """Return what ``auto`` means here; anything else as it is.

    :param ner: What :func:`ner_recognizers` takes.
    :param preset: The rules beside it; the published baseline stays without a model.
    :return: ``none``, ``transformer``, ``transformer-large`` or the path of a model.
        Where ``auto`` means the rules alone because the model's extra is missing, a
        warning says what that costs.
    """
    if ner != AUTO:
        return ner
    if preset == ADBDC:
        return NONE
    said = os.environ.get(VARIABLE, AUTO) or AUTO
    if said != AUTO:
        return said
    if transformer_available():
        return TRANSFORMER
    warnings.warn(rules_alone(), RulesAloneWarning, stacklevel=2)
    return NONE


def rules_alone() -> str:
    """Return a sentence on what it costs to work without the shipped model."""

    def span(system: str, measure: str) -> str:
        values = [notes[system][measure] for notes in rows]
        low, high = round(min(values)), round(max(values))
        return f"{low}" if low == high else f"{low}–{high}"

    # Per cent covered and clean, of rules and of both, by set of notes.
    rows = list(read_yaml(SHIPPED / "figures.yaml").values())
    return (
        "rules work alone, because the transformer is not installed: in held-out notes "
        f"they cover {span('rules', 'covered')} % of the identifiers (with it "
        f"{span('both', 'covered')}) and leave {span('rules', 'clean')} % of the notes "
        f"without a leak ({span('both', 'clean')}); {install_line('transformer')}, or "
        "say ner=none (--ner none) if that is meant"
    )


def ner_recognizers(
    ner: str,
    preset: str,
    language: str = LANGUAGE,
    sensitivity: str | float = BALANCED,
) -> list[EntityRecognizer]:
    """Return the recognizers of the model that goes with a preset's rules.

    :param ner: ``none``; ``transformer`` for the shipped model; ``transformer-large``
        for the one of twice as many layers; ``auto`` for the first where its extra is
        installed (or for what ``PRESIDIO_MX_NER`` says); or the path of a model: a
        folder that ``presidio-mx train`` wrote, a Hugging Face checkpoint, a GLiNER
        folder, a Flair ``.pt`` file.
    :param preset: ``mx`` or ``es-ES``: the head of a model that has several.
    :param language: Language code to register them for.
    :param sensitivity: From which probability on the transformer's spans are marked.
    :return: No recognizer or one.
    :raises ConfigurationError: If there is no such model.
    :raises MissingExtraError: If what runs it is not installed.
    """
    ner = resolved(ner, preset)
    if ner == NONE:
        return []
    if ner in SHIPPED_MODELS:
        return [_transformer(SHIPPED_MODELS[ner], language, preset, sensitivity)]
    path = Path(ner) if ner and isinstance(ner, str | Path) else None
    if path is None or not path.exists():
        raise ConfigurationError(
            f"ner (--ner) {ner!r} is unknown: use auto, none, transformer, "
            "transformer-large or the path of a model"
        )
    kind = kind_of(path)
    if kind == TRANSFORMER:
        return [_transformer(path, language, preset, sensitivity)]
    module, name = KINDS[kind]
    made = getattr(import_module(module), name)(
        path, supported_language=language, preset=preset
    )
    return [made]


def _transformer(
    path: Path, language: str, preset: str, sensitivity: str | float
) -> MxTransformerRecognizer:
    return MxTransformerRecognizer(
        path, supported_language=language, preset=preset, sensitivity=sensitivity
    )


def kind_of(path: Path) -> str:
    """Tell what kind of model a path holds.

    :param path: A folder, or the file of a Flair model.
    :return: A name in the table of kinds.
    :raises ConfigurationError: If it holds none that is known.
    """
    if path.is_file():
        return "flair"
    manifest = path / MANIFEST
    if manifest.is_file():
        try:
            kind = json.loads(manifest.read_text(encoding="utf-8"))["kind"]
        except (ValueError, KeyError, TypeError):
            raise ConfigurationError(f"{manifest} cannot be read") from None
        if kind not in KINDS:
            raise ConfigurationError(f"{manifest}: unknown kind of model {kind!r}")
        return str(kind)
    if (path / "gliner_config.json").is_file():
        return "gliner"
    if (path / "config.json").is_file():
        return "hf"
    raise ConfigurationError(
        f"{path} holds no model: neither {MANIFEST} nor config.json is there"
    )
