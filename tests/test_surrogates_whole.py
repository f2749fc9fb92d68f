"""Surrogates of values together with what stands beside them, by a table."""

import re
from pathlib import Path

import pytest
import yaml

from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.places import state_in
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.writing import strip_accents
from presidio_mx.text.spans import Span

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "surrogates" / "whole.yaml").read_text("utf-8")
)
KEYS = [f"key number {number} for these tests".encode() for number in range(6)]
_MARK = re.compile(r"\[([A-Z_]+)(?: (\w+))?:([^\]]+)\]")


def marked(text):
    """Return a text without its marks, and the spans they say."""
    plain, spans, at = "", [], 0
    for mark in _MARK.finditer(text):
        plain += text[at : mark.start()]
        spans.append(Span(len(plain), len(plain) + len(mark[3]), mark[1], mark[2]))
        plain, at = plain + mark[3], mark.end()
    return plain + text[at:], spans


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
@pytest.mark.parametrize("key", KEYS)
def test_the_surrogate_fits(case, key):
    text, spans = marked(case["text"])
    new = anonymize(text, spans, "surrogate", key=key).text
    assert re.fullmatch(case["matches"], strip_accents_of_names(new)), new
    for span in spans:
        assert text[span.start : span.end] not in new


def strip_accents_of_names(text):
    """Leave out accents, as codes and user names do, but those of the table's words."""
    kept = {"Céd.": "Céd.", "Corporación": "Corporación"}
    return " ".join(kept.get(word, strip_accents(word)) for word in text.split(" "))


@pytest.mark.parametrize("key", KEYS)
def test_an_area_code_of_no_list_goes_where_the_town_goes(key):
    text, spans = marked(
        "Vive en [LOCATION:Mezquitic], [LOCATION:Jalisco]. "
        "Tel. [PHONE_NUMBER:437 963 8821]"
    )
    new = anonymize(text, spans, "surrogate", key=key).text
    state, lada = re.fullmatch(r"Vive en .+?, (.+)\. Tel\. (\d{3}) .*", new).groups()
    assert atlas().ladas[lada][1] == state_in(state)
