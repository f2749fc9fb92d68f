"""The gender of persons written for both, and by the operator of the profile."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.replacing import replace_found
from presidio_mx.spanish.gender import gendered, neutralised
from presidio_mx.text.spans import Span

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "gender.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("text", "neutral"), CASES)
def test_texts_are_written_for_both(text, neutral):
    assert neutralised(text) == neutral


def test_the_profile_replaces_names_and_gender():
    text = "La paciente Ana Ruiz, acompañada de su hija"
    start = text.index("Ana Ruiz")
    spans = [Span(start, start + len("Ana Ruiz"), "PERSON", "patient")]
    done = replace_found(text, spans, "neutral-gender")
    assert done.text == "El/la paciente {NOMBRE}, acompañado/a de su hijo/a"


WORDS = ["la", "paciente", "orientada", "su", "hija", "mujer", ",", "45 años", "ella"]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_pieces_are_apart_and_nothing_is_written_twice(text):
    pieces = list(gendered(text))
    assert all(a[1] <= b[0] for a, b in zip(pieces, pieces[1:], strict=False))
    once = neutralised(text)
    assert neutralised(once) == once
