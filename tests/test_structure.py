"""Fields of messages, exports and tables: cases, properties, and the shipped file."""

from pathlib import Path
from time import process_time

import pytest
import yaml
from finding import marked
from hypothesis import example, given
from hypothesis import strategies as st

from presidio_mx.declarations import declared_entities
from presidio_mx.errors import ConfigurationError
from presidio_mx.find.examples import bracketed
from presidio_mx.find.finding import Finding
from presidio_mx.find.preset import load_preset
from presidio_mx.find.structure import meanings as module
from presidio_mx.find.structure.find import field_findings
from presidio_mx.find.structure.meanings import load_meanings
from presidio_mx.find.structure.read import structure_of
from presidio_mx.find.structure.shapes import empty
from presidio_mx.text.folding import fold

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "structure.yaml").read_text(encoding="utf-8")
)
STRUCTURED = ["hl7", "json", "xml", "html", "sql", "pairs", "table", "user"]


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{c['kind']}-{n}" for n, c in enumerate(CASES, start=1)]
)
def test_case(case):
    text, wanted = bracketed(case["text"])
    found = marked(text)
    assert [text[f.start : f.end] for f in found] == [text[s:e] for s, e in wanted]
    roles = [f.role for f in found if f.entity == "PERSON"]
    assert roles == case.get("roles", [])


def test_every_kind_has_cases_with_and_without_identifiers():
    assert {case["kind"] for case in CASES} == set(STRUCTURED)
    assert any("roles" not in case for case in CASES)


def test_codes_of_studies_are_never_marked_whatever_a_model_says():
    text = "OBX|1|NM|4548-4^HbA1c^LN||8.2|%"
    start = text.index("4548-4")
    proposed = Finding(start, start + 6, "MEDICAL_RECORD", 0.99, "x")
    assert not marked(text, [proposed])


def test_keys_are_never_marked_whatever_a_model_says():
    text = '{"paciente": "Eulalia Neri", "nombre_rosa_luna": "x"}'
    start = text.index("nombre_rosa_luna")
    proposed = Finding(start, start + 16, "PERSON", 0.99, "x")
    found = marked(text, [proposed])
    assert [text[f.start : f.end] for f in found] == ["Eulalia Neri"]


def test_other_presets_do_not_read_fields():
    assert load_preset("mx").meanings is not None
    assert load_preset("es-ES").meanings is None


def test_the_shipped_file_leads_to_known_entities_only():
    text = "\n".join(case["text"] for case in CASES)
    document = load_preset("mx").read(text)
    found = field_findings(document, structure_of(text))
    assert {f.entity for f in found} <= set(declared_entities("mx"))


def test_a_broken_file_is_named(tmp_path, monkeypatch):
    (tmp_path / "fields.yaml").write_text("keys: [{holds: name}]\n", encoding="utf-8")
    monkeypatch.setattr(module, "folder", lambda name: tmp_path)
    with pytest.raises(ConfigurationError, match=r"fields\.yaml"):
        load_meanings.__wrapped__()


@pytest.mark.parametrize("value", ["", "-", "---", "s/d", "vacía", "No refiere", "N/A"])
def test_empty_cells(value):
    assert empty(fold(value))


@given(st.text(alphabet="{}[]\":,|^~&<>/=\n\t ;ab1Ñ('\\", max_size=200))
@example("<a>")  # the prepared note has nothing where the tag stood
def test_any_text_is_read_and_offsets_stay_inside(noise):
    text = 'PID|1||77^^^X||LUNA^EVA\n"paciente": "Ana"\n<edad>' + noise
    document = load_preset("mx").read(text)
    for found in field_findings(document, structure_of(text)):
        assert 0 <= found.start < found.end <= len(document.text)


@pytest.mark.parametrize(
    "piece",
    ["copy t from stdin\n", "insert into a values (", '{"a":[', "PID|a^b~", "<b>"],
)
def test_reading_takes_linear_time(piece):
    def seconds(size):
        begin = process_time()
        structure_of(piece * (size // len(piece)))
        return process_time() - begin

    seconds(1_000)
    # A quadratic step would take 64 times as long for 8 times the text.
    assert seconds(80_000) < 32 * seconds(10_000) + 0.5
