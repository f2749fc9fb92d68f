"""The commands of the service package: errors are one sentence, extras are named."""

import subprocess
import sys

import pytest
from child import child_environment

pytestmark = pytest.mark.heavy
NOTE = "Paciente Ana Soto. Tel. 443 312 4567"


def run(*arguments, code="from presidio_mx.work.cli.program import main; main()"):
    env = child_environment()
    env |= {
        "PRESIDIO_MX_LANG": "en",
        "PRESIDIO_MX_KEY": "7d3a9c51e8f04b62a1c5d97e3f286b04",
    }
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=env,
        timeout=120,
        check=False,
    )


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text(NOTE, encoding="utf-8")
    return folder


def test_presidio_config_writes_and_does_not_overwrite(tmp_path):
    first = run("presidio-config", "--out", tmp_path / "conf")
    assert first.returncode == 0
    assert (tmp_path / "conf" / "analyzer.yaml").is_file()
    second = run("presidio-config", "--out", tmp_path / "conf")
    assert second.returncode == 2
    assert "--force" in second.stderr
    assert run("presidio-config", "--out", tmp_path / "conf", "--force").returncode == 0


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["{notes}/none", "--out", "{tmp}/out"], 3, "none"),
        (["{tmp}/empty", "--out", "{tmp}/out"], 3, ".txt"),
        (["{notes}", "--out", "{notes}"], 3, "--out"),
        (["{notes}", "--out", "{tmp}/out", "--operators", "nope"], 2, "nope"),
        (["{notes}", "--out", "{tmp}/out", "--reviewer", "../x"], 2, "reviewer"),
        (["{picture}", "--out", "{tmp}/out"], 3, "picture.txt"),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(notes, tmp_path, options, code, said):
    pytest.importorskip("fastapi")
    (tmp_path / "empty").mkdir()
    (tmp_path / "picture").mkdir()
    (tmp_path / "picture" / "picture.txt").write_bytes(b"\xff\xd8\xff\xe0")
    places = {"notes": notes, "tmp": tmp_path, "picture": tmp_path / "picture"}
    filled = [option.format(**places) for option in options]
    done = run("review", *filled, "--no-browser")
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "Ana" not in done.stderr


@pytest.mark.parametrize(
    ("missing", "command"),
    [("fastapi", "review"), ("fastapi", "serve"), ("uvicorn", "serve")],
)
def test_a_missing_extra_is_named(notes, tmp_path, missing, command):
    code = f"import sys; sys.modules['{missing}'] = None\n"
    code += "from presidio_mx.work.cli.program import main; main()"
    options = [notes, "--out", tmp_path / "out"] if command == "review" else []
    done = run(command, *options, "--port", 0, code=code)
    assert done.returncode == 2
    assert "presidio-mx[server]" in done.stderr
    assert "Traceback" not in done.stderr
