"""The shape of the house: which part may import which, and how large a part grows."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_CLASS, LONGEST_MODULE = 300, 400
# One idea each that takes more lines: a module or class leaves these lists when it has
# become shorter, and none is added without a reason.
LONGER_MODULES = {
    "find/phrases/institution/phrase.py",
    "replace/codes.py",
    "replace/names.py",
    "replace/people.py",
    "replace/places.py",
    "spanish/dates.py",
    "spanish/institutions.py",
    "spanish/names.py",
    "spanish/places.py",
}
LONGER_CLASSES = {"AddressPhrase", "InstitutionPhrase"}


def test_imports_run_downwards_only():
    importlinter = pytest.importorskip("importlinter.application.use_cases")
    from importlinter.cli import lint_imports

    assert importlinter
    failed = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert not failed, "run lint-imports to see what broke"


def test_no_class_is_too_long():
    too_long = []
    for path in sorted((ROOT / "presidio_mx").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > LONGEST_CLASS and node.name not in LONGER_CLASSES:
                    too_long.append(f"{path.name}: {node.name} has {lines} lines")
    assert too_long == []


def test_no_module_is_too_long():
    package = ROOT / "presidio_mx"
    too_long = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if len(path.read_text("utf-8").splitlines()) > LONGEST_MODULE
    }
    assert too_long - LONGER_MODULES == set()


def test_importing_the_package_is_light():
    """No YAML, Presidio, spaCy or numpy before first use."""
    import subprocess

    code = (
        "import sys, presidio_mx; heavy = {'yaml', 'presidio_analyzer', 'spacy', "
        "'numpy', 'presidio_anonymizer'} & set(sys.modules); sys.exit(str(heavy) if "
        "heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
