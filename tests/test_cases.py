"""Case tables that anybody can extend: tests/cases/<rule file>.yaml.

A case is a text in which square brackets mark every span of the file's entities; a text
without brackets must give none.
"""

from pathlib import Path

import pytest
import yaml
from finding import marked

from presidio_mx.find.examples import bracketed
from presidio_mx.find.preset import load_preset

CASES = Path(__file__).parent / "cases"


def _tables():
    for file in load_preset("mx").files:
        path = CASES / f"{file.path.stem}.yaml"
        if path.is_file():
            cases = yaml.safe_load(path.read_text(encoding="utf-8"))
            for number, case in enumerate(cases, start=1):
                marks = ()
                if case.get("known_failure"):
                    marks = pytest.mark.xfail(reason=case["known_failure"], strict=True)
                name = f"{path.stem}-{number}"
                yield pytest.param(file, case["text"], id=name, marks=marks)


@pytest.mark.parametrize(("file", "example"), list(_tables()))
def test_case(file, example):
    text, wanted = bracketed(example)
    entities = file.entities
    found = [f for f in marked(text) if f.entity in entities]
    assert [text[f.start : f.end] for f in found] == [text[s:e] for s, e in wanted]
    assert [(f.start, f.end) for f in found] == wanted


def test_every_rule_file_has_a_case_table():
    missing = [
        file.path.name
        for file in load_preset("mx").files
        if not (CASES / f"{file.path.stem}.yaml").is_file()
    ]
    assert missing == []
