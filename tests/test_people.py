"""Persons: names that stand again, and one role for all mentions of somebody."""

import numpy as np
import pytest

from presidio_mx import analyze
from presidio_mx.find.finding import KNOWN, MODEL, Finding
from presidio_mx.find.people import with_roles
from presidio_mx.find.reading import ROLES, Evidence


def evidence(text, roles):
    """Return what a model says: a role for each word, and how sure it is."""
    starts, ends, rows = [], [], []
    for word in text.split():
        start = text.index(word, ends[-1] if ends else 0)
        role, sure = roles.get(word, ("other", 0.4))
        row = np.full(4, (1 - sure) / 3)
        row[ROLES.index(role)] = sure
        starts.append(start)
        ends.append(start + len(word))
        rows.append(np.log(row))
    odds = np.zeros(len(starts), dtype=np.float32)
    return Evidence(np.array(starts), np.array(ends), odds, np.array(rows, np.float32))


def person(text, name, reader=MODEL, role=None, after=0):
    start = text.index(name, after)
    return Finding(start, start + len(name), "PERSON", 0.9, "x", role, reader=reader)


def test_somebody_is_staff_only_where_every_mention_surely_is():
    text = "Ruiz valora . Ana Ruiz acude"
    sure = {"Ruiz": ("staff", 0.97), "Ana": ("staff", 0.97)}
    found = [person(text, "Ruiz"), person(text, "Ana Ruiz")]
    made = with_roles(text, found, evidence(text, sure))
    assert {f.role for f in made} == {"staff"}
    doubtful = sure | {"Ana": ("patient", 0.9)}
    made = with_roles(text, found, evidence(text, doubtful))
    assert {f.role for f in made} == {"patient"}


def test_other_people_keep_their_own_role():
    text = "Ana Ruiz con Luis Paz"
    said = {w: ("staff", 0.97) for w in ("Luis", "Paz")}
    said |= {w: ("patient", 0.97) for w in ("Ana", "Ruiz")}
    found = [person(text, "Ana Ruiz"), person(text, "Luis Paz")]
    made = with_roles(text, found, evidence(text, said))
    assert [f.role for f in made] == ["patient", "staff"]


def test_known_data_say_who_somebody_is():
    text = "Ana Ruiz firma"
    found = [person(text, "Ana Ruiz", reader=KNOWN, role="patient")]
    said = {w: ("staff", 0.99) for w in ("Ana", "Ruiz")}
    assert with_roles(text, found, evidence(text, said))[0].role == "patient"


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Paciente Ana Ruiz Paz de 5 años", "patient"),
        ("Acude con su madre Ana Ruiz Paz", "relative"),
        ("Atiende la Dra. Ana Ruiz Paz", "staff"),
        ("Ana Ruiz Paz, sin más", "other"),
    ],
)
def test_rules_alone_say_a_role(text, role):
    found = [r for r in analyze(text, ner="none") if r.entity_type == "PERSON"]
    assert found[0].recognition_metadata["role"] == role


def test_a_name_that_rules_found_is_found_again():
    text = "Paciente Ramiro Olvera Tejeda. Se explica a Olvera su padecimiento."
    found = [text[r.start : r.end] for r in analyze(text, ner="none")]
    assert found == ["Ramiro Olvera Tejeda", "Olvera"]
