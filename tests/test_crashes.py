"""No input makes the analyzer fail, or breaks what benchmarks/fuzz.py names."""

import importlib.util
import random
import sys
from pathlib import Path

import pytest
import yaml

from presidio_mx.declarations import PRESETS

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "cases" / "crashes.yaml"


def _benchmark():
    path = ROOT / "benchmarks" / "fuzz.py"
    spec = importlib.util.spec_from_file_location("fuzz_benchmark", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fuzz = _benchmark()


@pytest.fixture(scope="module")
def inputs():
    return fuzz.Inputs(fuzz.Source.shipped())


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("text", yaml.safe_load(CASES.read_text(encoding="utf-8")))
def test_what_once_failed(text, preset):
    for number in range(len(fuzz.OPERATORS) * len(fuzz.AROUND)):
        fuzz.check(text, preset, number)


def test_prefixes_of_some_examples(inputs):
    for preset, text in random.Random(13).sample(inputs.source.examples, 12):
        for end in range(1, len(text) + 1):
            fuzz.check(text[:end], preset, end)


def test_random_inputs(inputs):
    first = inputs.source.edges()
    assert not list(fuzz.failures(inputs, range(first, first + 150)))


@pytest.mark.heavy
def test_prefixes_and_suffixes_of_all_examples(inputs):
    """Every fifteenth; benchmarks/fuzz.py tries them all."""
    assert not list(fuzz.failures(inputs, range(0, inputs.source.edges(), 15)))


def test_a_broken_invariant_is_told(monkeypatch, inputs):
    monkeypatch.setattr(fuzz, "spans_of", lambda results, before=0: [(0, 9, "PERSON")])
    assert [f["broken"] for f in fuzz.failures(inputs, range(1))] == ["offsets"]


def test_a_number_is_always_the_same_input(inputs):
    number = inputs.source.edges() + 5
    assert inputs[number] == fuzz.Inputs(inputs.source)[number]
