"""A text hidden from a language model, and the originals put back into its answer."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import presidio_mx
from presidio_mx.errors import InputError

NOTE = (
    "Paciente Jesús Mendoza Mares, 54 años, tel. 443 312 4567, vive en Zacapu. "
    "Su esposa Ana Ruiz Soto lo acompaña. Atiende la Dra. Luz Ek hoy."
)
ANSWERS = yaml.safe_load(
    (Path(__file__).parent / "cases" / "conversation.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def note():
    return presidio_mx.hidden(NOTE, ner="none")


def test_no_identifier_is_left_and_all_come_back(note):
    assert note.text == (
        "Paciente {NOMBRE_1}, {EDAD_1}, tel. {TEL_1}, vive en {CIUDAD_1}. "
        "Su esposa {NOMBRE_2} lo acompaña. Atiende la Dra. {NOMBRE_3} hoy."
    )
    back = note.restore(note.text)
    assert (back.text, back.restored, back.unknown) == (NOTE, 6, ())


@pytest.mark.parametrize(("answer", "wanted"), ANSWERS)
def test_answers_as_models_write_them(note, answer, wanted):
    assert note.restore(answer).text == wanted


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(ANSWERS), st.data())
def test_a_stream_cut_anywhere_is_the_whole_answer(note, answer, data):
    text = answer[0]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    ends = zip([0, *cuts], [*cuts, len(text)], strict=True)
    pieces = [text[a:b] for a, b in ends]
    assert "".join(note.stream(pieces)) == note.restore(text).text


def test_a_person_has_one_token_in_every_turn():
    with presidio_mx.hidden(NOTE, ner="none") as chat:
        later = chat.hide("Mendoza pregunta si Ana Ruiz puede ir con la Dra. Sara Uc")
        assert (
            later == "{NOMBRE_1} pregunta si {NOMBRE_2} puede ir con la Dra. {NOMBRE_4}"
        )
        answer = chat.restore("{NOMBRE_2} sí puede; {NOMBRE_8} no.")
        assert answer.text == "Ana Ruiz Soto sí puede; {NOMBRE_8} no."
        assert answer.unknown == ("{NOMBRE_8}",)


def test_tokens_that_stand_in_the_text_already_are_nobody_s():
    text = "Nota con {NOMBRE_1} y el paciente Luis Ek Poot"
    found = presidio_mx.hidden(text, ner="none")
    assert found.text == "Nota con {NOMBRE_1} y el paciente {NOMBRE_2}"
    assert found.restore(found.text).text == text


def test_nothing_is_kept_after_the_block_or_shown():
    with presidio_mx.hidden(NOTE, ner="none") as chat:
        assert "Mendoza" not in repr(chat)
        assert chat.restore("{NOMBRE_1}").restored == 1
    assert chat.restore("{NOMBRE_1}").text == "{NOMBRE_1}"


def test_known_data_and_other_presets():
    found = presidio_mx.hidden("cita con Beto", ner="none", known={"patient": "Beto"})
    assert found.text == "cita con {NOMBRE_1}"
    with pytest.raises(InputError):
        presidio_mx.hidden(3)
    with pytest.raises(presidio_mx.ConfigurationError):
        presidio_mx.hidden("x", preset="nope")
