"""The container samples: what they name exists, and the image's layout answers.

There is no Docker here. What Presidio's image holds is rebuilt in a folder: its source
in /app, its settings, its command; then what our Dockerfile and compose file set.
"""

import importlib
import os
import re
import shlex
import shutil
from pathlib import Path

import presidio_analyzer
import pytest
import typer
import yaml
from served import HERE, Server

from presidio_mx import analyze
from presidio_mx.find.ner.transformer import transformer_available
from presidio_mx.find.site import read_site
from presidio_mx.work.cli.program import app
from presidio_mx.work.service.presidio_config import (
    GUNICORN,
    Wanted,
    config_files,
    write_config,
)

DOCKER = Path(__file__).parents[1] / "samples" / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
STOCK_SERVICES = ("analyzer", "anonymizer")
OUT = "/etc/presidio-mx"
# What the Dockerfile of Presidio's analyzer sets (2.2.362 to 2.2.366).
IMAGE = {
    "ANALYZER_CONF_FILE": "presidio_analyzer/conf/default_analyzer.yaml",
    "RECOGNIZER_REGISTRY_CONF_FILE": "presidio_analyzer/conf/default_recognizers.yaml",
    "NLP_CONF_FILE": "presidio_analyzer/conf/default.yaml",
    "PORT": "3000",
    "WORKERS": "1",
}
# What is read by Presidio's images, and by presidio_mx.
STOCK = {*IMAGE, "GUNICORN_CMD_ARGS", "LOG_LEVEL"}
OURS = {"PRESIDIO_MX_SITE", "PRESIDIO_MX_KEY", "PRESIDIO_MX_TOKEN"}
STAND_IN = f"""\
import sys
sys.path.append({str(HERE)!r})
import presidio_analyzer
from stock_servers import create_analyzer_app as create_app
print("running", presidio_analyzer.__file__, file=sys.stderr, flush=True)
"""
SOURCES = "".join(
    path.read_text(encoding="utf-8")
    for path in (Path(__file__).parents[1] / "presidio_mx").rglob("*.py")
)


def dockerfile(service):
    build = COMPOSE["services"][service]["build"]
    return (DOCKER / build.get("dockerfile", "Dockerfile")).read_text(encoding="utf-8")


def environment_of(text):
    """Return what the ENV instructions of a Dockerfile set."""
    joined = text.replace("\\\n", " ")
    lines = re.findall(r"^ENV (.+)$", joined, re.MULTILINE)
    return dict(word.split("=", 1) for line in lines for word in shlex.split(line))


@pytest.fixture(params=COMPOSE["services"])
def service(request):
    return COMPOSE["services"][request.param]


@pytest.mark.parametrize("name", STOCK_SERVICES)
def test_the_stock_images_are_pinned_and_get_the_same_version(name):
    text, build = dockerfile(name), COMPOSE["services"][name]["build"]
    pinned = build["args"]["PRESIDIO"]
    assert build["args"]["SERVICE"] == name
    assert "FROM ghcr.io/data-privacy-stack/presidio-${SERVICE}:${PRESIDIO}" in text
    assert re.fullmatch(r"2\.2\.\d+", pinned) and f"ARG PRESIDIO={pinned}" in text
    for package in ("analyzer", "anonymizer"):
        assert f'"presidio-{package}==${{PRESIDIO}}"' in text
    project = (DOCKER.parents[1] / "pyproject.toml").read_text("utf-8")
    assert f"<={pinned}" in project
    assert "[transformer]" in text and "USER 1001" in text


def test_every_variable_is_read_by_somebody(service):
    names = set(service["environment"])
    assert names <= STOCK | OURS
    for name in names & OURS:
        assert f'"{name}"' in SOURCES


def test_the_hook_can_be_imported():
    assert COMPOSE["services"]["anonymizer"]["environment"]["GUNICORN_CMD_ARGS"] == (
        GUNICORN
    )
    importlib.import_module(GUNICORN.partition("python:")[2])


def test_configuration_files_are_those_the_build_writes():
    text = dockerfile("analyzer")
    assert f"presidio-config --out {OUT}\n" in text
    named = environment_of(text)
    # Whatever the image names is named anew.
    assert {name for name in IMAGE if name.endswith("FILE")} == set(named)
    for value in named.values():
        assert Path(value).parent == Path(OUT)
        assert Path(value).name in config_files(Wanted(ner="none"))


def test_mounts_exist_and_the_site_is_valid(service):
    for volume in service.get("volumes", []):
        source, target, mode = volume.split(":")
        assert mode == "ro"
        assert service["environment"]["PRESIDIO_MX_SITE"] == target
        assert read_site(DOCKER / source).places


def test_ports_are_those_of_the_server_and_local_only(service):
    port = service["environment"].get("PORT", "8765")
    for mapping in service["ports"]:
        host, _, inside = mapping.split(":")
        assert (host, inside) == ("127.0.0.1", port)


def test_build_context_is_this_folder(service):
    build = service["build"]
    text = DOCKER / build["context"] / build.get("dockerfile", "Dockerfile")
    wheel = re.search(r"COPY (\S+)/presidio_mx-\*\.whl", text.read_text("utf-8"))[1]
    assert f"--outdir samples/docker/{wheel}" in (DOCKER / "README.md").read_text()


def test_our_own_server_starts_as_its_dockerfile_says():
    text = dockerfile("server")
    program, command, *options = yaml.safe_load(
        re.search(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)[1]
    )
    assert program == "presidio-mx"
    known = typer.main.get_command(app).commands[command].params
    names = {name for parameter in known for name in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= names
    health = re.search(r"^    CMD (\[.+\])$", text, re.MULTILINE)[1]
    compile(yaml.safe_load(health)[2], "healthcheck", "exec")
    port = options[options.index("--port") + 1]
    assert f"EXPOSE {port}" in text and f":{port}/health" in health
    assert text.index("USER 1001") < text.index("ENTRYPOINT")


@pytest.mark.heavy
@pytest.mark.skipif(not transformer_available(), reason="needs onnxruntime")
def test_the_image_s_layout_starts_and_finds_what_python_finds(tmp_path):
    pytest.importorskip("gunicorn")
    folder, conf = tmp_path / "app", tmp_path / "conf"
    write_config(conf, Wanted(ner="transformer"))
    shutil.copytree(
        Path(presidio_analyzer.__file__).parent, folder / "presidio_analyzer"
    )
    # Presidio's own application where its source is at hand, else a stand-in.
    upstream = Path(os.environ.get("PRESIDIO_SOURCE", "/nowhere")) / "presidio-analyzer"
    if (upstream / "app.py").is_file():
        for name in ("app.py", "logging.ini"):
            shutil.copy(upstream / name, folder)
    else:
        (folder / "app.py").write_text(STAND_IN)
    settings = IMAGE | environment_of(dockerfile("analyzer"))
    settings |= COMPOSE["services"]["analyzer"]["environment"]
    settings |= {"PRESIDIO_MX_SITE": str(DOCKER / "site")}
    settings = {name: v.replace(OUT, str(conf)) for name, v in settings.items()}
    server = Server("app:create_app()", settings, cwd=folder)
    try:
        _, names = server.get("/recognizers?language=es")
        assert "MxTransformerRecognizer" in names
        text = "Acude Jesús Mendoza Mares, vecino de Morelia. Tel. 443 312 4567"
        status, found = server.post("/analyze", {"text": text, "language": "es"})
    finally:
        server.stop()
    assert status == 200
    wanted = analyze(text, ner="transformer", site=DOCKER / "site")
    assert sorted((r["start"], r["end"], r["entity_type"]) for r in found) == sorted(
        (r.start, r.end, r.entity_type) for r in wanted
    )
    if not (upstream / "app.py").is_file():
        assert f"running {folder}" in "".join(server.log)
