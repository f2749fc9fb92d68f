"""Case tables that anybody can extend: tests/cases/<rule file>.yaml.

A case is a text in which square brackets mark every span of the file's entities; a text
without brackets must give none. Rules alone read it, or with ``model: true`` the
shipped model as well.
"""

from pathlib import Path

import pytest
import yaml
from finding import marked

from presidio_mx import analyze
from presidio_mx.find.examples import bracketed
from presidio_mx.find.ner.transformer import transformer_available
from presidio_mx.find.preset import load_preset

CASES = Path(__file__).parent / "cases"


def _tables():
    for file in load_preset("mx").files:
        path = CASES / f"{file.path.stem}.yaml"
        if path.is_file():
            cases = yaml.safe_load(path.read_text(encoding="utf-8"))
            for number, case in enumerate(cases, start=1):
                marks, model = (), bool(case.get("model"))
                if case.get("known_failure"):
                    marks = pytest.mark.xfail(reason=case["known_failure"], strict=True)
                elif model and not transformer_available():
                    marks = pytest.mark.skip(reason="needs the extra transformer")
                name = f"{path.stem}-{number}"
                yield pytest.param(file, case["text"], model, id=name, marks=marks)


@pytest.mark.parametrize(("file", "example", "model"), list(_tables()))
def test_case(file, example, model):
    text, wanted = bracketed(example)
    if model:
        results = analyze(text, ner="transformer")
        found = [(r.start, r.end) for r in results if r.entity_type in file.entities]
    else:
        found = [(f.start, f.end) for f in marked(text) if f.entity in file.entities]
    assert [text[s:e] for s, e in sorted(found)] == [text[s:e] for s, e in wanted]
    assert sorted(found) == wanted


def test_every_rule_file_has_a_case_table():
    missing = [
        file.path.name
        for file in load_preset("mx").files
        if not (CASES / f"{file.path.stem}.yaml").is_file()
    ]
    assert missing == []
