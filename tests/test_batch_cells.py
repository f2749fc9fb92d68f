"""Columns beside the notes that must not undo what happened to the notes."""

from datetime import date

import pytest

from presidio_mx.batch import deidentify
from presidio_mx.errors import ConfigurationError
from presidio_mx.spanish.dates import read_date
from presidio_mx.work.batch.columns import Columns, known_kinds

KEY = "a key for tests only"
NOTE = "Sra. Guadalupe Xoconox Ruiz, 46 años, exp. 2020-5512. Acude el 12/03/2020."


def rows(polars, **how):
    frame = polars.DataFrame(
        {
            "curp": ["A", "A", "B"],
            "fecha": ["2020-03-12", "2020-04-12", "2020-03-12"],
            "edad": ["46", "46", "90"],
            "folio": ["2020-5512", "x", "y"],
            "nombre": ["Guadalupe Xoconox Ruiz"] * 3,
            "nota": [NOTE, "Cita el 12/04/2020.", NOTE],
        }
    )
    how = {"operators": "surrogate", "key": KEY, "ner": "none", **how}
    known = {"patient": "nombre", "age": "edad", "code": "folio"}
    done = deidentify(frame, text="nota", id="curp", shift="fecha", known=known, **how)
    return done.data.to_dict(as_series=False)


def test_dates_beside_the_notes_move_with_them():
    made = rows(pytest.importorskip("polars"))
    days = [date.fromisoformat(day) for day in made["fecha"]]
    assert (days[1] - days[0]).days == 31 and days[0] != date(2020, 3, 12)
    assert days[2] != days[0]
    for day, note in zip(days, made["nota"], strict=True):
        assert f"{day:%d/%m/%Y}" in note
    assert "nombre" not in made and "curp" not in made


def test_names_ages_and_codes_say_what_the_notes_say():
    polars = pytest.importorskip("polars")
    made = rows(polars, known_as="replace")
    assert made["nombre"][0] in made["nota"][0]
    assert made["folio"][0] in made["nota"][0] and made["folio"][0] != "2020-5512"
    bands = rows(polars, operators="research")
    assert bands["edad"] == ["45-49", "45-49", "90 y más"]
    tags = rows(polars, operators="tag")
    assert tags["fecha"] == ["{FECHA}"] * 3
    assert read_date(tags["fecha"][0], 2000) is None


def test_a_column_is_declared_once():
    with pytest.raises(ConfigurationError, match="twice"):
        known_kinds({"fecha": "patient"}, ["fecha"])
    columns = Columns(text=("nota",), known=known_kinds({"n": "patient"}, ["fecha"]))
    assert columns.output(("n", "fecha", "nota")) == ("fecha", "nota")
