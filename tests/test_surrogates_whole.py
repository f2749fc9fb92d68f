"""Surrogates of values together with what stands beside them, by a table."""

import re
from pathlib import Path

import pytest
import yaml

from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.places import state_in
from presidio_mx.research.corpora.inline import parse
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.writing import strip_accents

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "surrogates" / "whole.yaml").read_text("utf-8")
)
KEYS = [f"key number {number} for these tests".encode() for number in range(6)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
@pytest.mark.parametrize("key", KEYS)
def test_the_surrogate_fits(case, key):
    note, _ = parse("note", case["text"])
    new = anonymize(note.text, note.spans, "surrogate", key=key).text
    assert re.fullmatch(case["matches"], strip_accents(new)), new
    for span in note.spans:
        assert note.covered(span) not in new


@pytest.mark.parametrize("key", KEYS)
def test_an_area_code_of_no_list_goes_where_the_town_goes(key):
    note, _ = parse(
        "note",
        "Vive en {{LOCATION|Mezquitic}}, {{LOCATION|Jalisco}}. "
        "Tel. {{PHONE_NUMBER|437 963 8821}}",
    )
    new = anonymize(note.text, note.spans, "surrogate", key=key).text
    state, lada = re.fullmatch(r"Vive en .+?, (.+)\. Tel\. (\d{3}) .*", new).groups()
    assert atlas().ladas[lada][1] == state_in(state)
