"""Write the configuration files that a stock Presidio server reads."""

import os
from pathlib import Path

import yaml

from presidio_mx.analyzer.engine import ADBDC, mx_recognizers
from presidio_mx.analyzer.ner.choose import AUTO, NONE, TRANSFORMER, ner_recognizers
from presidio_mx.analyzer.nlp import LANGUAGE, MODEL
from presidio_mx.errors import ConfigurationError
from presidio_mx.presidio_compat import REGEX_FLAGS

GUNICORN = "-c python:presidio_mx.gunicorn_conf"

_SINGLE = """\
# Configuration of a stock Presidio analyzer, all in one file (ANALYZER_CONF_FILE).
# Presidio checks it before it loads anything, so the server must import presidio_mx
# first: GUNICORN_CMD_ARGS="-c python:presidio_mx.gunicorn_conf".
"""
_SPLIT = """\
# Languages of a stock Presidio analyzer that reads the models from nlp.yaml and the
# recognizers from recognizers.yaml (ANALYZER_CONF_FILE; here because Presidio's own
# default says en). With split files the server needs no import hook.
"""
_NLP = """\
# Models of a stock Presidio analyzer (NLP_CONF_FILE). The model "presidio_mx" is the
# package itself: a blank Spanish pipeline, no download. Loading it makes the
# recognizer classes known to Presidio.
"""
_REGISTRY = """\
# Recognizers of a stock Presidio analyzer (RECOGNIZER_REGISTRY_CONF_FILE). Add entries
# of your own; an entry of ours takes preset: and site: (a folder).
"""
_ENV = """\
# Settings of a stock Presidio analyzer: the single file and the import hook.
# For the split files set instead
#   ANALYZER_CONF_FILE={split}
#   NLP_CONF_FILE={nlp}
#   RECOGNIZER_REGISTRY_CONF_FILE={registry}
ANALYZER_CONF_FILE={single}
GUNICORN_CMD_ARGS={gunicorn}
"""


def registry_section(
    preset: str, site: Path | None, ner: str = NONE
) -> dict[str, object]:
    """Return the registry that names every recognizer of a preset.

    :param preset: Name of the preset.
    :param site: Folder with a site's own lists and rules.
    :param ner: Model beside the rules: ``none``, ``transformer`` or a model's path.
    :return: The section ``recognizer_registry``.
    :raises ConfigurationError: If the preset is unknown or the site is broken.
    """
    parameters: dict[str, object] = {}
    if preset not in ("mx", ADBDC):
        parameters["preset"] = preset
    if site is not None:
        parameters["site"] = str(site)
    entries: list[dict[str, object]] = [
        {
            "name": type(recognizer).__name__,
            "type": "predefined",
            "supported_languages": [LANGUAGE],
            **parameters,
        }
        for recognizer in mx_recognizers(preset, site)
    ]
    models: list[dict[str, object]] = []
    for model in ner_recognizers(ner, preset):
        entry: dict[str, object] = {"name": type(model).__name__, "type": "predefined"}
        entry["supported_languages"] = [LANGUAGE]
        if preset not in ("mx", ADBDC):
            entry["preset"] = preset
        if ner not in (AUTO, TRANSFORMER):
            entry["model"] = str(Path(ner).absolute())
        models.append(entry)
    # Models propose before the rules run, which then run once.
    entries = [*models, *entries]
    # The blank pipeline has no names to give; unless told, Presidio adds this one.
    entries.append({"name": "SpacyRecognizer", "type": "predefined", "enabled": False})
    return {
        "supported_languages": [LANGUAGE],
        "global_regex_flags": REGEX_FLAGS,
        "recognizers": entries,
    }


def config_files(
    preset: str = "mx",
    site: Path | None = None,
    folder: Path = Path("."),
    ner: str = NONE,
) -> dict[str, str]:
    """Return the configuration files by name.

    :param preset: Name of the preset.
    :param site: Folder with a site's own lists and rules; written as absolute path.
    :param folder: Where the files will be, for the paths in ``presidio.env``.
    :param ner: Model beside the rules.
    :return: File name to content.
    :raises ConfigurationError: If the preset is unknown or the site is broken.
    """
    site = None if site is None else site.absolute()
    registry = registry_section(preset, site, ner)
    models = [{"lang_code": LANGUAGE, "model_name": MODEL}]
    nlp = {"nlp_engine_name": "spacy", "models": models}
    top: dict[str, object] = {"supported_languages": [LANGUAGE]}
    top["default_score_threshold"] = 0
    single = {**top, "nlp_configuration": nlp, "recognizer_registry": registry}
    paths = {
        "single": folder / "analyzer.yaml",
        "split": folder / "analyzer-split.yaml",
        "nlp": folder / "nlp.yaml",
        "registry": folder / "recognizers.yaml",
    }
    return {
        "analyzer.yaml": _SINGLE + _dump(single),
        "analyzer-split.yaml": _SPLIT + _dump(top),
        "nlp.yaml": _NLP + _dump(nlp),
        "recognizers.yaml": _REGISTRY + _dump(registry),
        "presidio.env": _ENV.format(gunicorn=GUNICORN, **paths),
    }


def write_config(
    folder: Path,
    preset: str = "mx",
    site: Path | None = None,
    replace: bool = False,
    ner: str = NONE,
) -> list[Path]:
    """Write the configuration files into a folder.

    :param folder: Where to; made if it does not exist.
    :param preset: Name of the preset.
    :param site: Folder with a site's own lists and rules.
    :param replace: Whether existing files may be replaced.
    :param ner: Model beside the rules: ``none``, ``transformer`` or a model's path.
    :return: The files written.
    :raises ConfigurationError: If a file exists, or preset or site is wrong.
    """
    folder = folder.absolute()
    contents = config_files(preset, site, folder, ner)
    there = [name for name in contents if (folder / name).exists()]
    if there and not replace:
        raise ConfigurationError(
            f"{folder} already has {', '.join(there)}; choose another folder or "
            "add --force"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        part = folder / f"{name}.part"
        part.write_text(content, encoding="utf-8")
        os.replace(part, folder / name)
    return [folder / name for name in contents]


def _dump(data: object) -> str:
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=88)
