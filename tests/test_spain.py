"""The es-ES preset: tables of cases, phrases, recognizers in a stock engine, speed."""

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.find.examples import bracketed
from presidio_mx.find.phrases.spain.table import WordTable
from presidio_mx.find.preset import load_preset
from presidio_mx.find.recognizer import (
    MxSpainNameRecognizer,
    MxSpainPlaceRecognizer,
    recognizer_classes,
)
from presidio_mx.find.session import Session
from presidio_mx.schemes import SPAIN_PREFIX

CASES = Path(__file__).parent / "cases" / "es-ES"
FOOT = (
    "Remitido por: Dra. Ana Gil Ruiz Servicio de Urología Hospital Universitario "
    "La Paz Paseo de los Tilos, 7 28046 Madrid (España) Tel.: 912 345 678 "
    "Fax: 912 345 679 E-mail: a.gil@hospital.example.es"
)


def _find(text):
    return Session(text).rules(load_preset("es-ES"))


def _tables():
    for file in load_preset("es-ES").files:
        path = CASES / f"{file.path.stem}.yaml"
        cases = yaml.safe_load(path.read_text(encoding="utf-8"))
        for number, case in enumerate(cases, start=1):
            reason = case.get("known_failure")
            marks = pytest.mark.xfail(reason=reason, strict=True) if reason else ()
            name = f"{path.stem}-{number}"
            yield pytest.param(file, case["text"], id=name, marks=marks)


@pytest.mark.parametrize(("file", "example"), list(_tables()))
def test_case(file, example):
    text, wanted = bracketed(example)
    entities = file.entities
    found = [f for f in _find(text) if f.entity in entities]
    assert [text[f.start : f.end] for f in found] == [text[s:e] for s, e in wanted]


def test_the_parts_of_a_foot_that_run_into_one_another():
    found = [
        (f.entity.removeprefix(SPAIN_PREFIX), FOOT[f.start : f.end])
        for f in _find(FOOT)
    ]
    assert found == [
        ("NOMBRE_PERSONAL_SANITARIO", "Ana Gil Ruiz"),
        ("HOSPITAL", "Hospital Universitario La Paz"),
        ("CALLE", "Paseo de los Tilos, 7"),
        ("TERRITORIO", "28046"),
        ("TERRITORIO", "Madrid"),
        ("PAIS", "España"),
        ("NUMERO_TELEFONO", "912 345 678"),
        ("NUMERO_FAX", "912 345 679"),
        ("CORREO_ELECTRONICO", "a.gil@hospital.example.es"),
    ]


def test_every_entity_has_one_recognizer():
    entities = [e for cls in recognizer_classes("es-ES") for e in cls.ENTITIES]
    assert len(entities) == len(set(entities))
    assert all(entity.startswith(SPAIN_PREFIX) for entity in entities)
    reported = {r.entity for f in load_preset("es-ES").files for r in f.rules}
    assert reported - {"ES_ID_SUJETO_ASISTENCIA"} <= set(entities)


def test_recognizers_report_their_own_entities_only():
    places = MxSpainPlaceRecognizer().analyze(FOOT, [])
    assert [FOOT[r.start : r.end] for r in places] == [
        "Paseo de los Tilos, 7",
        "28046",
        "Madrid",
        "España",
    ]
    names = MxSpainNameRecognizer().analyze(FOOT, ["ES_NOMBRE_PERSONAL_SANITARIO"])
    assert [FOOT[r.start : r.end] for r in names] == ["Ana Gil Ruiz"]


@given(st.text(max_size=80))
def test_spans_are_disjoint_and_inside(text):
    found = _find(f"Nombre: {text}\nRemitido por: {text} Hospital {text} C/ {text}")
    size = len(text) * 4 + len("Nombre: \nRemitido por:  Hospital  C/ ")
    ends = 0
    for finding in found:
        assert ends <= finding.start < finding.end <= size
        ends = finding.end


@pytest.mark.parametrize(
    "piece",
    ["Calle del Sol 3, ", "28001 Madrid, ", "Hospital de la ", "(abc ", "C/ ", "12 "],
)
def test_time_grows_with_the_length(piece):
    def seconds(size):
        text = "Remitido por: Ana Gil Ruiz. " + piece * (size // len(piece))
        began = time.process_time()
        _find(text)
        return time.process_time() - began

    def least(size):
        return min(seconds(size) for _ in range(3))

    seconds(1_000)
    assert least(40_000) < 30 * max(least(4_000), 0.002)


def test_the_longest_entry_of_a_table_wins():
    document = load_preset("es-ES").read("San Sebastián de los Reyes")
    table = WordTable.of(["San Sebastián", "San Sebastián de los Reyes"])
    assert table.end(document, 0) == 5
    assert table.end(document, 1) == 1
