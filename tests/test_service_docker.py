"""The container sample names only paths, variables and modules that exist."""

import importlib
import re
from pathlib import Path

import pytest
import yaml

from presidio_mx.analyzer.site import read_site
from presidio_mx.service.presidio_config import GUNICORN, config_files

DOCKER = Path(__file__).parents[1] / "samples" / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
OUT = re.search(r"presidio-config --out (\S+)", DOCKERFILE)[1]
# What Presidio's images read, and what presidio_mx reads.
STOCK = {"PORT", "WORKERS", "ANALYZER_CONF_FILE", "NLP_CONF_FILE"}
STOCK |= {"RECOGNIZER_REGISTRY_CONF_FILE", "GUNICORN_CMD_ARGS", "LOG_LEVEL"}
OURS = {"PRESIDIO_MX_SITE", "PRESIDIO_MX_KEY"}
SOURCES = "".join(
    path.read_text(encoding="utf-8")
    for path in (Path(__file__).parents[1] / "presidio_mx").rglob("*.py")
)


@pytest.fixture(params=COMPOSE["services"])
def service(request):
    return COMPOSE["services"][request.param]


def test_the_two_stock_images():
    images = {s["build"]["args"]["IMAGE"] for s in COMPOSE["services"].values()}
    assert {image.partition(":")[0] for image in images} == {
        "mcr.microsoft.com/presidio-analyzer",
        "mcr.microsoft.com/presidio-anonymizer",
    }
    assert "ARG IMAGE" in DOCKERFILE


def test_every_variable_is_read_by_somebody(service):
    names = set(service["environment"])
    assert names <= STOCK | OURS
    for name in names & OURS:
        assert f'"{name}"' in SOURCES
    assert service["environment"]["GUNICORN_CMD_ARGS"] == GUNICORN
    assert GUNICORN in DOCKERFILE


def test_the_hook_can_be_imported():
    importlib.import_module(GUNICORN.partition("python:")[2])


def test_configuration_files_are_those_the_build_writes(service):
    for name, value in service["environment"].items():
        if name.endswith("CONF_FILE"):
            assert Path(value).parent == Path(OUT)
            assert Path(value).name in config_files()


def test_mounts_exist_and_the_site_is_valid(service):
    for volume in service.get("volumes", []):
        source, target, mode = volume.split(":")
        assert mode == "ro"
        assert service["environment"]["PRESIDIO_MX_SITE"] == target
        assert read_site(DOCKER / source).places


def test_ports_are_those_of_the_server_and_local_only(service):
    port = service["environment"]["PORT"]
    for mapping in service["ports"]:
        host, _, inside = mapping.split(":")
        assert (host, inside) == ("127.0.0.1", port)
    assert f":{port}/health" in service["healthcheck"]["test"][-1]


def test_build_context_is_this_folder(service):
    assert (DOCKER / service["build"]["context"] / "Dockerfile").is_file()
    wheel = re.search(r"COPY (\S+)/presidio_mx-\*\.whl", DOCKERFILE)[1]
    assert f"--outdir samples/docker/{wheel}" in (DOCKER / "README.md").read_text()
