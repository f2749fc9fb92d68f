"""Our recognizers beside other languages and recognizers in one engine."""

import pytest
import spacy
import yaml
from presidio_analyzer import AnalyzerEngineProvider, Pattern, PatternRecognizer

from presidio_mx import analyze, build_analyzer
from presidio_mx.work.service.presidio_config import Wanted, config_files
from presidio_mx.work.service.schema import allow_parameters

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"
ENGLISH = "Write to jane@example.com or call."


def spans(results):
    return {(r.start, r.end, r.entity_type) for r in results}


@pytest.fixture(scope="module")
def bilingual(tmp_path_factory):
    """An analyzer for English, as stock as can be without a model, and for es."""
    allow_parameters()
    folder = tmp_path_factory.mktemp("bilingual")
    spacy.blank("en").to_disk(folder / "en")
    data = yaml.safe_load(config_files(Wanted(ner="none"))["analyzer.yaml"])
    data["supported_languages"] = ["en", "es"]
    model = {"lang_code": "en", "model_name": str(folder / "en")}
    data["nlp_configuration"]["models"].append(model)
    registry = data["recognizer_registry"]
    registry["supported_languages"] = ["en", "es"]
    registry["recognizers"] += [
        {
            "name": "EmailRecognizer",
            "type": "predefined",
            "supported_languages": ["en"],
        },
        {
            "name": "Brigada",
            "type": "custom",
            "supported_languages": ["es"],
            "supported_entity": "BRIGADA",
            "patterns": [{"name": "b", "regex": r"\bBR-\d{3}\b", "score": 0.9}],
        },
    ]
    path = folder / "analyzer.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    return AnalyzerEngineProvider(analyzer_engine_conf_file=path).create_engine()


def test_two_languages_do_not_mix(bilingual):
    assert spans(bilingual.analyze(NOTE, language="es")) == spans(analyze(NOTE))
    english = bilingual.analyze(ENGLISH, language="en")
    assert spans(english) == {(9, 25, "EMAIL_ADDRESS")}


def test_another_recognizer_of_the_same_language(bilingual):
    found = bilingual.analyze(f"{NOTE}. Brigada BR-123", language="es")
    assert (78, 84, "BRIGADA") in spans(found)
    assert spans(analyze(NOTE)) <= spans(found)


@pytest.mark.parametrize("match", ["exact", "regex"])
def test_allow_list(match):
    allowed = ["443 312 4567"] if match == "exact" else [r"443 \d{3} \d{4}"]
    found = build_analyzer().analyze(
        NOTE, language="es", allow_list=allowed, allow_list_match=match
    )
    assert {r.entity_type for r in found} == {"PERSON"}


def test_thresholds_entities_and_decision_process():
    engine = build_analyzer()
    assert engine.analyze(NOTE, language="es", score_threshold=1.01) == []
    phones = engine.analyze(NOTE, language="es", entities=["PHONE_NUMBER"])
    assert spans(phones) == {(56, 68, "PHONE_NUMBER")}
    why = engine.analyze(NOTE, language="es", return_decision_process=True)
    assert all(r.analysis_explanation.textual_explanation for r in why)


def test_ad_hoc_recognizer_with_context():
    ad_hoc = PatternRecognizer(
        supported_entity="CAMA",
        supported_language="es",
        patterns=[Pattern("cama", r"\bK\d{2}\b", 0.3)],
        context=["cama"],
    )
    engine = build_analyzer()
    text = f"{NOTE}. En la cama K12."
    found = engine.analyze(text, language="es", ad_hoc_recognizers=[ad_hoc])
    [bed] = [r for r in found if r.entity_type == "CAMA"]
    assert text[bed.start : bed.end] == "K12"
    assert bed.score > 0.3
    assert not [r for r in engine.analyze(text, "es") if r.entity_type == "CAMA"]


def test_batch_engine_takes_our_analyzer():
    from presidio_analyzer import BatchAnalyzerEngine

    batch = BatchAnalyzerEngine(build_analyzer())
    found = batch.analyze_iterator([NOTE, ""], language="es")
    assert [spans(results) for results in found] == [spans(analyze(NOTE)), set()]


def test_presidio_structured_takes_our_analyzer():
    structured = pytest.importorskip("presidio_structured")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"tel": ["443 312 4567"] * 3, "peso": ["70", "71", "72"]})
    builder = structured.PandasAnalysisBuilder(analyzer=build_analyzer())
    analysis = builder.generate_analysis(frame, language="es")
    assert analysis.entity_mapping == {"tel": "PHONE_NUMBER"}


def test_image_redactor_takes_our_analyzer():
    redactor = pytest.importorskip("presidio_image_redactor")
    image = pytest.importorskip("PIL.Image")

    class Typed(redactor.OCR):
        """Stands for a reader of pixels: the words of the note in a row."""

        def perform_ocr(self, _, **kwargs):
            words = NOTE.split()
            boxes = range(len(words))
            return {
                "text": words,
                "left": [10 * i for i in boxes],
                "top": [0 for _ in boxes],
                "width": [9 for _ in boxes],
                "height": [9 for _ in boxes],
                "conf": ["99" for _ in boxes],
            }

    engine = redactor.ImageAnalyzerEngine(analyzer_engine=build_analyzer(), ocr=Typed())
    found = engine.analyze(image.new("RGB", (200, 20)), language="es")
    assert {r.entity_type for r in found} == {"PERSON", "PHONE_NUMBER"}
