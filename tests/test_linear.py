"""Reading time grows in step with the length of a note, whatever word it repeats.

Counts the lines of Python that run instead of seconds, which depend on the machine. The
whole sweep, with seconds, is benchmarks/linear.py.
"""

import importlib.util
import random
import sys
from pathlib import Path

import pytest

from presidio_mx.analyzer.preset import load_preset
from presidio_mx.declarations import PRESETS

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
        preset.find(text)
    finally:
        sys.settrace(before)
    return count


def check(name, unit, size=1):
    preset = load_preset(name)
    # What is read for the first time is looked up and kept: the longer text, too.
    preset.find(linear.repeated(unit, 2 * size))
    short = lines_run(preset, linear.repeated(unit, size))
    long = lines_run(preset, linear.repeated(unit, 2 * size))
    assert long <= MOST_GROWTH * short
    assert long <= MOST_LINES * 2 * size * linear.KB


@pytest.mark.parametrize("unit", ONCE_SLOW)
def test_what_once_was_slow(unit):
    check("mx", unit, size=3)


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

    def find(self, text):
        for _ in range(len(text) // 20):
            for _ in range(len(text) // 20):
                pass
