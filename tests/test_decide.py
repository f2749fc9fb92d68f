"""The one decision: nothing that stands is uncovered, whoever found it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.decide import decide
from presidio_mx.find.finding import (
    CHECKED,
    FIELDS,
    KNOWN,
    MODEL,
    OTHER,
    RULES,
    SITE,
    Finding,
)
from presidio_mx.find.sensitivity import SENSITIVITIES, Thresholds, thresholds_of

READERS = (KNOWN, SITE, CHECKED, FIELDS, MODEL, RULES, OTHER)
ENTITIES = ("PERSON", "ADDRESS", "AGE")
TEXT = "Pte Ana Ruiz, calle 5 de Mayo 12; col. Centro | 45 años\nDr. Luis Paz"


@st.composite
def findings(draw, text=TEXT):
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, min(len(text), start + 20)))
    return Finding(
        start,
        end,
        draw(st.sampled_from(ENTITIES)),
        draw(st.sampled_from((0.01, 0.1, 0.3, 0.5, 0.7, 0.95, 1.0))),
        "rule",
        reader=draw(st.sampled_from(READERS)),
    )


def covered(found):
    return {i for f in found for i in range(f.start, f.end) if TEXT[i].isalnum()}


@given(st.lists(findings(), max_size=12), st.sampled_from((0.02, 0.2, 0.5)))
def test_what_stands_is_covered_and_nothing_overlaps(found, least):
    made = decide(TEXT, found, Thresholds(least))
    standing = [f for f in found if f.certain or f.reader == OTHER or f.score >= least]
    assert covered(made) == covered(standing)
    for one, two in zip(made, made[1:], strict=False):
        assert one.end <= two.start
    assert {f.entity for f in made} <= {f.entity for f in standing}


@given(st.lists(findings(), max_size=8), findings())
def test_a_probable_finding_of_any_reader_is_covered(found, more):
    more = more._replace(score=max(more.score, 0.5))
    made = decide(TEXT, [*found, more], Thresholds(0.5))
    assert covered([more]) <= covered(made)


@given(st.lists(findings(), max_size=8), st.randoms())
def test_the_order_of_the_readers_does_not_matter(found, random):
    found = list(dict.fromkeys(found))
    shuffled = random.sample(found, len(found))
    spans = [(f.start, f.end, f.entity) for f in decide(TEXT, found, Thresholds(0.2))]
    again = [
        (f.start, f.end, f.entity) for f in decide(TEXT, shuffled, Thresholds(0.2))
    ]
    assert covered(decide(TEXT, found, Thresholds(0.2))) == covered(
        decide(TEXT, shuffled, Thresholds(0.2))
    )
    assert len(spans) == len(again)


@given(st.lists(findings(), max_size=8))
def test_more_sensitive_marks_no_less(found):
    low, high = (
        covered(decide(TEXT, found, Thresholds(least))) for least in (0.5, 0.02)
    )
    assert low <= high


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        # The model's span stands; what a rule saw beyond it goes on in it.
        (
            [("Ana Ruiz", "PERSON", MODEL), ("Pte Ana", "PERSON", RULES)],
            [("Pte Ana Ruiz", "PERSON")],
        ),
        # Another entity keeps what is left of it.
        (
            [("Ana Ruiz", "PERSON", MODEL), ("Ruiz, calle 5", "ADDRESS", RULES)],
            [("Ana Ruiz", "PERSON"), ("calle 5", "ADDRESS")],
        ),
        # A code with a right check digit is what it says.
        (
            [("5 de Mayo 12", "ADDRESS", MODEL), ("12", "AGE", CHECKED)],
            [("5 de Mayo", "ADDRESS"), ("12", "AGE")],
        ),
        # Known data come first, whatever a model says.
        (
            [("Ana Ruiz, calle", "ADDRESS", MODEL), ("Ana Ruiz", "PERSON", KNOWN)],
            [("Ana Ruiz", "PERSON"), ("calle", "ADDRESS")],
        ),
    ],
)
def test_overlaps(found, wanted):
    spans = [
        Finding(
            TEXT.index(text),
            TEXT.index(text) + len(text),
            entity,
            0.9,
            "rule",
            reader=reader,
        )
        for text, entity, reader in found
    ]
    made = [
        (TEXT[f.start : f.end], f.entity) for f in decide(TEXT, spans, Thresholds(0.2))
    ]
    assert made == wanted


def test_only_an_allow_list_takes_away():
    whole = Finding(0, 12, "PERSON", 0.99, "model", reader=MODEL)
    inside = Finding(4, 7, "PERSON", 0.99, "rule", reader=KNOWN)
    made = decide(TEXT, [whole, inside], Thresholds(0.2), allowed=[(4, 7)])
    assert [(f.start, f.end) for f in made] == [(0, 12)]
    assert decide(TEXT, [inside], Thresholds(0.2), allowed=[(4, 12)]) == []


def test_a_thousand_allowed_spans_take_linear_time():
    text = "Ana " * 20_000
    spans = [(i, i + 3) for i in range(0, len(text), 4)]
    found = [Finding(a, b, "PERSON", 0.9, "model", reader=MODEL) for a, b in spans]
    assert decide(text, found, Thresholds(0.2), allowed=spans[::2]) == found[1::2]


@pytest.mark.parametrize("wrong", ["low", "", None, -0.1, 1, 1.5, True, [0.2], "nan"])
def test_a_wrong_sensitivity_is_one_sentence(wrong):
    with pytest.raises(ConfigurationError, match="sensitivity is high, balanced"):
        thresholds_of(wrong)


def test_names_of_sensitivity():
    high, balanced, exact = (thresholds_of(name).least for name in SENSITIVITIES)
    assert high < balanced < exact
    assert thresholds_of("0.25") == thresholds_of(0.25) == Thresholds(0.25)


def test_an_entity_may_have_a_sensitivity_of_its_own():
    made = thresholds_of("balanced, PERSON=high,DATE_TIME=0.7")
    assert (made.of("PERSON"), made.of("DATE_TIME"), made.of("AGE")) == (
        0.02,
        0.7,
        0.15,
    )
    found = [
        Finding(0, 3, "PERSON", 0.05, "model", reader=MODEL),
        Finding(4, 7, "DATE_TIME", 0.6, "model", reader=MODEL),
        Finding(8, 12, "AGE", 0.2, "model", reader=MODEL),
    ]
    assert [f.entity for f in decide(TEXT, found, made)] == ["PERSON", "AGE"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("balanced,PERSON", "'PERSON' is none"),
        ("balanced,PERSONA=high", "'PERSONA'; did you mean 'PERSON'"),
        ("balanced,FECHAS=high", "'FECHAS'; did you mean 'ES_FECHAS'"),
        ("balanced,PERSON=low", "sensitivity is high, balanced"),
        ("PERSON=high,balanced", "'balanced' is none"),
    ],
)
def test_a_wrong_sensitivity_of_an_entity_is_one_sentence(wrong, said):
    with pytest.raises(ConfigurationError, match=said):
        thresholds_of(wrong)
