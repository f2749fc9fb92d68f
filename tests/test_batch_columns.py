"""What the columns of a table are for."""

import pytest

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.batch.columns import Columns, parse_known

AVAILABLE = ("folio", "nombre", "telefono", "edad", "nota")


def test_known_as_in_the_manual():
    known = parse_known(["paciente=nombre", "tel=telefono"], AVAILABLE)
    assert known == {"nombre": "patient", "telefono": "phone"}


@pytest.mark.parametrize(
    ("option", "available", "known"),
    [
        ("patient=nombre", ["nombre"], {"nombre": "patient"}),
        ("PACIENTE = nombre", ["nombre"], {"nombre": "patient"}),
        ("dirección=dom", ["dom"], {"dom": "address"}),
        (
            "derechohabiente=paciente",
            ["derechohabiente"],
            {"derechohabiente": "patient"},
        ),
        ("nombre=telefono", ["nombre", "telefono"], {"telefono": "patient"}),
    ],
)
def test_known_either_way_round(option, available, known):
    assert parse_known([option], available) == known


@pytest.mark.parametrize("option", ["nombre", "=nombre", "zapato=nombre"])
def test_wrong_known(option):
    with pytest.raises(ConfigurationError, match="--known"):
        parse_known([option], AVAILABLE)


def test_two_columns_of_one_kind():
    known = parse_known(["familiar=madre", "familiar=padre"], ["madre", "padre"])
    assert known == {"madre": "relatives", "padre": "relatives"}


def test_a_column_nobody_spoke_of_stops():
    columns = Columns(text=("nota",), keep=("edad",))
    with pytest.raises(ConfigurationError) as error:
        columns.check(AVAILABLE, "in.csv")
    for name in ("folio", "nombre", "telefono"):
        assert name in str(error.value)
    assert "--keep" in str(error.value)


def test_nothing_is_shown_of_a_first_row_that_is_no_header():
    patient = ("Juan Pérez", "4433124567", "4433124567", "M")
    with pytest.raises(ConfigurationError) as error:
        Columns(text=("nota",), drop=("folio",)).check(patient, "in.csv")
    said = str(error.value)
    assert said.startswith("in.csv: none of its 4 columns has the name 'nota', 'folio'")
    assert "Juan" not in said and "443" not in said


def test_missing_and_double_columns():
    with pytest.raises(ConfigurationError, match="no column 'nota'"):
        Columns(text=("nota",), keep=("folio",)).check(("folio",), "in.csv")
    with pytest.raises(ConfigurationError, match="twice"):
        Columns(text=("nota",)).check(("nota", "nota"), "in.csv")


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"text": ("a",), "keep": ("a",)},
        {"text": ("a",), "known": {"b": "zapato"}},
        {"text": ("a",), "known_as": "eat"},
    ],
)
def test_contradictions(wrong):
    with pytest.raises(ConfigurationError):
        Columns(**wrong)


def test_output_columns():
    columns = Columns(
        text=("nota",),
        known={"nombre": "patient"},
        id="folio",
        keep=("edad",),
        drop=("telefono",),
    )
    assert columns.output(AVAILABLE) == ("edad", "nota")
    kept = Columns(
        text=("nota",),
        known={"nombre": "patient"},
        id="folio",
        keep=("edad",),
        drop=("telefono",),
        known_as="replace",
        id_as="keep",
    )
    assert kept.output(AVAILABLE) == ("folio", "nombre", "edad", "nota")
