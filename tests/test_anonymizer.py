import json
import os
import pickle
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presidio_analyzer import PatternRecognizer, RecognizerResult
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import InvalidParamError, OperatorConfig

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.engine import build_analyzer
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key, Scope, find_key
from presidio_mx.replace.operators import (
    OPERATORS,
    Encrypt,
    register_operators,
    register_operators_globally,
)
from presidio_mx.replace.profiles import load_profile, profile_names

KEY = "a key for tests only"
TEXT = "Paciente Jesús Mendoza Ana Ruiz Tel. 443 312 4567"
RESULTS = [
    RecognizerResult("PERSON", 9, 22, 1.0, recognition_metadata={"role": "patient"}),
    RecognizerResult("PERSON", 23, 31, 0.9),
    RecognizerResult("PHONE_NUMBER", 37, 49, 0.8),
]


def test_tags_of_the_thesis_and_neighbours_stay_two():
    done = anonymize(TEXT, RESULTS, "tag")
    assert done.text == "Paciente {NOMBRE} {NOMBRE} Tel. {TEL}"
    assert [item.role for item in done.items] == ["patient", "", ""]
    assert [done.text[i.new_start : i.new_end] for i in done.items] == [
        "{NOMBRE}",
        "{NOMBRE}",
        "{TEL}",
    ]
    assert [TEXT[i.start : i.end] for i in done.items][0] == "Jesús Mendoza"


def test_a_dictionary_of_presidio_is_not_changed():
    operators = {"PERSON": OperatorConfig("replace", {"new_value": "X"})}
    done = anonymize(TEXT, RESULTS, operators)
    assert done.text == "Paciente X X Tel. {TEL}"
    assert list(operators) == ["PERSON"]


@pytest.mark.parametrize("name", profile_names())
def test_every_shipped_profile_removes_the_values(name):
    done = anonymize(TEXT, RESULTS, name, key=KEY)
    for value in ("Jesús", "Ana Ruiz", "312 4567"):
        assert value not in done.text
    assert done.text.startswith("Paciente ")


pieces = st.lists(
    st.tuples(
        st.text(st.characters(), max_size=8),
        st.text(st.characters(), min_size=1, max_size=12),
        st.sampled_from(["PERSON", "ADDRESS", "DATE_TIME", "AGE", "MX_CURP", "URL"]),
    ),
    max_size=6,
)


@given(pieces, st.text(st.characters(), max_size=8), st.sampled_from(profile_names()))
def test_outside_the_spans_nothing_changes(parts, tail, profile):
    text, results, gaps = "", [], []
    for gap, value, entity in parts:
        text += gap
        gaps.append(gap)
        results.append(RecognizerResult(entity, len(text), len(text) + len(value), 0.5))
        text += value
    gaps.append(tail)
    text += tail
    done = anonymize(text, results, profile, key=KEY)
    position, kept = 0, []
    for item in done.items:
        kept.append(done.text[position : item.new_start])
        position = item.new_end
    kept.append(done.text[position:])
    assert kept == gaps


def test_many_entities_take_linear_time_and_keep_their_order():
    text = "Ana Ruiz, " * 2000
    results = [RecognizerResult("PERSON", i * 10, i * 10 + 8, 0.9) for i in range(2000)]
    done = anonymize(text, results, "tag")
    assert done.text == "{NOMBRE}, " * 2000
    assert [i.start for i in done.items] == list(range(0, 20000, 10))


def test_overlaps_lose_nothing_and_bad_offsets_are_refused():
    results = [
        RecognizerResult("PERSON", 9, 22, 0.5),
        RecognizerResult("LOCATION", 15, 31, 0.9),
        RecognizerResult("AGE", 10, 12, 0.9),
    ]
    assert anonymize(TEXT, results, "tag").text.startswith("Paciente {NOMBRE}{CIUDAD} ")
    with pytest.raises(InputError, match="offsets 5 to 500"):
        anonymize(TEXT, [RecognizerResult("PERSON", 5, 500, 0.5)], "tag")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("entities: {PERSONA: tag}", "unknown entity 'PERSONA'.*PERSON"),
        ("entities: {PERSON: tagg}", "unknown operator 'tagg'.*surrogate"),
        ("entities: {PERSON: {operator: tag, stile: x}}", "no parameter 'stile'"),
        ("entities: {PERSON: {operator: tag, style: x}}", "style must be one of"),
        ("default: {operator: surrogate, places: moon}", "places must be one of"),
        ("operators: {}", "unknown key 'operators'"),
        ("entities: [", r"mine\.yaml, line"),
        ("default: {operator: surrogate, days_min: 9, days_max: 3}", "days_min"),
        ("default: {operator: surrogate, season: same}", "raise days_max"),
        ("default: {operator: surrogate, season: spring}", "any, near, same"),
        ("extends: nothing", "unknown operator profile 'nothing'"),
        ("- tag", "expected keys such as entities:"),
        (
            "entities:\n  PERSON: redact\n  AGE: keep\n  PERSON: keep\n",
            r"mine\.yaml, line 4: 'PERSON' stands here again, first in line 2",
        ),
        ("entities: {PERSON: tag}\nentities: {AGE: tag}\n", "line 2: 'entities'"),
    ],
)
def test_a_wrong_profile_is_named_with_what_exists(tmp_path, content, message):
    path = tmp_path / "mine.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        load_profile(path)


MASK = {"masking_char": "*", "from_end": False}


@pytest.mark.parametrize(
    ("operator", "params", "message"),
    [
        *(
            ("mask", MASK | {"chars_to_mask": count}, "chars_to_mask must be a whole")
            for count in (-4, 0, True, 2.5, "", None)
        ),
        ("mask", {"chars_to_mask": 4, "from_end": 0, "masking_char": "*"}, "from_end"),
        ("mask", {"chars_to_mask": 4, "from_end": True, "masking_char": 0}, "_char"),
        ("mask", MASK, "chars_to_mask"),
        ("hash", {"salt": "short"}, "at least 16 bytes"),
        ("hash", {"salt": 1234567890123456}, "salt must be text"),
        ("hash", {"salt": None}, "salt must be text"),
        ("replace", {"new_value": 0}, "new_value must be text"),
        ("encrypt", {"key": "short"}, "at least 16"),
    ],
)
def test_parameters_that_leave_a_name_or_fail_later_are_refused(
    tmp_path, operator, params, message
):
    """Presidio takes them: it checks nothing that Python takes for false."""
    with pytest.raises(ConfigurationError, match=message):
        anonymize(TEXT, [], {"PERSON": OperatorConfig(operator, params)})
    path = tmp_path / "mine.yaml"
    entry = {"operator": operator, **params}
    path.write_text(f"entities: {json.dumps({'PERSON': entry})}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        load_profile(path)


@pytest.mark.parametrize(
    ("operator", "params", "start"),
    [
        ("mask", MASK | {"chars_to_mask": 4}, "Paciente ****s Mendoza"),
        ("mask", MASK | {"chars_to_mask": 99}, "Paciente ************* *"),
        ("replace", {"new_value": ""}, "Paciente <PERSON> <"),
        ("hash", {"salt": b"0" * 16}, "Paciente 3"),
    ],
)
def test_parameters_that_presidio_means_are_taken(operator, params, start):
    done = anonymize(TEXT, RESULTS, {"PERSON": OperatorConfig(operator, params)})
    assert done.text.startswith(start)


def test_a_profile_extends_another_and_a_folder_of_ones_own_wins(tmp_path):
    (tmp_path / "tag.yaml").write_text(
        "extends: redact\nentities:\n  PERSON: {operator: tag, tag: '[X]'}\n"
    )
    profile = load_profile("tag", (tmp_path,))
    assert profile.spec("PERSON").params["tag"] == "[X]"
    assert profile.spec("AGE").operator == "redact"
    with pytest.raises(ConfigurationError, match="profiles are"):
        load_profile("nope", (tmp_path,))


def test_profiles_that_extend_one_another_are_refused(tmp_path):
    """They used to end in a RecursionError."""
    (tmp_path / "a.yaml").write_text("extends: b\n")
    (tmp_path / "b.yaml").write_text("extends: a\n")
    with pytest.raises(ConfigurationError, match="cannot extend itself"):
        load_profile("a", (tmp_path,))


def test_a_profile_is_read_anew_when_the_one_it_extends_changes(tmp_path):
    parent = tmp_path / "parent.yaml"
    (tmp_path / "child.yaml").write_text("extends: parent\n")
    for changed, operator in enumerate(["redact", "keep"]):
        parent.write_text(f"default: {operator}\n")
        os.utime(parent, ns=(changed, changed))
        profile = load_profile("child", (tmp_path,))
        assert profile.default.operator == operator


@pytest.mark.parametrize("cls", OPERATORS)
def test_every_operator_works_alone_in_a_stock_engine(cls):
    engine = AnonymizerEngine()
    engine.add_anonymizer(cls)
    params = {"to": "month"} if cls.name == "generalize" else {}
    config = OperatorConfig(cls.name, params)
    done = engine.anonymize(TEXT, RESULTS, {"DEFAULT": config})
    assert "Jesús Mendoza" not in done.text and "443 312 4567" not in done.text


def test_operators_register_once_everywhere():
    from presidio_anonymizer.operators import operators_factory

    before = list(operators_factory.ANONYMIZERS)
    try:
        register_operators_globally()
        register_operators_globally()
        assert len(operators_factory.ANONYMIZERS) == len(before) + len(OPERATORS)
        assert "surrogate" in AnonymizerEngine().get_anonymizers()
    finally:
        operators_factory.ANONYMIZERS[:] = before
    assert "tag" in register_operators(AnonymizerEngine()).get_anonymizers()


def test_a_key_never_shows_and_must_be_long_enough(monkeypatch, tmp_path):
    key = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")
    assert "7d3a" not in repr(key) + str(key) + repr(OperatorConfig("tag", {"k": key}))
    assert pickle.loads(pickle.dumps(key)) == key
    with pytest.raises(ConfigurationError, match="at least 16"):
        find_key("short")
    monkeypatch.setenv("PRESIDIO_MX_KEY", "7d3a9c51e8f04b62a1c5d97e3f286b04")
    assert find_key() == key
    path = tmp_path / "key"
    path.write_text("40b682f3e79d5c1a26b40f8e15c9a3d7\n")
    assert find_key(key_file=path) == Key(b"40b682f3e79d5c1a26b40f8e15c9a3d7")
    with pytest.raises(ConfigurationError, match="No such file"):
        find_key(key_file=tmp_path / "none")
    monkeypatch.delenv("PRESIDIO_MX_KEY")
    with pytest.raises(ConfigurationError, match="PRESIDIO_MX_KEY"):
        find_key(required=True)


def test_scopes():
    assert Scope.parse("corpus").label == ""
    assert Scope.parse("patient:7").label == "patient:7"
    assert Scope.parse("", "a").label != Scope.parse("", "b").label
    with pytest.raises(ConfigurationError, match="unknown scope; scopes are"):
        Scope.parse("ward")
    assert Scope.parse("document", "a") == Scope.parse(Scope(), "a")
    assert Scope.parse("document:7").label == "document:7"
    blank = ("patient", "patient:", "patient: ", "patient:\t", "document:", ": ")
    for scope in (*blank, Scope("patient", " "), Scope("document", " ")):
        with pytest.raises(ConfigurationError, match="needs an id"):
            Scope.parse(scope)


@pytest.mark.parametrize("operator", [*OPERATORS, Encrypt], ids=lambda each: each.name)
def test_no_operator_works_without_knowing_what_it_replaces(operator):
    """As presidio-structured calls operators unless it is told the type."""
    params = {"to": "year"} if operator.name == "generalize" else {}
    with pytest.raises(InvalidParamError, match="entity_type"):
        operator().operate("Jesús Mendoza", params)
    with pytest.raises(InvalidParamError, match="entity_type"):
        operator().operate("Jesús Mendoza", None)


def test_an_entity_that_nobody_reports_is_told():
    slip = {"PERSONA": OperatorConfig("redact"), "DEFAULT": OperatorConfig("tag")}
    with pytest.warns(UserWarning, match="unknown entity 'PERSONA'; did you mean"):
        anonymize(TEXT, RESULTS, slip)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        anonymize(TEXT, RESULTS, {"PERSON": OperatorConfig("redact")})


@pytest.mark.parametrize("given", ["one", ["x"], None, 7])
def test_recognizers_are_given_as_a_list(given):
    one = PatternRecognizer("X", deny_list=["y"], supported_language="es")
    recognizers = one if given == "one" else given
    with pytest.raises(ConfigurationError, match="list of recognizers"):
        build_analyzer(ner="none", recognizers=recognizers)
