"""Every rule carries examples; each is checked with its rule alone."""

import re

import pytest

from presidio_mx.analyzer.examples import bracketed, examples_of
from presidio_mx.analyzer.preset import PRESETS, load_preset

CASES = [
    pytest.param(preset, *example, id=f"{preset}-{example[0]}-{number}")
    for preset in PRESETS
    for number, example in enumerate(examples_of(load_preset(preset)))
]


@pytest.mark.parametrize(("preset", "label", "example", "wanted"), CASES)
def test_rule_does_what_its_example_says(preset, label, example, wanted):
    text, spans = bracketed(example)
    found = load_preset(preset).rule_findings(text, label)
    marked = [text[f.start : f.end] for f in found]
    if wanted:
        assert [text[s:e] for s, e in spans] == marked
    else:
        assert marked == []


def test_every_rule_has_an_example_that_matches():
    for preset in PRESETS:
        for file in load_preset(preset).files:
            for rule in file.rules:
                assert rule.match, f"{rule.file}: {rule.name} has no example"
                for example in rule.match:
                    assert re.search(r"\[.+?\]", example, re.S), rule.name
