"""The transformer recognizer, with models that a test can write by hand."""

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

pytest.importorskip("onnxruntime", reason="extra [transformer] is not installed")
pytest.importorskip("onnx", reason="onnx, which writes the toy model, is not installed")

from toy_model import write_toy_model

from presidio_mx import ConfigurationError, build_analyzer
from presidio_mx.find.ner.choose import kind_of, ner_recognizers
from presidio_mx.find.ner.transformer import MxTransformerRecognizer, before_hour
from presidio_mx.find.nlp import MxNlpEngine

WORDS = {
    "Xochiquetzal": ("B-PERSON", 12.0),
    "Tzompantzin": ("I-PERSON", 12.0),
    "Zyrquis": ("B-PERSON", 7.0),
    "Ruiz": ("B-PERSON", 12.0),
    "Ofelia": ("O", 20.0),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_toy_model(tmp_path_factory.mktemp("models") / "toy", WORDS)


def found(recognizer, text):
    return [text[r.start : r.end] for r in recognizer.analyze(text, [])]


def test_spans_in_words(model):
    recognizer = MxTransformerRecognizer(model)
    text = "Acude Xochiquetzal Tzompantzin, y\nTzompantzin; Ruiz Ruiz"
    assert found(recognizer, text) == [
        "Xochiquetzal Tzompantzin",
        "Tzompantzin",  # the rest of a name whose beginning is nowhere
        "Ruiz",
        "Ruiz",
    ]
    assert recognizer.model_hash
    assert recognizer.supported_entities == ["PERSON"]


@pytest.mark.parametrize("text", ["", "  \n", "\x00", "\ud800 Ruiz", "sin nombres"])
def test_texts_with_little_in_them(model, text):
    names = found(MxTransformerRecognizer(model), text)
    assert names == (["Ruiz"] if "Ruiz" in text else [])


@pytest.mark.parametrize("before", range(0, 40))
def test_no_seam_is_seen(model, before):
    """A span may lie anywhere in a note that is longer than a window."""
    text = "nada " * before + "Xochiquetzal Tzompantzin" + " nada" * 60
    assert found(MxTransformerRecognizer(model), text) == ["Xochiquetzal Tzompantzin"]


def test_a_note_gives_the_same_beside_any_other(model):
    recognizer = MxTransformerRecognizer(model)
    text = ("nada " * 7 + "Xochiquetzal Tzompantzin ") * 40

    def told():
        return [(r.start, r.end, r.score) for r in recognizer.analyze(text, [])]

    first = told()
    recognizer.analyze("Ruiz", [])
    assert told() == first and len(first) == 40


def test_threshold_and_entities(model):
    text = "Zyrquis Xochiquetzal"
    assert found(MxTransformerRecognizer(model, threshold=0.9), text) == [
        "Xochiquetzal"
    ]
    assert MxTransformerRecognizer(model).analyze(text, ["LOCATION"]) == []


def test_alone_in_a_stock_engine(model):
    engine = AnalyzerEngine(
        registry=RecognizerRegistry(
            [MxTransformerRecognizer(model)], supported_languages=["es"]
        ),
        nlp_engine=loaded_nlp(),
        supported_languages=["es"],
    )
    (result,) = engine.analyze("Vino Xochiquetzal Tzompantzin", language="es")
    assert (result.start, result.end, result.entity_type) == (5, 29, "PERSON")


def loaded_nlp():
    nlp = MxNlpEngine()
    nlp.load()
    return nlp


def test_rules_and_model_make_one_answer(model):
    text = "Nombre: Mario Ruiz Tzompantzin. Vino Xochiquetzal Tzompantzin. RFC: X"
    results = build_analyzer(ner=str(model)).analyze(text, language="es")
    spans = sorted((r.start, r.end) for r in results)
    assert all(
        left[1] <= right[0] for left, right in zip(spans, spans[1:], strict=False)
    )
    names = [text[start:end] for start, end in spans]
    assert "Xochiquetzal Tzompantzin" in names
    assert "Mario Ruiz Tzompantzin" in names


def test_the_sensitivity_says_from_which_probability_on_words_are_marked(model):
    """Zyrquis is held for a name with a probability of 73 %."""
    text = "Acude Zyrquis hoy."

    def marked(sensitivity):
        engine = build_analyzer(ner=str(model), sensitivity=sensitivity)
        return [text[r.start : r.end] for r in engine.analyze(text, language="es")]

    assert marked(0.7) == ["Zyrquis"]
    assert marked(0.8) == []


def test_the_role_of_a_name_is_the_models(tmp_path):
    folder = write_toy_model(tmp_path / "toy", WORDS, role="relative")
    results = build_analyzer(ner=str(folder)).analyze(
        "Viene Xochiquetzal Tzompantzin.", language="es"
    )
    assert [r.recognition_metadata["role"] for r in results] == ["relative"]


def test_errors_name_the_way_out(model, tmp_path):
    with pytest.raises(ConfigurationError, match="no such model"):
        MxTransformerRecognizer(tmp_path / "none")
    with pytest.raises(ConfigurationError, match="presidio_mx.json is missing"):
        MxTransformerRecognizer(tmp_path)
    with pytest.raises(ConfigurationError, match="unknown: use auto"):
        ner_recognizers("gpt", "mx")
    broken = tmp_path / "broken"
    write_toy_model(broken, WORDS)
    (broken / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ConfigurationError, match="cannot be loaded"):
        MxTransformerRecognizer(broken)
    (broken / "presidio_mx.json").write_text('{"kind": "crf"}')
    with pytest.raises(ConfigurationError, match="kind is 'crf'"):
        MxTransformerRecognizer(broken)


def test_a_broken_calibration_is_named(tmp_path):
    folder = write_toy_model(tmp_path / "toy", WORDS)
    (folder / "calibration.yaml").write_text("mx: {weights: {PERSON: {one: 3}}}")
    with pytest.raises(ConfigurationError, match="calibration.yaml: mx lacks"):
        MxTransformerRecognizer(folder)


def test_kinds(tmp_path, model):
    assert kind_of(model) == "transformer"
    (tmp_path / "config.json").write_text("{}")
    assert kind_of(tmp_path) == "hf"
    (tmp_path / "gliner_config.json").write_text("{}")
    assert kind_of(tmp_path) == "gliner"


def test_a_missing_extra_is_one_sentence(model, monkeypatch):
    from presidio_mx import MissingExtraError
    from presidio_mx.find.ner import onnx_model

    onnx_model.load_model.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[transformer\]"):
        MxTransformerRecognizer(model)


def test_a_stock_engine_from_our_configuration_gives_the_same(model, tmp_path):
    from presidio_analyzer import AnalyzerEngineProvider

    from presidio_mx.work.service.presidio_config import Wanted, write_config
    from presidio_mx.work.service.schema import allow_parameters

    allow_parameters()
    write_config(tmp_path / "conf", Wanted(ner=str(model)))
    stock = AnalyzerEngineProvider(
        analyzer_engine_conf_file=tmp_path / "conf" / "analyzer.yaml"
    ).create_engine()
    text = "Nombre: Mario Ruiz Tzompantzin. Vino Xochiquetzal Tzompantzin, 45 años"
    ours = build_analyzer(ner=str(model)).analyze(text, language="es")

    def told(results):
        return sorted((r.start, r.end, r.entity_type, r.score) for r in results)

    assert told(stock.analyze(text, language="es")) == told(ours)
    assert "Xochiquetzal" in text[told(ours)[1][0] :]


def test_auto_takes_the_shipped_model_where_its_extra_is(automatic):
    from presidio_mx.find.ner.transformer import transformer_available

    made = ner_recognizers("auto", "mx")
    assert bool(made) == transformer_available()
    assert ner_recognizers("none", "mx") == []


def test_the_environment_says_what_auto_is(model, monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_NER", str(model))
    (made,) = ner_recognizers("auto", "mx")
    assert made.model == model


@pytest.mark.parametrize(
    ("taken", "behind", "date"),
    [
        ("21-nov 12", ":40] ingresa", "21-nov"),
        ("3/5/21, 9", ":05 h", "3/5/21"),
        ("21 nov 12", ", 40 h", "21 nov 12"),
        ("12", ":40", "12"),
    ],
)
def test_a_date_ends_before_its_hour(taken, behind, date):
    text = "[" + taken + behind
    assert text[1 : before_hour(text, 1, 1 + len(taken))] == date
