"""The transformer recognizer, with models that a test can write by hand."""

import json

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

pytest.importorskip("onnxruntime", reason="extra [transformer] is not installed")
pytest.importorskip("onnx", reason="onnx, which writes the toy model, is not installed")

from toy_model import write_toy_model

from presidio_mx import ConfigurationError, build_analyzer
from presidio_mx.find.ner.choose import kind_of, ner_recognizers
from presidio_mx.find.ner.transformer import MxTransformerRecognizer
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
        "Ruiz",
        "Ruiz",
    ]
    assert recognizer.model_hash
    assert recognizer.supported_entities == ["PERSON"]


def test_scans_are_read_with_their_words_whole(model):
    """The model sees "Xochiquetzal"; what it finds lies in the note as given."""
    text = "PAClENTE 2O24 l2/O3 H0SPlTAL Xochi quetzal Tzompantzin FlRMA"
    assert found(MxTransformerRecognizer(model), text) == ["Xochi quetzal Tzompantzin"]


@pytest.mark.parametrize("text", ["", "  \n", "\x00", "\ud800 Ruiz", "sin nombres"])
def test_texts_with_little_in_them(model, text):
    names = found(MxTransformerRecognizer(model), text)
    assert names == (["Ruiz"] if "Ruiz" in text else [])


@pytest.mark.parametrize("before", range(0, 40))
def test_no_seam_is_seen(model, before):
    """A span may lie anywhere in a note that is longer than a window."""
    text = "nada " * before + "Xochiquetzal Tzompantzin" + " nada" * 60
    assert found(MxTransformerRecognizer(model), text) == ["Xochiquetzal Tzompantzin"]


def test_batches_give_the_same(model):
    text = ("nada " * 7 + "Xochiquetzal Tzompantzin ") * 40
    one = MxTransformerRecognizer(model, batch_size=1).analyze(text, [])
    many = MxTransformerRecognizer(model, batch_size=16).analyze(text, [])
    assert [(r.start, r.end, r.score) for r in one] == [
        (r.start, r.end, r.score) for r in many
    ]
    assert len(one) == 40


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


def test_the_weights_decide(model, tmp_path):
    text = "Acude Zyrquis hoy."
    assert "Zyrquis" not in _with_weights(text, tmp_path / "a", threshold=0.9)
    assert "Zyrquis" in _with_weights(text, tmp_path / "b", threshold=0.1)


def test_a_sure_model_stops_a_weak_rule(tmp_path):
    text = "Ofelia refiere dolor."
    ruled = {text[r.start : r.end] for r in rules(text)}
    assert ruled == {"Ofelia"}
    assert _with_weights(text, tmp_path / "a", veto_score=1.1, veto_at=0.9) == []
    assert _with_weights(text, tmp_path / "b", veto_score=0.0, veto_at=0.9)


def rules(text):
    return build_analyzer(ner="none").analyze(text, language="es")


def _with_weights(text, folder, **weights):
    write_toy_model(folder, WORDS)
    (folder / "fusion.yaml").write_text(json.dumps({"mx": {"PERSON": weights}}))
    results = build_analyzer(ner=str(folder)).analyze(text, language="es")
    return [text[r.start : r.end] for r in results]


def test_a_role_seen_by_a_rule_stays(model):
    text = "Atendió la Dra. Xochiquetzal Tzompantzin"
    results = build_analyzer(ner=str(model)).analyze(text, language="es")
    assert [r.recognition_metadata["role"] for r in results] == ["staff"]


def test_errors_name_the_way_out(model, tmp_path):
    with pytest.raises(ConfigurationError, match="no such model"):
        MxTransformerRecognizer(tmp_path / "none")
    with pytest.raises(ConfigurationError, match="presidio_mx.json is missing"):
        MxTransformerRecognizer(tmp_path)
    with pytest.raises(ConfigurationError, match="unknown: use auto"):
        ner_recognizers("gpt", "mx")
    with pytest.raises(ConfigurationError, match="batch_size"):
        MxTransformerRecognizer(model, batch_size=0)
    broken = tmp_path / "broken"
    write_toy_model(broken, WORDS)
    (broken / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ConfigurationError, match="cannot be loaded"):
        MxTransformerRecognizer(broken)
    (broken / "fusion.yaml").write_text("mx: {PERSON: {weight: 3}}")
    (broken / "presidio_mx.json").write_text('{"kind": "crf"}')
    with pytest.raises(ConfigurationError, match="kind is 'crf'"):
        MxTransformerRecognizer(broken)


def test_weights_that_do_not_exist(tmp_path):
    folder = write_toy_model(tmp_path / "toy", WORDS)
    (folder / "fusion.yaml").write_text("mx: {PERSON: {weight: 3}}")
    with pytest.raises(ConfigurationError, match="fusion.yaml: PERSON"):
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
