"""An entry written once matches its usual spellings."""

import re

import pytest

from presidio_mx.find.grammar.patterns import alternation
from presidio_mx.spanish.variants import variants
from presidio_mx.text.folding import fold


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("Dr. Esquerdo 46", "DOCTOR ESQUERDO, No. 46"),
        ("Dr. Esquerdo 46", "dr esquerdo #46"),
        ("Calle Dr. Esquerdo 46", "Dr. Esquerdo 46"),
        ("Col. Lázaro Cárdenas", "colonia LAZARO CARDENAS"),
        ("Col. Lázaro Cárdenas", "Lázaro Cárdenas"),
        ("HGZ/MF No. 1", "HGZ-MF 1"),
        ("HGZ/MF No. 1", "hgz mf num. 1"),
        ("Ma. Guadalupe Hernández", "María Gpe. Hdz."),
        ("Francisco de la Rosa", "Fco. de la Rosa"),
        ("Av. Gral. Anaya", "avenida general anaya"),
        ("Sta. María del Río", "Santa Maria del Rio"),
        ("Rincón de las Ánimas", "RINCON LAS ANIMAS"),
    ],
)
def test_variant(entry, text):
    pattern = alternation(variants(entry), loose=True)
    assert re.fullmatch(pattern + r"\.?", fold(text))


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("Col. Lázaro Cárdenas", "lázaro"),
        ("HGZ No. 1", "hgz 12"),
        ("Dr. Esquerdo 46", "esquerdo 47"),
    ],
)
def test_no_variant(entry, text):
    pattern = alternation(variants(entry), loose=True)
    assert not re.fullmatch(pattern + r"\.?", fold(text))


def test_variants_are_few():
    assert len(variants("Calle del Dr. Gral. Lic. Santa María de la Luz No. 4")) <= 96
