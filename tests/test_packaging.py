"""The built wheel works outside the checkout and holds its data."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    assert list(out.glob("*.tar.gz"))
    return next(out.glob("*.whl"))


def test_an_environment_in_the_checkout_stays_out_of_the_sdist(tmp_path):
    """Under any name: what goes in is listed."""
    sdist = pytest.importorskip("hatchling.builders.sdist")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for name in (
        "presidio_mx/__init__.py",
        "env/lib/x.py",
        "venv3/x.py",
        "notas/a.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    files = sdist.SdistBuilder(str(tmp_path)).recurse_included_files()
    taken = {Path(file.path).relative_to(tmp_path).parts[0] for file in files}
    assert taken == {"README.md", "LICENSE", "presidio_mx"}


@pytest.mark.heavy
def test_wheel_holds_the_data_folders(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "presidio_mx/py.typed" in names
    for folder in ("recognizers", "operators", "gazetteers"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".yaml", ".tsv"):
                shipped = f"presidio_mx/data/{path.relative_to(ROOT).as_posix()}"
                assert shipped in names
    assert not any(name.startswith(("tests/", "samples/")) for name in names)


@pytest.mark.heavy
def test_wheel_works_in_a_fresh_environment(wheel, tmp_path):
    # The dependencies of this environment serve; the package is the wheel's.
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", str(wheel)],
        check=True,
        capture_output=True,
    )
    site_packages = next(
        Path(entry) for entry in sys.path if entry.endswith("site-packages")
    )
    target = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    (target / "dependencies.pth").write_text(str(site_packages))
    alone = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    code = (
        "import presidio_mx, presidio_mx.resources as r; "
        "print(r.folder('recognizers')); "
        f"print(presidio_mx.analyze_and_anonymize({NOTE!r}).text)"
    )
    done = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        env=alone,
        text=True,
        check=True,
    )
    where, text = done.stdout.splitlines()
    assert where.startswith(str(target))
    assert text == "Paciente hipertenso {NOMBRE} es remiso. Tel. {TEL}"
    program = tmp_path / "env" / "bin" / "presidio-mx"
    done = subprocess.run(
        [program, "anonymize"],
        input=NOTE.encode(),
        capture_output=True,
        cwd=tmp_path,
        env=alone,
        check=False,
    )
    assert done.stdout.decode() == text
