"""Probabilities of what rules find, and the risk of a note."""

import numpy as np
import pytest

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.finding import Finding
from presidio_mx.find.preset import load_preset
from presidio_mx.find.probability import (
    FEATURES,
    GROUPS,
    OTHERS,
    RISK_FEATURES,
    Calibration,
    group_of,
    read_calibration,
)
from presidio_mx.research.training.calibration import calibrate, write_calibration
from presidio_mx.research.training.logistic import Reliability, fit_logistic
from presidio_mx.resources import folder
from presidio_mx.text.spans import Note, Span

FLAT = {group: (0.0,) * len(FEATURES) for group in (*GROUPS, OTHERS)}


def test_a_rule_is_as_probable_as_it_was_right():
    weights = dict(FLAT, PERSON=(0.0, 1.0, 0.0, 0.0))
    made = Calibration(weights, {"person.yaml#often": 0.9, "person.yaml#rarely": 0.1})
    often = Finding(0, 3, "PERSON", 0.5, "person.yaml#often")
    rarely = often._replace(rule="person.yaml#rarely")
    assert made.probability(often, 0.0) == pytest.approx(0.9)
    assert made.probability(rarely, 0.0) == pytest.approx(0.1)


def test_a_model_that_sees_something_makes_a_rule_more_probable():
    weights = dict(FLAT, PERSON=(0.0, 1.0, 0.0, 0.5))
    made = Calibration(weights)
    found = Finding(0, 3, "PERSON", 0.6, "x")
    assert made.probability(found, -5.0) < 0.6 < made.probability(found, 5.0)


def test_more_left_is_more_risk():
    made = Calibration(FLAT, risk=(0.0, 1.0, 0.1))
    assert made.risk_of(0.001, 100) < made.risk_of(0.5, 100) < made.risk_of(0.5, 900)


def test_groups():
    assert group_of("PERSON") == "PERSON"
    assert group_of("ES_HOSPITAL") == "ORGANIZATION"
    assert group_of("AGE") == OTHERS


def test_what_was_fitted_is_read_again(tmp_path):
    text = "Paciente Ana Ruiz Paz de 5 años, tel 443 312 4567"
    gold = (Span(9, 21, "PERSON"), Span(25, 31, "AGE"), Span(37, 49, "PHONE_NUMBER"))
    notes = [Note(str(i), text, gold) for i in range(8)]
    told = []
    made = calibrate(load_preset("mx"), notes, ["Signo de Murphy"], None, told.append)
    path = tmp_path / "calibration.yaml"
    write_calibration(path, "mx", made, "8 notes")
    write_calibration(path, "es-ES", made, "8 notes")
    again = read_calibration(path, "mx")
    assert again.rules == pytest.approx(made.rules, abs=0.001)
    for group, row in made.weights.items():
        assert again.weights[group] == pytest.approx(row, abs=0.001)
    assert again.risk == pytest.approx(made.risk, abs=0.001)
    assert any("risk of 8 notes" in line for line in told)


def test_a_calibration_that_lacks_a_weight_is_one_sentence(tmp_path):
    path = tmp_path / "calibration.yaml"
    path.write_text("mx: {weights: {PERSON: {one: 1}}, rules: {}, risk: {}}")
    with pytest.raises(ConfigurationError, match="calibration.yaml: mx lacks"):
        read_calibration(path, "mx")


@pytest.mark.parametrize("key", ["mx", "es-ES"])
def test_the_shipped_calibration_is_whole(key):
    made = read_calibration(folder("recognizers") / "calibration.yaml", key)
    assert all(len(row) == len(FEATURES) for row in made.weights.values())
    assert len(made.risk) == len(RISK_FEATURES)


def test_a_logistic_regression_finds_what_tells():
    table = np.array([[1.0, x] for x in (-2, -1, 1, 2)] * 20)
    right = (table[:, 1] > 0).astype(float)
    weights = fit_logistic(table, right, np.zeros(2), 1.0)
    assert weights[1] > 1.0
    assert abs(weights[0]) < 0.1


def test_reliability_tells_how_far_probabilities_are_off():
    good = Reliability.of([0.75] * 4, [True, True, True, False])
    bad = Reliability.of([0.95] * 4, [False] * 4)
    assert good.error == pytest.approx(0.0)
    assert bad.error == pytest.approx(0.95)


def test_a_fit_does_not_run_away_from_a_prior_that_is_far_off():
    numbers = np.random.default_rng(5)
    seen = numbers.normal(4.0, 2.5, 2000).clip(-7, 7)
    table = np.column_stack([np.ones(2000), np.full(2000, 6.0), seen])
    right = (numbers.random(2000) < 1 / (1 + np.exp(1.0 - seen))).astype(float)
    weights = fit_logistic(table, right, np.array([0.0, 1.0, 0.0]), 2.0)
    chance = 1 / (1 + np.exp(-(table @ weights)))
    assert Reliability.of(chance.tolist(), right.astype(bool).tolist()).error < 0.03
