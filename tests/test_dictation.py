"""Dictated notes: what was said for signs, codes, names, numbers and addresses."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.find.examples import bracketed
from presidio_mx.find.note.dictation import spoken_signs
from presidio_mx.find.note.working_text import WorkingText, working_text
from presidio_mx.find.preset import load_preset

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "dictation.yaml").read_text(encoding="utf-8")
)
DICTATED = "uno coma dos punto y aparte tos punto y seguido fiebre coma "


def said(text):
    source = WorkingText(DICTATED + text, DICTATED + text)
    return source.edited(spoken_signs(source.text)).text


@pytest.mark.parametrize("case", CASES["notes"])
def test_note(case):
    text, wanted = bracketed(case)
    found = [text[f.start : f.end] for f in load_preset("mx").find(text)]
    assert found == [text[start:end] for start, end in wanted]


@pytest.mark.parametrize(
    ("words", "signs"),
    [
        ("sin tos punto fiebre no", "sin tos. fiebre no"),
        ("plan dos puntos reposo", "plan: reposo"),
        ("alta coma reposo", "alta; reposo"),
        ("se queda punto final", "se queda."),
        ("potasio tres punto cinco bien", "potasio tres punto cinco bien"),
        (
            "ana arroba gmail punto com punto mx ya",
            "ana arroba gmail punto com punto mx ya",
        ),
        ("está en coma desde ayer", "está en coma desde ayer"),
        ("retirar los dos puntos de piel", "retirar los dos puntos de piel"),
        ("a punto de egresar", "a punto de egresar"),
    ],
)
def test_signs_that_were_said(words, signs):
    assert said(words).endswith(signs)


def test_a_note_that_was_typed_keeps_its_words():
    text = "Paciente en coma, glucosa 40. Punto doloroso. Retiro de dos puntos."
    assert working_text(text).text == text


def test_commands_that_a_program_wrote_in_brackets():
    text = "Ana Ruiz «coma» 9 años «punto y aparte» Dr. Pech <coma> pediatra (punto)"
    assert working_text(text).text == "Ana Ruiz, 9 años.\n Dr. Pech, pediatra."
    once = "Glasgow 3 (coma), pupilas [punto] iguales"
    assert working_text(once).text == once


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from("coma punto y aparte dos puntos ana arroba \n".split(" ")))
)
def test_offsets_lead_back(words):
    text = DICTATED + " ".join(words)
    source = working_text(text)
    if source.offsets is not None:
        assert list(source.offsets) == sorted(source.offsets)
        assert source.offsets[-1] <= len(text)
