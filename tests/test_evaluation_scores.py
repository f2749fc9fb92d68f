"""Scores against cases worked by hand and against independent scripts."""

import importlib.util
import random
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.errors import InputError
from presidio_mx.research.corpora import Note, Span, read_corpus
from presidio_mx.research.evaluation import score
from presidio_mx.research.evaluation.bootstrap import difference, interval, wilson
from presidio_mx.research.evaluation.counts import Counts, Share
from presidio_mx.research.evaluation.identifiers import note_scores, overlap_counts
from presidio_mx.research.evaluation.meddocan import (
    body,
    entity_counts,
    meddocan_scores,
    merged_counts,
    strict_counts,
)

CASES = Path(__file__).parent / "cases" / "evaluation"
MEDDOCAN = yaml.safe_load((CASES / "meddocan.yaml").read_text("utf-8"))
SHARED = Path(__file__).parents[2] / "shared" / "mx_notes"


def note(text: str, spans: list, identifier: str = "n") -> Note:
    return Note(identifier, text, tuple(Span(s, e, t) for t, s, e in spans))


@pytest.mark.parametrize("case", MEDDOCAN, ids=lambda case: case["name"])
def test_meddocan_rules(case: dict) -> None:
    gold = note(case["text"], case["gold"])
    predicted = note(case["text"], case["predicted"])
    assert entity_counts(gold, predicted) == Counts(*case["entities"])
    assert strict_counts(gold, predicted) == Counts(*case["strict"])
    assert merged_counts(gold, predicted) == Counts(*case["merged"])


def test_meddocan_micro_average_leak_and_body() -> None:
    text = (
        "Nombre: Ana.\nCP: 28029.\nInforme clínico: Mujer de 82 años. Sigue bien.\n"
        "Remitido por: Dr. Leo Paz\n"
    )
    gold = note(
        text,
        [
            ("NOMBRE_SUJETO_ASISTENCIA", 8, 11),
            ("TERRITORIO", 17, 22),
            ("SEXO_SUJETO_ASISTENCIA", 41, 46),
            ("EDAD_SUJETO_ASISTENCIA", 50, 57),
            ("NOMBRE_PERSONAL_SANITARIO", 89, 96),
        ],
    )
    kept = gold.with_spans(gold.spans[1:4])
    assert body(text) == (24, 71)
    found = meddocan_scores([(gold, kept)])
    assert found.entities == Counts(3, 0, 2)
    assert found.entities.f1 == pytest.approx(6 / 8)
    assert found.body == Counts(2, 0, 0)
    # Five sentences: two form lines, two in the report, the foot; two misses.
    assert found.leak == pytest.approx(2 / 5)
    assert found.entities_by_type["TERRITORIO"] == Counts(1, 0, 0)


TEXT = "Pte Itzel Paz Ruiz, cel 443 555 01 02, vive en Jaca con Leo."
GOLD = Note(
    "n",
    TEXT,
    (
        Span(4, 18, "PERSON", "patient"),
        Span(24, 37, "PHONE_NUMBER"),
        Span(47, 51, "LOCATION"),
        Span(56, 59, "PERSON", "relative"),
    ),
)
PREDICTED = Note(
    "n",
    TEXT,
    (
        Span(4, 13, "PERSON"),  # a surname left
        Span(24, 37, "MX_NSS"),  # wrong type, but covered
        Span(47, 51, "LOCATION"),
        Span(39, 43, "PERSON"),  # "vive"
    ),
)


def test_identifiers_worked_by_hand() -> None:
    found = note_scores(GOLD, PREDICTED)
    assert (found.covered.part, found.covered.whole) == (2, 4)
    assert found.by_type["PHONE_NUMBER"].value == 1
    assert found.by_type["PERSON"].value == 0
    assert {role: s.whole for role, s in found.by_role.items()} == {
        "patient": 1,
        "relative": 1,
    }
    assert found.clean.part == 0
    # Letters and digits predicted: Itzel Paz 8, phone 10, Jaca 4, vive 4.
    assert (found.characters.part, found.characters.whole) == (22, 26)
    assert found.exact == Counts(1, 3, 3)
    # Equal spans 2 (phone, Jaca), overlapping 1 (Itzel Paz): 2.5 of 4 and of 4.
    assert found.partial == Counts(2.5, 1.5, 1.5)
    # Right type with overlap: Itzel Paz and Jaca.
    assert found.typed_overlap == Counts(2, 2, 2)
    # Words: gold Itzel Paz Ruiz 443 555 01 02 Jaca Leo; found 7 of them and vive.
    assert found.tokens == Counts(7, 1, 2)
    assert found.typed_tokens == Counts(3, 5, 6)


def test_one_predicted_span_matches_one_gold_span_only() -> None:
    gold = note("Ana Paz", [("PERSON", 0, 3), ("PERSON", 4, 7)])
    joined = note("Ana Paz", [("PERSON", 0, 7)])
    partial, typed = overlap_counts(gold, joined)
    assert partial == Counts(0.5, 0.5, 1.5)
    assert typed == Counts(1, 0, 1)


def test_score_puts_notes_together() -> None:
    clean = Note("m", "Alta.", ())
    found = score([GOLD, clean], [PREDICTED])
    assert found.covered.value == 0.5
    assert found.clean.value == 0.5
    assert found.intervals["notes without a leak"].value == 0.5
    measures = {(r["group"], r["measure"]): r for r in found.to_table()}
    assert measures[("covered by role", "patient")]["n"] == 1
    assert "Itzel" not in str(found.to_dict())


def test_thesis_scheme_counts_its_four_kinds_only() -> None:
    text = "Ana 2019-01-02 tel 443"
    gold = note(text, [("PERSON", 0, 3), ("DATE_TIME", 4, 14), ("CEL", 19, 22)])
    predicted = note(text, [("NOMBRE", 0, 3), ("PHONE_NUMBER", 19, 22)])
    found = score([gold], [predicted], "thesis")
    assert found.exact == Counts(2, 0, 0)


def test_the_thesis_counts_tags_and_leaves_staff_out() -> None:
    text = "Ana Ruiz y Leo con Dr. Paz, tel 443, Zacapu"
    gold = Note(
        "n",
        text,
        (
            Span(0, 8, "PERSON", "patient"),
            Span(11, 14, "PERSON", "relative"),
            Span(23, 26, "PERSON", "staff"),
            Span(32, 35, "PHONE_NUMBER"),
            Span(37, 43, "LOCATION"),
        ),
    )
    # A part of Ana, the staff, a telephone; and a name where the town is.
    spans = [("NOMBRE", 0, 3), ("NOMBRE", 23, 26), ("TEL", 32, 35), ("NOMBRE", 37, 43)]
    predicted = note(text, spans)
    found = score([gold], [predicted], "thesis")
    assert found.tags == {
        "CIUDAD": Counts(0, 0, 1),
        "NOMBRE": Counts(1, 1, 1),
        "TEL": Counts(1, 0, 0),
        "all": Counts(2, 1, 2),
    }
    assert found.covered_by_role == {"patient": Share(0, 1), "relative": Share(0, 1)}
    assert ("tags", "TEL: recall") in {
        (row["group"], row["measure"]) for row in found.to_table()
    }


def test_adap_has_three_tags_and_everybodys_names() -> None:
    text = "Dr. Paz, calle Sol 3, Zacapu, 443, 2020"
    gold = Note(
        "n",
        text,
        (
            Span(4, 7, "PERSON", "staff"),
            Span(9, 20, "ADDRESS"),
            Span(22, 28, "LOCATION"),
            Span(30, 33, "PHONE_NUMBER"),
            Span(35, 39, "DATE_TIME"),
        ),
    )
    predicted = note(text, [("NOMBRE", 4, 7), ("DOM", 9, 20), ("CIUDAD", 22, 28)])
    found = score([gold], [predicted], "adap")
    assert found.tags["DOM"] == Counts(2, 0, 0)
    assert found.tags["NOMBRE"] == Counts(1, 0, 0)
    assert found.tags["all"] == Counts(3, 0, 1)


def test_meddocan_scheme_takes_the_labels_of_the_spanish_preset() -> None:
    gold = note("Jaca", [("TERRITORIO", 0, 4)])
    predicted = note("Jaca", [("ES_TERRITORIO", 0, 4)])
    found = score([gold], [predicted], "meddocan")
    assert found.meddocan is not None
    assert found.meddocan.entities == Counts(1, 0, 0)


def test_predictions_for_another_text_are_refused() -> None:
    with pytest.raises(InputError, match="another text"):
        score([Note("a", "x")], [Note("a", "y")])
    with pytest.raises(InputError, match="no gold notes"):
        score([], [])


def test_wilson_intervals_of_the_portuguese_study() -> None:
    # 103 of 400; by the formula of Wilson (1927): 21.71 to 30.26 %.
    found = wilson(103, 400)
    assert found.value == 0.2575
    assert found.low == pytest.approx(0.2171, abs=2e-4)
    assert found.high == pytest.approx(0.3026, abs=2e-4)
    assert wilson(0, 10).low == pytest.approx(0.0, abs=1e-12)
    assert wilson(0, 0).high == 1.0


def test_bootstrap_agrees_with_the_normal_approximation() -> None:
    hits = [1.0] * 80 + [0.0] * 20
    found = interval(hits, [1.0] * 100, rounds=4000)
    assert found.value == 0.8
    # Standard error of a share: sqrt(.8 * .2 / 100) = .04.
    assert found.low == pytest.approx(0.8 - 1.96 * 0.04, abs=0.02)
    assert found.high == pytest.approx(0.8 + 1.96 * 0.04, abs=0.02)
    assert interval(hits, [1.0] * 100) == interval(hits, [1.0] * 100)


def test_paired_bootstrap_tells_a_steady_gain_from_chance() -> None:
    ones = [1.0] * 60
    worse = [1.0, 0.0] * 30
    sure = difference((ones, ones), (worse, ones))
    assert sure.value == 0.5
    assert sure.low > 0.3
    assert sure.p < 0.01
    swapped = difference((worse, ones), (worse[::-1], ones))
    assert swapped.value == 0
    assert swapped.p == 1.0


@given(
    st.lists(
        st.tuples(st.sampled_from("AB"), st.integers(0, 19), st.integers(1, 6)),
        max_size=6,
    ),
    st.lists(
        st.tuples(st.sampled_from("AB"), st.integers(0, 19), st.integers(1, 6)),
        max_size=6,
    ),
)
def test_counts_always_add_up(gold: list, predicted: list) -> None:
    text = "ab cd, ef gh. ij 12 kl m"
    one = note(text, [(t, s, min(24, s + n)) for t, s, n in gold])
    two = note(text, [(t, s, min(24, s + n)) for t, s, n in predicted])
    for counts in overlap_counts(one, two):
        assert counts.tp + counts.fn == len(
            {(s.start, s.end, s.entity_type) for s in one.spans}
        )
        assert min(counts.tp, counts.fp, counts.fn) >= 0
    same = note_scores(one, one)
    assert same.clean.part == 1
    assert same.exact.fp == same.exact.fn == same.partial.fn == 0


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reference notes are absent")
def test_agrees_with_the_reference_script() -> None:
    spec = importlib.util.spec_from_file_location("reference", SHARED / "score.py")
    assert spec is not None and spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    gold = [n for f in "ef" for n in read_corpus(SHARED / f, "inline").notes]
    chance = random.Random(3)
    predicted = [_disturbed(one, chance) for one in gold]
    by_text = {one.text.rstrip("\n"): one for one in predicted}
    expected = reference.score(
        lambda text: [(s.start, s.end, s.entity_type) for s in by_text[text].spans],
        list(reference.notes(SHARED / "e", SHARED / "f")),
    )
    # Ids repeat between the folders.
    gold = [Note(f"{i}", n.text, n.spans) for i, n in enumerate(gold)]
    predicted = [Note(f"{i}", n.text, n.spans) for i, n in enumerate(predicted)]
    found = score(gold, predicted)
    assert 0.2 < expected["covered"] < 0.95
    assert found.covered.value == pytest.approx(expected["covered"])
    assert found.characters.value == pytest.approx(expected["char_precision"])
    assert found.clean.value == pytest.approx(expected["clean_notes"])
    assert found.exact.precision == pytest.approx(expected["exact_p"])
    assert found.exact.recall == pytest.approx(expected["exact_r"])
    assert found.exact.f1 == pytest.approx(expected["exact_f1"])
    for role in ("patient", "staff"):
        part, whole, _ = expected["by_type"][f"PERSON:{role}"]
        share = found.covered_by_role[role]
        assert (share.part, share.whole) == (part, whole)


def _disturbed(one: Note, chance: random.Random) -> Note:
    """Drop, move, retype and add spans."""
    spans = []
    for span in one.spans:
        draw = chance.random()
        start = span.start + (1 if draw < 0.1 else 0)
        end = max(start + 1, span.end - (2 if 0.1 < draw < 0.2 else 0))
        name = "MX_CLABE" if span.entity_type == "CREDIT_CARD" else span.entity_type
        if draw < 0.85:
            spans.append(Span(start, end, "LOCATION" if 0.2 < draw < 0.25 else name))
    if len(one.text) > 40:
        start = chance.randrange(len(one.text) - 20)
        spans.append(Span(start, start + chance.randint(1, 19), "PERSON"))
    return one.with_spans(tuple(spans))
