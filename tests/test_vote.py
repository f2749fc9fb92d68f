"""Probabilities instead of scores: sensitivity, risk, and never uncovering."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from child import call
from presidio_mx.find.vote.calibration import (
    Calibration,
    is_certain,
    read_calibration,
)
from presidio_mx.find.vote.evidence import Sight
from presidio_mx.find.vote.features import (
    FEATURES,
    GROUPS,
    OTHER,
    features,
    group_of,
)
from presidio_mx.find.vote.leftovers import parts_left
from presidio_mx.find.vote.risk import RISK_FEATURES
from presidio_mx.research.training.calibration_file import write_calibration

import presidio_mx
from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.decide import SENSITIVITIES, least_probability
from presidio_mx.find.finding import Finding
from presidio_mx.find.ner.transformer import SHIPPED, transformer_available
from presidio_mx.find.preset import load_preset
from presidio_mx.find.session import Session
from presidio_mx.pipeline import examine
from presidio_mx.research.corpora import read_corpus
from presidio_mx.research.training.calibration import calibrate
from presidio_mx.research.training.logistic import Reliability, fit_logistic
from presidio_mx.text.spans import Note, Span
from presidio_mx.work.batch.triage import Row, read_rows

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "samples" / "corpus" / "fit_a"
SPAIN = (
    "NHC: 368503. Domicilio: Calle Miguel Sol 90. Localidad: Madrid. CP: 28016. "
    "NASS: 26 63514095. Varón de 70 años, de Zaragoza."
)
MODELS = [
    "none",
    pytest.param(
        "transformer",
        marks=pytest.mark.skipif(
            not transformer_available(), reason="extra [transformer] is not installed"
        ),
    ),
]


@pytest.fixture(scope="module")
def notes():
    return read_corpus(CORPUS, "inline").notes


def letters(text, results):
    inside = {i for r in results for i in range(r.start, r.end)}
    return {i for i in inside if text[i].isalnum()}


@pytest.mark.parametrize("ner", MODELS)
def test_scores_are_probabilities_and_sensitivity_moves_one_threshold(notes, ner):
    for note in notes[:8]:
        found = {
            name: presidio_mx.analyze(note.text, ner=ner, sensitivity=name)
            for name in SENSITIVITIES
        }
        for name, results in found.items():
            assert all(SENSITIVITIES[name] <= r.score <= 1 for r in results)
        spans = {
            name: {(r.start, r.end, r.entity_type) for r in results}
            for name, results in found.items()
        }
        assert spans["exact"] <= spans["balanced"] <= spans["high"]


@pytest.mark.parametrize("ner", MODELS)
def test_a_number_is_a_sensitivity_too(ner):
    text = "Paciente Tzintia Paz, vive en Morelia."
    assert presidio_mx.analyze(text, ner=ner, sensitivity=0.01)
    assert not presidio_mx.analyze(text, ner=ner, sensitivity=0.9999)


@pytest.mark.parametrize("wrong", ["hihg", -0.1, 1, 1.5, "1", "nan", None, True])
def test_a_wrong_sensitivity_is_one_sentence(wrong):
    with pytest.raises(ConfigurationError, match="high, balanced, exact"):
        least_probability(wrong)


@pytest.mark.skipif(
    not transformer_available(), reason="extra [transformer] is not installed"
)
@pytest.mark.heavy
def test_the_model_never_uncovers_what_rules_are_sure_of(notes):
    for note in notes:
        both = letters(note.text, presidio_mx.analyze(note.text, ner="transformer"))
        for result in presidio_mx.analyze(note.text, ner="none"):
            if result.score >= 0.95:
                assert letters(note.text, [result]) <= both, note.id


def test_known_data_and_fields_are_not_weighed():
    text = "PID|1||12345||PAZ^TZINTIA||19800101|F\nOBX|1|TX|||Sin dolor."
    session = Session(text)
    walk = session.walk(load_preset("mx"))
    fields = [f for f in session.settle(walk) if is_certain(f)]
    assert fields
    assert all(f in session.standing(walk, 1.0) for f in fields)


@pytest.mark.parametrize("ner", MODELS)
def test_the_risk_of_a_note(ner):
    quiet = examine("Sin alteraciones. Alta por mejoría.", ner=ner).risk
    doubtful = examine(
        "px lupe de tzintzun vive x la conasupo junto a don chema, ref. x doña cuca "
        "y el prof nacho, avisar a toña o al yoni q trabajan con los equihua " * 3,
        ner=ner,
    ).risk
    assert 0 <= quiet < doubtful <= 1
    done = presidio_mx.analyze_and_anonymize("Paciente Tzintia Paz.", ner=ner)
    assert 0 <= done.risk <= 1


@pytest.mark.skipif(
    not transformer_available(), reason="extra [transformer] is not installed"
)
def test_no_risk_is_told_where_none_was_fitted(tmp_path):
    model = shutil.copytree(SHIPPED, tmp_path / "model")
    (model / "calibration.yaml").unlink()
    assert examine(SPAIN, preset="es-ES", ner=str(model)).risk is None


@pytest.mark.parametrize("ner", MODELS)
def test_notes_of_spain_have_probabilities_and_a_risk(ner):
    balanced = examine(SPAIN, preset="es-ES", ner=ner)
    strict = examine(SPAIN, preset="es-ES", ner=ner, sensitivity=0.999)
    assert balanced.risk is not None and 0 < balanced.risk < 1
    assert 0 < len(strict.results) < len(balanced.results)
    assert strict.risk > balanced.risk


def test_balanced_weighs_the_bounds_of_spans_in_notes_of_spain():
    mexico, spain = (least_probability("balanced", p) for p in ("mx", "es-ES"))
    assert mexico < spain < least_probability("exact")
    assert least_probability("high", "es-ES") == least_probability("high")
    assert least_probability(0.2, "es-ES") == 0.2


def test_labels_of_notes_of_spain_are_weighed_with_their_kind():
    assert group_of("ES_NOMBRE_SUJETO_ASISTENCIA") == "PERSON"
    assert group_of("ES_CALLE") == "ADDRESS"
    assert group_of("ES_FECHAS") == group_of("DATE_TIME") == "other"


def test_a_logistic_regression_finds_what_made_the_data():
    import numpy as np

    dice = np.random.default_rng(3)
    table = np.column_stack([np.ones(4000), dice.normal(size=4000)])
    chance = 1 / (1 + np.exp(-(table @ [0.5, -1.5])))
    right = (dice.random(4000) < chance).astype(float)
    weights = fit_logistic(table, right, np.zeros(2), 1.0)
    assert weights == pytest.approx([0.5, -1.5], abs=0.15)


def test_the_error_of_probabilities():
    assert Reliability.of([0.75] * 4, [True, True, True, False]).error == 0
    assert Reliability.of([0.95] * 4, [False] * 4).error == pytest.approx(0.95)


def test_fitted_calibrations_are_written_and_read_again(tmp_path):
    texts = [f"Paciente Tzintia Paz, cuarto {n}." for n in range(8)]
    made = calibrate(
        load_preset("mx"),
        [Note(str(n), t, (Span(9, 20, "PERSON"),)) for n, t in enumerate(texts)],
        ["Signo de Murphy negativo."],
        None,
        lambda line: None,
    )
    path = tmp_path / "calibration.yaml"
    write_calibration(path, "mx", made, "eight notes")
    again = read_calibration(path, "mx")
    assert read_calibration(path, "es-ES") is None
    assert set(again.weights) == {*GROUPS, OTHER}
    assert again.weights["PERSON"] == pytest.approx(made.weights["PERSON"], abs=1e-4)
    assert again.risk == pytest.approx(made.risk, abs=1e-4)


def test_few_notes_hardly_move_the_weights_of_a_prior():
    note = Note("1", "Paciente Tzintia Paz, cuarto 1.", (Span(9, 20, "PERSON"),))

    def fitted(prior):
        rules = load_preset("mx")
        return calibrate(rules, [note] * 8, [], None, lambda line: None, prior)

    shipped = load_preset("mx").calibration
    held, free = fitted(shipped), fitted(None)
    assert held.weights["PERSON"] == pytest.approx(shipped.weights["PERSON"], abs=0.05)
    assert held.risk != free.risk
    assert held.weights != free.weights


def test_a_calibration_that_lacks_a_weight_is_one_sentence(tmp_path):
    path = tmp_path / "calibration.yaml"
    path.write_text("mx: {weights: {PERSON: {one: 1}}, rules: {}, risk: {}}")
    with pytest.raises(ConfigurationError, match="calibration.yaml: mx lacks"):
        read_calibration(path, "mx")


def test_shipped_calibrations_are_whole():
    shipped = [
        ROOT / "recognizers" / "calibration.yaml",
        *(ROOT / "presidio_mx" / "models").glob("*/calibration.yaml"),
    ]
    for path in shipped:
        calibration = read_calibration(path, "mx")
        assert all(len(row) == len(FEATURES) for row in calibration.weights.values())
        assert len(calibration.risk) == len(RISK_FEATURES)


def test_more_evidence_is_more_probable():
    weights = {group: (0.0,) * len(FEATURES) for group in (*GROUPS, OTHER)}
    flat = Calibration(weights)
    row = [1.0] * len(FEATURES)
    assert flat.of_row(row, "PERSON") == 0.5
    surer = dataclasses.replace(
        flat, weights={**weights, "PERSON": (1.0,) * len(FEATURES)}
    )
    assert surer.of_row(row, "PERSON") > 0.99


@pytest.mark.parametrize(
    ("written", "entity", "initials"),
    [
        ("NGM", "PERSON", True),
        ("C.E.", "PERSON", True),
        ("Ana", "PERSON", False),
        ("Tzintia", "PERSON", False),
        ("NGM", "LOCATION", False),
    ],
)
def test_what_a_model_says_of_initials_is_weighed_apart(written, entity, initials):
    text = f"8 / {written} |"
    finding = Finding(4, 4 + len(written), entity, 0.8, "rule")
    document = load_preset("mx").prepare(text)
    row = features(document, finding, Sight(0.1, 0.1, 0.1), frozenset())
    told = dict(zip(FEATURES, row, strict=True))
    assert told["initials"] == initials
    assert told["model_on_initials"] == (told["model_anything"] if initials else 0)


def audit(tmp_path):
    records = [{"kind": "run"}, {"row": 1, "output": 1, "risk": 0.01}]
    records += [{"row": 2, "output": 2, "risk": 0.4}]
    records += [{"row": 3, "output": None, "failed": True}]
    records += [{"row": 4, "output": 3, "risk": 0.02}]
    path = tmp_path / "out.csv.audit.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path / "out.csv"


def test_triage_tells_what_may_go_and_keeps_what_failed(tmp_path):
    output = audit(tmp_path)
    assert [row.may_go(0.05) for row in read_rows(output)] == [True, False, False, True]
    out = tmp_path / "triage.csv"
    done = call("triage", str(output), "--release-below", "0.05", "--out", str(out))
    assert done.returncode == 0
    assert b"2 of 4 rows may be released" in done.stdout
    assert out.read_text().splitlines() == [
        "row,output,risk,release",
        "3,,,0",
        "2,2,0.4,0",
        "4,3,0.02,1",
        "1,1,0.01,1",
    ]
    again = call("triage", str(output), "--out", str(out))
    assert again.returncode == 2
    assert b"exists" in again.stderr


def test_triage_of_something_else_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(read_rows(tmp_path / "nothing.csv"))
    path = tmp_path / "x.audit.jsonl"
    for content in ("not json", "[" * 100_000):
        path.write_text(content)
        with pytest.raises(InputError, match="not the audit"):
            list(read_rows(path))


def test_a_row_without_a_risk_never_goes():
    assert not Row(1, None).may_go(1.0)


@pytest.mark.parametrize(
    "entity, rest, says",
    [
        ("PERSON", "y", False),
        ("PERSON", "Uro", False),
        ("PERSON", "E", True),
        ("DATE_TIME", "T", False),
        ("DATE_TIME", "T22", False),
        ("DATE_TIME", "l", True),
        ("LOCATION", "y", True),
        ("ORGANIZATION", "de", True),
        ("ES_HOSPITAL", "de", False),
        ("ES_HOSPITAL", "Centro", True),
        ("ES_NOMBRE_PERSONAL_SANITARIO", "NºCol", False),
    ],
)
def test_rests_that_say_nothing_are_dropped(entity, rest, says):
    for text in (f"{rest} Pérez", f"Pérez {rest}"):
        at = text.index("Pérez")
        seen = [Finding(0, len(text), entity, 0.9, "model")]
        standing = [Finding(at, at + len("Pérez"), entity, 0.9, "rule")]
        assert bool(list(parts_left(text, seen, standing))) == says
