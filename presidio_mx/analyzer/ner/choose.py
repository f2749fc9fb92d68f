"""Which model goes with the rules, by the word or path that a user gives."""

import json
import os
from importlib import import_module
from pathlib import Path

from presidio_analyzer import EntityRecognizer

from presidio_mx.analyzer.ner.transformer import (
    MxTransformerRecognizer,
    transformer_available,
)
from presidio_mx.analyzer.nlp import LANGUAGE
from presidio_mx.analyzer.vote.weigh import BALANCED
from presidio_mx.errors import ConfigurationError

AUTO, NONE, TRANSFORMER = "auto", "none", "transformer"
VARIABLE = "PRESIDIO_MX_NER"
"""Environment variable with what ``auto`` means on this machine."""

MANIFEST = "presidio_mx.json"
KINDS = {
    "transformer": ("presidio_mx.analyzer.ner.transformer", "MxTransformerRecognizer"),
    "crf": ("presidio_mx.analyzer.ner.crf", "MxCrfRecognizer"),
    "bilstm-crf": (
        "presidio_mx.analyzer.ner.bilstm_crf.recognizer",
        "MxBiLstmCrfRecognizer",
    ),
    "gliner": ("presidio_mx.analyzer.ner.gliner", "MxGlinerRecognizer"),
    "flair": ("presidio_mx.analyzer.ner.flair", "MxFlairRecognizer"),
    "hf": ("presidio_mx.analyzer.ner.huggingface", "MxHuggingFaceRecognizer"),
}
"""Kind of model, as its folder says, to the module and class that run it."""


def ner_recognizers(
    ner: str,
    preset: str,
    language: str = LANGUAGE,
    sensitivity: str | float = BALANCED,
) -> list[EntityRecognizer]:
    """Return the recognizers of the model that goes with a preset's rules.

    :param ner: ``none``; ``transformer`` for the shipped model; ``auto`` for it where
        its extra is installed (or for what ``PRESIDIO_MX_NER`` says); or the path of a
        model: a folder that ``presidio-mx train`` wrote, a Hugging Face checkpoint, a
        GLiNER folder, a Flair ``.pt`` file.
    :param preset: ``mx`` or ``es-ES``: the head of a model that has several.
    :param language: Language code to register them for.
    :param sensitivity: From which probability on the transformer's spans are marked.
    :return: No recognizer or one.
    :raises ConfigurationError: If there is no such model.
    :raises MissingExtraError: If what runs it is not installed.
    """
    if ner == AUTO:
        ner = os.environ.get(VARIABLE) or _automatic()
    if ner == NONE:
        return []
    if ner == TRANSFORMER:
        return [_transformer(None, language, preset, sensitivity)]
    path = Path(ner)
    if not path.exists():
        raise ConfigurationError(
            f"ner={ner!r} is unknown: use 'auto', 'none', 'transformer' or the path of "
            "a model"
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
    path: Path | None, language: str, preset: str, sensitivity: str | float
) -> MxTransformerRecognizer:
    return MxTransformerRecognizer(
        path, supported_language=language, preset=preset, sensitivity=sensitivity
    )


def _automatic() -> str:
    return TRANSFORMER if transformer_available() else NONE


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
