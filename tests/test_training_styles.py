"""Notes that look scanned, dictated, laid out anew or exported: marks stay exact."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.research.corpora.inline import parse
from presidio_mx.research.corpora.synthesis_case import Value
from presidio_mx.research.training.augment import varied
from presidio_mx.research.training.dictation import dictated
from presidio_mx.research.training.exports import fill, forms
from presidio_mx.research.training.styles import (
    STYLES,
    laid_out,
    note_of,
    pieces_of,
    styled,
    unsigned,
)
from presidio_mx.schemes import in_scheme
from presidio_mx.text.spans import Note

MARKED = (
    "Paciente {{PERSON:patient|Jesús Mendoza Mares}}, {{AGE|45 años}}, vecino de "
    "{{LOCATION|Zacapu}}.\nTel. {{PHONE|443 312 4567}}; nació el {{DATE|03/05/1979}}. "
    'Dice: "me duele" <mucho>.\nAtiende Dra. {{PERSON:staff|Ruiz}}'
)
KINDS = ("", "PERSON", "DATE_TIME", "PHONE_NUMBER", "EMAIL_ADDRESS", "AGE")
texts = st.text('aeñO01 lrn.,:;/@-_\n"(<|{}\\', max_size=30)
pieces_strategy = st.lists(st.builds(Value, texts, st.sampled_from(KINDS)), max_size=8)


def native() -> Note:
    note, broken = parse("n", MARKED)
    assert not broken
    return in_scheme(note, "native")


def kinds(note: Note) -> list[tuple[str, str | None]]:
    return [(span.entity_type, span.role) for span in note.spans]


def bare(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("style", STYLES)
@given(pieces=pieces_strategy, seed=st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_marks_stay_on_what_became_of_their_text(style, pieces, seed):
    """What the style makes of a piece is what is marked, but for blanks around it."""
    note = note_of("n", pieces)
    made = STYLES[style](pieces_of(note), Random(seed))
    wanted = [p.text.strip() for p in made if p.entity_type and p.text.strip()]
    other = styled(note, style, Random(seed))
    assert [other.covered(span) for span in other.spans] == wanted
    assert other.text == "".join(p.text for p in made)
    assert styled(note, style, Random(seed)) == other
    lost = Counter(kinds(note)) - Counter(kinds(other))
    assert not lost or any(not bare(p.text) for p in made if p.entity_type)


@given(pieces=pieces_strategy, seed=st.integers(0, 10**6))
@settings(max_examples=100, deadline=None)
def test_a_layout_changes_blanks_alone(pieces, seed):
    made = laid_out(pieces, Random(seed))
    for one, other in zip(pieces, made, strict=True):
        literal = other.text.replace("\\r\\n", "\n").replace("\\n", "\n")
        assert bare(literal) == bare(one.text.replace("\\n", "\n"))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("style", ["scan", "dictation", "layout", "signs"])
def test_no_mark_is_lost(style, seed):
    note = native()
    assert kinds(styled(note, style, Random(seed))) == kinds(note)


def test_a_bad_reader_takes_a_sign_for_another_on_the_whole_page():
    page = [Value("Edad: "), Value("11 21 31 01 1", "AGE"), Value(" folio: 11111")]
    read = {
        "".join(piece.text for piece in STYLES["scan"](page, Random(seed)))
        for seed in range(200)
    }
    assert any("1" not in text and text.count("l") > 6 for text in read)
    assert any(text.startswith("Edadl") for text in read)


def test_signs_are_left_out_but_in_codes():
    texts = {
        unsigned([Value("Dr. Ruiz, T 36.5: 12:30 h.")], Random(seed))[0].text
        for seed in range(40)
    }
    assert "Dr Ruiz T 36.5 12:30 h" in texts
    assert all("36.5" in text and "12:30" in text for text in texts)


def test_dictation_speaks_numbers():
    note = native()
    spoken = {
        other.covered(span)
        for seed in range(60)
        for other in [styled(note, "dictation", Random(seed))]
        for span in other.spans
    }
    assert "cuarenta y cinco años" in spoken
    assert "tres de mayo de mil novecientos setenta y nueve" in spoken
    assert "cuatro cuatro tres tres uno dos cuatro cinco seis siete" in spoken


@pytest.mark.parametrize(
    ("kind", "text"),
    [("DATE_TIME", "45/13/2020"), ("DATE_TIME", "1/2/0300"), ("PHONE_NUMBER", "x")],
)
def test_what_cannot_be_spoken_stays(kind, text):
    said = {dictated([Value(text, kind)], Random(s))[0].text for s in range(20)}
    assert text in said


@pytest.mark.parametrize("form", forms(), ids=lambda form: form.name)
def test_every_form_holds_the_note(form):
    note = native()
    other = note_of("n", fill(form, pieces_of(note), Random(1)))
    assert not Counter(kinds(note)) - Counter(kinds(other))
    assert "«" not in other.text
    surnames = [other.covered(s) for s in other.spans if s.role == "patient"]
    assert surnames.count("Jesús Mendoza Mares") >= 1
    if form.escape == "json":
        content = json.dumps(json.loads(other.text), ensure_ascii=False)
        assert '\\"me duele\\" <mucho>' in content
        assert {"Jesús", "Mendoza Mares"} & set(surnames) or "«PERSON»" in form.text


def test_hl7_names_are_one_mark():
    (form,) = [form for form in forms() if form.name == "hl7 adt"]
    other = note_of("n", fill(form, pieces_of(native()), Random(1)))
    assert "Mendoza Mares^Jesús" in {other.covered(span) for span in other.spans}
    assert "\nNTE|3|L|Atiende Dra. Ruiz" in other.text


def test_a_style_comes_by_chance():
    note = native()
    assert varied(note, 0, 0, Random(0)) == note
    assert varied(note, 0, 0, Random(0), style=1.0) != note
