"""Checks of codes: they raise a score, they never reject."""

import pytest

from presidio_mx.find.grammar.checks import CHECKS


@pytest.mark.parametrize(
    ("check", "text", "right"),
    [
        ("phone", "443 312 4567", True),
        ("phone", "044 55 1234 5678", True),
        ("phone", "+52 1 443 312 4567", True),
        ("phone", "+1 (209) 555 8172", True),
        ("phone", "1234567890", False),
        ("phone", "no es", False),
        ("luhn", "4111 1111 1111 1111", True),
        ("luhn", "4111 1111 1111 1112", False),
        ("luhn", "", False),
        ("clabe", "032180000118359719", True),
        ("clabe", "032180000118359718", False),
        ("clabe", "0321", False),
        ("nss", "no", False),
        ("curp", "BOXW310820HNERXN09", True),
        ("curp", "BOXW310820HNERXN08", False),
        ("rfc", "GODE561231GR8", True),
        ("rfc", "GODE561231GR7", False),
    ],
)
def test_check(check, text, right):
    assert CHECKS[check](text) is right
