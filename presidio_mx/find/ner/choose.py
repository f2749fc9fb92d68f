"""Which model goes with the rules, by the word or path that a user gives."""

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from presidio_analyzer import EntityRecognizer

from presidio_mx.errors import ConfigurationError, install_line
from presidio_mx.find.ner.transformer import (
    SHIPPED,
    TRANSFORMER,
    MxTransformerRecognizer,
    transformer_available,
)
from presidio_mx.find.nlp import LANGUAGE
from presidio_mx.find.sensitivity import BALANCED, thresholds_of
from presidio_mx.yaml_file import read_yaml

ADBDC = "ADBDC"
"""Name of the published baseline, which has no model."""


@dataclass(frozen=True, slots=True)
class Published:
    """A published system: it runs alone, and what it finds is all that is replaced.

    :param tags: Profile that stands for ``tag``: the tags of its authors.
    :param kind: Kind of model that it is; empty for a system without one.
    :param model: That model, in words.
    """

    tags: str
    kind: str = ""
    model: str = ""


PUBLISHED = {
    ADBDC: Published("tag-thesis"),
    "ADAP": Published(
        "tag-thesis", "flair", "a Flair tagger, which presidio-mx train flair trains"
    ),
    "hc-ribeirao": Published(
        "hc-ribeirao", "gliner", "a GLiNER model, such as urchade/gliner_multi_pii-v1"
    ),
}
"""Presets that are no rules of ours, by name."""

AUTO, NONE = "auto", "none"
SEVERAL = ","
"""What divides several models in one word."""
Ner = str | Sequence[str]
"""The model or models that go with the rules."""
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
    "gliner2": ("presidio_mx.find.ner.gliner", "MxGliner2Recognizer"),
    "flair": ("presidio_mx.research.systems.flair", "MxFlairRecognizer"),
    "hf": ("presidio_mx.find.ner.huggingface", "MxHuggingFaceRecognizer"),
}
"""Kind of model, as its folder says, to the module and class that run it."""


class RulesAloneWarning(UserWarning):
    """The shipped model cannot run, so that the rules work alone."""


def models_of(ner: Ner) -> list[str]:
    """Return the models that somebody asks for, each once.

    :param ner: What :func:`ner_recognizers` takes.
    """
    if isinstance(ner, list | tuple) and ner:
        return list(dict.fromkeys(map(str, ner)))
    said = str(ner)
    one = SEVERAL not in said or Path(said).exists()
    return [said] if one else list(dict.fromkeys(said.split(SEVERAL)))


def resolved(ner: Ner, preset: str = "mx") -> str:
    """Return what ``auto`` means here; anything else as it is, several with commas.

    :param ner: What :func:`ner_recognizers` takes.
    :param preset: The rules beside it, or a published system, which takes no model of
        this package.
    :return: ``none``, ``transformer`` or the path of a model.
        Where ``auto`` means the rules alone because the model's extra is missing, a
        warning says what that costs.
    """
    each = dict.fromkeys(_resolved(one, preset) for one in models_of(ner))
    models = [one for one in each if one != NONE]
    return SEVERAL.join(models) if models else NONE


def _resolved(ner: str, preset: str) -> str:
    if ner != AUTO:
        return ner
    published = PUBLISHED.get(preset)
    if published and not published.kind:
        return NONE
    said = os.environ.get(VARIABLE, AUTO) or AUTO
    if said != AUTO:
        return said
    if published:
        return NONE
    if transformer_available():
        return TRANSFORMER
    warnings.warn(rules_alone(), RulesAloneWarning, stacklevel=4)
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
    ner: Ner,
    preset: str,
    language: str = LANGUAGE,
    sensitivity: str | float = BALANCED,
) -> list[EntityRecognizer]:
    """Return the recognizers of the model that goes with a preset's rules.

    :param ner: ``none``; ``transformer`` for the shipped model; ``auto`` for it where
        its extra is installed (or for what ``PRESIDIO_MX_NER`` says); or the path of a
        model: a folder that ``presidio-mx train`` wrote, a Hugging Face checkpoint, a
        GLiNER or GLiNER2 folder, a Flair ``.pt`` file. Or several of them, as a list or
        with commas: what any of them marks is marked.
    :param preset: ``mx`` or ``es-ES``: the head of a model that has several; or a
        published system, which is the model itself.
    :param language: Language code to register them for.
    :param sensitivity: From which probability on the transformer's spans are marked.
    :return: No recognizer, or one for each model.
    :raises ConfigurationError: If there is no such model.
    :raises MissingExtraError: If what runs it is not installed.
    """
    models = resolved(ner, preset)
    published = PUBLISHED.get(preset)
    if published and published.kind:
        return [_published(published, models, preset, language, sensitivity)]
    if models == NONE:
        return []
    return [_model(one, preset, language, sensitivity) for one in models_of(models)]


def _model(
    ner: str, preset: str, language: str, sensitivity: str | float
) -> EntityRecognizer:
    if ner == TRANSFORMER:
        return _transformer(SHIPPED, language, preset, sensitivity)
    path = Path(ner)
    if not ner or not path.exists():
        raise ConfigurationError(
            f"ner (--ner) {ner!r} is unknown: use auto, none, transformer "
            "or the path of a model"
        )
    kind = kind_of(path)
    if kind == TRANSFORMER:
        return _transformer(path, language, preset, sensitivity)
    return _made(kind, path, supported_language=language, preset=preset)


def _made(kind: str, path: Path, **options: Any) -> EntityRecognizer:
    module, name = KINDS[kind]
    made: EntityRecognizer = getattr(import_module(module), name)(path, **options)
    return made


def _published(
    system: Published, ner: str, preset: str, language: str, sensitivity: str | float
) -> EntityRecognizer:
    """Return the model that a published system is, with its authors' threshold.

    Another sensitivity than the usual one is a threshold of the user's own.
    """
    path = Path(ner)
    ours = ner in (AUTO, NONE, TRANSFORMER)
    if ours or not path.exists() or kind_of(path) != system.kind:
        raise ConfigurationError(
            f"the preset {preset} is {system.model}, and nothing beside it: give its "
            "path as ner (--ner)"
        )
    options: dict[str, Any] = {"sensitivity": 0.0}
    if sensitivity != BALANCED:
        options["threshold"] = thresholds_of(sensitivity).least
    return _made(
        system.kind, path, supported_language=language, preset=preset, **options
    )


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
    if (path / "encoder_config").is_dir():
        return "gliner2"
    if (path / "config.json").is_file():
        return "hf"
    raise ConfigurationError(
        f"{path} holds no model: neither {MANIFEST} nor config.json is there"
    )
