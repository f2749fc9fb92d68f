"""Add the suite to configuration files of a Presidio deployment that people have."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.nlp import LANGUAGE, MODEL
from presidio_mx.presidio_compat import REGEX_FLAGS
from presidio_mx.work.service.presidio_config import (
    GUNICORN,
    NLP_RECOGNIZER,
    Entry,
    Wanted,
    dump,
    nlp_recognizer,
    our_entries,
    presidio_default,
    stock_entries,
    write_files,
)
from presidio_mx.yaml_file import read_yaml

_NLP, _REGISTRY = "nlp_configuration", "recognizer_registry"
_HEAD = "# {name} with the recognizers of presidio-mx added; comments are not kept.\n"
_HOOK = (
    "# The process must call presidio_mx.register() before Presidio reads this file;\n"
    f"# under gunicorn: GUNICORN_CMD_ARGS={GUNICORN!r}.\n"
)


def merge_config(
    paths: Sequence[Path], folder: Path, wanted: Wanted, replace: bool = False
) -> list[Path]:
    """Write copies of configuration files with the suite's recognizers added.

    What the files say stays: languages, models, recognizers, thresholds. Sections that
    no file has are Presidio's defaults. The files themselves are not touched.

    :param paths: An analyzer configuration, or all files of a split one.
    :param folder: Where to write the copies, each under its name.
    :param wanted: What to add; its ``also`` is not looked at.
    :param replace: Whether existing files in the folder may be replaced.
    :return: The files written.
    :raises ConfigurationError: If a file is broken, is none of Presidio's, or its
        models cannot stand beside ours.
    """
    if any(path.absolute().parent == folder.absolute() for path in paths):
        raise ConfigurationError(
            f"{folder} holds the files to add to; choose another folder"
        )
    given = {path: read_yaml(path, "a configuration of Presidio") for path in paths}
    contents = {
        path.name: _HEAD.format(name=path.name)
        + (_HOOK if _REGISTRY in content else "")
        + dump(content)
        for path, content in merged(given, wanted).items()
    }
    return write_files(folder.absolute(), contents, replace)


def merged(given: Mapping[Path, Entry], wanted: Wanted) -> dict[Path, Entry]:
    """Return the contents of configuration files with the suite added.

    :param given: Path to content of an analyzer, NLP or registry configuration.
    :param wanted: What to add.
    :raises ConfigurationError: As :func:`merge_config`.
    """
    for path, content in given.items():
        if not {"supported_languages", "models", "recognizers"} & set(content):
            raise ConfigurationError(
                f"{path}: not a configuration of Presidio: neither supported_languages "
                "nor models nor recognizers is there"
            )
    tops = [path for path, content in given.items() if _is_top(content)]
    if len(tops) != 1:
        raise ConfigurationError(
            f"{', '.join(map(str, given))}: give --into one analyzer configuration "
            "(ANALYZER_CONF_FILE), and its NLP and recognizer files if they are apart; "
            "who has none copies conf/default_analyzer.yaml of presidio_analyzer"
        )
    top = dict(given[tops[0]])
    spoken = list(top["supported_languages"])
    languages = [*spoken, *({LANGUAGE} - set(spoken))]
    top["supported_languages"] = languages
    if not any("models" in content for content in given.values()):
        top.setdefault(_NLP, presidio_default("default.yaml"))
    if not any("recognizers" in content for content in given.values()):
        top.setdefault(_REGISTRY, {"global_regex_flags": REGEX_FLAGS})
    done = {**given, tops[0]: top}
    for path, content in done.items():
        if _NLP in content:
            content = {**content, _NLP: _with_model(path, content[_NLP])}
        if _REGISTRY in content:
            registry = {"recognizers": stock_entries(spoken), **content[_REGISTRY]}
            registry = _with_recognizers(registry, wanted, languages)
            content = {**content, _REGISTRY: registry}
        if "models" in content:
            content = _with_model(path, content)
        if "recognizers" in content:
            content = _with_recognizers(content, wanted, languages)
        done[path] = content
    return done


def _is_top(content: Entry) -> bool:
    return not {"models", "recognizers"} & set(content)


def _with_model(path: Path, nlp: Entry) -> Entry:
    """Return the models with our blank pipeline, or theirs for Spanish."""
    engine = nlp.get("nlp_engine_name", "spacy")
    if engine != "spacy":
        raise ConfigurationError(
            f"{path}: nlp_engine_name is {engine}, and the model presidio_mx is one of "
            "spaCy; keep that server as it is and give Spanish a server of its own"
        )
    models = list(nlp["models"])
    if not any(model["lang_code"] == LANGUAGE for model in models):
        models.append({"lang_code": LANGUAGE, "model_name": MODEL})
    return {**nlp, "models": models}


def _with_recognizers(
    registry: Entry, wanted: Wanted, languages: Sequence[str]
) -> Entry:
    """Return the registry with our recognizers, none twice."""
    ours = our_entries(wanted)
    names = {entry["name"] for entry in ours} | {NLP_RECOGNIZER}
    theirs = list(registry["recognizers"])
    # An entry may be a mere name, and what reports a model's entities stays as it is.
    kept = [entry for entry in theirs if _name(entry) not in names]
    of_model = [entry for entry in theirs if _name(entry) == NLP_RECOGNIZER]
    return {
        **registry,
        "supported_languages": list(languages),
        "recognizers": [*ours, *kept, *_of_model(of_model, languages)],
    }


def _name(entry: object) -> str:
    return str(entry.get("name") if isinstance(entry, dict) else entry)


def _of_model(entries: Sequence[object], languages: Sequence[str]) -> list[object]:
    """Return the entry of the NLP recognizer, with Spanish if it lists languages."""
    if not entries:
        return list(nlp_recognizer(languages))
    return [
        {**entry, "supported_languages": list(languages)}
        if isinstance(entry, dict) and entry.get("supported_languages")
        else entry
        for entry in entries
    ]
