"""Reading time grows in step with the length of a note, whatever word it repeats.

Counts the lines of Python that run instead of seconds, which depend on the machine. The
whole sweep, with seconds, is benchmarks/linear.py.
"""

import importlib.util
import random
import sys
from pathlib import Path

import pytest

from presidio_mx.declarations import PRESETS
from presidio_mx.find.finding import Finding
from presidio_mx.find.phrases.found import FoundBefore
from presidio_mx.find.preset import load_preset

ROOT = Path(__file__).parents[1]
MOST_GROWTH = 2.3
# Lines of Python for a character; "seccion " took 1,000.
MOST_LINES = 450
# What once took time that grew with the square of the length, or far too much of it.
ONCE_SLOW = (
    "seccion ",
    "calle ",
    "p. ",
    "c. ",
    "l.t.s. ",
    "mc gill ",
    "www.",
    "abuel ",
    "madrs ",
)
# Lists of findings that were gone through once more at every offset.
ONCE_SLOW_IN_SPAIN = (
    "(Lumen®, Alcon, Santa Clara, USA) ",
    "implante Osteon® (Dentimplant, Vigo, España) ",
)


def _benchmark():
    path = ROOT / "benchmarks" / "linear.py"
    spec = importlib.util.spec_from_file_location("linear_benchmark", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


linear = _benchmark()


def lines_run(preset, text):
    """Return how many lines of Python one reading runs."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        preset.find(preset.read(text))
    finally:
        sys.settrace(before)
    return count


def check(name, unit, size=1):
    preset = load_preset(name)
    # What is read for the first time is looked up and kept: the longer text, too.
    preset.find(preset.read(linear.repeated(unit, 2 * size)))
    short = lines_run(preset, linear.repeated(unit, size))
    long = lines_run(preset, linear.repeated(unit, 2 * size))
    assert long <= MOST_GROWTH * short
    assert long <= MOST_LINES * 2 * size * linear.KB


@pytest.mark.parametrize("unit", ONCE_SLOW)
def test_what_once_was_slow(unit):
    check("mx", unit, size=3)


@pytest.mark.parametrize("unit", ONCE_SLOW_IN_SPAIN)
def test_what_once_was_slow_in_notes_of_spain(unit):
    check("es-ES", unit, size=8)


def test_findings_are_not_compared_at_every_offset():
    """Lists are compared in C, where no line of Python tells it."""

    class Findings(list):
        compared = 0

        def __ne__(self, other):
            self.compared += 1
            return list.__ne__(self, other)

    before = FoundBefore(load_preset("es-ES").read("nota"))
    found = Findings([Finding(0, 1, "PERSON", 0.5, "x")])
    for _ in range(100):
        assert before.once(len, found) == 1
    assert found.compared <= 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_sample_of_all_words(name):
    dice = random.Random(13)
    for unit in dice.sample(list(linear.units(load_preset(name), 5000, dice)), 12):
        check(name, unit)


@pytest.mark.heavy
@pytest.mark.parametrize("name", PRESETS)
def test_a_larger_sample(name):
    dice = random.Random(14)
    for unit in dice.sample(list(linear.units(load_preset(name), 5000, dice)), 40):
        check(name, unit)


def test_a_square_is_told(monkeypatch):
    monkeypatch.setitem(globals(), "load_preset", lambda name: Quadratic())
    with pytest.raises(AssertionError):
        check("mx", "seccion ")


class Quadratic:
    """Reads every character once for every other."""

    def read(self, text):
        return text

    def find(self, text):
        for _ in range(len(text) // 20):
            for _ in range(len(text) // 20):
                pass
