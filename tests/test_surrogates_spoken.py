"""Surrogates of codes that were dictated or read by a scanner."""

import re

import pytest

from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.values import surrogate_value
from presidio_mx.spanish.numbers import read_number

CONTEXT = Context(Draw(b"k" * 32))


@pytest.mark.parametrize(
    "entity, text",
    [
        ("MEDICAL_RECORD", "siete siete tres cinco"),
        ("MX_NSS", "cuatro cuatro doce trece veintidós"),
        ("MX_PROFESSIONAL_LICENSE", "uno dos ocho nueve"),
    ],
)
def test_number_words_become_number_words(entity, text):
    new = surrogate_value(entity, text, CONTEXT)
    assert new != text
    assert all(read_number(word) is not None for word in new.split())


def test_letters_of_a_dictated_code_become_letters():
    new = surrogate_value("MEDICAL_RECORD", "hache ele cero ocho guion dos", CONTEXT)
    assert new.split()[4] == "guion"
    assert not {"hache", "ele"} <= set(new.split())


@pytest.mark.parametrize(
    "entity, scanned, shape",
    [
        ("CREDIT_CARD", "4O00 5l51 8001 7719", r"\d{4} \d{4} \d{4} \d{4}"),
        ("MX_NSS", "O8 74 55 9O2l-3", r"\d\d \d\d \d\d \d{4}-\d"),
        ("DATE_TIME", "O5/O3/2O22", r"\d\d/\d\d/20\d\d"),
        ("MEDICAL_RECORD", "O4l-88/I9", r"\d{3}-\d\d/\d\d"),
    ],
)
def test_digits_of_a_scan_become_digits(entity, scanned, shape):
    assert re.fullmatch(shape, surrogate_value(entity, scanned, CONTEXT))


def test_a_scanned_code_and_a_clean_one_have_one_surrogate():
    scanned, clean = ("O4l-88", "041-88")
    assert surrogate_value("MEDICAL_RECORD", scanned, CONTEXT) == surrogate_value(
        "MEDICAL_RECORD", clean, CONTEXT
    )
