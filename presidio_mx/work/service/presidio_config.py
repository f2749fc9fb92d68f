"""Write the configuration files that a stock Presidio server reads."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.engine import mx_recognizers
from presidio_mx.find.ner.choose import (
    ADBDC,
    AUTO,
    models_of,
    ner_recognizers,
    resolved,
)
from presidio_mx.find.ner.transformer import TRANSFORMER
from presidio_mx.find.nlp import LANGUAGE, MODEL
from presidio_mx.presidio_compat import REGEX_FLAGS
from presidio_mx.work.service.schema import SINGLE, SPLIT

GUNICORN = "-c python:presidio_mx.gunicorn_conf"
NLP_RECOGNIZER = "SpacyRecognizer"
Entry = dict[str, Any]

_SPLIT = """\
# Languages of a stock Presidio analyzer (ANALYZER_CONF_FILE), which reads its models
# from nlp.yaml (NLP_CONF_FILE) and its recognizers from recognizers.yaml
# (RECOGNIZER_REGISTRY_CONF_FILE). These three files need no import of presidio_mx.
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
_SINGLE = """\
# Configuration of a stock Presidio analyzer, all in one file (ANALYZER_CONF_FILE).
# Presidio checks it before it loads anything, so the process must call
# presidio_mx.register() first; under gunicorn: GUNICORN_CMD_ARGS={gunicorn!r}.
"""
_ENV = """\
# Settings of a stock Presidio analyzer. For the single file set instead
#   ANALYZER_CONF_FILE={single}
#   NLP_CONF_FILE=
#   RECOGNIZER_REGISTRY_CONF_FILE=
#   GUNICORN_CMD_ARGS={gunicorn}
ANALYZER_CONF_FILE={split}
NLP_CONF_FILE={nlp}
RECOGNIZER_REGISTRY_CONF_FILE={registry}
"""


@dataclass(frozen=True)
class Wanted:
    """What the files shall describe.

    :param preset: Name of the preset.
    :param site: Folder with a site's own lists and rules; written as absolute path.
    :param ner: Model beside the rules: ``auto``, ``none``, ``transformer`` or a path.
    :param also: Further languages to the spaCy model of each, which get Presidio's own
        recognizers.
    """

    preset: str = "mx"
    site: Path | None = None
    ner: str = AUTO
    also: Mapping[str, str] = field(default_factory=dict)


def our_entries(wanted: Wanted) -> list[Entry]:
    """Return the registry entries of every recognizer of a preset, models first.

    :param wanted: What to describe.
    :raises ConfigurationError: If the preset is unknown or the site is broken.
    """
    preset, site = wanted.preset, wanted.site
    own: Entry = {} if preset in ("mx", ADBDC) else {"preset": preset}
    rules = [
        _entry(type(recognizer).__name__)
        | own
        | ({} if site is None else {"site": str(site.absolute())})
        for recognizer in mx_recognizers(preset, site)
    ]
    ner = resolved(wanted.ner, preset)
    models = [
        _entry(type(model).__name__)
        | own
        | ({} if name == TRANSFORMER else {"model": str(Path(name).absolute())})
        for name, model in zip(
            models_of(ner), ner_recognizers(ner, preset), strict=False
        )
    ]
    # Models propose before the rules run, which then run once.
    return [*models, *rules]


def _entry(name: str) -> Entry:
    return {"name": name, "type": "predefined", "supported_languages": [LANGUAGE]}


def nlp_recognizer(languages: Sequence[str]) -> list[Entry]:
    """Return what to say of Presidio's recognizer of a spaCy model's entities.

    Unless an entry names it, Presidio adds it, for each language with the entities that
    the models are configured to report; one that an entry names would claim those which
    are ignored, too. The blank pipeline has none, so that Spanish alone does without;
    but an entry that is not enabled takes it from every other language as well.

    :param languages: All languages of the analyzer.
    """
    if list(languages) == [LANGUAGE]:
        return [{"name": NLP_RECOGNIZER, "type": "predefined", "enabled": False}]
    return []


def stock_entries(languages: Sequence[str]) -> list[Entry]:
    """Return Presidio's own recognizers of some languages, as it ships them.

    :param languages: Language codes.
    """
    chosen = []
    for entry in presidio_default("default_recognizers.yaml")["recognizers"]:
        spoken = entry.get("supported_languages") or list(languages)
        here = [known for known in spoken if _code(known) in languages]
        if here and entry.get("enabled", True) and entry["name"] != NLP_RECOGNIZER:
            chosen.append({**entry, "supported_languages": here})
    return chosen


def _code(language: str | Mapping[str, Any]) -> str:
    return language if isinstance(language, str) else str(language["language"])


def presidio_default(name: str) -> dict[str, Any]:
    """Return a configuration that Presidio ships.

    :param name: File in Presidio's folder ``conf``.
    """
    text = (files("presidio_analyzer") / "conf" / name).read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return content


def parse_also(options: Sequence[str]) -> dict[str, str]:
    """Return language to model from what a user wrote.

    :param options: ``en``, or ``en=MODEL`` with an installed spaCy model or a folder.
    :return: E.g. ``{"en": "en_core_web_lg"}``, which is Presidio's default.
    :raises ConfigurationError: If a language needs a model.
    """
    usual = {
        model["lang_code"]: model["model_name"]
        for model in presidio_default("default.yaml")["models"]
    }
    also: dict[str, str] = {}
    for option in options:
        language, _, model = option.partition("=")
        if language == LANGUAGE:
            raise ConfigurationError(f"--also {option}: {LANGUAGE} is there already")
        if not model and language not in usual:
            raise ConfigurationError(
                f"--also {option}: name its spaCy model, e.g. "
                f"--also {language}={language}_core_news_md"
            )
        also[language] = model or usual[language]
    return also


def sections(wanted: Wanted) -> tuple[Entry, Entry, Entry]:
    """Return the three parts of a configuration: top, models, registry.

    :param wanted: What to describe.
    :raises ConfigurationError: If the preset is unknown or the site is broken.
    """
    languages = [LANGUAGE, *wanted.also]
    models = [{"lang_code": LANGUAGE, "model_name": MODEL}]
    models += [{"lang_code": k, "model_name": v} for k, v in wanted.also.items()]
    nlp: Entry = {"nlp_engine_name": "spacy", "models": models}
    if wanted.also:
        default = presidio_default("default.yaml")
        nlp["ner_model_configuration"] = default["ner_model_configuration"]
    registry: Entry = {
        "supported_languages": languages,
        "global_regex_flags": REGEX_FLAGS,
        "recognizers": [
            *our_entries(wanted),
            *(stock_entries(list(wanted.also)) if wanted.also else ()),
            *nlp_recognizer(languages),
        ],
    }
    top: Entry = {"supported_languages": languages, "default_score_threshold": 0}
    return top, nlp, registry


def config_files(wanted: Wanted, folder: Path = Path(".")) -> dict[str, str]:
    """Return the configuration files by name.

    :param wanted: What to describe.
    :param folder: Where the files will be, for the paths in ``presidio.env``.
    :return: File name to content.
    :raises ConfigurationError: If the preset is unknown or the site is broken.
    """
    top, nlp, registry = sections(wanted)
    single = {**top, "nlp_configuration": nlp, "recognizer_registry": registry}
    split = dict(zip(("split", "nlp", "registry"), SPLIT, strict=True))
    paths = {name: folder / file for name, file in split.items()}
    return {
        split["split"]: _SPLIT + dump(top),
        split["nlp"]: _NLP + dump(nlp),
        split["registry"]: _REGISTRY + dump(registry),
        SINGLE: _SINGLE.format(gunicorn=GUNICORN) + dump(single),
        "presidio.env": _ENV.format(gunicorn=GUNICORN, single=folder / SINGLE, **paths),
    }


def write_config(
    folder: Path, wanted: Wanted | None = None, replace: bool = False
) -> list[Path]:
    """Write the configuration files into a folder.

    :param folder: Where to; made if it does not exist.
    :param wanted: What to describe; Mexican notes by default.
    :param replace: Whether existing files may be replaced.
    :return: The files written.
    :raises ConfigurationError: If a file exists, or preset or site is wrong.
    """
    folder = folder.absolute()
    return write_files(folder, config_files(wanted or Wanted(), folder), replace)


def write_files(folder: Path, contents: Mapping[str, str], replace: bool) -> list[Path]:
    """Write files into a folder, each all or nothing.

    :param folder: Where to; made if it does not exist.
    :param contents: Name of a file to its text.
    :param replace: Whether existing files may be replaced.
    :return: The files written.
    :raises ConfigurationError: If a file exists or cannot be written.
    """
    there = [name for name in contents if (folder / name).exists()]
    if there and not replace:
        raise ConfigurationError(
            f"{folder} already has {', '.join(there)}; choose another folder or "
            "add --force"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            part = folder / f"{name}.part"
            part.write_text(content, encoding="utf-8")
            os.replace(part, folder / name)
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise ConfigurationError(f"{error.filename or folder}: {reason}") from None
    return [folder / name for name in contents]


def dump(data: object) -> str:
    """Return data as YAML in the order given."""
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=88)
