"""What is left of a model's proposals, case by case (tests/cases/proposals.yaml)."""

import re
from pathlib import Path

import pytest
import yaml
from presidio_mx.find.vote.proposals import mended

from presidio_mx.find.finding import FOREIGN_RULE, Finding
from presidio_mx.find.preset import load_preset

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "proposals.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["proposed"][:40])
def test_case(case):
    text = re.sub(r"[\[\]]", "", case["left"])
    mark = case.get("mark") or re.search(r"\{(.*)\}", case["proposed"], re.S)[1]
    start = text.index(mark)
    score = case.get("score", 0.8)
    proposal = Finding(
        start, start + len(mark), case["entity"], score, FOREIGN_RULE, source="model"
    )
    preset = load_preset("mx")
    document = preset.prepare(text)
    there, back = document.source.there, document.source.back
    moved = proposal._replace(start=there(proposal.start), end=there(proposal.end))
    left = text
    for finding in reversed(mended(document, preset.lexicon, [moved])):
        start, end = back(finding.start, finding.end)
        if case["entity"] == finding.entity:
            left = f"{left[:start]}[{left[start:end]}]{left[end:]}"
    assert left == case["left"]
