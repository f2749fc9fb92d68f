"""The line-up of ``benchmarks/systems.py``, as tests run it."""

import argparse
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from presidio_mx.text.spans import Note, Span

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
NOTES = [
    Note(
        f"{number}",
        "Paciente Rosa Paz, de 45 años, originaria de Zacapu.",
        (Span(9, 17, "PERSON", "patient"), Span(46, 52, "LOCATION")),
    )
    for number in range(2)
]


def benchmark(name: str) -> ModuleType:
    """Import a benchmark, which is no part of the package."""
    if str(BENCHMARKS) not in sys.path:
        sys.path.append(str(BENCHMARKS))
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def rows(form: str, **given: object) -> dict:
    """Return what builds each system of a form, by its name."""
    nothing = {"models": Path("none"), "train_notes": [], "train_brat": []}
    nothing |= {"gliner": None, "flair": None, "hf": None}
    options = argparse.Namespace(**(nothing | given))
    return dict(benchmark("systems").systems(form, options))


def run_row(name: str, **given: object):
    """Run one system over two notes and return what it did."""
    systems = benchmark("systems")
    done = systems.run(name, rows("notes", **given)[name](), NOTES, "native")
    table = systems.line_up("test", NOTES, [done], "native")
    assert table.row_count == 1
    assert systems.about([name]).row_count == 1
    return done
