"""Slips of scanners: what is read instead, what stays, where it counts."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from presidio_mx.find.note.prepare import readable
from presidio_mx.find.note.scan_dates import scan_dates
from presidio_mx.find.note.scans import boxes, scan_slips, scanned
from presidio_mx.find.note.spread import spread
from presidio_mx.find.note.working_text import WorkingText, working_text
from presidio_mx.find.vote.broken import whole_again

from presidio_mx import build_analyzer
from presidio_mx.find.examples import bracketed
from presidio_mx.find.finding import Finding
from presidio_mx.find.preset import load_preset

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "scans.yaml").read_text(encoding="utf-8")
)
SCANNED = "SEX0 H0SPlTAL HlDALGO DlABETES D0CTOR ClRUGIA "


def read(token):
    text = SCANNED + token
    return WorkingText(text, text).edited(scan_slips(text)).text[len(SCANNED) :]


@pytest.mark.parametrize(("token", "meant"), CASES["read"].items())
def test_slip_is_read(token, meant):
    assert read(token) == meant


@pytest.mark.parametrize("token", CASES["stays"])
def test_other_words_stay(token):
    assert read(token) == token


def date_read(text):
    return WorkingText(text, text).edited(scan_dates(text)).text


@pytest.mark.parametrize(("written", "meant"), CASES["dates"].items())
def test_date_is_read(written, meant):
    assert date_read(written) == meant


@pytest.mark.parametrize("text", CASES["no_dates"])
def test_what_is_no_date_stays(text):
    assert date_read(text) == text


@pytest.mark.parametrize(
    "case",
    [
        case
        for kind in ("notes", "over_lines", "exclaimed", "apart")
        for case in CASES[kind]
    ],
)
def test_note(case):
    text, wanted = bracketed(case)
    found = [text[f.start : f.end] for f in load_preset("mx").find(text)]
    assert [text[start:end] for start, end in wanted] == found


@pytest.mark.parametrize(("written", "meant"), CASES["readable"].items())
def test_page_is_read(written, meant):
    read = readable(written)
    assert read.text == meant
    # Every letter leads back to the page, in order.
    back = [read.back(i, i + 1) for i in range(len(read.text))]
    assert back == sorted(back)


@pytest.mark.parametrize("case", CASES["whole"])
def test_broken_identifiers_are_whole(case):
    text, wanted = bracketed(case)
    found = build_analyzer("mx", "none").analyze(text, language="es")
    inside = [text[r.start : r.end] for r in sorted(found, key=lambda r: r.start)]
    assert [text[start:end] for start, end in wanted] == inside


@pytest.mark.parametrize(("found", "wanted"), CASES["joined"])
def test_parts_of_a_name_are_one(found, wanted):
    text, parts = bracketed(found)
    people = [Finding(start, end, "PERSON", 0.9, "rule") for start, end in parts]
    made = [(f.start, f.end) for f in whole_again(text, people)]
    assert made == list(bracketed(wanted)[1])


def test_a_note_that_was_typed_is_no_scan():
    text = "O2 3 L/min, HbA1c 8.2, H1N1, B12 1 mg, PaCO2 40, T4L 1.2, L5-S1, 10l0"
    assert not scanned(text)
    assert working_text(text).text == text


def test_letters_in_brackets_are_one():
    text = "Ap. paterno [M][U][N][G][U][I][A]  Tel [4][8][3][1][0][2][9][9][0][7]"
    found = [text[f.start : f.end] for f in load_preset("mx").find(text)]
    assert found == ["M][U][N][G][U][I][A", "4][8][3][1][0][2][9][9][0][7"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("MU¥OZ, AV SERDµN, LEàN", "MUÑOZ, AV SERDÁN, LEÓN"),
        ("pe¤a", "peña"),
        ("YA?EZ y GUDI?O", "YAÑEZ y GUDIÑO"),
        ("FIEBRE?NO", "FIEBRE?NO"),
        ("TSH 2.5 µUI/mL, Té de manzanilla", "TSH 2.5 µUI/mL, Té de manzanilla"),
        ("TSH 2 µUI/mL, peque\udcf1o", "TSH 2 µUI/mL, pequeño"),
    ],
)
def test_letters_that_old_programs_lost(written, meant):
    assert working_text(written).text == meant


def test_boxes_of_both_kinds_stand_in_order():
    text = "CURP |L|U|O|E|8|0|0|6|1|4| edad [2][3] RFC |L|U|O|E|8|0|0|6| tel [4][8][3]"
    edits = list(boxes(text))
    assert edits == sorted(edits)
    read = WorkingText(text, text).edited(edits).text
    assert read == "CURP |LUOE800614| edad 23 RFC |LUOE8006| tel 483"


def test_fields_of_messages_are_no_boxes():
    assert list(boxes("OBX|1|2|3|4|5|6|7|8|9|")) == []


@settings(max_examples=60)
@given(st.text("HlO01 aeIBrn2|[]!?_\n./-", max_size=60))
def test_offsets_lead_back(noise):
    text = SCANNED + noise
    source = working_text(text)
    assert len(source.text) <= len(text)
    if source.offsets is not None:
        assert list(source.offsets) == sorted(source.offsets)
        assert source.offsets[-1] <= len(text)


@pytest.mark.parametrize("text", CASES["tables"])
def test_tables_keep_their_blanks(text):
    assert not spread(text)
    assert load_preset("mx").prepare(text).text == text
