"""The model that ships: small, without traces of where it was made, at work."""

import re
from pathlib import Path

import pytest

from presidio_mx import analyze, build_analyzer
from presidio_mx.find.ner.choose import ner_recognizers
from presidio_mx.find.ner.transformer import SHIPPED, transformer_available

if not transformer_available():
    pytest.skip("extra [transformer] is not installed", allow_module_level=True)

SAMPLES = sorted((Path(__file__).parents[1] / "samples" / "notes").glob("*.txt"))


FILES = {
    "MODEL_CARD.md",
    "calibration.yaml",
    "model.onnx",
    "presidio_mx.json",
    "tokenizer.json",
}


def test_the_model_is_complete():
    assert {path.name for path in SHIPPED.iterdir()} - {"figures.yaml"} == FILES


def test_the_model_is_small():
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 32e6


def test_no_processor_overflows():
    """Two products of 8 bits are added in 16 where there is no VNNI."""
    onnx = pytest.importorskip("onnx")
    graph = onnx.load(SHIPPED / "model.onnx").graph
    parts = {part.name: part for part in graph.initializer}
    products = [n for n in graph.node if n.op_type == "DynamicQuantizeMatMul"]
    highest = max(
        int(abs(onnx.numpy_helper.to_array(parts[node.input[1]]).astype(int)).max())
        for node in products
    )
    assert products and 2 * 255 * highest < 2**15


def test_it_tells_nothing_of_where_it_was_made():
    for path in SHIPPED.iterdir():
        assert not re.search(
            rb"/(home|root|work|tmp|Users)/|site-packages", path.read_bytes()
        )


def test_both_heads_are_calibrated():
    for preset in ("mx", "es-ES"):
        (recognizer,) = ner_recognizers("transformer", preset)
        assert recognizer.calibration is not None


@pytest.mark.parametrize(
    ("preset", "text", "wanted"),
    [
        (
            "mx",
            "la sra xochitl tepole vive con su nuera por la salida a pátzcuaro",
            "xochitl tepole",
        ),
        ("mx", "acudió ayer, dice Citlali que no durmió", "Citlali"),
        ("es-ES", "Remitido por: Dra. Carmen Bello Prieto. Burgos.", "Burgos"),
    ],
)
def test_both_heads_find_names(preset, text, wanted):
    results = build_analyzer(preset, ner="transformer").analyze(text, language="es")
    assert wanted in {text[r.start : r.end] for r in results}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_spans_do_not_overlap_and_come_again(path):
    text = path.read_text(encoding="utf-8")
    first = analyze(text, ner="transformer")
    again = build_analyzer(ner="transformer").analyze(text, language="es")
    spans = [(r.start, r.end, r.entity_type, r.score) for r in first]
    assert sorted(spans) == sorted(
        (r.start, r.end, r.entity_type, r.score) for r in again
    )
    for left, right in zip(spans, spans[1:], strict=False):
        assert left[1] <= right[0]
    if path.stem == "05_sin_identificadores":
        assert spans == []
    else:
        assert len(spans) >= 3


def test_with_the_model_no_less_is_covered():
    """What rules mark stays marked on the samples, but for what they mistook."""
    for path in SAMPLES:
        text = path.read_text(encoding="utf-8")
        rules = {i for r in analyze(text, ner="none") for i in range(r.start, r.end)}
        both = {
            i for r in analyze(text, ner="transformer") for i in range(r.start, r.end)
        }
        lost = [i for i in rules - both if text[i].isalnum()]
        assert len(lost) <= 0.05 * len(rules), path.stem
