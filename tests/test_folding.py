"""Folding never moves an offset."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.spanish.lexicon import load_lexicon
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.prepare import prepare


@given(st.text())
def test_folding_keeps_the_length(text):
    assert len(fold(text)) == len(text)


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Peña", "pena"),
        ("GÜERO", "guero"),
        ("1º y 2ª", "1o y 2a"),
        ("“José”", '"jose"'),
        ("ＡＢＣ", "abc"),
        ("ﬁ", "ﬁ"),
    ],
)
def test_fold(text, folded):
    assert fold(text) == folded


def test_fold_key_composes_and_joins_blanks():
    assert fold_key("  Jose\u0301   PE\u0301REZ ") == "jose perez"


@given(st.text())
def test_working_text_leads_back_to_the_original(text):
    source = prepare(text)
    for index, character in enumerate(source.text):
        start, end = source.back(index, index + 1)
        assert 0 <= start < end <= len(text)
        if source.offsets is None:
            assert text[start] == character


@pytest.mark.parametrize(
    ("text", "word", "original"),
    [
        ("vive en Zinapé-\ncuaro", "Zinapécuaro", "Zinapé-\ncuaro"),
        ("Jose\u0301", "José", "Jose\u0301"),
        ("Ma\u00adría", "María", "Ma\u00adría"),
    ],
)
def test_broken_words_are_joined(text, word, original):
    source = prepare(text)
    start = source.text.index(word)
    first, last = source.back(start, start + len(word))
    assert text[first:last] == original


def test_lexicon_knows_names_and_words():
    lexicon = load_lexicon()
    assert "guadalupe" in lexicon.given
    assert "hernandez" in lexicon.surname
    assert "refiere" in lexicon.ordinary
