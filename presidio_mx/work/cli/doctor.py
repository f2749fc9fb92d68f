"""Find out what is installed, what is set, and whether it works."""

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import yaml
from packaging.requirements import Requirement

from presidio_mx.errors import ConfigurationError, PresidioMxError
from presidio_mx.find.check import check_site
from presidio_mx.find.ner.choose import VARIABLE as NER_VARIABLE
from presidio_mx.find.site import VARIABLE as SITE_VARIABLE
from presidio_mx.made_by import provenance, versions
from presidio_mx.pipeline import analyze_and_anonymize
from presidio_mx.replace.keys import ENVIRONMENT_VARIABLE as KEY_VARIABLE
from presidio_mx.replace.keys import Key
from presidio_mx.work.cli.text import say

_DISTRIBUTION = "presidio-mx"
_SELF_TEST = Path(__file__).with_name("self_test.yaml")
# What others install for themselves, and what only collects others.
_NO_FEATURE = {"dev", "test", "docs", "all"}


@dataclass(frozen=True)
class Check:
    """What was looked at.

    :param name: What it is.
    :param said: What was found; nothing secret.
    :param good: False if it has to be mended.
    """

    name: str
    said: str
    good: bool = True


def examine(preset: str = "mx", ner: str = "auto") -> Iterator[Check]:
    """Yield what is installed and set, and whether it works.

    :param preset: Name of the rule set to test.
    :param ner: Model beside the rules.
    """
    yield Check("system", f"{platform.system()} {platform.machine()}")
    for name, version in versions().items():
        yield Check(name, version)
    for extra, missing in extras():
        yield Check(f"extra {extra}", _extra_said(missing))
    if not missing_of("spark"):
        yield _java()
    yield _key()
    yield _site()
    yield _engine(preset, ner)
    yield from self_test(preset, ner)


def extras() -> Iterator[tuple[str, list[str]]]:
    """Yield every extra that brings a feature, and what of it is not installed."""
    try:
        names = metadata.metadata(_DISTRIBUTION).get_all("Provides-Extra") or []
    except metadata.PackageNotFoundError:
        names = []
    for name in sorted(set(names) - _NO_FEATURE):
        yield name, missing_of(name)


def missing_of(extra: str) -> list[str]:
    """Return the packages of an extra that are not installed.

    :param extra: Name of the extra.
    """
    try:
        lines = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return [_DISTRIBUTION]
    wanted = [Requirement(line) for line in lines]
    return [
        need.name
        for need in wanted
        if need.marker
        and not need.marker.evaluate({"extra": ""})
        and need.marker.evaluate({"extra": extra})
        and not _installed(need.name)
    ]


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _extra_said(missing: list[str]) -> str:
    if not missing:
        return say("installed", "instalado")
    names = ", ".join(missing)
    return say(f"not installed: {names}", f"no instalado: {names}")


def _java() -> Check:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") or (home and f"{home}/bin/java")
    none = say("none found; Spark needs one", "no se encontró; Spark lo necesita")
    return Check("java", java or none, good=bool(java))


def _key() -> Check:
    secret = os.environ.get(KEY_VARIABLE)
    if not secret:
        return Check(KEY_VARIABLE, say("not set", "sin definir"))
    try:
        return Check(KEY_VARIABLE, say("set, key ", "definida, clave ") + _id(secret))
    except PresidioMxError as error:
        return Check(KEY_VARIABLE, str(error), good=False)


def _id(secret: str) -> str:
    return Key.from_value(secret).id


def _site() -> Check:
    folder = os.environ.get(SITE_VARIABLE)
    if not folder:
        return Check(SITE_VARIABLE, say("not set", "sin definir"))
    problems = check_site(folder)
    return Check(SITE_VARIABLE, "; ".join([folder, *problems]), good=not problems)


def _engine(preset: str, ner: str) -> Check:
    said = os.environ.get(NER_VARIABLE)
    because = f" ({NER_VARIABLE}={said})" if said else ""
    try:
        made = provenance(preset, ner)
    except (ConfigurationError, ImportError) as error:
        return Check("engine", str(error), good=False)
    return Check("engine", f"{made}{because}")


def self_test(preset: str = "mx", ner: str = "auto") -> Iterator[Check]:
    """Yield what became of the lines of the self-test.

    :param preset: Name of the rule set.
    :param ner: Model beside the rules.
    """
    lines = yaml.safe_load(_SELF_TEST.read_text(encoding="utf-8"))
    wrong = 0
    for number, (text, wanted) in enumerate(lines, start=1):
        try:
            done = analyze_and_anonymize(text, preset=preset, ner=ner).text
        except (PresidioMxError, ImportError) as error:
            yield Check("self-test", str(error), good=False)
            return
        if done != wanted:
            wrong += 1
            yield Check(f"self-test {number}", f"{done} <> {wanted}", good=False)
    right = f"{len(lines) - wrong}/{len(lines)}"
    yield Check("self-test", say(f"{right} lines", f"{right} líneas"), good=not wrong)
