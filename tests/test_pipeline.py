"""The API: its promises, and what it does with bad input."""

import re
import time
from importlib.metadata import version

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from packaging.version import Version
from presidio_anonymizer.entities import OperatorConfig

from presidio_mx import (
    ConfigurationError,
    InputError,
    analyze,
    analyze_and_anonymize,
)

KEY = "7d3a9c51e8f04b62a1c5d97e3f286b04"
NOTE = (
    "Paciente hipertenso Jesús Mendoza Mares es considerado remiso. Tel. 443 312 4567"
)


def test_readme_example():
    result = analyze_and_anonymize(NOTE)
    assert result.text == (
        "Paciente hipertenso {NOMBRE} es considerado remiso. Tel. {TEL}"
    )
    for item in result.items:
        replaced = result.text[item.new_start : item.new_end]
        assert replaced in ("{NOMBRE}", "{TEL}")
    assert [NOTE[i.start : i.end] for i in result.items] == [
        "Jesús Mendoza Mares",
        "443 312 4567",
    ]


def test_operators_can_be_swapped():
    assert "Jesús" not in analyze_and_anonymize(NOTE, operators="redact").text
    surrogate = analyze_and_anonymize(NOTE, operators="surrogate", key=KEY)
    assert "Mendoza" not in surrogate.text and "{" not in surrogate.text
    own = {"PERSON": OperatorConfig("replace", {"new_value": "X"})}
    assert "Paciente hipertenso X es" in analyze_and_anonymize(NOTE, own).text


def test_surrogates_are_deterministic_under_a_key():
    first = analyze_and_anonymize(NOTE, operators="surrogate", key=KEY)
    again = analyze_and_anonymize(NOTE, operators="surrogate", key=KEY)
    other = analyze_and_anonymize(NOTE, operators="surrogate", key=KEY[::-1])
    assert first == again
    assert first.text != other.text


def test_staff_stays_where_asked():
    text = "Dr. Bedolla atiende a su hija Yatziri."
    result = analyze_and_anonymize(text, people="patient_and_relatives")
    assert result.text == "Dr. Bedolla atiende a su hija {NOMBRE}."


@pytest.mark.parametrize("value", [None, b"Paciente", 5, ["a"]])
def test_not_a_string_is_one_clear_error(value):
    with pytest.raises(InputError, match="must be a string"):
        analyze_and_anonymize(value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"operators": "no-such-profile"},
        {"people": "nobody"},
        {"preset": "mars"},
        {"ner": "magic"},
        {"known": {"shoe_size": "42"}},
        {"site": "/no/such/folder"},
        {"key": "short", "operators": "surrogate"},
        {"ner": None},
        {"ner": ""},
        {"scope": None},
        {"known": [("patient", "Rosa")]},
        {"sensitivity": True},
    ],
)
def test_unknown_arguments_are_named(arguments):
    with pytest.raises(ConfigurationError):
        analyze_and_anonymize(NOTE, **arguments)


@pytest.mark.parametrize("ner", ["none", "auto"])
def test_names_that_lost_their_letters_are_found(ner):
    text = "Pte José Peña acude con su hija María Ibáñez, Dr. Germán Muñoz"
    for lost in (re.sub("[áéíóúñ]", "\ufffd", text), text.encode("latin-1")):
        if isinstance(lost, bytes):
            lost = lost.decode("utf-8", "surrogateescape")
        left = analyze_and_anonymize(lost, ner=ner).text
        for part in ("Pe", "Ib", "Germ", "Mu", "Mar"):
            assert part not in left


@pytest.mark.parametrize("text", ["", " ", "\n\t \n", "\x00", "\ud800", "\ufeff"])
def test_texts_without_words_stay_as_they_are(text):
    result = analyze_and_anonymize(text)
    assert (result.text, result.items) == (text, ())


PIECES = st.sampled_from(
    [
        "Paciente ",
        "su hija Yatziri ",
        "Dr. Bedolla",
        "JOSÉ PÉREZ",
        "jose\u0301 pe\u0301rez",
        "SraMaría",
        "tel4431234567",
        "Zinapé-\ncuaro",
        "mari\u00adana",
        "12/03/2019",
        "CURP MEMJ850312HMNNRS09",
        "calle Aldama 45, col. Centro",
        "\x00",
        "\ud83d",
        "👩‍⚕️",
        "ﬁn ß İ ǅ",
        " ",
        "\r\n",
        "\t",
        "(",
        '"',
        "\u2028",
        "½ º ª",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=12).map("".join)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
@example("Dr. Jose\u0301 Pe\u0301rez")
def test_nothing_changes_outside_the_replaced_spans(text):
    result = analyze_and_anonymize(text)
    old = new = 0
    for item in result.items:
        assert old <= item.start < item.end <= len(text)
        assert text[old : item.start] == result.text[new : item.new_start]
        old, new = item.end, item.new_end
    assert text[old:] == result.text[new:]


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_analysis_is_deterministic_and_settled(text):
    first = [(r.start, r.end, r.entity_type, r.score) for r in analyze(text)]
    assert first == [(r.start, r.end, r.entity_type, r.score) for r in analyze(text)]
    for one, two in zip(first, first[1:], strict=False):
        assert one[1] <= two[0]


def test_decomposed_accents_are_covered_whole():
    text = "Nombre: Jose\u0301 Pe\u0301rez Marti\u0301nez  Edad: 40"
    spans = [text[r.start : r.end] for r in analyze(text) if r.entity_type == "PERSON"]
    assert spans == ["Jose\u0301 Pe\u0301rez Marti\u0301nez"]


def test_engines_are_made_once():
    analyze_and_anonymize(NOTE)
    start = time.perf_counter()
    for _ in range(20):
        analyze_and_anonymize(NOTE)
    assert (time.perf_counter() - start) / 20 < 0.2


@pytest.mark.heavy
@pytest.mark.skipif(
    Version(version("presidio-analyzer")) < Version("2.2.366"),
    reason="remove_duplicates of older Presidio takes time quadratic in the results",
)
def test_two_megabytes_on_one_line():
    unit = "Dr. Bedolla vio a su hija Yatziri, tel 443 312 4567; TA 120/80, "
    text = unit * (2_000_000 // len(unit))
    results = analyze(text)
    assert len(results) >= 3 * text.count("Bedolla") * 0.99
