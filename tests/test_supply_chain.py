"""What a release says of its parts agrees with what is there."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements-dev.lock").read_text("utf-8")


def locked():
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+) \\$", LOCK, re.MULTILINE))


def test_the_lock_has_all_that_is_asked_for_and_agrees_with_it():
    versions = locked()
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *extras["dev"], *extras["batch"]]
    for wanted in map(Requirement, asked):
        if wanted.name != PROJECT["name"]:
            number = versions[canonicalize_name(wanted.name)]
            assert wanted.specifier.contains(number, prereleases=True), wanted


def test_every_version_has_hashes_of_its_files():
    pinned, *rest = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)
    assert pinned.startswith("#")
    assert len(rest) == len(locked())
    for one in rest:
        assert re.fullmatch(r"\S+==\S+( \\\n    --hash=sha256:[0-9a-f]{64})+\n", one)


def test_what_breaks_nothing_in_a_major_version_is_bound_to_it():
    bounds = {r.name: r.specifier for r in map(Requirement, PROJECT["dependencies"])}
    for name in ("spacy", "pyyaml", "numpy", "jinja2", "rapidfuzz", "ftfy"):
        major = int(locked()[name].split(".")[0])
        assert bounds[name].contains(locked()[name])
        assert not bounds[name].contains(f"{major + 1}.0")


def test_the_lock_names_its_command_and_no_place():
    assert "python .ci/lock > requirements-dev.lock" in LOCK
    assert not re.search(r"https?:|file:|index-url|/home|/work", LOCK)


def test_presidio_is_bound_to_tested_versions():
    bounds = {r.name: r.specifier for r in map(Requirement, PROJECT["dependencies"])}
    for name in ("presidio-analyzer", "presidio-anonymizer"):
        assert bounds[name].contains("2.2.360") and bounds[name].contains("2.2.366")
        assert not bounds[name].contains("2.2.367")
        assert not bounds[name].contains("2.2.359")


def test_the_policy_says_how_to_report_and_how_to_list_the_parts():
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    for part in ("Report", "What is protected", "Threat model", ".ci/sbom"):
        assert part in policy
