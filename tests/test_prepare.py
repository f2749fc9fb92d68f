"""What no reader would mind is settled once, and every offset leads back."""

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.research.corpora import read_corpus
from presidio_mx.text.prepare import prepare
from presidio_mx.text.prepared import Edit, Prepared

ROOT = Path(__file__).parents[1]
MOST_LOST = 0.01
# Names over two lines are left to the model.
WRAPPED = {"wrapped at 60": 0.06, "wrapped at 40": 0.12, "wrapped at 20": 0.25}


def _benchmark():
    path = ROOT / "benchmarks" / "layouts.py"
    spec = importlib.util.spec_from_file_location("layouts_benchmark", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


layouts = _benchmark()


@pytest.fixture(scope="module")
def notes():
    corpus = ROOT / "samples" / "corpus"
    files = ("dev/a_hospital.jsonl", "train/e_hospital.jsonl")
    return [note for file in files for note in read_corpus(corpus / file).notes]


@pytest.fixture(scope="module")
def before(notes):
    return [
        layouts.covered(note.text, [(s.start, s.end) for s in note.spans], "none")
        for note in notes
    ]


@pytest.mark.parametrize("name", layouts.CHANGES)
def test_hardly_an_identifier_is_lost(notes, before, name):
    had = lost = 0
    for note, was in zip(notes, before, strict=True):
        text, spans = layouts.laid_out(note, layouts.CHANGES[name])
        now = layouts.covered(text, spans, "none")
        had += sum(was)
        lost += sum(a and not b for a, b in zip(was, now, strict=True))
    assert had > 300
    assert lost <= WRAPPED.get(name, MOST_LOST) * had


ODD = st.text(
    st.one_of(
        st.sampled_from("aáÁÑñ ñ\t\n\r*_`<b>\\nrt-. \u0301\u200b\u00adАе１𝐀\x00\ufeff"),
        st.characters(),
    ),
    max_size=80,
)


@given(ODD)
def test_every_offset_leads_back(text):
    source = prepare(text)
    assert source.original == text
    if source.offsets is None:
        assert source.text == text
        return
    assert len(source.offsets) == len(source.text) + 1
    assert list(source.offsets) == sorted(source.offsets)
    assert source.offsets[-1] == len(text)
    for start in range(len(source.text)):
        first, last = source.back(start, start + 1)
        assert 0 <= first < last <= len(text)


@given(ODD)
def test_what_is_settled_stays_so(text):
    once = prepare(text).text
    for invisible in ("\u200b", "\u00ad", "\x00", "\u2060"):
        assert invisible not in once


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        ("Ma\u200brí\u00ada", "María"),
        ("Maria\u0301", "Mariá"),
        ("Мaрía", "Mapía"),
        ("**Ana** y __Luz__", "Ana y Luz"),
        ("2*3*4 y a_b_c", "2*3*4 y a_b_c"),
        ("<b>Ana</b> <5 y >3", "Ana <5 y >3"),
        ("<b>Pte. Luis Ek</b>\nBeto llama", "Pte. Luis Ek;\nBeto llama"),
        ("Ana  Luz  Paz  va  a  casa", "Ana Luz Paz va a casa"),
        ("Ana  Luz de Paz va a casa ya", "Ana  Luz de Paz va a casa ya"),
        ("Ana    Luz    Paz    va    de        54", "Ana Luz Paz va de  54"),
        ("CAMA\tEDAD\n1\t54\n2\t61\n3\t8", "CAMA\tEDAD\n1\t54\n2\t61\n3\t8"),
        ("Ana\tva\ta\tcasa\tcon\tsu\thija\nHoy", "Ana va a casa con su hija\nHoy"),
        ("Nota\\nAna\\nLuz", "Nota\nAna\nLuz"),
        ("Nota\\n\\nAna\\nLuz", "Nota\n\nAna\nLuz"),
        ("7\\tAna Paz\\t\\t44\\tsi\n8\\tLuz", "7\tAna Paz\t\t44\tsi\n8\tLuz"),
        ("C:\\nota", "C:\\nota"),
        ("Zinapé-\ncuaro", "Zinapécuaro"),
        ("CURP l6/O2/2O14 r0berto HIDALGO0 8O", "CURP 16/02/2014 roberto HIDALGOO 80"),
        ("SatO2 92 % con O2, B12 y H1N1", "SatO2 92 % con O2, B12 y H1N1"),
        ("Nombre: Ana\nEdad: 5\nTel: 1", "Nombre: Ana\nEdad: 5\nTel: 1"),
    ],
)
def test_cases(given_text, wanted):
    assert prepare(given_text).text == wanted


def test_edits_compose():
    source = Prepared("a--b", "a--b").edited([Edit(1, 3, " ")])
    assert (source.text, source.back(2, 3)) == ("a b", (3, 4))
    again = source.edited([Edit(0, 1, "")])
    assert (again.text, again.back(1, 2)) == (" b", (3, 4))


@pytest.mark.parametrize("sign", ["\x01", "\x05", "\x1c", "\x1f", "\x7f", "\u200b"])
def test_what_parts_words_in_the_place_of_blanks_is_one(sign):
    text = "Dra. María López: Juan Pérez Mares, CURP PEMJ800101HMNRRN09"
    assert prepare(text.replace(" ", sign)).text == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Mar\ufffda P\ufffdrez Mu\ufffdoz, Le\ufffdn", "María Perez Muñoz, León"),
        ("JOS\ufffd PE\ufffdA", "JOS\ufffd PEÑA"),
        (
            "\ufffdJuan\ufffd y \ufffd 5 \ufffdlvarez",
            "\ufffdJuan\ufffd y \ufffd 5 \ufffdlvarez",
        ),
        ("Jos\udce9 Pe\udcf1a \udc93Ana\udc94", "José Peña \udc93Ana\udc94"),
    ],
    ids=["inside", "capitals", "quotation marks", "bytes that were kept"],
)
def test_a_lost_letter_does_not_part_a_word(text, read):
    assert prepare(text).text == read


@pytest.mark.parametrize("text", ["Ju\x05an Pé\u200brez acude", "J\x00u\x00a\x00n\x00"])
def test_what_stands_in_words_parts_nothing(text):
    assert prepare(text).text in ("Juan Pérez acude", "Juan")


@pytest.mark.parametrize(
    ("opened", "closed"), [("\x1b[1;31m", "\x1b[0m"), ("\x1b(s3B", "\x1b(s0B")]
)
def test_what_tells_a_terminal_or_printer_to_write_bold_is_dropped(opened, closed):
    found = prepare(f"Pte. {opened}Juan Pérez{closed} acude")
    assert found.text == "Pte. Juan Pérez acude"
    start, end = found.back(5, 15)
    assert found.original[start:end] == "Juan Pérez"
