"""Files in, files out: what goes, what stays, what is refused."""

import contextlib
import io
import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
import yaml
from child import call
from document_files import HIDDEN, KEPT, NAME, PHONE, everything_in, pdf_file, word_file
from docx import Document
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.errors import InputError
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.text_files import FolderSource
from presidio_mx.work.documents import pdf_file as pdf_file_module
from presidio_mx.work.documents import scan_file
from presidio_mx.work.documents.deidentify import deidentify_file
from presidio_mx.work.documents.endings import KINDS
from presidio_mx.work.documents.fhir_meta import with_security
from presidio_mx.work.documents.json_file import open_json
from presidio_mx.work.documents.opened import Change, Dropped
from presidio_mx.work.documents.pdf_file import open_pdf
from presidio_mx.work.documents.read import open_document
from presidio_mx.work.documents.xml_file import open_xml

ROOT = Path(__file__).parents[1]
KEY = b"9f3ac1e07b6d52884be1d0973c55aa61"
CASES = yaml.safe_load(
    (ROOT / "tests" / "cases" / "documents.yaml").read_text(encoding="utf-8")
)
SAMPLES = sorted(
    path for path in (ROOT / "samples" / "notes").iterdir() if path.suffix in KINDS
)
VALID = {
    "json": json.loads,
    "xml": lambda text: ElementTree.fromstring(text.encode()),
    "json lines": lambda text: [json.loads(x) for x in text.splitlines() if x],
    "lines": lambda text: text.index("\r"),
    None: len,
}


def deidentified(path, **options):
    return deidentify_file(path, ner="none", **options)


@pytest.mark.parametrize(
    "case", [c for c in CASES if "error" not in c], ids=lambda case: case["name"]
)
def test_file(case, tmp_path):
    path = tmp_path / case["name"]
    path.write_bytes(case["text"].encode())
    new = deidentified(path).data.decode()
    assert [word for word in case["gone"] if word in new] == []
    assert [word for word in case["kept"] if word not in new] == []
    VALID[case.get("valid")](new)


@pytest.mark.parametrize(
    "case", [c for c in CASES if "error" in c], ids=lambda case: case["name"]
)
def test_refused(case, tmp_path):
    path = tmp_path / case["name"]
    path.write_bytes(case["text"].encode())
    with pytest.raises(InputError, match=case["error"]) as error:
        open_document(path)
    assert "Erandi" not in str(error.value)
    assert "\n" not in str(error.value)


def test_word_document_holds_nothing_of_the_people(tmp_path):
    path = tmp_path / "nota.docx"
    path.write_bytes(word_file())
    new = deidentified(path)
    inside = everything_in(new.data)
    assert [word for word in HIDDEN if word in inside] == []
    assert [word for word in KEPT if word not in inside] == []
    assert new.suffix == ".docx"
    assert {what: lost.count for what, lost in new.left_out.items()} == {
        Dropped.PROPERTIES: 0,
        Dropped.COMMENTS: 1,
        Dropped.CHANGES: 2,
        Dropped.CODES: 3,
        Dropped.PICTURES: 1,
        Dropped.LINKS: 1,
    }


def test_word_document_keeps_its_looks(tmp_path):
    path = tmp_path / "nota.docx"
    path.write_bytes(word_file())
    new = Document(io.BytesIO(deidentified(path).data))
    runs = [run for run in new.paragraphs[0].runs if run.text]
    assert [run.text for run in runs[:2]] == ["Se presenta la paciente ", "{NOMBRE}"]
    assert runs[1].bold
    assert [cell.text for cell in new.tables[0].rows[1].cells] == [
        "{NOMBRE}",
        "{EDAD}",
        "HbA1c 8.2",
    ]
    assert new.sections[0].header.paragraphs[0].text == "Paciente: {NOMBRE}"
    assert new.sections[0].footer.paragraphs[0].text == "Elaboró: Dra. {NOMBRE}"
    assert "Vive con su hija {NOMBRE}." in [p.text for p in new.paragraphs]


def test_the_same_word_document_gives_the_same_bytes(tmp_path):
    path = tmp_path / "nota.docx"
    path.write_bytes(word_file())
    first, second = (open_document(path).written([[]]) for _ in range(2))
    assert first == second


def test_pdf_becomes_text(tmp_path):
    path = tmp_path / "nota.pdf"
    page = [
        f"Paciente: {NAME}, 61 años (DM2)",
        "Toma metformina 850 mg",
        f"Tel. {PHONE}",
    ]
    path.write_bytes(
        pdf_file(page, ["Firma Dra. Yatziri Mondragón Ruiz"], picture=(1,))
    )
    new = deidentified(path)
    assert new.data.decode() == (
        "Paciente: {NOMBRE}, {EDAD} (DM2)\nToma metformina 850 mg\nTel. {TEL}\n\n"
        "Firma Dra. {NOMBRE}\n"
    )
    assert Dropped.PROPERTIES in new.left_out


def test_scanned_pages_are_named_and_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_file_module, "_recogniser", lambda needed: None)
    path = tmp_path / "nota.pdf"
    text = ["Nota de evolución con texto bastante para que nadie la tome por imagen"]
    path.write_bytes(pdf_file(text, ["p. 2"], text, [], picture=(1, 2, 4)))
    with pytest.raises(InputError, match="page 2, 4 is scanned"):
        open_document(path)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_lose_their_people(path):
    new = deidentified(path)
    text = everything_in(new.data) if path.suffix == ".docx" else new.data.decode()
    names = ("Erandi", "Yatziri", "Macedonio", "Odil", "Simbr", "Tzintzun", "Tsintzun")
    assert [name for name in names if name.lower() in text.lower()] == []
    clinical = ("metformina 850", "850 mg", "levofloxacino 750")
    assert any(drug in text.replace("\xa0", " ").lower() for drug in clinical)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@settings(max_examples=40)
@given(values, st.booleans())
def test_json_without_findings_stays_as_it_is(value, ascii_only):
    data = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    try:
        opened = open_json(data, "x.json")
    except InputError:
        return  # lost letters, control characters
    assert opened.written([[] for _ in opened.parts]) == data


@settings(max_examples=40)
@given(st.text(min_size=1, max_size=30), st.data())
def test_json_stays_valid_whatever_is_replaced(text, data):
    raw = json.dumps({"a": text, "b": 12.5, "c": [text]})
    try:
        opened = open_json(raw.encode(), "x.json")
    except InputError:
        return
    changes = []
    for part in opened.parts:
        start = data.draw(st.integers(0, len(part.text)))
        end = data.draw(st.integers(start, len(part.text)))
        changes.append([Change(start, end, '"}\\\n<x>')] if start < end else [])
    assert json.loads(opened.written(changes)).keys() == {"a", "b", "c"}


xml_text = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"),
    max_size=30,
)


@settings(max_examples=40)
@given(xml_text, xml_text)
def test_xml_without_findings_stays_as_it_is(text, attribute):
    element = ElementTree.Element("a", {"b": attribute})
    ElementTree.SubElement(element, "c").text = text
    data = ElementTree.tostring(element, encoding="utf-8", xml_declaration=False)
    try:
        opened = open_xml(data, "x.xml")
    except InputError:
        return
    assert (
        ElementTree.fromstring(opened.written([[] for _ in opened.parts])) is not None
    )
    assert opened.written([[] for _ in opened.parts]) == data


def test_command_writes_a_word_document(tmp_path):
    path, output = tmp_path / "nota.docx", tmp_path / "nueva.docx"
    path.write_bytes(word_file())
    done = call("anonymize", str(path), "--ner", "none", "--output", str(output))
    assert (done.returncode, done.stdout) == (0, b"")
    assert "left out: " in done.stderr.decode()
    assert "comments (1; 27 letters)" in done.stderr.decode()
    assert "Eulalia" not in everything_in(output.read_bytes())


def test_a_folder_is_read_with_what_keeps_its_form(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_file_module, "_recogniser", lambda needed: None)
    (tmp_path / "b.txt").write_text("tos", encoding="utf-8")
    (tmp_path / "a.docx").write_bytes(word_file())
    (tmp_path / "c.pdf").write_bytes(pdf_file([], picture=(1,)))
    (tmp_path / "d.json").write_text("{}", encoding="utf-8")
    (tmp_path / "e.csv").write_text("a,b", encoding="utf-8")
    source = FolderSource(tmp_path)
    assert source.said == (
        f"{tmp_path.name}: 4 notes",
        f"{tmp_path.name}: 1 files of other kinds are left out (.csv 1)",
        f"{tmp_path.name}: 2 files keep their form and lose comments, properties "
        "and the like; the audit says what",
    )
    cells = [c for chunk in source.chunks(Columns(("text",))) for c in chunk.cells]
    assert (cells[0].texts[0].suffix, cells[3].texts[0].data) == (".docx", b"{}")
    assert cells[1].texts == ("tos",)
    assert cells[2].problem.startswith("the file: page 1 is scanned")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the file to write"),
        (["--output", "nueva.txt"], "name it so"),
        (["--vault", "v", "--output", "nueva.docx"], "plain text alone"),
    ],
)
def test_command_refuses(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "nota.docx"
    path.write_bytes(b"")
    done = call("anonymize", str(path), *arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", sorted(KINDS))
@pytest.mark.parametrize("head", ["", "%PDF-1.7\n", "{\\rtf1 ", "<p>", '{"a": "'])
def test_a_broken_file_is_quoted_nowhere(suffix, head, tmp_path, caplog, capfd):
    path = tmp_path / f"uno{suffix}"
    path.write_text(f"{head}Garza Treviño, Juan\nTel. 81 1234 5678", encoding="utf-8")
    with contextlib.suppress(InputError):
        open_document(path)
    said = capfd.readouterr()
    assert "Garza" not in said.out + said.err + caplog.text


def test_an_error_about_a_broken_file_quotes_nothing_of_it(tmp_path):
    for suffix in KINDS:
        path = tmp_path / f"uno{suffix}"
        path.write_text("Garza Treviño, Juan", encoding="utf-8")
        try:
            open_document(path)
        except InputError as error:
            assert "Garza" not in str(error)


def test_strict_refuses_what_would_be_lost(tmp_path):
    path = tmp_path / "nota.docx"
    path.write_bytes(word_file())
    with pytest.raises(InputError, match=r"would lose .*comments \(1; 27"):
        deidentified(path, strict=True)
    plain = tmp_path / "nota.html"
    plain.write_text("<p class=x>Glucosa 110</p>", encoding="utf-8")
    assert deidentified(plain, strict=True).data == b"Glucosa 110\n"


def test_changes_tell_places_and_no_text(tmp_path):
    path = tmp_path / "paciente.json"
    name = [{"family": "Tzintzun", "given": ["Erandi"]}]
    record = {"resourceType": "Patient", "name": name, "Erandi Tzintzun": 1}
    path.write_text(json.dumps(record), encoding="utf-8")
    places = [change.path for change in deidentified(path).changes]
    assert places[:2] == ["/name/0/family", "/name/0/given/0"]
    assert "/{2}" in places
    assert "Erandi" not in str(places)


def test_fhir_keeps_its_types_and_says_what_was_done(tmp_path):
    path = tmp_path / "paciente.json"
    record = {
        "resourceType": "Patient",
        "active": True,
        "gender": "female",
        "birthDate": "1985-03-12",
        "multipleBirthInteger": 2,
    }
    path.write_text(json.dumps(record), encoding="utf-8")
    tagged = deidentified(path)
    new = json.loads(with_security(tagged.data, ".json", tagged.changes, "x"))
    assert new["meta"]["security"][0]["code"] == "REDACTED"
    assert (new["active"], new["gender"], new["multipleBirthInteger"]) == (
        True,
        "female",
        2,
    )
    assert "birthDate" not in new
    assert new["_birthDate"]["extension"][0]["valueCode"] == "masked"
    drawn = deidentified(path, operators="surrogate", key=KEY)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", json.loads(drawn.data)["birthDate"])


@pytest.mark.parametrize(
    "text",
    [
        '{"Wenceslao Zurita": {"edad": 3}, "4433124567": 1, "443-312-4567": 2}',
        '{"a": "urn:oid:Zurita", "b": "http://hl7.org/fhir/Zurita-Uc"}',
        '{"foto": "UGFjaWVudGUgWnVyaXRh", "x": "TWFkcmU6IFBldHJhIFRlamVkYSBVYw=="}',
    ],
)
def test_what_identifies_in_keys_prefixes_and_files_goes(text, tmp_path):
    path = tmp_path / "datos.json"
    path.write_text(text, encoding="utf-8")
    new = deidentified(path).data.decode()
    assert len(json.loads(new)) == len(json.loads(text))
    for word in ("Zurita", "Wenceslao", "4567", "UGFj", "TWFk"):
        assert word not in new


def test_names_of_concepts_are_nobody(tmp_path):
    path = tmp_path / "datos.json"
    text = '{"medicamentos": [{"nombre": "Yasmin"}], "turno": {"nombre": "Victoria"}}'
    path.write_text(text, encoding="utf-8")
    assert deidentified(path).data.decode() == text


def test_dots_of_a_scanner_go_and_letters_stay():
    image, draw_module, font_module = (
        pytest.importorskip(f"PIL.{name}")
        for name in ("Image", "ImageDraw", "ImageFont")
    )
    page = image.new("L", (900, 500), 255)
    draw, font = draw_module.Draw(page), font_module.load_default(size=21)
    for line in range(12):
        draw.text((60, 40 + 34 * line), f"Paciente: {NAME}; i, j.", font=font, fill=20)
    assert scan_file._despeckled(page) is page
    grey = np.asarray(page, dtype=int)
    chance = np.random.default_rng(1).random(grey.shape)
    dotted = np.where(chance < 0.001, 0, np.where(chance > 0.999, 255, grey))
    clean = scan_file._despeckled(image.fromarray(dotted.astype(np.uint8)))

    def unlike(other):
        return np.count_nonzero(np.abs(np.asarray(other, dtype=int) - grey) > 60)

    assert unlike(clean) < unlike(dotted) / 4
    assert scan_file._despeckled(image.new("L", (1, 1), 0)).size == (1, 1)


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs Tesseract")
def test_a_page_is_painted_over(tmp_path):
    image, draw_module, font_module = (
        pytest.importorskip(f"PIL.{name}")
        for name in ("Image", "ImageDraw", "ImageFont")
    )
    page = image.new("L", (1240, 900), 255)
    draw = draw_module.Draw(page)
    font = font_module.load_default(size=30)
    lines = (
        f"Paciente: {NAME}, 61 años.",
        "Toma metformina 850 mg cada 12 horas.",
        f"Tel. {PHONE}. Acude con su hija por control.",
    )
    for number, line in enumerate(lines):
        draw.text((90, 120 + 70 * number), line, font=font, fill=0)
    path = tmp_path / "nota.png"
    page.rotate(1.5, fillcolor=255, resample=image.Resampling.BICUBIC).save(
        path, dpi=(150, 150), pnginfo=None
    )
    text = deidentified(path).data.decode()
    assert "metformina 850" in text
    new = deidentified(path, out_kind="pdf")
    layer = open_pdf(new.data, "x").parts[0].text
    shown = pypdfium2.PdfDocument(new.data)[0].render(scale=2).to_pil()
    seen = scan_file.page_of(shown, 144.0).text
    for word in ("Eulalia", "Tzintzun", "Huerta", "4567"):
        assert word not in layer + text + seen
    assert "metformina" in seen
    assert b"/Title" not in new.data


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs Tesseract")
def test_a_pdf_with_text_comes_out_painted_over(tmp_path):
    page = [f"Paciente: {NAME}, 61 años", "Toma metformina 850 mg", f"Tel. {PHONE}"]
    path = tmp_path / "nota.pdf"
    path.write_bytes(pdf_file(page, ["Firma Dra. Yatziri Mondragón Ruiz"]))
    new = deidentified(path, out_kind="pdf")
    layer = open_pdf(new.data, "x").parts[0].text
    sheets = pypdfium2.PdfDocument(new.data)
    seen = [scan_file.page_of(s.render(scale=3).to_pil(), 216.0).text for s in sheets]
    for word in ("Eulalia", "Tzintzun", "Huerta", "4567", "Yatziri", "Mondrag"):
        assert word not in layer + " ".join(seen)
    assert len(sheets) == 2
    assert "metformina 850" in layer
    assert "metformina" in seen[0]
